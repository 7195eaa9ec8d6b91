//! The diagnostics of the checker: one table for each family of mistakes.

use crate::diagnostic::{Help, Label, diagnostics};
use crate::source::Span;

diagnostics! {
    /// A name that means nothing, or too much.
    #[derive(Debug)]
    pub enum NameError;

    check::unknown_name => UnknownName { name: String, help: Help, span: Span },
        "unknown name `{name}`", span: "not found in this scope", help: help;
    check::unknown_kind => UnknownKind { name: String, help: Help, span: Span },
        "unknown kind `{name}`", span: "no kind has this name", help: help;
    check::unknown_field => UnknownField { owner: String, name: String, help: Help, span: Span },
        "{owner} has no `{name}`", span: "not found here", help: help;
    check::unknown_rule => UnknownRule { name: String, help: Help, span: Span },
        "unknown rule `{name}`", span: "no rule has this name", help: help;
    check::no_replaced_rule => NoReplacedRule { span: Span },
        "there is no rule that `base` could call here", span: "this rule replaces none",
        help: "`base(…)` belongs in a rule of a variant that begins with `replace rule`, and calls the \
            rule that it replaces";
    check::unknown_member => UnknownMember { kind: String, name: String, help: Help, span: Span },
        "`{kind}` has no member `{name}`", span: "not a member", help: help;
    check::duplicate => Duplicate { name: String, span: Span, earlier: Span },
        "`{name}` is declared twice", span: "declared again here", earlier: "first declared here",
        help: "rename one of them, or remove one";
    check::built_in => BuiltIn { name: String, span: Span },
        "`{name}` is a word of the language", span: "declared here",
        help: "choose another name: `{name}` is built in";
    check::shadowed => Shadowed {
        help: String, name: String, what: String, span: Span, earlier: Option<Span>,
    },
        "`{name}` already names {what}", span: "declared again here", earlier: "already declared here",
        help: help;
    check::ambiguous_member => AmbiguousMember { name: String, choices: String, span: Span },
        "`{name}` could belong to several kinds", span: "which one?",
        help: "write {choices}";
    check::naming => Naming {
        what: String, name: String, wanted: String, better: String, span: Span,
    },
        "the name of {what} must begin with a {wanted} letter, found `{name}`", span: "this name",
        write: "{better}";
    check::look_only => LookOnly { name: String, ty: &'static str, span: Span },
        "the column `{name}` is for the eye alone", span: "no rule can read it",
        help: "with a type in its heading, `{name}: {ty}`, it is a column for the rules";
    check::missing_seat => MissingSeat { name: String, fewest: usize, span: Span },
        "the seat `{name}` is missing where {fewest} play", span: "not in every game",
        help: "a case of a `match` may name it, and `p.seat` is the number of a player's seat; or let \
            more play at least";
    check::unbound_parameter => UnboundParameter {
        help: String, name: String, option: String, span: Span,
    },
        "the move `{option}` does not say which values `{name}` takes", span: "no clause introduces this name",
        help: help;
}

diagnostics! {
    /// Something that does not fit where it stands.
    #[derive(Debug)]
    pub enum TypeError;

    check::type_mismatch => Mismatch { expected: String, found: String, help: Help, span: Span },
        "expected {expected}, found {found}", span: "this is {found}", help: help;
    check::may_be_none => MayBeNone { expected: String, help: String, span: Span },
        "expected {expected}, but this may be `none`", span: "may be `none`", help: help;
    check::not_comparable => NotComparable { help: Help, left: String, right: String, span: Span },
        "{left} and {right} cannot be compared", span: "compared here", help: help;
    check::not_a_set => NotASet { found: String, span: Span },
        "expected a set, found {found}", span: "this is {found}",
        help: "a set is a kind, `{{a, b}}`, `{{x in S where …}}`, a range `1..6`, or a variable \
            that holds one";
    check::not_indexable => NotIndexable { found: String, help: Help, span: Span },
        "{found} has no elements to pick with `[ ]`", span: "not an array", help: help;
    check::wrong_index_count => WrongIndexCount {
        name: String, expected: String, found: usize, help: Help, span: Span,
    },
        "`{name}` takes {expected}, found {found}", span: "indices of `{name}`", help: help;
    check::wrong_argument_count => WrongArgumentCount {
        name: String, expected: String, found: usize, head: String, span: Span,
        declared: Option<Span>,
    },
        "`{name}` takes {expected}, found {found}", span: "called here", declared: "declared here",
        help: "it is declared as `{head}`";
    check::needs_type => NeedsType { what: String, value: String, help: String, span: Span },
        "the type of {what} is not clear from `{value}` alone", span: "what type?", help: help;
    check::not_finite => NotFinite { help: &'static str, found: String, span: Span },
        "expected a kind or a range with both ends, found {found}", span: "not a finite type",
        help: help;
    check::nested_type => Nested { word: String, found: String, span: Span },
        "there is no `{word}` of {found}", span: "not allowed here",
        help: "`maybe` can be used with a number, yes/no, text, a kind or a range";
    check::not_assignable => NotAssignable { what: String, help: String, span: Span },
        "{what} cannot be changed", span: "cannot be assigned", help: help;
    check::not_a_die => NotADie { found: String, span: Span },
        "{found} is not a die", span: "not a die",
        help: "roll what is declared with `die` or `dice`; `random 1..6` draws a number";
    check::not_a_coin => NotACoin { name: String, span: Span },
        "`{name}` is not a coin", span: "not a coin",
        help: "declare it with `coin {name}: 0.. = 0` under `each player has`, or use `+=` and \
            `-=`";
    check::division_rounds => DivisionRounds { span: Span },
        "a division must say how it rounds", span: "rounds up or down?",
        help: "write `ceil(a / b)` or `floor(a / b)`";
    check::fold_form => FoldForm { word: String, form: String, span: Span },
        "`{word}` needs a name for each member of the set",
        span: "the name is missing", write: "{form}";
    check::fold_form => FoldWithoutBody {
        word: String, advice: &'static str, form: String, span: Span,
    },
        "`{word}` needs a condition or a value for each member", span: "nothing follows the set",
        help: (Help::form(&format!("{advice}:"), form));
    check::needs_division => NeedsDivision { word: String, span: Span },
        "`{word}` needs a division", span: "not a division",
        help: "write `{word}(a / b)`; all other numbers are whole already";
    check::subsets => Subsets { problem: &'static str, help: &'static str, span: Span },
        "`subsets of` can only be iterated: {problem}", span: "this is many sets, not one", help: help;
    check::order_lost => OrderLost { word: &'static str, help: &'static str, span: Span },
        "`{word}` gives an order, but nothing is iterated here", span: "the order would be lost",
        help: help;
    check::one_set => OneSet { word: &'static str, help: &'static str, span: Span },
        "`{word}` looks through one set", span: "a second set", help: help;
    check::not_exhaustive => NotExhaustive { missing: String, span: Span },
        "this `match` has no case for {missing}", span: "cases are missing",
        help: "add a case for it, or `else: …` at the end";
    check::duplicate_pattern => DuplicatePattern { pattern: String, span: Span, earlier: Span },
        "{pattern} has a case already", span: "never reached", earlier: "first case",
        help: "remove one of them";
    check::pattern_not_constant => PatternNotConstant { span: Span },
        "a case of a `match` needs a constant: a number, `yes`, `no`, `none` or a member",
        span: "not a constant",
        help: "compare with `==` in an `if` instead";
    check::empty_range => EmptyRange { span: Span },
        "the range ends before it begins", span: "empty range", help: "write the lower number first";
}

diagnostics! {
    /// A list that cannot be.
    #[derive(Debug)]
    pub enum ListError;

    check::list_length => UnknownLength { span: Span },
        "the length of a list must be known before play", span: "how many at most?",
        help: "write a number, or a constant that is made of numbers: `let longest = 9`";
    check::list_length => Length { number: i64, most: usize, span: Span },
        "a list cannot hold up to {number} elements", span: "expected 1 to {most}",
        help: "a list holds at most {most} elements; a set holds as many as its kind has members";
    check::list_of_cards => Cards { name: String, span: Span },
        "a list cannot hold cards", span: "`{name}` is a kind of cards",
        help: "make a list of their faces, or a pile, which keeps its order: `row: cards`";
    check::list_too_long => TooLong { found: usize, ty: String, most: usize, span: Span },
        "a `{ty}` cannot hold {found} elements", span: "at most {most} fit",
        help: "leave some out, or give the list a longer `up to`";
    check::list_shrinks => Shrinks { span: Span },
        "elements cannot be taken out of a list", span: "this is a list",
        help: "a list only grows: begin a new one, `path = []`, and add what is to stay with `+=`";
    check::lists => NotIterated { span: Span },
        "`lists of` can only be iterated", span: "this is many lists, not one",
        help: "write it after `in`, as in `for path in lists of Field up to 9 by S` or `any(path in \
            lists of …: P)`";
}

diagnostics! {
    /// A declaration or a drawn table that does not add up.
    #[derive(Debug)]
    pub enum DataError;

    check::row_length => RowLength { expected: String, found: usize, help: String, span: Span },
        "expected {expected}, found {found}", span: "{found} here", help: help;
    check::missing_row => MissingRow { table: String, line: String, missing: String, span: Span },
        "the table `{table}` has no {line} for {missing}", span: "incomplete",
        help: "add a {line} for each; `-` is a cell that holds `none`";
    check::missing_cell => MissingCell { name: String, missing: String, span: Span },
        "the column `{name}` has no cell for {missing}", span: "not drawn for all members",
        help: "draw the column for them too, or give it a default in a heading: `{name}=0`";
    check::not_extensible => NotExtensible { name: String, span: Span },
        "`{name}` cannot be extended", span: "not a kind of listed members",
        help: "only kinds whose members are listed or drawn can have more of them";
    check::part => Part { problem: String, help: String, span: Span },
        problem, span: "here", help: help;
    check::product => Product { problem: String, help: String, span: Span },
        problem, span: "here", help: help;
    check::duplicate_row => DuplicateRow { name: String, span: Span, earlier: Span },
        "`{name}` appears twice", span: "again", earlier: "first here",
        help: "remove one of them";
    check::mixed_cells => MixedCells {
        name: String, one: String, other: String, span: Span, first: Span,
    },
        "the cells of `{name}` are not of one type: {one} and {other}",
        span: "this is {other}", first: "this is {one}",
        help: "a column holds numbers, yes/no, members of one kind, sets `{{a, b}}` of one kind, \
            or texts; `-` where there is none";
    check::ambiguous_cells => AmbiguousCells {
        name: String, kinds: String, example: String, span: Span,
    },
        "the cells of `{name}` could belong to several kinds: {kinds}", span: "which kind?",
        help: "say which in the heading: `{name}: {example}`";
    check::unknown_cell => UnknownCell { name: String, help: Help, span: Span },
        "no kind has a member `{name}`", span: "not a member of one kind with the other cells",
        help: help;
    check::wrong_cell => WrongCell { expected: String, found: String, span: Span },
        "expected {expected}, found {found}", span: "this is {found}",
        help: "change the cell, or the type that is written";
    check::wrong_label => WrongLabel { expected: String, found: String, span: Span },
        "expected {expected}, found {found}", span: "this is {found}",
        help: "labels and headings name what their cells belong to";
    check::table_shape => TableShape { problem: String, help: String, span: Span },
        problem, span: "here", help: help;
    check::holes_in_title => HolesInTitle { span: Span },
        "a title cannot have holes", span: "titles are fixed text",
        help: "write the title without `{{ }}`";
    check::players_range => PlayersRange { problem: String, span: Span },
        problem, span: "here",
        help: "write `players 2`, `players 2..5`, or `players 1..4 = 2`, with numbers from 1 to 20";
    check::no_colour => NoColour { found: String, help: Help, span: Span },
        "`{found}` is no colour", span: "not a colour", help: help;
    check::glyph => Glyph { problem: String, span: Span },
        problem, span: "this glyph",
        help: "write one sign in quotes, one or two columns wide: `\"●\"`, `\"Kn\"`";
    check::seat_count => SeatCount { expected: String, found: usize, span: Span },
        "expected {expected}, found {found}", span: "as many as can play",
        help: "name a seat for each player of the largest game, in their order";
    check::empty_kind => EmptyKind { name: String, span: Span },
        "the kind `{name}` has no members", span: "empty", help: "a kind has at least one member";
    check::too_many_members => TooManyMembers {
        name: String, found: usize, most: usize, span: Span,
    },
        "{name} has {found} members, and the most is {most}", span: "too many members",
        help: "sets and arrays need short types; keep large values as plain numbers";
    check::too_many_columns => TooManyColumns {
        name: String, found: usize, most: usize, span: Span,
    },
        "`{name}` has {found} columns; the most is {most}", span: "one too many",
        help: "move some columns into a separate table: `table t[Kind, Other] …`";
    check::long_title => LongTitle { found: usize, most: usize, span: Span },
        "a title of {found} bytes is too long; the most is {most}", span: "too long",
        help: "put longer text in a note above it: `## …`";
    check::option_type => OptionType { found: String, span: Span },
        "an option cannot be {found}", span: "this option",
        help: "an option is yes/no, a number, a member of a kind, or a `maybe` of these";
    check::coin_type => CoinType { name: String, found: String, span: Span },
        "a coin is a number, found {found}", span: "this coin",
        help: "give it a range: `coin {name}: 0..5 = 0`";
    check::history => History { problem: String, help: String, span: Span },
        problem, span: "here", help: help;
    check::history_value => HistoryValue { name: String, span: Span },
        "`{name}` is a history, which is no value", span: "a history",
        help: "`{name}.times` is how often the present values were remembered; `remember {name}` \
            and `forget {name}` change it";
    check::not_a_history => NotAHistory { found: String, help: Help, span: Span },
        "{found} is no history", span: "not a history", help: help;
    check::empty_range => EmptyRange { low: i64, high: i64, span: Span },
        "the range {low}..{high} holds nothing", span: "ends before it begins",
        help: "write the lower number first";
    check::not_storable => NotStorable { found: String, span: Span },
        "a variable cannot hold {found}", span: "cannot be stored",
        help: "variables hold numbers, yes/no, members, sets, and `maybe` of a number, yes/no or \
            member";
    check::stored_list => StoredList { span: Span },
        "a list cannot be stored", span: "this would be a list",
        help: "keep it in a local name, `var path: list of Field up to 9 = []`, or in a parameter; \
            store a set, or a number for each member: `place[Field]: 0..9 = 0`";
    check::new_type => NewType { span: Span },
        "a new type cannot be written here", span: "the game has no such type",
        help: "use a type that the game has already";
}

diagnostics! {
    /// A board that cannot be, or a way that it does not have.
    #[derive(Debug)]
    pub enum BoardError;

    check::board_size => Size { problem: String, help: String, span: Span },
        problem, span: "here", help: help;
    check::board_drawing => Drawing { name: String, expected: String, found: String, span: Span },
        "the drawing of `{name}` has {found}, and the board has {expected}", span: "{found}",
        help: "draw every cell where it lies: as many rows and as many cells in each as the board \
            has";
    check::self_link => SelfLink { name: String, span: Span },
        "`{name}` is linked to itself", span: "again",
        help: "a link leads from one place to another";
    check::no_direction => NoDirection {
        board: String, direction: String, help: String, span: Span,
    },
        "{board} has no {direction}", span: "not on this board", help: help;
    check::not_a_cell => NotACell { found: String, help: String, span: Span },
        "expected a cell of a board, found {found}", span: "this is {found}", help: help;
    check::no_such_number => NoSuchNumber {
        of: String, what: String, number: i64, highest: usize, form: String, span: Span,
    },
        "`{of}` has no {what} {number}", span: "outside of `{of}`",
        help: "its {what}s are numbered from 1 to {highest}; `{of}.at({form})` is `none` outside";
    check::no_lines => NoLines { problem: String, help: String, span: Span },
        problem, span: "here", help: help;
}

diagnostics! {
    /// Cards that are declared, kept or moved in a way that makes no sense.
    #[derive(Debug)]
    pub enum CardError;

    check::no_cards => NoCards { problem: String, help: String, span: Span },
        problem, span: "of which cards?", help: help;
    check::no_faces => NoFaces { name: String, span: Span },
        "`{name}` cannot be the face of cards", span: "not a kind of faces",
        help: "name a kind that is declared with `kind`, with a member for each face";
    check::copies => Copies { problem: String, help: String, span: Span },
        problem, span: "not a number of cards", help: help;
    check::not_a_pile => NotAPile { found: String, span: Span },
        "expected a pile, found {found}", span: "not a pile",
        help: "name a variable that is declared as `cards`, with its owner and indices";
    check::not_cards => NotCards { found: String, help: String, span: Span },
        "expected cards, found {found}", span: "not a card", help: help;
    check::pile_assigned => PileAssigned { name: String, span: Span },
        "`{name}` is a pile: cards are moved, not assigned", span: "a pile",
        help: "write `move … to {name}`, so that no card is lost and none is there twice";
    check::no_order => NoOrder { name: String, span: Span },
        "the order of `{name}` is not kept", span: "this has no top and no bottom",
        help: "no rule reads its top or bottom, so its cards have no order";
}

diagnostics! {
    /// Something stands where it cannot happen, or a game that cannot go on.
    #[derive(Debug)]
    pub enum FlowError;

    check::no_game => NoGame { help: &'static str, span: Span },
        "the file has no `game` block", span: "expected at the top of the file", help: help;
    check::no_play => NoPlay { span: Span },
        "the file has no `play` block", span: "this game cannot be played",
        help: "add what happens in the game: `play {{ … }}`";
    check::several => Several { what: String, span: Span, earlier: Span },
        "`{what}` appears twice", span: "again here", earlier: "first here",
        help: "merge them into one";
    check::never_finishes => NeverFinishes { span: Span },
        "no `finish` can be reached from `play`", span: "this never ends",
        help: "end the game somewhere: `finish win me`, `finish draw` or `finish ranking p by …`";
    check::limit_goes_on => LimitGoesOn { span: Span },
        "the `limit` does not end the game", span: "does not finish the game",
        help: "write how it ends: `limit 1000 decisions {{ finish draw }}`";
    check::not_constant => NotConstant { what: String, span: Span },
        "{what} is not known before play", span: "not a constant",
        help: "only numbers, members, options, constants, tables, columns and `players` are \
            allowed here";
    check::constant_cycle => ConstantCycle {
        name: String, path: String, span: Span, declared: Span,
    },
        "`{name}` depends on itself: {path}", span: "needed again here", declared: "declared here",
        help: "give one of them a value that needs no other";
    check::rule_type_cycle => RuleTypeCycle { name: String, span: Span, declared: Span },
        "the type of `{name}` depends on itself",
        span: "called here before its type is known", declared: "its type is not written",
        help: "write its type: `rule {name}(…) -> TYPE = …`";
    check::long_chain => LongChain { name: String, span: Span },
        "the definition of `{name}` is nested too deeply", span: "depends on too many other names",
        help: "declare it after the names that it needs, or write its type";
    check::must_stand_alone => MustStandAlone { what: String, span: Span },
        "{what} must stand alone", span: "part of a larger expression",
        help: "keep it first: `let x = …`, then use `x`";
    check::condition_not_pure => ConditionNotPure { place: String, what: String, span: Span },
        "{place} must only compute a value, but {what}", span: "does more than compute a value",
        help: "do it before, keep the result with `let`, and use that";
    check::break_outside_loop => BreakOutsideLoop { word: &'static str, span: Span },
        "`{word}` outside of a loop", span: "no loop is around it",
        help: "use it inside `for`, `while`, `repeat` or `turns`; `return` leaves a rule";
    check::skipped_name => SkippedName { name: String, span: Span, by: Span },
        "`until` reads `{name}`, which `continue` may skip", span: "may have no value here",
        by: "skips what follows",
        help: "declare `{name}` above the `continue`, or before the loop with `var`";
    check::no_turn => NoTurn { help: &'static str, span: Span },
        "`turn` is read where no turn has begun", span: "no turn has begun here", help: help;
    check::return_misfit => ReturnMisfit { problem: String, help: String, span: Span },
        problem, span: "here", help: help;
    check::missing_return => MissingReturn { name: String, expected: String, span: Span },
        "`{name}` may end without returning {expected}", span: "must return a value",
        help: "return a value on every path";
    check::unreachable => Unreachable { span: Span },
        "this never runs", span: "never reached",
        severity: Warning, help: "remove it, or let the statement before it continue";
    check::one_member => OneMember { span: Span },
        "this loop runs once, for the one member that `random` picks", span: "one member, not a set",
        severity: Warning,
        help: "keep it with `let one = …`; for all in an order by chance, draw one after the \
            other: `while left != {{}} {{ let one = random left; left -= one }}`";
    check::pure_call => PureCall { name: String, span: Span },
        "calling `{name}` alone does nothing", span: "only computes a value",
        help: "use its value: `let x = {name}(…)`, or remove the call";
    check::value_alone => ValueAlone { help: &'static str, span: Span },
        "a value alone does nothing", span: "not used", help: help;
    check::parameter_type => ParameterType { name: String, found: String, span: Span },
        "`{name}` is {found}, which cannot be part of a move", span: "cannot be printed in a move",
        help: "name numbers, yes/no, members and sets of them in the parentheses; bind others \
            outside";
}

diagnostics! {
    /// A group of moves that cannot be included, or does what a group cannot do.
    #[derive(Debug)]
    pub enum MovesError;

    check::too_many_groups => TooManyGroups { most: usize, span: Span },
        "groups of moves are included more than {most} times", span: "once too often",
        help: "include fewer groups in each other";
    check::unknown_moves => Unknown { name: String, help: Help, span: Span },
        "unknown group of moves `{name}`", span: "no group of moves has this name", help: help;
    check::moves_circle => Circle { name: String, path: String, span: Span },
        "the moves `{name}` include themselves: {path}", span: "included again here",
        help: "remove one of these lines: a line `moves name(…)` includes all moves of the group";
    check::leaves_moves => Leaves { word: &'static str, name: String, span: Span },
        "`{word}` cannot leave the moves `{name}`", span: "nothing to leave",
        help: "a group belongs to no rule: declare `the table has {{ done = no }}`, set it in \
            the move, and after the `choose` write `if done {{ {word} }}`";
    check::order_form => Order { problem: &'static str, help: &'static str, span: Span },
        problem, span: "not in an order", help: help;
    check::leaves_suppose => LeavesSuppose { word: &'static str, span: Span },
        "`{word}` is not allowed inside `suppose`", span: "nothing to leave",
        help: "let the statements change the state, and read the result after the `:`";
    check::suppose_pauses => SupposePauses { what: String, span: Span },
        "{what}, which `suppose` does not allow", span: "not allowed inside `suppose`",
        help: "inside `suppose` only change the state: no decision, no chance, no `finish`";
    check::unreadable_move => Unreadable { why: &'static str, span: Span },
        "this move cannot be read back: {why}", span: "printed like this",
        help: "print visible words that can be typed, or remove the text: then the name is \
            printed";
    check::same_words => SameWords { words: String, first: Span, span: Span },
        "two moves of this decision read `{words}`",
        first: "the first", span(primary): "the second",
        help: "give one of them another name or text, or say `when` it is legal";
    check::strategy_move => StrategyMove { name: String, help: Help, span: Span },
        "no decision offers a move `{name}`", span: "no move has this name", help: help;
    check::strategy_arguments => StrategyArguments {
        name: String, expected: String, found: usize, span: Span,
    },
        "`{name}` has {expected}, and this line names {found}", span: "not what the move has",
        help: "name each argument in its order, `_` for one that does not matter; or leave out \
            the parentheses";
    check::strategy_line => StrategyLine { name: String, span: Span, earlier: Span },
        "this line of the strategy is never used", span: "never used",
        earlier: "every `{name}` is taken here already",
        severity: Warning, help: "put the line with a condition first, or remove one of them";
    check::strategy_twice => StrategyTwice { title: String, span: Span, earlier: Span },
        "two strategies are called \"{title}\"", span: "the second", earlier: "the first",
        help: "give one of them another name: seats are called by it";
    check::unused_moves => Unused { name: String, span: Span },
        "nothing includes the moves `{name}`", span: "never offered",
        severity: Warning, help: "write `moves {name}(…)` inside a `choose`, or remove the group";
}

diagnostics! {
    /// Something that tells players what they may not see, or that cannot be seen in the way it says.
    #[derive(Debug)]
    pub enum SecretError;

    check::no_owner => NoOwner { name: String, span: Span },
        "`{name}` belongs to the table, so it has no owner who could see it",
        span: "nobody owns this",
        help: "write `hidden` if nobody sees it, or give each player one";
    check::secret_range => SecretRange { name: String, span: Span },
        "`{name}` is hidden from some players, so its numbers need a bounded range",
        span: "no bounds",
        help: "write the range, which everybody knows: `{name}: 0..20 = …`";
    check::nothing_to_show => NothingToShow { name: String, span: Span, declared: Span },
        "everybody already sees `{name}`", span: "nothing new to see", declared: "declared here",
        help: "remove it, or declare `{name}` as `hidden` or `seen by owner`";
    check::leak => Leak { what: String, help: String, path: Vec<Label> },
        what, path: all, help: help;
    check::secret_kept => SecretKept { name: String, path: Vec<Label> },
        "`{name}` keeps a secret while a player is asked", path: all,
        help: "store it in a variable of the state, which has its own visibility, or read it \
            again after the question";
}

impl SecretError {
    /// Where the secret is read that leads to this: the second label of its path.
    pub(in crate::check) fn origin(&self) -> Option<u32> {
        match self {
            SecretError::Leak { path, .. } | SecretError::SecretKept { path, .. } => {
                path.get(1).map(|label| label.span.start)
            }
            _ => None,
        }
    }
}

diagnostics! {
    /// Something that plays, and that nobody would write on purpose.
    #[derive(Debug)]
    pub enum Advice;

    check::unused_name => UnusedName { what: &'static str, name: String, span: Span },
        "nothing uses {what} `{name}`", span: "declared, and not used",
        severity: Warning, help: "use it, or remove it";
    check::unread_column => UnreadColumn { name: String, kind: String, span: Span },
        "nothing reads the column `{name}` of `{kind}`", span: "drawn, and not read",
        severity: Warning,
        help: "read it with `x.{name}`, or remove it; put words for people into a column \
            `title` or `text`";
    check::uncalled_rule => UncalledRule { name: String, span: Span },
        "nothing calls the rule `{name}`", span: "never runs",
        severity: Warning, help: "call it where it belongs, or remove it";
    /// Reported by `check --book`.
    check::note_hides => NoteHides { name: String, done: String, span: Span },
        "the note of `{name}` mentions nothing that happens here", span: "{done}",
        severity: Warning,
        help: "the rulebook prints the note in place of the statements: say in it what happens, or \
            remove it";
    check::idle_option => IdleOption { help: String, name: String, span: Span },
        "the option `{name}` changes nothing", span: "nothing reads it",
        severity: Warning, help: help;
    check::swallowed => Swallowed { what: &'static str, help: &'static str, span: Span },
        "a set keeps equal values only once, so {what}", span: "equal values count once",
        severity: Warning, help: help;
}
