//! Plays a game by the numbers of its moves: for programs that learn, which want no words.

use std::sync::OnceLock;

use crate::bytecode::{Program, Wait};
use crate::chance::{Chance, Seeded};
use crate::error::{Error, ErrorKind};
use crate::game::numbering::ActionTable;
use crate::game::{Game, LegalMoves, Player, Said, State, Step};
use crate::vm::{Driver, LentStreams, NullDriver};

/// A state that waits, with what is legal there, and the steps of a move that is being made.
///
/// A move of a large kind, such as a set of many cards, is made in steps: one number for each member, and one to
/// end. The state changes with the last of them.
#[derive(Debug)]
pub struct Position {
    state: State,
    legal: LegalMoves,
    step: Step,
    steps: Vec<u32>,
    /// Whether what is said is put into words.
    hears: bool,
    /// The legal moves that are made in steps, once somebody wants them: their steps in order, and their positions.
    spelled: OnceLock<Vec<(Vec<u32>, usize)>>,
}

impl Clone for Position {
    fn clone(&self) -> Position {
        let Position { state, legal, steps, .. } = self;
        let (state, legal, steps) = (state.clone(), legal.clone(), steps.clone());
        let (step, hears, spelled) = (self.step, self.hears, OnceLock::new());
        Position { state, legal, step, steps, hears, spelled }
    }

    // Games of a batch begin anew where others ended: nothing is allocated.
    fn clone_from(&mut self, source: &Position) {
        self.state.clone_from(&source.state);
        self.legal.said.clone_from(&source.legal.said);
        self.legal.ended_at = source.legal.ended_at;
        self.legal.offers.clone_from(&source.legal.offers);
        self.steps.clone_from(&source.steps);
        (self.step, self.hears) = (source.step, source.hears);
        self.spelled = OnceLock::new();
    }
}

impl Position {
    /// Stops putting texts of `say` together: steps are faster.
    #[must_use]
    pub fn unheard(mut self) -> Position {
        self.hears = false;
        self
    }

    /// The state; of a move in steps it shows nothing before the last.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// How many answers there are: legal moves, or outcomes.
    pub fn count(&self) -> usize {
        match self.step {
            Step::Decide { .. } => self.legal.count(),
            Step::Draw { outcomes } => outcomes as usize,
            Step::End => 0,
        }
    }

    /// Where the game stopped.
    pub fn step(&self) -> Step {
        self.step
    }

    /// The steps of the move that is being made; most moves have one, and this is empty.
    pub fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// What was said on the way here.
    pub fn said(&self) -> &[Said] {
        &self.legal.said
    }

    /// Exchanges the room that machine code needs while it runs: positions that take turns can share one.
    #[doc(hidden)]
    pub fn swap_room(&mut self, room: &mut LegalMoves) {
        self.legal.offers.swap_room(&mut room.offers);
    }

    #[doc(hidden)]
    pub fn legal(&self) -> &LegalMoves {
        &self.legal
    }

    /// The player who decides; nobody while chance draws and when the game is over.
    pub fn current_player(&self) -> Option<Player> {
        match self.step {
            Step::Decide { player } => Some(player),
            Step::Draw { .. } | Step::End => None,
        }
    }

    /// The number of a legal move, or those of its steps.
    pub(super) fn numbers_at(
        &self,
        table: &ActionTable,
        program: &Program,
        index: usize,
    ) -> Vec<u32> {
        table.numbers_of_legal(program, (&self.state, &self.legal), index)
    }

    /// The legal moves that are made in steps and begin with some: no move has all steps of another.
    fn begun(&self, table: &ActionTable, program: &Program, made: &[u32]) -> &[(Vec<u32>, usize)] {
        let all = self.spelled.get_or_init(|| {
            let offered = self.legal.offers.entries();
            let offered = offered.filter(|it| table.site_of(it.option).in_steps());
            let moves = offered.flat_map(|it| it.index..it.index + it.count);
            let mut all: Vec<(Vec<u32>, usize)> =
                moves.map(|index| (self.numbers_at(table, program, index), index)).collect();
            all.sort_unstable();
            all
        });
        let first = all.partition_point(|(steps, _)| steps.as_slice() < made);
        let count = all[first..].partition_point(|(steps, _)| steps.starts_with(made));
        &all[first..first + count]
    }

