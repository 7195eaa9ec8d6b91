//! Features of a position as a seat sees it, derived from the declarations of a file.
//!
//! Variables and piles count by whose they are, seen from the seat: first its own, then those of the next seats.
//! What a seat does not see has no feature. Boards of things that belong to nobody have features for each
//! seat, since the same things mean other things to it.

use crate::bots::heuristic::Analysis;
use crate::bots::learned::network::{FeatureList, UNIT};
use crate::bots::random::RandomDriver;
use crate::bytecode::program::{NONE, ValueShape, Wait};
use crate::bytecode::{CardsInfo, Program, VarInfo, sets, to_word};
use crate::chance::Seed;
use crate::game::{Game, State};
use crate::rules::{KindId, Rules, Value};
use crate::vm::{Offers, VmStep, run};

/// A variable or pile with more features than so many is left out, or counted only.
const MOST_OF_ONE: usize = 12_000;

/// So many values of a number have a feature each.
const FEW_VALUES: i64 = 16;

/// A table of so many elements is a board.
const BOARD: usize = 8;

/// How many random games show how large numbers are, and how many positions of each.
const GAMES: u64 = 24;
const POSITIONS: u64 = 24;

/// How features of a game are laid out.
#[derive(Clone, Debug)]
pub(super) struct FeatureLayout {
    players: usize,
    /// For each site of the program the position of its decision, if it is one.
    decisions: Vec<Option<u32>>,
    vars: Vec<VarPart>,
    piles: Vec<PilePart>,
    /// The first feature of the scores, and of each measure of the file.
    scores: usize,
    measures: Vec<(usize, bool)>,
    count: usize,
    /// The lowest and highest of numbers in random games, one after the other.
    pub(super) bounds: Vec<(i64, i64)>,
}

#[derive(Clone, Debug)]
struct VarPart {
    var: usize,
    first: usize,
    /// How many features an element has.
    planes: usize,
    /// The place of its bounds.
    bounds: usize,
    /// Whether each seat has features of its own.
    by_seat: bool,
}

#[derive(Clone, Debug)]
struct PilePart {
    /// Its place in the list of kinds of cards, and in that of the piles.
    cards: usize,
    pile: usize,
    /// The features of the variable, for all owners; and how many an owner has.
    first: usize,
    of_owner: usize,
    bounds: usize,
    /// Whether each face has a feature.
    faces: usize,
    /// For each face what its columns add: features behind those of the faces, with amounts.
    columns: std::sync::Arc<Vec<FeatureList>>,
    column_count: usize,
}

/// Whose eyes look at a position, and who decides there, if anybody does.
#[derive(Clone, Copy)]
pub(super) struct Eyes {
    pub(super) seat: usize,
    pub(super) mover: Option<usize>,
}

/// What takes longer to compute, once for all seats: scores and measures.
pub(super) struct SeenStanding {
    scores: Vec<i64>,
    measures: Vec<Vec<i64>>,
}

impl FeatureLayout {
    /// The layout for a game whose numbers have these bounds; else they are found in random games.
    pub(super) fn new(analysis: &Analysis, bounds: Option<Vec<(i64, i64)>>) -> FeatureLayout {
        let bounds = bounds.unwrap_or_else(|| {
            FeatureLayout::with_bounds(analysis, Vec::new()).find_bounds(analysis)
        });
        FeatureLayout::with_bounds(analysis, bounds)
    }

