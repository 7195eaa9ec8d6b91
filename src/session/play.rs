//! Playing at the table: people are asked, programs pick, every step is kept.

use std::io;

use super::console::{Console, Files, Io, Loaded, MoveList, Prompt, Reply, think};
use super::luck::Luck;
use super::playable::Playable;
use super::record::Record;
use super::repl::{Act, Again, Made, Moment, Step, Timeline, replay};
use super::run_to_decision::{Event, run_to_decision};
use super::screen::Shared;
use super::seat::Seat;
use crate::bots::Control;
use crate::chance::{Seed, Seeded};
use crate::diagnostic::Diagnostics;
use crate::game::Player;
use crate::snippet::topics;
use crate::source::Sources;
use crate::transcript;

/// One game at one table.
#[derive(Clone, Debug)]
pub struct Session<P> {
    pub(super) timeline: Timeline<P>,
    pub(super) seats: Vec<Seat>,
    pub(super) luck: Luck,
    /// How often people asked for other luck.
    pub(super) rounds: u64,
    /// Whether moves are made by themselves where there is only one.
    pub(super) auto: bool,
    /// Whether people have seen what lies on the table now.
    pub(super) shown: bool,
    topics: Vec<String>,
    /// Decisions that nobody may hear of yet, since others decide at the same time.
    withheld: Vec<String>,
    pub(super) screen: Shared,
}

/// How playing came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The game is over.
    Over,
    /// The people left.
    Left,
    /// Somebody broke off.
    Interrupted,
    /// The rules have a mistake that only showed in play, and nobody took the move back.
    Broken,
}

impl<P: Playable + Clone> Session<P> {
    /// Begins a game: everything happens up to the first decision.
    ///
    /// # Errors
    ///
    /// The console is gone.
    pub fn begin<C: Console, F: Files<P>>(
        start: P,
        seats: Vec<Seat>,
        seed: Seed,
        desk: &mut Io<C, F>,
    ) -> io::Result<Session<P>> {
        let mut luck = Luck::new(seed, 0, seats.len());
        let made = Made::Start(Box::new(start.clone()));
        let settled = settle_step(made, None, &start.clone(), start, &mut luck);
        let mut session = Session::new(settled.step.clone(), seats, luck);
        session.report(&settled, desk)?;
        session.report_unkept(None, &settled.step, desk)?;
        Ok(session)
    }

    /// Begins where a script ends; `None`, with the reason told, if not even its game can begin.
    ///
    /// # Errors
    ///
    /// The console is gone.
    pub fn go_on<C: Console, F: Files<P>>(
        loaded: Loaded<P>,
        seats: Vec<Seat>,
        seed: Seed,
        desk: &mut Io<C, F>,
    ) -> io::Result<Option<Session<P>>> {
        let mut luck = Luck::new(seed, 0, seats.len());
        let mut steps = steps_of(loaded, &seats, &mut luck, desk)?.into_iter();
        let Some(first) = steps.next() else { return Ok(None) };
        let mut session = Session::new(first, seats, luck);
        steps.for_each(|step| session.timeline.push(step));
        Ok(Some(session))
    }

    fn new(first: Step<P>, seats: Vec<Seat>, luck: Luck) -> Session<P> {
        let remembers = seats.iter().any(|seat| matches!(seat, Seat::Human));
        let topics = first.after.game().map_or_else(Vec::new, topics);
        Session {
            timeline: Timeline::new(first, remembers),
            seats,
            luck,
            rounds: 0,
            auto: false,
            shown: false,
            topics,
            withheld: Vec::new(),
            screen: Shared::default(),
        }
    }

