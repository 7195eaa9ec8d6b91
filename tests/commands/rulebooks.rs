//! What holds for the rulebook of every game; what they read like stands in `tests/commands`.

use astragal::machinery::budget::Budget;
use std::sync::Arc;

use astragal::machinery::rulebook::{Edition, Rulebook, rulebook};
use astragal::machinery::rules::Rules;

use crate::commands::astragal;
use crate::support::{below, checked, game_files, read, root, rules};

fn book(text: &str, path: &str) -> Rulebook {
    let rules = rules(path, text);
    let (rules, sources) = (&rules.rules, &rules.sources);
    let edition = Edition { rules, sources, settings: &[], variants: &[] };
    rulebook(&edition, &Budget::default()).expect("there is room for the book")
}

/// Whatever a file holds, there is a book of it, and nothing in it is left over from making it.
#[test]
fn every_game_has_a_whole_book() {
    for path in game_files(&["games", "examples", "tests/games"]) {
        let book = book(&read(&path), &below(&path));
        let text = book.markdown();
        for part in ["players", "play", "end"] {
            assert!(book.part(part).is_some(), "{}: no part `{part}`", path.display());
        }
        for wrong in ["  to all", "****", "of of", "..\n", "the the", ": .", " ."] {
            assert!(!text.contains(wrong), "{}: `{wrong}` in\n{text}", path.display());
        }
    }
}

/// What the chapter quotes from a book is what the book says.
#[test]
fn the_page_quotes_the_book() {
    let page = read(&root().join("docs/language/rulebook.md"));
    let below = |from: &str, text: &str| {
        let start = text.find(from).expect("the page has this block") + from.len();
        let end = start + text[start..].find("\n```").expect("the block ends");
        (text[start..end].trim_start().to_owned(), text[end..].to_owned())
    };
    let (game, rest) = below("```game lamps.game", &page);
    let (quoted, _) = below("```text", &rest);
    let text = book(&format!("{game}\n"), "lamps.game").markdown();
    assert!(text.contains(&quoted), "{quoted}\nis not in\n{text}");
}

/// Expressions, and what the book makes of them.
const TOLD: &[(&str, &str)] = &[
    (
        "area(p) + (if p == Player.last then komi else 0)",
        "*area* of that player + (the agreed 5 if that player is the last player, otherwise 0)",
    ),
    (
        "(if p.safe then x else y) * 2",
        "(the first number if that player is *safe*, otherwise the second number) × 2",
    ),
    (
        "if p.ready then (if p.safe then x else y) else 0",
        "(the first number if that player is *safe*, otherwise the second number) if that player is *ready*, otherwise 0",
    ),
    ("1 + (if players > 1 then x else y)", "1 + the first number"),
    (
        "max(f in Fruit: sum(g in p.bag: g.cost))",
        "the highest (sum of the cost of the second fruit for each fruit (the second fruit) in the bag of that player) for any fruit (the first fruit)",
    ),
    ("x - (y - 1)", "the first number − (the second number − 1)"),
    ("x - y - 1", "the first number − the second number − 1"),
    ("-(x + y)", "−(the first number + the second number)"),
    ("2 * (x + y)", "2 × (the first number + the second number)"),
    ("twice(x + 1)", "*twice* of (the first number + 1)"),
    ("twice(x) + 1", "*twice* of the first number + 1"),
    ("worth[x + 1] + 1", "*worth* for (the first number + 1) + 1"),
    (
        "most(x, if p.safe then y else 0)",
        "*most* for the first number and (the second number if that player is *safe*, otherwise 0)",
    ),
    (
        "count(f in Fruit where f in p.bag) + x",
        "(the number of fruits that are in the bag of that player) + the first number",
    ),
    ("count(p.bag) + x", "the number of fruits in the bag of that player + the first number"),
    (
        "count({f in Fruit where f in p.bag})",
        "the number of fruits that are in the bag of that player",
    ),
    (
        "count(f in Fruit where f in p.bag or f in box: f.cost > x)",
        "the number of fruits for which all of this is so: - It is in the bag of that player or in the box. - The cost of it is more than the first number",
    ),
    (
        "x - sum(f in p.bag: f.cost) - y",
        "the first number − (the sum of the cost of that fruit for each fruit in the bag of that player) − the second number",
    ),
    ("ceil(x / 2) + y", "(the first number / 2, rounded up) + the second number"),
    ("max(0, x - y) + 1", "(the first number − the second number (but not below 0)) + 1"),
    ("min(x, y) * 2", "(the smaller of the first number and the second number) × 2"),
    (
        "min(min(x, y), 2)",
        "the smaller of (the smaller of the first number and the second number) and 2",
    ),
    (
        "x - (match y { 1: 2; else: 3 })",
        "the first number − (2 if the second number is 1, otherwise 3)",
    ),
    (
        "abs(x - (y - 1)) + 1",
        "(the difference between the first number and the second number − 1) + 1",
    ),
    (
        "count((p.bag union box) minus {fig})",
        "the number of fruits in ((the bag of that player together with the box) without fig)",
    ),
    (
        "count(p.bag minus (box minus {fig}))",
        "the number of fruits in (the bag of that player without (the box without fig))",
    ),
    (
        "count(highest(q in Player where q.safe by q.coins, x))",
        "the number of players in (whoever, of the players who are *safe*, has the most coins, then the highest first number)",
    ),
    (
        "p.safe and (p.ready or x > 3)",
        "that player is *safe* and (that player is *ready* or the first number is more than 3)",
    ),
    (
        "p.safe and p.ready or x > 3",
        "(that player is *safe* and *ready*) or the first number is more than 3",
    ),
    ("not (p.safe and p.ready)", "that player is not *safe* or that player is not *ready*"),
    (
        "x > 3 and not (p.safe and p.ready)",
        "the first number is more than 3 and (that player is not *safe* or not *ready*)",
    ),
    (
        "not (x > 3 and (p.safe or p.ready))",
        "the first number is at most 3 or (that player is not *safe* and not *ready*)",
    ),
    ("x in {1, 2} and p.safe", "(the first number is 1 or 2) and that player is *safe*"),
    (
        "x > 1 and (p.safe == p.ready)",
        "all of this is so: - The first number is more than 1. - That player is *safe* exactly if that player is *ready*.",
    ),
    (
        "x > 1 and (if p.safe then y > 1 else y > 2)",
        "all of this is so: - The first number is more than 1. - If that player is *safe*, the second number is more than 1, otherwise the second number is more than 2.",
    ),
    (
        "(if p.safe then x else y) == 3",
        "(the first number if that player is *safe*, otherwise the second number) is 3",
    ),
    (
        "count(f in Fruit where f in p.bag) > x + 1",
        "(the number of fruits that are in the bag of that player) is more than the first number + 1",
    ),
    (
        "any(f in p.bag: f.cost > 1) and p.safe",
        "all of this is so: - There is a fruit in the bag of that player for which the cost of it is more than 1. - That player is *safe*.",
    ),
];

