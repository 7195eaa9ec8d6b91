//! Programs at the table: they repeat themselves, they play every game, and they play games well
//! whose best play is known.

use std::fmt::Write;

use astragal::machinery::bots::{
    Analysis, Bot, BotBudget, BotKind, Control, GameValue, PlayRule, Solution, Solve, SolveRefusal,
    View, solve, solve_along,
};
use astragal::machinery::chance::{Chance, Seed, Seeded};
use astragal::machinery::game::{Game, LegalMoves, Player, State, Step, Trap};
use astragal::machinery::pipeline::{GameOptions, load};
use astragal::machinery::progress::Progress;

use crate::support::{
    below, checksum, files, first_game, game_files, is_variant, read, root, rules, snapshots,
};

/// All bots, with so few iterations that many games can be played.
fn bots() -> Vec<BotKind> {
    let few = |kind: &BotKind| match kind {
        BotKind::Rollout(_) => BotKind::Rollout(BotBudget::Iterations(6)),
        BotKind::Uct(_) => BotKind::Uct(BotBudget::Iterations(6)),
        BotKind::Mcts(BotBudget::Iterations(_), guide) => {
            BotKind::Mcts(BotBudget::Iterations(8), *guide)
        }
        // A search that looks at one position only has its own way to choose.
        BotKind::Mcts(BotBudget::Milliseconds(_), guide) => {
            BotKind::Mcts(BotBudget::Iterations(1), *guide)
        }
        other => *other,
    };
    BotKind::ALL.iter().map(few).collect()
}

/// A game of the project with some options.
fn game(path: &str, options: &[(&str, &str)]) -> Game {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let setting = GameOptions { players: None, options: options.iter().map(pair).collect() };
    let rules = rules(path, &read(&root().join(path)));
    load(&rules, &setting).expect("the game has these options")
}

fn ask(
    bot: &mut dyn Bot,
    game: &Game,
    at: (&State, &LegalMoves, Player),
    stream: &mut Seeded,
) -> usize {
    let (state, turn, player) = at;
    let seen = game.observe(state, player);
    let view = View { game, seen: &seen, player, offers: turn.offers() };
    bot.choose(&view, stream)
}

/// Plays up to so many decisions; gives what was chosen.
fn played(study: &Analysis, kind: BotKind, seed: u64, decisions: usize) -> Vec<usize> {
    let game = study.game();
    let players = game.info().players;
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    let mut table = Seed(seed).table_stream(0, players);
    let mut bot = kind.bot(study, Control::timed(|| 0));
    let mut seat = Seed(seed).seat(0, players, 0);
    let mut chosen = Vec::new();
    while chosen.len() < decisions {
        match game.advance(&mut state, &mut turn).expect("the game has no mistake") {
            Step::Draw { outcomes } => game.draw(&mut state, table.below(outcomes)),
            Step::End => break,
            Step::Decide { player } => {
                let index = ask(bot.as_mut(), game, (&state, &turn, player), &mut seat);
                assert!(index < turn.count(), "{kind:?} makes a move that is not there");
                game.choose(&mut state, &turn, index);
                chosen.push(index);
            }
        }
    }
    chosen
}

#[test]
fn every_bot_plays_every_game_and_repeats_itself() {
    let mut games = game_files(&["games", "examples", "tests/games"]);
    games.extend(files("tests/bots", "game"));
    let mut chosen = String::new();
    for (at, path) in games.iter().filter(|path| !is_variant(path)).enumerate() {
        let name = below(path);
        let study = Analysis::new(first_game(&rules(&name, &read(path))));
        let _ = write!(chosen, "{name}:");
        // Perfect play would examine most games as long as it may.
        for kind in bots().into_iter().filter(|kind| *kind != BotKind::Solve) {
            let once = played(&study, kind, 5, 12);
            // The numbers below are those of other days and machines, so a second game shows only
            // whether a bot remembers the first.
            if at % 8 == 0 {
                let again = played(&study, kind, 5, 12);
                assert_eq!(once, again, "{kind} at {name} does not repeat itself");
            }
            let _ = write!(chosen, " {kind} {:08x}", checksum(&format!("{once:?}")));
        }
        chosen.push('\n');
    }
    let _guard = snapshots("bots");
    insta::assert_snapshot!("chosen", chosen);
}

