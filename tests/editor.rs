//! What editors are told, at places that are marked with `|`.

use astragal::machinery::editor::{Document, Hover, RenameRefusal};
use astragal::machinery::load::OpenedFile;
use astragal::machinery::source::Span;

const GAME: &str = "\
game \"Orchard\" { players 2..3; limit 90 decisions { finish draw } }

## What grows here.
kind Tree \"Sort of tree\" {
         height  fruit
  elm    9       no
  ## Older than the house.
  pear   4       yes
}

option long = no  \"play longer\"
let rounds = if long then 9 else 5

each player has {
  ## What was picked.
  picked: set of Tree = {}
  coin silver: 0..9 = 2
}

the table has { die weather = 1..6; done = 0 }

## How much a tree is worth.
rule worth(of: Tree) = of.height + done

moves work(me: Player) {
  pick(t) for t in Tree minus me.picked { me.picked += t; done += 1 }
}

play {
  turns me from Player.first {
    choose me { moves work(me) }
    or rest { me gains 1 silver }
    if done == rounds { finish ranking p by sum(t in p.picked: worth(t)) }
  }
}
";

fn read(text: &str) -> Document {
    Document::read(&OpenedFile::alone("orchard.game", text))
}

/// The game with a piece in place of another, and the offset of the `|` in it.
fn marked(from: &str, to: &str) -> (Document, usize) {
    assert!(GAME.contains(from), "`{from}` does not stand in the game");
    let text = GAME.replacen(from, to, 1);
    let at = text.find('|').expect("the piece marks a place");
    (read(&text.replacen('|', "", 1)), at)
}

fn proposed(from: &str, to: &str) -> Vec<String> {
    let (document, at) = marked(from, to);
    let proposals = document.complete(at).1.into_iter();
    proposals.filter(|it| it.rank < 3).map(|it| it.text).collect()
}

fn told(from: &str, to: &str) -> Hover {
    let (document, at) = marked(from, to);
    document.hover(at).unwrap_or_else(|| panic!("nothing is told of `{to}`"))
}

#[test]
fn behind_a_dot_stand_the_columns_and_variables_that_fit() {
    assert_eq!(proposed("of.height", "of.|"), ["fruit", "height"]);
    assert_eq!(proposed("of.height + done", "of.he|"), ["fruit", "height"]);
    assert_eq!(
        proposed("p.picked: worth", "p.|picked: worth"),
        ["picked", "seat", "silver", "turns"]
    );
    assert_eq!(proposed("me.picked += t;", "me.|\n"), ["picked", "seat", "silver", "turns"]);
    assert_eq!(proposed("done += 1", "done += Tree.|"), ["elm", "pear", "first", "last"]);
}

#[test]
fn a_header_without_its_block_is_understood() {
    let seen = proposed("    if done == rounds {", "    for t in me.|\n    if done == rounds {");
    assert_eq!(seen, ["picked", "seat", "silver", "turns"]);
    let seen = proposed("moves work(me) }", "moves work(me)\n  plant(t) for t in me.|");
    assert_eq!(seen, ["picked", "seat", "silver", "turns"]);
}

#[test]
fn names_in_scope_are_proposed_and_others_are_not() {
    let seen = proposed("worth(t)", "wo|");
    assert!(
        ["t", "p", "me", "done", "rounds", "worth", "elm", "Tree"]
            .iter()
            .all(|name| seen.iter().any(|it| it == name)),
        "{seen:?}"
    );
    let seen = proposed("of.height + done", "|");
    assert!(seen.contains(&"of".to_owned()) && !seen.contains(&"me".to_owned()), "{seen:?}");
}

#[test]
fn what_fits_comes_first() {
    assert_eq!(proposed("me.picked += t;", "me.picked += |;")[..3], ["elm", "pear", "t"]);
    assert_eq!(proposed("of: Tree", "of: |")[..], ["Player", "Tree"]);
    assert_eq!(proposed("1 silver", "1 s|"), ["silver"]);
    assert_eq!(proposed("moves work(me) }", "moves w|(me) }"), ["work"]);
}

