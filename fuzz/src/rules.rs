//! A text as rules: read, laid out, checked, compiled, played.

use astragal::machinery::bots::{MAX_MEMORY, PlayRule, Solve, solve};
use astragal::machinery::budget::Budget;
use astragal::machinery::chance::{Chance, Seed, Seeded};
use astragal::machinery::compile::Specialisation;
use astragal::machinery::diagnostic::Diagnostics;
use astragal::machinery::dump::dump;
use astragal::machinery::game::{Game, LegalMoves, Player, State, Step};
use astragal::machinery::load::OpenedFile;
use astragal::machinery::pipeline::{GameOptions, Ruleset, check_without_compiling, choices, load};
use astragal::machinery::progress::Progress;
use astragal::machinery::rulebook::{Edition, rulebook};
use astragal::machinery::session::{Perft, perft};
use astragal::machinery::source::{Source, Sources};
use astragal::machinery::syntax::{TokenKind, parse, tidy, tokenize};

/// How many decisions and draws a game is played.
const EVENTS: usize = 40;

/// Most moves whose words are looked at.
const MOVES: usize = 64;

/// Reads a text; what can be read is laid out, which changes nothing but the layout, and once.
pub fn read(text: &str) {
    let source = Source::new("it.game", text);
    let (ast, found) = parse(&source);
    told(&found);
    if found.has_errors() {
        return;
    }
    let Ok(laid_out) = tidy(&source, &ast, &Budget::default()) else { return };
    let laid_out = Source::new("it.game", laid_out);
    let (again, found) = parse(&laid_out);
    assert!(!found.has_errors(), "laid out it cannot be read:\n{}", laid_out.text);
    assert_eq!(
        dump(&again.items),
        dump(&ast.items),
        "laid out it has other rules:\n{}",
        laid_out.text
    );
    assert_eq!(comments(&laid_out.text), comments(text), "laid out it has other comments");
    let twice = tidy(&laid_out, &again, &Budget::default());
    assert_eq!(twice.as_ref(), Ok(&laid_out.text), "laid out twice it differs");
}

/// Checks a text; its rules, if nothing is wrong with it.
pub fn check(text: &str) -> Option<Ruleset> {
    let mut sources = Sources::default();
    let checked = check_without_compiling(&mut sources, &OpenedFile::alone("it.game", text));
    told(&checked.diagnostics);
    assert!(checked.rules.is_some() || checked.diagnostics.has_errors(), "refused without a word");
    checked.rules
}

/// Writes the rulebook of checked rules, for all tables.
pub fn write_book(ruleset: &Ruleset) {
    let Ruleset { rules, sources } = ruleset;
    let edition = Edition { rules, sources, settings: &[], variants: &[] };
    if let Ok(book) = rulebook(&edition, &Budget::default()) {
        assert!(!book.markdown().is_empty());
    }
}

/// Compiles rules for two settings, and plays both.
pub fn compile(ruleset: &Ruleset, number: u64) {
    let mut chance = Seed(number).stream(1);
    for setting in [GameOptions::default(), some_setting(ruleset, &mut chance)] {
        match load(ruleset, &setting) {
            Ok(game) => play(&game, number),
            Err(found) => {
                told(&found);
                assert!(found.has_errors(), "refused without a word");
            }
        }
    }
}

/// Plays a game twice with the same answers; both times the same happens.
pub fn play(game: &Game, number: u64) {
    let (first, second) = (played(game, number), played(game, number));
    assert!(first == second, "the same answers lead elsewhere");
}

/// Plays a game with machine code and without; both times the same happens.
#[cfg(feature = "native")]
pub fn play_with_both(ruleset: &Ruleset, number: u64) {
    let mut chance = Seed(number).stream(1);
    let setting = some_setting(ruleset, &mut chance);
    let (Ok(slow), Ok(fast)) = (load(ruleset, &setting), load(ruleset, &setting)) else { return };
    astragal::machinery::native::accelerate(fast.program(), false)
        .expect("this processor is known");
    assert!(played(&slow, number) == played(&fast, number), "the engines differ");
}

/// Every finding has a code and words, and points into the texts.
fn told(found: &Diagnostics) {
    for finding in found.sorted() {
        assert!(finding.code.is_some(), "a finding has no code: {finding}");
        assert!(!finding.to_string().is_empty(), "a finding says nothing");
        let help = finding.help.clone();
        assert!(help.is_none_or(|help| !help.is_empty()), "a help says nothing: {finding}");
    }
}

/// What the comments and notes of a text say.
fn comments(text: &str) -> Vec<&str> {
    let comments = tokenize(text).all.into_iter().filter(|token| token.kind == TokenKind::Comment);
    comments.map(|token| token.text.trim_start_matches('#').trim()).collect()
}