fn is_line_of(line: &str, case: usize) -> bool {
    let name = format!("*case{case}*");
    line.starts_with(&format!("- {name}"))
        || line.contains(&format!("{name} means that all of this"))
}

/// Words mean what the file says: where its parentheses matter, the book has them too.
#[test]
fn words_keep_their_parentheses() {
    let rule = |(at, (rule, _)): (usize, &(&str, &str))| {
        format!("rule case{at}(p: Player, x: number, y: number) = {rule}\n")
    };
    let rules: String = TOLD.iter().enumerate().map(rule).collect();
    let call = |at| format!("  var w{at} = case{at}(Player.first, 1, 2)\n");
    let calls: String = (0..TOLD.len()).map(call).collect();
    let text = format!(
        "game \"Stalls\" {{ players 2..3 }}\n\
         option komi: 0..9 = 5 \"stones for the last player\"\n\
         kind Fruit {{\n        cost\n  fig   1\n  plum  2\n}}\n\
         table worth[0..9] = 0 1 2 3 4 5 6 7 8 9\n\
         each player has {{ coins: 0..9 = 0; bag: set of Fruit = {{}}; safe = no; ready = no }}\n\
         the table has {{ box: set of Fruit = {{fig}} }}\n\
         rule area(p: Player) = p.coins\n\
         rule twice(n: number) = 2 * n\n\
         rule most(a: number, b: number) = max(a, b)\n\
         {rules}play {{\n{calls}  finish draw\n}}\n"
    );
    let about = " (for a player, the first number and the second number)";
    let book = book(&text, "stalls.game").markdown().replace("\n  - ", " - ");
    let book = book.replace(&format!("{about}: it"), "").replace(about, "");
    for (at, (rule, words)) in TOLD.iter().enumerate() {
        let line = book.lines().find(|line| is_line_of(line, at));
        let line = line.unwrap_or_else(|| panic!("no words for `{rule}` in\n{book}"));
        let said = [format!(": {words}."), format!(" means that {words}."), words.to_string()];
        let is_said = words.starts_with("all of this") && line.ends_with(words)
            || said[..2].iter().any(|said| line.ends_with(said))
            || line[2..].starts_with(&said[2]);
        assert!(is_said, "`{rule}` is told as\n{line}");
    }
}

