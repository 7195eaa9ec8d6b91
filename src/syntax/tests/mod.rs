//! What is read, what is refused, and how.

mod limits;
mod messages;
mod printing;
mod reading;

use super::ast::Ast;
use super::parse;
use crate::diagnostic::Diagnostics;
use crate::source::Source;

/// A game that uses most of the language.
pub(super) const SAMPLE: &str = r#"game "Elemental Duel" {
  players 2..4
  limit 1000 decisions { finish draw }
}
## Air may also swap when it defends.
option gust_on_defense = no "Air may also defend with Gust"
option mutual: {draw, attacker_wins} = draw
option match_games: 1..9 = 1
let bonus = if players == 2 then 3 else 2
kind Ability { spark "Spark", flood "Flood", gust "Gust" }
kind Element {
          strength  ability
  fire    3         spark
  water   4         flood
  ether   1         -
}
table start[2..4] = 5 4 3
table scale[Element, Ability] {
         spark  flood  gust
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
  die cube = 1..20
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
  if call == spark { attack += 2 } else if call == gust and not gust_on_defense
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
        maybe call in {mine.ability} where call in {spark, gust} and call not in me.used
        when count(me.alive) > 0
      { let won = clash(me, mine, theirs, call); if won { eliminate(foe(me), theirs) } }
      revive(lost) for lost in Element minus me.alive when ether in me.alive { me.alive += {lost} }
    } or keep when turn > 3 { say "…" } else { finish draw }
    for p in Player from me where p.points > 2 { reset p.points, p.hit }
    repeat 2 times { roll cube; roll die for e in Element where e != fire }
    repeat { cube = roll cube } until cube > 3
    if all(p in Player: count(p.alive) == 0) { finish ranking p by p.points, count(p.alive) }
    let best = highest(p in Player by p.points, count(p.alive))
    finish win {p in Player where p.points >= 3}
  }
}
"#;

pub(super) fn read(text: &str) -> (Ast, Diagnostics) {
    parse(&Source::new("test.game", text))
}

#[track_caller]
pub(super) fn reads(text: &str) -> Ast {
    let (ast, diagnostics) = read(text);
    let messages: Vec<_> = diagnostics.sorted().iter().map(ToString::to_string).collect();
    assert!(messages.is_empty(), "{messages:#?}");
    ast
}