    /// The legal move that a step ends, or nothing if others follow it; nothing at all if none begins so.
    #[expect(clippy::option_option, reason = "the two say different things")]
    fn find_step(
        &self,
        table: &ActionTable,
        program: &Program,
        number: u32,
    ) -> Option<Option<usize>> {
        if let Some(steps) = table.subset_steps(program, self.legal.offers.entries()) {
            return steps.find(&self.steps, number);
        }
        let mut made = self.steps.clone();
        made.push(number);
        let (steps, index) = self.begun(table, program, &made).first()?;
        Some((*steps == made).then_some(*index))
    }
}

impl Game {
    /// A new game, run up to its first decision or draw.
    ///
    /// # Errors
    /// A mistake in the rules that shows in play.
    pub fn start_position(&self) -> Result<Position, Error> {
        self.position(self.initial_state())
    }

    /// A state with what is legal there.
    ///
    /// # Errors
    /// A mistake in the rules that shows in play.
    pub fn position(&self, state: State) -> Result<Position, Error> {
        let mut position = Position {
            state,
            legal: LegalMoves::new(),
            step: Step::End,
            steps: Vec::new(),
            hears: true,
            spelled: OnceLock::new(),
        };
        self.proceed(&mut position)?;
        Ok(position)
    }

    /// How many numbers the moves of the game have: those that are legal are always below this.
    ///
    /// # Errors
    /// If nothing bounds an argument of a move, or there are too many.
    pub fn num_distinct_actions(&self) -> Result<u32, Error> {
        self.action_table().map(ActionTable::count_numbers)
    }

    /// How many outcomes a draw has at most; none where nothing bounds them.
    pub fn max_chance_outcomes(&self) -> Option<u32> {
        let mut outcomes = 0;
        for site in &self.program().sites {
            if let Wait::Draw { most, .. } = site.wait {
                outcomes = outcomes.max(most?);
            }
        }
        Some(outcomes)
    }

    /// How many numbers a player gives in one game at most, the steps of all moves included; draws are not counted.
    ///
    /// # Errors
    /// If the moves of the game have no numbers.
    pub fn max_game_length(&self) -> Result<u64, Error> {
        let steps = self.action_table()?.most_steps(self.program());
        Ok(self.program().limit.0.unsigned_abs().saturating_mul(steps))
    }

    /// The numbers of the legal moves, or of the legal next steps of the move that is being made: ascending, each once.
    ///
    /// # Errors
    /// If the moves of the game have no numbers.
    pub fn legal_numbers(&self, position: &Position, numbers: &mut Vec<u32>) -> Result<(), Error> {
        numbers.clear();
        numbers.reserve(position.legal.count());
        self.each_legal(position, &mut |number| numbers.push(number))?;
        if !numbers.is_sorted_by(|a, b| a < b) {
            numbers.sort_unstable();
            numbers.dedup();
        }
        Ok(())
    }

    /// Writes the legal moves as a mask: a byte for each number, 1 where it is legal, else 0.
    ///
    /// # Errors
    /// If the moves of the game have no numbers.
    /// # Panics
    /// If the mask has not [`Game::num_distinct_actions`] bytes.
    pub fn legal_mask(&self, position: &Position, mask: &mut [u8]) -> Result<(), Error> {
        mask.fill(0);
        self.each_legal(position, &mut |number| mask[number as usize] = 1)
    }

