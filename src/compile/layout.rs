//! A place in the flat state for every variable, and its first value.

use crate::bytecode::Program;
use crate::bytecode::program::{Format, Manner, NONE, Shape};
use crate::bytecode::vars::{DimInfo, KeptSets, VarInfo};
use crate::check::rules::{Domain, Faces, Type, Value, Var, VarForm, VarId};
use crate::compile::pile_layout::PileGroup;
use crate::compile::value_sets::{Sets, sets_of};
use crate::compile::{CompileError, Compiler};
use crate::eval::set_words;
use crate::source::Span;
use crate::syntax::ast::Owner;

/// Where the variables of the game lie. Their slots are given out before any others.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) vars: Vec<Place>,
    /// The slot of `turn`, if anything reads it.
    pub(super) turn: Option<u16>,
    pub(super) initial: Vec<i64>,
    pub(super) infos: Vec<VarInfo>,
    /// The piles, by kind of cards.
    pub(super) piles: Vec<PileGroup>,
}

/// Where a variable lies.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) base: u16,
    /// Slots of one element.
    pub(super) width: u16,
    /// Low end and size of each dimension, the owner first when a player has it.
    pub(super) dims: Vec<(i64, usize)>,
    /// The words at the beginning.
    pub(super) initial: Vec<i64>,
    /// The first slot of the sets of those who know an element, if not all see it.
    pub(super) known: Option<u16>,
    /// How it is kept as sets, if it is; `width` and `dims` are still those of its elements.
    pub(super) sets: Option<Sets>,
}

impl Place {
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
    /// Gives every variable its slots.
    pub(super) fn lay_out(&mut self) {
        let header = Program::header(self.setting.players);
        let header = u16::try_from(header).expect("at most 20 can play");
        self.code.slots(header);
        self.layout.initial = vec![0; header.into()];
        if self.rules.reads_turn {
            self.layout.turn = Some(self.code.slots(1));
            self.layout.initial.push(0);
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
            self.layout.vars.push(place);
        }
    }

    fn place_of(&mut self, id: VarId, var: &Var) -> Place {
        let dims = self.dims_of(var);
        let width = self.width(&var.ty, var.span);
        let count = elements(&dims);
        let sets = self.as_sets(id, var, &dims);
        let words = match (sets, dims.last()) {
            (Some(sets), Some((_, size))) => {
                count / size * usize::from(sets.kept) * usize::from(sets.width)
            }
            _ => count.saturating_mul(width.into()),
        };
        let words = self.code.fit(words, "words in the state");
        let base = match var.form {
            VarForm::Pile(pile) => {
                let info = &self.layout.piles[self.group_of(pile.cards)].info;
                info.base + self.first_pile(id) * info.width
            }
            _ => self.code.slots(words),
        };
        let initial = match (self.code.excess, sets) {
            (Some(_), _) => Vec::new(),
            (None, None) => self.first_values(var, &dims),
            (None, Some(sets)) => sets_of(&self.first_values(var, &dims), &dims, sets),
        };
        Place { base, width, dims, initial, sets, known: None }
    }

    /// The first value of each element, one element behind the other.
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
                self.errors.push(CompileError::FirstValue {
                    value: *number,
                    range: format!("{low}..{high}"),
                    setting: self.setting_text(),
                    span: var.init.value.span,
                });
            }
        }
        value
    }

    /// The words of a constant.
    pub(super) fn words_of(&mut self, value: &Value, ty: &Type, span: Span) -> Vec<i64> {
        if let Type::Set(domain) = ty {
            let (low, size) = self.domain(*domain, span);
            return set_words(low, size, value);
        }
        vec![match value {
            Value::Int(number) => *number,
            Value::None | Value::Set(_) => NONE,
            Value::Text(text) => self.code.text(text).into(),
        }]
    }

    fn describe(&mut self, var: &Var, place: &Place) -> VarInfo {
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
            kept: place.sets.map(|sets| KeptSets {
                sets: sets.kept,
                width: sets.width,
                flags: sets.flags,
                or_none: sets.or_none,
            }),
            format: Format { shape: self.shape(&var.ty, var.span), manner: Manner::Said },
            secret: self.secret(var, place),
        }
    }

    /// How values of a type are printed.
    pub(super) fn shape(&mut self, ty: &Type, span: Span) -> Shape {
        match ty {
            Type::Bool => Shape::Bool,
            Type::Text => Shape::Text,
            Type::Kind(kind) => Shape::Member(self.code.fit(kind.index(), "kinds")),
            Type::Set(Domain::Kind(kind)) => Shape::Members(self.code.fit(kind.index(), "kinds")),
            Type::Set(domain) => Shape::Numbers(self.domain(*domain, span).0),
            Type::Maybe(inner) => self.shape(inner, span),
            _ => Shape::Number,
        }
    }
}
