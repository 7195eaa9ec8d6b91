//! Plays a game by values: legal actions, chance outcomes, observations, states as bytes.
//!
//! Every function here takes a state that waits, as [`Game::start`] and the functions that apply
//! something leave it. [`Game::advance`] with a buffer is the faster way for many playouts.

use std::collections::{BTreeMap, btree_map::Entry};
use std::fmt::{Display, Formatter};

use crate::bytecode::disassemble::disassemble;
use crate::bytecode::op::Op;
use crate::bytecode::program::{GameEnding, Wait};
use crate::diagnostic::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::game::wording::bind_move;
use crate::game::{
    Game, LegalMoves, Observation, Player, Said, State, Step, Trap, fold_case, waiting_outcomes,
};
use crate::vm::{self, waits};

/// How [`Game::to_bytes`] writes states: another number where they are written otherwise.
const BYTES_VERSION: u8 = 1;

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    /// The move as players type it: `build road 17`.
    pub label: String,
    /// The name of the option in the rules: `build`.
    pub name: String,
    /// The arguments in words, in the order of the rules: `road`, `17`. An argument without a value
    /// is `none`.
    pub arguments: Vec<String>,
    /// The position among the legal moves of the state.
    pub index: usize,
}

impl Display for Action {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.label)
    }
}

/// An outcome of a draw, with all others that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChanceOutcome {
    /// The outcome in words: `5`, `ace of spades`.
    pub label: String,
    /// Its position among the outcomes of the draw; [`Game::apply_outcome`] takes it.
    pub index: u32,
    /// How many of the equally likely outcomes it stands for.
    pub weight: u32,
}

/// What kind of game the rules describe, in the terms of game theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub struct GameType {
    /// Whether several players ever decide at the same time.
    pub simultaneous: bool,
    /// Whether anything is drawn, rolled or shuffled.
    pub chance: bool,
    /// Whether every player always sees everything.
    pub perfect_information: bool,
    /// What the returns stand for.
    pub utility: Utility,
    /// Whether the returns of all players always add up to 0.
    pub zero_sum: bool,
}

/// What the returns of a game stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utility {
    /// Who won.
    WinLoss,
    /// A score for each player, of which the ranking follows.
    Score,
}

impl Game {
    /// A new game, run up to its first decision or draw.
    ///
    /// # Errors
    /// A mistake in the rules that shows in play, or first moves that read alike.
    pub fn start(&self) -> Result<State, Error> {
        let mut state = self.initial_state();
        self.advance_checked(&mut state)?;
        Ok(state)
    }

    /// The player who decides; nobody while chance draws and when the game is over.
    pub fn current_player(&self, state: &State) -> Option<Player> {
        match waits(self.program(), state) {
            Wait::Decision { player, .. } if !state.has_ended() => {
                u8::try_from(state.word((*player).into())).ok().map(Player)
            }
            _ => None,
        }
    }

    /// True when chance draws next.
    pub fn is_chance(&self, state: &State) -> bool {
        waiting_outcomes(self.program(), state).is_some()
    }

    /// True when the game is over.
    pub fn is_terminal(&self, state: &State) -> bool {
        state.has_ended()
    }

    /// 1 for a win, -1 for a loss, 0 for a draw, by seat; nothing before the end.
    pub fn final_returns(&self, state: &State) -> Option<Vec<i64>> {
        let outcome = self.final_outcome(state)?;
        let is_score = outcome.is_together() && outcome.scores.is_some();
        Some(outcome.scores.filter(|_| is_score).unwrap_or(outcome.returns))
    }

    /// All legal moves; none where nobody decides.
    pub fn legal_actions(&self, state: &State) -> Vec<Action> {
        let Some((state, moves)) = self.relist_moves(state) else { return Vec::new() };
        let wording = self.wording();
        let labels = self.label_moves(&state, &moves).enumerate();
        labels
            .map(|(index, label)| {
                let name = self.option_name(&moves, index).to_owned();
                let mut words = state.clone();
                let option = bind_move(self.program(), &mut words, &moves, index);
                let arguments = wording.all_arguments(&words, option);
                Action { label, name, arguments, index }
            })
            .collect()
    }

