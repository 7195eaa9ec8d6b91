//! Outcomes of chance as people type them, and as a screen tells them.

use astragal::machinery::session::Running;

use super::game;
use super::play::{Lines, play_at};

/// Chance of every kind, in one move.
const DEALING: &str = r#"
game "Dealing" { players 2 }

kind Colour { red, dark_blue }
kind Face { four_eyes, five_eyes }
kind Tree { ash, old_oak, fir, elm, yew }
kind Price { cheap, dear }
cards Card of Tree

each player has { deck: cards hidden; hand: cards; die coin[1..2] = 1..6 }

the table has {
  stock[p in Price]: cards hidden = {c in Card where p == cheap}
  die cube = 1..6
  die die[Colour] = four_eyes five_eyes
}

play {
  for c in stock[cheap] where c in ash..fir { move c to Player.first.deck }
  shuffle Player.first.deck
  shuffle stock[cheap]
  repeat 2 times {
    let me = Player.first
    choose me {
      deal {
        let lucky = random Player
        roll cube
        roll die[red]
        roll die[dark_blue]
        move top 2 of me.deck to me.hand
        move top of stock[cheap] to lucky.hand
        roll me.coin[2]
      }
      wait { say "Nothing." }
    }
  }
  finish draw
}
"#;

/// What a person at a screen is told who types these lines.
fn told(typed: &[&'static str]) -> Vec<String> {
    let console = Lines { typed: typed.to_vec(), ..Lines::default() };
    play_at(Running::new(game(DEALING)), ["human", "random"], console, "").told
}

#[test]
fn dice_share_a_line_and_so_do_the_cards_of_a_pile() {
    let told = told(&[":roll Ben, 4, four_eyes, five_eyes, old_oak, ash, elm, 6", "deal", ":quit"]);
    let lines = [
        "  picked at random: Ben",
        "  rolled: cube 4, die red four eyes, dark blue five eyes",
        "  drawn from Ann's deck: old oak, ash",
        "  drawn from stock cheap: elm",
        "  rolled: Ann's coin 2: 6",
    ];
    assert_eq!(told.iter().filter(|line| line.starts_with("  ")).collect::<Vec<_>>(), lines);
}

#[test]
fn outcomes_are_split_by_spaces_or_commas() {
    for (typed, noted) in [
        (":roll Ben 4  four_eyes", "draws are Ben, 4 and four_eyes"),
        (":roll Ben, old  oak", "draws are Ben and old oak"),
        (":roll random  Player: Ben", "draws are random Player: Ben"),
    ] {
        let told = told(&[typed, ":quit"]);
        assert!(told.contains(&format!("the next {noted}; `:roll -` forgets that")), "{told:#?}");
    }
}
