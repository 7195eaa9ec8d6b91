//! Plays a game file with random moves: `cargo run --example library -- FILE [SEED]`.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "an example is a program")]

use std::error::Error;

use astragal::{Chance, GameOptions, Seed, load_text};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("name a .game file")?;
    let mut chance = Seed(words.next().map_or(Ok(1), |word| word.parse())?).stream(0);
    let text = std::fs::read_to_string(&path)?;
    let game = load_text(&path, &text, &GameOptions::default())?;
    let mut state = game.start()?;
    while !game.is_terminal(&state) {
        let said = if let Some(player) = game.current_player(&state) {
            let mut actions = game.legal_actions(&state);
            let action = actions.swap_remove(chance.below(u32::try_from(actions.len())?) as usize);
            println!("{}> {action}", game.names()[player.index()]);
            game.apply_action(&mut state, &action)?
        } else {
            let outcomes = game.chance_outcomes(&state);
            let drawn = outcomes.iter().flat_map(|it| vec![it; it.weight as usize]);
            let drawn: Vec<_> = drawn.collect();
            let drawn = drawn[chance.below(u32::try_from(drawn.len())?) as usize];
            println!("* {}", drawn.label);
            game.apply_outcome(&mut state, drawn.index)?
        };
        said.iter().for_each(|said| println!("  {}", said.text));
    }
    println!("= {:?}", game.final_returns(&state).ok_or("the game has no result")?);
    Ok(())
}
