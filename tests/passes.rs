//! Passes of the compiler, each switched off: the games are the same.

use astragal::machinery::compile::{Pass, Passes};
use astragal::machinery::game::{Game, Step};

use crate::support::{Event, below, effort, first_game, game_files, playout, read, rules};

/// At so many states of a game all moves are compared, not only the one that is played.
const MOST_STATES: usize = 50;

type Story = (Vec<Vec<String>>, Result<Vec<Event>, String>);

/// What happens in a game: the moves that could be played, and all events.
fn story(game: &Game, seed: u64) -> Story {
    let mut moves = Vec::new();
    let played = playout(game, seed, &mut |state, turn, step| {
        if moves.len() < MOST_STATES && matches!(step, Step::Decide { .. }) {
            moves.push((0..turn.count()).map(|at| game.label_move(state, turn, at)).collect());
        }
    });
    (moves, played.map(|played| played.events).map_err(|trap| format!("{trap:?}")))
}

/// The first place at which two games differ: a list of legal moves, an event or the end.
fn first_difference(usual: &Story, other: &Story) -> Option<String> {
    if usual == other {
        return None;
    }
    let moves = usual.0.iter().zip(&other.0).position(|(usual, other)| usual != other);
    if let Some(at) = moves {
        return Some(format!("decision {at}:\n  {:?}\n  {:?}", usual.0[at], other.0[at]));
    }
    let (Ok(events), Ok(others)) = (&usual.1, &other.1) else {
        return Some(format!("its end:\n  {:?}\n  {:?}", usual.1, other.1));
    };
    let same = events.iter().zip(others).take_while(|(usual, other)| usual == other).count();
    Some(format!("event {same}:\n  {:?}\n  {:?}", events.get(same), others.get(same)))
}

#[test]
fn games_are_the_same_without_any_pass() {
    let mut fired = Passes::default();
    for path in game_files(&["games", "examples", "tests/games"]) {
        let name = below(&path);
        let game = first_game(&rules(&name, &read(&path)));
        let of_game = game.compiled().fired;
        let did = Pass::ALL.into_iter().filter(|pass| of_game.has(*pass));
        fired = did.clone().fold(fired, Passes::with);
        let without = did.map(|pass| (pass.name(), [pass].into_iter().collect()));
        let seeds = 0..effort() as u64;
        let usual: Vec<_> = seeds.clone().map(|seed| story(&game, seed)).collect();
        for (pass, off) in without.chain([("all", Passes::all())]) {
            let other = game.without(off).expect("there is room for it");
            let does_more =
                Pass::ALL.into_iter().any(|it| off.has(it) && other.compiled().fired.has(it));
            assert!(!does_more, "{name}: `{pass}` is switched off and did something");
            for (seed, usual) in seeds.clone().zip(&usual) {
                let other = story(&other, seed);
                if let Some(place) = first_difference(usual, &other) {
                    panic!("{name}, seed {seed}: another game without `{pass}`, {place}");
                }
            }
        }
    }
    let idle: Vec<_> = Pass::ALL.into_iter().filter(|pass| !fired.has(*pass)).collect();
    assert!(idle.is_empty(), "no game is changed by {idle:?}");
}

#[test]
fn what_a_pass_leaves_alone_is_the_same_program() {
    for path in game_files(&["examples"]) {
        let game = first_game(&rules(&below(&path), &read(&path)));
        for pass in Pass::ALL.into_iter().filter(|pass| !game.compiled().fired.has(*pass)) {
            let other = game.without([pass].into_iter().collect()).expect("there is room for it");
            assert!(other.program() == game.program(), "{}: `{}`", below(&path), pass.name());
        }
    }
}

/// Rules that are written out where they are called do not make a program longer without end.
#[test]
fn short_rules_are_written_out_so_often_at_most() {
    let length = |calls: usize| {
        let calls = "    bump(me)\n".repeat(calls);
        let text = format!(
            "game \"Bumps\" {{ players 2 }}\neach player has {{ score = 0 }}\nrule bump(p: Player) {{\n  \
             if p.score > 5 {{ p.score = p.score mod 3 }} else {{ p.score += 2 }}\n}}\nplay {{\n  turns me \
             from Player.first {{\n    choose me {{ go {{ }}; stop {{ finish draw }} }}\n{calls}  }}\n}}\n"
        );
        first_game(&rules("bumps", &text)).program().code.len()
    };
    let (few, some, many) = (length(2), length(800), length(1600));
    assert!(many - some <= 3 * 800, "{few} operations, then {some}, then {many}");
}