    /// Calls `see` with the number of each legal move or step, in no order, some perhaps several times.
    ///
    /// # Errors
    /// If the moves of the game have no numbers.
    #[doc(hidden)]
    pub fn each_legal(&self, position: &Position, see: &mut impl FnMut(u32)) -> Result<(), Error> {
        let table = self.action_table()?;
        if !matches!(position.step, Step::Decide { .. }) {
            return Ok(());
        }
        let (program, offers) = (self.program(), &position.legal.offers);
        let mut in_steps = false;
        for offered in offers.entries() {
            if table.site_of(offered.option).in_steps() {
                in_steps = true;
            } else if position.steps.is_empty() {
                table.numbers_of((program, &position.state), &offered, see);
            }
        }
        if in_steps && let Some(steps) = table.subset_steps(program, offers.entries()) {
            steps.each_next(&position.steps, see);
        } else if in_steps {
            let made = position.steps.len();
            let next = position.begun(table, program, &position.steps).iter();
            let mut last = None;
            for (steps, _) in next {
                if last.replace(steps[made]) != Some(steps[made]) {
                    see(steps[made]);
                }
            }
        }
        if position.steps.is_empty() {
            offers.declines().map(|it| table.site_of(it).first_number()).into_iter().for_each(see);
        }
        Ok(())
    }

    /// The number of a legal move, or those of its steps, by its position among them.
    ///
    /// # Errors
    /// If the moves of the game have no numbers.
    #[doc(hidden)]
    pub fn numbers_of_move(&self, position: &Position, index: usize) -> Result<Vec<u32>, Error> {
        Ok(position.numbers_at(self.action_table()?, self.program(), index))
    }

    /// The first legal move with these numbers: its own, or those of all its steps.
    pub(crate) fn find_numbers(
        &self,
        state: &State,
        legal: &LegalMoves,
        numbers: &[u32],
    ) -> Option<usize> {
        let table = self.action_table().ok()?;
        let of = |index: usize| table.numbers_of_legal(self.program(), (state, legal), index);
        let is_it = |index: &usize| of(*index) == numbers;
        (0..legal.count()).find(is_it)
    }

    /// Makes the move with a number, or the next step of one, and runs up to the next decision or draw.
    ///
    /// # Errors
    /// If the number is not legal, the position is as it was. After a mistake in the rules it is of no use.
    pub fn apply_number(&self, position: &mut Position, number: u32) -> Result<(), Error> {
        if self.choose_number(position, number)? { self.proceed(position) } else { Ok(()) }
    }

    /// Makes the move with a number, or the next step of one; whether a whole move was made.
    fn choose_number(&self, position: &mut Position, number: u32) -> Result<bool, Error> {
        let index = self.find_number(position, number)?;
        match index {
            Some(index) => self.choose(&mut position.state, &position.legal, index),
            None => position.steps.push(number),
        }
        Ok(index.is_some())
    }

    /// Makes the moves of a decision that several players make together: a number for each seat. Those of seats that
    /// do not decide are not read.
    ///
    /// # Errors
    /// If one of them is not legal or needs more steps, the position is as it was. So it is if nobody decides.
    pub fn apply_joint(&self, position: &mut Position, numbers: &[u32]) -> Result<(), Error> {
        let mut after = position.clone();
        loop {
            let seat = after.current_player().map(Player::index);
            let number = seat.and_then(|seat| numbers.get(seat)).copied();
            let none = || Error::new(ErrorKind::NoDecision, "nobody decides who has a number");
            self.apply_number(&mut after, number.ok_or_else(none)?)?;
            if !after.steps.is_empty() {
                return Err(Error::new(ErrorKind::Illegal, "this move takes more than one number"));
            }
            // The last of them ends the decision: nobody has picked for the next yet.
            if self.picked_unseen(&after.state) == 0 {
                *position = after;
                return Ok(());
            }
        }
    }

    /// The position among the legal moves of the one that a number makes; nothing where more steps follow.
    ///
    /// # Errors
    /// If the number is not legal.
    #[doc(hidden)]
    pub fn find_number(&self, position: &Position, number: u32) -> Result<Option<usize>, Error> {
        let table = self.action_table()?;
        if !matches!(position.step, Step::Decide { .. }) {
            return Err(Error::new(ErrorKind::NoDecision, "nobody decides in this state"));
        }
        let illegal = || Error::new(ErrorKind::Illegal, self.not_legal(position, number));
        let site = table.site_at(number).ok_or_else(illegal)?;
        if site.in_steps() {
            return position.find_step(table, self.program(), number).ok_or_else(illegal);
        }
        let (program, offers) = (self.program(), &position.legal.offers);
        let declines =
            offers.declines().is_some_and(|it| table.site_of(it).first_number() == number);
        let found = if declines {
            Some(offers.legal())
        } else {
            table.find_move((program, &position.state), offers.entries(), number)
        };
        found.filter(|_| position.steps.is_empty()).map(Some).ok_or_else(illegal)
    }

