//! What players may not see, and how it could get to them.

use super::codes;

/// A game of cards and secret numbers with these statements.
fn game(rules: &str, statements: &str) -> String {
    format!(
        r#"game "T" {{ players 2; limit 90 decisions {{ finish draw }} }}
kind Rank {{ ace, king, queen }}
cards Card of Rank copies {{ ace: 3, king: 3, queen: 3 }}
each player has {{ s: 0..9 = 0 seen by owner; hand: cards seen by owner; score = 0 }}
the table has {{ deck: cards hidden = Card; seen = 0 }}
rule held(p: Player) = {{c.face for c in p.hand}}
{rules}
play {{
  let me = Player.first
  let you = Player.last
  {statements}
  finish draw
}}
"#
    )
}

#[track_caller]
fn plays(statements: &str, expected: &[&str]) {
    assert_eq!(codes(&game("", statements)), expected, "{statements}");
}

const ASK: &str = "choose me { go { }; stay { } }";

#[test]
fn a_secret_that_is_read_behind_the_last_question_is_not_kept() {
    let win = "let w = highest(p in Player by p.s)\nfor p in w { finish win p }";
    plays(&format!("{ASK}\n{win}"), &[]);
    plays(&format!("repeat 3 times {{ {ASK} }}\n{win}"), &[]);
    plays(&format!("repeat 3 times {{ {ASK}\n{win} }}"), &[]);
    plays(&format!("{ASK}\nfor p in Player where p.s > 3 {{ p.score += 1 }}"), &[]);
    plays(
        &format!("repeat 3 times {{ {ASK}\nfor p in Player where p.s > 3 {{ p.score += 1 }} }}"),
        &[],
    );
}

#[test]
fn a_question_on_another_way_keeps_nothing() {
    let keep = "let w = me.s";
    plays(&format!("{keep}\nif seen > 3 {{ {ASK}\nreturn }}\nme.score += w"), &[]);
    plays(&format!("{keep}\nif seen > 3 {{ {ASK}\nfinish draw }}\nme.score += w"), &[]);
    plays(&format!("repeat {{ {keep}\nif seen > 3 {{ {ASK}\nbreak }}\nme.score += w }}"), &[]);
    plays(&format!("var w = me.s\nw = 3\n{ASK}\nme.score += w"), &[]);
}

#[test]
fn a_secret_that_is_read_before_a_question_and_used_behind_it_is_kept() {
    let kept = &["check::secret_kept"];
    plays(&format!("let w = me.s\n{ASK}\nme.score += w"), kept);
    plays(&format!("let w = me.s\nif seen > 3 {{ {ASK} }}\nme.score += w"), kept);
    plays(
        &format!("let w = me.s\nrepeat {{ {ASK}\nif seen > 3 {{ break }} }}\nme.score += w"),
        kept,
    );
    plays(&format!("let w = me.s\nrepeat 2 times {{ me.score += w\n{ASK} }}"), kept);
    plays(&format!("var w = 0\nrepeat 2 times {{ me.score += w\n{ASK}\nw = me.s }}"), &[]);
}

#[test]
fn a_secret_goes_round_a_loop_as_often_as_it_must() {
    let chain = "var a = 0\nvar b = 0\nvar c = 0\nrepeat 9 times { c = b; b = a; a = you.s }";
    let ask = "choose me { attack when c > 3 { } } or pass { }";
    plays(&format!("{chain}\n{ask}"), &["check::leak"]);
    let inner = "var a = 0\nvar b = 0\nvar c = 0\nvar d = 0\n\
                 repeat 9 times { d = c; repeat 9 times { c = b; b = a }; a = you.s }";
    plays(
        &format!("{inner}\nchoose me {{ attack when d > 3 {{ }} }} or pass {{ }}"),
        &["check::leak"],
    );
}

#[test]
fn whether_a_hand_has_cards_is_no_secret() {
    plays("choose me { ask(r) for r in held(me) { } } else { }", &[]);
    plays("choose me { ask(r) for r in {c.face for c in me.hand} { } } else { }", &[]);
    plays("choose me { lay(c) for c in me.hand { } } else { }", &[]);
    plays("if held(me) == {} { choose you { go { } } }", &[]);
    plays("choose me { lay(c) for c in me.hand where c == ace { } } else { }", &["check::leak"]);
    plays("choose me { lay(c) for c in me.hand when c == ace { } } else { }", &["check::leak"]);
    plays("choose me { ask(r) for r in held(you) { } } else { }", &["check::leak"]);
    plays("if held(me) == {ace} { choose you { go { } } }", &["check::leak"]);
}

#[test]
fn a_rule_that_is_supposed_reads_what_it_is_given() {
    let rules = "rule open(p: Player) { p.score = p.s }\n\
                 rule both(p: Player, q: Player) { open(p); open(q) }";
    let asks = "choose me { go when (suppose { both(me, you) }: you.score) > 3 { } } or pass { }";
    assert_eq!(codes(&game(rules, asks)), ["check::leak"]);
}

#[test]
fn loops_inside_each_other_are_looked_at_together() {
    // A walk that repeats the body of each loop would take 2^60 steps here.
    let names = (0..60).map(|at| format!("i{at}"));
    let loops = names.fold(String::new(), |all, name| all + "for " + &name + " in 1..2 { ");
    let nested = game("", &format!("{loops}me.score += me.s{}", " }".repeat(60)));
    assert_eq!(codes(&nested), [""; 0]);
}
