//! A new card is one line of a table: it is sold, bought, drawn and played like all others.

use astragal::machinery::session::{Running, run};
use astragal::machinery::source::Source;
use astragal::machinery::transcript::parse;

use crate::scripts::game_with;
use crate::support::{self, Event, draw, read, root, rules};

const GAME: &str = "games/card-dice/card-dice.game";

/// The first word of the row behind which a card stands, its row, and what is played with it.
const CARDS: [(&str, &str, &str); 7] = [
    (
        "volcanic_eruption",
        r#"forest_fire "Forest Fire" 12 "Deal 2 x [fire] x [nature] damage." deal {fire, nature} 2"#,
        "Ann> play forest_fire\n? Ben.health == 110 and Ann.gold == 46",
    ),
    (
        "volcanic_eruption",
        r#"mud_bath "Mud Bath" 7 "Heal [earth] x [water] x [utility]." heal {earth, water, utility}"#,
        "Ann> play mud_bath\n? Ann.health == 174",
    ),
    (
        "water_reservoirs",
        r#"firewall "Firewall" 7 "Shield [magic]." passive shield {magic} {fire, magic}"#,
        "set move {c in Card where c == firewall} to Ann.passives\n\
         ? harm_to(Ann, Ben, fire) == 0 and harm_to(Ann, Ben, blazing_fire) == 2",
    ),
    (
        "purism",
        r#"frenzy "Frenzy" 18 "Triple your combos." strengthen 3 {combo}"#,
        "Ann> play frenzy\n? strength(Ann, meteor_strike) == 54 and strength(Ann, fire) == 4",
    ),
    (
        "gambling",
        r#"dizziness "Dizziness" 18 "Reroll a die up to six times." reroll 6"#,
        "Ann> play dizziness\nAnn> die gold\nAnn> again\nAnn> stop",
    ),
    (
        "sneak_peek",
        r#"tax "Tax" 3 "Draw two cards and gain [gold] gold." blessing earn 2 {gold}"#,
        "Ann> bless tax\n? Ann.gold == 7 and count(Ann.hand) == 2",
    ),
    (
        "exploration_4",
        r#"treadmill "Treadmill" 18 "Draw 3 x [utility]/4 cards." action draw_more {utility} 3 4"#,
        "Ann> play treadmill\n? count(Ann.hand) == 3",
    ),
];

/// The game with one line more.
fn with_card(behind: &str, row: &str) -> String {
    let text = read(&root().join(GAME));
    let start = text.find(&format!("\n  {behind} ")).expect("the row is there") + 1;
    let end = start + text[start..].find('\n').expect("a row ends");
    format!("{}\n  {row}{}", &text[..end], &text[end..])
}

#[test]
fn a_card_is_one_line_and_is_played() {
    for (behind, row, played) in CARDS {
        let text = with_card(behind, row);
        let card = row.split(' ').next().expect("a row begins with a name");
        let dice = [4, 3, 2, 5, 6, 1, 4];
        let kinds = ["fire", "earth", "water", "nature", "magic", "gold", "utility"];
        let dice = kinds.iter().zip(dice).map(|(die, shows)| format!("set die[{die}] = {shows}\n"));
        let script = format!(
            "game {card}\nplayers Ann, Ben\nseed 4\n\n* random Player: Ann\n{}set move {{c in Card where c == {card}}} \
             to Ann.hand\n{played}\n",
            dice.collect::<String>()
        );
        let source = Source::new(card, script);
        let script = parse(&source).expect("the script can be read");
        let ran =
            run(&script, &source, Running::new(game_with(&script, card, &rules(card, &text))));
        assert!(ran.diagnostics.is_empty(), "{}", draw(&source, &ran.diagnostics));
    }
}

#[test]
fn a_new_card_is_sold_and_played_in_random_games() {
    let (behind, row, _) = CARDS[5];
    let script = parse(&Source::new("script", "game tax\n")).expect("it can be read");
    let game = game_with(&script, "tax", &rules("tax", &with_card(behind, row)));
    let mut seen = [false; 3];
    for seed in 0..20 {
        let playout = support::playout(&game, seed, &mut |_, _, _| {}).expect("nothing goes wrong");
        for event in playout.events {
            if let Event::Decided(_, _, label) = event {
                let moves = ["bid tax 3", "bless tax", "discard tax"];
                moves.iter().zip(&mut seen).for_each(|(it, seen)| *seen |= label == *it);
            }
        }
    }
    assert_eq!(seen, [true; 3], "sold, played, discarded");
}
