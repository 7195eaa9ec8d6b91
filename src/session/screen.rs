//! What people see at one screen: the position, draws of chance, the result, and in hot seat each their own news.

use std::collections::BTreeSet;
use std::io;

use crate::game::{Outcome, Player};
use crate::session::console::{
    DynIo, Hint, MoveList, Prompt, Reply, Showing, count_people, hint, human_players, is_human,
};
use crate::session::draw_lines::draw_lines;
use crate::session::play::{Decided, Session, SessionEnd};
use crate::session::repl::{ParsedLine, read, read_bare};
use crate::session::running::Running;
use crate::session::steps::{Event, Made, Moment, TimelineStep};
use crate::session::viewer_filter::ViewerFilter;
use crate::snippet::LineError;
use crate::source::Span;
use crate::transcript;

/// What people have seen at one screen, and their news where they share it.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedScreen {
    /// Whether the current position was shown.
    pub(super) shown: bool,
    /// Decisions that are announced once all who decide at the same time have decided.
    pub(super) withheld: Vec<Decided>,
    /// The player who had the screen last.
    last: Option<Player>,
    lines: Vec<News>,
    /// How many of them each player has read, by seat.
    read: Vec<usize>,
    /// Lines of strategies whose error was reported.
    reported_lines: BTreeSet<Span>,
    /// Whether somebody wanted to leave; if they want it again, they leave.
    pub(super) is_leaving: bool,
}

/// A line as all may read it, if they may, and as some read it who know more.
#[derive(Clone, Debug)]
struct News {
    all: Option<String>,
    own: Vec<(Player, String)>,
}

impl SharedScreen {
    /// Forgets the news: what happened was taken back, or happens again.
    pub(super) fn forget_news(&mut self) {
        (self.lines, self.read) = (Vec::new(), Vec::new());
    }

    /// Tells what the person on a seat has not read: all that `viewer` may read, or everybody.
    fn tell_news(&self, seat: usize, viewer: Option<Player>, io: &mut DynIo) -> io::Result<()> {
        let SharedScreen { lines, read, .. } = self;
        let read = read.get(seat).copied().unwrap_or(0).min(lines.len());
        lines[read..].iter().try_for_each(|News { all, own }| {
            let own = own.iter().find(|(player, _)| Some(*player) == viewer);
            let line = own.map(|(_, line)| line).or(all.as_ref());
            line.map_or(Ok(()), |line| io.console.news(line))
        })
    }

    /// Tells a player at a table with so many seats what they have not read.
    fn catch_up(&mut self, player: Player, seats: usize, io: &mut DynIo) -> io::Result<()> {
        self.tell_news(player.index(), Some(player), io)?;
        self.read.resize(seats, 0);
        self.read[player.index()] = self.lines.len();
        Ok(())
    }
}

impl Session {
    /// True if several people at this screen must not see each other's views.
    pub(super) fn is_guarded(&self) -> bool {
        self.shares_screen() && self.position().game.tells_players_apart()
    }

    /// True if somebody at this screen could learn what nobody may know.
    pub(super) fn hides_from_people(&self) -> bool {
        self.shares_screen() && self.position().has_secrets()
    }

    /// Tells a line to everybody, or to one player: at once, or at the next own view.
    pub(super) fn tell_players(
        &mut self,
        to: Option<Player>,
        line: String,
        io: &mut DynIo,
    ) -> io::Result<()> {
        match to {
            None => self.tell_each(Some(line), Vec::new(), io),
            Some(player) => self.tell_each(None, vec![(player, line)], io),
        }
    }

    /// Tells a line to all, to some of them in words of their own.
    pub(super) fn tell_each(
        &mut self,
        all: Option<String>,
        own: Vec<(Player, String)>,
        io: &mut DynIo,
    ) -> io::Result<()> {
        if self.is_guarded() {
            self.screen.lines.push(News { all, own });
            return Ok(());
        }
        let own = own.into_iter().next().map(|(_, line)| line);
        own.or(all).map_or(Ok(()), |line| io.console.news(&line))
    }

    /// Tells people at a screen what chance decided, each what that player sees. In the lines of a
    /// pipe it is left out.
    pub(super) fn tell_draws(&mut self, draws: &[&Event], io: &mut DynIo) -> io::Result<()> {
        if !io.console.is_lively() {
            return Ok(());
        }
        let people: Vec<Player> = human_players(&self.seats).collect();
        let misses = |unseen: &[Player]| {
            let anybody = people.is_empty() && !unseen.is_empty();
            anybody || people.iter().any(|player| unseen.contains(player))
        };
        for to in std::iter::once(None).chain(people.iter().copied().map(Some)) {
            let is_for = |unseen: &[Player]| match to {
                None => !misses(unseen),
                Some(player) => misses(unseen) && !unseen.contains(&player),
            };
            let seen = draws.iter().filter_map(|event| event.drawn(is_for));
            for line in draw_lines(&seen.collect::<Vec<_>>()) {
                self.tell_players(to, line, io)?;
            }
        }
        Ok(())
    }

