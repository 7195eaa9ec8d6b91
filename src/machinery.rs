//! What the tests, the benches and the bindings of this repository use beside the library. It follows no rules of
//! versions: programs of others use what `lib.rs` names.

pub mod bots {
    pub use crate::bots::{
        Analysis, Bot, BotBudget, BotKind, Control, Distribution, EndQuestion, GameValue,
        MAX_MEMORY, ONE, PlayRule, Ratio, Scalar, Solution, Solve, SolveRefusal, View, solve,
        solve_along,
    };
}
pub mod budget {
    pub use crate::budget::{Budget, MAX_MEMORY, MAX_WORK};
}
pub mod bytecode {
    pub use crate::bytecode::{Program, VarInfo};
    pub mod arith {
        pub use crate::bytecode::arith::{ceil_divide, floor_divide, modulo};
    }
    pub mod cards {
        pub use crate::bytecode::cards::CardsInfo;
    }
    pub mod disassemble {
        pub use crate::bytecode::disassemble::disassemble;
    }
    pub mod engine {
        pub use crate::bytecode::engine::MachineCode;
    }
    pub mod program {
        pub use crate::bytecode::program::{MOST_SUBSETS, NONE, ValueShape, Wait};
    }
    pub mod sets {
        pub use crate::bytecode::sets::{
            count, first, first_from, has, insert, last, last_to, members, nth, remove,
        };
    }
}
pub mod chance {
    pub use crate::chance::{Chance, Seed, Seeded};
}
pub mod check {
    pub use crate::check::{
        check_call, check_expression, check_rules, check_statements, check_without_secrecy,
    };
}
#[cfg(feature = "cli")]
pub mod cli {
    pub use crate::cli::serve;
}
#[cfg(feature = "commands")]
pub mod commands {
    pub use crate::commands::run_command;
}
pub mod compile {
    pub use crate::compile::{MAX_STEPS, Pass, Passes, Specialisation, compile, value_text};
}
pub mod components {
    pub use crate::components::Components;
}
pub mod diagnostic {
    pub use crate::diagnostic::{Diagnostic, Diagnostics, MOST_FINDINGS};
}
pub mod dump {
    pub use crate::dump::dump;
}
pub mod editor {
    pub use crate::editor::{Document, Hover, RenameRefusal, find_word};
}
pub mod game {
    pub use crate::game::{
        Board, Game, GameInfo, LegalMoves, MAX_SAID, Outcome, Paint, Player, Said, State, Step,
        TableView, Tag, Trap, Utility, fold_case,
    };
}
#[cfg(feature = "host")]
pub mod host {
    pub use crate::host::bots::find_bot;
    pub use crate::host::embed::{
        EmbedRefusal, GameFiles, milliseconds, stop_commands, table_text,
    };
}
pub mod load {
    pub use crate::load::{MAX_DECLARATIONS, MAX_FILES, OpenedFile, assemble};
}
#[cfg(feature = "reference")]
pub mod lockstep {
    pub use crate::lockstep::{Compared, Limits, compare_engines, error, faulty_pass};
}
#[cfg(feature = "messages")]
pub mod messages {
    pub use crate::messages::{Engine, MOST_BYTES};
}
#[cfg(feature = "native")]
pub mod native {
    pub use crate::native::accelerate;
}
#[cfg(feature = "reference")]
pub mod noninterference {
    pub use crate::noninterference::{Leak, Pair, compare};
    pub mod error {
        pub use crate::noninterference::error::leaks;
    }
}
pub mod pipeline {
    pub use crate::pipeline::{
        Checked, Folder, GameOptions, MAX_COMBINATIONS, MAX_COMPILED, NamedText, OpenedFile,
        Ruleset, check, check_without_compiling, choices, every, load,
    };
}
pub mod progress {
    pub use crate::progress::{Progress, UNWATCHED};
}
pub mod rulebook {
    pub use crate::rulebook::{Edition, Rulebook, rulebook};
    pub mod english {
        pub use crate::rulebook::english::{
            authored, embedded, format_table, in_code, join_list, one, plural, predicate,
            quote_code, sentence, singular, space_words,
        };
    }
}
pub mod rules {
    pub use crate::rules::{
        Domain, Expr, ExprKind, KindId, KindShape, Local, Rule, Rules, SnippetScope, StmtKind,
        Type, Value, VarForm,
    };
    pub mod print {
        pub use crate::rules::print::{expression_text, typed_name};
    }
    pub mod topology {
        pub use crate::rules::topology::{BoardTopology, Lattice, Plane, Ring, Topology};
    }
    pub mod visit {
        pub use crate::rules::visit::visit_stmts;
    }
}
pub mod session {
    pub use crate::session::{
        Console, Count, Files, GameRecord, Hint, Io, LoadedScript, Misfit, MoveList, Perft, Pin,
        Prompt, Reply, Running, ScriptRun, Seat, Session, SessionEnd, Showing, complete_line, hint,
        names_file, perft, pinned, run, seats_kept, whole_lines,
    };
}
pub mod simulate {
    pub use crate::simulate::{
        Batch, Histogram, Millionths, Moments, PlayoutLength, Playouts, Share, simulate,
    };
}
pub mod snippet {
    pub use crate::snippet::{WaitingGame, explain, why_not};
}
pub mod source {
    pub use crate::source::{Place, Source, Sources, Span, fault, hidden_signs};
}
pub mod suggest {
    pub use crate::suggest::{Guesses, MOST_GUESSES, nearest};
}
pub mod syntax {
    pub use crate::syntax::{
        DECLARATIONS, MAX_BYTES, MAX_NAME, MAX_NESTING, RESERVED, TokenKind, in_pascal_case,
        in_snake_case, parse, parse_expression, parse_statements, print_expression, tidy, tokenize,
    };
    pub mod ast {
        pub use crate::syntax::ast::{
            Arm, Arms, Ast, BinaryOp, Binder, Block, BoardDecl, BoardShape, CardAction, CellKind,
            Choose, Clause, ClauseKind, Expr, ExprKind, Extension, Finish, FoldWord, GameClause,
            Item, ItemKind, KindBody, KindDecl, MoveLine, MoveOption, Name, Owner, Param, Phase,
            PileEnd, RuleBody, RuleDecl, Stmt, StmtKind, TableBody, TableDecl, Text, TextPart,
            TypeExpr, TypeKind, VarDecl, VarForm,
        };
    }
}
pub mod transcript {
    pub use crate::transcript::{
        LineKind, MAX_LINES, Script, chance, format_decision, format_result, format_said, is_name,
        opening, parse, tidy, winner,
    };
}
pub mod vm {
    pub use crate::vm::{FUEL, MAX_ASIDE, MAX_STACK, capitalised};
}