/// A decision stands behind what leads to it: the conditions around it, and the moves that end its rule.
#[test]
fn decisions_stand_behind_what_leads_to_them() {
    let path = root().join("examples/dominion.game");
    let book = book(&read(&path), &below(&path));
    let moves = &book.part("moves").expect("there are moves").text;
    let led =
        "Unless you choose **show moat**, if there are more than 3 cards in your hand, you choose:";
    assert!(moves.contains(led), "{moves}");
}

/// A word of the note of a rule does not hide a note inside of it that tells more, and numbers that rules read stand
/// in the table of their kind where the text does not say them.
#[test]
fn what_a_note_only_touches_is_told() {
    let text = "game \"Mine\" { players 2 }\n\
        kind Hazard {\n        need  harm  text\n  rock  2     3     \"Nothing else.\"\n  \
        lake  1     2     \"Nothing else.\"\n  bat   1     2     \"Nothing else.\"\n}\n\
        cards Event of Hazard copies 5\n\
        the table has { deck: cards hidden = Event; facing: cards; gone: cards; air: 0..9 = 9 }\n\
        rule lose_air(n: number) { air = max(0, air - n); if air == 0 { finish lose } }\n\
        ## Add up the work on the hazard. Idle hands cost no air.\n\
        rule resolve(work: number) {\n  let h = only(facing)\n  \
        if work < h.need { lose_air(h.harm) }\n  \
        ## Far more: the dust costs air.\n  if work > h.need + 1 { lose_air(1) }\n  \
        move facing to gone\n}\n\
        play {\n  turns me from Player.first where deck != {} {\n    \
        move top of deck to facing\n    choose me { work(n) for n in 1..3 { resolve(n) } }\n  }\n  \
        finish together win\n}\n";
    let text = &book(text, "mine.game").part("moves").expect("there are moves").text.clone();
    assert!(text.contains("Far more: the dust costs air."), "{text}");
    assert!(text.contains("| rock | 2 | 3 | Nothing else."), "{text}");
    // A word of moving says no pile where there are two.
    let text = "game \"Meal\" { players 2 }\nkind Dish { rice, pudding }\ncards Card of Dish copies 4\n\
        each player has { hand: cards seen by owner; plate: cards; puddings: cards }\n\
        the table has { deck: cards hidden = Card }\n\
        setup { for p in Player { move top 4 of deck to p.hand } }\n\
        ## Put a card in front of you.\n\
        rule keep(p: Player, c: Card) {\n  \
        if c == pudding { move c to p.puddings } else { move c to p.plate }\n}\n\
        play {\n  turns me from Player.first where me.hand != {} {\n    \
        choose me { keep(c) for c in me.hand { keep(me, c) } }\n  }\n  finish draw\n}\n";
    let text = &book(text, "meal.game").part("moves").expect("there are moves").text.clone();
    assert!(text.contains("move that card to your puddings"), "{text}");
}

/// What readers missed who had only the page: open piles, how often something is asked, what is called by a number,
/// and what happens if all win.
#[test]
fn what_a_family_looked_for_is_told() {
    for (game, part, told) in [
        ("examples/dominion.game", "setup", "- **supply** for each card: all may look\n"),
        ("examples/dominion.game", "moves", "As long as there are buys, you choose one:"),
        (
            "examples/cant-stop.game",
            "moves",
            "Again and again, if **Throw** succeeds, you choose one:",
        ),
        (
            "examples/cant-stop.game",
            "box",
            "- **white marker**. 3 white markers, or as many as agreed",
        ),
        ("examples/cant-stop.game", "box", "- for each player, **marker**. 11 markers of a colour"),
        ("examples/love-letter.game", "end", "- If all players win, the game is a draw.\n"),
        ("games/card-dice/card-dice.game", "moves", "Only if there are actions left."),
        ("tests/games/hidden_choices.game", "moves", "Or **wait**."),
    ] {
        let path = root().join(game);
        let book = book(&read(&path), &below(&path));
        let text = &book.part(part).expect("the book has this part").text;
        assert!(text.contains(told), "{game}: {text}");
    }
    let path = root().join("examples/skull.game");
    let end = book(&read(&path), &below(&path)).part("end").expect("it ends").text.clone();
    assert!(!end.contains("If all players win"), "only one is left there: {end}");
}

fn well(offers: &str) -> String {
    let text = format!(
        "game \"Well\" {{ players 2 }}\n\
         each player has {{ coin water: 0..9 = 0 }}\n\
         play {{ turns me from Player.first {{\n\
           choose me {{ {offers} }}\n\
           if turn == 9 {{ finish draw }}\n\
         }} }}\n"
    );
    book(&text, "well.game").part("moves").expect("there are moves").text.clone()
}

