//! Chance: dice and random members.

use std::collections::BTreeSet;

use crate::reference::text::TextManner;
use crate::reference::values::{Datum, Halt, Run};
use crate::reference::{ChanceDraw, Pause, Reference};
use crate::rules::{Array, Domain, Expr, ExprKind, Faces, Type, VarForm};
use crate::syntax::ast::{Owner, Visibility};

/// Chance is about to pick one of these.
pub(super) struct PendingDraw<'a> {
    pub(super) event: String,
    pub(super) outcomes: &'a [Datum],
    pub(super) ty: &'a Type,
    pub(super) seen_by: &'a BTreeSet<i64>,
}

impl Reference<'_> {
    /// `random S`: "a random member of a set". Where it is put tells who sees it.
    pub(super) fn random(
        &mut self,
        (set, written): (&Expr, &Expr),
        place: Option<&Expr>,
    ) -> Run<Datum> {
        let seen_by = self.seers_of_place(place)?;
        let members = self.eval(set)?.to_set();
        let (ty, cards) = match &set.ty {
            Type::Set(Domain::Kind(kind)) if self.table.are_cards(&set.ty) => {
                (Type::Kind(*kind), Some(*kind))
            }
            Type::Set(domain) => (domain.member_type(), None),
            _ => (Type::Number, None),
        };
        // Of cards that read the same and lie in one pile the first stands for all.
        let outcome = |member: &i64| match cards {
            Some(kind) => {
                let mut others = members.iter();
                *others
                    .find(|it| self.table.are_alike(kind, **it, *member))
                    .expect("it is one of them")
            }
            None => *member,
        };
        let outcomes: Vec<Datum> = members.iter().map(outcome).map(Datum::Int).collect();
        let seen_by = match seen_by {
            Some(seen_by) => seen_by,
            None if self.rules.secret_sources.contains(&set.span) => BTreeSet::new(),
            None => self.table.everybody(),
        };
        let event = self.table.source_text(written);
        self.draw_outcome(&PendingDraw { event, outcomes: &outcomes, ty: &ty, seen_by: &seen_by })
    }

    /// Who sees what is put into a variable; `None` if everybody does. Of the place only the owner is asked for, since
    /// the value comes first.
    fn seers_of_place(&mut self, place: Option<&Expr>) -> Run<Option<BTreeSet<i64>>> {
        let Some(ExprKind::Element(Array::Var(var), indices)) = place.map(|place| &place.kind)
        else {
            return Ok(None);
        };
        let declared = &self.rules.vars[var.index()];
        let owned = declared.owner == Owner::Player && declared.sight != Visibility::Nobody;
        let owners = usize::from(owned && !self.table.is_open(var.index()));
        let key = self.eval_key(&indices[..owners])?;
        let seen_by = self.table.seers((var.index(), &key));
        Ok((seen_by != self.table.everybody()).then_some(seen_by))
    }

    /// `roll die`
    pub(super) fn roll_die(&mut self, die: &Expr) -> Run {
        let ExprKind::Element(Array::Var(var), indices) = &die.kind else {
            panic!("only dice are rolled")
        };
        let VarForm::Die(faces) = &self.rules.vars[var.index()].form else {
            panic!("only dice are rolled")
        };
        let faces: Vec<Datum> = match faces {
            Faces::Range(range) => {
                self.domain_members(Domain::Range(*range))?.into_iter().map(Datum::Int).collect()
            }
            Faces::List(faces) => faces.iter().map(Datum::from_value).collect(),
        };
        let place = self.resolve_lvalue(die)?;
        let key = self.eval_key(indices)?;
        let event = format!("roll {}", self.table.place_words(var.index(), &key));
        let seen_by = self.table.seers((var.index(), &key));
        self.table.forget_element(&(var.index(), key));
        let draw = PendingDraw { event, outcomes: &faces, ty: &die.ty, seen_by: &seen_by };
        let shown = self.draw_outcome(&draw)?;
        self.write_lvalue(&place, shown)
    }

    /// "Known, equally likely outcomes"; a draw from nothing is an error.
    pub(super) fn draw_outcome(&mut self, draw: &PendingDraw<'_>) -> Run<Datum> {
        if draw.outcomes.is_empty() {
            return Err(Halt::Trap("EmptyDraw"));
        }
        let words = draw.outcomes.iter();
        let outcomes = words
            .map(|outcome| self.table.format_value(outcome, draw.ty, TextManner::Typed))
            .collect();
        let seen_by = draw.seen_by.iter().copied().collect();
        let drawing = ChanceDraw { event: draw.event.clone(), outcomes, seen_by };
        let pause = Pause { said: &self.said, state: &self.table.state };
        let drawn = self.partner.pick_outcome(&drawing, pause).ok_or(Halt::Left)?;
        self.said.clear();
        Ok(draw.outcomes[drawn].clone())
    }
}