    /// Plays a move by its number; `chance` answers draws up to the next decision or the end.
    ///
    /// # Errors
    /// If the number is not legal, the position is as it was. After a mistake in the rules it is of no use.
    pub fn apply_drawing(
        &self,
        position: &mut Position,
        number: u32,
        chance: &mut Seeded,
    ) -> Result<(), Error> {
        if self.choose_number(position, number)? {
            self.proceed_with(position, &mut DrawingDriver(chance))?;
        }
        Ok(())
    }

    /// Answers the draws that wait, up to the next decision or the end.
    ///
    /// # Errors
    /// A mistake in the rules that shows in play.
    pub fn settle(&self, position: &mut Position, chance: &mut Seeded) -> Result<(), Error> {
        if let Step::Draw { outcomes } = position.step {
            let outcome = chance.below(outcomes);
            self.draw(&mut position.state, outcome);
            self.proceed_with(position, &mut DrawingDriver(chance))?;
        }
        Ok(())
    }

    /// Makes a legal move by its position among them.
    ///
    /// # Errors
    /// A mistake in the rules that shows in play.
    #[doc(hidden)]
    pub fn apply_move(&self, position: &mut Position, index: usize) -> Result<(), Error> {
        self.choose(&mut position.state, &position.legal, index);
        self.proceed(position)
    }

    /// Answers the draw that waits, and runs up to the next decision or draw.
    ///
    /// # Errors
    /// If no draw with such an outcome waits, the position is as it was. After a mistake in the rules it is of no
    /// use.
    pub fn draw_number(&self, position: &mut Position, outcome: u32) -> Result<(), Error> {
        match position.step {
            Step::Draw { outcomes } if outcome < outcomes => {
                self.draw(&mut position.state, outcome);
                self.proceed(position)
            }
            _ => Err(Error::new(ErrorKind::NoOutcome, "no draw with this outcome waits")),
        }
    }

    fn proceed(&self, position: &mut Position) -> Result<(), Error> {
        if !position.hears {
            return self.proceed_with(position, &mut NullDriver);
        }
        position.steps.clear();
        position.spelled.take();
        let step = self.advance(&mut position.state, &mut position.legal);
        position.step = step.map_err(|trap| self.broken(trap))?;
        Ok(())
    }

    /// Runs on where nobody hears what is said.
    fn proceed_with(&self, position: &mut Position, driver: &mut impl Driver) -> Result<(), Error> {
        position.steps.clear();
        position.spelled.take();
        position.legal.said.clear();
        let step = self.advance_before(&mut position.state, &mut position.legal, driver);
        position.step = step.map_err(|trap| self.broken(trap))?;
        Ok(())
    }

    fn not_legal(&self, position: &Position, number: u32) -> String {
        let mut legal = Vec::new();
        let words =
            |number: u32| self.number_label(number).unwrap_or_else(|| format!("number {number}"));
        if self.legal_numbers(position, &mut legal).is_err() {
            legal.clear();
        }
        let legal: Vec<String> = legal.into_iter().map(words).collect();
        format!("`{}` is not legal; legal: {}", words(number), legal.join(", "))
    }

    /// The numbers of the moves, laid out when they are first wanted.
    pub(crate) fn action_table(&self) -> Result<&ActionTable, Error> {
        let laid_out = &self.loaded.numbering;
        let table = laid_out.get_or_init(|| ActionTable::new(self.program(), self.sources()));
        table.as_ref().map_err(Clone::clone)
    }
}

/// A driver who answers draws alone.
struct DrawingDriver<'a>(&'a mut Seeded);

impl Driver for DrawingDriver<'_> {
    fn lend(&mut self) -> Option<LentStreams<'_>> {
        Some(LentStreams { streams: std::slice::from_mut(self.0), decisions: 0 })
    }

    fn draw(&mut self, outcomes: u32) -> Option<u32> {
        Some(self.0.below(outcomes))
    }
}
