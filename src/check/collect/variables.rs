//! Options, constants and variables: their types, first values and who sees them.

use crate::check::collect::Collector;
use crate::check::collect::cells::{CellColumn, TypedCells, infer_cells};
use crate::check::error;
use crate::check::typer::bags::{Bag, bag_amount_range};
use crate::check::typer::types::{
    WrittenType, constant_type, constant_with, index_locals, option_type, resolve, resolve_domain,
    resolve_range,
};
use crate::rules::{
    ConstantId, Domain, Expr, ExprKind, Faces, Init, KindId, Local, LocalId, OptionId, RangeId,
    Type, Value, VarForm, VarId, player, players_type, typed, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::ast::{self, Owner, Visibility};

impl Collector<'_> {
    /// Checks all options and constants that nothing has used yet.
    pub(crate) fn check_options(&mut self) {
        for at in 0..self.file.tree.options.len() {
            option_type(&mut self.file, OptionId::at(at), Span::default());
        }
        for at in 0..self.file.tree.constants.len() {
            constant_type(&mut self.file, ConstantId::at(at), Span::default());
        }
    }

    pub(crate) fn check_vars(&mut self) {
        for at in 0..self.file.tree.vars.len() {
            let (owner, var) = self.file.tree.vars[at];
            self.check_var(VarId::at(at), owner, var);
        }
    }

    fn check_var(&mut self, id: VarId, owner: ast::Owner, var: &ast::VarDecl) {
        let dims: Option<Vec<Domain>> =
            var.dims.iter().map(|dim| resolve_domain(&mut self.file, &dim.ty)).collect();
        let init = self.init_binders(owner, var, dims.as_deref());
        match &var.form {
            ast::VarForm::Die(faces) => {
                if let Some((faces, ty, range, value)) = self.resolve_faces(var, faces) {
                    let var = &mut self.file.rules.vars[id.index()];
                    (var.form, var.ty, var.range) = (VarForm::Die(faces), ty, range);
                    var.init = Init { locals: Vec::new(), value, ..init };
                }
            }
            ast::VarForm::Pile => self.check_pile(id, var, init),
            ast::VarForm::Plain | ast::VarForm::Coin => self.check_first_value(id, var, init),
            ast::VarForm::History(_) => unreachable!("histories are collected apart"),
        }
        let checked = &mut self.file.rules.vars[id.index()];
        // `me`, where nothing reads it, does not belong to the meaning of the first value.
        if owner == ast::Owner::Player
            && let Init { binders, value, .. } = &mut checked.init
            && let Some(me) = binders.first_mut()
        {
            *me = me.filter(|me| value.reads_local(*me));
        }
        match dims {
            Some(dims) => checked.dims = [dims, std::mem::take(&mut checked.dims)].concat(),
            None => checked.ty = Type::Unknown,
        }
        if let Some(seers) = &var.seers {
            self.check_seers(id, seers);
        }
        self.check_visibility(id);
    }

    /// `seen by PLAYERS`: what it reads is known before play, and `owner` is the player who has the variable.
    fn check_seers(&mut self, id: VarId, seers: &ast::Expr) {
        if let ast::ExprKind::Name(name) = &seers.kind
            && !self.file.names.globals.contains_key(&name.text)
        {
            return self.file.report_error(error::no_seer(&name.text, name.span));
        }
        let of_player = self.file.rules.vars[id.index()].owner == Owner::Player;
        let owner = of_player.then(|| Local::fixed("owner", player(), seers.span));
        let (binders, locals) =
            (vec![owner.as_ref().map(|_| LocalId::at(0))], owner.into_iter().collect());
        let (value, locals) = constant_with(&mut self.file, seers, Some(&players_type()), locals);
        self.file.rules.vars[id.index()].seers = Some(Init { binders, locals, value });
    }

    /// The locals that a first value may read, which is still to come: the indices with a name, and
    /// `me`, whose variable it is.
    fn init_binders(
        &mut self,
        owner: ast::Owner,
        var: &ast::VarDecl,
        dims: Option<&[Domain]>,
    ) -> Init {
        let (indices, mut locals) = index_locals(&mut self.file, &var.dims, dims);
        let mut owners = if owner == ast::Owner::Player { vec![None] } else { Vec::new() };
        if locals.iter().all(|local| local.name != "me")
            && let Some(owner) = owners.first_mut()
        {
            *owner = Some(LocalId::at(locals.len()));
            locals.push(Local::fixed("me", player(), var.name.span));
        }
        let binders = [owners, indices].concat();
        Init { binders, locals, value: unknown_expr(var.span) }
    }

    fn check_first_value(&mut self, id: VarId, var: &ast::VarDecl, init: Init) {
        let written = var.ty.as_ref().map(|ty| resolve(&mut self.file, ty));
        let first = var.init.as_ref().expect("the grammar wants a first value of all but dice");
        let expected = written.as_ref().map(|written| &written.ty);
        let (value, locals) = constant_with(&mut self.file, first, expected, init.locals);
        let WrittenType { ty, range } =
            written.unwrap_or_else(|| WrittenType::from_type(value.ty.clone()));
        let ty = self.file.check_storable(&var.name, ty, false, value.span);
        let (ty, value) = match (ty, Bag::from_expr(value)) {
            (Type::Bag(kind), Ok(bag)) => {
                return self.take_bag(id, kind, range, bag, Init { locals, ..init });
            }
            // The first value is wrong, which was reported.
            (Type::Bag(kind), Err(value)) => {
                let good = LocalId::at(locals.len());
                let local = Local::fixed("good", Type::Kind(kind), value.span);
                let locals = [locals, vec![local]].concat();
                let bag = Bag { kind, good, amount: value };
                return self.take_bag(id, kind, range, bag, Init { locals, ..init });
            }
            (ty, value) => (ty, value.map_or_else(|it| it, |bag| bag.into_expr(var.span))),
        };
        let is_coin = var.form == ast::VarForm::Coin;
        if is_coin && !matches!(ty, Type::Number | Type::Unknown) {
            let found = self.file.rules.describe_type(&ty);
            self.file.report_error(error::coin_type(&var.name.text, found, var.name.span));
        }
        let form = if is_coin { VarForm::Coin } else { VarForm::Plain };
        let var = &mut self.file.rules.vars[id.index()];
        (var.form, var.ty, var.range) = (form, ty, range);
        var.init = Init { locals, value, ..init };
    }

    /// A bag is a coin for each good.
    fn take_bag(&mut self, id: VarId, kind: KindId, range: Option<RangeId>, bag: Bag, init: Init) {
        let span = self.file.rules.vars[id.index()].span;
        let range = range.or_else(|| bag_amount_range(&mut self.file, None, span));
        let var = &mut self.file.rules.vars[id.index()];
        (var.form, var.ty, var.range) = (VarForm::Coin, Type::Number, range);
        var.dims = vec![Domain::Kind(kind)];
        let binders = [init.binders, vec![Some(bag.good)]].concat();
        var.init = Init { binders, locals: init.locals, value: bag.amount };
    }

    /// The faces of a die, their type and range, and the one that it shows first.
    fn resolve_faces(
        &mut self,
        var: &ast::VarDecl,
        faces: &ast::FacesDecl,
    ) -> Option<(Faces, Type, Option<RangeId>, Expr)> {
        let cells: Vec<&ast::Cell> = match faces {
            ast::FacesDecl::Range(low, high) => {
                let range = resolve_range(&mut self.file, low, Some(high), low.span.to(high.span))?;
                let first = self.file.rules.ranges[range.index()].low.clone();
                return Some((Faces::Range(range), Type::Number, Some(range), first));
            }
            ast::FacesDecl::List(cells) => cells.iter().collect(),
        };
        let (name, span) = (var.name.text.as_str(), var.name.span);
        let list = CellColumn { name, span, heading: None, written: None, list: &cells };
        let TypedCells { ty, values } = infer_cells(&mut self.file, &list);
        match ty {
            Type::Number | Type::Bool | Type::Kind(_) => {
                let first = values.first().cloned().unwrap_or(Value::None);
                let value = typed(ExprKind::Value(first), ty.clone(), span);
                Some((Faces::List(values), ty, None, value))
            }
            Type::Unknown => None,
            _ => {
                let (expected, found) =
                    ("numbers or members as faces", self.file.rules.describe_type(&ty));
                let help = "write the faces in a row: `die lot = red red blue`";
                self.file.refuse_with(error::type_mismatch(expected, found, help, span))
            }
        }
    }

    /// Looks whether a variable can be seen in the way that its declaration says.
    fn check_visibility(&mut self, id: VarId) {
        let var = &self.file.rules.vars[id.index()];
        if matches!(var.sight, Visibility::Owner | Visibility::Others) && var.owner == Owner::Table
        {
            return self.file.report_error(error::no_owner(&var.name, var.span));
        }
        let bounded = match (&var.form, var.range) {
            (VarForm::Die(_), _) => true,
            (_, Some(range)) => self.file.rules.ranges[range.index()].high.is_some(),
            (_, None) => false,
        };
        if var.sight != Visibility::All && *unwrap_maybe(&var.ty) == Type::Number && !bounded {
            self.file.report_error(error::secret_range(&var.name, var.span));
        }
    }
}
