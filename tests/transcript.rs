//! Scripts that read well, and every mistake in their form.

use astragal::machinery::diagnostic::Diagnostic;
use astragal::machinery::game::Outcome;
use astragal::machinery::source::Source;
use astragal::machinery::transcript::{LineKind, format_result, is_name, parse, tidy, winner};

const HEAD: &str = "game pairs.game\nplayers Ann, Ben\n";

fn kinds(body: &str) -> Vec<LineKind> {
    let script =
        parse(&Source::new("a.script", format!("{HEAD}{body}"))).expect("the case is right");
    script.lines.into_iter().skip(2).map(|line| line.kind).collect()
}

fn codes(text: &str) -> Vec<String> {
    let found = parse(&Source::new("a.script", text)).expect_err("the script is wrong");
    let code = |found: &Diagnostic| found.code.expect("the case is right").to_string();
    found.sorted().iter().map(code).collect()
}

fn mistakes(body: &str) -> Vec<String> {
    codes(&format!("{HEAD}{body}"))
}

#[test]
fn a_header_is_read() {
    let text =
        "# A test.\ngame ../pairs.game\nplayers Ann,  Ben B\noption goal = 5 # small\nseed 42\n";
    let script = parse(&Source::new("a.script", text)).expect("the case is right");
    assert_eq!(script.game().expect("the case is right").text, "../pairs.game");
    assert_eq!(script.players().expect("the case is right"), ["Ann", "Ben B"]);
    assert_eq!(script.options(), [("goal".to_owned(), "5".to_owned())]);
    assert_eq!(script.seed(), Some(42));
    assert_eq!(script.lines[3].tail, " # small");
}

#[test]
fn a_decision_keeps_its_words_and_places() {
    let source =
        Source { base: 100, ..Source::new("a.script", format!("{HEAD}Ann>  take  2  # !\n")) };
    let script = parse(&source).expect("the case is right");
    let LineKind::Decision { name, words } = &script.lines[2].kind else { panic!() };
    assert_eq!((source.slice(name.span), source.slice(words.span)), ("Ann", "take  2"));
    assert_eq!(script.lines[2].text, "Ann>  take  2  # !");
}

#[test]
fn a_hash_in_quotes_or_inside_a_word_is_no_comment() {
    let found = kinds("! take 1 because  \"no # left\" # why\nAnn> card#3\n");
    let LineKind::Refused { words, because } = &found[0] else { panic!() };
    assert_eq!(
        (words.text.as_str(), because.as_ref().expect("the case is right").text.as_str()),
        ("take 1", "no # left")
    );
    assert!(matches!(&found[1], LineKind::Decision { words, .. } if words.text == "card#3"));
}

#[test]
fn every_other_form_is_read() {
    let body = "* roll die: 3\n  It is three.\n\nset x = 1\ndo turn(Ann)\n? a > b\nmoves\nbot 3\n= Ann wins\n";
    let found = kinds(body);
    assert!(matches!(&found[0], LineKind::Chance(words) if words.text == "roll die: 3"));
    assert!(matches!(&found[1], LineKind::Output(text) if text == "It is three."));
    assert!(matches!(found[2], LineKind::Blank));
    assert!(matches!(&found[3], LineKind::Set(words) if words.text == "x = 1"));
    assert!(matches!(&found[4], LineKind::Do(words) if words.text == "turn(Ann)"));
    assert!(matches!(&found[5], LineKind::Holds(words) if words.text == "a > b"));
    assert!(matches!(found[6], LineKind::Moves));
    assert!(matches!(found[7], LineKind::Bot(3, None)));
    assert!(matches!(&found[8], LineKind::Result(words) if words.text == "Ann wins"));
}

#[test]
fn several_mistakes_are_reported_in_order() {
    assert_eq!(
        mistakes("take 2\n* roll die\noption\n\tx\n"),
        ["unknown_line", "incomplete_line", "incomplete_line", "indentation"]
            .map(|name| format!("script::{name}"))
    );
}

#[test]
fn the_header_stands_in_order_and_once() {
    assert_eq!(codes("players Ann\ngame a\n"), ["script::header_order"]);
    assert_eq!(codes("game a\ngame b\n"), ["script::two_headers"]);
    assert_eq!(mistakes("Ann> go\nseed 1\n"), ["script::late_header"]);
    assert_eq!(mistakes("option a = 1\noption a = 2\n"), ["script::same_name"]);
    assert_eq!(codes("Ann> go\n"), ["script::no_game"]);
    assert_eq!(codes("game a\nplayers Ann, Ann\n"), ["script::same_name"]);
    assert_eq!(codes("game a\nplayers Ann, moves\n"), ["script::bad_name"]);
    // `* roll Ben: 2.cup: 6` could not be told from `* roll Ben: 2.cup`.
    assert_eq!(codes("game a\nplayers Ann, Ben: 2\n"), ["script::bad_name"]);
}

#[test]
fn output_stands_below_what_speaks() {
    assert_eq!(mistakes("Ann> go\n? x\n  said\n"), ["script::stray_output"]);
    assert_eq!(mistakes("Ann> go\n= draw\nBen> go\n"), ["script::after_result"]);
    assert_eq!(mistakes("Ann> go\nend\nmoves\n"), ["script::after_result"]);
    assert_eq!(kinds("  said at setup\nAnn> go\n# why\n  said\n= draw\n? x\n").len(), 6);
}

