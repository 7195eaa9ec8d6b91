//! What a player sees as a row of numbers of fixed length.

use astragal::machinery::bytecode::cards::CardsInfo;
use astragal::machinery::bytecode::program::{NONE, ValueShape, Wait};
use astragal::machinery::bytecode::{Program, VarInfo};
use astragal::{Game, Observation, Player, State, Step};

use crate::node::Node;

/// Numbers larger than this are not told apart.
const LARGEST: i64 = 1 << 24;

/// Who looks, who decides, at which decision, then every variable of the table, then the locals of the
/// rules that wait. Members are one place each; what is not seen is 0.
pub fn tensor(game: &Game, node: &Node, player: Player) -> Vec<f32> {
    let program = game.program();
    let seen = game.observe(&node.state, player);
    let mut row = Row(Vec::new());
    row.one_of(program.players, Some(player.index()));
    let decides = match node.step {
        Step::Decide { player } => Some(player.index()),
        _ => None,
    };
    row.one_of(program.players, decides);
    let site = node.state.site_number();
    for (number, it) in program.sites.iter().enumerate() {
        if matches!(it.wait, Wait::Decision { .. }) {
            row.bit(number == site && !node.state.has_ended());
        }
    }
    for (number, var) in program.vars.iter().enumerate() {
        let is_it = |info: &&CardsInfo| info.piles.iter().any(|it| usize::from(it.var) == number);
        let cards = program.cards.iter().find(is_it);
        row.variable(program, (var, cards), seen.seen(), player);
    }
    let frame = program.slots - program.frame;
    seen.seen().slice(program.frame, frame).iter().for_each(|word| row.number(*word));
    row.0
}

struct Row(Vec<f32>);

impl Row {
    fn bit(&mut self, is: bool) {
        self.0.push(if is { 1.0 } else { 0.0 });
    }

    fn one_of(&mut self, count: usize, which: Option<usize>) {
        (0..count).for_each(|at| self.bit(Some(at) == which));
    }

    #[expect(clippy::cast_precision_loss, reason = "it is small enough")]
    fn number(&mut self, word: i64) {
        let is_number = word != NONE && word != Observation::BLANK;
        let number = if is_number { word.clamp(-LARGEST, LARGEST) } else { 0 };
        self.0.push(number as f32);
    }

    fn bits(&mut self, words: &[i64], count: usize) {
        (0..count).for_each(|at| self.bit(words[at / 64] >> (at % 64) & 1 == 1));
    }

    fn variable(
        &mut self,
        program: &Program,
        (var, cards): (&VarInfo, Option<&CardsInfo>),
        state: &State,
        player: Player,
    ) {
        let owners = if var.of_player { program.players } else { 1 };
        for element in 0..owners * var.count() {
            let mut words = var.element(program.players, element, |slot| state.word(slot));
            if let Some(info) = cards {
                self.pile(info, &mut words, state, player);
                continue;
            }
            let blank = var.secret.is_some() && words.iter().all(|it| *it == Observation::BLANK);
            if var.secret.is_some() {
                self.bit(!blank);
            }
            if blank && var.format.shape.is_set() {
                words.fill(0);
            }
            self.value(program, &var.format.shape, &words);
        }
    }

    fn value(&mut self, program: &Program, shape: &ValueShape, words: &[i64]) {
        let members = |kind: u16| program.kinds[usize::from(kind)].members.len();
        match shape {
            ValueShape::Number | ValueShape::Bool => self.number(words[0]),
            ValueShape::Text => {}
            ValueShape::Member(kind) => self.one_of(members(*kind), usize::try_from(words[0]).ok()),
            ValueShape::Members(kind) => self.bits(words, members(*kind)),
            // No variable is a list: what may be written into a state has a width of its own.
            ValueShape::Numbers(_) | ValueShape::MemberList(..) | ValueShape::NumberList(..) => {
                self.bits(words, words.len() * 64);
            }
        }
    }

    /// How many cards lie in a pile, and which of them the player knows.
    fn pile(&mut self, info: &CardsInfo, words: &mut [i64], state: &State, player: Player) {
        self.number(words.iter().map(|word| i64::from(word.count_ones())).sum());
        if let Some(known) = info.known {
            let width = usize::from(info.width);
            let known = state.slice(usize::from(known) + player.index() * width, width);
            words.iter_mut().zip(known).for_each(|(word, known)| *word &= known);
        }
        self.bits(words, info.faces.len());
    }
}
