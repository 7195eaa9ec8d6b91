//! The layout of the state: the slots of every variable and pile, and their first values.

use std::rc::Rc;

use crate::bytecode::{
    CardsInfo, DimInfo, Format, KeptSets, Manner, NONE, PileInfo, Program, Runs, ValueShape,
    VarInfo, Visibility, lists, sets,
};
use crate::compile::piles::cards_of;
use crate::compile::places::sets_of;
use crate::compile::{Compiler, error};
use crate::eval::set_words;
use crate::rules::{
    self, Domain, Faces, Kind, KindId, PLAYER, Pile, Type, Value, Var, VarForm, VarId,
};
use crate::source::Span;
use crate::syntax::ast::{self, Owner};

/// Where the variables of the game lie. Their slots are given out before any others.
#[derive(Clone, Debug, Default)]
pub(super) struct StateLayout {
    pub(super) vars: Vec<Rc<VarLayout>>,
    /// The slot of `turn`, if anything reads it.
    pub(super) turn: Option<u16>,
    /// The slot of the same as long as turns go on, else 0, if turns can go on inside of others.
    pub(super) running: Option<u16>,
    pub(super) initial: Vec<i64>,
    pub(super) infos: Vec<VarInfo>,
    pub(super) piles: Vec<CardsInfo>,
}

#[derive(Clone, Debug)]
pub(super) struct VarLayout {
    pub(super) base: u16,
    pub(super) width: u16,
    /// Low end and size of each dimension, the owner first when a player has it.
    pub(super) dims: Vec<(i64, usize)>,
    pub(super) initial: Vec<i64>,
    /// The first slot of the sets of those who know an element, if not all see it.
    pub(super) known: Option<u16>,
    /// How it is kept as sets, if it is; `width` and `dims` are still those of its elements.
    pub(super) sets: Option<KeptSets>,
}

impl VarLayout {
    pub(super) fn count(&self) -> usize {
        elements(&self.dims)
    }
}

/// How many elements an array has; what is too large to count is too large in any case.
pub(super) fn elements(dims: &[(i64, usize)]) -> usize {
    dims.iter().fold(1, |count, (_, size)| count.saturating_mul(*size))
}

/// The indices of an element, counted as the elements lie.
pub(super) fn indices_of(dims: &[(i64, usize)], element: usize) -> Vec<i64> {
    let mut left = element;
    let indices = dims.iter().rev().map(|(low, size)| {
        let index = left % size;
        left /= size;
        low + i64::try_from(index).expect("a finite type has few members")
    });
    let mut indices: Vec<i64> = indices.collect();
    indices.reverse();
    indices
}