/// What happens where no move is possible stands above the way out, which is always possible, even if it is nothing.
#[test]
fn the_way_out_stands_below_what_happens_without_a_move() {
    let text =
        well("drink when me.water > 0 { me.water -= 1 } }\n or rest { }\n else { me.water = 9");
    let without = text.find("- If you cannot: Set your water to 9.").expect(&text);
    assert!(without < text.find("- Or **rest**.").expect(&text), "{text}");
    let text = well("drink when me.water > 0 { me.water -= 1 } }\n else { ");
    assert!(text.contains("- If you cannot, nothing happens."), "{text}");
}

/// A move that an option rules out is not in the book for that option, nor is what asks for nothing else.
#[test]
fn what_an_option_rules_out_is_left_out() {
    let book = |option: &str| {
        astragal(&["rules", "tests/books/summit.game", "--option", option], "").output
    };
    let (late, early) = (book("late_guests=yes"), book("late_guests=no"));
    for told in ["- **Night**.", "### Night", "- **meet**"] {
        assert!(late.contains(told), "{told}: {late}");
        assert!(!early.contains(told), "{told}: {early}");
    }
}

/// A note inside `play` that calls a choice free which is forced is put right, as that of a rule is.
#[test]
fn notes_of_loops_say_who_may_not_stop() {
    let text = "game \"Reef\" { players 2 }\neach player has { shells = 0 }\n\
         play { turns me from Player.first {\n\
           ## You may dig up to three times.\n\
           repeat 3 times { choose me { dig { me.shells += 1 }; rest { me.shells += 2 } } }\n\
           ## You may dive, up to three times:\n\
           for i in 1..3 { choose me { dive { me.shells += 1 }; swim { me.shells += 3 } } }\n\
           ## You may sail up to three times.\n\
           repeat 3 times { choose me { sail { me.shells += 1 } } or stay { break } }\n\
           if me.shells > 20 { finish win me }\n\
         } }\n";
    let play = &book(text, "reef.game").part("play").expect("it is played").text.clone();
    for told in [
        "You may dig up to three times. (You may not stop early.)",
        "You may dive, up to three times (you may not stop early):",
        "You may sail up to three times.\n",
    ] {
        assert!(play.contains(told), "{told}: {play}");
    }
}

/// The book of one agreement sends to no rule that it lacks, and tells what follows from the number of players.
#[test]
fn a_book_of_one_agreement_names_no_rule_that_it_lacks() {
    let book = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        astragal(&[["rules"].as_slice(), &words].concat(), "").output
    };
    let realms = "games/dice-realms/dice-realms.game";
    let strict = book(&format!("{realms} --option passive_fallback=no"));
    assert!(!strict.contains("Fall back"), "{strict}");
    assert!(strict.contains("(The design says both.) Then you may use"), "{strict}");
    assert!(strict.contains("| yes with 1 player, no with 2 |"), "{strict}");
    let two = book(&format!("{realms} --players 2"));
    assert!(!two.contains("Lone passive turn"), "{two}");
    assert!(two.contains("the other wizard now has a passive turn (Passive turn).\n"), "{two}");
    let stones = book("games/elemento/elemento.game --option voluntary_pass=yes");
    assert!(stones.contains("| 5 with 2 players, 3 with 3, 3 with 4 |"), "{stones}");
}

/// What a note leaves out stands behind it: what is changed, what is followed, and what follows a decision.
#[test]
fn what_a_note_leaves_out_is_told() {
    let text = well("## Drink.\n drink when me.water > 0 { me.water -= 1 }\n }\n or rest {");
    assert!(text.contains("- **drink**: Drink.\n"), "{text}");
    assert!(text.contains("  - Then: Subtract 1 from your water."), "{text}");
    let text = well("## Drink water.\n drink when me.water > 0 { me.water -= 1 }\n }\n or rest {");
    assert!(!text.contains("Then:"), "{text}");
    let market = book(
        "game \"Market\" { players 2 }\n\
         each player has { coin gold: 0..99 = 5; coin wood: 0..9 = 0; honour: 0..9 = 0 }\n\
         ## Take what it is worth.\n\
         rule fetch(me: Player) { me gains 1 wood }\n\
         ## Show that you can.\n\
         rule prove(me: Player) { choose me { show when me.wood > 0 { return } }\n or yield { }\n me.honour = 0 }\n\
         play { turns me from Player.first {\n\
           choose me { ## Trade at the stall.\n trade { fetch(me)\n prove(me) } }\n\
           if me.wood == 9 { finish win me }\n\
         } }\n",
        "market.game",
    );
    let text = &market.part("moves").expect("there are moves").text;
    assert!(text.contains("- How: **Fetch**. **Prove**."), "{text}");
    assert!(text.contains("Otherwise: Set your honour to 0."), "{text}");
}

