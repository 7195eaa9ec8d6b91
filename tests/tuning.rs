//! What a designer tunes stands in one place of a file: each of these is changed there, nothing else
//! is, and the game plays on.

use astragal::machinery::game::Game;
use astragal::machinery::session::{Running, run};
use astragal::machinery::source::Source;
use astragal::machinery::transcript;

use crate::battery::holds_in_a_few_games;
use crate::support::{draw, games, read, root, rules};

/// One place of a file and what is written there instead.
struct Edit {
    file: &'static str,
    old: &'static str,
    new: &'static str,
    /// A script that passes with the change and fails without it.
    shows: &'static str,
}

impl Edit {
    /// The file before and behind the change.
    #[track_caller]
    fn texts(&self) -> (String, String) {
        let text = read(&root().join(self.file));
        assert_eq!(text.matches(self.old).count(), 1, "`{}` stands in one place", self.old);
        let changed = text.replace(self.old, self.new);
        (text, changed)
    }

    #[track_caller]
    fn is_the_only_one_needed(&self) {
        let (text, changed) = self.texts();
        let before = mistakes(&game_of_two(&text), self.shows);
        assert!(!before.is_empty(), "the script passes without the change too");
        let behind = mistakes(&game_of_two(&changed), self.shows);
        assert!(behind.is_empty(), "the change does not show:\n{behind}");
        holds_in_a_few_games("changed.game", &changed);
    }
}

#[track_caller]
fn game_of_two(text: &str) -> Game {
    let rules = rules("changed.game", text);
    let mut games = games(&rules).filter(|(_, game)| is_usual(game));
    games.next().expect("two can play as usual").1
}

/// Whether two play with every option as the file sets it.
fn is_usual(game: &Game) -> bool {
    let usual = |options: &[(String, String)]| {
        let not =
            ["round_reward own_turn", "active_may_skip yes", "passive_may_pass no", "solo yes"];
        options.iter().all(|(name, value)| !not.contains(&format!("{name} {value}").as_str()))
    };
    game.info().players == 2 && usual(&game.info().options)
}

/// What is wrong with a script of a game.
#[track_caller]
fn mistakes(game: &Game, lines: &str) -> String {
    let source = Source::new("shows.script", format!("game changed.game\nseed 1\n\n{lines}"));
    let script = transcript::parse(&source);
    let script = script.unwrap_or_else(|found| panic!("no script:\n{}", draw(&source, &found)));
    draw(&source, &run(&script, &source, Running::new(game.clone())).diagnostics)
}

#[test]
fn a_score_table_is_changed_in_one_place() {
    let edit = Edit {
        file: "games/dice-realms/dice-realms.game",
        old: "table guardian_points[0..11] = 0 1 2 4 7",
        new: "table guardian_points[0..11] = 0 3 6 9 12",
        shows: "* random Player: P1\n\
                set P1.defeated = {2, 5}\n\
                ? score(P1, green) == 6 and score(P2, green) == 0\n",
    };
    edit.is_the_only_one_needed();
}

#[test]
fn the_number_of_a_dragon_is_changed_in_one_place() {
    let edit = Edit {
        file: "games/dice-realms/dice-realms.game",
        old: "  head   3   6   5   -\n",
        new: "  head   4   6   5   -\n",
        shows: "* random Player: P1\n\
                * roll die[red]: 4\n\
                P1> go_on\n\
                ! dragon red d4 heart\n\
                P1> dragon red d1 head\n\
                ? P1.hit[head, d1]\n",
    };
    edit.is_the_only_one_needed();
}

#[test]
fn the_colours_of_the_board_are_changed_in_one_place() {
    let edit = Edit {
        file: "games/elemento/elemento.game",
        old: "\
    blue   blue   orange  orange
    blue   blue   orange  orange
    green  green  red     red
    green  green  red     red
",
        new: "\
    red    red    red     red
    blue   blue   blue    blue
    green  green  green   green
    orange orange orange  orange
",
        shows: "* roll upper: orange\n\
                * roll lower: red\n\
                ? {f in Field where f.square == red} == {a1, b1, c1, d1}\n\
                ! place light fire b2 because \"is not in `rolled() common empty()`\"\n\
                P1> place light fire a1\n\
                ? on[a1] == Stone(light, fire)\n",
    };
    edit.is_the_only_one_needed();
}

#[test]
fn the_size_of_the_board_is_changed_in_one_place() {
    let edit = Edit {
        file: "games/elemento/elemento.game",
        old: "\
board Field size by size {
  square: Square {
    blue   blue   orange  orange
    blue   blue   orange  orange
    green  green  red     red
    green  green  red     red
",
        new: "\
board Field 6 by size {
  square: Square {
    blue   blue   blue   orange  orange  orange
    blue   blue   blue   orange  orange  orange
    green  green  green  red     red     red
    green  green  green  red     red     red
",
        shows: "* roll upper: blue\n\
                * roll lower: red\n\
                ? count(Field) == 24 and count(Field.lines(size, orthogonal)) == 18\n\
                ? moves == 48\n\
                P1> place light fire f4\n\
                ? on[f4] == Stone(light, fire)\n",
    };
    edit.is_the_only_one_needed();
}