#[test]
fn a_stream_moves_on_by_the_same_length_whatever_a_bot_does() {
    let game = game("examples/nim.game", &[]);
    for kind in bots() {
        let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
        let step = game.advance(&mut state, &mut turn).expect("the game has no mistake");
        let Step::Decide { player } = step else { panic!("nim begins with a decision") };
        let (mut asked, mut skipped) = (Seed(4).stream(1), Seed(4).stream(1));
        ask(
            kind.bot(&Analysis::new(game.clone()), Control::timed(|| 0)).as_mut(),
            &game,
            (&state, &turn, player),
            &mut asked,
        );
        kind.skip(turn.offers(), &mut skipped);
        assert_eq!(asked.below(u32::MAX), skipped.below(u32::MAX), "{kind}");
    }
}

#[test]
fn states_that_a_player_cannot_tell_apart_get_the_same_move() {
    let games = game_files(&["games", "examples", "tests/games"]);
    let mut hiding = 0;
    let mut apart = 0;
    for path in games.iter().filter(|path| !is_variant(path)) {
        let game = first_game(&rules(&below(path), &read(path)));
        if game.has_secrets() {
            hiding += 1;
            apart += decisions_where_states_differ(&game, &below(path));
        }
    }
    assert!(hiding >= 5, "only {hiding} games hide anything");
    assert!(apart > 60, "only {apart} states differ from those that they are taken for");
}

/// Plays a while at random; at each decision every bot is asked in the state that is and in
/// another that its player could be in. Gives how often the two were different states.
fn decisions_where_states_differ(game: &Game, name: &str) -> usize {
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    let mut chance = Seed(11).stream(0);
    let words = ["random", "greedy", "rollout:8", "mcts:12"];
    let kinds = words.map(|word| BotKind::parse(word).expect("this is a bot"));
    let mut bots = kinds.map(|kind| kind.bot(&Analysis::new(game.clone()), Control::timed(|| 0)));
    let mut apart = 0;
    for _ in 0..60 {
        match game.advance(&mut state, &mut turn).expect("the game has no mistake") {
            Step::Draw { outcomes } => game.draw(&mut state, chance.below(outcomes)),
            Step::End => break,
            Step::Decide { player } => {
                let seen = game.observe(&state, player);
                let other = game.sample(&seen, &mut chance).expect("there is such a state");
                apart += usize::from(other != state);
                for (word, bot) in words.iter().zip(&mut bots) {
                    let mut choose = |state: &State| {
                        ask(bot.as_mut(), game, (state, &turn, player), &mut Seed(3).stream(1))
                    };
                    assert_eq!(choose(&state), choose(&other), "{word} at {name}");
                }
                let index = chance.random_index(turn.count());
                game.choose(&mut state, &turn, index);
            }
        }
    }
    apart
}

/// How many of some games of two the first bot wins, seats alternating.
fn wins(game: &Game, kinds: [BotKind; 2], games: u64) -> usize {
    let mut bots = kinds.map(|kind| kind.bot(&Analysis::new(game.clone()), Control::timed(|| 0)));
    let mut won = |number: u64| {
        let first = usize::from(!number.is_multiple_of(2));
        let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
        let mut table = Seed(7).table_stream(number, 2);
        let mut streams = [0, 1].map(|seat| Seed(7).seat(number, 2, seat));
        loop {
            match game.advance(&mut state, &mut turn).expect("the game has no mistake") {
                Step::Draw { outcomes } => game.draw(&mut state, table.below(outcomes)),
                Step::End => break,
                Step::Decide { player } => {
                    let seat = player.index();
                    let bot = &mut bots[usize::from(seat != first)];
                    let at = (&state, &turn, player);
                    let index = ask(bot.as_mut(), game, at, &mut streams[seat]);
                    game.choose(&mut state, &turn, index);
                }
            }
        }
        game.final_outcome(&state)
            .is_some_and(|outcome| outcome.returns.get(first).unwrap_or(&outcome.returns[0]) == &1)
    };
    (0..games).filter(|number| won(*number)).count()
}

