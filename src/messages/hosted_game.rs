//! A game that messages play: people and bots decide, anybody looks back. A move for another step is stale.

use std::cell::OnceCell;

use serde::Deserialize;

use crate::bots::Clock;
use crate::chance::Seed;
use crate::diagnostic::Diagnostics;
use crate::game::{ActionNumbers, Game, LogEntry, Player, TableView};
use crate::messages::analysed_text::AnalysedText;
use crate::messages::findings::{Finding, findings};
use crate::messages::{MessageRefusal, other};
use crate::pipeline::GameOptions;
use crate::rulebook::Rulebook;
use crate::session::{Findings, LoadedScript, Running, Seat, Session};
use crate::source::Sources;

/// How a game is to begin.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(default)]
pub(super) struct Start {
    players: Option<usize>,
    #[cfg_attr(test, ts(as = "Option<_>"))]
    names: Vec<String>,
    #[cfg_attr(test, ts(as = "Option<_>"))]
    options: Vec<(String, String)>,
    /// Who decides for each player: `human`, or a bot; people where nothing is said.
    #[cfg_attr(test, ts(as = "Option<_>"))]
    seats: Vec<String>,
    #[cfg_attr(test, ts(as = "Option<_>"))]
    seed: u64,
    /// A script to be replayed first: its header says players, options and seed.
    script: Option<String>,
}

/// From where to look.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(default)]
pub(super) struct LookRequest {
    /// The seat that looks; the one that decides where none is named.
    seat: Option<u8>,
    /// Whether everything is shown, also what some do not see.
    #[cfg_attr(test, ts(as = "Option<_>"))]
    all: bool,
    /// After which step; the last one where none is named.
    step: Option<usize>,
    /// Whether what the file leaves undrawn is shown, too.
    #[cfg_attr(test, ts(as = "Option<_>"))]
    whole: bool,
}

/// A move. A step that is named must be the present one: `step` of the last view.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(untagged)]
#[cfg_attr(not(test), serde(expecting = "`act` has `words`, or `action` and `step`"))]
pub(super) enum Act {
    Words {
        words: String,
        step: Option<usize>,
    },
    /// `action` of the view. It means a move at many steps, so that it names the one that it answers.
    Number {
        action: ActionNumbers,
        step: usize,
    },
}

impl Act {
    pub(super) fn length(&self) -> usize {
        match self {
            Act::Words { words, .. } => words.len(),
            Act::Number { action, .. } => action.as_slice().len(),
        }
    }

    fn is_stale(&self, present: usize) -> bool {
        match self {
            Act::Words { step, .. } => step.is_some_and(|step| step != present),
            Act::Number { step, .. } => *step != present,
        }
    }
}

answer_types! {
    /// Whether a game began, and what went wrong.
    pub(super) struct Started { started: bool, findings: Vec<Finding> }

    /// The table at a step.
    pub(super) struct Looked {
        view: TableView, step: usize, last: usize, decides: Option<usize>, needs_person: bool, over: bool,
        can_redo: bool,
    }

    /// What one seat sees now, and whether the person there is asked.
    pub(super) struct Told { view: TableView, step: usize, needs_person: bool, over: bool, broken: bool }

    /// Whether a decision was made, and what it brought to light in the rules.
    pub(super) struct DecisionMade { made: bool, findings: Vec<Finding> }

    /// What a command of the table answers.
    pub(super) struct CommandAnswer { lines: Vec<String>, findings: Vec<Finding> }

    /// Why words are no legal move.
    pub(super) struct WhyNot { words: String, message: String, help: Option<String> }

    /// What comes of the words of a move.
    #[serde(untagged)]
    pub(super) enum Acted { Made(DecisionMade), Refused { made: bool, why: WhyNot }, Late(TooLate<Looked>) }

    /// What comes of a move for the person on a seat, who learns only of the own decision.
    #[serde(untagged)]
    pub(super) enum SeatActed { Heard { made: bool, why: Option<WhyNot> }, Late(TooLate<Told>) }

    /// The step is over, so that nothing is made.
    pub(super) struct TooLate<T> { made: bool, late: bool, now: Box<T> }
}

#[derive(Debug)]
pub(super) struct HostedGame {
    pub(super) session: Session,
    start: Start,
    clock: Clock,
    /// The moves that were made under other rules and do not all fit these, until somebody moves.
    kept: Option<String>,
    /// What the last decision of a person brought to light in the rules.
    pub(super) found: Findings,
    /// The rulebook, once somebody has asked for it.
    book: OnceCell<Result<Rulebook, String>>,
}

