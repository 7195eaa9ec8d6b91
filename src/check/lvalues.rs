//! Places: what can be assigned, reset, gained and rolled.

use crate::check::context::Checker;
use crate::check::error;
use crate::check::names::Global;
use crate::check::recorder::{CompletionContext, Symbol};
use crate::check::typer::lookup::{NameAccess, StoredElement};
use crate::diagnostic::Help;
use crate::rules::{
    Array, BinaryOp, Expr, ExprKind, ResetTarget, StmtKind, Type, VarForm, VarId, players_type,
    typed,
};
use crate::source::Span;
use crate::syntax::{ast, print_expression};

impl Checker<'_, '_> {
    pub(crate) fn check_place(&mut self, place: &ast::Expr) -> Option<Expr> {
        match self.access(place, None) {
            NameAccess::Element(element) => self.stored_place(element),
            NameAccess::Value(value) => self.refuse_place(&value),
        }
    }

    fn stored_place(&mut self, element: StoredElement) -> Option<Expr> {
        let span = element.span;
        match element.target {
            Array::Var(var) | Array::Pile(var) if self.file.rules.is_pile(var) => {
                return self
                    .file
                    .refuse_with(error::pile_assigned(&self.file.rules.var_at(var).name, span));
            }
            Array::Var(_) | Array::Pile(_) => self.body.effects.changes = true,
            Array::Local(local) if local.index() < self.body.scope.hideable => {
                // What is typed at a decision gets copies.
                let what = format!("`{}`", self.body.scope.local_at(local).name);
                return self.not_assignable(what, span);
            }
            Array::Local(local) if self.body.scope.local_at(local).mutable => {}
            Array::Local(local) => {
                let name = &self.body.scope.local_at(local).name;
                let what = format!("`{name}`");
                let help = format!("declare it with `var {name} = …`, or take another name");
                return self.file.refuse_with(error::not_assignable(what, help, span));
            }
            Array::Table(table) => {
                let what = format!("the table `{}`", self.file.rules.tables[table.index()].name);
                return self.not_assignable(what, span);
            }
        }
        let place = self.check_element(element);
        (place.ty != Type::Unknown).then_some(place)
    }

    fn refuse_place<T>(&mut self, value: &Expr) -> Option<T> {
        let what = match &value.kind {
            _ if value.ty == Type::Unknown => return None,
            ExprKind::Option(id) => {
                format!("the option `{}`", self.file.rules.options[id.index()].name)
            }
            ExprKind::Constant(id) => {
                format!("the constant `{}`", self.file.rules.constants[id.index()].name)
            }
            ExprKind::Column(kind, at, _) => {
                format!("the column `{}`", self.file.rules.kind_at(*kind).columns[*at].name)
            }
            ExprKind::Binary(BinaryOp::Nth, ..) => "an element of a list".to_owned(),
            _ => self.file.rules.describe_type(&value.ty),
        };
        self.not_assignable(what, value.span)
    }

    fn not_assignable<T>(&mut self, what: String, span: Span) -> Option<T> {
        let help = if self.body.scope.hideable > 0 {
            "only what players and the table have can be changed here"
        } else {
            "only `var` and what players and the table have can be changed"
        };
        self.file.refuse_with(error::not_assignable(what, help, span))
    }

    /// `reset place, …`
    pub(crate) fn reset(&mut self, places: &[ast::Expr]) -> StmtKind {
        self.body.effects.changes = true;
        StmtKind::Reset(places.iter().filter_map(|place| self.reset_target(place)).collect())
    }

    pub(crate) fn reset_target(&mut self, place: &ast::Expr) -> Option<ResetTarget> {
        let element = match self.access(place, None) {
            NameAccess::Element(element) => element,
            NameAccess::Value(value) => return self.refuse_place(&value),
        };
        let (name, dims, _) = self.look().stored(element.target);
        let Array::Var(var) = element.target else {
            let what = format!("`{name}`");
            let help = "only what players and the table have has a first value";
            return self.file.refuse_with(error::not_assignable(what, help, place.span));
        };
        if element.args.len() > dims.len() {
            let found = element.args.len();
            return self.file.refuse_with(self.other_indices(&name, &dims, found, place.span));
        }
        let indices = self.indices(element.args, &dims);
        let indices = element.owner.into_iter().chain(indices).collect();
        Some(ResetTarget { var, indices })
    }

