//! Plays a game at the table: asks people, lets bots decide, keeps every step.

use std::io;

use crate::bots::Control;
use crate::chance::Seed;
use crate::game::{MaskedMove, Player};
use crate::session::console::{
    Console, DynIo, Files, GameRecord, Io, LoadedScript, Prompt, Reply, Seat, count_people,
    human_players, is_human,
};
use crate::session::draws::Luck;
use crate::session::match_move::names_other_numbers;
use crate::session::repl::TypedLines;
use crate::session::replay::{ReplayPurpose, ScriptMisfit, replay};
use crate::session::resigning::last_left;
use crate::session::running::{Advice, Running};
use crate::session::screen::SharedScreen;
use crate::session::steps::{Event, Made, Moment, Settled, TimelineStep, has_taught, settle_step};
use crate::session::timeline::Timeline;
use crate::snippet::topics;
use crate::transcript;

/// So many forced moves in a row are made before somebody is asked again.
const MOST_FORCED: usize = 50;

/// What follows a move that was the only legal one.
pub(crate) const FORCED: &str = " (nothing else is legal)";

#[derive(Clone, Debug)]
pub struct Session {
    pub(super) timeline: Timeline,
    pub(super) seats: Vec<Seat>,
    pub(super) luck: Luck,
    /// The number of the random stream; `:undo!` goes to the next.
    pub(super) rounds: u64,
    pub(super) forced: ForcedMoves,
    topics: Vec<String>,
    pub(crate) chosen: ChosenSetup,
    pub(super) screen: SharedScreen,
    pub(super) typed: TypedLines,
    pub(crate) resigned: Vec<Player>,
    /// The misfit at which a script stopped, to be reported below the position.
    pub(super) misfit: Option<ScriptMisfit>,
}

/// Single legal moves that are made without a question.
#[derive(Clone, Debug)]
pub(super) struct ForcedMoves {
    pub(super) is_on: bool,
    pub(super) in_a_row: usize,
}

/// What was chosen before the game began.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChosenSetup {
    pub(crate) seed: Option<Seed>,
    /// Whether everybody may know the seed that deals.
    pub(crate) is_seed_known: bool,
    pub(crate) options: Vec<(String, String)>,
}

/// A decision as its player and as others hear it.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    player: Player,
    label: String,
    heard: MaskedMove,
    remark: &'static str,
}

impl Decided {
    fn new(position: &Running, player: Player, index: usize, remark: &'static str) -> Decided {
        let (label, heard) = (position.label_move(index), position.mask_move(index));
        Decided { player, label, heard, remark }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    Over,
    Left,
    Interrupted,
    /// The rules trapped, and nobody took the move back.
    Broken,
}

impl Session {
    /// Begins the game of a seed, and runs to the first decision.
    /// # Errors
    /// The console is gone.
    pub fn begin<C: Console, F: Files>(
        start: Running,
        seats: Vec<Seat>,
        (seed, round): (Seed, u64),
        io: &mut Io<C, F>,
    ) -> io::Result<Session> {
        let io = &mut io.as_dyn();
        let mut luck = Luck::new(seed, round, seats.len());
        let made = Made::Start(Box::new(start.clone()));
        let settled = settle_step(made, None, &start.clone(), start, &mut luck);
        let mut session = Session::new(settled.step.clone(), seats, luck);
        session.rounds = round;
        session.report_step(&settled, io)?;
        session.report_unkept(None, &settled.step, io)?;
        Ok(session)
    }

    /// Begins where a script ends; `None`, with the reason reported, if its game cannot begin.
    /// # Errors
    /// The console is gone.
    pub fn go_on<C: Console, F: Files>(
        loaded: LoadedScript,
        seats: Vec<Seat>,
        seed: Seed,
        io: &mut Io<C, F>,
    ) -> io::Result<Option<Session>> {
        let mut luck = Luck::new(seed, 0, seats.len());
        let (steps, misfit) =
            replay(loaded, ReplayPurpose::Begin, (&seats, &mut luck), &mut io.as_dyn())?;
        let mut session = Session::from_steps(steps, seats, luck);
        session.iter_mut().for_each(|session| session.hold_at_misfit(misfit.clone()));
        Ok(session)
    }

    pub(super) fn from_steps(
        steps: Vec<TimelineStep>,
        seats: Vec<Seat>,
        luck: Luck,
    ) -> Option<Session> {
        let mut steps = steps.into_iter();
        let mut session = Session::new(steps.next()?, seats, luck);
        steps.for_each(|step| session.timeline.push_step(step));
        Some(session)
    }

