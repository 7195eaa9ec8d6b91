//! Products: a member for each combination of members of other kinds.

use crate::check::adjacency::int;
use crate::check::context::{Checker, typed, unknown};
use crate::check::error::DataError;
use crate::check::kinds::{MOST_MEMBERS, plain_member};
use crate::check::rules::{
    Array, Column, Domain, Expr, ExprKind, KindId, Member, PLAYER, Table, Type, Value,
};
use crate::check::symbols::CompletionContext;
use crate::check::types::{counted, domain_code};
use crate::source::Span;
use crate::syntax::{ast, in_snake_case};

impl Checker<'_> {
    /// Finds the members of all products, those of other products behind these.
    pub(super) fn check_products(&mut self, kinds: &[&ast::Kind]) {
        let mut made: Vec<Made> = Vec::new();
        for (at, kind) in kinds.iter().enumerate() {
            if let ast::KindBody::Product(factors) = &kind.body
                && self.are_factors(factors)
            {
                let id = |name: &ast::Name| self.names.kinds.get(&name.text).copied();
                made.push((KindId::at(at + 1), kind, factors.iter().filter_map(id).collect()));
            }
        }
        let (made, circular) = in_order(made);
        for (id, kind, factors) in made {
            self.make_product(id, kind, &factors);
        }
        for (_, kind, _) in circular {
            let problem = format!("`{}` is a product of itself", kind.name.text);
            let help = "make it of kinds that are made without it".to_owned();
            self.report(DataError::Product { problem, help, span: kind.name.span });
        }
    }

    /// Whether all names are of different kinds that may be combined; else it is reported.
    fn are_factors(&mut self, factors: &[ast::Name]) -> bool {
        let mut fine = true;
        for (at, factor) in factors.iter().enumerate() {
            let found = self.names.kinds.get(&factor.text).copied();
            self.see(&factor.text, |_| CompletionContext::Type);
            self.note_kind(factor);
            let (problem, help) = match found {
                None => {
                    self.unknown_kind(factor);
                    fine = false;
                    continue;
                }
                Some(PLAYER) => (
                    "players cannot be part of a product".to_owned(),
                    "their number is known only when a game begins; index an array by both",
                ),
                _ if factors[..at].iter().any(|earlier| earlier.text == factor.text) => (
                    format!("`{}` stands in the product twice", factor.text),
                    "its columns would have one name; declare a second kind for the other part",
                ),
                _ if self.is_declared_part(&factor.text) => (
                    format!("`{}` is a part of a kind", factor.text),
                    "make the product of the whole kind, and test for the part",
                ),
                _ if factors.len() < 2 => (
                    "a product is made of at least two kinds".to_owned(),
                    "write two kinds: `kind Flag = Colour, Cloth`",
                ),
                Some(_) => continue,
            };
            fine = false;
            self.report(DataError::Product { problem, help: help.to_owned(), span: factor.span });
        }
        fine
    }

    fn is_declared_part(&self, name: &str) -> bool {
        let mut kinds = self.tree.kinds.iter();
        kinds.any(|entry| entry.item.name.text == name && entry.item.within.is_some())
    }

    fn make_product(&mut self, id: KindId, kind: &ast::Kind, factors: &[KindId]) {
        let span = kind.name.span;
        let sizes: Vec<usize> = factors.iter().map(|it| self.kind(*it).members.len()).collect();
        let count = sizes.iter().fold(1, |all: usize, size| all.saturating_mul(*size));
        if count > MOST_MEMBERS {
            let name = format!("the product `{}`", kind.name.text);
            return self.too_many_members(name, count, MOST_MEMBERS, span);
        }
        self.budget.turn_to(span);
        if !self.has_room(count, span) || self.budget.is_spent() {
            return;
        }
        let parts: Vec<Vec<usize>> = (0..count).map(|at| split(at, &sizes)).collect();
        let word = |parts: &[usize], of: fn(&Member) -> &str| {
            let words = factors.iter().zip(parts).map(|(it, at)| of(&self.kind(*it).members[*at]));
            words.collect::<Vec<_>>().join(" ")
        };
        let member = |parts: &Vec<usize>| {
            plain_member(word(parts, |it| &it.name), word(parts, |it| &it.title), span)
        };
        let members: Vec<Member> = parts.iter().map(member).collect();
        self.pay_for_members(&members);
        self.rules.kinds[id.index()].members = members;
        for (place, factor) in factors.iter().enumerate() {
            let cells = parts.iter().map(|parts| Value::Int(int(parts[place]))).collect();
            let (name, ty) = (in_snake_case(&self.kind(*factor).name), Type::Kind(*factor));
            self.add_column(id, Column { name, ty, cells, span });
        }
        // The table that leads from the parts to the combination.
        let name = format!("{}()", self.kind(id).name);
        let (title, notes, span, ty) =
            (name.clone(), Vec::new(), self.kind(id).span, Type::Kind(id));
        let dims = factors.iter().map(|factor| Domain::Kind(*factor)).collect();
        let cells = (0..count).map(|at| Value::Int(int(at))).collect::<Vec<_>>().into();
        self.add_computed(Table { name, title, notes, dims, ty, cells, span });
    }

    /// `Flag(red, oak)`: a member of a product; nothing if the name is not one of a product.
    pub(super) fn combination(
        &mut self,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let found = self.names.computed.get(&format!("{}()", name.text)).copied()?;
        self.note_kind(name);
        let table = &self.rules.tables[found.index()];
        let (dims, ty) = (table.dims.clone(), table.ty.clone());
        if args.len() != dims.len() {
            args.iter().for_each(|arg| drop(self.infer(arg, None)));
            let kinds = dims.iter().map(|dim| domain_code(&self.rules, *dim));
            let head = format!("kind {} = {}", name.text, kinds.collect::<Vec<_>>().join(", "));
            let expected = counted(dims.len(), "argument");
            return Some(self.wrong_arguments(&name.text, &expected, args.len(), head, span));
        }
        let parts = self.indices(args, &dims);
        if parts.iter().any(|part| part.ty == Type::Unknown) {
            return Some(unknown(span));
        }
        Some(typed(ExprKind::Element(Array::Table(found), parts), ty, span))
    }
}

/// A kind, its declaration, and the kinds that it is made of.
pub(super) type Made<'k> = (KindId, &'k ast::Kind, Vec<KindId>);

/// Sorts kinds behind those that they are made of; those that need themselves come apart.
pub(super) fn in_order(mut waiting: Vec<Made>) -> (Vec<Made>, Vec<Made>) {
    let mut ready = Vec::new();
    while let Some(at) =
        waiting.iter().position(|(_, _, of)| !waiting.iter().any(|(id, _, _)| of.contains(id)))
    {
        ready.push(waiting.remove(at));
    }
    (ready, waiting)
}

/// The positions in each kind of a combination; the last kind runs fastest.
fn split(mut at: usize, sizes: &[usize]) -> Vec<usize> {
    let mut parts = Vec::new();
    for size in sizes.iter().rev() {
        parts.push(at % size);
        at /= size;
    }
    parts.reverse();
    parts
}
