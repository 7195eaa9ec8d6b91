//! Cards and piles.

use super::checked;
use crate::check::check_expression;
use crate::check::rules::{SnippetScope, VarForm};
use crate::source::Source;
use crate::syntax::parse_expression;

const POND: &str = "game \"Pond\" { players 2 }
kind Fish { carp, pike }
cards Catch of Fish
each player has { net: cards }
the table has { pond: cards hidden = Catch }
rule take(from_top: cards, to: cards) { move top 1 of from_top to to }
rule is_carp(c: Catch) = c == carp and c.face in {carp} and c in {carp, pike}
play { take(pond, Player.first.net); finish draw }
";

#[test]
fn only_piles_whose_top_is_asked_for_keep_an_order() {
    let rules = checked(POND).0.expect("the game is fine");
    let ordered = |name: &str| {
        let var = rules.vars.iter().find(|var| var.name == name).expect("it is declared");
        matches!(var.form, VarForm::Pile(pile) if pile.ordered)
    };
    // By reference, any pile that is given may be the one.
    assert!(ordered("pond") && ordered("net"));
    let direct = POND.replace("move top 1 of from_top to to", "move from_top to to");
    let rules = checked(&direct).0.expect("the game is fine");
    assert!(rules.vars.iter().all(|var| !matches!(var.form, VarForm::Pile(pile) if pile.ordered)));
}

#[test]
fn what_is_typed_cannot_ask_for_an_order_that_is_not_kept() {
    let direct = POND.replace("move top 1 of from_top to to", "move from_top to to");
    let rules = checked(&direct).0.expect("the game is fine");
    let scope = SnippetScope { players: vec!["Ann".to_owned()], locals: Vec::new() };
    let expr = parse_expression(&Source::new("typed", "top of pond")).expect("it can be read");
    let found = check_expression(&rules, &scope, &expr).expect_err("nobody keeps it");
    let found = found.sorted();
    let code = found[0].code.expect("each finding has a code");
    assert_eq!(code.to_string(), "check::no_order");
}
