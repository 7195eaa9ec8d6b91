//! Answers to what people type at the table.

use std::io;

use super::command::{COMMANDS, Command, Input, read};
use super::timeline::{Made, Moment, Refusal, Step};
use crate::chance::Seed;
use crate::diagnostic::Diagnostics;
use crate::session::console::{Change, Console, Files, Io, MoveList};
use crate::session::error::Refused;
use crate::session::match_move::{Typed, advice, beginning_with, find};
use crate::session::play::{Ending, Session, sources};
use crate::session::playable::Playable;
use crate::session::seat::Seat;
use crate::source::{Source, Sources, padded};
use crate::transcript::list;

impl<P: Playable + Clone> Session<P> {
    /// Answers a line.
    pub(in crate::session) fn answer<C: Console, F: Files<P>>(
        &mut self,
        line: &str,
        labels: &[String],
        desk: &mut Io<C, F>,
    ) -> io::Result<Option<Ending>> {
        match read(line) {
            Input::Nothing => {}
            Input::Wrong(sentence) => desk.console.tell(&sentence)?,
            Input::Move(words) => self.make(&words, labels, desk)?,
            Input::Command(Command::Quit) => return Ok(Some(self.leave())),
            Input::Command(command) => self.obey(command, labels, desk)?,
        }
        Ok(None)
    }

    fn make<C: Console, F: Files<P>>(
        &mut self,
        words: &str,
        labels: &[String],
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        let player = match self.timeline.now().moment {
            Moment::Decision(player) => player,
            Moment::Over => return desk.console.tell(OVER),
            Moment::Broken => return desk.console.tell(BROKEN),
        };
        match find(labels, self.numbers_moves(), words) {
            Typed::Move(index) => {
                self.repeat(words, &labels[index], desk)?;
                self.choose(player, index, Made::Person, desk)
            }
            Typed::Several(several) => {
                let words = several.iter().take(MOST_NAMED).map(|&at| format!("`{}`", labels[at]));
                let mut words: Vec<String> = words.collect();
                if several.len() > MOST_NAMED {
                    words.push(format!("{} more", several.len() - MOST_NAMED));
                }
                desk.console.tell(&format!("that could mean {}", list(&words)))
            }
            Typed::Nothing => match beginning_with(labels, words).as_slice() {
                [] => self.refuse(words, labels, desk),
                [one] => desk.console.tell(&format!("type all its words: `{}`", labels[*one])),
                several => desk.console.tell(&format!(
                    "{} legal moves begin like that; type more words, or `:moves {words}` to list \
                     them",
                    several.len()
                )),
            },
        }
    }

    /// Says in full which move was meant by a number or by the beginnings of words, where people
    /// look at it.
    fn repeat<C: Console, F>(
        &self,
        words: &str,
        label: &str,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        if words == label || !desk.console.is_lively() || self.is_guarded() {
            return Ok(());
        }
        desk.console.tell(&format!("  {label}"))
    }

    /// Says why words are no legal move: drawn from the rules where a condition fails.
    fn refuse<C: Console, F: Files<P>>(
        &self,
        words: &str,
        labels: &[String],
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        let reason = self.position().why_not(words);
        // A word that is a move somewhere in the rules was meant as one.
        if reason.unknown
            && let Some(sentence) = self.misdirected(words, labels)
        {
            return desk.console.tell(&sentence);
        }
        let help = advice(labels, words, reason.span.is_some()).or(reason.help);
        if let Some(span) = reason.span {
            let mut found = Diagnostics::new();
            found.push(Refused { message: reason.message, help, span });
            return desk.console.draw(&sources(self.position()), &found, true);
        }
        desk.console.tell(&reason.message)?;
        help.iter().try_for_each(|help| desk.console.tell(help))
    }