/// What only the setup uses is explained there: words, numbers and tables.
#[test]
fn the_setup_explains_its_own_words() {
    let text = "game \"Deal\" { players 2..3 }\n\
         let hand_size = if players == 2 then 5 else 4\n\
         table token[1..3] = 5 2 6\n\
         each player has { coin gold: 0..99 = 0 }\n\
         the table has { post[1..3]: 0..9 = 0 }\n\
         setup { for p in Player { p gains hand_size gold }\n for n in 1..3 { post[n] = token[n] } }\n\
         play { turns me from Player.first { choose me { stop { finish ranking p by p.gold + post[1] } } } }\n";
    let book = book(text, "deal.game");
    let setup = &book.part("setup").expect("it is set up").text;
    assert!(setup.contains("*hand size*: 5 with 2 players, 4 with 3"), "{setup}");
    assert!(setup.contains("### Token") && setup.contains("| 5 | 2 | 6 |"), "{setup}");
    assert!(!book.part("moves").expect("there are moves").text.contains("token"));
}

/// The goal says who wins in a sentence, without names of the file; who plays together wins together.
#[test]
fn the_goal_says_who_wins() {
    let goal = |rules: &str, end: &str| {
        let text = format!(
            "game \"Goal\" {{ players 2..3 }}\n\
             each player has {{ coin gold: 0..99 = 0; out = no }}\n\
             rule alive() = {{p in Player where not p.out}}\n{rules}\n\
             play {{ turns me from Player.first {{\n\
               choose me {{ dig {{ me gains 1 gold }}\n leave {{ me.out = yes }} }}\n{end}\n\
             }} }}\n"
        );
        let book = book(&text, "goal.game").part("players").expect("who plays").text.clone();
        book.lines().find(|line| line.contains("**Goal**")).expect("there is a goal").to_owned()
    };
    let last = goal("", "if count(alive()) == 1 { finish win alive() }");
    assert_eq!(last, "- **Goal**: The last player left wins.");
    let most = goal("", "if me.gold > 30 { finish ranking p by p.gold }");
    assert_eq!(most, "- **Goal**: Whoever has the highest gold at the end wins.");
    let first = goal("option enough: 1..50 = 20", "if me.gold >= enough { finish win me }");
    assert_eq!(first, "- **Goal**: You win if your gold is at least the agreed 20.");
    let all = goal("", "if me.gold > 30 { finish together win }");
    assert!(all.contains("they win or lose together"), "{all}");
}

/// The main text has the options as they usually are; what others change stands with them.
#[test]
fn options_settle_in_the_text() {
    let text = "game \"Inn\" { players 2 }\n\
         option rounds: 1..9 = 3 \"rounds to play\"\n\
         option late = no \"the cellar is open\"\n\
         each player has { coin ale: 0..99 = 0 }\n\
         rule fetch(me: Player) { me gains 2 ale }\n\
         play { turns me from Player.first {\n\
           choose me { sip { me gains 1 ale }\n gulp when late { me gains 3 ale } }\n\
           if late { fetch(me) }\n\
           if turn == rounds { finish ranking p by p.ale }\n\
         } }\n";
    let book = book(text, "inn.game");
    let play = &book.part("play").expect("it is played").text;
    assert!(play.contains("If the turn number is the agreed 3,"), "{play}");
    for other in ["late", "cellar", "gulp", "Fetch"] {
        assert!(!play.contains(other), "{other} in {play}");
    }
    let options = &book.part("options").expect("there are options").text;
    assert!(options.contains("If the option *the cellar is open* is on: **Fetch**."), "{options}");
    assert!(options.contains("**gulp**") && options.contains("### Fetch"), "{options}");
}

/// Every column that rules read is printed beside a text.
#[test]
fn what_rules_read_is_printed_beside_a_text() {
    let text = "game \"Gems\" { players 2 }\n\
         kind Gem {\n         points  text     looks\n  red    3       \"shines\"  7\n  blue   1       \"glows\"   8\n}\n\
         each player has { won: set of Gem = {} }\n\
         play { turns me from Player.first {\n\
           choose me { take(g) for g in Gem { me.won += g } }\n\
           if turn == 9 { finish ranking p by sum(g in p.won: g.points) }\n\
         } }\n";
    let text = book(text, "gems.game").markdown();
    assert!(text.contains("|  | points | what it does |"), "{text}");
}

