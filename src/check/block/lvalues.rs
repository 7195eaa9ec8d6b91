//! Types assignable places: what statements assign, reset, gain, roll and show.

use crate::check::block::BlockTyper;
use crate::check::block::bags::Transfer;
use crate::check::error;
use crate::check::names::Global;
use crate::check::recorder::{CompletionContext, Symbol};
use crate::check::typer::fit::other_indices;
use crate::check::typer::lookup::{NameAccess, StoredElement};
use crate::diagnostic::Help;
use crate::rules::{
    Array, BinaryOp, Expr, ExprKind, ResetTarget, StmtKind, Type, VarForm, VarId, player,
    players_type,
};
use crate::source::Span;
use crate::syntax::ast::{self, Visibility};
use crate::syntax::print_expression;

impl BlockTyper<'_, '_, '_> {
    pub(crate) fn check_place(&mut self, place: &ast::Expr) -> Option<Expr> {
        match self.typer.access(place, None) {
            NameAccess::Element(element) => self.stored_place(element),
            NameAccess::Value(value) => self.refuse_place(&value),
        }
    }

    pub(crate) fn stored_place(&mut self, element: StoredElement) -> Option<Expr> {
        let span = element.span;
        match element.target {
            Array::Var(var) | Array::Pile(var) if self.typer.file.rules.is_pile(var) => {
                return self.typer.file.refuse_with(error::pile_assigned(
                    &self.typer.file.rules.var_at(var).name,
                    span,
                ));
            }
            Array::Var(_) | Array::Pile(_) => self.typer.effects.changes = true,
            Array::Local(local) if local.index() < self.typer.scope.hideable => {
                // What is typed at a decision gets copies.
                let what = format!("`{}`", self.typer.scope.local_at(local).name);
                return self.not_assignable(what, span);
            }
            Array::Local(local) if self.typer.scope.local_at(local).mutable => {}
            Array::Local(local) => {
                let name = &self.typer.scope.local_at(local).name;
                let what = format!("`{name}`");
                let help = format!("declare it with `var {name} = …`, or take another name");
                return self.typer.file.refuse_with(error::not_assignable(what, help, span));
            }
            Array::Table(table) => {
                let what =
                    format!("the table `{}`", self.typer.file.rules.tables[table.index()].name);
                return self.not_assignable(what, span);
            }
        }
        let place = self.typer.check_element(element);
        (place.ty != Type::Unknown).then_some(place)
    }

    pub(crate) fn refuse_place<T>(&mut self, value: &Expr) -> Option<T> {
        let what = match &value.kind {
            _ if value.ty == Type::Unknown => return None,
            ExprKind::Option(id) => {
                format!("the option `{}`", self.typer.file.rules.options[id.index()].name)
            }
            ExprKind::Constant(id) => {
                format!("the constant `{}`", self.typer.file.rules.constants[id.index()].name)
            }
            ExprKind::Column(kind, at, _) => {
                format!("the column `{}`", self.typer.file.rules.kind_at(*kind).columns[*at].name)
            }
            ExprKind::Element(Array::Var(_), _) => {
                let help = "only `turns` counts them; for a number to change, declare one under \
                            `each player has`";
                let error = error::not_assignable("the number of turns", help, value.span);
                return self.typer.file.refuse_with(error);
            }
            ExprKind::Binary(BinaryOp::Nth, ..) => "an element of a list".to_owned(),
            _ => self.typer.file.rules.describe_type(&value.ty),
        };
        self.not_assignable(what, value.span)
    }

    fn not_assignable<T>(&mut self, what: String, span: Span) -> Option<T> {
        let help = if self.typer.scope.hideable > 0 {
            "only what players and the table have can be changed here"
        } else {
            "only `var` and what players and the table have can be changed"
        };
        self.typer.file.refuse_with(error::not_assignable(what, help, span))
    }

    /// `reset place, …`
    pub(crate) fn reset(&mut self, places: &[ast::Expr]) -> StmtKind {
        self.typer.effects.changes = true;
        StmtKind::Reset(places.iter().filter_map(|place| self.reset_target(place)).collect())
    }

    fn reset_target(&mut self, place: &ast::Expr) -> Option<ResetTarget> {
        let element = match self.typer.access(place, None) {
            NameAccess::Element(element) => element,
            NameAccess::Value(value) => return self.refuse_place(&value),
        };
        let (name, dims, _) = self.typer.look().stored(element.target);
        let Array::Var(var) = element.target else {
            let what = format!("`{name}`");
            let help = "only what players and the table have has a first value";
            return self.typer.file.refuse_with(error::not_assignable(what, help, place.span));
        };
        if element.args.len() > dims.len() {
            let (rules, found) = (&self.typer.file.rules, element.args.len());
            let error = other_indices(rules, &name, &dims, found, place.span);
            return self.typer.file.refuse_with(error);
        }
        let indices = self.typer.indices(element.args, &dims);
        let indices = element.owner.into_iter().chain(indices).collect();
        Some(ResetTarget { var, indices })
    }

    /// `me gains 2 bread`
    pub(crate) fn check_transfer(&mut self, stmt: &ast::StmtKind, span: Span) -> Option<StmtKind> {
        let ast::StmtKind::Transfer { owner, verb, amount, coin, index, other } = stmt else {
            unreachable!("only coin statements come here")
        };
        self.typer.effects.changes = true;
        if !self.typer.file.names.of_players.contains_key(&coin.text)
            && let Some(Global::Var(_)) = self.typer.file.names.globals.get(&coin.text)
        {
            let gains =
                matches!(verb, ast::TransferVerb::Gains | ast::TransferVerb::GainsLosingRest);
            let sign = if gains { "+" } else { "-" };
            let form = format!("{} {sign}= {}", coin.text, print_expression(amount));
            let help = format!("the table has it, not a player: write `{form}`");
            let error = error::unknown_field("a player", &coin.text, help, coin.span);
            return self.typer.file.refuse_with(error);
        }
        let written = owner;
        let owner = self.typer.infer(written, None);
        let change = format!(" {} {} {}", verb.word(), print_expression(amount), coin.text);
        if owner.ty == players_type() {
            let (found, help) =
                ("a `set of Player`", self.typer.look().change_of_each(written, &change));
            return self.typer.file.refuse_with(error::type_mismatch(
                "a `Player`",
                found,
                help,
                owner.span,
            ));
        }
        let owner = self.typer.check_owner(owner);
        let Some(var) = self.coin_named(coin) else {
            self.typer.infer(amount, None);
            return None;
        };
        let span = coin.span.to(index.last().map_or(coin.span, |last| last.span)).to(span);
        let target = Array::Var(var);
        let place = self.typer.check_element(StoredElement {
            target,
            owner: Some(owner),
            args: index,
            span,
        });
        let amount = self.typer.infer(amount, Some(&place.ty));
        if let (Type::Number, Some(error)) = (&amount.ty, self.typer.look().forgotten_index(&place))
        {
            return self.typer.file.refuse_with(error);
        }
        let want = if let Type::Bag(_) = place.ty { &place.ty } else { &Type::Number };
        let amount = self.typer.coerce(amount, want);
        let known = place.ty != Type::Unknown && amount.ty != Type::Unknown;
        let moved = Transfer { var, index, verb: *verb, place, amount };
        known.then(|| self.coin_of_goods(moved, other.as_ref(), span))?
    }

    fn coin_named(&mut self, coin: &ast::Name) -> Option<VarId> {
        let ast::Name { text: name, span } = coin;
        self.typer.file.recorder.see(name, CompletionContext::Coin);
        let Some(var) = self.typer.file.names.of_players.get(name).copied() else {
            let coins = self.typer.file.names.of_players.keys().map(String::as_str);
            let help = match self.typer.file.guesses.nearest(name, coins) {
                Some(near) => Help::did_you_mean(near),
                None => {
                    format!("declare it under `each player has`: `coin {name}: 0.. = 0`").into()
                }
            };
            let error = error::unknown_field("a player", name, help, *span);
            return self.typer.file.refuse_with(error);
        };
        self.typer.file.recorder.note_use(*span, Symbol::Global(Global::Var(var)));
        if matches!(self.typer.file.rules.var_at(var).form, VarForm::Coin) {
            return Some(var);
        }
        // The declaration is wrong, not each use of it.
        if self.typer.file.reported_names.insert(format!("coin {name}")) {
            self.typer.file.report_error(error::not_a_coin(name, *span));
        }
        None
    }

    /// `reveal place, …`, `show place, … to p`
    pub(crate) fn check_show(&mut self, places: &[ast::Expr], to: Option<&ast::Expr>) -> StmtKind {
        self.typer.effects.changes = true;
        let (places, cards): (Vec<_>, Vec<_>) =
            places.iter().partition(|place| self.typer.look().names_variable(place));
        for cards in cards {
            let shown = self.show_cards(cards, to);
            self.state.before.extend(shown);
        }
        let targets =
            places.into_iter().filter_map(|place| self.show_target(place)).collect::<Vec<_>>();
        let to = to.filter(|_| !targets.is_empty());
        StmtKind::Show { targets, to: to.map(|to| self.typer.infer_as(to, &player())) }
    }

    fn show_target(&mut self, place: &ast::Expr) -> Option<ResetTarget> {
        let target = self.reset_target(place)?;
        let var = &self.typer.file.rules.vars[target.var.index()];
        if var.sight == Visibility::All {
            let error = error::nothing_to_show(&var.name, place.span, var.span);
            return self.typer.file.refuse_with(error);
        }
        Some(target)
    }
}