    /// What to type in place of words that are no move at all: a command without its colon, a
    /// number that no move has, a line of a script.
    fn misdirected(&self, words: &str, labels: &[String]) -> Option<String> {
        let first = words.split_whitespace().next()?;
        if let Some(command) = COMMANDS.iter().find(|entry| entry.word == first) {
            return Some(format!("commands begin with a colon: type `:{}`", command.word));
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

    fn obey<C: Console, F: Files<P>>(
        &mut self,
        command: Command,
        labels: &[String],
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        match command {
            Command::Help(word) => self.help(&word, desk),
            Command::Rules(word) => self.rules(&word, desk),
            Command::Moves(word) => self.moves(&word, labels, desk),
            Command::State => self.show_table(true, desk),
            Command::Why(words) => self.why(&words, labels, desk),
            Command::Undo { count, anyhow } => self.undo(count, anyhow, desk),
            Command::Redo(count) => self.redo(count, desk),
            Command::Roll(outcomes) => self.roll(&outcomes, desk),
            Command::Eval { text, anyhow } => self.eval(&text, anyhow, desk),
            Command::Set(text) => self.set(&text, desk),
            Command::Save { file, anyhow } => self.save((&file, anyhow), desk),
            Command::Load(file) => self.load(&file, desk),
            Command::Reload => self.reload(desk),
            Command::Record { file, anyhow } => self.record_in((&file, anyhow), desk),
            Command::History => self.history(desk),
            Command::Restart => self.restart(desk),
            Command::Seed(seed) => self.reseed(seed, desk),
            Command::Auto => self.toggle_auto(desk),
            Command::Hint(word) => self.advise(&word, labels, desk),
            Command::Best => self.weigh(desk),
            Command::Quit => unreachable!("leaving is answered before"),
        }
    }

    fn moves<C: Console, F>(
        &self,
        word: &str,
        labels: &[String],
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        match self.timeline.now().moment {
            Moment::Over => return desk.console.tell(OVER),
            Moment::Broken => return desk.console.tell(BROKEN),
            Moment::Decision(_) => {}
        }
        if word.is_empty()
            && let Some(question) = self.position().question()
        {
            desk.console.tell(&question)?;
        }
        let begun = beginning_with(labels, word);
        if begun.is_empty() {
            return desk.console.tell(&format!(
                "no legal move begins with `{word}`; `:moves` alone lists all, `:why {word}` says why"
            ));
        }
        let moves = self.with_remarks(labels, &begun);
        let numbered = self.numbers_moves();
        desk.console.list(&MoveList { moves: &moves, numbered, whole: true })
    }

    /// Moves with their numbers, and behind them what there is to know about them.
    fn with_remarks(&self, labels: &[String], which: &[usize]) -> Vec<(usize, String)> {
        let widest = which.iter().map(|at| labels[*at].chars().count()).max().unwrap_or(0);
        let line = |at: usize| match self.position().remark(at) {
            Some(remark) => format!("{}  {remark}", padded(&labels[at], widest)),
            None => labels[at].clone(),
        };
        which.iter().map(|at| (at + 1, line(*at))).collect()
    }

    fn why<C: Console, F: Files<P>>(
        &self,
        words: &str,
        labels: &[String],
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        match (self.timeline.now().moment, find(labels, self.numbers_moves(), words)) {
            (Moment::Over, _) => desk.console.tell(OVER),
            (Moment::Broken, _) => desk.console.tell(BROKEN),
            (_, Typed::Move(index)) => {
                desk.console.tell(&format!("`{}` is legal here", labels[index]))
            }
            (_, Typed::Several(several)) => {
                let count = several.len();
                desk.console.tell(&format!("{count} legal moves begin like that; type one in full"))
            }
            (_, Typed::Nothing) => self.refuse(words, labels, desk),
        }
    }

    fn undo<C: Console, F>(
        &mut self,
        count: usize,
        anyhow: bool,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        let ears = self.ears();
        let say = move |before: &Step<P>, step: &Step<P>| ears.again(before, step);
        let seed = self.luck.seed;
        let sentence = match self.timeline.undo((count, anyhow), &mut self.luck, &say) {
            Ok(heads) => {
                self.come_back(seed);
                if anyhow {
                    self.rounds += 1;
                    self.luck.rewind(seed, self.rounds, self.seats.len());
                }
                return heads
                    .iter()
                    .try_for_each(|head| desk.console.tell(&format!("taken back: {head}")));
            }
            Err(Refusal::Only(0)) => "nothing was decided yet that could be taken back".to_owned(),
            Err(Refusal::Only(1)) => "only one decision can be taken back: `:undo`".to_owned(),
            Err(Refusal::Only(some)) => {
                format!("only {some} decisions can be taken back: `:undo {some}`")
            }
            Err(Refusal::Secret) => {
                "somebody was told something since then that the others did not hear; `:undo!` \
                 takes it back all the same"
                    .to_owned()
            }
        };
        desk.console.tell(&sentence)
    }

    fn redo<C: Console, F>(&mut self, count: usize, desk: &mut Io<C, F>) -> io::Result<()> {
        let ears = self.ears();
        let say = move |before: &Step<P>, step: &Step<P>| ears.again(before, step);
        let seed = self.luck.seed;
        let heads = self.timeline.redo(count, &mut self.luck, &say);
        if heads.is_empty() {
            return desk.console.tell(
                "nothing was taken back that could be made again; another move ends `:redo`",
            );
        }
        self.come_back(seed);
        heads.iter().try_for_each(|head| desk.console.tell(&format!("again: {head}")))
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

    fn roll<C: Console, F>(&mut self, outcomes: &str, desk: &mut Io<C, F>) -> io::Result<()> {
        let position = &self.timeline.now().after;
        let noted = match outcomes {
            "-" => {
                self.luck.pins.clear();
                Ok(())
            }
            outcomes => self.luck.pins.add_checked(outcomes, position),
        };
        if let Err(sentence) = noted {
            return desk.console.tell(&sentence);
        }
        let waiting = self.luck.pins.waiting();
        if waiting.is_empty() {
            return desk.console.tell(
                "the next draws follow from the seed; `:roll 3 5` says that they end with 3 and 5",
            );
        }
        let words = list(&waiting);
        desk.console.tell(&format!("the next draws end with {words}; `:roll -` forgets that"))
    }

    /// Computes something. It would know what others may not see, so where they share a screen it
    /// must be wanted.
    fn eval<C: Console, F>(&self, text: &str, anyhow: bool, desk: &mut Io<C, F>) -> io::Result<()> {
        if self.is_guarded() && !anyhow {
            return desk.console.tell(
                "`:eval` knows what not everybody at this screen may see; `:eval!` computes it all \
                 the same, `:state` shows what you may see",
            );
        }
        let (sources, source) = self.typed(text);
        match self.position().value(&source) {
            Ok(value) => desk.console.tell(&value),
            Err(found) => desk.console.draw(&sources, &found, true),
        }
    }

    /// Something that was typed, as a text of its own behind those of the game.
    fn typed(&self, text: &str) -> (Sources, Source) {
        let mut sources = sources(self.position());
        let source = sources.add("typed", text).clone();
        (sources, source)
    }

    fn set<C: Console, F: Files<P>>(&mut self, text: &str, desk: &mut Io<C, F>) -> io::Result<()> {
        match self.timeline.now().moment {
            Moment::Over => return desk.console.tell(OVER),
            Moment::Broken => return desk.console.tell(BROKEN),
            Moment::Decision(_) => {}
        }
        let (sources, source) = self.typed(text);
        let mut position = self.position().clone();
        // Whether the moves can be listed is tried first, so that a change that leaves nothing to
        // do changes nothing.
        let mut tried = position.clone();
        let mut applied = position.apply(&source);
        if applied.is_ok() {
            applied = tried.apply(&source).and_then(|()| tried.advance().map(|_| ()));
        }
        match applied {
            Ok(()) => self.advance(Made::Set, Some(format!("set {text}")), position, desk),
            Err(found) => desk.console.draw(&sources, &found, true),
        }
    }

    fn save<C: Console, F: Files<P>>(
        &self,
        (file, anyhow): (&str, bool),
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        match desk.files.save(file, anyhow, &self.record()) {
            Ok(()) => {
                desk.console.tell(&format!(
                    "saved; `astragal play --load {file}` goes on with it, `astragal run {file}` plays it again"
                ))?;
                self.warn_of_secrets(desk)
            }
            Err(found) => desk.console.draw(&Sources::default(), &found, true),
        }
    }

    fn load<C: Console, F: Files<P>>(&mut self, file: &str, desk: &mut Io<C, F>) -> io::Result<()> {
        match desk.files.load(file) {
            Ok(loaded) => self.take_over(loaded, desk),
            Err((sources, found)) => desk.console.draw(&sources, &found, true),
        }
    }

    /// Plays the moves so far on the rules as they are now; where these cannot be played, the game
    /// goes on as it was.
    fn reload<C: Console, F: Files<P>>(&mut self, desk: &mut Io<C, F>) -> io::Result<()> {
        let loaded = match desk.files.reload(&self.record()) {
            Ok(loaded) => loaded,
            Err((sources, found)) => {
                desk.console.draw(&sources, &found, true)?;
                return desk.console.tell("the game goes on with the rules as they were");
            }
        };
        desk.console.tell("the moves so far, on the rules as they are now; `:undo` goes back")?;
        self.take_over(loaded, desk)
    }

    /// Looks whether the rules were changed, and does what the people want then.
    pub(in crate::session) fn meet_change<C: Console, F: Files<P>>(
        &mut self,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        match desk.files.change() {
            Change::No => Ok(()),
            Change::Offered(file) => {
                desk.console.tell(&format!("`{file}` has changed; `:reload` plays on with it"))
            }
            Change::Wanted(file) => {
                desk.console.tell(&format!("`{file}` has changed"))?;
                self.reload(desk)
            }
        }
    }

    fn record_in<C: Console, F: Files<P>>(
        &self,
        (file, anyhow): (&str, bool),
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        if file.is_empty() {
            let sentence = match desk.files.recorded_in() {
                Some(file) => format!("the game is being written into `{file}`"),
                None => "the game is not being written; `:record FILE` begins".to_owned(),
            };
            return desk.console.tell(&sentence);
        }
        match desk.files.record(file, anyhow, &self.record()) {
            Ok(()) => {
                desk.console.tell(&format!("written into `{file}` from now on"))?;
                self.warn_of_secrets(desk)
            }
            Err(found) => desk.console.draw(&Sources::default(), &found, true),
        }
    }

    fn history<C: Console, F>(&self, desk: &mut Io<C, F>) -> io::Result<()> {
        let lines = self.decided();
        if lines.is_empty() {
            return desk.console.tell("nothing was decided yet");
        }
        let count = lines.iter().filter(|(is_decision, _)| *is_decision).count();
        let width = count.to_string().len();
        let mut number = 0;
        lines.iter().try_for_each(|(is_decision, line)| {
            number += usize::from(*is_decision);
            let shown = if *is_decision { number.to_string() } else { String::new() };
            desk.console.tell(&format!("  {shown:>width$}  {line}"))
        })
    }

    /// What was decided, as whoever looks at the screen may hear it, and, marked as no decision, who
    /// declined because nothing else was legal.
    fn decided(&self) -> Vec<(bool, String)> {
        let steps = self.timeline.steps();
        let secrets = self.position().has_secrets();
        let (ears, unseen) = (self.ears(), steps.len() - self.position().picked_unseen());
        let mut decided = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            if secrets && let Some(before) = at.checked_sub(1) {
                decided.push((true, ears.line(&steps[before], step, at >= unseen)));
            }
            for (number, line) in step.lines.iter().enumerate() {
                if step.declined.contains(&number) {
                    decided.push((false, line.trim_start().to_owned()));
                } else if !secrets && !line.starts_with([' ', '*', '=']) {
                    decided.push((true, line.clone()));
                }
            }
        }
        decided
    }

    /// A file holds everything.
    fn warn_of_secrets<C: Console, F>(&self, desk: &mut Io<C, F>) -> io::Result<()> {
        if !self.is_guarded() {
            return Ok(());
        }
        desk.console.tell("whoever reads the file sees what everybody has and picks")
    }

    fn restart<C: Console, F: Files<P>>(&mut self, desk: &mut Io<C, F>) -> io::Result<()> {
        let Some(start) = self.timeline.start().cloned() else {
            return desk.console.tell("the beginning of this game is not known any more");
        };
        let seed = if self.position().has_secrets() {
            "the same seed".to_owned()
        } else {
            format!("seed {}", self.luck.seed)
        };
        desk.console.tell(&format!(
            "from the beginning, with {seed}; `:undo` goes back to the game that was played"
        ))?;
        self.advance(Made::Start(Box::new(start.clone())), None, start, desk)
    }

    fn reseed<C: Console, F>(&mut self, seed: Option<u64>, desk: &mut Io<C, F>) -> io::Result<()> {
        if let Some(seed) = seed {
            self.luck.rewind(Seed(seed), self.rounds, self.seats.len());
            self.timeline.forget_kept();
            return desk.console.tell(&format!("what is drawn from now on follows from {seed}"));
        }
        desk.console.tell(&format!("seed {}", self.luck.seed))?;
        if self.position().has_secrets() {
            desk.console.tell("whoever knows it can deal the same game and see what is hidden")?;
        }
        Ok(())
    }

    fn toggle_auto<C: Console, F>(&mut self, desk: &mut Io<C, F>) -> io::Result<()> {
        self.auto = !self.auto;
        desk.console.tell(if self.auto {
            "where there is only one move it is made from now on; `:auto` stops that"
        } else {
            "every move is asked for again"
        })
    }
}

/// How many moves are named that words could mean.
const MOST_NAMED: usize = 6;

const OVER: &str = "the game is over; `:undo` takes back, `:restart` begins again, `:quit` leaves";

const BROKEN: &str = "the rules could not go on; `:undo` takes the last decision back";