    /// Plays to the end, or until the people leave.
    ///
    /// # Errors
    ///
    /// The console is gone.
    pub fn play<C: Console, F: Files<P>>(&mut self, desk: &mut Io<C, F>) -> io::Result<Ending> {
        loop {
            self.keep(desk)?;
            let ending = match self.timeline.now().moment {
                Moment::Decision(player) => self.decide(player, desk)?,
                Moment::Over | Moment::Broken => self.rest(desk)?,
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    /// Returns the game as it stands.
    pub fn position(&self) -> &P {
        &self.timeline.now().after
    }

    pub(super) fn labels(&self) -> Vec<String> {
        let position = self.position();
        match self.timeline.now().moment {
            Moment::Decision(_) => (0..position.moves()).map(|at| position.label(at)).collect(),
            Moment::Over | Moment::Broken => Vec::new(),
        }
    }

    /// Whether a move may be typed as its number in the list: not where a number is a move in words.
    pub(super) fn numbers_moves(&self) -> bool {
        !self.position().prints_numbers()
    }

    /// The game as files keep it.
    pub(super) fn record(&self) -> Record<'_> {
        let position = self.position();
        Record {
            names: position.names(),
            options: position.game().map_or_else(Vec::new, |game| game.info().options.clone()),
            seats: self.seats.iter().map(Seat::word).collect(),
            seed: self.luck.seed.0,
            lines: self.timeline.lines(),
            begun: self.timeline.has_begun(),
            over: self.timeline.now().moment == Moment::Over,
        }
    }

    fn keep<C: Console, F: Files<P>>(&mut self, desk: &mut Io<C, F>) -> io::Result<()> {
        let unchanged = self.timeline.keep();
        let warning = desk.files.keep(&self.record(), unchanged);
        warning.iter().try_for_each(|warning| desk.console.note(warning))
    }

    /// Has a player decide.
    fn decide<C: Console, F: Files<P>>(
        &mut self,
        player: Player,
        desk: &mut Io<C, F>,
    ) -> io::Result<Option<Ending>> {
        let moves = self.timeline.now().after.moves();
        let index = match &self.seats[player.index()] {
            Seat::Human if self.auto && moves == 1 => 0,
            Seat::Human => return self.converse(desk),
            Seat::Bot(bot) => {
                let control = Control { clock: bot.clock, progress: desk.console.progress() };
                let asked = (bot.kind, control);
                let position = &self.timeline.now().after;
                let stream = &mut self.luck.seats[player.index()];
                let consult = || position.consult(player, asked, stream);
                let name = position.names()[player.index()].as_str();
                let thinker = asked.0.takes_time().then_some(name);
                let (index, stopped) = think(&mut desk.console, thinker, consult)?;
                if stopped && self.people() == 0 {
                    return Ok(Some(Ending::Interrupted));
                }
                if stopped {
                    desk.console.tell(&format!(
                        "{name} stops thinking and makes the best move found so far; `:undo` takes \
                         it back"
                    ))?;
                }
                index
            }
        };
        let names = self.position().names();
        let line = transcript::decision(&names[player.index()], &self.heard(player, index));
        self.withheld.push(line);
        self.choose(player, index, Made::Machine, desk)?;
        Ok(None)
    }

    /// Makes a move and runs on to the next decision.
    pub(super) fn choose<C: Console, F: Files<P>>(
        &mut self,
        player: Player,
        index: usize,
        made: Made<P>,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        let before = self.position();
        let line = transcript::decision(&before.names()[player.index()], &before.label(index));
        let heard =
            transcript::decision(&before.names()[player.index()], &self.heard(player, index));
        let mut position = before.clone();
        position.choose(index);
        if matches!(made, Made::Person) && self.is_guarded() {
            self.withheld.push(heard);
        }
        self.advance(made, Some(line), position, desk)
    }

    /// A move as it is told at the table: in the words of those who do not make it, unless the only
    /// person there makes it.
    fn heard(&self, player: Player, index: usize) -> String {
        let alone = self.people() == 1 && self.is_human(player);
        if alone { self.position().label(index) } else { self.position().heard(index) }
    }

    /// Whether several people look at one screen.
    pub(super) fn is_hot(&self) -> bool {
        self.people() > 1
    }

    /// Runs on to the next decision.
    pub(super) fn advance<C: Console, F: Files<P>>(
        &mut self,
        made: Made<P>,
        head: Option<String>,
        position: P,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        let before = &self.timeline.now().after;
        // Whoever makes a position by hand knows what it lacks.
        let by_hand = matches!(made, Made::Set).then(|| position.clone());
        let luck = self.luck.clone();
        if matches!(made, Made::Start(_)) {
            self.luck.rewind(luck.seed, self.rounds, self.seats.len());
        }
        let mut settled = settle_step(made, head, before, position, &mut self.luck);
        settled.step.luck = luck;
        let shown = settled.step.after.shown_secrets() > before.shown_secrets();
        settled.step.secret = (settled.step.secret || shown) && self.is_hot();
        if settled.step.after.picked_unseen() == 0 {
            for line in std::mem::take(&mut self.withheld) {
                self.tell(None, line, desk)?;
            }
        }
        self.report(&settled, desk)?;
        let kept = by_hand.as_ref().unwrap_or(&self.timeline.now().after);
        self.report_unkept(Some(kept), &settled.step, desk)?;
        self.timeline.push(settled.step);
        self.shown = false;
        Ok(())
    }

    /// Tells what people may hear.
    fn report<C: Console, F>(
        &mut self,
        settled: &Settled<P>,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        let names = settled.step.after.names();
        settled.answers.iter().try_for_each(|answer| desk.console.tell(answer))?;
        let mut draws: Vec<&Event> = Vec::new();
        for happening in &settled.happened {
            let Event::Said(said) = happening else {
                draws.push(happening);
                continue;
            };
            self.tell_draws(&std::mem::take(&mut draws), desk)?;
            if said.to.is_none_or(|player| self.is_human(player)) {
                for line in transcript::said(said, names) {
                    self.tell(said.to, line, desk)?;
                }
            }
        }
        self.tell_draws(&draws, desk)?;
        let Some(trap) = &settled.trap else { return Ok(()) };
        desk.console.draw(&sources(&settled.step.after), trap, false)
    }

    pub(super) fn is_human(&self, player: Player) -> bool {
        matches!(self.seats[player.index()], Seat::Human)
    }

    fn people(&self) -> usize {
        self.seats.iter().filter(|seat| matches!(seat, Seat::Human)).count()
    }

    /// Where nothing is to be decided any more: people may still look, take back, save.
    fn rest<C: Console, F: Files<P>>(&mut self, desk: &mut Io<C, F>) -> io::Result<Option<Ending>> {
        if self.people() == 0 || self.is_stillborn() {
            let ending = self.arrive(desk)?;
            return Ok(ending.or(Some(self.leave())));
        }
        self.converse(desk)
    }

    /// Whether the rules could not even come to a decision.
    fn is_stillborn(&self) -> bool {
        let now = self.timeline.now();
        now.moment == Moment::Broken && !self.timeline.has_begun()
    }

    /// Asks for a line and answers it.
    fn converse<C: Console, F: Files<P>>(
        &mut self,
        desk: &mut Io<C, F>,
    ) -> io::Result<Option<Ending>> {
        if let Some(ending) = self.arrive(desk)? {
            return Ok(Some(ending));
        }
        let labels = self.labels();
        let (prompt, idle) = match self.timeline.now().moment {
            Moment::Decision(player) => {
                (format!("{}> ", self.position().names()[player.index()]), false)
            }
            Moment::Over | Moment::Broken => ("> ".to_owned(), true),
        };
        let numbered = self.numbers_moves();
        let (moves, topics, recalled) = (&labels, &self.topics, !self.is_guarded());
        let asking = Prompt { prompt: &prompt, moves, numbered, topics, idle, recalled };
        match desk.console.ask(&asking)? {
            Reply::End => Ok(Some(self.leave())),
            Reply::Interrupt => Ok(Some(Ending::Interrupted)),
            Reply::Line(line) => {
                self.meet_change(desk)?;
                let labels = if self.shown { labels } else { self.labels() };
                self.answer(&line, &labels, desk)
            }
        }
    }

    pub(super) fn leave(&self) -> Ending {
        match self.timeline.now().moment {
            Moment::Decision(_) => Ending::Left,
            Moment::Over => Ending::Over,
            Moment::Broken => Ending::Broken,
        }
    }

    /// Shows where the game stands, once; returns how playing ends where somebody leaves before.
    fn arrive<C: Console, F>(&mut self, desk: &mut Io<C, F>) -> io::Result<Option<Ending>> {
        if std::mem::replace(&mut self.shown, true) {
            return Ok(None);
        }
        match self.timeline.now().moment {
            Moment::Decision(player) => {
                let ending = self.hand_over(player, desk)?;
                if ending.is_some() {
                    return Ok(ending);
                }
                self.show_table(false, desk)?;
                self.list_moves(&self.labels(), false, desk)?;
            }
            Moment::Over => {
                self.tell_the_rest(desk)?;
                self.conclude(desk)?;
            }
            Moment::Broken if self.people() == 0 || self.is_stillborn() => {}
            Moment::Broken => desk.console.tell(
                "the rules could not go on; `:undo` takes the last decision back, `:save FILE` \
                 keeps the game, `:quit` leaves",
            )?,
        }
        Ok(None)
    }

    pub(super) fn list_moves<C: Console, F>(
        &self,
        labels: &[String],
        whole: bool,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        if let Some(question) = self.position().question() {
            desk.console.tell(&question)?;
        }
        let moves: Vec<(usize, String)> = (1..).zip(labels.iter().cloned()).collect();
        desk.console.list(&MoveList { moves: &moves, numbered: self.numbers_moves(), whole })
    }

    fn conclude<C: Console, F>(&self, desk: &mut Io<C, F>) -> io::Result<()> {
        self.show_table(false, desk)?;
        let names = self.position().names();
        if let Some(outcome) = self.position().result() {
            desk.console.tell(&format!("= {}", transcript::result(&outcome, names)))?;
        }
        if self.people() > 0 && desk.console.is_lively() {
            desk.console.tell(
                "the game is over; `:undo` takes back, `:restart` begins again, `:save FILE` keeps \
                 it, `:quit` leaves",
            )?;
        }
        Ok(())
    }

    /// Reports what must always hold and, since the last step, does not, as far as all people may
    /// know it. The game goes on.
    fn report_unkept<C: Console, F>(
        &self,
        before: Option<&P>,
        step: &Step<P>,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        if !matches!(step.moment, Moment::Decision(_) | Moment::Over) {
            return Ok(());
        }
        let players: Vec<Player> = (0..).map(Player).take(self.seats.len()).collect();
        let mut eyes = players.clone();
        eyes.retain(|player| self.is_human(*player));
        // Where programs play among themselves, whoever looks on sees what all of them see.
        let unkept = step.after.unkept(if eyes.is_empty() { &players } else { &eyes });
        if unkept.is_empty() {
            return Ok(());
        }
        let known = before.map_or_else(Vec::new, |before| before.unkept(&players));
        let known: Vec<usize> = known.into_iter().map(|(number, _)| number).collect();
        let fresh = unkept.into_iter().filter(|(number, _)| !known.contains(number));
        let sources = sources(&step.after);
        fresh.into_iter().try_for_each(|(_, found)| desk.console.draw(&sources, &found, false))
    }

    /// Plays a script and goes on where it ends. Where its game cannot even begin, the game that
    /// is played goes on.
    pub(super) fn take_over<C: Console, F: Files<P>>(
        &mut self,
        loaded: Loaded<P>,
        desk: &mut Io<C, F>,
    ) -> io::Result<()> {
        let players = loaded.start.names().len();
        let mut seats = self.seats.clone();
        seats.resize(players, Seat::Human);
        let mut luck = Luck::new(self.luck.seed, 0, players);
        let mut steps = steps_of(loaded, &seats, &mut luck, desk)?;
        let Some(first) = steps.first_mut() else { return Ok(()) };
        // What chance held ready comes back where this is taken back.
        first.luck = std::mem::replace(&mut self.luck, luck);
        (self.seats, self.shown) = (seats, false);
        self.topics = steps[0].after.game().map_or_else(Vec::new, topics);
        steps.into_iter().for_each(|step| self.timeline.push(step));
        Ok(())
    }
}

/// All texts that findings of a game may point into.
pub(super) fn sources(position: &impl Playable) -> Sources {
    position.game().map_or_else(Sources::default, |game| game.sources().clone())
}

/// A step, and what there is to tell about it.
struct Settled<P> {
    step: Step<P>,
    happened: Vec<Event>,
    answers: Vec<String>,
    trap: Option<Diagnostics>,
}

/// Runs from a position to the next decision. Where the rules cannot go on, the step leaves the
/// position before it behind.
fn settle_step<P: Playable + Clone>(
    made: Made<P>,
    head: Option<String>,
    before: &P,
    mut position: P,
    luck: &mut Luck,
) -> Settled<P> {
    let earlier = luck.clone();
    let mut dice = luck.dice();
    let mut happened = Vec::new();
    let step = run_to_decision(&mut position, &mut dice, &mut happened);
    let names = before.names();
    let mut lines: Vec<String> = head.into_iter().collect();
    let mut declined = Vec::new();
    for happening in &happened {
        declined.extend(happening.declines().then_some(lines.len()));
        lines.extend(happening.lines(names));
    }
    let secret = happened.iter().any(Event::is_private);
    let answers = dice.answers;
    let (after, moment, trap) = match step {
        Ok(crate::game::Step::Decide { player }) => (position, Moment::Decision(player), None),
        Ok(_) => {
            let outcome = position.result();
            lines.extend(outcome.map(|it| format!("= {}", transcript::result(&it, names))));
            (position, Moment::Over, None)
        }
        Err(trap) => (before.clone(), Moment::Broken, Some(trap)),
    };
    let step = Step { made, lines, declined, secret, after, moment, luck: earlier };
    Settled { step, happened, answers, trap }
}

/// The steps of a script, each of which takes from what chance holds ready; what went wrong is told.
fn steps_of<P: Playable + Clone, C: Console, F>(
    loaded: Loaded<P>,
    seats: &[Seat],
    luck: &mut Luck,
    desk: &mut Io<C, F>,
) -> io::Result<Vec<Step<P>>> {
    let Loaded { start, script, source, sources } = loaded;
    let replayed = replay(&script, &source, start.clone(), luck.table.clone());
    let mut steps: Vec<Step<P>> = Vec::new();
    for again in replayed.steps {
        let held = luck.clone();
        let made = made_by(&again, steps.last(), &start, (seats, &mut luck.seats));
        let Again { lines, declined, after, moment, chance, .. } = again;
        luck.table = chance.unwrap_or_else(|| luck.table.clone());
        steps.push(Step { made, lines, declined, secret: false, after, moment, luck: held });
    }
    if !replayed.complete {
        desk.console.draw(&sources, &replayed.found, true)?;
        let decisions = steps.len().saturating_sub(1);
        let words = match (steps.is_empty(), decisions) {
            (true, _) => "the game cannot begin".to_owned(),
            (false, 0) => "the game goes on from its beginning".to_owned(),
            (false, 1) => "the game goes on behind the one step before this".to_owned(),
            (false, steps) => format!("the game goes on behind the {steps} steps before this"),
        };
        desk.console.tell(&words)?;
    }
    Ok(steps)
}

/// Who made a step of a script. A program at the table that decides has drawn from its stream, so
/// that it goes on as if the game had never stopped.
fn made_by<P: Playable + Clone>(
    again: &Again<P>,
    before: Option<&Step<P>>,
    start: &P,
    (seats, streams): (&[Seat], &mut [Seeded]),
) -> Made<P> {
    let Some(before) = before else { return Made::Start(Box::new(start.clone())) };
    if again.act == Act::Set {
        return Made::Set;
    }
    let Moment::Decision(player) = before.moment else { return Made::Person };
    match seats.get(player.index()) {
        Some(Seat::Bot(bot)) => {
            bot.kind.skip(before.after.moves(), &mut streams[player.index()]);
            Made::Machine
        }
        _ => Made::Person,
    }
}

#[cfg(test)]
#[path = "play_tests.rs"]
mod tests;
