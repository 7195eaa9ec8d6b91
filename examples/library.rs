//! Plays a game file with random moves: `cargo run --example library -- FILE [SEED]`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example is a program")]

use std::error::Error;

use astragal::chance::{Chance, Seed};
use astragal::game::{Game, LegalMoves, Step};
use astragal::pipeline::{GameOptions, OpenedFile, check, load};
use astragal::source::Sources;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("name a .game file")?;
    let seed = words.next().map_or(Ok(1), |word| word.parse())?;
    let game = read(&path)?;
    play(&game, Seed(seed))
}

/// Reads a file, checks it, and loads it for as few players as it allows.
#[expect(clippy::disallowed_methods, reason = "an example is a program, and reads its file")]
fn read(path: &str) -> Result<Game, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let checked = check(&mut Sources::default(), &OpenedFile::alone(path, &text));
    for finding in checked.diagnostics.sorted() {
        eprintln!("{finding}");
    }
    let rules = checked.rules.ok_or("the file has mistakes")?;
    load(&rules, &GameOptions::default()).map_err(|_| "the game has no such setting".into())
}

/// Plays to the end and prints what happens.
fn play(game: &Game, seed: Seed) -> Result<(), Box<dyn Error>> {
    let mut chance = seed.stream(0);
    let mut state = game.initial_state();
    let mut turn = LegalMoves::new();
    loop {
        let step = game.advance(&mut state, &mut turn)?;
        turn.said.iter().for_each(|said| println!("  {}", said.text));
        match step {
            Step::Decide { player } => {
                let moves = u32::try_from(turn.count())?;
                let index = usize::try_from(chance.below(moves))?;
                let name = &game.names()[player.index()];
                println!("{name}> {}", game.label(&state, &turn, index));
                game.choose(&mut state, &turn, index);
            }
            Step::Draw { outcomes } => {
                let index = chance.below(outcomes);
                println!("* {}: {}", game.event(&state), game.outcome(&state, index));
                game.draw(&mut state, index);
            }
            Step::End => {
                let outcome = game.result(&state).ok_or("the game has no result")?;
                println!("= {:?}", outcome.returns);
                return Ok(());
            }
        }
    }
}
