//! What a player sees as a row of numbers of fixed length, for programs that learn. The caller says what a number is.

use crate::bytecode::cards::CardsInfo;
use crate::bytecode::program::{NONE, ValueShape, Wait};
use crate::bytecode::{KeptSets, Program, VarInfo, sets, to_word};
use crate::game::{Game, Player, Position, State, Step};
use crate::rules::Rules;
use crate::vm;

/// Numbers that are further from 0 than this are not told apart.
const LARGEST: i32 = 1 << 24;

/// Where in an observation what stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservationPart {
    /// `viewer`, `decides`, `decision`, `local`, or the name of a variable; with ` seen` what tells whether its
    /// elements are seen, with ` count` how many cards its piles have.
    pub name: String,
    /// The first of its numbers.
    pub offset: usize,
    /// How many there are in each dimension, the last running fastest. Of members and sets the first dimension
    /// after the owners is the member: a 1 where it is the value, or in the set. So a board is planes, rows and
    /// columns.
    pub shape: Vec<usize>,
}

/// How observations of a game are laid out.
#[derive(Debug)]
pub(super) struct ObservationLayout {
    parts: Vec<ObservationPart>,
    /// For each part where its numbers come from, and how many there are.
    sources: Vec<(TensorSource, usize)>,
    /// For each site of the program the position of its decision, if it is one.
    decisions: Vec<Option<usize>>,
    size: usize,
}

/// Where the numbers of a part come from.
#[derive(Clone, Copy, Debug)]
enum TensorSource {
    Viewer,
    Decider,
    /// Which decision of the file waits.
    Decision,
    /// A variable with this number: whether its elements are seen, or their values.
    Seen(usize),
    Values(usize),
    /// The piles of a variable, of this kind of cards: how many cards there are, and which.
    Counts(usize, usize),
    Cards(usize, usize),
    Locals,
}

impl ObservationLayout {
    pub(super) fn new(program: &Program, boards: impl Fn(&VarInfo) -> Option<[usize; 2]>) -> Self {
        let (mut count, mut decisions) = (0, Vec::with_capacity(program.sites.len()));
        for site in &program.sites {
            let is_decision = matches!(site.wait, Wait::Decision { .. });
            decisions.push(is_decision.then_some(count));
            count += usize::from(is_decision);
        }
        let (parts, sources) = Default::default();
        let mut layout = ObservationLayout { parts, sources, decisions, size: 0 };
        layout.add_part("viewer", vec![program.players], TensorSource::Viewer);
        layout.add_part("decides", vec![program.players], TensorSource::Decider);
        layout.add_part("decision", vec![count], TensorSource::Decision);
        for (number, var) in program.vars.iter().enumerate() {
            let owners: Vec<usize> = var.of_player.then_some(program.players).into_iter().collect();
            let dims = match boards(var) {
                Some(sides) => sides.to_vec(),
                None => var.dims.iter().map(|dim| dim.size).collect(),
            };
            let elements = [owners.clone(), dims.clone()].concat();
            let is_it =
                |info: &CardsInfo| info.piles.iter().any(|it| usize::from(it.var) == number);
            if let Some(at) = program.cards.iter().position(is_it) {
                let (count, cards) = (format!("{} count", var.name), program.cards[at].faces.len());
                layout.add_part(&count, elements.clone(), TensorSource::Counts(number, at));
                let cards = [elements, vec![cards]].concat();
                layout.add_part(&var.name, cards, TensorSource::Cards(number, at));
                continue;
            }
            if var.secret.is_some() {
                let seen = format!("{} seen", var.name);
                layout.add_part(&seen, elements, TensorSource::Seen(number));
            }
            let planes = planes(program, &var.format.shape);
            let shape = [owners, planes.into_iter().collect(), dims].concat();
            layout.add_part(&var.name, shape, TensorSource::Values(number));
        }
        let locals = program.slots - program.frame;
        layout.add_part("local", vec![locals], TensorSource::Locals);
        layout
    }

    fn add_part(&mut self, name: &str, shape: Vec<usize>, source: TensorSource) {
        let (name, offset) = (name.to_owned(), self.size);
        let count = shape.iter().product::<usize>();
        self.size += count;
        self.parts.push(ObservationPart { name, offset, shape });
        self.sources.push((source, count));
    }
}

impl Game {
    /// How an observation is laid out, part by part.
    pub fn observation_spec(&self) -> &[ObservationPart] {
        &self.observation_layout().parts
    }

    /// How many numbers an observation has.
    pub fn observation_size(&self) -> usize {
        self.observation_layout().size
    }

