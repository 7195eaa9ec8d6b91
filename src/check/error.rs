//! The diagnostics of the checker: a table with the families of mistakes one after another.

use crate::diagnostic::{Help, Label, diagnostics};

diagnostics! {
    // A name that means nothing, or too much.

    check::unknown_name => (name, help; span),
        "unknown name `{name}`", span: "not found in this scope", help: help;
    check::unknown_kind => (name, help; span),
        "unknown kind `{name}`", span: "no kind has this name", help: help;
    check::unknown_field => (owner, name, help; span),
        "{owner} has no `{name}`", span: "not found here", help: help;
    check::unknown_rule => (name, help; span),
        "unknown rule `{name}`", span: "no rule has this name", help: help;
    check::no_replaced_rule => (; span),
        "there is no rule that `base` could call here", span: "this rule replaces none",
        help: "`base(…)` calls the rule that `replace rule` replaces; in `replace setup` and `replace play`, \
            `base()` stands once for what the base does";
    check::unknown_member => (kind, name, help; span),
        "`{kind}` has no member `{name}`", span: "not a member", help: help;
    check::duplicate => (name; span, earlier),
        "`{name}` is declared twice", span: "declared again here", earlier: "first declared here",
        help: "rename one of them, or remove one";
    check::built_in => (name; span),
        "`{name}` is a word of the language", span: "declared here",
        help: "choose another name: `{name}` is built in";
    check::shadowed => (name, what, help; span, earlier),
        "`{name}` already names {what}", span: "declared again here", earlier: "already declared here",
        help: help;
    check::ambiguous_member => (name, choices; span),
        "`{name}` could belong to several kinds", span: "which one?",
        help: "write {choices}";
    check::naming => Naming { what, name, wanted, better; span },
        "the name of {what} must begin with a {wanted} letter, found `{name}`", span: "this name",
        write: "{better}";
    check::look_only => (name, ty; span),
        "the column `{name}` is for the eye alone", span: "no rule can read it",
        help: "with a type in its heading, `{name}: {ty}`, it is a column for the rules";
    check::missing_seat => (name, fewest; span),
        "the seat `{name}` is missing where {fewest} play", span: "not in every game",
        help: "a case of a `match` may name it, and `p.seat` is the number of a player's seat; or raise \
            the least number of players";
    check::unbound_parameter => (name, option, help; span),
        "the move `{option}` does not say which values `{name}` takes", span: "no clause introduces this name",
        help: help;

    // Something that does not fit where it stands.

    check::type_mismatch => (expected, found, help; span),
        "expected {expected}, found {found}", span: "this is {found}", help: help;
    check::may_be_none => (expected, help; span),
        "expected {expected}, but this may be `none`", span: "may be `none`", help: help;
    check::none_in_set => (test; span),
        "a set never holds `none`", span: "always no where the value is `none`", write: "{test}";
    check::not_comparable => (left, right, help; span),
        "{left} and {right} cannot be compared", span: "compared here", help: help;
    check::not_a_set => (found; span),
        "expected a set, found {found}", span: "this is {found}",
        help: "a set is a kind, `{{a, b}}`, `{{x in S where …}}`, a range `1..6`, or a variable \
            that holds one";
    check::not_indexable => (found, help; span),
        "{found} has no elements to pick with `[ ]`", span: "not an array", help: help;
    check::wrong_index_count => (problem, help; span),
        problem, span: "here", help: help;
    check::wrong_argument_count => WrongArgumentCount { name, expected, found, head; span, declared },
        "`{name}` takes {expected}, found {found}", span: "called here", declared: "declared here",
        help: "it is declared as `{head}`";
    check::needs_type => (what, value, help; span),
        "the type of {what} is not clear from `{value}` alone", span: "what type?", help: help;
    check::not_finite => (found, help; span),
        "expected a kind or a range with both ends, found {found}", span: "not a finite type",
        help: help;
    check::nested_type => (word, found; span),
        "there is no `{word}` of {found}", span: "not allowed here",
        help: "`maybe` can be used with a number, yes/no, text, a kind or a range";
    check::not_assignable => (what, help; span),
        "{what} cannot be changed", span: "cannot be assigned", help: help;
    check::not_a_die => (found, name; span),
        "{found} is not a die", span: "not a die",
        help: "declare a die, `die {name} = 1..6`, or draw a number: `random 1..6`";
    check::not_a_coin => (name; span),
        "`{name}` is not a coin", span: "not a coin",
        help: "declare it with `coin {name}: 0.. = 0` under `each player has`, or use `+=` and \
            `-=`";
    check::division_rounds => (division; span),
        "a division must say how it rounds", span: "rounds up or down?",
        help: "write `floor({division})` to round down, `ceil({division})` to round up";
    check::fold_form => (word, form; span),
        "`{word}` needs a name for each member of the set",
        span: "the name is missing", write: "{form}";
    check::fold_form => fold_without_body(word, advice, form: &str; span),
        "`{word}` needs a condition or a value for each member", span: "nothing follows the set",
        help: (Help::form(&format!("{advice}:"), form));
    check::needs_division => (word; span),
        "`{word}` needs a division", span: "not a division",
        help: "write `{word}(a / b)`; all other numbers are whole already";
    check::subsets => (problem, help; span),
        "`subsets of` can only be iterated: {problem}", span: "this is many sets, not one", help: help;
    check::order_lost => (word, help; span),
        "`{word}` gives an order, but nothing is iterated here", span: "the order would be lost",
        help: help;
    check::one_set => (word, help; span),
        "`{word}` looks through one set", span: "a second set", help: help;
    check::not_exhaustive => (missing; span),
        "this `match` has no case for {missing}", span: "cases are missing",
        help: "add a case for it, or `else: …` at the end";
    check::duplicate_pattern => (pattern; span, earlier),
        "{pattern} has a case already", span: "never reached", earlier: "first case",
        help: "remove one of them";
    check::pattern_not_constant => (; span),
        "a case of a `match` needs a constant: a number, `yes`, `no`, `none` or a member",
        span: "not a constant",
        help: "compare with `==` in an `if` instead";
    check::empty_range => (; span),
        "the range ends before it begins", span: "empty range", help: "write the lower number first";

    // A list that cannot be.

    check::list_length => unknown_length(; span),
        "the length of a list must be known before play", span: "how many at most?",
        help: "write a number, or a constant that is made of numbers: `let longest = 9`";
    check::list_length => (number, most; span),
        "a list cannot hold up to {number} elements", span: "expected 1 to {most}",
        help: "a list holds at most {most} elements; a set holds as many as its kind has members";
    check::bag_place => (problem; span),
        "{problem}", span: "no such bag can be kept here",
        help: "bags of goods are kept by players and the table (`gems: bag of Gem up to 9 = nothing`), by columns \
            and tables (`table price[Ship]: bag of Gem = …`), and by names in rules; players are counted in an \
            array, `there[Player]: 0..9 = 0`";
    check::bag_goods => (; span),
        "the goods of this bag are of no one kind", span: "no kind has all of these",
        help: "a bag holds members of one kind: keep a bag for each kind";
    check::good_twice => (name; span, first),
        "`{name}` is twice in this bag", span: "once more", first: "first here",
        help: "write each good once, with its whole amount";
    check::bag_amount => (found; span),
        "{found} is no amount of a good", span: "an amount is 0 or more",
        help: "take goods away with `-` or `minus`: `b - {{1 red}}`";
    check::bag_binder => (found, name; span),
        "the good of this bag is `{found}`, and `for` names `{name}`", span: "the good of each round",
        help: "write the name of `for` as the good: `{{… {name} for {name} in …}}`";
    check::bag_bound => (; span),
        "how many of each good `bags of` has must be known before play",
        span: "this is not known",
        help: "write a number: `bags of Gem up to 3 within me.gems`";
    check::too_many_bags => TooManyBags { of, found, most; span },
        "there are too many bags of `{of}` with so many of each", span: "{found} bags",
        help: "at most {most} can be listed: take a smaller `up to`, or ask good by good";
    check::bag_rule => (name, does; span),
        "`{name}` gives a bag, and {does}", span: "this rule must only compute",
        help: "a rule that gives a bag is computed for each good: do the rest in a rule of its own";
    check::list_of_cards => (name; span),
        "a list cannot hold cards", span: "`{name}` is a kind of cards",
        help: "make a list of their faces, or a pile, which keeps its order: `row: cards`";
    check::list_too_long => ListTooLong { found, ty, most; span },
        "a `{ty}` cannot hold {found} elements", span: "at most {most} fit",
        help: "leave some out, or give the list a longer `up to`";
    check::list_shrinks => ListShrinks { list, ty, kept; span },
        "elements cannot be taken out of a list", span: "a list only grows",
        help: "copy what stays: `var rest: {ty} = []`, then `for x in {list} where x {kept} {{ rest += x }}`";
    check::lists => (; span),
        "`lists of` can only be iterated", span: "this is many lists, not one",
        help: "write it after `in`, as in `for path in lists of Field up to 9 by S` or `any(path in \
            lists of …: P)`";

    // A declaration or a drawn table that does not add up.

    check::row_length => (expected, found, help; span),
        "expected {expected}, found {found}", span: "{found} here", help: help;
    check::missing_row => MissingRow { table, line, missing; span },
        "the table `{table}` has no {line} for {missing}", span: "incomplete",
        help: "add a {line} for each; `-` is a cell that holds `none`";
    check::missing_cell => (name, missing, default; span),
        "the column `{name}` has no cell for {missing}", span: "not drawn for all members",
        help: "draw the column for them too, or give it a default in a heading: `{name}={default}`";
    check::not_extensible => (name; span),
        "`{name}` cannot be extended", span: "not a kind of listed members",
        help: "only kinds whose members are listed or drawn can have more of them";
    check::part => (problem, help; span),
        problem, span: "here", help: help;
    check::product => (problem, help; span),
        problem, span: "here", help: help;
    check::duplicate_row => (name; span, earlier),
        "`{name}` appears twice", span: "again", earlier: "first here",
        help: "remove one of them";
    check::mixed_cells => MixedCells { name, one, other; span, first },
        "the cells of `{name}` are not of one type: {one} and {other}",
        span: "this is {other}", first: "this is {one}",
        help: "a column holds numbers, yes/no, members of one kind, sets `{{a, b}}` of one kind \
            or of numbers, or texts; `-` where there is none";
    check::ambiguous_cells => (name, kinds, help; span),
        "the cells of `{name}` could belong to several kinds: {kinds}", span: "which kind?", help: help;
    check::unknown_cell => (name, help; span),
        "no kind has a member `{name}`", span: "no kind has this and the other cells",
        help: help;
    check::wrong_cell => (expected, found, help; span),
        "expected {expected}, found {found}", span: "this is {found}", help: help;
    check::wrong_label => (expected, found; span),
        "expected {expected}, found {found}", span: "this is {found}",
        help: "labels and headings name what their cells belong to";
    check::table_shape => (problem, help; span),
        problem, span: "here", help: help;
    check::table_too_large => TableTooLarge { name, found, most; span },
        "the table `{name}` has {found} cells; at most {most} can be computed", span: "too large",
        help: "compute it for fewer members, or write a rule, which is computed when it is called";
    check::cell_fault => (cell, reason; span),
        "`{cell}` cannot be computed: {reason}", span: "computed here",
        help: "every cell needs a value; write `none`, `{{}}` or 0 for those without one: \
            `if … then … else none`";
    check::cell_unknown => (name; span),
        "the cells of `{name}` are not the same in every game", span: "depends on the players or the options",
        help: "a table reads members, columns, numbers and other tables; write a rule for what \
            depends on `players` or on an option: `rule name(x: Kind) = …`";
    check::holes_in_title => (; span),
        "a title cannot have holes", span: "titles are fixed text",
        help: "write the title without `{{ }}`";
    check::players_range => (problem; span),
        problem, span: "here",
        help: "write `players 2`, `players 2..5`, `players 2, 4` or `players 1..4 = 2`, with numbers from 1 to 20";
    check::no_colour => (found, help; span),
        "`{found}` is no colour", span: "not a colour", help: help;
    check::glyph => (problem; span),
        problem, span: "this glyph",
        help: "write one sign in quotes, one or two columns wide: `\"●\"`, `\"Kn\"`";
    check::seat_count => SeatCount { expected, found, most; span },
        "expected {expected}, found {found}", span: "{found} named, {most} can play",
        help: "name a seat for each player of the largest game, in their order";
    check::empty_kind => (name; span),
        "the kind `{name}` has no members", span: "empty", help: "a kind has at least one member";
    check::too_many_members => TooManyMembers { name, found, most; span },
        "{name} has {found} members, and the most is {most}", span: "too many members",
        help: "sets and arrays need short types; keep large values as plain numbers";
    check::too_many_columns => TooManyColumns { name, found, most; span },
        "`{name}` has {found} columns; the most is {most}", span: "one too many",
        help: "move some columns into a separate table: `table t[Kind, Other] …`";
    check::long_title => (found, most; span),
        "a title of {found} bytes is too long; the most is {most}", span: "too long",
        help: "put longer text in a note above it: `## …`";
    check::option_type => (found; span),
        "an option cannot be {found}", span: "this option",
        help: "an option is yes/no, a number, a member of a kind, or a `maybe` of these";
    check::coin_type => (name, found; span),
        "a coin is a number, found {found}", span: "this coin",
        help: "give it a range: `coin {name}: 0..5 = 0`";
    check::history => (problem, help; span),
        problem, span: "here", help: help;
    check::history_value => (name; span),
        "`{name}` is a history, which is no value", span: "a history",
        help: "`{name}.times` is how often the present values were remembered; `remember {name}` \
            and `forget {name}` change it";
    check::not_a_history => (found, help; span),
        "{found} is no history", span: "not a history", help: help;
    check::empty_range => empty_bounds(low, high; span),
        "the range {low}..{high} holds nothing", span: "ends before it begins",
        help: "write the lower number first";
    check::not_storable => (found; span),
        "a variable cannot hold {found}", span: "cannot be stored",
        help: "variables hold numbers, yes/no, members, sets, and `maybe` of a number, yes/no or \
            member";
    check::stored_list => (; span),
        "a list cannot be stored", span: "this would be a list",
        help: "keep it in a local name, `var path: list of Field up to 9 = []`, or in a parameter; \
            store a set, or a number for each member: `place[Field]: 0..9 = 0`";
    check::new_type => (; span),
        "a new type cannot be written here", span: "the game has no such type",
        help: "use a type that the game has, or ask about each: `any(x in S: …)`, `count(x in S where \
            …)`";

    // A board that cannot be, or a way that it does not have.

    check::board_size => (problem, help; span),
        problem, span: "here", help: help;
    check::board_drawing => BoardDrawing { name, expected, found; span },
        "the drawing of `{name}` has {found}, and the board has {expected}", span: "{found}",
        help: "draw every cell where it lies: as many rows and as many cells in each as the board \
            has";
    check::self_link => (name; span),
        "`{name}` is linked to itself", span: "again",
        help: "a link leads from one place to another";
    check::no_direction => (board, direction, help; span),
        "{board} has no {direction}", span: "not on this board", help: help;
    check::not_a_cell => (found, help; span),
        "expected a cell of a board, found {found}", span: "this is {found}", help: help;
    check::no_edges => (problem, help; span),
        problem, span: "here", help: help;
    check::no_such_number => NoSuchNumber { of, what, number, highest, form; span },
        "`{of}` has no {what} {number}", span: "outside of `{of}`",
        help: "its {what}s are numbered from 1 to {highest}; `{of}.at({form})` is `none` outside";
    check::no_lines => (problem, help; span),
        problem, span: "here", help: help;

    // Cards that are declared, kept or moved in a way that makes no sense.

    check::no_cards => (problem, help; span),
        problem, span: "of which cards?", help: help;
    check::no_faces => (name; span),
        "`{name}` cannot be the face of cards", span: "not a kind of faces",
        help: "name a kind that is declared with `kind`, with a member for each face, or a map of places with names";
    check::copies => (problem, help; span),
        problem, span: "not a number of cards", help: help;
    check::not_a_pile => (found, help; span),
        "expected a pile, found {found}", span: "not a pile", help: help;
    check::not_cards => (found, help; span),
        "expected cards, found {found}", span: "not a card", help: help;
    check::pile_assigned => (name; span),
        "`{name}` is a pile: cards are moved, not assigned", span: "a pile",
        help: "write `move … to {name}`, so that no card is lost and none is there twice";
    check::no_order => (name; span),
        "the order of `{name}` is not kept", span: "this has no top and no bottom",
        help: "no rule reads its top or bottom, so its cards have no order";

    // Something stands where it cannot happen, or a game that cannot go on.

    check::no_game => (help; span),
        "the file has no `game` block", span: "expected at the top of the file", help: help;
    check::no_play => (; span),
        "the file has no `play` block", span: "this game cannot be played",
        help: "add what happens in the game: `play {{ … }}`";
    check::several => (what; span, earlier),
        "`{what}` appears twice", span: "again here", earlier: "first here",
        help: "merge them into one";
    check::never_finishes => (; span),
        "no `finish` can be reached from `play`", span: "this never ends",
        help: "end the game somewhere: `finish win me`, `finish draw` or `finish ranking p by …`";
    check::no_teams => (; span),
        "the game has no teams", span: "no team can win",
        help: "say in the `game` block who plays together: `teams p by p.side`";
    check::team_type => (found; span),
        "a team is a member of a kind, found {found}", span: "not a team",
        help: "declare the teams, `kind Side {{ red, blue }}`; each player has one of them, or `none`";
    check::limit_goes_on => (; span),
        "the `limit` does not end the game", span: "does not finish the game",
        help: "write how the game ends in its braces: `{{ finish draw }}`";
    check::limit_asks => (; span),
        "the `limit` asks for a decision when none is left", span: "nobody can decide this",
        help: "end the game by what is known then: `{{ finish ranking p by p.points }}`";
    check::not_constant => (what; span),
        "{what} is not known before play", span: "not a constant",
        help: "only numbers, members, options, constants, tables, columns and `players` are \
            allowed here";
    check::constant_cycle => (name, path; span, declared),
        "`{name}` depends on itself: {path}", span: "needed again here", declared: "declared here",
        help: "give one of them a value that needs no other";
    check::rule_type_cycle => (name; span, declared),
        "the type of `{name}` depends on itself",
        span: "called here before its type is known", declared: "its type is not written",
        help: "write its type: `rule {name}(…) -> TYPE = …`";
    check::long_chain => (name; span),
        "the definition of `{name}` is nested too deeply", span: "depends on too many other names",
        help: "declare it after the names that it needs, or write its type";
    check::must_stand_alone => (what, help; span),
        "{what}, so it must be the whole right side of `let` or `=`", span: "part of a larger expression",
        help: help;
    check::condition_not_pure => (place, what; span),
        "{place} must only compute a value, but {what}", span: "does more than compute a value",
        help: "do it before, keep the result with `let`, and use that";
    check::break_outside_loop => (word; span),
        "`{word}` outside of a loop", span: "no loop is around it",
        help: "use it inside `for`, `while`, `repeat` or `turns`; `return` leaves a rule";
    check::unclear_break => (; span),
        "`break` in a loop with several `for`", span: "does it leave one of them or all?",
        help: "write a loop in a loop, `for a in A {{ for b in B {{ … }} }}`: there `break` leaves the inner one; \
               `return` leaves them all";
    check::skipped_name => (name; span, by),
        "`until` reads `{name}`, which `continue` may skip", span: "may have no value here",
        by: "skips what follows",
        help: "declare `{name}` above the `continue`, or before the loop with `var`";
    check::no_turn => (what, help; span),
        "`{what}` is read where no turn has begun", span: "no turn has begun here", help: help;
    check::uncounted_turn => (what, condition; span),
        "nothing in the file reads `{what}`, so it is not counted", span: "not counted",
        help: "a line of the file that reads it has it counted: `always {condition}`";
    check::return_misfit => (problem, found, help; span),
        problem, span: "returns {found}", help: help;
    check::missing_return => (name, expected; span),
        "`{name}` may end without returning {expected}", span: "must return a value",
        help: "return a value on every path";
    check::unreachable => (help; span),
        "this never runs", span: "never reached", severity: Warning, help: help;
    check::one_member => (; span),
        "this loop runs once, for the one member that `random` picks", span: "one member, not a set",
        severity: Warning,
        help: "keep it with `let one = …`; for all in an order by chance, draw one after the \
            other: `while left != {{}} {{ let one = random left; left -= one }}`";
    check::pure_call => (name; span),
        "calling `{name}` alone does nothing", span: "only computes a value",
        help: "use its value: `let x = {name}(…)`, or remove the call";
    check::value_alone => (help; span),
        "a value alone does nothing", span: "not used", help: help;
    check::parameter_type => (name, found; span),
        "`{name}` is {found}, which cannot be part of a move", span: "cannot be printed in a move",
        help: "name numbers, yes/no, members and sets of them in the parentheses; bind others \
            outside";

    // A group of moves that cannot be included, or does what a group cannot do.

    check::too_many_groups => (most; span),
        "groups of moves are included more than {most} times", span: "once too often",
        help: "include fewer groups in each other";
    check::unknown_moves => (name, help; span),
        "unknown group of moves `{name}`", span: "no group of moves has this name", help: help;
    check::moves_circle => (name, path; span),
        "the moves `{name}` include themselves: {path}", span: "included again here",
        help: "remove one of these lines: a line `moves name(…)` includes all moves of the group";
    check::leaves_moves => (word, name; span),
        "`{word}` cannot leave the moves `{name}`", span: "nothing to leave",
        help: "a group belongs to no rule: declare `the table has {{ done = no }}`, set it in \
            the move, and after the `choose` write `if done {{ {word} }}`";
    check::order_form => (problem, help; span),
        problem, span: "not in an order", help: help;
    check::else_beside_alone => (name; span),
        "this `else` never runs: where no move is legal, `{name}` is", span: "never runs",
        help: "take it out; or take out `or {name}`, so that nobody is asked where no move is legal";
    check::leaves_suppose => (word; span),
        "`{word}` is not allowed inside `suppose`", span: "nothing to leave",
        help: "let the statements change the state, and read the result after the `:`";
    check::suppose_pauses => (what; span),
        "{what}: `suppose` cannot", span: "not allowed inside `suppose`",
        help: "inside `suppose` only change the state: no decision, no chance, no `finish`";
    check::unreadable_move => (why; span),
        "this move cannot be read back: {why}", span: "printed like this",
        help: "print visible words that can be typed, or remove the text: then the name is \
            printed";
    check::same_words => (words; first, span),
        "two moves of this decision read `{words}`",
        first: "the first", span(primary): "the second",
        help: "give one of them another name or text, or say `when` it is legal";
    check::strategy_move => (name, help; span),
        "no decision offers a move `{name}`", span: "no move has this name", help: help;
    check::strategy_arguments => StrategyArguments { name, expected, found; span },
        "`{name}` has {expected}, and this line names {found}", span: "not what the move has",
        help: "name each argument in its order, `_` for one that does not matter; or leave out \
            the parentheses";
    check::strategy_arguments => strategy_order(name, form; span),
        "`{name}` stands at the place of another argument", span: "names go by their place",
        help: "the move is `{form}`";
    check::strategy_line => (name; span, earlier),
        "this line of the strategy is never used", span: "never used",
        earlier: "every `{name}` is taken here already",
        severity: Warning, help: "put the line with a condition first, or remove one of them";
    check::strategy_twice => (title; span, earlier),
        "two strategies are called \"{title}\"", span: "the second", earlier: "the first",
        help: "give one of them another title: `--seats` names a strategy by its title";
    check::unused_moves => (name; span),
        "nothing includes the moves `{name}`", span: "never offered",
        severity: Warning, help: "write `moves {name}(…)` inside a `choose`, or remove the group";

    // Something that tells players what they may not see, or that cannot be seen in the way it says.

    check::no_owner => (name; span),
        "`{name}` belongs to the table, so it has no owner who could see it",
        span: "nobody owns this",
        help: "write `hidden` if nobody sees it, or give each player one";
    check::no_seer => (name; span),
        "`{name}` is no player who could see this", span: "not a player",
        help: "write `seen by owner` for the player who has it, `seen by others` for all but this player, \
            `seen by {{owner, next(owner)}}` or `seen by {{ann, ben}}` for players of your own, or nothing if \
            all see it";
    check::secret_range => (name; span),
        "`{name}` is hidden from some players, so its numbers need a bounded range",
        span: "no bounds",
        help: "write the range, which everybody knows: `{name}: 0..20 = …`";
    check::nothing_to_show => (name; span, declared),
        "everybody already sees `{name}`", span: "nothing new to see", declared: "declared here",
        help: "remove it, or declare `{name}` as `hidden` or `seen by owner`";
    check::leak => (what, help, path: Vec<Label>; ),
        what, path: all, help: help;
    check::secret_kept => (name, help, path: Vec<Label>; ),
        "`{name}` keeps a secret while a player is asked", path: all, help: help;
    check::drawn_for_all => (; span, place, all),
        "everybody hears what chance picks here, and not everybody sees where it goes",
        span: "everybody hears this", place: "not everybody sees this", all: "because of this",
        severity: Warning,
        help: "let chance pick for that place alone, `me.code = random 1..6`, and for everybody once \
            more";

    // Something that plays, and that nobody would write on purpose.

    check::unused_name => (what, name; span),
        "nothing uses {what} `{name}`", span: "declared, and not used",
        severity: Warning, help: "use it, or remove it";
    check::unread_column => (name, kind; span),
        "nothing reads the column `{name}` of `{kind}`", span: "drawn, and not read",
        severity: Warning,
        help: "read it with `x.{name}`, or remove it; put words for people into a column \
            `title` or `text`";
    check::uncalled_rule => (name; span),
        "nothing calls the rule `{name}`", span: "never runs",
        severity: Warning, help: "call it where it belongs, or remove it";
    // Reported by `check --book`.
    check::note_hides => (name, done; span),
        "the note of `{name}` mentions nothing that happens here", span: "{done}",
        severity: Warning,
        help: "the rulebook prints the note in place of the statements: say in it what happens, or \
            remove it";
    check::note_leaves_out => (name, what; span),
        "the note of `{name}` leaves out something that happens here", span: "{what}",
        severity: Warning,
        help: "the rulebook prints the note in place of the statements: say this in it, too";
    check::idle_option => (name, help; span),
        "the option `{name}` changes nothing", span: "nothing reads it",
        severity: Warning, help: help;
    check::taken_twice => (name, set; span),
        "two players may take the same `{name}` at once", span: "who comes later takes it from the first",
        severity: Warning,
        help: "ask where it still lies: `if {name} in {set} {{ … }} else {{ … }}`";
    check::taken_twice => claimed_twice (name, place; span),
        "two players may choose the same `{name}` at once", span: "who comes later overwrites what the first wrote",
        severity: Warning,
        help: "look at `{place}` before you write to it: `if {place} == … {{ {place} = … }}`";
    check::unshuffled => (name; span),
        "`{name}` is dealt from in the order in which `setup` lays it", span: "never shuffled",
        severity: Warning,
        help: "write `shuffle {name}` when all cards lie there; if the order is meant, show the pile";
    check::swallowed => (what, help; span),
        "a set keeps equal values only once, so {what}", span: "equal values count once",
        severity: Warning, help: help;
}
