//! Answers what people type at the table: moves and commands (the REPL).

use std::io;

use super::command::{COMMANDS, Command, Input, read};
use crate::chance::Seed;
use crate::diagnostic::Diagnostics;
use crate::session::console::{Change, DynIo, MoveList};
use crate::session::error::Refused;
use crate::session::event::{Event, Moment};
use crate::session::match_move::{Typed, advice, beginning_with, find};
use crate::session::play::{Ending, Session};
use crate::session::seat::Seat;
use crate::session::timeline::{Made, Refusal, Step};
use crate::source::{Source, Sources, padded};
use crate::transcript::list;

/// How many moves are named that words could mean.
const MOST_NAMED: usize = 6;

impl Session {
    pub(in crate::session) fn answer(
        &mut self,
        line: &str,
        labels: &[String],
        io: &mut DynIo,
    ) -> io::Result<Option<Ending>> {
        match read(line) {
            Input::Nothing => {}
            Input::Wrong(sentence) => io.console.tell(&sentence)?,
            Input::Move(words) => self.make(&words, labels, io)?,
            Input::Command(Command { word: "quit", .. }) => return Ok(Some(self.leave())),
            Input::Command(command) => self.obey(&command, labels, io)?,
        }
        Ok(None)
    }

    fn obey(&mut self, command: &Command, labels: &[String], io: &mut DynIo) -> io::Result<()> {
        let Command { word, text, number, anyhow } = command;
        let count = number.map_or(1, |it| usize::try_from(it).unwrap_or(usize::MAX));
        match *word {
            "help" => self.help(text, io),
            "rules" => self.rules(text, io),
            "moves" => self.moves(text, labels, io),
            "state" => self.show_table(true, io),
            "why" => self.why(text, labels, io),
            "undo" => self.undo(count, *anyhow, io),
            "redo" => self.redo(count, io),
            "roll" => self.roll(text, io),
            "eval" => self.eval(text, *anyhow, io),
            "set" => self.set(text, io),
            "save" => self.save(text, *anyhow, io),
            "load" => match io.files.load(text) {
                Ok(loaded) => self.take_over(loaded, io),
                Err((sources, found)) => io.console.draw(&sources, &found, true),
            },
            "reload" => self.reload(io),
            "record" => self.record_in(text, *anyhow, io),
            "history" => self.history(io),
            "restart" => self.restart(io),
            "seed" => self.reseed(*number, io),
            "auto" => {
                self.auto = !self.auto;
                io.console.tell(if self.auto {
                    "where there is only one move it is made from now on; `:auto` stops that"
                } else {
                    "every move is asked for again"
                })
            }
            "hint" => self.advise(text, labels, io),
            "best" => self.weigh(io),
            other => unreachable!("`:{other}` is not in the list of commands"),
        }
    }

