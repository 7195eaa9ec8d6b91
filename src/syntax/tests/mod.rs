//! What is read, what is refused, and how.

mod limits;
mod messages;
mod printing;
mod reading;

use super::ast::Ast;
use super::{parse, tidy};
use crate::budget::Budget;
use crate::diagnostic::Diagnostics;
use crate::source::Source;

/// A game that uses most of the language.
pub(super) const SAMPLE: &str = r#"game "The Two Groves" {
  players 2..4
  limit 1000 decisions { finish draw }
}
## The cedar may also bend in a storm.
option bend_in_a_storm = no "The cedar may also bend"
option mutual: {draw, visitors_win} = draw
option match_round: 1..9 = 1
let bonus = if players == 2 then 3 else 2
kind Quality { scent "Scent", shade "Shade", bark "Bark" }
kind Foliage {
          strength  quality
  palm    3         scent
  cedar   4         shade
  maple   1         -
}
table start[2..4] = 5 4 3
table scale[Foliage, Quality] {
         scent  shade  bark
  palm   3      -      1
  cedar  2      1      -
}
each player has {
  alive: set of Foliage = Foliage
  used: set of Quality = {}
  points: 0.. = 0
  coin gold: 0..5 = start[players]
  hit[r in Foliage, d in Quality] = scale[r, d] == none
}
the table has {
  die cube = 1..20
  dice die for Foliage = 1..6
  die upper = palm palm cedar
  warden: maybe Player = none
}
## The opponent of a player.
rule foe(p: Player) = next(p)
rule cut_down(owner: Player, lost: Foliage) {
  owner.alive -= {lost}
  say "{owner} loses {lost}."
}
rule outgrow(me: Player, mine: Foliage, theirs: Foliage, call: maybe Quality) -> yes/no {
  var strive = mine.strength
  let guard = choose foe(me) shield from foe(me).alive
  if call == scent { strive += 2 } else if call == bark and not bend_in_a_storm
    and mine != theirs { swap strive and warden } else { me gains 2 gold }
  match guard {
    palm, cedar: strive = strive + 1
    maple: { strive -= 1; return no }
  }
  return strive > theirs.strength or any(e in foe(me).alive: e.strength < 2)
}
setup { warden = random Player }
play {
  turns me from Player.first where me.alive != {} {
    choose me "What do you do?" {
      ## Strive with a tree.
      strive(mine, theirs, call) "strive {mine} {theirs}"
        for mine in me.alive
        for theirs in foe(me).alive
        maybe call in {mine.quality} where call in {scent, bark} and call not in me.used
        when count(me.alive) > 0
      { let won = outgrow(me, mine, theirs, call); if won { cut_down(foe(me), theirs) } }
      regrow(lost) for lost in Foliage minus me.alive when maple in me.alive { me.alive += {lost} }
    } or keep when turn > 3 { say "…" } else { finish draw }
    for p in Player from me where p.points > 2 { reset p.points, p.hit }
    repeat 2 times { roll cube; roll die for e in Foliage where e != palm }
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

/// A text laid out, which has no mistake of form.
pub(super) fn tidied(text: &str) -> String {
    let source = Source::new("test.game", text);
    tidy(&source, &parse(&source).0, &Budget::default()).expect("there is room for it")
}