    /// The legal moves of a decision that waits. Listing them again changes no position.
    fn relist_moves(&self, state: &State) -> Option<(State, LegalMoves)> {
        self.current_player(state)?;
        let (mut state, mut moves) = (state.clone(), LegalMoves::new());
        self.advance_unheard(&mut state, &mut moves).ok()?;
        Some((state, moves))
    }

    /// Makes a move and runs up to the next decision or draw. Returns what was announced.
    ///
    /// # Errors
    /// If the move is not legal, the state is as it was. After an error in the rules it is of no use.
    pub fn apply_action(&self, state: &mut State, action: &Action) -> Result<Vec<Said>, Error> {
        self.apply_label(state, &action.label)
    }

    /// Makes the move with these words, as players type it.
    ///
    /// # Errors
    /// If the move is not legal, the state is as it was. After an error in the rules it is of no use.
    pub fn apply_label(&self, state: &mut State, label: &str) -> Result<Vec<Said>, Error> {
        let (listed, moves) = self
            .relist_moves(state)
            .ok_or_else(|| Error::new(ErrorKind::NoDecision, "nobody decides in this state"))?;
        let index = self.find_label(&listed, &moves, label)?;
        self.choose(state, &moves, index);
        self.advance_checked(state)
    }

    /// The position among the legal moves of the one with these words.
    pub(super) fn find_label(
        &self,
        state: &State,
        moves: &LegalMoves,
        label: &str,
    ) -> Result<usize, Error> {
        let wanted = fold_case(label);
        let found = self.label_moves(state, moves).position(|label| fold_case(&label) == wanted);
        found.ok_or_else(|| {
            let legal: Vec<String> = self.label_moves(state, moves).collect();
            let message = format!("`{label}` is not legal; legal: {}", legal.join(", "));
            Error::new(ErrorKind::Illegal, message)
        })
    }

    /// The outcomes of the draw that waits; faces and cards that are alike are one. None where no draw waits.
    pub fn chance_outcomes(&self, state: &State) -> Vec<ChanceOutcome> {
        let weights = self.outcome_weights(state).into_iter();
        let outcome = |(index, weight)| {
            let label = self.outcome(state, index);
            ChanceOutcome { label, index, weight }
        };
        weights.map(outcome).collect()
    }

    /// The outcomes of the draw that waits, with how many alike each stands for.
    #[doc(hidden)]
    pub fn outcome_weights(&self, state: &State) -> Vec<(u32, u32)> {
        if let Some(merged) = vm::merged_outcomes(self.program(), state) {
            return merged;
        }
        let mut merged: Vec<(u32, u32)> = Vec::new();
        // Players learn more than what the rules keep: what reads otherwise is another outcome.
        let mut known: BTreeMap<(String, State), usize> = BTreeMap::new();
        for index in 0..waiting_outcomes(self.program(), state).unwrap_or(0) {
            let label = self.outcome(state, index);
            let mut next = state.clone();
            self.draw(&mut next, index);
            // Where the rules fail, positions cannot be compared.
            let compared = self.advance_unheard(&mut next, &mut LegalMoves::new()).is_ok();
            let place = merged.len();
            match known.entry((label, next)) {
                Entry::Occupied(same) if compared => merged[*same.get()].1 += 1,
                Entry::Vacant(free) if compared => {
                    free.insert(place);
                    merged.push((index, 1));
                }
                Entry::Occupied(_) | Entry::Vacant(_) => merged.push((index, 1)),
            }
        }
        merged
    }

    /// Answers the draw that waits and runs up to the next decision or draw. Returns what was
    /// announced.
    ///
    /// # Errors
    /// If no draw with such an outcome waits, the state is as it was. After an error in the rules it
    /// is of no use.
    pub fn apply_outcome(&self, state: &mut State, index: u32) -> Result<Vec<Said>, Error> {
        if waiting_outcomes(self.program(), state).is_none_or(|outcomes| index >= outcomes) {
            return Err(Error::new(ErrorKind::NoOutcome, "no draw with this outcome waits"));
        }
        self.draw(state, index);
        self.advance_checked(state)
    }

