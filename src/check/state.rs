//! Options, constants and variables: their types and first values.

use crate::check::cells::Cells;
use crate::check::context::{Checker, Progress, player, typed, unknown};
use crate::check::error::{DataError, FlowError, TypeError};
use crate::check::resolve::Written;
use crate::check::rules::{
    ConstantId, Domain, Expr, ExprKind, Faces, Init, Local, LocalId, OptionId, PLAYER, RangeId,
    Type, Value, VarForm, VarId,
};
use crate::check::scope::Global;
use crate::check::symbols::Symbol;
use crate::check::types::{domain_code, plain};
use crate::source::Span;
use crate::syntax::{ast, print_type};

/// How many names may hang on one another when their types are looked for.
pub(super) const LONGEST_CHAIN: usize = 100;

impl Checker<'_> {
    /// Checks all options and constants that nothing has asked for yet.
    pub(super) fn check_options(&mut self) {
        for at in 0..self.tree.options.len() {
            self.option_type(OptionId::at(at), Span::default());
        }
        for at in 0..self.tree.constants.len() {
            self.constant_type(ConstantId::at(at), Span::default());
        }
    }

    /// The type of an option, checked now if need be.
    pub(super) fn option_type(&mut self, id: OptionId, span: Span) -> Type {
        match self.tree.option_progress(id) {
            Progress::Waiting if self.searching.len() >= LONGEST_CHAIN => {
                self.report_chain(Global::Option(id));
                return Type::Unknown;
            }
            Progress::Waiting => self.check_option(id),
            Progress::Running => self.report_cycle(Global::Option(id), span),
            Progress::Done => {}
        }
        self.rules.options[id.index()].ty.clone()
    }

    fn check_option(&mut self, id: OptionId) {
        let option = self.tree.options[id.index()].item;
        self.tree.options[id.index()].progress = Progress::Running;
        self.searching.push(option.name.text.clone());
        let written = option.ty.as_ref().map(|ty| self.resolve(ty));
        let default = self.constant(&option.default, written.as_ref().map(|written| &written.ty));
        let written = written.unwrap_or_else(|| Written::plain(default.ty.clone()));
        let checked = &mut self.rules.options[id.index()];
        checked.ty = written.ty;
        checked.range = written.range;
        checked.default = default;
        self.searching.pop();
        self.tree.options[id.index()].progress = Progress::Done;
        self.check_option_type(id, option);
    }

    fn check_option_type(&mut self, id: OptionId, option: &ast::OptionItem) {
        let ty = self.rules.options[id.index()].ty.clone();
        let settable = match plain(&ty) {
            Type::Number | Type::Bool | Type::Unknown => true,
            Type::Kind(kind) => *kind != PLAYER,
            Type::None | Type::EmptySet => {
                self.needs_type(&option.name, &ty, option.default.span);
                self.rules.options[id.index()].ty = Type::Unknown;
                return;
            }
            _ => false,
        };
        if !settable {
            let found = self.name_of(&ty);
            self.report(DataError::OptionType { found, span: option.name.span });
        }
    }

    /// Reports a value that does not tell its type.
    pub(super) fn needs_type(&mut self, name: &ast::Name, ty: &Type, span: Span) {
        let (value, like) = match ty {
            Type::EmptySet => ("{}", "set of KIND"),
            Type::Span => ("a range", "set of 1..6"),
            _ => ("none", "maybe Player"),
        };
        let name_text = &name.text;
        let help = match ty {
            Type::Span => format!(
                "a die is `die {name_text} = 1..6`, a number `{name_text}: 1..6 = 1`, a set \
                 `{name_text}: set of 1..6 = …`"
            ),
            _ => {
                format!("write it: `{name_text}{}: {like} = {value}`", self.written_dims(name_text))
            }
        };
        self.report(TypeError::NeedsType {
            what: format!("`{}`", name.text),
            value: value.to_owned(),
            help,
            span,
        });
    }

    /// The indices of a variable as they are declared.
    fn written_dims(&self, name: &str) -> String {
        let mut vars = self.tree.vars.iter().map(|(_, var)| var);
        let var = vars.find(|var| var.name.text == name && !var.dims.is_empty());
        let dims =
            var.map(|var| var.dims.iter().map(|dim| print_type(&dim.ty)).collect::<Vec<_>>());
        dims.map(|dims| format!("[{}]", dims.join(", "))).unwrap_or_default()
    }

    /// The type of a constant, checked now if need be.
    pub(super) fn constant_type(&mut self, id: ConstantId, span: Span) -> Type {
        match self.tree.constant_progress(id) {
            Progress::Waiting if self.searching.len() >= LONGEST_CHAIN => {
                self.report_chain(Global::Constant(id));
                return Type::Unknown;
            }
            Progress::Waiting => self.check_constant(id),
            Progress::Running => self.report_cycle(Global::Constant(id), span),
            Progress::Done => {}
        }
        self.rules.constants[id.index()].value.ty.clone()
    }

    fn check_constant(&mut self, id: ConstantId) {
        let constant = self.tree.constants[id.index()].item;
        self.tree.constants[id.index()].progress = Progress::Running;
        self.searching.push(constant.name.text.clone());
        let mut value = self.constant(&constant.value, None);
        if matches!(value.ty, Type::None | Type::EmptySet | Type::Span) {
            self.report(TypeError::NeedsType {
                what: format!("`{}`", constant.name.text),
                value: self.name_of(&value.ty),
                help: "give it a value whose type is plain: a number, a member, a set of members"
                    .to_owned(),
                span: value.span,
            });
            value = unknown(value.span);
        }
        self.rules.constants[id.index()].value = value;
        self.searching.pop();
        self.tree.constants[id.index()].progress = Progress::Done;
    }

    /// Reports that a name is read while its value is being looked for.
    fn report_cycle(&mut self, global: Global, span: Span) {
        let name = self.constant_name(global);
        let start = self.searching.iter().position(|searched| *searched == name).unwrap_or(0);
        let mut path: Vec<String> =
            self.searching[start..].iter().map(|name| format!("`{name}`")).collect();
        path.push(format!("`{name}`"));
        let (path, declared) = (path.join(" needs "), self.declaration(global));
        self.report(FlowError::ConstantCycle { name, path, span, declared });
    }

    fn report_chain(&mut self, global: Global) {
        let (name, span) = (self.constant_name(global), self.declaration(global));
        self.report(FlowError::LongChain { name, span });
    }

    fn constant_name(&self, global: Global) -> String {
        match global {
            Global::Option(id) => self.rules.options[id.index()].name.clone(),
            Global::Constant(id) => self.rules.constants[id.index()].name.clone(),
            Global::Var(_) | Global::Table(_) => {
                unreachable!("only constants are checked on demand")
            }
        }
    }

    /// Checks all variables.
    pub(super) fn check_vars(&mut self) {
        for at in 0..self.tree.vars.len() {
            let (owner, var) = self.tree.vars[at];
            self.check_var(VarId::at(at), owner, var);
        }
    }

    fn check_var(&mut self, id: VarId, owner: ast::Owner, var: &ast::Var) {
        let dims: Option<Vec<Domain>> = var.dims.iter().map(|dim| self.domain(&dim.ty)).collect();
        let (binders, locals) = self.init_binders(owner, var, dims.as_deref());
        if let ast::VarForm::Die(faces) = &var.form {
            self.check_die(id, var, faces, binders);
        } else if var.form == ast::VarForm::Pile {
            self.check_pile(id, var, binders, locals);
        } else {
            self.check_first_value(id, var, binders, locals);
        }
        let checked = &mut self.rules.vars[id.index()];
        match dims {
            Some(dims) => checked.dims = dims,
            None => checked.ty = Type::Unknown,
        }
        self.check_sight(id);
    }

    /// The locals that a first value may read: the indices that have a name.
    fn init_binders(
        &mut self,
        owner: ast::Owner,
        var: &ast::Var,
        dims: Option<&[Domain]>,
    ) -> (Vec<Option<LocalId>>, Vec<Local>) {
        let mut binders = Vec::new();
        let mut locals: Vec<Local> = Vec::new();
        if owner == ast::Owner::Player {
            binders.push(None);
        }
        for (at, dim) in var.dims.iter().enumerate() {
            let Some(binder) = &dim.binder else {
                binders.push(None);
                continue;
            };
            if let Some(earlier) = locals.iter().find(|local| local.name == binder.text) {
                self.duplicate(binder, earlier.span);
            }
            binders.push(Some(LocalId::at(locals.len())));
            let ty = dims.map_or(Type::Unknown, |dims| dims[at].member_type());
            let (name, span) = (binder.text.clone(), binder.span);
            self.note(span, Symbol::Local(span));
            locals.push(Local { name, ty, dims: Vec::new(), range: None, mutable: false, span });
        }
        (binders, locals)
    }

    fn check_first_value(
        &mut self,
        id: VarId,
        var: &ast::Var,
        binders: Vec<Option<LocalId>>,
        locals: Vec<Local>,
    ) {
        let written = var.ty.as_ref().map(|ty| self.resolve(ty));
        let init = var.init.as_ref().expect("the grammar wants a first value of all but dice");
        let expected = written.as_ref().map(|written| &written.ty);
        let (value, locals) = self.constant_with(init, expected, locals);
        let written = written.unwrap_or_else(|| Written::plain(value.ty.clone()));
        let ty = self.storable(&var.name, written.ty, value.span);
        if matches!(var.form, ast::VarForm::Coin) && !matches!(ty, Type::Number | Type::Unknown) {
            let (name, found) = (var.name.text.clone(), self.name_of(&ty));
            self.report(DataError::CoinType { name, found, span: var.name.span });
        }
        let checked = &mut self.rules.vars[id.index()];
        checked.form = if var.form == ast::VarForm::Coin { VarForm::Coin } else { VarForm::Plain };
        checked.ty = ty;
        checked.range = written.range;
        checked.init = Init { binders, locals, value };
    }

    /// The type of a variable, if there can be one of it.
    pub(super) fn storable(&mut self, name: &ast::Name, ty: Type, span: Span) -> Type {
        match ty {
            Type::None | Type::EmptySet | Type::Span => {
                self.needs_type(name, &ty, span);
                Type::Unknown
            }
            Type::Text | Type::Nothing | Type::Pile(_) => {
                let found = self.name_of(&ty);
                self.report(DataError::NotStorable { found, span: name.span });
                Type::Unknown
            }
            Type::Maybe(inner) if *inner == Type::Text => self.storable(name, Type::Text, span),
            ty => ty,
        }
    }

    fn check_die(
        &mut self,
        id: VarId,
        var: &ast::Var,
        faces: &ast::Faces,
        binders: Vec<Option<LocalId>>,
    ) {
        let Some((faces, ty, range, value)) = self.faces(var, faces) else { return };
        let checked = &mut self.rules.vars[id.index()];
        checked.form = VarForm::Die(faces);
        checked.ty = ty;
        checked.range = range;
        checked.init = Init { binders, locals: Vec::new(), value };
    }

    /// The faces of a die, their type and range, and the one that it shows first.
    fn faces(
        &mut self,
        var: &ast::Var,
        faces: &ast::Faces,
    ) -> Option<(Faces, Type, Option<RangeId>, Expr)> {
        match faces {
            ast::Faces::Range(low, high) => {
                let range = self.resolve_range(low, Some(high), low.span.to(high.span))?;
                let first = self.rules.ranges[range.index()].low.clone();
                Some((Faces::Range(range), Type::Number, Some(range), first))
            }
            ast::Faces::List(cells) => {
                let cells: Vec<&ast::Cell> = cells.iter().collect();
                let (name, span) = (var.name.text.as_str(), var.name.span);
                let written = var.ty.as_ref();
                let found = self.cells(&Cells { name, span, written, list: &cells });
                if !matches!(found.ty, Type::Number | Type::Bool | Type::Kind(_)) {
                    self.refuse_faces(&found.ty, span);
                    return None;
                }
                let first = found.values.first().cloned().unwrap_or(Value::None);
                let value = typed(ExprKind::Value(first), found.ty.clone(), span);
                Some((Faces::List(found.values), found.ty, None, value))
            }
        }
    }

    fn refuse_faces(&mut self, ty: &Type, span: Span) {
        if *ty == Type::Unknown {
            return;
        }
        let (expected, found) = ("numbers or members as faces".to_owned(), self.name_of(ty));
        let help = "write the faces in a row: `die lot = red red blue`".to_owned();
        self.report(TypeError::Mismatch { expected, found, help: help.into(), span });
    }

    /// How a variable, table or local array is written, with its indices.
    pub(super) fn indexed_form(&self, name: &str, dims: &[Domain]) -> String {
        if dims.is_empty() {
            return name.to_owned();
        }
        let mut letters: Vec<String> = Vec::new();
        for dim in dims {
            let code = domain_code(&self.rules, *dim);
            let first = code.chars().next().filter(char::is_ascii_alphabetic).unwrap_or('n');
            let letter = first.to_ascii_lowercase().to_string();
            let count = letters.iter().filter(|known| known.starts_with(&letter)).count();
            letters.push(if count > 0 { format!("{letter}{}", count + 1) } else { letter });
        }
        format!("{name}[{}]", letters.join(", "))
    }

    /// The type of whom a variable that each player has belongs to.
    pub(super) fn owner(&mut self, owner: Expr) -> Expr {
        self.coerce(owner, &player())
    }
}