    fn nothing_to_decide(&self) -> Option<&'static str> {
        match self.moment() {
            Moment::Decision(_) => None,
            Moment::Over | Moment::Returned => Some(
                "the game is over; `:undo` takes back, `:restart` begins again, `:quit` leaves",
            ),
            Moment::Broken => {
                Some("the rules could not go on; `:undo` takes the last decision back")
            }
        }
    }

    fn make(&mut self, words: &str, labels: &[String], io: &mut DynIo) -> io::Result<()> {
        let Moment::Decision(player) = self.moment() else {
            return io.console.tell(self.nothing_to_decide().unwrap_or_default());
        };
        match find(labels, self.numbers_moves(), words) {
            Typed::Move(index) => {
                // A move that was typed in short is said in full, where people look at it.
                let label = &labels[index];
                if words != label && io.console.is_lively() && !self.is_guarded() {
                    io.console.tell(&format!("  {label}"))?;
                }
                self.choose(player, Made::Person(index), io)
            }
            Typed::Several(several) => {
                let named = several.iter().take(MOST_NAMED).map(|&at| format!("`{}`", labels[at]));
                let mut named: Vec<String> = named.collect();
                let more = several.len().saturating_sub(MOST_NAMED);
                named.extend((more > 0).then(|| format!("{more} more")));
                io.console.tell(&format!("that could mean {}", list(&named)))
            }
            Typed::Nothing => match beginning_with(labels, words).as_slice() {
                [] => self.refuse(words, labels, io),
                [one] => io.console.tell(&format!("type all its words: `{}`", labels[*one])),
                several => io.console.tell(&format!(
                    "{} legal moves begin like that; type more words, or `:moves {words}` to list \
                     them",
                    several.len()
                )),
            },
        }
    }

    /// Says why words are no legal move: drawn from the rules where a condition fails.
    fn refuse(&self, words: &str, labels: &[String], io: &mut DynIo) -> io::Result<()> {
        let reason = self.position().why_not(words);
        // A word that is a move somewhere in the rules was meant as one.
        if reason.unknown
            && let Some(sentence) = self.misdirected(words, labels)
        {
            return io.console.tell(&sentence);
        }
        let help = advice(labels, words, reason.span.is_some()).or(reason.help);
        if let Some(span) = reason.span {
            let found = Diagnostics::of(Refused { message: reason.message, help, span });
            return io.console.draw(self.position().game().sources(), &found, true);
        }
        io.console.tell(&reason.message)?;
        help.iter().try_for_each(|help| io.console.tell(help))
    }

    /// What to type in place of words that are no move at all: a command without its colon, a
    /// number that no move has, a line of a script.
    fn misdirected(&self, words: &str, labels: &[String]) -> Option<String> {
        let first = words.split_whitespace().next()?;
        if COMMANDS.iter().any(|entry| entry.word == first) {
            return Some(format!("commands begin with a colon: type `:{first}`"));
        }
        if matches!(first, "?" | "exit" | "quit()") {
            return Some("`:help` lists what can be typed, `:quit` leaves the game".to_owned());
        }
        let number = words.trim().chars().all(|letter| letter.is_ascii_digit());
        if number && self.numbers_moves() {
            let last = labels.len();
            return Some(format!("the moves are numbered from 1 to {last}; `:moves` lists them"));
        }
        let name = words.split_once('>')?.0.trim();
        let known = self.position().names().iter().any(|known| known == name);
        known.then(|| "type the move alone, without the name of the player".to_owned())
    }

    fn moves(&self, word: &str, labels: &[String], io: &mut DynIo) -> io::Result<()> {
        if let Some(sentence) = self.nothing_to_decide() {
            return io.console.tell(sentence);
        }
        let position = self.position();
        if word.is_empty()
            && let Some(question) = position.question()
        {
            io.console.tell(&question)?;
        }
        let begun = beginning_with(labels, word);
        if begun.is_empty() {
            return io.console.tell(&format!(
                "no legal move begins with `{word}`; `:moves` alone lists all, `:why {word}` says why"
            ));
        }
        // Moves with their numbers, and behind them what there is to know about them.
        let widest = begun.iter().map(|at| labels[*at].chars().count()).max().unwrap_or(0);
        let line = |at: usize| match position.remark(at) {
            Some(remark) => format!("{}  {remark}", padded(&labels[at], widest)),
            None => labels[at].clone(),
        };
        let moves: Vec<(usize, String)> = begun.iter().map(|at| (at + 1, line(*at))).collect();
        let numbered = self.numbers_moves();
        io.console.list(&MoveList { moves: &moves, numbered, whole: true })
    }

    fn why(&self, words: &str, labels: &[String], io: &mut DynIo) -> io::Result<()> {
        if let Some(sentence) = self.nothing_to_decide() {
            return io.console.tell(sentence);
        }
        match find(labels, self.numbers_moves(), words) {
            Typed::Move(index) => io.console.tell(&format!("`{}` is legal here", labels[index])),
            Typed::Several(several) => {
                let count = several.len();
                io.console.tell(&format!("{count} legal moves begin like that; type one in full"))
            }
            Typed::Nothing => self.refuse(words, labels, io),
        }
    }

    fn undo(&mut self, count: usize, anyhow: bool, io: &mut DynIo) -> io::Result<()> {
        let listener = self.listener();
        let say = |before: &Step, step: &Step| listener.again(before, step);
        let seed = self.luck.seed;
        let sentence = match self.timeline.undo(count, anyhow, &mut self.luck, &say) {
            Ok(heads) => {
                self.come_back(seed);
                if anyhow {
                    self.rounds += 1;
                    self.luck.rewind(seed, self.rounds, self.seats.len());
                }
                return heads
                    .iter()
                    .try_for_each(|head| io.console.tell(&format!("taken back: {head}")));
            }
            Err(Refusal::Only(0)) => "nothing was decided yet that could be taken back",
            Err(Refusal::Only(1)) => "only one decision can be taken back: `:undo`",
            Err(Refusal::Only(some)) => {
                &format!("only {some} decisions can be taken back: `:undo {some}`")
            }
            Err(Refusal::Secret) => {
                "somebody was told something since then that the others did not hear; `:undo!` \
                 takes it back all the same"
            }
        };
        io.console.tell(sentence)
    }

    fn redo(&mut self, count: usize, io: &mut DynIo) -> io::Result<()> {
        let listener = self.listener();
        let say = |before: &Step, step: &Step| listener.again(before, step);
        let seed = self.luck.seed;
        let heads = self.timeline.redo(count, &mut self.luck, &say);
        if heads.is_empty() {
            return io.console.tell(
                "nothing was taken back that could be made again; another move ends `:redo`",
            );
        }
        self.come_back(seed);
        heads.iter().try_for_each(|head| io.console.tell(&format!("again: {head}")))
    }

    /// Sits down before a position that was there already. A seed that was given since then still
    /// holds.
    fn come_back(&mut self, seed: Seed) {
        self.seats.resize(self.position().names().len(), Seat::Human);
        if self.luck.seed != seed {
            self.luck.rewind(seed, self.rounds, self.seats.len());
        }
        self.shown = false;
        self.forget_told();
    }

    fn roll(&mut self, outcomes: &str, io: &mut DynIo) -> io::Result<()> {
        if outcomes == "-" {
            self.luck.forget_pins();
        } else if let Err(sentence) = self.luck.pin(outcomes, &self.timeline.now().after) {
            return io.console.tell(&sentence);
        }
        let waiting = self.luck.pins();
        if waiting.is_empty() {
            return io.console.tell(
                "the next draws follow from the seed; `:roll 3 5` says that they end with 3 and 5",
            );
        }
        let words = list(&waiting);
        io.console.tell(&format!("the next draws end with {words}; `:roll -` forgets that"))
    }

    /// Computes something. It would know what others may not see, so where they share a screen it
    /// must be wanted.
    fn eval(&self, text: &str, anyhow: bool, io: &mut DynIo) -> io::Result<()> {
        if self.is_guarded() && !anyhow {
            return io.console.tell(
                "`:eval` knows what not everybody at this screen may see; `:eval!` computes it all \
                 the same, `:state` shows what you may see",
            );
        }
        let (sources, source) = self.typed(text);
        match self.position().value(&source) {
            Ok(value) => io.console.tell(&value),
            Err(found) => io.console.draw(&sources, &found, true),
        }
    }

    /// Something that was typed, as a text of its own behind those of the game.
    fn typed(&self, text: &str) -> (Sources, Source) {
        let mut sources = self.position().game().sources().clone();
        let source = sources.add("typed", text).clone();
        (sources, source)
    }

    fn set(&mut self, text: &str, io: &mut DynIo) -> io::Result<()> {
        if let Some(sentence) = self.nothing_to_decide() {
            return io.console.tell(sentence);
        }
        let (sources, source) = self.typed(text);
        let mut position = self.position().clone();
        // Whether the moves can be listed is tried first, so that a change that leaves nothing to
        // do changes nothing.
        let applied = position.apply(&source).and_then(|()| {
            let mut tried = self.position().clone();
            tried.apply(&source)?;
            tried.advance()
        });
        match applied {
            Ok(_) => self.advance(Made::Set, Some(format!("set {text}")), position, io),
            Err(found) => io.console.draw(&sources, &found, true),
        }
    }

    fn save(&self, file: &str, anyhow: bool, io: &mut DynIo) -> io::Result<()> {
        match io.files.save(file, anyhow, &self.record()) {
            Ok(()) => {
                io.console.tell(&format!(
                    "saved; `astragal play --load {file}` goes on with it, `astragal run {file}` plays it again"
                ))?;
                self.warn_of_secrets(io)
            }
            Err(found) => io.console.draw(&Sources::default(), &found, true),
        }
    }

    fn record_in(&self, file: &str, anyhow: bool, io: &mut DynIo) -> io::Result<()> {
        if file.is_empty() {
            return io.console.tell(&match io.files.recorded_in() {
                Some(file) => format!("the game is being written into `{file}`"),
                None => "the game is not being written; `:record FILE` begins".to_owned(),
            });
        }
        match io.files.record(file, anyhow, &self.record()) {
            Ok(()) => {
                io.console.tell(&format!("written into `{file}` from now on"))?;
                self.warn_of_secrets(io)
            }
            Err(found) => io.console.draw(&Sources::default(), &found, true),
        }
    }

    /// A file holds everything.
    fn warn_of_secrets(&self, io: &mut DynIo) -> io::Result<()> {
        if !self.is_guarded() {
            return Ok(());
        }
        io.console.tell("whoever reads the file sees what everybody has and picks")
    }

    /// Plays the moves so far on the rules as they are now; where these cannot be played, the game
    /// goes on as it was.
    fn reload(&mut self, io: &mut DynIo) -> io::Result<()> {
        match io.files.reload(&self.record()) {
            Ok(loaded) => {
                io.console
                    .tell("the moves so far, on the rules as they are now; `:undo` goes back")?;
                self.take_over(loaded, io)
            }
            Err((sources, found)) => {
                io.console.draw(&sources, &found, true)?;
                io.console.tell("the game goes on with the rules as they were")
            }
        }
    }

    /// Looks whether the rules were changed, and does what the people want then.
    pub(in crate::session) fn meet_change(&mut self, io: &mut DynIo) -> io::Result<()> {
        match io.files.change() {
            Change::No => Ok(()),
            Change::Offered(file) => {
                io.console.tell(&format!("`{file}` has changed; `:reload` plays on with it"))
            }
            Change::Wanted(file) => {
                io.console.tell(&format!("`{file}` has changed"))?;
                self.reload(io)
            }
        }
    }

    fn history(&self, io: &mut DynIo) -> io::Result<()> {
        let lines = self.decided();
        if lines.is_empty() {
            return io.console.tell("nothing was decided yet");
        }
        let count = lines.iter().filter(|(is_decision, _)| *is_decision).count();
        let width = count.to_string().len();
        let mut number = 0;
        lines.iter().try_for_each(|(is_decision, line)| {
            number += usize::from(*is_decision);
            let shown = if *is_decision { number.to_string() } else { String::new() };
            io.console.tell(&format!("  {shown:>width$}  {line}"))
        })
    }

    /// What was decided, as whoever looks at the screen may hear it, and, marked as no decision, who
    /// declined because nothing else was legal.
    fn decided(&self) -> Vec<(bool, String)> {
        let (steps, position) = (self.timeline.steps(), self.position());
        let secrets = position.has_secrets();
        let (listener, unseen) = (self.listener(), steps.len() - position.picked_unseen());
        let mut decided = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            if secrets && let Some(before) = at.checked_sub(1) {
                decided.push((true, listener.line(&steps[before], step, at >= unseen)));
            }
            for event in &step.events {
                match event {
                    Event::Acted(line) if !secrets => decided.push((true, line.clone())),
                    Event::Said(said) if said.declines => {
                        let lines = event.lines(position.names(), None);
                        decided.extend(lines.iter().map(|it| (false, it.trim_start().to_owned())));
                    }
                    _ => {}
                }
            }
        }
        decided
    }

    fn restart(&mut self, io: &mut DynIo) -> io::Result<()> {
        let Some(start) = self.timeline.start().cloned() else {
            return io.console.tell("the beginning of this game is not known any more");
        };
        let seed = if self.position().has_secrets() {
            "the same seed".to_owned()
        } else {
            format!("seed {}", self.luck.seed)
        };
        io.console.tell(&format!(
            "from the beginning, with {seed}; `:undo` goes back to the game that was played"
        ))?;
        self.advance(Made::Start(Box::new(start.clone())), None, start, io)
    }

    fn reseed(&mut self, seed: Option<u64>, io: &mut DynIo) -> io::Result<()> {
        if let Some(seed) = seed {
            self.luck.rewind(Seed(seed), self.rounds, self.seats.len());
            self.timeline.forget_kept();
            return io.console.tell(&format!("what is drawn from now on follows from {seed}"));
        }
        io.console.tell(&format!("seed {}", self.luck.seed))?;
        if self.position().has_secrets() {
            io.console.tell("whoever knows it can deal the same game and see what is hidden")?;
        }
        Ok(())
    }
}