    /// Shows what lies on the table: as much as there is room for, or all of it.
    pub(super) fn show_table(&self, whole: bool, io: &mut DynIo) -> io::Result<()> {
        let position = self.position();
        let decides = match self.moment() {
            Moment::Decision(player) if is_human(&self.seats, player) => Some(player),
            _ => None,
        };
        let table = self.look(self.viewer(), whole);
        let moves = if decides.is_some() { position.count_moves() } else { 0 };
        let names = &position.game().titled_names();
        io.console.show(&Showing { table: &table, names, decides, moves, whole })
    }

    /// Whose view the screen shows: that of the person who decides, else of the only person.
    pub(crate) fn viewer(&self) -> Option<Player> {
        match self.moment() {
            Moment::Decision(player) if is_human(&self.seats, player) => Some(player),
            _ if self.shares_screen() => None,
            _ => human_players(&self.seats).next(),
        }
    }

    pub(super) fn listener(&self) -> ViewerFilter {
        ViewerFilter { keeps_secrets: self.position().has_secrets(), viewer: self.viewer() }
    }

    /// A filter for text that the next person may read, too.
    pub(super) fn next_listener(&self) -> ViewerFilter {
        let viewer = self.viewer().filter(|_| !self.is_guarded());
        ViewerFilter { viewer, ..self.listener() }
    }

    /// Gives the screen to the person who decides, and shows them what happened. Returns how playing
    /// ends if they leave before.
    pub(super) fn hand_screen(
        &mut self,
        player: Player,
        io: &mut DynIo,
    ) -> io::Result<Option<SessionEnd>> {
        if !self.is_guarded() {
            return Ok(None);
        }
        if self.screen.last != Some(player) {
            if let Some(ending) = self.end_turn(io)? {
                return Ok(Some(ending));
            }
            let name = self.player_name(player).to_owned();
            if io.console.is_lively() {
                io.console.withhold(self.typed.count());
                self.typed.clear();
            }
            loop {
                match io.console.hand_over(&name)? {
                    Reply::End => return Ok(Some(self.session_end())),
                    Reply::Interrupt => return Ok(Some(SessionEnd::Interrupted)),
                    Reply::Line(line) => {
                        let input = match read(&line) {
                            ParsedLine::Move(words) => read_bare(words),
                            input => Some(input),
                        };
                        match input {
                            Some(ParsedLine::Nothing) => break,
                            Some(ParsedLine::Command(command, _)) if command.word == "quit" => {
                                return Ok(Some(self.session_end()));
                            }
                            // Moves and other commands wait until the person who decides sits there.
                            _ => {}
                        }
                    }
                }
            }
            self.screen.last = Some(player);
        }
        self.screen.catch_up(player, self.seats.len(), io)?;
        Ok(None)
    }

    /// Shows the person who had the screen what their last move brought, if they learned something by it: the next
    /// person takes it off the screen.
    fn end_turn(&mut self, io: &mut DynIo) -> io::Result<Option<SessionEnd>> {
        let step = self.timeline.now();
        let has_learned =
            self.shares_screen() && matches!(step.made, Made::Person(_)) && step.secret;
        let is_shown = has_learned && io.console.is_lively();
        let Some(last) = self.screen.last.filter(|_| is_shown) else { return Ok(None) };
        self.screen.catch_up(last, self.seats.len(), io)?;
        let table = self.look(Some(last), false);
        let names = &self.position().game().titled_names();
        io.console.show(&Showing {
            table: &table,
            names,
            decides: None,
            moves: 0,
            whole: false,
        })?;
        Ok(match io.console.ask(&Prompt::enter("Press Enter to end your turn "))? {
            Reply::End => Some(self.session_end()),
            Reply::Interrupt => Some(SessionEnd::Interrupted),
            Reply::Line(_) => None,
        })
    }

    /// Tells what all may read and the person at the screen has not read: the game is over.
    pub(super) fn tell_the_rest(&mut self, io: &mut DynIo) -> io::Result<()> {
        self.screen.tell_news(self.screen.last.map_or(0, Player::index), None, io)?;
        self.screen.read = vec![self.screen.lines.len(); self.seats.len()];
        Ok(())
    }

