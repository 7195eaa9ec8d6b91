//! A small game made up for tests, at the table and in scripts: players roll a die of three, in turn,
//! until one stops.

mod draws;
mod play;
mod scripts;
mod typing;

use astragal::machinery::game::Game;
use astragal::machinery::pipeline::{GameOptions, load};
use astragal::machinery::session::Running;

use crate::support::rules;

/// Totals above 900 are the mistake that these rules have.
const RULES: &str = r#"
game "Rolling" { players 2 }

the table has { total: 0..900 = 0; die die = 1..3 }

rule roll_once(p: Player) {
  roll die
  total += die
  say "{p} rolls {die}."
}

play {
  let first = random Player
  say "{first} begins."
  turns me from first {
    choose me {
      roll { roll_once(me) }
      pass { say "{me} passes." }
      dare "roll twice" {
        say "{me} dares."
        roll_once(me)
        roll_once(me)
      }
      whisper "whisper card #3" { say to next(me) "psst" }
      stop { finish win me }
    }
  }
}
"#;

/// The same with a die that whoever rolls it keeps covered.
const COVERED: &str = r#"
game "Rolling" { players 2 }

the table has { passed: 0.. = 0 }
each player has { die die = 1..3 seen by owner }

play {
  turns me from random Player {
    choose me {
      roll { roll me.die }
      pass { passed += 1; say "{me} passes." }
      whisper "whisper card #3" { say to next(me) "psst" }
      stop { finish win me }
    }
  }
}
"#;

fn rolling() -> Running {
    Running::new(game(RULES))
}

fn covered() -> Running {
    Running::new(game(COVERED))
}

fn game(text: &str) -> Game {
    let game = load(&rules("rolling.game", text), &GameOptions::default());
    game.expect("it has the usual setting").with_names(["Ann", "Ben"].map(String::from).to_vec())
}