    fn with_bounds(analysis: &Analysis, bounds: Vec<(i64, i64)>) -> FeatureLayout {
        let game = analysis.game();
        let (program, players) = (game.program(), game.info().players);
        let mut count = 0;
        let decisions = program.sites.iter().map(|site| {
            matches!(site.wait, Wait::Decision { .. }).then(|| {
                count += 1;
                count - 1
            })
        });
        let decisions = decisions.collect();
        let mut layout = FeatureLayout {
            players,
            decisions,
            vars: Vec::new(),
            piles: Vec::new(),
            scores: 0,
            measures: Vec::new(),
            // Always there; the seat; who decides; which decision.
            count: 1 + 2 * players + count as usize,
            bounds,
        };
        let mut numbers = 0;
        for var in 0..program.vars.len() {
            layout.add_var(program, var, &mut numbers);
        }
        for cards in 0..program.cards.len() {
            layout.add_piles(game, cards, &mut numbers);
        }
        layout.scores = layout.count;
        layout.count += 2 * players;
        numbers += 1;
        for measure in &game.program().measures {
            layout.measures.push((layout.count, measure.of_player));
            layout.count += if measure.of_player { players } else { 1 };
            numbers += 1;
        }
        layout.bounds.resize(numbers, (0, 0));
        layout
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    fn add_var(&mut self, program: &Program, var: usize, numbers: &mut usize) {
        let info = &program.vars[var];
        if program.cards.iter().any(|it| it.piles.iter().any(|pile| usize::from(pile.var) == var)) {
            return;
        }
        let bounds = *numbers;
        let planes = match &info.format.shape {
            ValueShape::Number => {
                *numbers += 1;
                let (low, high) = self.bounds.get(bounds).copied().unwrap_or_default();
                1 + usize::try_from(high.saturating_sub(low))
                    .map_or(0, |size| if high - low <= FEW_VALUES { size + 1 } else { 0 })
            }
            ValueShape::Bool => 1,
            ValueShape::Member(kind) | ValueShape::Members(kind) => {
                program.kinds[usize::from(*kind)].members.len() + 1
            }
            ValueShape::Numbers(_) => 64,
            ValueShape::Text | ValueShape::MemberList(..) | ValueShape::NumberList(..) => return,
        };
        let names_players = info.dims.iter().any(|dim| dim.kind == Some(0))
            || matches!(info.format.shape, ValueShape::Member(0) | ValueShape::Members(0));
        let by_seat = !info.of_player && !names_players && info.count() >= BOARD;
        let owners = if info.of_player || by_seat { self.players } else { 1 };
        let size = owners * info.count() * planes;
        if size <= MOST_OF_ONE {
            self.vars.push(VarPart { var, first: self.count, planes, bounds, by_seat });
            self.count += size;
        }
    }

    fn add_piles(&mut self, game: &Game, cards: usize, numbers: &mut usize) {
        let info = &game.program().cards[cards];
        let kinds = info.faces.iter().max().map_or(0, |face| usize::from(*face) + 1);
        let (columns, column_count) = face_columns(game.rules(), info, kinds);
        let columns = std::sync::Arc::new(columns);
        let mut known: Option<(u16, PilePart)> = None;
        for (pile, at) in info.piles.iter().zip(0..) {
            if known.as_ref().is_none_or(|(var, _)| *var != pile.var) {
                let var = &game.program().vars[usize::from(pile.var)];
                let owners = if var.of_player { self.players } else { 1 };
                let is_small = owners * var.count() * kinds <= MOST_OF_ONE;
                let faces = if is_small { kinds } else { 0 };
                let of_owner = var.count() * (1 + faces + column_count);
                let part = PilePart {
                    cards,
                    pile: 0,
                    first: self.count,
                    of_owner,
                    bounds: *numbers,
                    faces,
                    columns: columns.clone(),
                    column_count,
                };
                *numbers += 1;
                self.count += owners * of_owner;
                known = Some((pile.var, part));
            }
            let part = known.as_ref().expect("it was just set").1.clone();
            self.piles.push(PilePart { pile: at, ..part });
        }
    }

    /// Plays random games to see how large numbers become.
    fn find_bounds(&self, analysis: &Analysis) -> Vec<(i64, i64)> {
        let game = analysis.game();
        let mut bounds = vec![(0, 0); self.bounds.len()];
        for number in 0..GAMES {
            let mut chance = Seed(3).stream(number);
            let (mut state, mut offers) = (game.initial_state(), Offers::new());
            for _ in 0..POSITIONS {
                let mut driver = RandomDriver { chance: &mut chance, left: 1 + number };
                match run(game.program(), &mut state, &mut offers, game.names(), &mut driver) {
                    Ok(VmStep::End) | Err(_) => break,
                    Ok(_) => self.widen_bounds(analysis, &state, &mut bounds),
                }
            }
        }
        bounds
    }

    fn widen_bounds(&self, analysis: &Analysis, state: &State, bounds: &mut [(i64, i64)]) {
        let program = analysis.game().program();
        let mut widen = |at: usize, value: i64| {
            let value = if value == NONE { 0 } else { value };
            bounds[at] = (bounds[at].0.min(value), bounds[at].1.max(value));
        };
        for part in &self.vars {
            let var = &program.vars[part.var];
            if var.format.shape == ValueShape::Number {
                each_element(var, self.players, state, |_, words| widen(part.bounds, words[0]));
            }
        }
        for part in &self.piles {
            widen(part.bounds, to_word(sets::count(part.cards(program, state))));
        }
        let standing = self.standing(analysis, state);
        let first = self.bounds.len() - 1 - self.measures.len();
        standing.scores.iter().for_each(|score| widen(first, *score));
        for (at, values) in standing.measures.iter().enumerate() {
            values.iter().for_each(|value| widen(first + 1 + at, *value));
        }
    }

    pub(super) fn standing(&self, analysis: &Analysis, state: &State) -> SeenStanding {
        let scores = analysis.lead_measure().and_then(|measure| measure.scores(state));
        let measures = if self.measures.is_empty() {
            None
        } else {
            analysis.game().measure_values(state).ok()
        };
        SeenStanding { scores: scores.unwrap_or_default(), measures: measures.unwrap_or_default() }
    }

    /// What a seat sees of a state.
    pub(super) fn list_features(
        &self,
        program: &Program,
        (state, standing): (&State, &SeenStanding),
        eyes: Eyes,
    ) -> FeatureList {
        let mut list = FeatureList::with_capacity(128);
        let mut see = |feature: usize, amount: i32| {
            if amount != 0 {
                list.push((u32::try_from(feature).expect("there are fewer features"), amount));
            }
        };
        let Eyes { seat, mover } = eyes;
        see(0, UNIT);
        see(1 + seat, UNIT);
        if let Some(mover) = mover {
            see(1 + self.players + self.seen_from(seat, mover), UNIT);
        }
        let decision = self.decisions[state.site_number()].filter(|_| mover == Some(seat));
        if let Some(decision) = decision {
            see(1 + 2 * self.players + decision as usize, UNIT);
        }
        self.vars.iter().for_each(|part| self.see_var(program, state, part, seat, &mut see));
        self.piles.iter().for_each(|part| self.see_pile(program, state, part, seat, &mut see));
        self.see_standing(standing, seat, &mut see);
        list
    }

    /// The distance of a seat from this one, in turn order.
    fn seen_from(&self, seat: usize, other: usize) -> usize {
        (other + self.players - seat) % self.players
    }

    fn see_var(
        &self,
        program: &Program,
        state: &State,
        part: &VarPart,
        seat: usize,
        see: &mut impl FnMut(usize, i32),
    ) {
        let (var, players) = (&program.vars[part.var], self.players);
        let (elements, planes) = (var.count(), part.planes);
        let (low, high) = self.bounds[part.bounds.min(self.bounds.len() - 1)];
        let turns = var.dims.iter().any(|dim| dim.kind == Some(0) && dim.size == players);
        each_element(var, players, state, |place, words| {
            let (owner, element) = (place / elements, place % elements);
            let hidden = var.secret.as_ref().is_some_and(|secret| {
                secret.seers.get(owner).is_none_or(|seers| seers >> seat & 1 == 0)
            });
            if hidden {
                return;
            }
            let owner = match (var.of_player, part.by_seat) {
                (true, _) => self.seen_from(seat, owner),
                (false, true) => seat,
                (false, false) => 0,
            };
            let element = if turns { self.turned(var, element, seat) } else { element };
            let first = part.first + (owner * elements + element) * planes;
            match &var.format.shape {
                ValueShape::Number => {
                    // Zero and none have no feature, since most cells of a board hold them.
                    let value = words[0];
                    if value == NONE || value == 0 {
                        return;
                    }
                    see(first, scaled(value, low, high));
                    if planes > 1 {
                        let plane = value.clamp(low, high) - low;
                        see(first + 1 + usize::try_from(plane).expect("it was clamped"), UNIT);
                    }
                }
                ValueShape::Member(kind) => {
                    let plane = match usize::try_from(words[0]) {
                        Ok(member) if *kind == 0 => self.seen_from(seat, member),
                        Ok(member) => member,
                        Err(_) => planes - 1,
                    };
                    see(first + plane.min(planes - 1), UNIT);
                }
                ValueShape::Bool => see(first, if words[0] == 0 { 0 } else { UNIT }),
                ValueShape::Members(kind) => {
                    for member in sets::members(words).filter(|member| member + 1 < planes) {
                        let plane = if *kind == 0 { self.seen_from(seat, member) } else { member };
                        see(first + plane, UNIT);
                    }
                    let count = to_word(sets::count(words));
                    see(first + planes - 1, scaled(count, 0, to_word(planes)));
                }
                _ => sets::members(words)
                    .filter(|at| *at < planes)
                    .for_each(|at| see(first + at, UNIT)),
            }
        });
    }

    /// The element that a seat finds where another one is, if players are counted from the seat on.
    fn turned(&self, var: &VarInfo, element: usize, seat: usize) -> usize {
        let (mut left, mut scale, mut turned) = (element, 1, 0);
        for dim in var.dims.iter().rev() {
            let at = left % dim.size;
            let is_player = dim.kind == Some(0) && dim.size == self.players;
            turned += scale * if is_player { self.seen_from(seat, at) } else { at };
            left /= dim.size;
            scale *= dim.size;
        }
        turned
    }

    fn see_pile(
        &self,
        program: &Program,
        state: &State,
        part: &PilePart,
        seat: usize,
        see: &mut impl FnMut(usize, i32),
    ) {
        let info = &program.cards[part.cards];
        let pile = &info.piles[part.pile];
        let owner = pile.owner.map_or(0, |owner| self.seen_from(seat, owner.into()));
        let size = 1 + part.faces + part.column_count;
        let first = part.first + owner * part.of_owner + usize::from(pile.element) * size;
        let cards = part.cards(program, state);
        let (low, high) = self.bounds[part.bounds];
        see(first, scaled(to_word(sets::count(cards)), low, high));
        if !pile.is_seen_by(seat) {
            return;
        }
        for card in sets::members(cards) {
            let face = usize::from(info.faces[card]);
            if part.faces > 0 {
                see(first + 1 + face, UNIT);
            }
            for (column, amount) in &part.columns[face] {
                see(first + 1 + part.faces + *column as usize, *amount);
            }
        }
    }

    fn see_standing(&self, standing: &SeenStanding, seat: usize, see: &mut impl FnMut(usize, i32)) {
        let at = self.bounds.len() - 1 - self.measures.len();
        let (low, high) = self.bounds[at];
        for (other, score) in standing.scores.iter().enumerate().take(self.players) {
            let place = self.seen_from(seat, other);
            see(self.scores + place, scaled(*score, low, high));
            if other != seat {
                let ahead = standing.scores[seat].saturating_sub(*score);
                see(self.scores + self.players + place, scaled(ahead, low, high));
            }
        }
        for (number, (first, of_player)) in self.measures.iter().enumerate() {
            let (low, high) = self.bounds[at + 1 + number];
            let values = standing.measures.get(number).map_or(&[][..], Vec::as_slice);
            for (other, value) in values.iter().enumerate() {
                let place = if *of_player { self.seen_from(seat, other) } else { 0 };
                see(first + place, scaled(*value, low, high));
            }
        }
    }
}

impl PilePart {
    fn cards<'a>(&self, program: &Program, state: &'a State) -> &'a [i64] {
        let info = &program.cards[self.cards];
        state.slice(info.set_of(self.pile), info.width.into())
    }
}

