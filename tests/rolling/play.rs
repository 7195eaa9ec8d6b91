//! Playing with people made of lines.

use std::io;

use astragal::machinery::chance::Seed;
use astragal::machinery::diagnostic::Diagnostics;
use astragal::machinery::progress::{Progress, UNWATCHED};
use astragal::machinery::session::{
    Console, Files, GameRecord, Hint, Io, LoadedScript, MoveList, Prompt, Reply, Running, Seat,
    Session, SessionEnd, Showing, run,
};
use astragal::machinery::source::{Source, Sources};
use astragal::machinery::transcript::parse;

use super::{covered, rolling};

/// A person who types these lines, in front of a screen that is kept.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) typed: Vec<&'static str>,
    pub(super) told: Vec<String>,
    /// Whether the person stops every program that thinks.
    pub(super) stops: bool,
    /// Whether the lines come from a pipe.
    pub(super) piped: bool,
    /// Whether the person has used nothing yet.
    pub(super) is_new: bool,
    /// Which lines may be recalled.
    pub(super) recalled: Vec<&'static str>,
}

/// The seed of every game here: one with which Ben, at random, does not stop at once.
const SEED: Seed = Seed(2);

/// What a person types who presses Ctrl-C.
const CTRL_C: &str = "\u{3}";

impl Console for Lines {
    fn is_lively(&self) -> bool {
        !self.piped
    }

    fn wants_hint(&mut self, _: Hint) -> bool {
        self.is_new
    }

    fn ask(&mut self, asking: &Prompt) -> io::Result<Reply> {
        self.told.push(asking.prompt.to_owned());
        if self.typed.is_empty() {
            return Ok(Reply::End);
        }
        let line = self.typed.remove(0);
        self.recalled.extend(asking.recalled.then_some(line));
        Ok(if line == CTRL_C { Reply::Interrupt } else { Reply::Line(line.to_owned()) })
    }

    fn hand_over(&mut self, name: &str) -> io::Result<Reply> {
        let prompt = format!("[hidden from {name}] ");
        self.ask(&Prompt::enter(&prompt))
    }

    fn think(&mut self, thinker: Option<&str>, work: &mut dyn FnMut()) -> io::Result<bool> {
        let line = thinker.map(|thinker| format!("[{thinker} thinks]"));
        line.iter().try_for_each(|line| self.tell(line))?;
        work();
        Ok(line.is_some() && self.stops)
    }

    fn progress(&self) -> &'static Progress {
        static STOPPED: Progress = Progress::new();
        STOPPED.stop();
        if self.stops { &STOPPED } else { &UNWATCHED }
    }

    fn waited(&mut self) -> io::Result<bool> {
        Ok(self.stops)
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        self.told.push(line.to_owned());
        Ok(())
    }

    fn note(&mut self, line: &str) -> io::Result<()> {
        self.tell(line)
    }

    fn show(&mut self, showing: &Showing) -> io::Result<()> {
        let Some(thing) = showing.table.table.first() else { return Ok(()) };
        self.tell(&format!("[{} {}]", thing.title, thing.value))
    }

    fn list(&mut self, list: &MoveList) -> io::Result<()> {
        let words: Vec<String> =
            list.moves.iter().map(|(number, label)| format!("{number} {label}")).collect();
        self.tell(&words.join(", "))
    }

    fn grid(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        rows.iter().try_for_each(|row| self.tell(&row.join(" ")))
    }

    fn draw(&mut self, _: &Sources, found: &Diagnostics, answer: bool) -> io::Result<()> {
        let words = if answer { "answer" } else { "trap" };
        found.sorted().iter().try_for_each(|finding| self.tell(&format!("{words}: {finding}")))
    }
}

/// A folder with one file in it.
#[derive(Default)]
struct Folder {
    kept: Vec<String>,
    saved: String,
    loads: &'static str,
}

impl Files for Folder {
    fn keep(&mut self, record: &GameRecord, unchanged: usize) -> Option<String> {
        assert_eq!(self.kept[..unchanged], record.lines[..unchanged]);
        self.kept = record.lines.to_vec();
        None
    }

    fn save(&mut self, _: &str, _: bool, record: &GameRecord) -> Result<(), Diagnostics> {
        self.saved = format!("game rolling\nplayers Ann, Ben\n{}\n", record.lines.join("\n"));
        Ok(())
    }