    /// Writes what a player sees; `number` makes numbers between -2^24 and 2^24 those of the caller. What is not
    /// seen is 0, and so is what is none.
    ///
    /// # Panics
    /// If there is no room for [`Game::observation_size`] numbers.
    pub fn write_observation<T: Copy>(
        &self,
        position: &Position,
        player: Player,
        number: impl Fn(i32) -> T,
        out: &mut [T],
    ) {
        let layout = self.observation_layout();
        let out = &mut out[..layout.size];
        out.fill(number(0));
        let (program, state, one) = (self.program(), position.state(), number(1));
        let number = |word: i64| {
            let least =
                if word == NONE { 0 } else { word.clamp((-LARGEST).into(), LARGEST.into()) };
            number(i32::try_from(least).expect("it has 25 bits"))
        };
        let decisions = layout.decisions.as_slice();
        let reader = TensorReader { program, state, player, decisions, number, one };
        let mut rest = out;
        for (source, count) in &layout.sources {
            let (part, behind) = rest.split_at_mut(*count);
            reader.write_part(*source, position.step(), part);
            rest = behind;
        }
    }

    fn observation_layout(&self) -> &ObservationLayout {
        self.loaded.tensor.get_or_init(|| {
            ObservationLayout::new(self.program(), |var| board_sides(self.rules(), var))
        })
    }
}

/// How many rows and columns a variable over the cells of a rectangle has.
fn board_sides(rules: &Rules, var: &VarInfo) -> Option<[usize; 2]> {
    let [dim] = var.dims.as_slice() else { return None };
    let board = rules.kinds.get(usize::from(dim.kind?))?.as_board()?;
    let columns = board.cell_layout().column_count()?;
    Some([dim.size / columns, columns])
}

struct TensorReader<'a, T, N> {
    program: &'a Program,
    state: &'a State,
    player: Player,
    decisions: &'a [Option<usize>],
    number: N,
    one: T,
}