#[test]
fn words_stand_where_they_can() {
    let words = |from, to| -> Vec<String> {
        let (document, at) = marked(from, to);
        document.complete(at).1.into_iter().map(|it| it.text).collect()
    };
    assert!(words("play {", "pl|\nplay {").contains(&"play".to_owned()));
    assert!(words("    if done", "    tu|\n    if done").contains(&"turns".to_owned()));
    assert!(words("game \"Orchard\"", "# co|\ngame \"Orchard\"").is_empty());
    assert!(words("\"play longer\"", "\"play lo|nger\"").is_empty());
    assert!(words("1..6", "1|..6").is_empty());
}

#[test]
fn hovering_tells_type_title_and_notes() {
    let hover = told("worth(t)", "wor|th(t)");
    assert_eq!(hover.code, "rule worth(of: Tree) -> number");
    assert_eq!(hover.notes, ["How much a tree is worth."]);
    let hover = told("t in Tree minus", "t in Tr|ee minus");
    assert_eq!(hover.code, "kind Tree { elm, pear }");
    assert_eq!(hover.more, ["“Sort of tree”", "columns: `height: number`, `fruit: yes/no`"]);
    assert_eq!(told("sum(t in", "sum(|t in").code, "t: Tree");
    assert_eq!(told("p.picked: worth", "p.pick|ed: worth").notes, ["What was picked."]);
    assert_eq!(told("  pear ", "  pe|ar ").notes, ["Older than the house."]);
    assert!(told("turns me", "tur|ns me").more[0].contains("from seat to seat"));
}

#[test]
fn a_broken_declaration_takes_no_other_with_it() {
    let broken = GAME.replacen("rounds {", "rounds ((", 1);
    let document = read(&broken);
    assert!(document.diagnostics().has_errors());
    let at = |word: &str| broken.find(word).expect("the word stands there") + 1;
    let hover = document.hover(at("worth(t)")).expect("a rule of this name is declared");
    assert_eq!(hover.code, "rule worth(of: Tree) -> number");
    assert_eq!(document.definition(at("work(me) }")).map(Span::len), Some(4));
    let names: Vec<String> = document.outline().into_iter().map(|it| it.name).collect();
    assert_eq!(names.last().map(String::as_str), Some("play"), "{names:?}");
    assert_eq!(names.len(), 9);
}

#[test]
fn definitions_and_references_are_found() {
    let (document, at) = marked("rounds { finish", "rou|nds { finish");
    let span = document.definition(at).expect("a constant is declared");
    assert_eq!(document.source().place(span.start).line, 12);
    assert_eq!(document.references(at, true).len(), 2);
    assert_eq!(document.references(at, false).len(), 1);
    let (document, at) = marked("sum(t in", "sum(|t in");
    assert_eq!(document.references(at, true).len(), 2);
}

#[test]
fn renaming_reaches_every_place_or_is_refused() {
    let (document, at) = marked("picked: set", "pick|ed: set");
    assert_eq!(document.rename(at, "basket").map(|places| places.len()), Ok(4));
    let clash = document.rename(at, "silver").expect_err("players have something of this name");
    assert!(matches!(clash, RenameRefusal::Clash { .. }));
    let (document, at) = marked("turns me", "tur|ns me");
    assert_eq!(document.rename(at, "me"), Err(RenameRefusal::NoName));
    let (document, at) = marked("worth(t)", "wor|th(t, t)");
    assert_eq!(document.rename(at, "value"), Err(RenameRefusal::Broken));
}

#[test]
fn offsets_anywhere_are_answered() {
    let text = format!("# äöü – 😀\n{GAME}# 😀");
    let document = read(&text);
    for at in (0..text.len() + 3).step_by(7) {
        let _ = (document.hover(at), document.definition(at), document.references(at, true));
    }
    let _ = document.complete(text.len() + 9);
    assert!(document.complete(3).1.is_empty());
}
