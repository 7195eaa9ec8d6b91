//! Files that cannot be read together, and variants that do not fit their base.

use crate::diagnostic::diagnostics;

diagnostics! {
    // A file that is named in another one and cannot be had.

    files::unreadable => (path, reason; span),
        "cannot read `{path}`: {reason}", span: "named here",
        help: "a path is relative to the folder of the file that names it";
    files::path => (problem, help; span),
        problem, span: "named here", help: help;
    files::unknown_game => (name, reason; span),
        "unknown game `{name}`", span: "{reason}",
        help: "write the name of a bundled game, as `astragal games` lists them, or of a file: \
            `\"{name}.game\"`";
    files::circle => (path; span),
        "`{path}` includes itself", span: "named while it is being read",
        help: "put what both files need into a third one, and `use` that in both";
    files::too_many => (limit; span),
        "more than {limit} files for one game", span: "one too many",
        help: "put several of them into one";
    files::too_many_declarations => (limit; span),
        "the files of this game have more than {limit} declarations together", span: "one too many",
        help: "draw kinds and tables instead of naming each of their parts";
    files::too_long => (limit; span),
        "the files of this game have more than {limit} bytes together", span: "with this file",
        help: "remove what the game does not need";
    check::note_value => (name; span),
        "there is no value of `{name}` to print here", span: "not a constant",
        help: "braces in a note print what a `let` at the top has: a number or a text, or computed from \
            numbers by `+`, `-` and `*`";
    files::not_shared => (what; span, used),
        "a shared file cannot have `{what}`",
        span: "this belongs to one game", used: "the file is used here",
        help: "remove it from the shared file, or write `variant \"…\" of` to begin with a whole \
            game";
}

diagnostics! {
    // A variant that does not fit its base.

    variant::several => (; span, earlier),
        "a file can be a variant of only one game", span: "a second base", earlier: "a base is named here",
        help: "remove one of them; a variant can have a variant as its base";
    variant::no_game => (base; span),
        "`{base}` is not a game: it has no `game` declaration", span: "named as the base here",
        help: "name the file of a game, or write `use \"{base}\"` for rules that games share";
    variant::no_base => (word; span),
        "there is nothing to {word}: this file is not a variant", span: "this needs a base",
        help: "change the declaration itself, or begin the file with `variant \"Name\" of \
            \"base.game\"`";
    variant::declared_again => (what, help; span, earlier),
        "the base already has {what}", span: "declared again here", earlier: "the base has it here",
        help: help;
    variant::nothing_to_replace => (what, help; span, base),
        "the base has no {what} to replace", span: "not in the base", base: "the base", help: help;
    variant::replaced_twice => (what; span, earlier),
        "{what} is replaced twice", span: "replaced again here", earlier: "replaced here",
        help: "remove one of them";
    variant::nothing_to_extend => (what, help; span),
        "there is no {what} to extend", span: "not found", help: help;
    variant::parameters => (name, parameters; span, earlier),
        "`extend moves {name}` has other parameters than the group",
        span: "extended here", earlier: "the group has `({parameters})`",
        help: "write `extend moves {name}({parameters}) {{ … }}`: the same names and types";
    variant::no_match => (name; span, earlier),
        "`{name}` has no cases to extend",
        span: "more cases", earlier: "this rule has no `match`",
        help: "only a `match` can have more cases; to do more, write `extend rule {name} after {{ … }}` \
            or `extend rule {name} before {{ … }}`";
    variant::around_a_value => (name; span, earlier),
        "`{name}` is a value, before and after which nothing is done",
        span: "more statements", earlier: "this rule has no `{{ … }}`",
        help: "write `replace rule {name} …`, which may call the old one as `base(…)`";
    variant::no_choice => (name; span, earlier),
        "`{name}` decides nothing", span: "more moves", earlier: "there is no `choose` in this",
        help: "name the rule whose `choose` it is, or the group: `extend moves …`";
    variant::several_choices => (name, count, help; span),
        "{count} decisions are called `{name}`", span: "which one?", help: help;
    variant::no_notes => (name; span, earlier),
        "the rulebook does not explain what `{name}` does now", span: "replaced without a note",
        earlier: "the notes of this one say what it did",
        severity: Warning,
        help: "write above it what it does, `## …`; `## base` keeps the notes of the base";
    variant::old_value => OldValue { name, said, printed; span },
        "the rulebook still says `{said}`, the old value of `{name}`", span: "it has another value here",
        severity: Warning,
        help: "write {printed} in the notes of the base; or replace what they stand above, with notes of your own";
    variant::drawn_otherwise => (name; span, earlier),
        "`{name}` is drawn otherwise", span: "these rows have other columns",
        earlier: "the table is drawn here",
        help: "give the new rows the columns of the table";
    variant::no_such_cell => (name; span, earlier),
        "`{name}` has nothing here to replace", span: "not in the table",
        earlier: "the table is drawn here",
        help: "write the label of a row for all of it, and behind it that of a column for one cell: \
            `replace table {name}[row, column] = …`";
    variant::computed_cells => (name; span, earlier),
        "the cells of `{name}` are computed", span: "cannot be changed one by one",
        earlier: "one expression gives all of them",
        help: "replace the whole table: `replace table {name}[x in …] = …`";
    variant::other_length => OtherLength { name, wanted, given; span, earlier },
        "this row of `{name}` has {wanted} cells, not {given}", span: "another number of cells",
        earlier: "the table is drawn here",
        help: "write all cells of the row, or the label of a column for one of them: \
            `replace table {name}[row, column] = …`";
    variant::nothing_to_remove => (what, help; span),
        "there is no {what} to remove", span: "not found", help: help;
    variant::differ => (what; span, earlier),
        "two files change {what}", span: "changed here", earlier: "and here, below it",
        help: "say in the variant itself what holds: `replace …`; or let the later one call the \
            earlier as `base(…)`; two moves need two names";
    variant::used => (path; span),
        "`{path}` is a variant, and `use` takes shared rules", span: "used here",
        help: "combine variants where the base is named: `variant \"Both\" of \"base.game\" with \"{path}\"`";
    variant::no_variant => (path; span),
        "`{path}` does not change a game", span: "named here",
        help: "write `use \"{path}\"` for rules that games share";
    variant::other_base => (path, base, help; span),
        "`{path}` changes another game: {base}", span: "named here", help: help;
    variant::several_matches => (name, count; span, earlier),
        "`{name}` has {count} places for more cases",
        span: "more cases", earlier: "this rule has more than one `match`",
        help: "only one `match` can be extended; write `replace rule {name} …`, which may call the old \
            one as `base(…)`";
    variant::values_wanted => (name; span, earlier),
        "each case of `{name}` must be a value",
        span: "one of these cases has no value",
        earlier: "its cases have values",
        help: "write a value after each `:`, like the cases of the rule";
}
