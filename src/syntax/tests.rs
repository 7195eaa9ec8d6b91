//! What is read, what is refused, and how.

use super::ast::Ast;
use super::error::SyntaxError;
use super::parse;
use crate::diagnostic::Diagnostics;
use crate::source::Source;

/// A game that uses most of the language.
pub(super) const SAMPLE: &str = r##"game "Elemental Duel" {
  players 2..4
  limit 1000 decisions { finish draw }
}
## Air may also swap when it defends.
option gale_on_defense = no "Air may also defend with Gale"
option mutual: {draw, attacker_wins} = draw
option match_games: 1..9 = 1
let bonus = if players == 2 then 3 else 2
kind Ability { blaze "Blaze", surge "Surge", gale "Gale" }
kind Element {
          strength  ability
  fire    3         blaze
  water   4         surge
  ether   1         -
}
table start[2..4] = 5 4 3
table scale[Element, Ability] {
         blaze  surge  gale
  fire   3      -      1
  water  2      1      -
}
each player has {
  alive: set of Element = Element
  used: set of Ability = {}
  points: 0.. = 0
  coin gold: 0..5 = start[players]
  hit[r in Element, d in Ability] = scale[r, d] == none
}
the table has {
  die tice = 1..20
  dice die for Element = 1..6
  die upper = fire fire water
  leader: maybe Player = none
}
## The opponent of a player.
rule foe(p: Player) = next(p)
rule eliminate(owner: Player, lost: Element) {
  owner.alive -= {lost}
  say "{owner} loses {lost}."
}
rule clash(me: Player, mine: Element, theirs: Element, call: maybe Ability) -> yes/no {
  var attack = mine.strength
  let guard = choose foe(me) shield from foe(me).alive
  if call == blaze { attack += 2 } else if call == gale and not gale_on_defense
    and mine != theirs { swap attack and leader } else { me gains 2 gold }
  match guard {
    fire, water: attack = attack + 1
    ether: { attack -= 1; return no }
  }
  return attack > theirs.strength or any(e in foe(me).alive: e.strength < 2)
}
setup { leader = random Player }
play {
  turns me from Player.first where me.alive != {} {
    choose me "What do you do?" {
      ## Attack an element.
      attack(mine, theirs, call) "attack {mine} {theirs}"
        for mine in me.alive
        for theirs in foe(me).alive
        maybe call in {mine.ability} where call in {blaze, gale} and call not in me.used
        when count(me.alive) > 0
      { let won = clash(me, mine, theirs, call); if won { eliminate(foe(me), theirs) } }
      revive(lost) for lost in Element minus me.alive when ether in me.alive { me.alive += {lost} }
    } or keep when turn > 3 { say "…" } else { finish draw }
    for p in Player from me where p.points > 2 { reset p.points, p.hit }
    repeat 2 times { roll tice; roll die for e in Element where e != fire }
    repeat { tice = roll tice } until tice > 3
    if all(p in Player: count(p.alive) == 0) { finish ranking p by p.points, count(p.alive) }
    let best = highest(p in Player by p.points, count(p.alive))
    finish win {p in Player where p.points >= 3}
  }
}
"##;

pub(super) fn read(text: &str) -> (Ast, Diagnostics) {
    parse(&Source::new("test.game", text))
}

#[track_caller]
fn reads(text: &str) -> Ast {
    let (ast, diagnostics) = read(text);
    let messages: Vec<_> = diagnostics.sorted().iter().map(ToString::to_string).collect();
    assert!(messages.is_empty(), "{messages:#?}");
    ast
}

#[test]
fn the_sample_is_read() {
    assert_eq!(reads(SAMPLE).items.len(), 16);
}

/// The tree without its places.
fn shape(ast: &Ast) -> String {
    let text = format!("{:#?}", ast.items);
    let mut kept: Vec<&str> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "span: Span {" {
            lines.nth(2);
        } else {
            kept.push(line);
        }
    }
    kept.join("\n")
}

#[track_caller]
fn prints_as(text: &str, expected: &str) {
    let ast = reads(text);
    let printed = super::print(&ast);
    assert_eq!(printed, expected);
    let again = reads(&printed);
    assert_eq!(shape(&again), shape(&ast), "{printed}");
    assert_eq!(super::print(&again), printed);
}