/// What the columns of each face add, and how many features that takes: numbers by their size, members one each.
fn face_columns(rules: &Rules, info: &CardsInfo, kinds: usize) -> (Vec<FeatureList>, usize) {
    let (mut added, mut count) = (vec![FeatureList::new(); kinds], 0);
    let Some(face) = rules.face_of(KindId::at(info.kind.into())) else { return (added, 0) };
    let kind = rules.kind_at(face);
    let mut columns: Vec<Vec<&Value>> =
        kind.columns.iter().map(|column| column.cells.iter().collect()).collect();
    // A table by the face and something else is as many columns.
    for table in &rules.tables {
        let is_by_face = table.dims.first() == Some(&crate::rules::Domain::Kind(face));
        let width = table.cells.len().checked_div(kind.members.len()).unwrap_or(0);
        if is_by_face && table.dims.len() <= 2 && width <= 8 {
            columns
                .extend((0..width).map(|at| table.cells.iter().skip(at).step_by(width).collect()));
        }
    }
    for cells in columns {
        let numbers: Vec<Option<i64>> = cells
            .iter()
            .map(|cell| if let Value::Int(number) = cell { Some(*number) } else { None })
            .collect();
        let most = numbers.iter().flatten().map(|number| number.saturating_abs()).max();
        let Some(most) = most.filter(|most| *most > 0) else { continue };
        // Few values may be members, or mean more than their size.
        let few = usize::try_from(most).ok().filter(|most| *most <= 12);
        let few = few.filter(|_| numbers.iter().flatten().all(|number| *number >= 0));
        for (list, number) in added.iter_mut().zip(&numbers) {
            let Some(number) = *number else { continue };
            list.push((count, scaled(number, 0, most) / 4));
            if let Some(value) = usize::try_from(number).ok().filter(|_| few.is_some()) {
                list.push((count + 1 + u32::try_from(value).expect("it is small"), UNIT / 4));
            }
        }
        count += 1 + few.map_or(0, |few| u32::try_from(few).expect("it is small") + 1);
    }
    (added, count as usize)
}

