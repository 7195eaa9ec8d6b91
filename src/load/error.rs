//! Files that cannot be read together, and variants that do not fit their base.

use miette::Diagnostic;
use thiserror::Error;

use crate::diagnostic::{Fix, Fixable, Help};
use crate::source::Span;

/// A file that is named in another one and cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub enum FileError {
    /// It is not there, or cannot be read.
    #[error("`{path}` cannot be read: {reason}")]
    #[diagnostic(
        code(files::unreadable),
        help("a path is seen from the folder of the file that it stands in")
    )]
    Unreadable {
        /// The path as it is written.
        path: String,
        /// Why not.
        reason: String,
        /// Where it is named.
        #[label("named here")]
        span: Span,
    },
    /// A path that leads to no file of the game.
    #[error("{problem}")]
    #[diagnostic(code(files::path), help("{help}"))]
    Path {
        /// What is wrong with it.
        problem: String,
        /// What to do.
        help: String,
        /// Where it is named.
        #[label("named here")]
        span: Span,
    },
    /// A file that needs itself.
    #[error("`{path}` needs itself")]
    #[diagnostic(
        code(files::circle),
        help("put what both files need into a third one, and `use` that in both")
    )]
    Circle {
        /// The file.
        path: String,
        /// Where it is named the second time.
        #[label("it is being read when it is named here")]
        span: Span,
    },
    /// Too many files.
    #[error("more than {limit} files for one game")]
    #[diagnostic(code(files::too_many), help("put several of them into one"))]
    TooMany {
        /// How many may be read.
        limit: usize,
        /// The first one too many.
        #[label("one too many")]
        span: Span,
    },
    /// More declarations than any game has.
    #[error("the files of this game have more than {limit} declarations together")]
    #[diagnostic(
        code(files::too_many_declarations),
        help("draw kinds and tables instead of naming each of their parts")
    )]
    TooManyDeclarations {
        /// How many they may have.
        limit: usize,
        /// The first one too many.
        #[label("one too many")]
        span: Span,
    },
    /// Files that are too long together.
    #[error("the files of this game have more than {limit} bytes together")]
    #[diagnostic(code(files::too_long), help("take out what the game does not need"))]
    TooLong {
        /// How many bytes they may have.
        limit: usize,
        /// The file that is too much.
        #[label("with this file")]
        span: Span,
    },
    /// A used file that is a game of its own.
    #[error("a file that others use has no `{what}` of its own")]
    #[diagnostic(
        code(files::not_shared),
        help(
            "take it out of the shared file, or write `variant \"…\" of` to begin with a whole game"
        )
    )]
    NotShared {
        /// The word it begins with.
        what: String,
        /// The declaration.
        #[label("this belongs to one game")]
        span: Span,
        /// Where the file is named.
        #[label("the file is used here")]
        used: Span,
    },
}

/// A variant that does not fit its base.
#[derive(Clone, Debug, PartialEq, Eq, Error, Diagnostic)]
pub enum VariantError {
    /// Two bases.
    #[error("a file is a variant of one game only")]
    #[diagnostic(
        code(variant::several),
        help("take one of the two out; a variant can have a variant as its base")
    )]
    Several {
        /// The second.
        #[label("and here")]
        span: Span,
        /// The first.
        #[label("a base is named here")]
        earlier: Span,
    },
    /// A base that is no game.
    #[error("`{base}` is no game: it has no `game` declaration")]
    #[diagnostic(
        code(variant::no_game),
        help("name the file of a game, or write `use \"{base}\"` for rules that games share")
    )]
    NoGame {
        /// The file.
        base: String,
        /// Where it is named.
        #[label("named as the base here")]
        span: Span,
    },
    /// `replace` without a base.
    #[error("there is nothing to replace: this file is no variant")]
    #[diagnostic(
        code(variant::no_base),
        help(
            "change the declaration itself, or begin the file with `variant \"Name\" of \"base.game\"`"
        )
    )]
    NoBase {
        /// The word.
        #[label("this needs a base")]
        span: Span,
    },
    /// Something that the base has too.
    #[error("the base has {what} already")]
    #[diagnostic(code(variant::declared_again), help("{help}"))]
    DeclaredAgain {
        /// What it is.
        what: String,
        /// What to do.
        help: String,
        /// In the variant.
        #[label("a second one")]
        span: Span,
        /// In the base.
        #[label("the base has it here")]
        earlier: Span,
    },
    /// Something that the base has not.
    #[error("the base has no {what} to replace")]
    #[diagnostic(code(variant::nothing_to_replace), help("{help}"))]
    NothingToReplace {
        /// What was looked for.
        what: String,
        /// What to do.
        help: Help,
        /// In the variant.
        #[label("not in the base")]
        span: Span,
        /// Where the base is named.
        #[label("the base")]
        base: Span,
    },
    /// The same twice.
    #[error("{what} is replaced twice")]
    #[diagnostic(code(variant::replaced_twice), help("take one of the two out"))]
    ReplacedTwice {
        /// What it is.
        what: String,
        /// The second.
        #[label("and here")]
        span: Span,
        /// The first.
        #[label("replaced here")]
        earlier: Span,
    },
    /// More of something that is not there.
    #[error("there is no {what} to extend")]
    #[diagnostic(code(variant::nothing_to_extend), help("{help}"))]
    NothingToExtend {
        /// What was looked for.
        what: String,
        /// What to do.
        help: Help,
        /// Its name.
        #[label("not known")]
        span: Span,
    },
    /// Options of a group with other parameters.
    #[error("`extend moves {name}` has other parameters than the group")]
    #[diagnostic(
        code(variant::parameters),
        help("write `extend moves {name}({parameters}) {{ … }}`: the same names and types")
    )]
    Parameters {
        /// The group.
        name: String,
        /// Its parameters.
        parameters: String,
        /// What goes on with it.
        #[label("more options")]
        span: Span,
        /// The group.
        #[label("the group has `({parameters})`")]
        earlier: Span,
    },
    /// More cases for a rule that has none.
    #[error("`{name}` has no cases to go on with")]
    #[diagnostic(
        code(variant::no_match),
        help(
            "only a rule whose whole body is one `match` can be extended; write `replace rule {name} …`"
        )
    )]
    NoMatch {
        /// The rule.
        name: String,
        /// What goes on with it.
        #[label("more cases")]
        span: Span,
        /// The rule.
        #[label("this rule is not one `match`")]
        earlier: Span,
    },
    /// Cases that do something for a rule that has a value.
    #[error("each case of `{name}` is a value")]
    #[diagnostic(
        code(variant::values_wanted),
        help("write a value behind each `:`, as the cases of the rule have it")
    )]
    ValuesWanted {
        /// The rule.
        name: String,
        /// What goes on with it.
        #[label("one of these cases does something and has no value")]
        span: Span,
        /// The rule.
        #[label("its cases have values")]
        earlier: Span,
    },
}

impl Fixable for VariantError {
    fn fix(&self) -> Option<Fix> {
        match self {
            Self::NothingToReplace { help, span, .. }
            | Self::NothingToExtend { help, span, .. } => help.fix(*span),
            _ => None,
        }
    }
}