/// The five designs, four examples, and four files of strangers as they are.
const READ_COLD: [&str; 13] = [
    "games/elemento/elemento.game",
    "games/tice/tice.game",
    "games/elemental-clash/elemental-clash.game",
    "games/dice-realms/dice-realms.game",
    "games/card-dice/card-dice.game",
    "examples/cant-stop.game",
    "examples/skull.game",
    "examples/love-letter.game",
    "examples/dominion.game",
    "../shared/strangers/splendor.game",
    "../shared/strangers/sushi-go.game",
    "../shared/strangers/quoridor.game",
    "../shared/strangers/catan.game",
];

/// Each of them with its checked rules and its book; strangers' files may not be there.
fn read_cold() -> Vec<(String, Arc<Rules>, String)> {
    let there = READ_COLD.iter().filter(|path| root().join(path).exists());
    let read = there.map(|path| {
        let full = root().join(path);
        // Files of strangers are as they are: what may be wrong with them is no news here.
        let rules = checked(path, &read(&full)).0.rules.expect("it has rules");
        let (rules, sources) = (&rules.rules, &rules.sources);
        let edition = Edition { rules, sources, settings: &[], variants: &[] };
        let book = rulebook(&edition, &Budget::default()).expect("there is room for the book");
        ((*path).to_owned(), rules.clone(), book.markdown())
    });
    read.collect()
}

/// Nobody at a table knows the names of a file, or what a program only writes down for itself.
#[test]
fn books_have_no_names_of_the_file() {
    for (path, rules, text) in read_cold() {
        // Moves are bold.
        let text = text.replace("**", "");
        let headings = text.lines().filter(|line| line.starts_with('#'));
        for heading in headings {
            assert!(!heading.contains(['(', '*', '`']), "{path}: a parameter in `{heading}`");
        }
        for local in rules.rules.iter().flat_map(|rule| &rule.locals) {
            let name = format!("*{}*", local.name.replace('_', " "));
            let is_word = rules.rules.iter().any(|rule| {
                let rule = format!("*{}*", rule.name.replace('_', " "));
                rule == name || rule.ends_with(&format!(" {}", &name[1..]))
            });
            let is_told = rules.vars.iter().any(|var| var.name == local.name)
                || rules.kinds.iter().any(|kind| kind.name.to_lowercase() == local.name);
            assert!(is_word || is_told || !text.contains(&name), "{path}: the local `{name}`");
        }
        for wrong in ["one of the above", "none of the above", "go on with what comes next"] {
            assert!(!text.contains(wrong), "{path}: `{wrong}`");
        }
        let setup = text.split("## Setting up").nth(1).and_then(|it| it.split("\n## ").next());
        for line in setup.unwrap_or_default().lines() {
            for nothing in [": yes", ": no", ": empty", ": 0", ": 1", ": none"] {
                assert!(!line.ends_with(nothing), "{path}: a value of bookkeeping in `{line}`");
            }
        }
    }
}

/// The sentences of a book: of its paragraphs and lists, and not of its tables and pictures.
fn sentences(book: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for part in book.split("```").step_by(2) {
        for line in part.lines().filter(|line| !line.starts_with(['|', '#'])) {
            let mut depth = 0;
            for word in line.split_whitespace().filter(|word| *word != "-") {
                depth += word.matches('(').count();
                depth -= word.matches(')').count().min(depth);
                let sentence = found.last_mut().expect("there is one");
                sentence.extend([word, " "]);
                if word.trim_end_matches(['”', ')', '*']).ends_with(['.', ':', '!', '?'])
                    && depth == 0
                {
                    found.push(String::new());
                }
            }
            found.push(String::new());
        }
    }
    found
}