#[test]
fn searching_beats_chance() {
    let random = BotKind::Random;
    let kind = |word| BotKind::parse(word).expect("this is a bot");
    let nim = game("examples/nim.game", &[]);
    // Of 40 equal games, 31 or more are won once in a thousand times.
    for (word, least) in [("solve", 35), ("mcts:400", 31), ("rollout:200", 31)] {
        let won = wins(&nim, [kind(word), random], 40);
        assert!(won >= least, "{word} wins {won} of 40 games");
    }
    let pig = game("examples/pig.game", &[("target", "40")]);
    for word in ["mcts:60", "rollout:60"] {
        let won = wins(&pig, [kind(word), random], 40);
        assert!(won >= 28, "{word} wins {won} of 40 games");
    }
}

#[test]
fn what_brings_something_much_later_is_known_in_long_games() {
    let random = BotKind::Random;
    let kind = |word| BotKind::parse(word).expect("this is a bot");
    let orchards = game("tests/bots/orchards.game", &[]);
    assert_eq!(wins(&orchards, [kind("mcts:20"), random], 8), 8);
    // One who does not look ahead sells everything, and comes to less than who plants by chance.
    assert_eq!(wins(&orchards, [kind("greedy"), random], 8), 0);
}

fn solved(game: &Game, rule: PlayRule) -> Solution {
    let progress = Progress::new();
    let wanted = Solve::new(rule, 1_000_000, &progress);
    solve(game, &game.initial_state(), wanted).expect("the game can be solved")
}

/// A value as it is written.
fn words(values: &[GameValue]) -> Vec<String> {
    values
        .iter()
        .map(|value| match value {
            GameValue::Exact(ratio) => ratio.to_string(),
            near @ GameValue::Near(_) => near.to_string(),
        })
        .collect()
}

/// A state of nim with these heaps, and the game.
fn heaps(game: &Game, sizes: [i64; 3]) -> State {
    let mut state = game.initial_state();
    let size = game.program().vars.iter().find(|var| var.name == "size").expect("nim has heaps");
    for (slot, heap) in (usize::from(size.base)..).zip(sizes) {
        state.set_word(slot, heap);
    }
    state
}

#[test]
fn nim_is_lost_where_the_sum_without_carry_is_nothing() {
    let game = game("examples/nim.game", &[]);
    for number in 1..4 * 4 * 4 {
        let sizes = [number % 4, number / 4 % 4, number / 16];
        let state = heaps(&game, sizes);
        let progress = Progress::new();
        let wanted = Solve::new(PlayRule::Best, 10_000, &progress);
        let solution = solve(&game, &state, wanted).expect("small heaps are solved");
        let lost = sizes[0] ^ sizes[1] ^ sizes[2] == 0;
        let value = if lost { "-1" } else { "1" };
        assert_eq!(words(&solution.values)[0], value, "{sizes:?}");
    }
}

#[test]
fn tic_tac_toe_is_drawn_and_first_players_win_by_chance() {
    let game = game("examples/tic-tac-toe.game", &[]);
    let best = solved(&game, PlayRule::Best);
    assert_eq!(words(&best.values), ["0", "0"]);
    assert_eq!(words(&best.wins), ["0", "0"]);
    assert!(best.exact && best.first[0].moves.iter().all(|(_, _, best)| *best));
    let uniform = solved(&game, PlayRule::Uniform);
    assert_eq!(words(&uniform.wins), ["737/1260", "121/420"]);
    // 1 - 737/1260 - 121/420 = 8/63 is drawn.
    assert_eq!(words(&uniform.values), ["187/630", "-187/630"]);
}

#[test]
fn kuhn_poker_at_random_pays_the_first_player_an_eighth() {
    let uniform = solved(&game("examples/kuhn-poker.game", &[]), PlayRule::Uniform);
    assert_eq!(words(&uniform.values), ["1/8", "-1/8"]);
}

/// Five dice, three rolls, and whatever is kept in between: are they all the same in the end?
const THREE_ROLLS: &str = r#"
game "Three Rolls" { players 1 }
kind Die { a, b, c, d, e }
the table has { die face[Die] = 1..6 }
play {
  roll face for d in Die
  repeat 2 times {
    choose Player.first { keep(n) for n in 1..6 { roll face for d in Die where face[d] != n } }
  }
  if any(n in 1..6: all(d in Die: face[d] == n)) { finish win Player.first }
  finish draw
}
"#;

#[test]
fn five_dice_come_out_the_same_in_three_rolls_as_often_as_is_known() {
    let solution = solved(&first_game(&rules("three-rolls.game", THREE_ROLLS)), PlayRule::Best);
    assert_eq!(words(&solution.wins), ["347897/7558272"]);
}

