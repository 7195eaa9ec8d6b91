//! What holds for the rulebook of every game; what they read like stands in `tests/commands`.

use astragal::machinery::budget::Budget;
use astragal::machinery::rulebook::{Edition, Rulebook, rulebook};

use crate::support::{below, game_files, read, root, rules};

fn book(text: &str, path: &str) -> Rulebook {
    let rules = rules(path, text);
    let (rules, sources) = (&rules.rules, &rules.sources);
    let edition = Edition { rules, sources, setting: None, variants: &[] };
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
        "*area* of *p* + (*komi* if *p* is the last player, otherwise 0)",
    ),
    ("(if p.safe then x else y) * 2", "(*x* if *p* is *safe*, otherwise *y*) × 2"),
    (
        "if p.ready then (if p.safe then x else y) else 0",
        "(*x* if *p* is *safe*, otherwise *y*) if *p* is *ready*, otherwise 0",
    ),
    ("1 + (if players > 1 then x else y)", "1 + *x*"),
    (
        "max(f in Fruit: sum(g in p.bag: g.cost))",
        "the highest (sum of the cost of *g* for each fruit *g* in the bag of *p*) for any fruit *f*",
    ),
    ("x - (y - 1)", "*x* − (*y* − 1)"),
    ("x - y - 1", "*x* − *y* − 1"),
    ("-(x + y)", "−(*x* + *y*)"),
    ("2 * (x + y)", "2 × (*x* + *y*)"),
    ("twice(x + 1)", "*twice* of (*x* + 1)"),
    ("twice(x) + 1", "*twice* of *x* + 1"),
    ("worth[x + 1] + 1", "*worth* for (*x* + 1) + 1"),
    ("most(x, if p.safe then y else 0)", "*most* (*x*, (*y* if *p* is *safe*, otherwise 0))"),
    (
        "count(f in Fruit where f in p.bag) + x",
        "(the number of fruits *f* for which *f* is in the bag of *p*) + *x*",
    ),
    ("count(p.bag) + x", "the number of fruits in the bag of *p* + *x*"),
    (
        "count({f in Fruit where f in p.bag})",
        "the number of fruits *f* for which *f* is in the bag of *p*",
    ),
    (
        "count(f in Fruit where f in p.bag or f in box: f.cost > x)",
        "the number of fruits *f* for which (*f* is in the bag of *p* or *f* is in the box) and \
          the cost of *f* is more than *x*",
    ),
    (
        "x - sum(f in p.bag: f.cost) - y",
        "*x* − (the sum of the cost of *f* for each fruit *f* in the bag of *p*) − *y*",
    ),
    ("ceil(x / 2) + y", "(*x* / 2, rounded up) + *y*"),
    ("max(0, x - y) + 1", "(*x* − *y* (but not below 0)) + 1"),
    ("min(x, y) * 2", "(the smaller of *x* and *y*) × 2"),
    ("min(min(x, y), 2)", "the smaller of (the smaller of *x* and *y*) and 2"),
    ("x - (match y { 1: 2; else: 3 })", "*x* − (2 if *y* is 1, otherwise 3)"),
    ("abs(x - (y - 1)) + 1", "(the difference between *x* and *y* − 1) + 1"),
    (
        "count((p.bag union box) minus {fig})",
        "the number of fruits in ((the bag of *p* together with the box) without fig)",
    ),
    (
        "count(p.bag minus (box minus {fig}))",
        "the number of fruits in (the bag of *p* without (the box without fig))",
    ),
    (
        "count(highest(q in Player where q.safe by q.coins, x))",
        "the number of players in (whoever, of the players *q* for whom *q* is *safe*, has \
          the most coins of *q*, then the highest *x*)",
    ),
    ("p.safe and (p.ready or x > 3)", "*p* is *safe* and (*p* is *ready* or *x* is more than 3)"),
    ("p.safe and p.ready or x > 3", "(*p* is *safe* and *p* is *ready*) or *x* is more than 3"),
    ("not (p.safe and p.ready)", "*p* is not *safe* or *p* is not *ready*"),
    (
        "x > 3 and not (p.safe and p.ready)",
        "*x* is more than 3 and (*p* is not *safe* or *p* is not *ready*)",
    ),
    (
        "not (x > 3 and (p.safe or p.ready))",
        "*x* is at most 3 or (*p* is not *safe* and *p* is not *ready*)",
    ),
    ("x in {1, 2} and p.safe", "(*x* is 1 or 2) and *p* is *safe*"),
    (
        "x > 1 and (p.safe == p.ready)",
        "*x* is more than 1 and (*p* is *safe* exactly if *p* is *ready*)",
    ),
    (
        "x > 1 and (if p.safe then y > 1 else y > 2)",
        "*x* is more than 1 and (if *p* is *safe*, *y* is more than 1, otherwise *y* is more \
          than 2)",
    ),
    ("(if p.safe then x else y) == 3", "(*x* if *p* is *safe*, otherwise *y*) is 3"),
    (
        "count(f in Fruit where f in p.bag) > x + 1",
        "(the number of fruits *f* for which *f* is in the bag of *p*) is more than *x* + 1",
    ),
    (
        "any(f in p.bag: f.cost > 1) and p.safe",
        "(there is a fruit *f* in the bag of *p* for which the cost of *f* is more than 1) and *p* is *safe*",
    ),
];