/// What the book says of itself is said in sentences of at most twenty words; notes are their authors', word for word.
#[test]
fn sentences_are_short_enough_to_say() {
    let plain = |text: &str| {
        let words = text.split(|sign: char| !sign.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
        format!(" {} ", words.collect::<Vec<_>>().join(" "))
    };
    let mut long = String::new();
    for (path, _, text) in read_cold() {
        let file = read(&root().join(&path));
        let notes = file.lines().filter_map(|line| {
            let line = line.trim_start();
            line.strip_prefix("## ").or_else(|| line.contains('"').then_some(line))
        });
        let notes = plain(&notes.collect::<Vec<_>>().join(" "));
        for sentence in sentences(&text) {
            let length = sentence.split_whitespace().count();
            if length > 20 && !notes.contains(&plain(&sentence)) {
                long.extend([format!("{path}: {length} words: {sentence}\n")]);
            }
        }
    }
    assert!(long.is_empty(), "{long}");
}

/// A start value that the setup overwrites is not the starter; who is drawn is said to be drawn.
#[test]
fn the_starter_is_found_as_the_game_finds_it() {
    for path in [
        "examples/skull.game",
        "examples/love-letter.game",
        "examples/liars-dice.game",
        "games/dice-realms/dice-realms.game",
    ] {
        let book = book(&read(&root().join(path)), path);
        let setup = &book.part("setup").expect("it is set up").text;
        let draws = ["raw who begins", "raw at random who begins", "raw a starter"];
        assert!(draws.iter().any(|words| setup.contains(words)), "{path}: {setup}");
        let alone = path.contains("dice-realms");
        let agrees = ["Agree on a first player", "Agree who begins", "Agree who is"];
        let agrees = agrees.iter().any(|words| setup.contains(words));
        assert!(alone || !agrees, "{path}: {setup}");
    }
    let path = "games/elemento/elemento.game";
    let setup =
        book(&read(&root().join(path)), path).part("setup").expect("it is set up").text.clone();
    assert!(setup.contains("With more than two players, draw who begins."), "{setup}");
    assert!(setup.contains(
        "begins. (Our ruling: by the design the tallest begins.) With two players, draw who"
    ));
}

fn duel(play: &str) -> Rulebook {
    let text = format!(
        "game \"Duel\" {{ players 2..3 }}\n\
         each player has {{ hits: 0..3 = 0 }}\n\
         the table has {{ undrawn last: Player = Player.first }}\n\
         play {{ turns me from Player.first {{\n\
           choose me {{ strike(them) for them in others(me) {{ them.hits += 1; last = me }} }}\n\
           {play}\n\
         }} }}\n"
    );
    book(&text, "duel.game")
}

/// Whoever a loop looks for is a condition of the end that stands in it.
#[test]
fn ends_keep_the_conditions_around_them() {
    for play in [
        "for p in Player where p.hits == 3 { finish win next(p) }",
        "for p in {q in Player where q.hits == 3} { finish win next(p) }",
        "let down = {q in Player where q.hits == 3}\n for p in down { finish win next(p) }",
    ] {
        let book = duel(play);
        let end = &book.part("end").expect("it ends").text;
        assert!(end.contains("whose hits are 3: The player after that player wins."), "{end}");
    }
    let book = duel("repeat { me.hits += 1 } until me.hits == 3\n finish draw");
    let end = &book.part("end").expect("it ends").text;
    assert!(end.contains("If your hits are 3: The game is a draw."), "{end}");
}

/// A book that speaks of a variable tells what changes it, even if the file leaves it undrawn.
#[test]
fn what_a_condition_reads_is_also_set() {
    let silent = duel("if me.hits == 3 { finish win me }").markdown();
    assert!(!silent.contains("last"), "{silent}");
    let told = duel("if me.hits == 3 and last == me { finish win me }").markdown();
    assert!(told.contains("the last is you"), "{told}");
    assert!(told.contains("Set the last to you."), "{told}");
}

/// The example follows from the game alone; a heading may name another one.
#[test]
fn a_book_shows_how_it_is_played() {
    let nim = astragal(&["rules", "nim", "example"], "");
    assert_eq!(nim.exit, Some(0), "{}", nim.errors);
    assert!(nim.output.starts_with("## An example"), "{}", nim.output);
    assert!(nim.output.contains("- **") && nim.output.contains("After:"), "{}", nim.output);
    assert_eq!(astragal(&["rules", "nim", "example"], "").output, nim.output);
    // A script for two is no example for one.
    let alone = astragal(&["rules", "dice-realms", "example", "--players", "1"], "").output;
    assert!(alone.contains("**Ann**") && !alone.contains("Saruman"), "{alone}");
    let short = astragal(&["rules", "elemento", "--short"], "").output;
    let lines = short.lines().count();
    assert!(
        lines < 120 && short.contains("**place**") && short.contains("## How it ends"),
        "{short}"
    );
    // What limits a move stands with it.
    assert!(short.contains("Field: An empty field of a colour"), "{short}");
    assert!(short.contains("| Option |") && !short.contains("## In the box"), "{short}");
}

/// What the notes of our games leave out of their code, as far as words can be compared.
#[test]
fn notes_of_the_games_leave_little_out() {
    let mut left_out = String::new();
    for path in game_files(&["games", "examples"]) {
        let path = below(&path);
        let said = astragal(&["check", "--book", &path], "").errors;
        assert!(!said.contains("mentions nothing"), "{path}: {said}");
        let notes = said.split("the note of ").skip(1).map(|note| {
            let what =
                note.split("╰── ").nth(1).and_then(|it| it.lines().next()).unwrap_or_default();
            format!("{path}: {} {what}\n", note.split(' ').next().unwrap_or_default())
        });
        left_out.extend(notes);
    }
    insta::assert_snapshot!("left_out_by_notes", left_out);
}

/// A game with all that lies on tables.
const QUAY: &str = "game \"Quay\" { players 2..3 }
option goal: 5..20 = 10  \"coins that win\"
option long = no  \"long game: more water for everybody\"
kind Good { salt, silk }
cards Crate of Good copies 6
board Spot 5 by 1
each player has {
  at: Spot = a1
  coin coins: 0..9 = 0
  coin water: 0..9 = if long then 8 else 4
  ## Your crates lie open before you.
  sold \"crates sold\": cards
  hand: cards seen by owner
}
the table has {
  coin chest: 0..9 = 9
  die wind \"wind die\" = 1..6
  deck: cards hidden
  undrawn box: cards = Crate
}
always chest + sum(p in Player: p.coins) == 9
rule has_landed(me: Player, s: Spot) = s.column == 5
rule pay(me: Player) { chest -= 1; me.coins += 1 }
rule arrive(me: Player) { if has_landed(me, me.at) { finish win me } }
setup {
  move box to deck
  for p in Player { move top 2 of deck to p.hand }
}
play {
  turns me from Player.first {
    roll wind
    choose me {
      ## Sell a crate.
      sell(c) for c in me.hand when players == 2 { move c to me.sold; pay(me) }
      ## Go on by a spot.
      go when me.at.column < 5 { me.at = a1 }
    }
    or rest { }
    if me.coins >= goal or me.hand == {} { finish win me }
    arrive(me)
  }
}
";

/// What lies on the table: a stock that goes round, dice as they fall, piles that lie open or face down; and where the
/// rest of a rule is told.
#[test]
fn what_lies_on_the_table_is_told() {
    let book = book(QUAY, "quay.game");
    let part = |word| &book.part(word).expect("the part is there").text;
    let told = [
        ("players", "your coins are at least the agreed 10"),
        ("players", "You win if you have *landed*."),
        ("box", "- 9 coins or tokens for **coins**. What nobody has is the **chest**."),
        ("setup", "- **water**: 4; 8 with the option *long game*"),
        ("setup", "Move all cards of the box, shuffled, to the deck."),
        (
            "setup",
            "- **crates sold**, each player's own: all may look. Your crates lie open before you.",
        ),
        ("play", "- **sell** (with 2 players): Sell a crate."),
        ("play", "  - Also: **Pay**."),
    ];
    for (word, told) in told {
        assert!(part(word).contains(told), "{told}: {}", part(word));
    }
}

/// What readers of books missed: rounds, who is asked in a loop, places for dice, what an option forbids, things that
/// run out, and a card that is sought.
#[test]
fn what_readers_missed_is_told() {
    let text = "game \"Ferry\" { players 3 }
option may_rest = yes  \"passengers may rest\"
kind Colour { red, green, blue }
kind Good { salt, silk }
cards Crate of Good copies 4
each player has { boats: 0..5 = 5; hand: cards; agrees = no }
the table has {
  round: 1..3 = 1
  dice die for Colour = 1..6
  ## Dice that wait for the tide.
  pier: set of Colour = {}
  box: cards = Crate
}
rule ask(me: Player) {
  for p in Player from me where p != me {
    choose p { agree { p.agrees = yes } }
    or decline { }
  }
}
rule sail(me: Player) {
  choose me {
    launch when me.boats > 0 { me.boats -= 1; pier += red }
    ## Sell silk.
    sell when any(c in me.hand: c == silk) { me.boats += 1; pier = {} }
  }
  or rest when may_rest { }
  ask(me)
}
play {
  for n in 1..3 {
    round = n
    for me in Player { sail(me) }
  }
  finish ranking p by p.boats
}
";
    let book = book(text, "ferry.game");
    let part = |word| &book.part(word).expect("the part is there").text;
    for told in [
        "In each of 3 rounds, for each player",
        "For each other player, beginning on your left, that player chooses one:",
        "Only if you have boats left.",
        "Only if there is a silk in your hand.",
    ] {
        assert!(part("play").contains(told), "{told}: {}", part("play"));
    }
    assert!(!part("play").contains("Set the round"), "{}", part("play"));
    assert!(part("box").contains("- a place on the table for dice: **pier**"), "{}", part("box"));
    let options = part("options");
    assert!(
        options.contains("**rest**: not if the option *passengers may rest* is off."),
        "{options}"
    );
}