#[test]
fn greedy_comes_nearer_to_the_number_that_wins() {
    // The file has no ranking, but it says when the game is won.
    let text = "game \"Ladder\" { players 2 }\neach player has { rung: 0..30 = 0 }\nplay {\n  \
                turns me from Player.first {\n    choose me {\n      rest { }\n      climb when \
                me.rung < 30 { me.rung += 1 }\n      fall when me.rung > 0 { me.rung -= 1 }\n    \
                }\n    if me.rung >= 12 { finish win me }\n  }\n}\n";
    let ladder = first_game(&rules("ladder.game", text));
    let kind = |word| BotKind::parse(word).expect("this is a bot");
    // Of 12 equal games, 11 or more are won three times in a thousand.
    for (word, least) in [("greedy", 12), ("mcts:300", 11), ("rollout:60", 11)] {
        let won = wins(&ladder, [kind(word), BotKind::Random], 12);
        assert!(won >= least, "{word} wins {won} of 12 games");
    }
}

#[test]
fn who_plays_together_or_alone_comes_nearer_to_what_wins() {
    // Hardly any random game is won; the numbers of the table tell how near it is.
    let text = |players, won, lost| {
        format!(
            "game \"Beacons\" {{ players {players} }}\nthe table has {{\n  lit: 0..9 = 0\n  dark: 0..9 = 9\n  \
             storm: 0..14 = 14\n}}\nplay {{\n  turns me from Player.first {{\n    choose me {{\n      sing {{ }}\n      \
             douse when lit > 0 {{ lit -= 1; dark += 1 }}\n      light {{ lit += 1; dark -= 1 }}\n      wait {{ }}\n    \
             }}\n    if {won} else {{ storm -= 1; if storm == 0 {{ {lost} }} }}\n  }}\n}}\n"
        )
    };
    let kind = |word| BotKind::parse(word).expect("this is a bot");
    for (players, won, lost) in [
        (2, "lit == 9 { finish together win }", "finish lose"),
        (2, "dark == 0 { finish together win }", "finish lose"),
        (1, "lit >= 9 { finish win me }", "finish lose"),
    ] {
        let beacons = first_game(&rules("beacons.game", &text(players, won, lost)));
        assert!(wins(&beacons, [BotKind::Random; 2], 40) < 4, "{won}");
        for word in ["greedy", "mcts:40"] {
            assert_eq!(wins(&beacons, [kind(word); 2], 4), 4, "{word}: {won}");
        }
    }
}

#[test]
fn looking_is_worth_what_is_done_with_it() {
    let text = "game \"Peek\" { players 1 }\nthe table has { number: 1..6 = 1 hidden; looked = no }\nsetup { number = random \
                1..6 }\nplay {\n  repeat 2 times {\n    choose Player.first {\n      look when not looked { looked = yes; show \
                number to Player.first }\n      guess(n) for n in 1..6 { if n == number { finish win Player.first }; finish \
                lose }\n    }\n  }\n  finish lose\n}\n";
    let peek = first_game(&rules("peek.game", text));
    let kind = BotKind::parse("mcts:3000").expect("this is a bot");
    // Who guesses at once wins one of six.
    let won = wins(&peek, [kind; 2], 20);
    assert!(won >= 17, "{won} of 20 games");
}

#[test]
fn where_the_lowest_score_wins_bots_want_few_points_and_solutions_print_them() {
    let text = "game \"Golf\" { players 1..2 }\neach player has { strokes: 0..99 = 26 }\nplay {\n  \
                for p in Player {\n    choose p {\n      add(n) for n in 0..5 { p.strokes += n }\n    \
                }\n  }\n  finish ranking p by p.strokes lowest\n}\n";
    let golf = first_game(&rules("golf.game", text));
    let solution = solved(&golf, PlayRule::Best);
    assert_eq!(words(&solution.values), ["-26"]);
    assert_eq!(words(solution.scores.as_deref().expect("games end with scores")), ["26"]);
    let study = Analysis::new(golf);
    for word in ["greedy", "mcts:100", "rollout:60"] {
        let kind = BotKind::parse(word).expect("this is a bot");
        assert_eq!(played(&study, kind, 5, 1), [0], "{word}");
    }
}