/// A number as an amount: what is largest in random games counts as [`UNIT`], and four times that at most.
fn scaled(value: i64, low: i64, high: i64) -> i32 {
    let most = low.saturating_abs().max(high.saturating_abs()).max(1);
    let amount = i128::from(value) * i128::from(UNIT) / i128::from(most);
    i32::try_from(amount.clamp((-4 * UNIT).into(), (4 * UNIT).into())).expect("it was clamped")
}

/// Calls `see` with each element, counted with the owner first, and its words; of arrays that are kept as sets
/// not with those that are none, or no.
fn each_element(var: &VarInfo, players: usize, state: &State, mut see: impl FnMut(usize, &[i64])) {
    let owners = if var.of_player { players } else { 1 };
    let base = usize::from(var.base);
    let Some(kept) = var.kept else {
        let width = usize::from(var.width);
        for place in 0..owners * var.count() {
            see(place, state.slice(base + place * width, width));
        }
        return;
    };
    let size = var.dims.last().map_or(players, |dim| dim.size);
    let (sets, width) = (usize::from(kept.sets), usize::from(kept.width));
    for group in 0..owners * var.count() / size {
        for value in 0..usize::from(kept.values()) {
            let word = if kept.flags { 1 } else { to_word(value) };
            let set = state.slice(base + (group * sets + value) * width, width);
            sets::members(set).for_each(|member| see(group * size + member, &[word]));
        }
    }
}
