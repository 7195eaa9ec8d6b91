//! The virtual machine: runs a program on a state until a player decides, chance draws or the game ends.

mod alike;
mod arithmetic;
mod aside;
mod cards;
mod deal;
mod factors;
mod knowledge;
mod lists;
mod machine_code;
mod memory;
mod offers;
mod order;
mod packed;
mod past;
mod piles;
mod set_operations;
mod state;
mod step;
mod stops;
mod text;
mod trap;
mod untested;
mod view;

pub(crate) use alike::{cards_from_top, merged_outcomes};
pub(crate) use factors::{factor_size, nth_member, way_to};
pub(crate) use offers::{OfferedMoves, Offers};
pub(crate) use packed::Positions;
pub use state::State;
#[cfg(feature = "native")]
pub(crate) use step::{STRETCH, WORDS_SEARCHED};
#[cfg(feature = "native")]
pub(crate) use stops::MOST_MOVES;
pub use trap::Trap;
pub use view::Observation;
pub(crate) use view::{
    Sampler, cards_of_pile, hides, knows_card, observe, picked_unseen, pile_of_card, sees,
    unseen_picks, was_anything_learned,
};

use crate::bytecode::{CodePiece, Format, Program, SITE, Wait, sets, to_word};
use crate::chance::Seeded;
use step::Machine;

/// Fuel between two decisions, draws included: rounds of loops, and calls. Less where fuzzing watches each round.
pub const FUEL: u64 = if cfg!(fuzzing) { 50_000 } else { 10_000_000 };
/// Fuel for one of many cards that are dealt together.
pub(crate) const FUEL_OF_A_CARD: i64 = 16;
/// Words on the stack of rules that call themselves.
pub const MAX_STACK: usize = 1 << 16;
/// Words in histories, and words of them kept for `suppose`.
pub(crate) const MAX_REMEMBERED: usize = 1 << 20;
/// Words kept to undo `suppose`.
pub const MAX_ASIDE: usize = 1 << 22;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VmStep {
    /// A player, by seat from 0, picks one of the choices that were offered.
    Decide {
        player: u8,
    },
    /// Chance picks one of so many equally likely outcomes.
    Draw {
        outcomes: u32,
    },
    End,
}

/// Random streams that a driver lends.
pub(crate) struct LentStreams<'a> {
    /// That of the table, then those of the seats; or one for all.
    pub(crate) streams: &'a mut [Seeded],
    /// How many decisions may be made with them.
    pub(crate) decisions: u64,
}

impl LentStreams<'_> {
    /// The stream of a seat, if it may decide.
    fn of_seat(&mut self, seat: u8) -> Option<&mut Seeded> {
        let at = if self.streams.len() > 1 { 1 + usize::from(seat) } else { 0 };
        self.streams.get_mut(at).filter(|_| self.decisions > 0)
    }
}

/// Answers decisions and draws, and has hooks, which do nothing by default.
pub(crate) trait Driver {
    /// Whether texts of `say` are wanted.
    fn wants_speech(&self) -> bool {
        false
    }
    /// Whether anybody may look at the state where the machine stops. If not, knowledge of cards is not kept, and views
    /// of the state are invalid.
    fn tracks_knowledge(&self) -> bool {
        true
    }
    /// A mark for each operation that has run; none by default.
    fn op_marks(&mut self) -> Option<&mut Vec<bool>> {
        None
    }
    /// The interpreter runs an operation; machine code does not call this.
    fn on_op(&mut self) {}
    /// The operation that ended the game.
    fn on_end(&mut self, _operation: usize) {}
    /// The limit of decisions stops the game.
    fn on_limit(&mut self) {}
    /// The operation that cut off a gain.
    fn on_cut_off(&mut self, _operation: usize) {}
    /// A loop of turns reaches a seat; machine code tells only drivers with marks.
    fn on_turn(&mut self, _seat: i64) {}
    /// A text for one player, or for all.
    fn hear(&mut self, _to: Option<u8>, _text: &str) {}
    /// A player declines because nothing else is legal.
    fn hear_declining(&mut self, text: &str) {
        self.hear(None, text);
    }
    /// Whether offers are tested when they are listed; else those that `lend` draws.
    fn tests_all(&self) -> bool {
        true
    }
    /// Lends random streams, from which the machine answers itself, as the driver would; none from drivers that look at
    /// offers.
    fn lend(&mut self) -> Option<LentStreams<'_>> {
        None
    }
    /// Answers that the machine drew from lent streams.
    fn on_lent_answers(&mut self, _decisions: u64, _draws: u64) {}
    /// The move that is picked now; none lets the machine wait.
    fn decide(&mut self, _offers: &Offers) -> Option<usize> {
        None
    }
    /// The outcome of a draw now; none lets the machine wait.
    fn draw(&mut self, _outcomes: u32) -> Option<u32> {
        None
    }
}