/// How likely the player to move wins Pig to a target, by another road: over all scores from high
/// to low, with what depends on itself computed again until nothing changes.
fn pig(target: usize) -> f64 {
    let mut wins = vec![vec![0.0_f64; target]; target];
    for sum in (0..=2 * (target - 1)).rev() {
        for mine in sum.saturating_sub(target - 1)..=sum.min(target - 1) {
            let theirs = sum - mine;
            for _ in 0..400 {
                for (a, b) in [(mine, theirs), (theirs, mine)] {
                    wins[a][b] = turn(&wins, target, a, b);
                }
            }
        }
    }
    wins[0][0]
}

/// One turn of Pig at some scores: the best of rolling and holding for every pot, the first roll
/// forced.
fn turn(wins: &[Vec<f64>], target: usize, mine: usize, theirs: usize) -> f64 {
    let bust = 1.0 - wins[theirs][mine];
    // From the highest pot down; whoever has enough holds and wins.
    let mut by_pot = vec![0.0; target + 7];
    let roll = |by_pot: &[f64], pot: usize| {
        let reached =
            |face: usize| if pot + face + mine >= target { 1.0 } else { by_pot[pot + face] };
        (bust + (2..=6).map(reached).sum::<f64>()) / 6.0
    };
    for pot in (1..target.saturating_sub(mine)).rev() {
        let hold = 1.0 - wins[theirs][mine + pot];
        by_pot[pot] = roll(&by_pot, pot).max(hold);
    }
    roll(&by_pot, 0)
}

/// Pig to 20 whose turns end as soon as the target is reached: else the pot could grow for ever.
const BOUNDED_PIG: &str = r#"
game "Bounded Pig" { players 2; limit 10000 decisions { finish draw } }
each player has { score: 0..30 = 0 }
the table has { die cube = 1..6 }
play {
  turns me from Player.first {
    var pot: 0..30 = 0
    repeat {
      choose me {
        roll when me.score + pot < 20 {
          let shown = roll cube
          if shown == 1 { break }
          pot += shown
        }
        hold when pot > 0 { me.score += pot; break }
      }
    }
    if me.score >= 20 { finish win me }
  }
}
"#;

#[test]
fn pig_is_worth_what_another_road_says() {
    let game = first_game(&rules("bounded.game", BOUNDED_PIG));
    let solution = solved(&game, PlayRule::Best);
    assert!(!solution.exact, "positions come back, so there is no end to a fraction");
    let expected = pig(20);
    let GameValue::Near(_) = solution.wins[0] else { panic!("the value is near") };
    let billionths = i32::try_from(solution.wins[0].trillionths() / 1000).expect("it is a share");
    let found = f64::from(billionths) / 1e9;
    assert!((found - expected).abs() < 1e-8, "{found} is not {expected}");
    assert!(expected > 0.5 && expected < 1.0);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let nim = game("examples/nim.game", &[]);
    let refused = |game: &Game, most| {
        let progress = Progress::new();
        let wanted = Solve::new(PlayRule::Best, most, &progress);
        solve(game, &game.initial_state(), wanted).expect_err("this cannot be solved")
    };
    assert_eq!(refused(&nim, 100), SolveRefusal::TooMany { most: 100 });
    let text = "game \"Stroll\" { players 2 }\nthe table has { lit = no }\nplay {\n  turns me from Player.first {\n    choose me {\n      flip { lit = not lit }\n      stop { finish win me }\n    }\n  }\n}\n";
    let stroll = first_game(&rules("stroll.game", text));
    assert_eq!(refused(&stroll, 1000), SolveRefusal::Circle);
    let progress = Progress::new();
    let wanted = Solve::new(PlayRule::Uniform, 1000, &progress);
    let solution = solve(&stroll, &stroll.initial_state(), wanted).expect("chance ends it");
    // 1/2 + 1/8 + 1/32 + … = 2/3: players who decide at random are linear equations.
    assert_eq!(words(&solution.wins), ["2/3", "1/3"]);
    assert!(solution.beyond_limit);
}

/// Both roll until their dice differ; the higher one wins. Nobody decides anything.
const TIES: &str = r#"
game "Ties" { players 2 }
each player has { die cube = 1..6 }
play {
  repeat {
    for p in Player { roll p.cube }
  } until Player.first.cube != Player.last.cube
  finish win highest(p in Player by p.cube)
}
"#;

