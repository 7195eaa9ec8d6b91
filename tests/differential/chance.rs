//! Draws: dice and random members.

use astragal::check::rules::{Array, Domain, Expr, ExprKind, Faces, Type, VarForm};

use super::evaluator::Evaluator;
use super::value::{Datum, Frame, Stop};
use super::words::Manner;

impl<'g> Evaluator<'g> {
    /// `random S`
    pub(super) fn random(&mut self, frame: &mut Frame<'g>, set: &Expr) -> Result<Datum, Stop> {
        let members = self.value(frame, set)?.set();
        let (ty, cards) = match &set.ty {
            Type::Set(Domain::Kind(kind)) if self.are_cards(&set.ty) => {
                (Type::Kind(*kind), Some(*kind))
            }
            Type::Set(domain) => (domain.member_type(), None),
            _ => (Type::Number, None),
        };
        // Of cards that read the same and lie in one pile the first stands for all.
        let outcome = |member: &i64| match cards {
            Some(kind) => {
                let mut others = members.iter();
                *others.find(|it| self.alike(kind, **it, *member)).expect("it is one of them")
            }
            None => *member,
        };
        let outcomes: Vec<Datum> = members.iter().map(outcome).map(Datum::Int).collect();
        let written = self.machine.written(set.span);
        self.draw(&format!("random {written}"), &outcomes, &ty)
    }

    /// `roll die`
    pub(super) fn roll(&mut self, frame: &mut Frame<'g>, die: &Expr) -> Result<(), Stop> {
        let ExprKind::Element(Array::Var(var), indices) = &die.kind else {
            panic!("only dice are rolled")
        };
        let VarForm::Die(faces) = &self.rules.vars[var.index()].form else {
            panic!("only dice are rolled")
        };
        let faces: Vec<Datum> = match faces {
            Faces::Range(range) => {
                self.members(Domain::Range(*range))?.into_iter().map(Datum::Int).collect()
            }
            Faces::List(faces) => faces.iter().map(Datum::of).collect(),
        };
        let place = self.place(frame, die)?;
        let key = self.key(frame, indices)?;
        let event = format!("roll {}", self.place_words(var.index(), &key));
        let shown = self.draw(&event, &faces, &die.ty)?;
        self.write(frame, &place, shown)
    }

    /// Chance picks one of these.
    pub(super) fn draw(
        &mut self,
        event: &str,
        outcomes: &[Datum],
        ty: &Type,
    ) -> Result<Datum, Stop> {
        if outcomes.is_empty() {
            return Err(Stop::Trap("EmptyDraw"));
        }
        let words = outcomes.iter().map(|outcome| self.print(outcome, ty, Manner::Typed));
        let words: Vec<String> = words.collect();
        let drawn = self.machine.draws(event, &words, self.rules, &self.table)?;
        Ok(outcomes[drawn].clone())
    }
}