#[test]
fn a_slip_in_the_first_word_gets_a_suggestion() {
    let found = parse(&Source::new("a.script", format!("{HEAD}plyers 3\n")))
        .expect_err("the script is wrong");
    assert_eq!(
        found.sorted()[0].help.clone().expect("the case is right"),
        "did you mean `players`?"
    );
}

#[test]
fn a_text_that_is_no_script_gives_a_hundred_mistakes_at_most() {
    let text = "Lorem ipsum\n".repeat(500);
    assert_eq!(parse(&Source::new("a.txt", text)).unwrap_err().errors(), 100);
}

#[test]
fn names_can_be_told_from_lines() {
    assert!(is_name("Ann") && is_name("Old Ben"));
    assert!(
        !is_name("a,b") && !is_name("a>b") && !is_name("a: b") && !is_name("set") && !is_name(" ")
    );
}

fn tidied(text: &str) -> String {
    tidy(&Source::new("a.script", text)).expect("it is a script")
}

#[test]
fn lines_are_put_right_and_keep_their_meaning() {
    let text = "\n\n# Why.\nseed  7 # lucky\nplayers   Ann ,Ben\noption  a=yes\ngame nim\n\n\n\
                Ann>take  3   left  # all\n  Said  so.  \n*roll die :3\n?a  ==3\nset  x = \"a  b\"\n\
                !take  9 because  \"only  3\"\n=Ann  wins\n\n";
    let tidy = "# Why.\ngame nim\nplayers Ann, Ben\noption a = yes\nseed 7 # lucky\n\n\
                Ann> take 3 left  # all\n  Said  so.\n* roll die: 3\n? a  ==3\nset x = \"a  b\"\n\
                ! take 9 because \"only  3\"\n= Ann wins\n";
    assert_eq!(tidied(text), tidy);
    assert_eq!(tidied(tidy), tidy);
}

#[test]
fn what_is_no_script_is_refused() {
    for text in ["players Ann, Ben\n", "game nim\ngame pig\n", "game nim\nhello\n"] {
        assert!(tidy(&Source::new("a.script", text)).is_err(), "{text}");
    }
}

#[test]
fn the_reason_of_a_refusal_stands_behind_a_word_of_its_own() {
    let refused = |body: &str| match kinds(body).as_slice() {
        [LineKind::Refused { because, .. }] => because.as_ref().map(|it| it.text.clone()),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused("! take 9 because \"no\"\n"), Some("no".to_owned()));
    assert_eq!(mistakes("! because \"no\"\n"), ["script::incomplete_line"]);
    assert_eq!(refused("! take justbecause \"no\"\n"), None);
    assert_eq!(refused("! take because\n"), None);
}

#[test]
fn results_say_who_won_and_how() {
    let names: Vec<String> = ["Ann", "Ben", "Cem"].map(str::to_owned).into();
    let who = |returns: &[i64]| {
        let outcome = Outcome {
            returns: returns.to_vec(),
            scores: None,
            lowest: false,
            places: vec![0; returns.len()],
            teams: (0..returns.len()).collect(),
        };
        winner(&outcome, &names[..returns.len()])
    };
    assert_eq!([who(&[1]), who(&[0]), who(&[-1])], ["Ann wins", "draw", "Ann loses"]);
    assert_eq!([who(&[1, -1]), who(&[0, 0]), who(&[-1, 1])], ["Ann wins", "draw", "Ben wins"]);
    assert_eq!([who(&[0, -1, 0]), who(&[-1, -1, 1])], ["Ann and Cem share the win", "Cem wins"]);
    assert_eq!([who(&[1, -1, 1]), who(&[1, 1])], ["Ann and Cem win", "everybody wins"]);
    assert_eq!(who(&[-1, -1]), "everybody loses");
    let ranked = |scores: &[i64], returns: &[i64], places: &[usize], lowest| {
        let (scores, returns, places) = (Some(scores.to_vec()), returns.to_vec(), places.to_vec());
        let count = returns.len();
        let teams = (0..count).collect();
        format_result(&Outcome { returns, scores, lowest, places, teams }, &names[..count])
    };
    assert_eq!(ranked(&[3], &[0], &[1], false), "Ann 3");
    assert_eq!(ranked(&[3, 1], &[1, -1], &[1, 2], false), "Ann 3, Ben 1");
    assert_eq!(ranked(&[3, 1], &[-1, 1], &[2, 1], true), "Ann 3, Ben 1: Ben wins");
    assert_eq!(ranked(&[3, 3], &[-1, 1], &[2, 1], false), "Ann 3, Ben 3: Ben wins");
    assert_eq!(ranked(&[3, 3, 1], &[0, 0, -1], &[1, 1, 3], false), "Ann 3, Ben 3, Cem 1");
    assert_eq!(
        ranked(&[3, 3, 1], &[1, -1, -1], &[1, 2, 3], false),
        "Ann 3, Ben 3, Cem 1: 1. Ann; 2. Ben; 3. Cem"
    );
}
