//! A game at the table of a front: it begins, people and bots decide, anybody looks back.

use serde::Deserialize;
use serde_json::{Value, json};

use super::findings::objects;
use super::writing::AnalysedText;
use super::{MessageAnswer, MessageRefusal, other};
use crate::bots::Clock;
use crate::chance::Seed;
use crate::diagnostic::Diagnostics;
use crate::game::{Game, Player};
use crate::pipeline::GameOptions;
use crate::session::{Findings, LoadedScript, Running, Seat, Session};
use crate::source::Sources;

/// How a game is to begin.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Start {
    players: Option<usize>,
    names: Vec<String>,
    options: Vec<(String, String)>,
    /// Who decides for each player: `human`, or a bot; people where nothing is said.
    seats: Vec<String>,
    seed: u64,
    /// A script to be replayed first: its header says players, options and seed.
    script: Option<String>,
}

/// From where to look.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LookRequest {
    /// The seat that looks; the one that decides where none is named.
    seat: Option<u8>,
    /// Whether everything is shown, also what some do not see.
    all: bool,
    /// After which step; the last one where none is named.
    step: Option<usize>,
    /// Whether what the file leaves undrawn is shown, too.
    whole: bool,
}

#[derive(Debug)]
pub(super) struct EngineSitting {
    pub(super) session: Session,
    start: Start,
    clock: Clock,
    /// The moves that were made under other rules and do not all fit these, until somebody moves.
    kept: Option<String>,
    /// What the last decision of a person brought to light in the rules.
    pub(super) found: Findings,
}

fn shown(found: &Findings) -> Vec<Value> {
    found.iter().flat_map(|(sources, found)| objects(sources, found)).collect()
}

fn unstarted((sources, found): &(Sources, Diagnostics)) -> Value {
    json!({ "started": false, "findings": objects(sources, found) })
}

impl EngineSitting {
    /// Begins a game; what went wrong, and whether it began, is the answer.
    pub(super) fn start(
        start: Start,
        written: &AnalysedText,
        clock: Clock,
    ) -> (Option<EngineSitting>, Value) {
        if let Some(script) = start.script.clone() {
            return EngineSitting::replay(start, &script, written, clock);
        }
        let setting = GameOptions { players: start.players, options: start.options.clone() };
        let game = match written.load(&setting, &start.names, None) {
            Ok(game) => game,
            Err(found) => return (None, unstarted(&found)),
        };
        let seats = seats(&start.seats, &game, clock);
        let (session, found) =
            Session::steered(Running::new(game), seats, Seed(start.seed), usize::MAX);
        let answer = json!({ "started": true, "findings": shown(&found) });
        (Some(EngineSitting::begun(session, start, clock)), answer)
    }

    /// A game that the front began, whose number everybody may know.
    fn begun(mut session: Session, start: Start, clock: Clock) -> EngineSitting {
        session.known_seed = true;
        EngineSitting { session, start, clock, kept: None, found: Findings::new() }
    }

    /// A game that was begun elsewhere.
    #[cfg(feature = "serve")]
    pub(super) fn joined(session: Session, clock: Clock) -> EngineSitting {
        EngineSitting {
            session,
            start: Start::default(),
            clock,
            kept: None,
            found: Findings::new(),
        }
    }

    fn replay(
        start: Start,
        text: &str,
        written: &AnalysedText,
        clock: Clock,
    ) -> (Option<EngineSitting>, Value) {
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
        let answer = json!({ "started": session.is_some(), "findings": shown(&found) });
        (session.map(|session| EngineSitting::begun(session, start, clock)), answer)
    }

    /// The same game on the text as it is now, as far as its moves fit.
    pub(super) fn renewed(&self, written: &AnalysedText) -> (Option<EngineSitting>, Value) {
        let so_far = || self.session.record().replayable(&written.name, &self.start.options);
        let script = self.kept.clone().unwrap_or_else(so_far);
        let start = Start { script: None, ..self.start.clone() };
        let (mut sitting, answer) = EngineSitting::replay(start, &script, written, self.clock);
        let fits = answer["findings"].as_array().is_none_or(Vec::is_empty);
        if let Some(sitting) = sitting.as_mut().filter(|_| !fits) {
            sitting.kept = Some(script);
        }
        (sitting, answer)
    }

