//! Errors of syntax.

use crate::diagnostic::{Fix, diagnostics};

diagnostics! {
    // A mistake in the form of a file, a statement or an expression.

    syntax::unexpected => (expected, found, help; span),
        "expected {expected}, found {found}", span: "unexpected", help: help;
    syntax::unclosed_bracket => (bracket, closer, owner, fix: Fix; span, missing),
        "this `{bracket}` is never closed",
        span: "it belongs to `{owner}`", missing: "the `{closer}` is missing after this",
        help: "add the `{closer}`",
        fix: fix;
    syntax::stray_bracket => (bracket; span),
        "nothing is open here that this `{bracket}` could close", span: "closes nothing",
        help: "remove it, or add the opening bracket that it belongs to";
    syntax::csv => (problem, help; span),
        problem, span: "here", help: help;
    syntax::unclosed_text => (help; span),
        "this text has no closing quote", span: "a text ends on the line where it begins",
        help: help;
    syntax::lone_brace => (; span),
        "this `}}` closes no hole of the text", span: "it is printed as it is", severity: Warning,
        help: "put the `{{` before the value that it ends, or write `\\}}` for the brace itself";
    syntax::stray_character => (found, help; span),
        "`{found}` means nothing here", span: "outside a text and a comment", help: help;
    syntax::foreign_sign => (found, help; span),
        "`{found}` is not a sign of this language", span: "not part of the language", help: help;
    syntax::too_deep => (limit; span),
        "this is nested more than {limit} levels deep", span: "too deep",
        help: "move a part of it into a separate rule or `let`";
    syntax::long_name => (found, most; span),
        "a name of {found} letters is too long", span: "too long",
        help: "a name has at most {most} letters; a title may say more";
    syntax::too_long => (length, limit; span),
        "the file is {length} bytes long; the limit is {limit}", span: "this file",
        help: "split what it holds into several games";
    syntax::empty => (; span),
        "expected a declaration, found an empty file", span: "nothing is declared",
        help: "a game begins with `game \"Title\" {{ players 2 }}` and has a `play {{ … }}`";
    syntax::unknown_declaration => (found, help; span),
        "expected a declaration, found `{found}`", span: "not the start of a declaration", help: help;
    syntax::reserved_word => (word, expected; span),
        "`{word}` is a word of the language and cannot be a name", span: "expected {expected}",
        help: "choose another name, such as `{word}_`", fix: "{word}_";
    syntax::stray_note => (fix: Fix; span),
        "this note belongs to nothing", span: "nothing follows that it could be about",
        help: "put a `##` line above a declaration, a variable, a row, a move, a statement or a `when`; write `#` \
            for a comment",
        fix: fix;
    syntax::move_without_body => (name; span),
        "the move `{name}` has no body", span: "this move",
        help: "say what happens after it, `{name} {{ … }}`; `{{ }}` if nothing does";
    syntax::assignment_in_condition => (; span),
        "`=` gives a value; `==` compares", span: "a comparison is expected here",
        write: "==";
    syntax::idle_statement => (help; span),
        "this does nothing", span: "a value alone is not a statement", help: help;
    syntax::else_if => (found; span),
        "`{found}` is not a word of the language", span: "two words: `else if`",
        write: "else if";
    syntax::foreign_truth => (found, instead; span),
        "`{found}` is written `{instead}` here", span: "write `{instead}`",
        write: "{instead}";
    syntax::missing_brace => (found; span),
        "expected `{{`, found {found}", span: "the `{{` is missing before this",
        help: "put the block in braces, with the `{{` on this line";
    syntax::missing_arrow => (found; span),
        "the type of a rule's value follows `->`", span: "the `->` is missing before this",
        write: "-> {found}";
    syntax::chained_comparison => (; span, first),
        "comparisons cannot be chained", span: "a second comparison", first: "the first one",
        help: "join two comparisons with `and`: `a < b and b < c`";
    syntax::chained_range => (; span),
        "a range has two ends", span: "a second `..`", help: "write `a..b`";
    syntax::unknown_edition => (found, newest; span),
        "this version of astragal does not know edition `{found}`",
        span: "unknown edition",
        help: "it knows editions up to {newest}; a newer version may know this one";
    syntax::number_too_large => (found; span),
        "the number `{found}` is too large", span: "does not fit",
        help: "numbers have 64 bits: up to 9223372036854775807";
    syntax::decimal => (found; span),
        "`{found}` is not a whole number", span: "numbers are whole",
        help: "all numbers are whole: count in halves or hundredths; a range has two dots: `1..5`";
    syntax::unknown_escape => (found; span),
        "`\\{found}` means nothing in a text", span: "unknown escape",
        help: "write a backslash before `{{`, `}}`, `\"`, `\\`, or `n` for a new line";
    syntax::hole_in_cell => (; span),
        "a drawn cell, or a name in quotes, holds plain words", span: "this is a hole",
        help: "write the words as they are to be shown; `\\{{` is the brace itself";
    syntax::kind_name => (found, instead; span),
        "the kind `{found}` should be called `{instead}`", span: "write `{instead}`",
        help: "kinds begin with a capital letter, all other names with a small one",
        fix: "{instead}";
    syntax::small_name => SmallName { what, found, instead; span },
        "{what} `{found}` should be called `{instead}`", span: "write `{instead}`",
        help: "kinds begin with a capital letter, all other names with a small one",
        fix: "{instead}";
    syntax::missing_comma => (form; span),
        "the members of a kind are separated by commas", span: "no comma follows this",
        help: "write `{form}`; without commas the first line is read as a heading, and no member \
            has cells below it";
    syntax::filter_without_name => (; span),
        "expected `NAME in SET` before `where`", span: "not a name and a set",
        help: "write `{{c in S where P}}`, with a name for each member in turn";
}