/// The same where the winner of the roll names the winner of the game.
const TIES_AND_A_CHOICE: &str = r#"
game "Ties and a choice" { players 2 }
each player has { die cube = 1..3 }
play {
  repeat {
    for p in Player { roll p.cube }
  } until Player.first.cube < Player.last.cube
  choose Player.last {
    take { finish win Player.last }
    give { finish win Player.first }
  }
}
"#;

/// A coin that is thrown for ever.
const FOR_EVER: &str = r#"
game "For ever" { players 2 }
the table has { die coin = 1..2; sum = 0 }
play {
  choose Player.first { toss { }; wait { } }
  repeat { roll coin } until sum == 3
  finish draw
}
"#;

/// No two positions are the same, so chance could be followed without end.
const ENDLESS_SETUP: &str = r#"
game "Endless setup" { players 2 }
the table has { die coin = 1..2; sum = 0 }
setup { repeat { roll coin; sum += coin } }
play { choose Player.first { win { finish win Player.first }; lose { finish win Player.last } } }
"#;

#[test]
fn chance_that_leads_back_is_solved_exactly() {
    let ties = solved(&first_game(&rules("ties.game", TIES)), PlayRule::Best);
    assert_eq!(words(&ties.wins), ["1/2", "1/2"]);
    assert!(ties.exact && !ties.beyond_limit);
    let choice = first_game(&rules("choice.game", TIES_AND_A_CHOICE));
    let best = solved(&choice, PlayRule::Best);
    assert_eq!(words(&best.wins), ["0", "1"]);
    assert!(best.exact && !best.beyond_limit);
    // The three rolls that end it lead to one decision each, however often chance came back.
    assert_eq!(best.first.len(), 3);
}

#[test]
fn chance_without_an_end_is_refused() {
    let game = first_game(&rules("for-ever.game", FOR_EVER));
    let progress = Progress::new();
    for rule in [PlayRule::Best, PlayRule::Uniform] {
        let wanted = Solve::new(rule, 1000, &progress);
        assert_eq!(solve(&game, &game.initial_state(), wanted), Err(SolveRefusal::Endless));
    }
}

#[test]
fn a_setup_without_an_end_is_refused() {
    let game = first_game(&rules("endless.game", ENDLESS_SETUP));
    let progress = Progress::new();
    let wanted = Solve::new(PlayRule::Best, usize::MAX, &progress);
    let refused = solve(&game, &game.initial_state(), wanted);
    assert!(matches!(refused, Err(SolveRefusal::Trap(Trap::Endless { .. }))), "{refused:?}");
}

#[test]
fn a_game_that_ranks_by_score_has_an_expected_score() {
    let uniform = solved(&game("examples/kuhn-poker.game", &[]), PlayRule::Uniform);
    // Each begins with two coins; the first player loses 1/8 of one on average.
    let scores = uniform.scores.expect("every game ends with scores");
    assert_eq!(words(&scores), ["17/8", "15/8"]);
    let uniform = solved(&game("examples/leduc.game", &[]), PlayRule::Uniform);
    // Each begins with 13 chips; the first player loses 5/64 of one on average.
    let scores = uniform.scores.expect("every game ends with scores");
    assert_eq!(words(&scores), ["827/64", "837/64"]);
}

#[test]
fn what_is_asked_to_stop_stops() {
    let game = game("examples/connect-four.game", &[]);
    let progress = Progress::new();
    progress.stop();
    let wanted = Solve::new(PlayRule::Best, usize::MAX, &progress);
    assert!(matches!(
        solve(&game, &game.initial_state(), wanted),
        Err(SolveRefusal::Stopped { .. })
    ));
}

#[test]
fn what_is_stopped_is_refused() {
    let nim = game("examples/nim.game", &[]);
    let progress = Progress::new();
    progress.stop();
    for rule in [PlayRule::Best, PlayRule::Uniform] {
        let wanted = Solve::new(rule, 1_000_000, &progress);
        let refused = solve(&nim, &nim.initial_state(), wanted);
        assert!(matches!(refused, Err(SolveRefusal::Stopped { .. })));
    }
}