impl<T: Copy, N: Fn(i64) -> T> TensorReader<'_, T, N> {
    fn write_part(&self, source: TensorSource, step: Step, out: &mut [T]) {
        match source {
            TensorSource::Viewer => out[self.player.index()] = self.one,
            TensorSource::Decider => {
                if let Step::Decide { player } = step {
                    out[player.index()] = self.one;
                }
            }
            TensorSource::Decision => {
                let site = self.state.site_number();
                let at = self.decisions[site].filter(|_| !self.state.has_ended());
                at.into_iter().for_each(|at| out[at] = self.one);
            }
            TensorSource::Seen(var) => {
                let var = &self.program.vars[var];
                let seen = (0..out.len()).filter(|element| self.sees(var, *element));
                seen.for_each(|element| out[element] = self.one);
            }
            TensorSource::Values(var) => self.values(&self.program.vars[var], out),
            TensorSource::Counts(var, kind) => {
                let info = &self.program.cards[kind];
                for (at, pile) in piles_of(info, var).enumerate() {
                    out[at] = (self.number)(to_word(sets::count(self.pile(info, pile))));
                }
            }
            TensorSource::Cards(var, kind) => {
                let info = &self.program.cards[kind];
                let cards = info.faces.len();
                for (at, pile) in piles_of(info, var).enumerate() {
                    for (first, seen) in
                        (at * cards..).step_by(64).zip(self.cards_known(info, pile))
                    {
                        sets::members(&[seen]).for_each(|card| out[first + card] = self.one);
                    }
                }
            }
            TensorSource::Locals => {
                let locals = self.state.slice(self.program.frame, out.len());
                out.iter_mut().zip(locals).for_each(|(out, word)| *out = (self.number)(*word));
                for slot in vm::unseen_picks(self.program, self.state, self.player.0) {
                    out[slot - self.program.frame] = (self.number)(0);
                }
            }
        }
    }

    fn sees(&self, var: &VarInfo, element: usize) -> bool {
        let at = (element / var.count(), element % var.count());
        vm::sees(self.state, var, at, self.player.0)
    }

    fn pile(&self, info: &CardsInfo, pile: usize) -> &[i64] {
        self.state.slice(info.set_of(pile), info.width.into())
    }

    /// The cards of a pile that the player knows, word by word.
    fn cards_known(&self, info: &CardsInfo, pile: usize) -> impl Iterator<Item = i64> {
        let width = usize::from(info.width);
        let slot = info.known.map(|known| usize::from(known) + self.player.index() * width);
        let known = slot.map(|slot| self.state.slice(slot, width));
        let cards = self.pile(info, pile).iter().enumerate();
        cards.map(move |(at, cards)| known.map_or(*cards, |known| cards & known[at]))
    }

    /// Writes all visible elements of a variable.
    fn values(&self, var: &VarInfo, out: &mut [T]) {
        match (var.kept, &var.secret) {
            (Some(kept), None) => self.kept_values((var, kept), out),
            (None, None) if var.width == 1 => self.plain_values(var, out),
            _ => self.values_one_by_one(var, out),
        }
    }

    /// Writes a visible array of one word for each element.
    fn plain_values(&self, var: &VarInfo, out: &mut [T]) {
        let owners = if var.of_player { self.program.players } else { 1 };
        let (elements, each) = (var.count(), out.len() / owners);
        if elements == 0 {
            return;
        }
        let words = self.state.slice(var.base.into(), owners * elements);
        for (words, out) in words.chunks_exact(elements).zip(out.chunks_exact_mut(each.max(1))) {
            for (element, word) in words.iter().enumerate() {
                self.write_value(
                    &var.format.shape,
                    std::slice::from_ref(word),
                    element,
                    elements,
                    out,
                );
            }
        }
    }

    fn values_one_by_one(&self, var: &VarInfo, out: &mut [T]) {
        let owners = if var.of_player { self.program.players } else { 1 };
        let (elements, shape) = (var.count(), &var.format.shape);
        let each = out.len() / owners;
        for owner in 0..owners {
            let out = &mut out[owner * each..][..each];
            for element in 0..elements {
                if var.secret.is_some()
                    && !vm::sees(self.state, var, (owner, element), self.player.0)
                {
                    continue;
                }
                let kept;
                let words = if var.kept.is_some() {
                    let players = self.program.players;
                    kept =
                        var.element(players, owner * elements + element, |at| self.state.word(at));
                    kept.as_slice()
                } else {
                    let width = usize::from(var.width);
                    let slot = usize::from(var.base) + (owner * elements + element) * width;
                    self.state.slice(slot, width)
                };
                self.write_value(shape, words, element, elements, out);
            }
        }
    }

    /// Writes the value of an element among all of its owner.
    #[inline]
    fn write_value(
        &self,
        shape: &ValueShape,
        words: &[i64],
        element: usize,
        elements: usize,
        out: &mut [T],
    ) {
        match shape {
            ValueShape::Number | ValueShape::Bool => out[element] = (self.number)(words[0]),
            ValueShape::Member(_) => {
                if let Ok(plane) = usize::try_from(words[0]) {
                    out[plane * elements + element] = self.one;
                }
            }
            ValueShape::Text => {}
            // No variable is a list: what may be written into a state has a width of its own.
            _ => {
                let planes = out.len() / elements;
                for plane in sets::members(words).filter(|plane| *plane < planes) {
                    out[plane * elements + element] = self.one;
                }
            }
        }
    }

    /// Writes an array that is stored as sets of its last index: all owners at once.
    fn kept_values(&self, (var, kept): (&VarInfo, KeptSets), out: &mut [T]) {
        let (elements, players) = (var.count(), self.program.players);
        let owners = if var.of_player { players } else { 1 };
        let each = out.len() / owners;
        let size = var.dims.last().map_or(players, |dim| dim.size);
        let is_member = matches!(var.format.shape, ValueShape::Member(_));
        let (sets, width) = (usize::from(kept.sets), usize::from(kept.width));
        for group in 0..owners * elements / size {
            // A group belongs to one owner; without an index of its own, the owners are the members.
            let (first, step) = match var.dims.last() {
                Some(_) => (group * size / elements * each + group * size % elements, 1),
                None => (0, each),
            };
            for value in 0..usize::from(kept.values()) {
                let slot = usize::from(var.base) + (group * sets + value) * width;
                let shown =
                    if is_member || kept.flags { self.one } else { (self.number)(to_word(value)) };
                let first = first + if is_member { value * elements } else { 0 };
                for (at, word) in (0..).step_by(64).zip(self.state.slice(slot, width)) {
                    let mut rest = *word;
                    while rest != 0 {
                        out[first + (at + rest.trailing_zeros() as usize) * step] = shown;
                        rest &= rest.wrapping_sub(1);
                    }
                }
            }
        }
    }
}

/// How many planes the values of a variable take; none for numbers, which are one.
fn planes(program: &Program, shape: &ValueShape) -> Option<usize> {
    match shape {
        ValueShape::Number | ValueShape::Bool | ValueShape::Text => None,
        ValueShape::Member(kind) | ValueShape::Members(kind) => {
            Some(program.kinds[usize::from(*kind)].members.len())
        }
        ValueShape::Numbers(_) | ValueShape::MemberList(..) | ValueShape::NumberList(..) => {
            Some(64)
        }
    }
}

fn piles_of(info: &CardsInfo, var: usize) -> impl Iterator<Item = usize> {
    let piles = info.piles.iter().enumerate();
    piles.filter(move |(_, pile)| usize::from(pile.var) == var).map(|(at, _)| at)
}