impl Compiler<'_> {
    pub(super) fn lay_out(&mut self) {
        let header = Program::header(self.setting.players);
        let header = u16::try_from(header).expect("at most 20 can play");
        self.code.slots(header);
        self.layout.initial = vec![0; header.into()];
        if self.rules.reads_turn {
            self.layout.turn = Some(self.code.slots(1));
            self.layout.initial.push(0);
            if !self.prepared.inner_turns.is_empty() {
                self.layout.running = Some(self.code.slots(1));
                self.layout.initial.push(0);
            }
        }
        self.lay_out_piles();
        for (at, var) in self.rules.vars.iter().enumerate() {
            self.code.span = var.span;
            let mut place = self.place_of(VarId::at(at), var);
            if !matches!(var.form, VarForm::Pile(_)) {
                self.layout.initial.extend_from_slice(&place.initial);
                self.lay_out_knowledge(var, &mut place);
            }
            let info = self.describe(var, &place);
            self.layout.infos.push(info);
            self.layout.vars.push(Rc::new(place));
        }
    }

    fn place_of(&mut self, id: VarId, var: &Var) -> VarLayout {
        let dims = self.dims_of(var);
        let width = self.width(&var.ty, var.span);
        let count = elements(&dims);
        let sets = self.as_sets(id, var, &dims);
        let words = match (sets, dims.last()) {
            (Some(sets), Some((_, size))) => {
                count / size * usize::from(sets.sets) * usize::from(sets.width)
            }
            _ => count.saturating_mul(width.into()),
        };
        let words = self.code.fit(words, "words in the state");
        let base = match var.form {
            VarForm::Pile(pile) => {
                let info = self.cards_info(&Type::Pile(pile.cards));
                // Where there are more words than fit, that was reported.
                info.base.saturating_add(self.first_pile(id).saturating_mul(info.width))
            }
            _ => self.code.slots(words),
        };
        let initial = match (self.code.excess, sets) {
            (Some(_), _) => Vec::new(),
            (None, None) => self.first_values(var, &dims),
            (None, Some(sets)) => sets_of(&self.first_values(var, &dims), &dims, sets),
        };
        VarLayout { base, width, dims, initial, sets, known: None }
    }

    /// The first value of each element, one element after the other.
    pub(super) fn first_values(&mut self, var: &Var, dims: &[(i64, usize)]) -> Vec<i64> {
        let saved = std::mem::take(&mut self.body.locals);
        let mut words = Vec::new();
        for element in 0..elements(dims) {
            self.bind_indices(&var.init.binders, dims, element);
            let value = self.first_value(var);
            words.extend(self.words_of(&value, &var.ty, var.span));
        }
        self.body.locals = saved;
        words
    }

    fn first_value(&mut self, var: &Var) -> Value {
        let value = match &var.form {
            VarForm::Die(Faces::Range(range)) => {
                return Value::Int(self.ranges[range.index()].0);
            }
            VarForm::Die(Faces::List(faces)) => {
                return faces.first().cloned().expect("checked: a die has faces");
            }
            VarForm::Plain | VarForm::Coin | VarForm::Pile(_) => {
                self.constant_value(&var.init.value)
            }
        };
        if let (Some(range), Value::Int(number)) = (var.range, &value) {
            let (low, high) = self.ranges[range.index()];
            // An empty range was reported; every number is outside of it.
            let empty = high.is_some_and(|high| high < low);
            if !empty && (*number < low || high.is_some_and(|high| *number > high)) {
                let high = high.map_or_else(String::new, |high| high.to_string());
                let (range, setting) = (format!("{low}..{high}"), self.setting_text());
                let (value, span) = (*number, var.init.value.span);
                self.errors.push(error::first_value(value, range, setting, span));
            }
        }
        value
    }

    pub(super) fn words_of(&mut self, value: &Value, ty: &Type, span: Span) -> Vec<i64> {
        if let Type::Set(domain) = ty {
            let (low, size) = self.domain(*domain, span);
            return set_words(low, size, value);
        }
        if let (Type::List(domain, most), Value::List(elements)) = (ty, value) {
            return self.list_words((*domain, *most), elements, span);
        }
        vec![match value {
            Value::Int(number) => *number,
            Value::None | Value::Set(_) | Value::List(_) => NONE,
            Value::Text(text) => self.code.text(text).into(),
        }]
    }

    fn describe(&mut self, var: &Var, place: &VarLayout) -> VarInfo {
        // The owner of a variable is no dimension of it.
        let own = &place.dims[place.dims.len() - var.dims.len()..];
        let dims = var.dims.iter().zip(own).map(|(domain, (low, size))| DimInfo {
            kind: match domain {
                Domain::Kind(kind) => Some(self.code.fit(kind.index(), "kinds")),
                Domain::Range(_) => None,
            },
            low: *low,
            size: *size,
        });
        VarInfo {
            name: var.name.clone(),
            title: var.title.clone(),
            of_player: var.owner == Owner::Player,
            dims: dims.collect(),
            base: place.base,
            width: place.width,
            kept: place.sets,
            format: Format { shape: self.shape(&var.ty, var.span), manner: Manner::Said },
            secret: self.secret(var, place),
        }
    }

    pub(super) fn shape(&mut self, ty: &Type, span: Span) -> ValueShape {
        match ty {
            Type::Bool => ValueShape::Bool,
            Type::Text => ValueShape::Text,
            Type::Kind(kind) => ValueShape::Member(self.code.fit(kind.index(), "kinds")),
            Type::Set(Domain::Kind(kind)) => {
                ValueShape::Members(self.code.fit(kind.index(), "kinds"))
            }
            Type::Set(domain) => ValueShape::Numbers(self.domain(*domain, span).0),
            Type::List(domain, _) => self.list_shape(*domain, span),
            Type::EmptySet => ValueShape::Numbers(0),
            Type::Maybe(inner) => self.shape(inner, span),
            _ => ValueShape::Number,
        }
    }

    fn list_shape(&mut self, domain: Domain, span: Span) -> ValueShape {
        let (low, size) = self.domain(domain, span);
        let bits = lists::bits(size);
        match domain {
            Domain::Kind(kind) => {
                ValueShape::MemberList(self.code.fit(kind.index(), "kinds"), bits)
            }
            Domain::Range(_) => ValueShape::NumberList(low, bits),
        }
    }

    /// Gives all piles their slots: sets first, then orders, then what the players know.
    pub(super) fn lay_out_piles(&mut self) {
        for (at, kind) in self.rules.kinds.iter().enumerate() {
            let rules::KindShape::Cards(_) = kind.shape else { continue };
            self.code.span = kind.span;
            let cards = KindId::at(at);
            let faces = kind.columns.first().map_or(&[][..], |column| &column.cells);
            let faces = faces.iter().map(|face| match face {
                Value::Int(face) => u16::try_from(*face).expect("a face is a member of a kind"),
                other => unreachable!("checked: the face of a card is a member, not {other:?}"),
            });
            let faces: Vec<u16> = faces.collect();
            let width = self.width(&Type::Set(Domain::Kind(cards)), kind.span);
            let mut info = CardsInfo {
                kind: u16::try_from(at).expect("a file has few kinds"),
                runs: Runs::of(&faces, width),
                faces,
                base: self.code.slot_count(),
                width,
                piles: Vec::new(),
                known: None,
            };
            let mut sets = Vec::new();
            for (at, var) in self.rules.vars.iter().enumerate() {
                if let VarForm::Pile(pile) = var.form
                    && pile.cards == cards
                {
                    let dims = self.dims_of(var);
                    self.add_piles(&mut info, VarId::at(at), pile, elements(&dims));
                    sets.extend(self.first_values(var, &dims));
                }
            }
            self.check_homes(kind, info.width.into(), &sets);
            self.first_cards(&mut info, &sets);
            self.layout.piles.push(info);
        }
    }

    /// The piles of a variable; their orders get a slot later.
    fn add_piles(&mut self, info: &mut CardsInfo, id: VarId, pile: Pile, elements: usize) {
        let var = &self.rules.vars[id.index()];
        let each = if var.owner == Owner::Player { self.setting.players } else { 1 };
        let sight = match var.sight {
            ast::Visibility::All => Visibility::All,
            ast::Visibility::Owner => Visibility::Owner,
            ast::Visibility::Nobody => Visibility::Nobody,
        };
        let elements = self.code.fit(elements / each, "piles");
        let id = self.code.fit(id.index(), "variables");
        for owner in 0..each {
            let owner = u8::try_from(owner).expect("at most 20 can play");
            info.piles.extend((0..elements).map(|element| PileInfo {
                var: id,
                owner: (var.owner == Owner::Player).then_some(owner),
                element,
                sight,
                order: pile.ordered.then_some(0),
                could: None,
            }));
        }
    }

    /// Slots for where the cards are at the beginning, given one pile after the other.
    fn first_cards(&mut self, info: &mut CardsInfo, sets: &[i64]) {
        let width = usize::from(info.width);
        info.base = self.slots_for(sets);
        for pile in 0..info.piles.len() {
            if info.piles[pile].order.is_some() {
                // Nobody knows it.
                info.piles[pile].order = Some(self.slots_for(&vec![0; info.order_words()]));
            }
        }
        if info.piles.iter().all(|pile| pile.sight == Visibility::All) {
            return;
        }
        let mut known = vec![0; self.setting.players * width];
        for (player, known) in known.chunks_mut(width).enumerate() {
            let piles = info.piles.iter().zip(sets.chunks(width));
            let seen = piles.filter(|(pile, _)| pile.is_seen_by(player));
            seen.for_each(|(_, set)| sets::unite(known, set));
        }
        info.known = Some(self.slots_for(&known));
        for (pile, set) in info.piles.iter_mut().zip(sets.chunks(width)) {
            if pile.sight != Visibility::All {
                pile.could = Some(self.slots_for(set));
            }
        }
    }

    /// Slots of the whole game with these words at the beginning.
    fn slots_for(&mut self, words: &[i64]) -> u16 {
        let count = self.code.fit(words.len(), "words in the state");
        let at = self.code.slots(count);
        self.layout.initial.extend_from_slice(&words[..count.into()]);
        at
    }

    /// Reports a card that is not in exactly one pile at the beginning.
    fn check_homes(&mut self, kind: &Kind, width: usize, piles: &[i64]) {
        let (setting, span, cards) = (self.setting_text(), kind.span, kind.name.clone());
        for (at, member) in kind.members.iter().enumerate() {
            let card = member.name.clone();
            match piles.chunks(width).filter(|set| sets::bit(set, at)).count() {
                0 => return self.errors.push(error::no_home(card, cards, setting, span)),
                1 => {}
                _ => return self.errors.push(error::two_homes(card, setting, span)),
            }
        }
    }

    /// The kind of cards that a type is about, by its position in the program.
    pub(super) fn cards_at(&self, ty: &Type) -> Option<usize> {
        let kind = match ty {
            Type::Kind(kind) | Type::Pile(kind) | Type::Set(Domain::Kind(kind)) => kind.index(),
            Type::Maybe(inner) => return self.cards_at(inner),
            _ => return None,
        };
        self.layout.piles.iter().position(|info| usize::from(info.kind) == kind)
    }

    pub(super) fn cards_info(&self, ty: &Type) -> &CardsInfo {
        &self.layout.piles[self.cards_at(ty).expect("every kind of cards has its piles")]
    }

    /// The operand that names the cards that a type is about, and the top of a pile.
    pub(super) fn cards_in(&self, ty: &Type) -> u16 {
        cards_of(self.cards_at(ty).expect("checked: these are cards"))
    }

    /// The number of the first pile of a variable.
    pub(super) fn first_pile(&self, var: VarId) -> u16 {
        let is_its = |pile: &PileInfo| usize::from(pile.var) == var.index();
        let first = self.layout.piles.iter().find_map(|info| info.piles.iter().position(is_its));
        // Where there are more piles than fit, that was reported.
        first.and_then(|first| u16::try_from(first).ok()).unwrap_or(0)
    }

    pub(super) fn dims_of(&mut self, var: &Var) -> Vec<(i64, usize)> {
        let span = var.span;
        let owner = (var.owner == Owner::Player).then_some(Domain::Kind(PLAYER));
        let domains = owner.into_iter().chain(var.dims.iter().copied());
        domains.map(|domain| self.domain(domain, span)).collect()
    }
}