/// Words mean what the file says: where its parentheses matter, the book has them too.
#[test]
fn words_keep_their_parentheses() {
    let rule = |(at, (rule, _)): (usize, &(&str, &str))| {
        format!("rule case{at}(p: Player, x: number, y: number) = {rule}\n")
    };
    let rules: String = TOLD.iter().enumerate().map(rule).collect();
    let call = |at| format!("  let w{at} = case{at}(Player.first, 1, 2)\n");
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
    let book = book(&text, "stalls.game").markdown();
    for (at, (rule, words)) in TOLD.iter().enumerate() {
        let line = book.lines().find(|line| line.starts_with(&format!("- *case{at}* ")));
        let line = line.unwrap_or_else(|| panic!("no words for `{rule}` in\n{book}"));
        let told = [format!(": {words}."), format!(" holds if {words}.")];
        assert!(told.iter().any(|told| line.ends_with(told)), "`{rule}` is told as\n{line}");
    }
}

/// A decision stands behind what leads to it: the conditions around it, and the moves that end its rule.
#[test]
fn decisions_stand_behind_what_leads_to_them() {
    let path = root().join("examples/dominion.game");
    let book = book(&read(&path), &below(&path));
    let moves = &book.part("moves").expect("there are moves").text;
    let led = "Unless you choose **show moat**, and if the number of cards in your hand is more than 3, \
               you choose one:";
    assert!(moves.contains(led), "{moves}");
}

/// A player who can only decline is not asked; the book tells the table so, and only where it can
/// come to that.
#[test]
fn declining_happens_by_itself() {
    let game = |offers: &str| {
        let text = format!(
            "game \"Well\" {{ players 2 }}\n\
             each player has {{ coin water: 0..9 = 0 }}\n\
             play {{ turns me from Player.first {{\n\
               choose me {{ {offers} }}\n\
               if turn == 9 {{ finish draw }}\n\
             }} }}\n"
        );
        book(&text, "well.game").part("moves").expect("there are moves").text.clone()
    };
    let told = "**rest**: Do none of the above. If nothing else is possible, it happens by itself.";
    let thirsty = game("drink when me.water > 0 { me.water -= 1 } }\n or rest {");
    assert!(thirsty.contains(told), "{thirsty}");
    for always in [
        // There is always something else.
        "drink when me.water > 0 { me.water -= 1 }\n draw { me.water = 9 } }\n or rest {",
        // Something else happens.
        "drink when me.water > 0 { me.water -= 1 } }\n or rest { }\n else { me.water = 9",
    ] {
        let text = game(always);
        assert!(
            text.contains("**rest**: Do none of the above.") && !text.contains("by itself"),
            "{text}"
        );
    }
}