    fn load(&mut self, file: &str) -> Result<LoadedScript, (Sources, Diagnostics)> {
        let mut sources = Sources::default();
        let text = format!("game rolling\nplayers Ann, Ben\n{}", self.loads);
        let source = sources.add(file, text).clone();
        let script = parse(&source).expect("the script reads well");
        Ok(LoadedScript { start: rolling(), script, source, sources })
    }

    fn reload(&mut self, _record: &GameRecord) -> Result<LoadedScript, (Sources, Diagnostics)> {
        self.load("the game so far")
    }
}

pub(super) struct Played {
    ending: SessionEnd,
    pub(super) told: Vec<String>,
    recalled: Vec<&'static str>,
    pub(super) kept: Vec<String>,
    saved: String,
}

impl Played {
    fn heard(&self, line: &str) -> bool {
        self.told.iter().any(|told| told == line)
    }

    /// What was decided, in the end.
    fn decisions(&self) -> Vec<&str> {
        let lines = self.kept.iter().filter(|line| line.contains("> "));
        lines.map(String::as_str).collect()
    }

    fn draws(&self) -> Vec<&str> {
        let lines = self.kept.iter().filter(|line| line.starts_with("* roll"));
        lines.map(String::as_str).collect()
    }
}

fn play_with(seats: [&str; 2], typed: &[&'static str], loads: &'static str) -> Played {
    let console = Lines { typed: typed.to_vec(), ..Lines::default() };
    play_at(rolling(), seats, console, loads)
}

pub(super) fn play_at(
    game: Running,
    seats: [&str; 2],
    console: Lines,
    loads: &'static str,
) -> Played {
    sit_at(game, seats, console, (loads, false))
}

fn sit_at(
    game: Running,
    seats: [&str; 2],
    console: Lines,
    (loads, asks_all): (&'static str, bool),
) -> Played {
    let seat = |word| Seat::from_word(word, game.game(), || 0).expect("the seat is known");
    let seats = seats.map(seat).into();
    let mut desk = Io { console, files: Folder { loads, ..Folder::default() } };
    let mut session = Session::begin(game, seats, (SEED, 0), &mut desk).expect("the case is right");
    if asks_all {
        session.ask_all();
    }
    let ending = session.play(&mut desk).expect("the case is right");
    let Io { console, files } = desk;
    let Lines { told, recalled, .. } = console;
    Played { ending, told, recalled, kept: files.kept, saved: files.saved }
}

fn play(seats: [&str; 2], typed: &[&'static str]) -> Played {
    play_with(seats, typed, "")
}

fn people(typed: &[&'static str]) -> Played {
    play(["human", "human"], typed)
}

/// Plays lines again as a script; they must print themselves.
#[track_caller]
fn replays(lines: &[String]) {
    let text = format!("game rolling\nplayers Ann, Ben\n{}\n", lines.join("\n"));
    let source = Source::new("kept.script", text.as_str());
    let run = run(&parse(&source).expect("the case is right"), &source, rolling());
    assert!(run.diagnostics.is_empty(), "{:?}\n{text}", run.diagnostics);
    assert_eq!(run.transcript, text);
}

#[test]
fn people_play_by_words_numbers_and_beginnings() {
    let played = people(&["ro tw", "2", "stop"]);
    assert_eq!((played.ending, played.decisions().len()), (SessionEnd::Over, 3));
    assert!(played.told.iter().any(|line| line.starts_with("= ")));
}

/// What is rolled and what is said of it come in their order, between the move and the next question.
#[test]
fn draws_and_texts_are_told_in_their_order() {
    let played = people(&["dare", ":quit"]);
    let dared = played.told.iter().position(|line| line.trim_start().ends_with("dares."));
    let told = &played.told[dared.expect("the rules say so")..];
    let told: Vec<&str> = told.iter().map(|line| line.trim_start()).take(5).collect();
    let is_roll = |line: &str| line.starts_with("rolled: ");
    assert_eq!(
        told.iter().map(|line| is_roll(line)).collect::<Vec<_>>(),
        [false, true, false, true, false],
        "{told:?}"
    );
    for (roll, said) in [(told[1], told[2]), (told[3], told[4])] {
        let number = roll.split(' ').next_back().expect("a number was rolled");
        assert!(said.ends_with(&format!("rolls {number}.")), "{told:?}");
    }
}

#[test]
fn a_refused_move_is_explained_and_asked_again() {
    let played = people(&["fly", "stopp", "stop"]);
    assert!(played.heard("there is no move `fly`"));
    assert!(played.told.iter().any(|line| line.starts_with("here the moves are `roll`, ")));
    assert!(played.heard("did you mean `stop`?"));
}

#[test]
fn the_first_words_of_a_move_will_do_where_no_other_begins_so() {
    let played = people(&["whisper", "roll tw"]);
    assert!(played.heard("  whisper card #3"));
    assert_eq!(played.decisions().len(), 2);
}

#[test]
fn common_commands_need_no_colon() {
    let played = people(&["pass", "undo", "redo", "help me", "?", "exit"]);
    let all = people(&["help commands", "exit"]);
    assert!(played.heard("taken back: Ann> pass") || played.heard("taken back: Ben> pass"));
    assert!(played.told.iter().any(|line| line.starts_with("again: ")));
    assert!(played.told.iter().any(|line| line.starts_with("  :moves [WORD]")));
    assert!(played.told.iter().all(|line| !line.starts_with("  :eval")));
    assert!(all.told.iter().any(|line| line.starts_with("  :eval")));
    assert_eq!((played.ending, played.decisions().len()), (SessionEnd::Left, 1));
    let set = people(&["set total = 3", ":quit"]);
    assert!(set.kept.contains(&"set total = 3".to_owned()));
}

/// A game in which Ann can only wait, and Ben has a choice.
const WAITING: &str = r#"
game "Waiting" { players 2; limit 20 decisions { finish draw } }

the table has { waits: 0..9 = 0 }

play {
  turns me from Player.first {
    choose me {
      wait { waits += 1 }
      undo when me == Player.last { waits += 1 }
      stop when me == Player.last and waits > 2 {
        ## Whoever has waited long enough wins.
        finish win me
      }
    }
  }
}
"#;

fn waiting() -> Running {
    Running::new(super::game(WAITING))
}

#[test]
fn forced_moves_are_made_and_stay_lines_of_the_transcript() {
    let console = Lines { typed: vec!["wait", ":undo", "wait", "stop"], ..Lines::default() };
    let played = play_at(waiting(), ["human", "human"], console, "");
    assert_eq!(played.ending, SessionEnd::Over);
    assert!(played.heard("Ann> wait (nothing else is legal)"));
    assert!(!played.heard("Ann> "), "{:?}", played.told);
    assert!(played.heard("taken back: Ben> wait"));
    let why = "Ben wins, by this rule: Whoever has waited long enough wins.";
    assert!(played.heard(why), "{:?}", played.told);
    assert_eq!(played.decisions(), ["Ann> wait", "Ben> wait", "Ann> wait", "Ben> stop"]);
    let console = Lines { typed: vec!["wait", ":quit"], ..Lines::default() };
    let asked = sit_at(waiting(), ["human", "human"], console, ("", true));
    assert_eq!(asked.decisions(), ["Ann> wait"]);
    assert!(asked.heard("Ann> "));
}

#[test]
fn a_forced_move_that_a_bot_made_for_somebody_is_taken_back_with_the_decision_before_it() {
    let typed = vec!["wait", "bot 2 first", ":undo"];
    let console = Lines { typed, ..Lines::default() };
    let played = play_at(waiting(), ["human", "human"], console, "");
    assert!(played.heard("taken back: Ben> wait"), "{:?}", played.told);
    assert_eq!(played.decisions(), ["Ann> wait", "Ben> wait", "Ann> wait"]);
}

#[test]
fn a_move_has_the_name_before_a_command() {
    let console = Lines { typed: vec!["undo", "help", ":quit"], ..Lines::default() };
    let played = play_at(waiting(), ["human", "human"], console, "");
    assert_eq!(played.decisions(), ["Ann> wait", "Ben> undo", "Ann> wait"]);
}

#[test]
fn a_long_log_can_be_broken_off() {
    let whole = people(&["pass", "pass", ":log", ":quit"]);
    assert_eq!(whole.told.iter().filter(|line| line.ends_with("> pass")).count(), 2);
    let stopped = stopping(["human", "human"], &["pass", "pass", ":log", ":quit"]);
    assert_eq!(stopped.told.iter().filter(|line| line.ends_with("> pass")).count(), 0);
    assert_eq!(stopped.ending, SessionEnd::Left);
}

#[test]
fn whoever_waits_is_told_for_whom() {
    assert!(play(["human", "mcts:5"], &[":quit"]).heard("[Ben thinks]"));
    assert!(people(&[":hint rollout:5", ":quit"]).heard("[rollout:5 thinks]"));
    for quick in [play(["human", "random"], &[":quit"]), people(&[":hint greedy", ":quit"])] {
        assert!(!quick.told.iter().any(|line| line.contains("thinks")));
    }
}

fn stopping(seats: [&str; 2], typed: &[&'static str]) -> Played {
    let console = Lines { typed: typed.to_vec(), stops: true, ..Lines::default() };
    play_at(rolling(), seats, console, "")
}

#[test]
fn programs_that_think_are_stopped_and_the_game_goes_on() {
    let played = stopping(["human", "mcts:5"], &["pass", ":quit"]);
    assert!(played.told.iter().any(|line| line.starts_with("Ben stops thinking and makes")));
    assert!(played.decisions().iter().any(|line| line.starts_with("Ben> ")));
    assert_ne!(played.ending, SessionEnd::Interrupted);
    let asked = stopping(["human", "human"], &[":hint mcts:5", ":quit"]);
    assert!(asked.told.iter().any(|line| line.starts_with("mcts:5, stopped early, would play")));
    assert!(asked.decisions().is_empty());
}

#[test]
fn programs_alone_at_the_table_are_left_when_they_are_stopped() {
    let played = stopping(["mcts:5", "mcts:5"], &[]);
    assert_eq!((played.ending, played.decisions().len()), (SessionEnd::Interrupted, 0));
}

fn hidden(typed: &[&'static str]) -> Played {
    let console = Lines { typed: typed.to_vec(), ..Lines::default() };
    play_at(covered(), ["human", "human"], console, "")
}

#[test]
fn nobody_sees_the_view_of_a_person_who_leaves_before_it() {
    let views = |played: &Played| played.told.iter().filter(|line| line.starts_with('[')).count();
    for (line, ending) in
        [(":quit", SessionEnd::Left), (":q", SessionEnd::Left), (CTRL_C, SessionEnd::Interrupted)]
    {
        let played = hidden(&[line]);
        assert_eq!((played.ending, views(&played)), (ending, 1), "{line:?}");
    }
    assert_eq!(views(&hidden(&[])), 1);
}

#[test]
fn nobody_recalls_what_another_person_typed_in_secret() {
    assert!(
        hidden(&["", "pass", "", "whisper card #3", ":state", "", ":quit"]).recalled.is_empty()
    );
    assert_eq!(people(&["pass", ":quit"]).recalled, ["pass", ":quit"]);
    let console = Lines { typed: vec!["pass", ":quit"], ..Lines::default() };
    let alone = play_at(covered(), ["human", "random"], console, "");
    assert_eq!(alone.recalled, ["pass", ":quit"]);
}

#[test]
fn people_at_a_screen_are_told_what_chance_decided() {
    let played = people(&["roll", ":quit"]);
    let roll = played.draws()[0].trim_start_matches("* roll die: ").to_owned();
    let told = |line: &str| line.starts_with("  rolled: die ");
    let rolled: Vec<&String> = played.told.iter().filter(|line| told(line)).collect();
    assert_eq!(rolled, [&format!("  rolled: die {roll}")]);
    assert!(played.told.iter().any(|line| line.starts_with("  picked at random: ")));
    let console = Lines { typed: vec!["roll"], piped: true, ..Lines::default() };
    let piped = play_at(rolling(), ["human", "human"], console, "");
    assert!(!piped.told.iter().any(|line| told(line)));
}

#[test]
fn nobody_is_told_of_a_die_that_is_covered() {
    let rolled = |typed: &[&'static str]| {
        let told = hidden(typed).told;
        told.iter().filter(|line| line.starts_with("  rolled: ")).count()
    };
    // One player rolls, and hears of it before the screen goes to the other one, who never does.
    assert_eq!(rolled(&["", ":quit"]), 0);
    assert_eq!(rolled(&["", "roll", ":quit"]), 1);
    assert_eq!(rolled(&["", "roll", "", "", "pass", "", ":quit"]), 1);
}

#[test]
fn only_enter_shows_the_view_of_the_next_person() {
    let played = hidden(&["stop", ":state", "", "pass", "stop"]);
    let hidden = |line: &&String| line.starts_with("[hidden");
    assert_eq!(played.told.iter().filter(hidden).count(), 5);
    assert_eq!((played.decisions().len(), played.ending), (1, SessionEnd::Left));
}

#[test]
fn leaving_is_polite() {
    assert_eq!(people(&["pass"]).ending, SessionEnd::Left);
    assert_eq!(people(&[":quit", "stop"]).ending, SessionEnd::Left);
    assert_eq!(people(&["stop", "pass", ":quit", "stop"]).ending, SessionEnd::Over);
}

#[test]
fn what_is_kept_is_a_script_that_plays_again() {
    let played = play(["random", "random"], &[]);
    assert_eq!(played.ending, SessionEnd::Over);
    replays(&played.kept);
}

#[test]
fn what_is_said_to_a_program_is_not_told() {
    let told_to_ben = |seats| {
        let played = play(seats, &["whisper card #3", "whisper card #3", "stop"]);
        played.told.iter().any(|line| line.contains("(to Ben) psst"))
    };
    assert!(told_to_ben(["human", "human"]));
    assert!(!told_to_ben(["human", "random"]));
}

#[test]
fn what_was_taken_back_comes_again_with_its_draws() {
    let whole = people(&["roll twice", "roll", ":save x"]);
    let again = people(&["roll twice", "roll", ":undo 2", ":redo", ":redo", ":save x"]);
    assert_eq!(whole.kept, again.kept);
    assert!(again.told.iter().any(|line| line.starts_with("taken back: ")));
    assert!(again.told.iter().any(|line| line.starts_with("again: ")));
    replays(&again.kept);
}

#[test]
fn what_was_drawn_stays_drawn() {
    let whole = people(&["roll twice", "roll twice"]);
    let other_moves = people(&["roll twice", ":undo", "roll", "roll", "roll twice"]);
    assert_eq!(other_moves.draws(), whole.draws());
    replays(&other_moves.kept);
    for typed in [
        &["roll twice", ":undo", "roll twice", "roll twice"][..],
        &["roll twice", "roll twice", ":undo 2", ":redo", ":undo", ":redo", "roll twice"],
        &["roll twice", ":restart", ":undo", "roll twice"],
        &["roll twice", ":load x", ":undo", "roll twice"],
        &["roll twice", "roll twice", ":undo", ":undo!", ":redo 2"],
    ] {
        assert_eq!(people(typed).draws(), whole.draws(), "{typed:?}");
    }
}

#[test]
fn new_luck_is_asked_for_and_is_never_one_that_was_seen() {
    let draws = |typed: &[&'static str]| people(typed).draws().join(" ");
    let rolls = ["roll twice", "roll twice", "roll twice"];
    let once = draws(&[&[":undo!"], &rolls[..]].concat());
    assert_eq!(once, draws(&rolls), "nothing was taken back");
    let first = draws(&[&["roll", ":undo!"], &rolls[..]].concat());
    let second = draws(&[&["roll", ":undo!", "roll", ":undo!"], &rolls[..]].concat());
    let later = draws(&[&["roll", ":undo!", "roll", ":undo"], &rolls[..]].concat());
    assert!(first != once && second != once && first != second);
    assert_eq!(later, first, "the new luck stays as well");
}

#[test]
fn what_real_dice_showed_comes_back_with_the_decision() {
    let played = people(&[":roll 3 1", "roll", ":undo", "roll twice"]);
    assert_eq!(played.draws(), ["* roll die: 3", "* roll die: 1"]);
}

#[test]
fn programs_that_are_taken_back_decide_as_they_did() {
    let whole = play(["human", "random"], &["pass"]);
    let again =
        play(["human", "random"], &["pass", ":undo", "pass", ":undo", "roll", ":undo", "pass"]);
    assert_eq!(again.kept, whole.kept);
    assert!(whole.decisions().iter().any(|line| line.starts_with("Ben")));
}

#[test]
fn programs_move_again_when_people_take_back() {
    let played = play(["human", "random"], &["pass", "pass", ":undo 2", ":undo"]);
    assert_eq!(played.decisions().iter().filter(|line| line.starts_with("Ann")).count(), 0);
    assert!(played.heard("there is no decision to take back"));
}

#[test]
fn the_end_can_be_taken_back() {
    let played = people(&["stop", ":undo", "pass"]);
    assert_eq!(played.ending, SessionEnd::Left);
    assert!(!played.kept.iter().any(|line| line.starts_with("= ")));
}

#[test]
fn what_real_dice_showed_is_what_happens() {
    let played = people(&[":roll 3 1", "roll twice", ":roll 8", "roll"]);
    assert_eq!(played.draws()[..2], ["* roll die: 3", "* roll die: 1"]);
    assert!(played.heard("the next draws are 3 and 1; `:roll -` forgets that"));
    assert!(played.told.iter().any(|line| line.starts_with("`8` is no outcome of `roll die`")));
    let forgotten = people(&[":roll 3 3", ":roll -", ":roll"]);
    assert!(!forgotten.told.last().expect("the case is right").contains("draws are"));
}

#[test]
fn the_position_can_be_changed_and_the_change_taken_back() {
    let played = people(&[":set total = 7", ":eval total", ":undo", ":eval total"]);
    assert!(played.heard("7") && played.heard("0"));
    assert!(!played.kept.iter().any(|line| line.starts_with("set")));
    let kept = people(&[":set total = 7", "pass", ":history"]);
    assert!(kept.heard("  1  set total = 7"));
    replays(&kept.kept);
}

#[test]
fn mistakes_in_what_is_typed_change_nothing() {
    let played = people(&[":set total == 7", ":eval nonsense", ":frobnicate", ":undo many"]);
    assert!(played.heard("unknown name `nonsense`"));
    assert!(
        played
            .told
            .iter()
            .any(|line| line.starts_with("expected the end or a new line, found `==`"))
    );
    assert!(played.decisions().is_empty());
    assert_eq!(played.ending, SessionEnd::Left);
}

#[test]
fn a_mistake_in_the_rules_can_be_taken_back() {
    let broken = [":set total = 900", "roll", "pass", ":moves", ":undo", ":undo", "pass"];
    let played = people(&broken);
    assert!(played.told.iter().any(|line| line.starts_with("trap: ")));
    assert_eq!((played.ending, played.decisions().len()), (SessionEnd::Left, 1));
    let left = people(&broken[..2]);
    assert_eq!(left.ending, SessionEnd::Broken);
    assert!(left.decisions()[0].ends_with("> roll"));
}

#[test]
fn the_same_game_begins_again() {
    let played = people(&["roll twice", ":restart", "roll twice", ":save x"]);
    let once = people(&["roll twice", ":save x"]);
    assert_eq!(played.saved, once.saved);
    let back = people(&["roll twice", ":restart", ":undo", ":save x"]);
    assert_eq!(back.saved, once.saved);
}

#[test]
fn another_seed_gives_other_draws() {
    let draws = |lines: &[&'static str]| people(lines).draws().len();
    assert_eq!(draws(&[":seed 9", "roll twice"]), 2);
    assert!(people(&[":seed 9", ":seed"]).heard("seed 9"));
    let fresh = |seed: &'static str| {
        let typed = [seed, "roll twice", "roll twice", "roll twice"];
        people(&typed).draws().iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(fresh(":seed 9"), fresh(":seed 9"));
    assert_ne!(fresh(":seed 9"), fresh(":seed 10"));
}

#[test]
fn a_script_is_played_on_as_if_it_had_not_stopped() {
    let whole = people(&["roll twice", "roll", "roll twice"]);
    let half = people(&["roll twice", "roll"]);
    let text: &'static str = Box::leak(format!("seed {SEED}\n{}\n", half.kept.join("\n")).into());
    let played = play_with(["human", "human"], &[":load half", "roll twice"], text);
    assert_eq!(played.kept, whole.kept);
}

#[test]
fn a_script_that_no_longer_fits_is_played_as_far_as_it_does() {
    let text = "* random Player: Ben\nBen> pass\nAnn> fly\nAnn> pass\n";
    let played = play_with(["human", "human"], &[":load x", "stop"], text);
    assert!(played.told.iter().any(|line| line.starts_with("answer: `fly` is illegal here")));
    assert_eq!(played.decisions(), ["Ben> pass", "Ann> stop"]);
    assert_eq!(played.ending, SessionEnd::Over);
}

#[test]
fn secrets_are_not_taken_back_by_accident() {
    let lines = [":roll Ann", ":restart", "whisper card #3", ":undo", ":undo!", ":undo"];
    let played = people(&lines);
    assert!(played.told.iter().any(|line| line.contains("`:undo!`")));
    assert!(played.decisions().is_empty());
    let alone = play(["human", "random"], &[":roll Ann", ":restart", "whisper card #3", ":undo"]);
    assert!(!alone.told.iter().any(|line| line.contains("`:undo!`")));
}

#[test]
fn legal_moves_are_listed_and_looked_up() {
    let played = people(&[":moves ro", ":moves fly", ":why fly", ":why roll", ":why r"]);
    assert!(played.heard("1 roll, 3 roll twice"));
    assert!(played.heard("`roll` is legal here"));
    assert!(played.told.iter().any(|line| line.starts_with("no legal move begins with `fly`")));
    assert!(played.heard("there is no move `fly`"));
}

#[test]
fn every_step_of_a_script_is_made_again() {
    let text = "* random Player: Ben\n# Why not.\nset total = 4\nBen> roll # now\n* roll die: 2\n? total == 6\nAnn> stop\n";
    let played = play_with(["human", "human"], &[":load x", ":undo 3", ":redo 3"], text);
    let kept = [
        "* random Player: Ben",
        "  Ben begins.",
        "# Why not.",
        "set total = 4",
        "Ben> roll",
        "* roll die: 2",
        "  Ben rolls 2.",
        "? total == 6",
        "Ann> stop",
        "= Ann wins",
    ];
    assert_eq!(
        (played.kept.as_slice(), played.ending),
        (&kept.map(String::from)[..], SessionEnd::Over)
    );
}

#[test]
fn what_no_line_of_a_script_answers_is_drawn_from_the_seed_of_the_table() {
    assert_eq!(play_with(["human", "human"], &[":load x"], "").kept, people(&[]).kept);
}

#[test]
fn what_real_dice_showed_leaves_the_later_draws() {
    let free = people(&["roll twice", "roll"]);
    for pins in [":roll 3", ":roll roll die: 1", ":roll 9"] {
        let pinned = people(&[pins, "roll twice", "roll"]);
        assert_eq!(pinned.draws()[1..], free.draws()[1..], "{pins}");
    }
}

#[test]
fn who_is_new_is_told_how_to_go_on() {
    let text = super::RULES.replace("stop {", "stop when total > 900 {");
    let hints = |is_new| {
        let typed = vec!["stop", "roll", "stop"];
        let console = Lines { typed, is_new, ..Lines::default() };
        let game = Running::new(super::game(&text));
        let told = play_at(game, ["human", "human"], console, "").told;
        told.into_iter().filter(|line| line.contains('`')).collect::<Vec<_>>()
    };
    let why = |total| {
        format!("`stop` is not legal: only if the total is more than 900 (the total is {total})")
    };
    let (first, then) = (why(0), why(1));
    assert_eq!(
        hints(true),
        [
            "type a move, beginnings of its words, or its number; `help` lists more",
            &first,
            "`:why! stop` shows the rule",
            "`undo` takes your last decision back",
            &then,
            "`:why! stop` shows the rule",
        ]
    );
    assert_eq!(hints(false), [first, then]);
}

#[test]
fn whoever_decides_twice_keeps_the_screen() {
    let twice = "choose me { wait { }; wave { } }\n    choose me {";
    let text =
        super::COVERED.replace("random Player", "Player.first").replace("choose me {", twice);
    let typed = vec!["", "wait", "pass", "", "wave", "pass"];
    let console = Lines { typed, ..Lines::default() };
    let game = Running::new(super::game(&text));
    let told = play_at(game, ["human", "human"], console, "").told;
    // Each is told whose turn it is once, not before every decision.
    let handed: Vec<&String> = told.iter().filter(|line| line.contains("[hidden from")).collect();
    assert_eq!(handed, ["[hidden from Ann] ", "[hidden from Ben] ", "[hidden from Ann] "]);
}
