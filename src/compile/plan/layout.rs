//! The layout of the state: the slots of every variable and pile, and their first values.

use crate::bytecode::{
    CardsInfo, DimInfo, Format, KeptSets, Manner, NONE, PileInfo, Program, Runs, SecretVar,
    ValueDomain, VarInfo, sets,
};
use crate::compile::plan::state_layout::{VarLayout, elements, sets_of};
use crate::compile::plan::{kind_number, planner::Planner};
use crate::compile::{error, passes::Pass};
use crate::rules::{
    self, Domain, Faces, Kind, KindId, PLAYER, Pile, Type, Value, Var, VarForm, VarId,
};
use crate::syntax::ast::{self, Owner};

/// More values than this are kept element by element.
const MOST_VALUES: usize = 8;

impl Planner<'_> {
    pub(super) fn lay_out(&mut self) {
        let header = Program::header(self.plan.setting.players);
        let header = u16::try_from(header).expect("at most 20 can play");
        self.code.slots(header);
        self.plan.layout.initial = vec![0; header.into()];
        if self.plan.rules.reads_turn {
            self.plan.layout.turn = Some(self.code.slots(1));
            self.plan.layout.initial.push(0);
            if !self.plan.prepared.inner_turns.is_empty() {
                self.plan.layout.running = Some(self.code.slots(1));
                self.plan.layout.initial.push(0);
            }
        }
        for (at, var) in self.plan.rules.vars.iter().enumerate() {
            let seers = self.seers_of(var);
            debug_assert_eq!(self.plan.layout.seers.len(), at, "one for each variable");
            self.plan.layout.seers.push(seers);
        }
        self.lay_out_piles();
        for (at, var) in self.plan.rules.vars.iter().enumerate() {
            self.code.span = var.span;
            let mut place = self.place_of(VarId::at(at), var);
            if !matches!(var.form, VarForm::Pile(_)) {
                self.plan.layout.initial.extend_from_slice(&place.initial);
                self.lay_out_knowledge(var, &mut place);
            }
            let info = self.describe_var(var, &place);
            self.plan.layout.infos.push(info);
            self.plan.layout.vars.push(place);
        }
    }

    fn place_of(&mut self, id: VarId, var: &Var) -> VarLayout {
        let dims = self.dims_of(var);
        let width = self.plan.width(&var.ty, var.span);
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
                let info = self.plan.cards_info(&Type::Pile(pile.cards));
                // Where there are more words than fit, that was reported.
                info.base.saturating_add(self.plan.first_pile(id).saturating_mul(info.width))
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
    fn first_values(&mut self, var: &Var, dims: &[(i64, usize)]) -> Vec<i64> {
        let saved = std::mem::take(&mut self.body.locals);
        let mut words = Vec::new();
        for element in 0..elements(dims) {
            self.bind_indices(&var.init.binders, dims, element);
            let value = self.first_value(var);
            words.extend(self.encode_value(&value, &var.ty, var.span));
        }
        self.body.locals = saved;
        words
    }

    pub(in crate::compile) fn first_value(&mut self, var: &Var) -> Value {
        let value = match &var.form {
            VarForm::Die(Faces::Range(range)) => {
                return Value::Int(self.plan.ranges[range.index()].0);
            }
            VarForm::Die(Faces::List(faces)) => {
                return faces.first().cloned().expect("checked: a die has faces");
            }
            VarForm::Plain | VarForm::Coin | VarForm::Pile(_) => {
                self.facts().constant_value(&var.init.value)
            }
        };
        if let (Some(range), Value::Int(number)) = (var.range, &value) {
            let (low, high) = self.plan.ranges[range.index()];
            // An empty range was reported; every number is outside of it.
            let empty = high.is_some_and(|high| high < low);
            if !empty && (*number < low || high.is_some_and(|high| *number > high)) {
                let high = high.map_or_else(String::new, |high| high.to_string());
                let (range, setting) = (format!("{low}..{high}"), self.plan.setting_text());
                let (value, span) = (*number, var.init.value.span);
                self.plan.report(error::FirstValue { value, range, setting, span });
            }
        }
        value
    }

    fn describe_var(&mut self, var: &Var, place: &VarLayout) -> VarInfo {
        // The owner of a variable is no dimension of it.
        let own = &place.dims[place.dims.len() - var.dims.len()..];
        let dims = var.dims.iter().zip(own).map(|(domain, (low, size))| DimInfo {
            kind: match domain {
                Domain::Kind(kind) => Some(kind_number(*kind)),
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
            format: Format { shape: self.plan.shape(&var.ty, var.span), manner: Manner::Said },
            secret: self.secret_of_var(var, place),
        }
    }

    /// Gives all piles their slots: sets first, then orders, then what the players know.
    fn lay_out_piles(&mut self) {
        for (at, kind) in self.plan.rules.kinds.iter().enumerate() {
            let rules::KindShape::Cards(_) = kind.shape else { continue };
            self.code.span = kind.span;
            let cards = KindId::at(at);
            let faces = kind.columns.first().map_or(&[][..], |column| &column.cells);
            let faces = faces.iter().map(|face| match face {
                Value::Int(face) => u16::try_from(*face).expect("a face is a member of a kind"),
                other => unreachable!("checked: the face of a card is a member, not {other:?}"),
            });
            let faces: Vec<u16> = faces.collect();
            let width = self.plan.width(&Type::Set(Domain::Kind(cards)), kind.span);
            let mut info = CardsInfo {
                kind: kind_number(cards),
                runs: Runs::of_faces(&faces, width),
                faces,
                base: self.code.slot_count(),
                width,
                piles: Vec::new(),
                known: None,
            };
            let mut sets = Vec::new();
            for (at, var) in self.plan.rules.vars.iter().enumerate() {
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
            self.plan.layout.piles.push(info);
        }
    }

    /// The piles of a variable; their orders get a slot later.
    fn add_piles(&mut self, info: &mut CardsInfo, id: VarId, pile: Pile, elements: usize) {
        let var = &self.plan.rules.vars[id.index()];
        let each = if var.owner == Owner::Player { self.plan.setting.players } else { 1 };
        let seers = self.plan.layout.seers[id.index()].clone();
        let elements = self.code.fit(elements / each, "piles");
        let id = self.code.fit(id.index(), "variables");
        for (owner, seers) in (0..each).zip(seers) {
            let owner = u8::try_from(owner).expect("at most 20 can play");
            info.piles.extend((0..elements).map(|element| PileInfo {
                var: id,
                owner: (var.owner == Owner::Player).then_some(owner),
                element,
                seers,
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
        let everybody = self.everybody();
        if info.piles.iter().all(|pile| pile.seers == everybody) {
            return;
        }
        let mut known = vec![0; self.plan.setting.players * width];
        for (player, known) in known.chunks_mut(width).enumerate() {
            let piles = info.piles.iter().zip(sets.chunks(width));
            let seen = piles.filter(|(pile, _)| pile.is_seen_by(player));
            seen.for_each(|(_, set)| sets::unite(known, set));
        }
        info.known = Some(self.slots_for(&known));
        for (pile, set) in info.piles.iter_mut().zip(sets.chunks(width)) {
            if pile.seers != everybody {
                pile.could = Some(self.slots_for(set));
            }
        }
    }

    /// Slots of the whole game with these words at the beginning.
    fn slots_for(&mut self, words: &[i64]) -> u16 {
        let count = self.code.fit(words.len(), "words in the state");
        let at = self.code.slots(count);
        self.plan.layout.initial.extend_from_slice(&words[..count.into()]);
        at
    }

    /// Reports a card that is not in exactly one pile at the beginning.
    fn check_homes(&mut self, kind: &Kind, width: usize, piles: &[i64]) {
        let (setting, span, cards) = (self.plan.setting_text(), kind.span, kind.name.clone());
        for (at, member) in kind.members.iter().enumerate() {
            let card = member.name.clone();
            match piles.chunks(width).filter(|set| sets::bit(set, at)).count() {
                0 => return self.plan.report(error::NoHome { card, cards, setting, span }),
                1 => {}
                _ => return self.plan.report(error::two_homes(card, setting, span)),
            }
        }
    }

    fn dims_of(&mut self, var: &Var) -> Vec<(i64, usize)> {
        let span = var.span;
        let owner = (var.owner == Owner::Player).then_some(Domain::Kind(PLAYER));
        let domains = owner.into_iter().chain(var.dims.iter().copied());
        domains.map(|domain| self.plan.domain(domain, span)).collect()
    }

    /// Gives a variable that not all see room for who knows it.
    fn lay_out_knowledge(&mut self, var: &Var, place: &mut VarLayout) {
        if var.sight == ast::Visibility::All {
            return;
        }
        // At most 20 can play: a set of players is one word.
        let words = self.code.fit(place.count(), "words in the state");
        place.known = Some(self.code.slots(words));
        self.plan.layout.initial.extend(vec![0; words.into()]);
    }

    /// All seats, a bit for each.
    fn everybody(&self) -> i64 {
        (1 << self.plan.setting.players) - 1
    }

    /// Who sees the variable of each owner, or that of the table.
    fn seers_of(&mut self, var: &Var) -> Vec<i64> {
        let all = self.everybody();
        let seats = if var.owner == Owner::Player { self.plan.setting.players } else { 1 };
        let seen = |seat: usize| match (var.sight, &var.seers) {
            (ast::Visibility::All, _) => all,
            (ast::Visibility::Owner, _) => 1 << seat,
            (ast::Visibility::Others, _) => all & !(1 << seat),
            (ast::Visibility::Named, Some(by)) => {
                let saved = std::mem::take(&mut self.body.locals);
                self.bind_indices(&by.binders, &[(0, seats)], seat);
                let seers = self.facts().constant_value(&by.value);
                self.body.locals = saved;
                let seers = seers.into_set().unwrap_or_default().into_iter();
                seers.fold(0, |seers, seat| seers | 1 << seat)
            }
            (ast::Visibility::Named | ast::Visibility::Nobody, _) => 0,
        };
        (0..seats).map(seen).collect()
    }

    fn secret_of_var(&mut self, var: &Var, place: &VarLayout) -> Option<SecretVar> {
        Some(SecretVar {
            seers: self.plan.layout.seers[self.plan.layout.infos.len()].clone(),
            known: place.known?,
            known_width: 1,
            values: self.value_domain(var),
        })
    }

    fn value_domain(&mut self, var: &Var) -> ValueDomain {
        if let VarForm::Die(Faces::List(faces)) = &var.form {
            let faces = faces.iter().flat_map(|face| self.encode_value(face, &var.ty, var.span));
            return ValueDomain::Faces(faces.collect());
        }
        let (ty, or_none) = match &var.ty {
            Type::Maybe(inner) => (inner.as_ref(), true),
            ty => (ty, false),
        };
        match (ty, var.range) {
            (Type::Set(domain), _) => ValueDomain::Subsets(self.member_positions(*domain, var)),
            (Type::Number, Some(range)) => {
                let (low, high) = self.plan.ranges[range.index()];
                let high = high.expect("checked: hidden numbers have a last");
                ValueDomain::Between { low, high, or_none }
            }
            (Type::Kind(kind), _) => {
                let members = self.member_positions(Domain::Kind(*kind), var).into_iter();
                let members = members.map(|at| i64::try_from(at).expect("a kind has few members"));
                ValueDomain::Faces(or_none.then_some(NONE).into_iter().chain(members).collect())
            }
            _ => ValueDomain::Between { low: 0, high: 1, or_none },
        }
    }

    fn member_positions(&mut self, domain: Domain, var: &Var) -> Vec<usize> {
        match domain {
            Domain::Kind(kind) if kind != PLAYER => {
                self.plan.rules.kinds[kind.index()].own_members()
            }
            domain => (0..self.plan.domain(domain, var.span).1).collect(),
        }
    }

    /// The sets as which a variable is stored, if it is.
    fn as_sets(&self, id: VarId, var: &Var, dims: &[(i64, usize)]) -> Option<KeptSets> {
        // What not all see is kept element by element, for each may be known to others.
        let open = var.sight == ast::Visibility::All;
        let plain = open && matches!(var.form, VarForm::Plain) && var.range.is_none();
        let filtered = self.plan.prepared.filtered_vars.contains(&id);
        let (_, size) =
            dims.last().filter(|_| plain && filtered && self.plan.tries(Pass::OneHot))?;
        let width = u16::try_from(size.div_ceil(64)).ok().filter(|width| *width > 0)?;
        let (ty, or_none) = match &var.ty {
            Type::Bool => {
                self.plan.fires(Pass::OneHot);
                return Some(KeptSets { sets: 1, width, flags: true, or_none: false });
            }
            Type::Maybe(inner) => (inner.as_ref(), true),
            other => (other, false),
        };
        let members = match ty {
            Type::Kind(PLAYER) => self.plan.setting.players,
            Type::Kind(kind) => self.plan.rules.kinds[kind.index()].members.len(),
            _ => return None,
        };
        let sets = u16::try_from(members + usize::from(or_none)).ok()?;
        let few = (2..=MOST_VALUES).contains(&sets.into()) && dims.len() == 1;
        let kept = few.then_some(KeptSets { sets, width, flags: false, or_none });
        self.plan.found_by(Pass::OneHot, || kept)
    }
}
