//! Lines of a script that people type at the table: `? …`, `! …`, `# …`, `* …`, `NAME> move`, `bot N`.

use std::io;

use crate::bots::{BotKind as Bot, Control};
use crate::session::console::DynIo;
use crate::session::match_move::find_exactly;
use crate::session::play::Session;
use crate::session::repl::commands::{Typed, typed_source};
use crate::session::repl::typed_moves::names_move;
use crate::session::running::Advice;
use crate::session::script::check_line;
use crate::session::steps::{Made, Moment};
use crate::transcript::{self, Line, LineKind, fold_case};

/// The player and the move of a line that names both; none where nobody is called so.
pub(super) fn decision_of<'a>(line: &'a str, names: &'a [String]) -> Option<(&'a str, &'a str)> {
    let (name, words) = line.split_once('>')?;
    let name = fold_case(name).to_lowercase();
    Some((names.iter().find(|known| known.to_lowercase() == name)?, words.trim()))
}

impl Session {
    /// Does what a line of a script says, if it is one that the table takes.
    pub(super) fn script_line(
        &mut self,
        text: &str,
        labels: &[String],
        io: &mut DynIo,
    ) -> io::Result<bool> {
        let (sources, source) = typed_source(self.position().game(), text);
        let first = text.split_whitespace().next().unwrap_or_default();
        if names_move(self.position().game(), labels, first) {
            return Ok(false);
        }
        let names = self.position().names().to_vec();
        let line = transcript::parse_line(&source);
        if let Some((name, whole)) = decision_of(text, &names) {
            // A `#` may belong to the move, so the line is tried with its comment first.
            let words = match &line {
                Ok(Line { kind: LineKind::Decision { words, .. }, .. })
                    if find_exactly(labels, whole).is_none() =>
                {
                    &words.text
                }
                _ => whole,
            };
            self.decide_as(name, words, labels, io)?;
            return Ok(true);
        }
        let Ok(line) = line else { return Ok(false) };
        let is_word = |words: &str| words.chars().all(|it| it.is_alphanumeric() || it == '_');
        match &line.kind {
            LineKind::Comment => self.record_line(&line, io)?,
            // A word after `?` asks for help, unless it can be true.
            LineKind::Holds(words) if is_word(&words.text) && self.is_topic(&words.text) => {
                return Ok(false);
            }
            LineKind::Holds(_) if self.hides_from_people() => io.console.tell(
                "`?` knows what not everybody at this screen may see; `:eval!` computes it all the same",
            )?,
            LineKind::Holds(_) | LineKind::Refused { .. } => {
                let found = check_line(&line, &source, self.position().clone());
                if found.is_empty() {
                    self.record_line(&line, io)?;
                } else {
                    self.fail(&sources, &found, io)?;
                }
            }
            LineKind::Chance(words) => {
                self.pin_roll(Typed { text: &words.text, force: false, labels }, io)?;
            }
            LineKind::Bot(count, who) => {
                let bot = who.as_ref().map_or("random", |who| who.text.as_str());
                self.play_by(bot, *count, io)?;
            }
            LineKind::Do(_) => io.console.tell(
                "`do` leaves the game that is played; write it in a script, and `astragal run` runs it",
            )?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Makes a move of a line that says who makes it.
    fn decide_as(
        &mut self,
        name: &str,
        words: &str,
        labels: &[String],
        io: &mut DynIo,
    ) -> io::Result<()> {
        let sentence = match self.moment() {
            Moment::Decision(player) if self.player_name(player) == name => {
                return self.make(words, labels, io);
            }
            Moment::Decision(player) => {
                format!("it is the turn of {}, not of {name}", self.player_name(player))
            }
            _ => "the game is over".to_owned(),
        };
        self.typed.has_failed = true;
        io.console.tell(&sentence)
    }

    /// Writes a line into the transcript, where it changes nothing.
    fn record_line(&mut self, line: &Line, io: &mut DynIo) -> io::Result<()> {
        self.timeline.append_line(line.text.trim().to_owned());
        let what = if line.kind == LineKind::Comment { "noted" } else { "right" };
        io.console.tell(&format!("{what}; `:test FILE` and `:save FILE` write it down"))
    }

    /// A bot makes a number of decisions, for every player who is asked.
    fn play_by(&mut self, bot: &str, count: u32, io: &mut DynIo) -> io::Result<()> {
        let kind = Bot::from_word(bot, self.position().game()).filter(|kind| kind.is_repeatable());
        let Some(kind) = kind else {
            let known = Bot::words_where(self.position().game(), Bot::is_repeatable);
            return io
                .console
                .tell(&format!("there is no bot `{bot}` that always plays the same: {known}"));
        };
        for _ in 0..count {
            let Moment::Decision(player) = self.moment() else { break };
            let control = Control { clock: || 0, progress: io.console.progress() };
            let position = &self.timeline.now().after;
            let stream = &mut self.luck.seats[player.index()];
            let mut chosen = Advice::default();
            let mut consult = || chosen = position.consult(player, kind, control, stream);
            let stopped = io.console.think(kind.takes_time().then_some(bot), &mut consult)?;
            if let Some(ran_out) = &chosen.ran_out {
                io.console.tell(&format!("{ran_out}: {bot} makes the best move found so far"))?;
            }
            self.report_line_errors(&chosen.line_errors, io)?;
            // A forced move is made again by itself, so `:undo` does not stop before it.
            let made = if self.is_forced() { Made::Machine } else { Made::Person };
            self.play_move(player, made(chosen.index), io)?;
            if stopped || chosen.ran_out.is_some() {
                break;
            }
        }
        Ok(())
    }
}