/// Runs until the driver leaves a decision or a draw open.
///
/// # Errors
/// A trap, with its place in the rules.
pub(crate) fn run<D: Driver>(
    program: &Program,
    state: &mut State,
    offers: &mut Offers,
    names: &[String],
    driver: &mut D,
) -> Result<VmStep, Trap> {
    if state.has_ended() {
        return Ok(VmStep::End);
    }
    let to = state.site(program).to;
    offers.clear();
    offers.aside.clear();
    let (mut machine, mem) = Machine::new(program, state, offers, names);
    machine.observed = driver.tracks_knowledge();
    let step = machine.execute(mem, to, driver);
    match step {
        Ok(VmStep::End) => driver.on_end(machine.at),
        Ok(_) => {}
        Err(_) => machine.forget_supposed(mem),
    }
    step
}

/// Answers a decision: fills what the choice binds, and goes to its body.
///
/// # Panics
/// If the choice is not among those offered.
pub(crate) fn choose(program: &Program, state: &mut State, offers: &Offers, index: usize) {
    let option = offers.bind(program, index, |slot, word| state.words[usize::from(slot)] = word);
    state.words[SITE] = i64::from(program.options[usize::from(option)].body);
    state.decisions += 1;
    (state.passes, state.fuel) = (0, 0);
}

/// Answers a draw.
///
/// # Panics
/// If the state does not wait for a draw.
pub(crate) fn draw(program: &Program, state: &mut State, index: u32) {
    let Wait::Draw { dst, low, then, .. } = state.site(program).wait else {
        panic!("the state waits for no draw");
    };
    state.words[usize::from(dst)] = state.words[usize::from(low)].saturating_add(index.into());
    state.words[SITE] = i64::from(then);
}

pub(crate) fn waits<'p>(program: &'p Program, state: &State) -> &'p Wait {
    &state.site(program).wait
}

impl Machine<'_> {
    /// Runs code that asks the rules something: of what it only supposes nothing stays, also after a trap.
    fn listen(&mut self, mem: &mut [i64], to: u16) -> Result<(), Trap> {
        let done = self.execute(mem, to, &mut TextListener);
        if done.is_err() {
            self.forget_supposed(mem);
        }
        done.map(drop)
    }
}

/// Runs code that composes a text. It writes locals of the state, which must be a copy.
///
/// # Errors
/// A trap in a hole of the text.
pub(crate) fn run_text(
    program: &Program,
    state: &mut State,
    to: u16,
    names: &[String],
) -> Result<String, Trap> {
    let mut offers = Offers::new();
    let (mut machine, mem) = Machine::new(program, state, &mut offers, names);
    machine.listen(mem, to)?;
    Ok(machine.text)
}

/// Runs code that puts a text together, on a copy of the state that `prepare` may change.
///
/// # Errors
/// A trap in a hole of the text.
pub(crate) fn text(
    program: &Program,
    state: &State,
    to: u16,
    names: &[String],
    prepare: impl FnOnce(&mut dyn FnMut(u16, i64)),
) -> Result<String, Trap> {
    let mut scratch = state.clone();
    prepare(&mut |slot, word| scratch.words[usize::from(slot)] = word);
    run_text(program, &mut scratch, to, names)
}

/// Computes the value of a piece, for a player if it is about one. It writes locals of the state,
/// which must be a copy.
///
/// # Errors
/// A trap on the way.
pub(crate) fn compute(
    program: &Program,
    state: &mut State,
    piece: CodePiece,
    player: usize,
) -> Result<i64, Trap> {
    state.fuel = 0;
    state.words[usize::from(piece.player)] = to_word(player);
    let mut offers = Offers::new();
    let (mut machine, mem) = Machine::new(program, state, &mut offers, &[]);
    machine.listen(mem, piece.to)?;
    Ok(state.words[usize::from(piece.result)])
}

pub fn capitalised(mut text: String) -> String {
    text::capitalise(&mut text);
    text
}

pub(crate) fn members(set: &[i64]) -> impl Iterator<Item = i64> {
    sets::members(set).map(to_word)
}

pub(crate) fn print_as(
    program: &Program,
    names: &[String],
    words: &[i64],
    format: &Format,
) -> String {
    let mut out = String::new();
    text::print(&mut out, program, names, words, format);
    out
}

/// A driver that neither hears nor answers.
pub(crate) struct NullDriver;

impl Driver for NullDriver {}

/// A `NullDriver` for states that nobody views.
pub(crate) struct UnviewedDriver;

impl Driver for UnviewedDriver {
    fn tracks_knowledge(&self) -> bool {
        false
    }
}

/// A driver that hears texts and answers nothing.
struct TextListener;

impl Driver for TextListener {
    fn wants_speech(&self) -> bool {
        true
    }
}