fn shown(found: &Findings) -> Vec<Finding> {
    found.iter().flat_map(|(sources, found)| findings(sources, found)).collect()
}

fn unstarted((sources, found): &(Sources, Diagnostics)) -> Started {
    Started { started: false, findings: findings(sources, found) }
}

fn too_late<T>(now: T) -> TooLate<T> {
    TooLate { made: false, late: true, now: Box::new(now) }
}

impl HostedGame {
    /// Begins a game; what went wrong, and whether it began, is the answer.
    pub(super) fn start(
        start: Start,
        written: &AnalysedText,
        clock: Clock,
    ) -> (Option<HostedGame>, Started) {
        if let Some(script) = start.script.clone() {
            return HostedGame::replay(start, &script, written, clock);
        }
        let setting = GameOptions { players: start.players, options: start.options.clone() };
        let game = match written.load(&setting, &start.names, None) {
            Ok(game) => game,
            Err(found) => return (None, unstarted(&found)),
        };
        let seats = seats(&start.seats, &game, clock);
        let (session, found) =
            Session::steered(Running::new(game), seats, Seed(start.seed), usize::MAX);
        let answer = Started { started: true, findings: shown(&found) };
        (Some(HostedGame::begun(session, start, clock)), answer)
    }

    /// A game that the front began, whose number everybody may know.
    fn begun(mut session: Session, start: Start, clock: Clock) -> HostedGame {
        session.chosen.is_seed_known = true;
        HostedGame::new(session, start, clock)
    }

    /// A game that may have begun elsewhere.
    pub(super) fn new(session: Session, start: Start, clock: Clock) -> HostedGame {
        let (kept, found, book) = Default::default();
        HostedGame { session, start, clock, kept, found, book }
    }

    fn replay(
        start: Start,
        text: &str,
        written: &AnalysedText,
        clock: Clock,
    ) -> (Option<HostedGame>, Started) {
        let (source, (script, game)) = match written.scripted("the game so far", text) {
            Ok((source, mut cases)) => (source, cases.swap_remove(0)),
            Err(found) => return (None, unstarted(&found)),
        };
        let kept = script.lines.iter().find_map(|it| crate::session::seats_kept(&it.text));
        let named =
            if start.seats.is_empty() { kept.unwrap_or_default() } else { start.seats.clone() };
        let seats = seats(&named, &game, clock);
        let seed = script.seed().unwrap_or(start.seed);
        let start = Start { script: None, seed, options: script.options(), seats: named, ..start };
        let sources = game.sources().clone();
        let loaded = LoadedScript { start: Running::new(game), script, source, sources };
        let (session, found) = Session::replayed(loaded, seats, Seed(seed), usize::MAX);
        let answer = Started { started: session.is_some(), findings: shown(&found) };
        let kept = (!answer.findings.is_empty()).then(|| text.to_owned());
        let begun = |session| HostedGame { kept, ..HostedGame::begun(session, start, clock) };
        (session.map(begun), answer)
    }

    /// Replays this game on the current text, as far as its moves fit.
    pub(super) fn renewed(&self, written: &AnalysedText) -> (Option<HostedGame>, Started) {
        let so_far = || self.session.record().replayable(&written.name, &self.start.options);
        let script = self.kept.clone().unwrap_or_else(so_far);
        let start = Start { script: None, ..self.start.clone() };
        HostedGame::replay(start, &script, written, self.clock)
    }

    /// The game, to be changed: what was kept of other rules is forgotten.
    pub(super) fn session_mut(&mut self) -> &mut Session {
        self.kept = None;
        &mut self.session
    }

    /// Who looks; nobody where everything is shown.
    fn viewer_of(&self, look: &LookRequest) -> Option<Player> {
        match look.seat.map(Player) {
            _ if look.all => None,
            Some(player) if player.index() < self.session.seats().len() => Some(player),
            _ => self.session.viewer(),
        }
    }

    pub(super) fn look(&self, look: &LookRequest) -> Looked {
        let viewer = self.viewer_of(look);
        let last = self.session.steps() - 1;
        let step = look.step.unwrap_or(last).min(last);
        Looked {
            view: self.session.look_after(step, viewer, look.whole),
            step,
            last,
            decides: self.session.decides().map(Player::index),
            needs_person: self.session.needs_person(),
            over: self.session.is_over(),
            can_redo: self.session.has_undone(),
        }
    }