#[track_caller]
fn keeps(text: &str) {
    prints_as(text, text);
}

#[track_caller]
fn round_trips(text: &str) {
    let printed = super::print(&reads(text));
    prints_as(text, &printed);
}

#[test]
fn printing_keeps_the_sample() {
    round_trips(SAMPLE);
    println!("{}", super::print(&reads(SAMPLE)));
}

#[test]
fn zz_show_messages() {
    let cases: &[&str] = &[
        "",
        "}",
        "\"",
        "rule a() {\n  if x {\n    foo()\n}\nrule b() = 1\n",
        "rule a() {\n  foo()\nrule b() = 1\n",
        "rule a() {\n  foo(1, 2\n}\nrule b() = 1\n",
        "rule a() = (1 + 2\nrule b() = 1\n",
        "rule a() {\n  if x\n    foo()\n  }\n  bar()\n}\nrule b() = 1\n",
        "rule a() {\n  foo()\n}\n}\nrule b() = 1\n",
        "rul a() {\n}\n",
        "kind element { fire }",
        "rule Foe() = 1",
        "kind E {\n  fire\n  water\n}\n",
        "rule a() {\n  if x = 3 { foo() }\n}\n",
        "rule a() {\n  if x == 3 { foo() } elseif y { bar() }\n}\n",
        "rule a() {\n  if x == 3 { foo() }\n  elif y { bar() }\n}\n",
        "rule a() = x && y",
        "rule a() = !x",
        "rule a() = true",
        "rule a() {\n  say \"hello\n}\nrule b() = 1",
        "rule a() {\n  say \"hello {x\"\n}\nrule b() = 1",
        "rule a(x: number) number = 3",
        "rule a() = 1 < x < 3",
        "rule a() = 1..x..3",
        "rule a() = 99999999999999999999",
        "rule a() = 1.5",
        "rule a() = \"\\q\"",
        "rule a() = \"{}\"",
        "let in = 3",
        "rule a() {\n  let match = 3\n}",
        "rule a() {\n  x = \n}",
        "rule a() {\n  x = 3 y\n}",
        "rule a() {\n  for x on S { }\n}",
        "rule a() {\n  let x 3\n}",
        "option x 3",
        "game Title {\n}",
        "game \"T\" {\n  player 3\n}",
        "play {\n  choose me {\n    a(x) for x in S\n    b { }\n  }\n}",
        "play {\n  choose me {\n    a(x) fr x in S { }\n  }\n}",
        "play {\n  match x {\n    a b: foo()\n  }\n}",
        "each player has {\n  x\n}",
        "each player have {\n  x = 1\n}",
        "each player has {\n  x: nummer = ,\n}",
        "the table has {\n  die x = 1..\n}",
        "table t[1..3] = ",
        "table t = 1 2 3",
        "kind E {\n  a b\n  x 1 (\n}\n",
        "## lost",
        "rule a() {\n  ## lost\n  foo()\n}",
        "rule a() = {x + 1 where x > 3}",
        "rule a() = ä",
        "rule a() = if x then 3",
        "rule a() = f(a b)",
        "rule a() = any(c in S, 3)",
        "rule a() = a +",
        "play\n{\n}\n",
        "rule a()\n{\n}\n",
        "play {\n  roll\n}",
        "play { finish wun me }",
        "play { me gains 2 }",
        "play { x++ }",
        "play { return x == }",
        "play { foo() bar() }",
        "play { choose me { } or { } }",
        "play { repeat 3 { } }",
        "setup { say 'hi' }",
    ];
    for case in cases {
        let source = Source::new("t.game", *case);
        let (_, diagnostics) = parse(&source);
        println!("---- {case}");
        for finding in diagnostics.sorted() {
            let place = crate::diagnostic::place(finding.as_ref());
            let at = source.place(place.start);
            let help = finding.help().map(|help| help.to_string()).unwrap_or_default();
            println!(
                "   >> {}:{} {:?} {} | {help}",
                at.line,
                at.column,
                source.slice(place),
                finding
            );
        }
    }
}