/// A number of players and values of options that the rules allow.
fn some_setting(ruleset: &Ruleset, chance: &mut Seeded) -> GameOptions {
    let rules = &ruleset.rules;
    let counts: Vec<usize> = rules.player_counts().collect();
    let players = counts[chance.below(u32::try_from(counts.len()).unwrap_or(1)) as usize];
    let choices = choices(rules, players);
    let mut picked = Specialisation { players, options: Vec::new() };
    let mut options = Vec::new();
    for (option, choice) in rules.options.iter().zip(&choices) {
        let count = u32::try_from(choice.values.len()).unwrap_or(u32::MAX);
        if count == 0 {
            continue;
        }
        let value = &choice.values[usize::try_from(chance.below(count)).unwrap_or(0)];
        picked.options.push(value.clone());
        let words = astragal::machinery::compile::value_text(rules, &option.ty, value);
        options.push((option.name.clone(), words));
    }
    GameOptions { players: Some(players), options }
}

/// What came of a game: where it stands and what was said.
fn played(game: &Game, number: u64) -> (State, Vec<String>) {
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    let mut chance = Seed(number).stream(0);
    let mut heard = Vec::new();
    for _ in 0..EVENTS {
        let step = match game.advance(&mut state, &mut turn) {
            Ok(step) => step,
            Err(trap) => {
                heard.push(format!("{trap:?}"));
                break;
            }
        };
        heard.extend(turn.said.iter().map(|said| said.text.clone()));
        match step {
            Step::Draw { outcomes } => {
                let index = chance.below(outcomes);
                assert!(!game.event(&state).is_empty(), "an event has no name");
                let _ = game.outcome(&state, index);
                game.draw(&mut state, index);
            }
            Step::Decide { .. } => {
                look(game, &state, &turn);
                let count = u32::try_from(turn.count()).expect("not so many moves");
                let index = usize::try_from(chance.below(count)).expect("not so many moves");
                game.choose(&mut state, &turn, index);
            }
            Step::End => {
                assert!(game.final_outcome(&state).is_some(), "an end without a result");
                break;
            }
        }
    }
    (state, heard)
}

/// Looks at a decision from all sides; looking changes nothing.
fn look(game: &Game, state: &State, turn: &LegalMoves) {
    assert!(turn.count() > 0, "nothing is legal");
    // A game whose moves cannot be typed stops with a trap before it asks.
    let readable = game.wrong_words(state, turn).is_none();
    for index in 0..turn.count().min(MOVES) {
        assert!(
            !readable || !game.label_move(state, turn, index).is_empty(),
            "a move has no words"
        );
        assert!(
            !readable || !game.heard_label(state, turn, index).is_empty(),
            "a move has no words"
        );
    }
    let _ = (game.question(state), game.table(state), game.unkept(state));
    for seat in 0..game.names().len() {
        let seat = u8::try_from(seat).expect("a table has few seats");
        let seen = game.observe(state, Player(seat));
        let _ = game.seen_table(&seen);
    }
    let (mut copy, mut again) = (state.clone(), LegalMoves::new());
    assert!(game.advance(&mut copy, &mut again).is_ok(), "what waits can be asked again");
    assert!(copy == *state, "asking again changes the state");
}

/// Lays out a text, or of a broken one what can be read.
pub fn lay_out(text: &str) {
    let source = Source::new("it.game", text);
    let (ast, found) = parse(&source);
    told(&found);
    if found.has_errors() {
        assert!(ast.items.is_empty() || !dump(&ast.items).is_empty(), "what was read has no tree");
    } else {
        read(text);
    }
    let script = Source::new("it.script", text);
    let _ = astragal::machinery::transcript::tidy(&script);
}

/// Counts the positions of a game, and solves it, within small limits.
pub fn count(ruleset: &Ruleset) {
    let Ok(game) = load(ruleset, &GameOptions::default()) else { return };
    let progress = Progress::new();
    // Where one decision has thousands of moves, three in a row are more than can be counted.
    for depth in 1..=3 {
        let wanted = Perft {
            start: None,
            turns: None,
            game: &game,
            depth: Some(depth),
            most: 200,
            memory: MAX_MEMORY,
            seed: Seed(1),
            progress: &progress,
        };
        let (first, again) = (perft(wanted, &mut []), perft(wanted, &mut []));
        assert_eq!(first.is_ok(), again.is_ok(), "counting again leads elsewhere");
        if first.is_ok_and(|counts| counts.at(depth).to_string().len() > 3) {
            break;
        }
    }
    for rule in [PlayRule::Best, PlayRule::Uniform] {
        let wanted = Solve::new(rule, 500, &progress);
        let solved = solve(&game, &game.initial_state(), wanted);
        assert!(solved.is_err() || solved == solve(&game, &game.initial_state(), wanted));
    }
}