    fn advance_checked(&self, state: &mut State) -> Result<Vec<Said>, Error> {
        let mut moves = LegalMoves::new();
        match self.advance(state, &mut moves).map_err(|trap| self.broken(trap))? {
            Step::Decide { .. } => match self.wrong_words(state, &moves) {
                Some(trap) => Err(self.broken(trap)),
                None => Ok(moves.said),
            },
            _ => Ok(moves.said),
        }
    }

    /// A mistake in the rules, with its place.
    pub(super) fn broken(&self, trap: Trap) -> Error {
        Error::with_findings(ErrorKind::Rules, &Diagnostics::of(trap), self.sources())
    }

    /// What kind of game the rules describe.
    pub fn game_type(&self) -> GameType {
        let program = self.program();
        let has = |wanted: fn(&Op) -> bool| program.code.iter().any(wanted);
        let draws = program.sites.iter().any(|site| matches!(site.wait, Wait::Draw { .. }));
        let scores = has(|op| match op {
            Op::FinishRanking { .. } => true,
            Op::FinishTeams { ending, .. } => {
                GameEnding::from_word((*ending).into()).is_some_and(GameEnding::ranks)
            }
            _ => false,
        });
        GameType {
            simultaneous: !program.picks.is_empty(),
            chance: draws || has(|op| matches!(op, Op::Shuffle { .. })),
            perfect_information: !vm::hides(program),
            utility: if scores { Utility::Score } else { Utility::WinLoss },
            zero_sum: program.players == 2,
        }
    }

    /// Everything that a state is, in few bytes, marked with the version of this form, the game and its setting.
    pub fn to_bytes(&self, state: &State) -> Vec<u8> {
        let mut bytes = vec![BYTES_VERSION];
        bytes.extend(self.fingerprint().to_le_bytes());
        bytes.extend(state.counts().to_le_bytes());
        state.pack(&mut bytes);
        let sum = fnv(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The state that [`Game::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes were written for another game or setting, or changed since.
    pub fn from_bytes(&self, bytes: &[u8]) -> Result<State, Error> {
        let bad = || Error::new(ErrorKind::Bytes, "the bytes are no state of this game");
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or_else(bad)?;
        let (version, marked) = body.split_first().ok_or_else(bad)?;
        let (fingerprint, rest) = marked.split_first_chunk::<8>().ok_or_else(bad)?;
        let (counts, words) = rest.split_first_chunk::<8>().ok_or_else(bad)?;
        let is_ours = u64::from_le_bytes(*fingerprint) == self.fingerprint();
        if *version != BYTES_VERSION || !is_ours || fnv(body) != u64::from_le_bytes(*sum) {
            return Err(bad());
        }
        let mut state = self.initial_state();
        state.unpack(words);
        state.set_counts(i64::from_le_bytes(*counts));
        Ok(state)
    }

    /// A number that differs for programs that differ; whether machine code plays changes nothing.
    #[doc(hidden)]
    pub fn fingerprint(&self) -> u64 {
        *self.loaded.fingerprint.get_or_init(|| {
            let program = self.program();
            let mut bytes = disassemble(program).into_bytes();
            let words = program.constants.iter().chain(&program.initial);
            bytes.extend(words.flat_map(|word| word.to_le_bytes()));
            fnv(&bytes)
        })
    }
}

impl Observation {
    /// What the player sees as bytes: equal for equal observations of one game, a key for tables.
    pub fn to_key(&self) -> Vec<u8> {
        let mut bytes = vec![self.player()];
        self.seen().pack(&mut bytes);
        bytes
    }
}

/// The key in hexadecimal digits. [`Game::seen_table`] says the same in words.
impl Display for Observation {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        self.to_key().iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// The hash FNV-1a with 64 bits (Fowler, Noll, Vo).
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}
