//! Mistakes in the form of a script, found before anything is played.

use crate::diagnostic::diagnostics;

diagnostics! {
    // A line that is not one of the forms of a script, or stands where it cannot.

    script::too_long => (limit; span),
        "the script has more than {limit} lines", span: "one line too many",
        help: "split it into several scripts";
    script::unknown_line => (line, help; span),
        "`{line}` is not a line of a script", span: "not understood", help: help;
    script::incomplete_line => IncompleteLine { sign, expected, found, example; span },
        "`{sign}` needs {expected}, found {found}", span: "here", help: "write it like `{example}`";
    script::header_order => (line, before; span),
        "`{line}` comes after `{before}`", span: "move this up",
        help: "the header is `game`, `players`, `option`, `seed`, in this order";
    script::late_header => (line; span),
        "`{line}` comes after the first step", span: "belongs to the header",
        help: "move it to the top, above every other step";
    script::two_headers => (line; first, span),
        "there are two `{line}` lines", first: "the first one", span(primary): "the second one",
        help: "keep one of them";
    script::same_name => (name, help; span),
        "`{name}` appears twice", span: "again here", help: help;
    script::bad_name => (name; span),
        "`{name}` cannot be the name of a player", span: "this name",
        help: "a name has no `>`, `:`, `#` and comma, and is not the beginning of another line";
    script::no_game => (; span),
        "the script does not say which game is played", span: "expected `game` before this",
        help: "begin with `game NAME` or `game PATH`; a path is relative to the script";
    script::stray_output => (; span),
        "the line above prints nothing", span: "unexpected output",
        help: "output follows a decision, `do`, `moves` or the header; remove the two spaces or \
            the line";
    script::indentation => (; span),
        "the line begins with white space that is not two spaces", span: "this white space",
        help: "output begins with two spaces, every other line with none";
    script::include => (file, reason; span),
        "`{file}` cannot be included: {reason}", span: "included here",
        help: "a path is relative to the script; `astragal run` and `play` include files";
    script::after_result => (line; span),
        "{line} comes after the end", span: "after the end",
        help: "below `= …` and `end` only `?` and comments may follow";
}