    /// What a seat sees, or who only watches.
    pub(super) fn look_from(&self, seat: Option<Player>) -> Told {
        let session = &self.session;
        Told {
            view: seat.map_or_else(|| session.look_open(), |it| session.look(Some(it), false)),
            // What others do is no business of this seat, also not how often.
            step: seat.map_or(0, |seat| session.decisions_of(seat)),
            needs_person: session.needs_person() && seat.is_some() && session.decides() == seat,
            over: self.session.is_over(),
            broken: self.session.is_broken(),
        }
    }

    fn act(&mut self, act: &Act) -> Result<Acted, MessageRefusal> {
        if !self.session.needs_person() {
            return Err(other("nobody is asked now"));
        }
        let index = match act {
            Act::Words { words, .. } => {
                self.session.find_move(words).ok_or_else(|| self.why(words))
            }
            Act::Number { action, .. } => {
                let found = self.session.position().find_numbers(action.as_slice());
                found.ok_or_else(|| self.not_legal(action.as_slice()))
            }
        };
        let index = match index {
            Ok(index) => index,
            Err(why) => return Ok(Acted::Refused { made: false, why }),
        };
        self.found = self.session_mut().act(index);
        Ok(Acted::Made(DecisionMade { made: true, findings: shown(&self.found) }))
    }

    /// Why numbers make no move.
    fn not_legal(&self, numbers: &[u32]) -> WhyNot {
        let game = self.session.position().game();
        let words = |number: &u32| game.number_label(*number).unwrap_or_else(|| number.to_string());
        let words = numbers.iter().map(words).collect::<Vec<_>>().join(", ");
        WhyNot { words, message: "no legal move has this number".to_owned(), help: None }
    }

    /// Makes a move at the step that was looked at; at a later one it is stale.
    pub(super) fn act_at(&mut self, act: &Act) -> Result<Acted, MessageRefusal> {
        let present = self.session.steps() - 1;
        if act.is_stale(present) {
            return Ok(Acted::Late(too_late(self.look(&LookRequest::default()))));
        }
        self.act(act)
    }

    /// Makes a move of a seat. Its `step` counts the decisions of that seat; another count is stale.
    pub(super) fn act_from(
        &mut self,
        seat: Player,
        act: &Act,
    ) -> Result<SeatActed, MessageRefusal> {
        if act.is_stale(self.session.decisions_of(seat)) {
            return Ok(SeatActed::Late(too_late(self.look_from(Some(seat)))));
        }
        self.check_is_asked(seat)?;
        let why = if let Acted::Refused { why, .. } = self.act(act)? { Some(why) } else { None };
        Ok(SeatActed::Heard { made: why.is_none(), why })
    }

    /// The log as the viewer of `look` may know it.
    pub(super) fn log(&self, look: &LookRequest) -> Vec<LogEntry> {
        self.log_from(self.viewer_of(look))
    }

    /// The log as a seat may know it, or everybody.
    pub(super) fn log_from(&self, seat: Option<Player>) -> Vec<LogEntry> {
        self.session.whole_log(seat)
    }

    /// The rulebook of the game as it is played here.
    pub(super) fn rulebook(&self) -> Result<Rulebook, MessageRefusal> {
        self.book.get_or_init(|| self.session.rulebook()).clone().map_err(other)
    }

    pub(super) fn command(&mut self, words: &str) -> CommandAnswer {
        let (lines, found) =
            self.session_mut().command(&format!(":{}", words.trim_start_matches(':')));
        CommandAnswer { lines, findings: shown(&found) }
    }

    pub(super) fn why(&self, words: &str) -> WhyNot {
        let (message, help) = self.session.why_not(words);
        WhyNot { words: words.to_owned(), message, help }
    }

    pub(super) fn why_from(&self, seat: Player, words: &str) -> Result<WhyNot, MessageRefusal> {
        self.check_is_asked(seat)?;
        Ok(self.why(words))
    }

    fn check_is_asked(&self, seat: Player) -> Result<(), MessageRefusal> {
        let asked = self.session.decides() == Some(seat);
        if asked { Ok(()) } else { Err(other("this seat is not asked now")) }
    }

    pub(super) fn advance(&mut self) -> DecisionMade {
        let found = self.session.advance_alone();
        DecisionMade { made: found.is_some(), findings: shown(&found.unwrap_or_default()) }
    }
}

/// The seats by their words; people where a word means nothing.
fn seats(words: &[String], game: &Game, clock: Clock) -> Vec<Seat> {
    let seat = |at: usize| words.get(at).and_then(|word| Seat::from_word(word, game, clock));
    (0..game.info().players).map(|at| seat(at).unwrap_or(Seat::Human)).collect()
}
