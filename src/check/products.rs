//! Products: a member for each combination of members of other kinds.

use crate::check::adjacency::int;
use crate::check::context::{Checker, typed, unknown};
use crate::check::error::{DataError, TypeError};
use crate::check::kinds::MOST_MEMBERS;
use crate::check::rules::{
    Column, Domain, Expr, ExprKind, KindId, Member, PLAYER, Table, Type, Value,
};
use crate::check::symbols::CompletionContext;
use crate::check::types::{counted, type_code};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::in_snake_case;

impl Checker<'_> {
    /// Finds the members of all products, those of other products behind these.
    pub(super) fn check_products(&mut self, kinds: &[&ast::Kind]) {
        let mut waiting: Vec<(KindId, &ast::Kind)> = Vec::new();
        for (at, kind) in kinds.iter().enumerate() {
            if let ast::KindBody::Product(factors) = &kind.body
                && self.are_factors(factors)
            {
                waiting.push((KindId::at(at + 1), kind));
            }
        }
        while let Some(at) = waiting.iter().position(|(_, kind)| self.is_ready(kind, &waiting)) {
            let (id, kind) = waiting.remove(at);
            self.make_product(id, kind);
        }
        for (_, kind) in waiting {
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

    /// Whether no factor waits for its own members.
    fn is_ready(&self, kind: &ast::Kind, waiting: &[(KindId, &ast::Kind)]) -> bool {
        let ids: Vec<KindId> = self.factors(kind);
        !waiting.iter().any(|(id, _)| ids.contains(id))
    }

    fn factors(&self, kind: &ast::Kind) -> Vec<KindId> {
        let ast::KindBody::Product(factors) = &kind.body else { return Vec::new() };
        factors.iter().filter_map(|name| self.names.kinds.get(&name.text).copied()).collect()
    }

    fn make_product(&mut self, id: KindId, kind: &ast::Kind) {
        let factors = self.factors(kind);
        let sizes: Vec<usize> = factors.iter().map(|it| self.kind(*it).members.len()).collect();
        let count = sizes.iter().fold(1, |all: usize, size| all.saturating_mul(*size));
        if count > MOST_MEMBERS {
            let (name, span) = (format!("the product `{}`", kind.name.text), kind.name.span);
            let (found, most) = (count, MOST_MEMBERS);
            return self.report(DataError::TooManyMembers { name, found, most, span });
        }
        self.budget.turn_to(kind.name.span);
        if !self.has_room(count, kind.name.span) || self.budget.is_spent() {
            return;
        }
        let parts: Vec<Vec<usize>> = (0..count).map(|at| split(at, &sizes)).collect();
        let span = kind.name.span;
        let word = |parts: &[usize], of: fn(&Member) -> &str| {
            let members =
                factors.iter().zip(parts).map(|(kind, at)| &self.kind(*kind).members[*at]);
            members.map(of).collect::<Vec<_>>().join(" ")
        };
        let member = |parts: &Vec<usize>| Member {
            name: word(parts, |member| &member.name),
            title: word(parts, |member| &member.title),
            notes: Vec::new(),
            span,
        };
        let members: Vec<Member> = parts.iter().map(member).collect();
        self.pay_for_members(&members);
        self.rules.kinds[id.index()].members = members;
        for (place, factor) in factors.iter().enumerate() {
            let cells = parts.iter().map(|parts| Value::Int(int(parts[place]))).collect();
            let (name, ty) = (in_snake_case(&self.kind(*factor).name), Type::Kind(*factor));
            self.add_column(id, Column { name, ty, cells, span });
        }
        self.add_combinations(id, &factors, count);
    }

    /// Adds the table that leads from the parts to the combination.
    fn add_combinations(&mut self, id: KindId, factors: &[KindId], count: usize) {
        let kind = self.kind(id);
        let name = format!("{}()", kind.name);
        self.add_computed(Table {
            title: name.clone(),
            span: kind.span,
            name,
            notes: Vec::new(),
            dims: factors.iter().map(|factor| Domain::Kind(*factor)).collect(),
            ty: Type::Kind(id),
            cells: (0..count).map(|at| Value::Int(int(at))).collect::<Vec<_>>().into(),
        });
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
            let kinds: Vec<String> =
                dims.iter().map(|dim| type_code(&self.rules, &dim.member_type())).collect();
            args.iter().for_each(|arg| drop(self.infer(arg, None)));
            let error = TypeError::WrongArgumentCount {
                name: name.text.clone(),
                expected: counted(dims.len(), "argument"),
                found: args.len(),
                head: format!("kind {} = {}", name.text, kinds.join(", ")),
                span,
                declared: None,
            };
            return Some(self.broken(error, span));
        }
        let parts = self.indices(args, &dims);
        if parts.iter().any(|part| part.ty == Type::Unknown) {
            return Some(unknown(span));
        }
        Some(typed(ExprKind::Table(found, parts), ty, span))
    }
}

/// The positions in each kind of a combination; the last kind runs fastest.
fn split(at: usize, sizes: &[usize]) -> Vec<usize> {
    let mut left = at;
    let mut parts: Vec<usize> = Vec::new();
    for size in sizes.iter().rev() {
        parts.push(left % size);
        left /= size;
    }
    parts.reverse();
    parts
}