    fn new(first: TimelineStep, seats: Vec<Seat>, luck: Luck) -> Session {
        let remembers = seats.iter().any(|seat| matches!(seat, Seat::Human));
        let topics = topics(first.after.game());
        Session {
            timeline: Timeline::new(first, remembers),
            seats,
            luck,
            rounds: 0,
            forced: ForcedMoves { is_on: true, in_a_row: 0 },
            topics,
            chosen: ChosenSetup::default(),
            screen: SharedScreen::default(),
            typed: TypedLines::default(),
            resigned: Vec::new(),
            misfit: None,
        }
    }

    /// Plays to the end, or until the people leave.
    /// # Errors
    /// The console is gone.
    pub fn play<C: Console, F: Files>(&mut self, io: &mut Io<C, F>) -> io::Result<SessionEnd> {
        let io = &mut io.as_dyn();
        loop {
            if let Some(warning) = self.save_record(io.files) {
                io.console.note(&warning)?;
            }
            let ending = match self.moment() {
                Moment::Decision(player) => self.decide_or_ask(player, io)?,
                // Where nothing is to be decided, people may still look, take back, save.
                _ if count_people(&self.seats) > 0 && !self.timeline.is_stillborn() => {
                    self.read_and_answer(io)?
                }
                _ => self.show_position(io)?.or(Some(self.session_end())),
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    /// Saves the record since the last call; returns a warning if that fails.
    pub(crate) fn save_record(&mut self, files: &mut dyn Files) -> Option<String> {
        let unchanged = std::mem::replace(&mut self.timeline.kept, self.timeline.lines.len());
        files.keep(&self.record(), unchanged)
    }

    /// Asks people even where only one move is legal.
    pub fn ask_all(&mut self) {
        self.forced.is_on = false;
    }

    pub fn position(&self) -> &Running {
        &self.timeline.now().after
    }

    pub(super) fn moment(&self) -> Moment {
        self.timeline.now().moment
    }

    pub(super) fn player_name(&self, player: Player) -> &str {
        &self.position().names()[player.index()]
    }

    pub(super) fn is_topic(&self, word: &str) -> bool {
        self.topics.iter().any(|topic| topic == word)
    }

    pub(super) fn current_labels(&self) -> Vec<String> {
        let decides = matches!(self.moment(), Moment::Decision(_));
        if decides { self.position().legal_labels() } else { Vec::new() }
    }

    /// Whether numbers select moves: not where moves print numbers themselves.
    pub(super) fn numbers_moves(&self) -> bool {
        let Running { game, state, legal, .. } = self.position();
        !game.prints_numbers(state, legal) && !names_other_numbers(&self.current_labels())
    }

    /// The game so far, to be saved or written as a script.
    pub(crate) fn record(&self) -> GameRecord<'_> {
        let position = self.position();
        GameRecord {
            game: position.game(),
            options: &self.chosen.options,
            seats: self.seats.iter().map(|seat| seat.word(position.game())).collect(),
            seed: self.luck.seed.0,
            has_seed: self.chosen.seed.is_some(),
            lines: &self.timeline.lines,
            begun: self.timeline.has_begun(),
            over: self.moment() == Moment::Over || last_left(self).is_some(),
        }
    }

    pub(super) fn decide_or_ask(
        &mut self,
        player: Player,
        io: &mut DynIo,
    ) -> io::Result<Option<SessionEnd>> {
        let mut remark = "";
        let index = match &self.seats[player.index()] {
            Seat::Human if self.is_forced() => {
                self.forced.in_a_row += 1;
                remark = FORCED;
                0
            }
            Seat::Human => return self.read_and_answer(io),
            Seat::Bot { kind, clock } => {
                // Shows the own move while a single person waits; others must not see it.
                if kind.takes_time() && count_people(&self.seats) == 1 && io.console.redraws() {
                    self.show_table(false, io)?;
                }
                let control = Control { clock: *clock, progress: io.console.progress() };
                let position = &self.timeline.now().after;
                let stream = &mut self.luck.seats[player.index()];
                let mut chosen = Advice::default();
                let mut consult = || chosen = position.consult(player, *kind, control, stream);
                let name = position.names()[player.index()].as_str();
                let thinker = kind.takes_time().then_some(name);
                let stopped = io.console.think(thinker, &mut consult)?;
                if stopped && count_people(&self.seats) == 0 {
                    return Ok(Some(SessionEnd::Interrupted));
                }
                if stopped {
                    io.console.tell(&format!(
                        "{name} stops thinking and makes the best move found so far; `:undo` takes \
                         it back"
                    ))?;
                }
                let Advice { index, ran_out, line_errors } = chosen;
                if let Some(ran_out) = ran_out {
                    let remark = format!("{ran_out}: {name} makes the best move found so far");
                    io.console.tell(&remark)?;
                }
                if let Some(seconds) = io.console.waited_long() {
                    io.console.tell(&format!("{name} thought for {seconds} seconds"))?;
                }
                self.report_line_errors(&line_errors, io)?;
                index
            }
        };
        self.screen.withheld.push(Decided::new(self.position(), player, index, remark));
        let position = &self.timeline.now().after;
        let (names, label) = (position.names(), position.label_move(index));
        self.luck.pins.extend(self.typed.pass_over((&names[player.index()], &label), names));
        self.play_move(player, Made::Machine(index), io)?;
        Ok(None)
    }

    /// True if the only legal move may be made without a question: others at the screen may know that, nobody set the
    /// position by hand, and fewer than `MOST_FORCED` were made in a row.
    pub(super) fn is_forced(&self) -> bool {
        let by_hand = matches!(self.timeline.now().made, Made::Set);
        let is_told = self.is_guarded() && !self.position().counts_openly();
        let is_only = self.forced.is_on && self.position().count_moves() == 1;
        let is_written = || self.typed.says_what_follows(self.position().names());
        is_only && !by_hand && !is_told && self.forced.in_a_row < MOST_FORCED && !is_written()
    }

    /// Makes a move and runs to the next decision.
    pub(super) fn play_move(
        &mut self,
        player: Player,
        made: Made,
        io: &mut DynIo,
    ) -> io::Result<()> {
        let (Made::Person(index) | Made::Machine(index)) = made else {
            unreachable!("only people and programs choose")
        };
        let line = transcript::format_decision(
            self.player_name(player),
            &self.position().label_move(index),
        );
        if matches!(made, Made::Person(_)) && self.is_guarded() {
            self.screen.withheld.push(Decided::new(self.position(), player, index, ""));
        }
        let mut position = self.position().clone();
        position.make_move(index);
        self.advance_game(made, Some(line), position, io)
    }

    /// Announces a decision to each person in the words that they may hear.
    fn announce_move(&mut self, made: &Decided, after: &Running, io: &mut DynIo) -> io::Result<()> {
        let Decided { player, label, heard, remark } = made;
        let name = &after.names()[player.index()];
        let line = |words: &str| transcript::format_decision(name, words) + remark;
        let all = line(&heard.hidden());
        let words = |person: Player| {
            let heard = || after.game.label_for(heard, &after.state, person);
            if person == *player { label.clone() } else { heard() }
        };
        let own = human_players(&self.seats).map(|person| (person, line(&words(person))));
        let own = own.filter(|(_, line)| *line != all).collect();
        self.tell_each(Some(all), own, io)
    }

    /// Whether several people play at this screen.
    pub(super) fn shares_screen(&self) -> bool {
        count_people(&self.seats) > 1
    }

    pub(super) fn advance_game(
        &mut self,
        made: Made,
        head: Option<String>,
        position: Running,
        io: &mut DynIo,
    ) -> io::Result<()> {
        let before = &self.timeline.now().after;
        // A person who sets a position knows what it violates.
        let by_hand = matches!(made, Made::Set).then(|| position.clone());
        let luck = self.luck.clone();
        if matches!(made, Made::Start(_)) {
            // `:undo!` included, the draws are those of a game of this seed.
            self.luck.rewind(luck.seed, 0, self.seats.len());
            self.luck.is_dealt = true;
        }
        let mut settled = settle_step(made, head, before, position, &mut self.luck);
        settled.step.luck = luck;
        let after = &settled.step.after;
        settled.step.secret |= has_taught(before, after);
        if settled.step.after.picked_unseen() == 0 {
            for made in std::mem::take(&mut self.screen.withheld) {
                self.announce_move(&made, &settled.step.after, io)?;
            }
        }
        self.report_step(&settled, io)?;
        let before = by_hand.as_ref().unwrap_or(&self.timeline.now().after);
        self.report_unkept(Some(before), &settled.step, io)?;
        self.timeline.push_step(settled.step);
        self.screen.shown = false;
        Ok(())
    }

    fn report_step(&mut self, settled: &Settled, io: &mut DynIo) -> io::Result<()> {
        let names = settled.step.after.names();
        settled.sentences.iter().try_for_each(|sentence| io.console.tell(sentence))?;
        let mut draws: Vec<&Event> = Vec::new();
        for event in &settled.step.events {
            match event {
                Event::Acted(_) | Event::Noted(_) | Event::Written(_) => {}
                Event::Drew { .. } => draws.push(event),
                Event::Said(said) => {
                    self.tell_draws(&std::mem::take(&mut draws), io)?;
                    if said.to.is_none_or(|player| is_human(&self.seats, player)) {
                        for line in transcript::format_said(said, names) {
                            match &settled.trap {
                                // After a trap no view follows that would log it.
                                Some(_) if said.to.is_none() => io.console.tell(&line)?,
                                _ => self.tell_players(said.to, line, io)?,
                            }
                        }
                    }
                }
            }
        }
        self.tell_draws(&draws, io)?;
        let Some(trap) = &settled.trap else { return Ok(()) };
        io.console.draw(settled.step.after.game().sources(), trap, false)
    }

    fn read_and_answer(&mut self, io: &mut DynIo) -> io::Result<Option<SessionEnd>> {
        if let Some(ending) = self.show_position(io)? {
            return Ok(Some(ending));
        }
        self.forced.in_a_row = 0;
        if let Some(mut misfit) = self.misfit.take() {
            self.typed.clear();
            misfit.report(io)?;
        }
        let labels = self.current_labels();
        let begun = self.typed.half_typed.clone();
        let begun = begun.as_ref();
        let (question, idle) = match self.moment() {
            Moment::Decision(player) => {
                let begun = begun.map_or_else(String::new, |it| format!("{} ", it.prefix));
                (format!("{}> {begun}", self.player_name(player)), false)
            }
            _ => ("> ".to_owned(), true),
        };
        let prompt = Prompt {
            prompt: &question,
            moves: begun.map_or(&labels, |it| &it.rests),
            numbered: begun.is_none() && self.numbers_moves(),
            topics: &self.topics,
            idle,
            recalled: !self.is_guarded(),
        };
        let is_ahead = self.typed.count() > 0;
        if !is_ahead {
            match io.console.ask(&prompt)? {
                Reply::End => return Ok(Some(self.session_end())),
                Reply::Interrupt if self.typed.drop_half_typed() => return Ok(None),
                Reply::Interrupt if !std::mem::replace(&mut self.screen.is_leaving, true) => {
                    io.console.tell("Ctrl-C again leaves; `play --resume` continues the game")?;
                    return Ok(None);
                }
                Reply::Interrupt => return Ok(Some(SessionEnd::Interrupted)),
                Reply::Line(line) => self.typed.queue(&line),
            }
        }
        self.screen.is_leaving = false;
        let Some(line) = self.typed.next(&labels) else { return Ok(None) };
        if is_ahead {
            io.console.echo(&question, &line)?;
        }
        self.meet_change(io)?;
        let labels = if self.screen.shown { labels } else { self.current_labels() };
        let ending = self.answer(&line, &labels, io)?;
        if self.typed.has_failed && ending.is_none() {
            self.typed.stop(io)?;
        }
        Ok(ending)
    }

    /// The seed that deals this game again, unless `:undo!` or a script changed the draws.
    pub(crate) fn dealt_from(&self) -> Option<Seed> {
        self.luck.is_dealt.then_some(self.luck.seed)
    }

    pub(super) fn session_end(&self) -> SessionEnd {
        match self.moment() {
            Moment::Decision(_) => SessionEnd::Left,
            Moment::Over | Moment::Returned => SessionEnd::Over,
            Moment::Broken => SessionEnd::Broken,
        }
    }

    /// Replays a script in this session. If its game cannot begin, the current game stays.
    pub(super) fn adopt_script(
        &mut self,
        loaded: LoadedScript,
        purpose: ReplayPurpose,
        io: &mut DynIo,
    ) -> io::Result<()> {
        let players = loaded.start.names().len();
        let mut seats = self.seats.clone();
        seats.resize(players, Seat::Human);
        let mut luck = Luck::new(self.luck.seed, 0, players);
        luck.is_dealt = self.luck.is_dealt;
        let (mut steps, misfit) = replay(loaded, purpose, (&seats, &mut luck), io)?;
        let Some(first) = steps.first_mut() else { return Ok(()) };
        // Undoing the script restores the old streams.
        first.luck = std::mem::replace(&mut self.luck, luck);
        self.topics = topics(first.after.game());
        (self.seats, self.screen.shown) = (seats, false);
        steps.into_iter().for_each(|step| self.timeline.push_step(step));
        self.hold_at_misfit(misfit);
        Ok(())
    }

    /// Keeps the session where a script stopped: the next move is asked for, and the misfit is reported below the
    /// position.
    fn hold_at_misfit(&mut self, misfit: Option<ScriptMisfit>) {
        if let Some(misfit) = &misfit {
            self.forced.in_a_row = MOST_FORCED;
            if misfit.is_aside {
                // Nothing is written before somebody plays on.
                self.timeline.kept = self.timeline.lines.len();
            }
        }
        self.misfit = misfit;
    }
}