    /// Shows the position, once; returns how playing ends if somebody leaves at the handover of the screen.
    pub(super) fn show_position(&mut self, io: &mut DynIo) -> io::Result<Option<SessionEnd>> {
        if std::mem::replace(&mut self.screen.shown, true) {
            return Ok(None);
        }
        self.typed.half_typed = None;
        match self.moment() {
            Moment::Decision(player) => {
                let ending = self.hand_screen(player, io)?;
                if ending.is_some() {
                    return Ok(ending);
                }
                // Typed ahead by somebody who did not know what they learn now.
                if self.is_guarded() && self.timeline.now().secret && io.console.is_lively() {
                    self.typed.stop(io)?;
                }
                self.show_table(false, io)?;
                if let Some(question) = self.position().decision_question() {
                    io.console.news(&question)?;
                }
                let moves: Vec<(usize, String)> = (1..).zip(self.current_labels()).collect();
                let numbered = self.numbers_moves();
                io.console.list(&MoveList { moves: &moves, numbered, whole: false })?;
                self.hint_beginner(io)?;
            }
            Moment::Over | Moment::Returned => {
                self.tell_the_rest(io)?;
                self.report_result(io)?;
            }
            Moment::Broken if count_people(&self.seats) == 0 || self.timeline.is_stillborn() => {}
            Moment::Broken => {
                let undo = self.timeline.undo_hint();
                io.console.tell(&format!(
                    "the game stopped because of an error in its rules; {undo}`:save FILE` saves \
                     the game, `:quit` leaves"
                ))?;
            }
        }
        Ok(None)
    }

    fn hint_beginner(&self, io: &mut DynIo) -> io::Result<()> {
        let person = |step: &TimelineStep| matches!(step.made, Made::Person(_));
        if self.timeline.current_steps().iter().any(person) {
            return hint(io, Hint::Undo, "`undo` takes your last decision back");
        }
        let or_number = if self.numbers_moves() { ", or its number" } else { "" };
        let moves = format!("type a move, beginnings of its words{or_number}; `help` lists more");
        hint(io, Hint::Moves, &moves)
    }

    fn report_result(&self, io: &mut DynIo) -> io::Result<()> {
        self.show_table(false, io)?;
        let position = self.position();
        if let Some(outcome) = position.final_outcome() {
            let result = transcript::format_result(&outcome, position.names());
            io.console.news(&format!("= {result}"))?;
            if count_people(&self.seats) > 0 {
                let rule = position.ended_because();
                let lines = describe_result(&outcome, position.names(), rule.as_deref());
                lines.iter().try_for_each(|line| io.console.tell(line))?;
            }
        }
        if count_people(&self.seats) > 0 && io.console.is_lively() {
            let undo = self.timeline.undo_hint();
            io.console.tell(&format!(
                "the game is over; `:log` tells it again, `:save FILE` keeps it, `:restart` plays \
                 again, {undo}`:quit` leaves"
            ))?;
        }
        Ok(())
    }

    /// Reports invariants that fail since the last step, as far as all people may know. The game goes on.
    pub(super) fn report_unkept(
        &self,
        before: Option<&Running>,
        step: &TimelineStep,
        io: &mut DynIo,
    ) -> io::Result<()> {
        if step.moment == Moment::Broken {
            return Ok(());
        }
        let all: Vec<Player> = (0..).map(Player).take(self.seats.len()).collect();
        let people: Vec<Player> = human_players(&self.seats).collect();
        // With bots alone, a spectator sees what all of them see.
        let unkept = step.after.unkept(if people.is_empty() { &all } else { &people });
        if unkept.is_empty() {
            return Ok(());
        }
        let known = before.map_or_else(Vec::new, |before| before.unkept(&all));
        let fresh = |number: usize| known.iter().all(|(known, _)| *known != number);
        let sources = step.after.game().sources();
        let mut unkept = unkept.into_iter().filter(|(number, _)| fresh(*number));
        unkept.try_for_each(|(_, found)| io.console.draw(sources, &found, false))
    }

    /// Reports the errors that lines of a strategy met, for each line once.
    pub(super) fn report_line_errors(
        &mut self,
        errors: &[LineError],
        io: &mut DynIo,
    ) -> io::Result<()> {
        let position = &self.timeline.now().after;
        let mut fresh = errors.iter().filter(|it| self.screen.reported_lines.insert(it.line));
        let sources = position.game().sources();
        fresh.try_for_each(|it| io.console.draw(sources, &position.warn_of_line(it), false))
    }
}

/// Lines below the result: winner, rule, places.
fn describe_result(outcome: &Outcome, names: &[String], rule: Option<&str>) -> Vec<String> {
    let winner = transcript::winner(outcome, names);
    let mut lines = match (rule, outcome.scores.is_some()) {
        (Some(rule), _) => vec![format!("{winner}, by this rule: {rule}")],
        (None, true) => vec![winner],
        (None, false) => Vec::new(),
    };
    if outcome.scores.is_some() && names.len() > 2 && !outcome.is_together() {
        lines.push(transcript::format_places(outcome, names));
    }
    lines
}