    /// An element with one more index, the member of a binder.
    pub(crate) fn indexed_by(
        &mut self,
        element: StoredElement,
        var: VarId,
        last: Expr,
    ) -> Option<Expr> {
        let (name, dims, ty) = self.look().stored(element.target);
        if element.args.len() + 1 != dims.len() {
            let found = element.args.len() + 1;
            return self.file.refuse_with(self.other_indices(&name, &dims, found, element.span));
        }
        let mut indices: Vec<Expr> = element.owner.into_iter().collect();
        indices.extend(self.indices(element.args, &dims));
        let member = dims[dims.len() - 1].member_type();
        indices.push(self.coerce(last, &member));
        Some(typed(ExprKind::Element(Array::Var(var), indices), ty, element.span))
    }

    /// `me gains 2 bread`
    pub(crate) fn check_coin(&mut self, stmt: &ast::StmtKind, span: Span) -> Option<StmtKind> {
        let ast::StmtKind::Coin { owner, verb, amount, coin, index } = stmt else {
            unreachable!("only coin statements come here")
        };
        self.body.effects.changes = true;
        if !self.file.names.of_players.contains_key(&coin.text)
            && let Some(Global::Var(_)) = self.file.names.globals.get(&coin.text)
        {
            let gains = matches!(verb, ast::CoinVerb::Gains | ast::CoinVerb::GainsAtMost);
            let sign = if gains { "+" } else { "-" };
            let form = format!("{} {sign}= {}", coin.text, print_expression(amount));
            let help = format!("the table has it, not a player: write `{form}`");
            return self
                .file
                .refuse_with(error::unknown_field("a player", &coin.text, help, coin.span));
        }
        let written = owner;
        let owner = self.infer(written, None);
        let change = format!(" {} {} {}", verb.word(), print_expression(amount), coin.text);
        if owner.ty == players_type() {
            let (found, help) = ("a `set of Player`", self.look().change_of_each(written, &change));
            return self.file.refuse_with(error::type_mismatch(
                "a `Player`",
                found,
                help,
                owner.span,
            ));
        }
        let owner = self.check_owner(owner);
        let amount = self.expect(amount, &Type::Number);
        let var = self.coin_named(coin)?;
        let span = coin.span.to(index.last().map_or(coin.span, |last| last.span)).to(span);
        let target = Array::Var(var);
        let place =
            self.check_element(StoredElement { target, owner: Some(owner), args: index, span });
        (place.ty != Type::Unknown).then_some(StmtKind::Coin { place, verb: *verb, amount })
    }

    fn coin_named(&mut self, coin: &ast::Name) -> Option<VarId> {
        let ast::Name { text: name, span } = coin;
        self.file.recorder.see(name, CompletionContext::Coin);
        let Some(var) = self.file.names.of_players.get(name).copied() else {
            let coins = self.file.names.of_players.keys().map(String::as_str);
            let help = match self.file.guesses.nearest(name, coins) {
                Some(near) => Help::did_you_mean(near),
                None => {
                    format!("declare it under `each player has`: `coin {name}: 0.. = 0`").into()
                }
            };
            return self.file.refuse_with(error::unknown_field("a player", name, help, *span));
        };
        self.file.recorder.note_use(*span, Symbol::Global(Global::Var(var)));
        if matches!(self.file.rules.var_at(var).form, VarForm::Coin) {
            return Some(var);
        }
        // The declaration is wrong, not each use of it.
        if self.file.reported_names.insert(format!("coin {name}")) {
            self.file.report_error(error::not_a_coin(name, *span));
        }
        None
    }
}