/// Whoever waits is told how many decisions and draws were followed whole: here each draw is followed by a decision.
#[test]
fn what_is_stopped_says_how_deep_it_looked() {
    let text = "game \"Walk\" { players 1; limit 9 decisions { finish draw } }
        the table has { at: 0..30 = 0; die step = 1..2 }
        play { repeat { roll step; at += step; choose Player.first { go { }; rest { finish win Player.first } } } }";
    let walk = first_game(&rules("walk", text));
    let refused = [1, 2, 3, 4, 5].map(|mut draws| {
        let progress = Progress::new();
        let wanted = Solve::new(PlayRule::Uniform, 1_000_000, &progress);
        // Asks to stop at this draw.
        let mut followed = |_: &_, _: &_, outcomes| {
            draws -= 1;
            if draws == 0 {
                progress.stop();
            }
            0..outcomes
        };
        let stopped = solve_along(&walk, &walk.initial_state(), wanted, &mut followed);
        stopped.expect_err("it stops").to_string()
    });
    insta::assert_snapshot!(refused.join("\n"), @"
    stopped after 3 positions: all that 0 decisions and draws can lead to, with 0 different ends so far
    stopped after 8 positions: all that 2 decisions and draws can lead to, with 1 different ends so far
    stopped after 10 positions: all that 2 decisions and draws can lead to, with 1 different ends so far
    stopped after 14 positions: all that 4 decisions and draws can lead to, with 1 different ends so far
    stopped after 16 positions: all that 4 decisions and draws can lead to, with 1 different ends so far
    ");
}

#[test]
fn picks_are_fair_draws() {
    let mut stream = Seed(2).stream(9);
    let mut same = Seed(2).stream(9);
    assert_eq!(stream.random_index(1000), same.below(1000) as usize);
}

#[test]
fn bots_are_known_by_their_words() {
    let nim = game("examples/nim.game", &[]);
    let spoken = |word| Some(BotKind::parse(word)?.word(&nim));
    for word in ["random", "first", "greedy", "rollout:7", "mcts:1000", "mcts:200ms", "uct:7"] {
        assert_eq!(spoken(word).as_deref(), Some(word));
    }
    assert_eq!(spoken("mcts:2s").as_deref(), Some("mcts:2000ms"));
    assert_eq!(spoken("mcts").as_deref(), Some("mcts:1000"));
    for word in ["", "cat", "random:3", "mcts:", "mcts:0", "mcts:-1", "mcts:0ms", "solve:9"] {
        assert_eq!(BotKind::parse(word), None, "{word}");
    }
}

fn iterations(budget: BotBudget, control: Control) -> usize {
    budget.iterations(control).take(10).count()
}

#[test]
fn a_stopped_bot_has_thought_once() {
    static STOPPED: Progress = Progress::new();
    STOPPED.stop();
    let stopped = Control { clock: || 0, progress: &STOPPED };
    for budget in [BotBudget::Iterations(u32::MAX), BotBudget::Milliseconds(u64::MAX)] {
        assert_eq!(iterations(budget, stopped), 1);
    }
    assert_eq!(iterations(BotBudget::Iterations(3), Control::timed(|| 0)), 3);
}

/// Four moves are legal here, and 56 that fail their tests stand between them: each of the four is as likely.
#[test]
fn a_random_move_is_fair_where_most_do_not_pass_their_tests() {
    let game = game("examples/othello.game", &[]);
    let (mut state, mut turn) = (game.initial_state(), LegalMoves::new());
    game.advance(&mut state, &mut turn).expect("the game has no mistake");
    let mut drawn = vec![0; turn.count()];
    (0..8_000).for_each(|number| drawn[turn.offers().pick(&mut Seed(6).stream(number))] += 1);
    assert_eq!(drawn.len(), 4);
    assert!(drawn.iter().all(|times| (1_850..2_150).contains(times)), "{drawn:?}");
}

#[test]
fn values_are_shown_rounded() {
    let one = 1_i128 << GameValue::BITS;
    let shown = |over: i128, under: i128| GameValue::Near(one * over / under).to_string();
    assert_eq!(
        [shown(1, 1), shown(0, 1), shown(-1, 2)],
        ["1.000000000", "0.000000000", "-0.500000000"]
    );
    assert_eq!([shown(2, 3), shown(-2, 3)], ["0.666666667", "-0.666666667"]);
    let parts = |over: i128, under: i128| GameValue::Near(one * over / under).trillionths();
    assert_eq!(
        [parts(1, 3), parts(2, 3), parts(1, 8)],
        [333_333_333_333, 666_666_666_666, 125_000_000_000]
    );
}