    /// The game, to be changed: what was kept of other rules is forgotten.
    pub(super) fn moved(&mut self) -> &mut Session {
        self.kept = None;
        &mut self.session
    }

    pub(super) fn look(&self, look: &LookRequest) -> Value {
        let viewer = match look.seat.map(Player) {
            _ if look.all => None,
            Some(player) if player.index() < self.session.seats().len() => Some(player),
            _ => self.session.viewer(),
        };
        let last = self.session.steps() - 1;
        let step = look.step.unwrap_or(last).min(last);
        let view = self.session.look_after(step, viewer, look.whole);
        json!({
            "view": view, "step": step, "last": last,
            "decides": self.session.decides().map(Player::index),
            "needs_person": self.session.needs_person(),
            "over": self.session.is_over(),
            "can_redo": self.session.has_undone(),
        })
    }

    /// What one seat sees now, and whether the person there is asked.
    pub(super) fn look_from(&self, seat: Player) -> Value {
        json!({
            "view": self.session.look(Some(seat), false),
            // What others do is no business of this seat, also not how often.
            "step": self.session.decisions_of(seat),
            "needs_person": self.session.needs_person() && self.session.decides() == Some(seat),
            "over": self.session.is_over(),
            "broken": self.session.is_broken(),
        })
    }

    pub(super) fn act(&mut self, words: &str) -> MessageAnswer {
        if !self.session.needs_person() {
            return Err(other("nobody is asked now"));
        }
        let Some(index) = self.session.find_move(words) else {
            return Ok(json!({ "made": false, "why": self.why(words) }));
        };
        self.found = self.moved().act(index);
        Ok(json!({ "made": true, "findings": shown(&self.found) }))
    }

    /// The same at a step that was looked at; at a later one nothing is made.
    pub(super) fn act_at(&mut self, words: &str, step: Option<usize>) -> MessageAnswer {
        let present = self.session.steps() - 1;
        if step.is_some_and(|step| step != present) {
            return Ok(
                json!({ "made": false, "late": true, "now": self.look(&LookRequest::default()) }),
            );
        }
        self.act(words)
    }

    /// The same for the person on a seat, who learns only of the own decision.
    pub(super) fn act_from(
        &mut self,
        seat: Player,
        words: &str,
        step: Option<usize>,
    ) -> MessageAnswer {
        if step.is_some_and(|step| step != self.session.decisions_of(seat)) {
            return Ok(json!({ "made": false, "late": true, "now": self.look_from(seat) }));
        }
        self.asked(seat)?;
        let answer = self.act(words)?;
        Ok(json!({ "made": answer["made"], "why": answer["why"] }))
    }

    pub(super) fn why(&self, words: &str) -> Value {
        let (why, help) = self.session.why_not(words);
        json!({ "words": words, "message": why, "help": help })
    }

    pub(super) fn why_from(&self, seat: Player, words: &str) -> MessageAnswer {
        self.asked(seat)?;
        Ok(self.why(words))
    }

    fn asked(&self, seat: Player) -> Result<(), MessageRefusal> {
        let asked = self.session.decides() == Some(seat);
        if asked { Ok(()) } else { Err(other("this seat is not asked now")) }
    }

    pub(super) fn advance(&mut self) -> Value {
        let found = self.session.advance_alone();
        json!({ "made": found.is_some(), "findings": shown(&found.unwrap_or_default()) })
    }
}

/// The seats by their words; people where a word means nothing.
fn seats(words: &[String], game: &Game, clock: Clock) -> Vec<Seat> {
    let seat = |at: usize| words.get(at).and_then(|word| Seat::named(word, game, clock));
    (0..game.info().players).map(|at| seat(at).unwrap_or(Seat::Human)).collect()
}
