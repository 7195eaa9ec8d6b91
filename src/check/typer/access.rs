//! Names, fields and indexed elements: `name`, `base.name`, `name[index]`.

use crate::check::error;
use crate::check::file::FileContext;
use crate::check::file::looks::reads_look;
use crate::check::names::{Global, Meaning};
use crate::check::recorder::{CompletionContext, Symbol};
use crate::check::typer::cards::cards_in;
use crate::check::typer::fit::wrong_index_count;
use crate::check::typer::histories::of_history;
use crate::check::typer::lists::{check_index, end_of_list};
use crate::check::typer::lookup::{NameAccess, StoredElement};
use crate::check::typer::numbering::numbered_member;
use crate::check::typer::tables::settle_table;
use crate::check::typer::types::{constant_type, option_type};
use crate::check::typer::unresolved::report_unknown_name;
use crate::check::typer::{Mode, Typer};
use crate::check::words::quote_list;
use crate::diagnostic::Help;
use crate::rules::{
    Ambient, Array, Domain, Expr, ExprKind, Kind, KindId, PLAYER, Type, UnaryOp, Value, has_maybe,
    maybe_if_any, member_expr, member_kind, player, typed, unknown_expr, unwrap_maybe,
};
use crate::source::Span;
use crate::syntax::{ast, print_expression};

/// The empty bag.
const NOTHING: &str = "nothing";

/// How many turns a player has had.
const TURNS_HAD: &str = "turns";

impl Typer<'_, '_> {
    pub(crate) fn access<'e>(
        &mut self,
        expr: &'e ast::Expr,
        hint: Option<&Type>,
    ) -> NameAccess<'e> {
        match &expr.kind {
            ast::ExprKind::Name(name) => self.access_name(name, hint),
            ast::ExprKind::Field(base, name) => self.access_field(base, name, expr.span),
            ast::ExprKind::Index(base, args) => match self.access(base, None) {
                NameAccess::Element(element) if self.look().is_list(&element) => {
                    let list = self.check_element(element);
                    NameAccess::Value(check_index(self, list, args, expr.span))
                }
                NameAccess::Element(element) if self.look().is_bag(&element) => {
                    let bag = self.check_element(element);
                    NameAccess::Value(
                        self.good_of_bag(bag, args, expr.span).unwrap_or_else(|it| it),
                    )
                }
                NameAccess::Element(element) if element.args.is_empty() => {
                    NameAccess::Element(StoredElement { args, span: expr.span, ..element })
                }
                NameAccess::Element(element) => self.indexed_twice(element, args, expr.span),
                NameAccess::Value(Expr { kind: ExprKind::Whole(Domain::Kind(kind)), .. }) => {
                    NameAccess::Value(numbered_member(self, kind, args, expr.span))
                }
                NameAccess::Value(list) if matches!(list.ty, Type::List(..)) => {
                    NameAccess::Value(check_index(self, list, args, expr.span))
                }
                NameAccess::Value(value) => match self.good_of_bag(value, args, expr.span) {
                    Ok(amount) => NameAccess::Value(amount),
                    Err(value) => NameAccess::Value(report_not_indexable(self.file, &value)),
                },
            },
            _ => NameAccess::Value(self.infer(expr, hint)),
        }
    }

    /// `at[x][y]`
    fn indexed_twice<'e>(
        &mut self,
        element: StoredElement<'e>,
        more: &[ast::Expr],
        span: Span,
    ) -> NameAccess<'e> {
        let (name, dims, _) = self.look().stored(element.target);
        let all: Vec<String> = element.args.iter().chain(more).map(print_expression).collect();
        if dims.len() == all.len() {
            let help = Help::form("write", &format!("{name}[{}]", all.join(", ")));
            let error = wrong_index_count(&name, dims.len(), element.args.len(), help, span);
            return NameAccess::Value(self.file.report_as_expr(error));
        }
        let before = self.file.diagnostics.count();
        let value = self.check_element(element);
        let value = match self.good_of_bag(value, more, span) {
            Ok(amount) => return NameAccess::Value(amount),
            Err(value) => value,
        };
        if self.file.diagnostics.count() > before {
            return NameAccess::Value(unknown_expr(span));
        }
        NameAccess::Value(report_not_indexable(self.file, &value))
    }

    fn access_name<'e>(&mut self, name: &ast::Name, hint: Option<&Type>) -> NameAccess<'e> {
        let span = name.span;
        let stored =
            |target| NameAccess::Element(StoredElement { target, owner: None, args: &[], span });
        if self.file.recorder.is_probe(&name.text) {
            let context = self.look().value_context(hint);
            self.file.recorder.see(&name.text, context);
        }
        let Some(meaning) = self.look().meaning(&name.text) else {
            return NameAccess::Value(self.infer_member(name, hint));
        };
        self.file.recorder.note_meaning(span, meaning, &self.scope.locals);
        NameAccess::Value(match meaning {
            Meaning::Local(local) => return stored(Array::Local(local)),
            Meaning::Global(Global::Var(var)) => return stored(Array::Var(var)),
            Meaning::Global(Global::Table(table)) => {
                settle_table(self.file, table, span);
                return stored(Array::Table(table));
            }
            Meaning::Global(Global::Option(option)) => {
                let ty = option_type(self.file, option, span);
                self.look().narrowed(typed(ExprKind::Option(option), ty, span))
            }
            Meaning::Global(Global::Constant(constant)) => {
                let ty = constant_type(self.file, constant, span);
                self.look().narrowed(typed(ExprKind::Constant(constant), ty, span))
            }
            Meaning::Global(Global::History(_)) => {
                self.file.report_as_expr(error::history_value(&name.text, span))
            }
            Meaning::Players => typed(ExprKind::Ambient(Ambient::Players), Type::Number, span),
            Meaning::Turn if self.mode == Mode::Constant => {
                self.file.report_as_expr(error::not_constant("`turn`", span))
            }
            Meaning::Turn if self.file.seats.is_some() && !self.file.rules.reads_turn => {
                self.file.report_as_expr(error::uncounted_turn("turn", "turn >= 0", span))
            }
            Meaning::Turn => {
                self.file.rules.reads_turn = true;
                typed(ExprKind::Ambient(Ambient::Turn), Type::Number, span)
            }
            Meaning::Kind(kind) => {
                let domain = Domain::Kind(kind);
                typed(ExprKind::Whole(domain), Type::Set(domain), span)
            }
            Meaning::Directions(word) => {
                match (self.file.rules.directions_kind(), self.file.direction_set(word)) {
                    (Some(kind), Some(members)) => {
                        let ty = Type::Set(Domain::Kind(kind));
                        typed(ExprKind::Value(Value::Set(members)), ty, span)
                    }
                    _ => unknown_expr(span),
                }
            }
        })
    }

    /// A bare name that can only be a member: of the expected kind, or of the one that has it.
    fn infer_member(&mut self, name: &ast::Name, hint: Option<&Type>) -> Expr {
        let span = name.span;
        let bag = hint.and_then(|hint| self.file.rules.bag_of(hint)).map(Type::Bag);
        if name.text == NOTHING && (bag.is_some() || self.file.names.owners(NOTHING).is_empty()) {
            let empty = typed(ExprKind::SetOf(Vec::new()), Type::EmptySet, span);
            return match bag {
                Some(bag) => self.coerce(empty, &bag),
                None => empty,
            };
        }
        if let Some(kind) =
            hint.and_then(member_kind).map(|kind| self.file.rules.face_of(kind).unwrap_or(kind))
            && let Some(position) = self.file.member_of(kind, &name.text)
        {
            return self.file.member_value(kind, position, name, span);
        }
        if let Some(seat) = self.file.find_seat(&name.text, false) {
            return member_expr(PLAYER, seat, span);
        }
        match *self.file.names.owners(&name.text) {
            [(kind, position)] => self.file.member_value(kind, position, name, span),
            [] => {
                if let Some(seat) = self.file.find_seat(&name.text, true) {
                    return member_expr(PLAYER, seat, span);
                }
                if name.text == "moves" && self.file.seats.is_some() {
                    return typed(ExprKind::Ambient(Ambient::Moves), Type::Number, span);
                }
                report_unknown_name(self.file, &self.scope, name, hint);
                unknown_expr(span)
            }
            ref owners => {
                let form = |(kind, _): &(KindId, usize)| {
                    let kind = &self.file.rules.kind_at(*kind).name;
                    if kind.starts_with('{') {
                        return format!("the `{}` of `{kind}` where that is expected", name.text);
                    }
                    format!("`{kind}.{}`", name.text)
                };
                let choices = owners.iter().map(form).collect::<Vec<_>>().join(" or ");
                self.file.report_as_expr(error::ambiguous_member(&name.text, choices, span))
            }
        }
    }

    fn access_field<'e>(
        &mut self,
        base: &'e ast::Expr,
        name: &ast::Name,
        span: Span,
    ) -> NameAccess<'e> {
        if let ast::ExprKind::Name(word) = &base.kind
            && let Some(Meaning::Kind(kind)) = self.look().meaning(&word.text)
        {
            self.file.recorder.note_use(word.span, Symbol::Kind(kind));
            self.file.recorder.see(&name.text, CompletionContext::OfKind(kind));
            return NameAccess::Value(kind_field(self.file, kind, name, span));
        }
        if let Some(history) = self.look().history_named(base) {
            return NameAccess::Value(of_history(self, history, base.span, name));
        }
        if let Some(error) = self.look().dotted_index(base, name) {
            return NameAccess::Value(self.file.report_as_expr(error));
        }
        let written = base;
        let base = self.infer(base, None);
        self.file.recorder.see(&name.text, CompletionContext::Member(base.ty.clone()));
        match unwrap_maybe(&base.ty) {
            Type::Unknown => NameAccess::Value(unknown_expr(span)),
            Type::Kind(PLAYER) => self.of_player(base, name, span),
            Type::Kind(kind) => NameAccess::Value(self.column_of(*kind, base, name, span)),
            other => {
                if let Some(end) = end_of_list(&base, &name.text, span) {
                    return NameAccess::Value(end);
                }
                let change = self.look().change_of_many(other, written, span).map(Help::from);
                let help = change.unwrap_or_else(|| behind_a_dot(other, written, &name.text));
                let (owner, help) = (self.file.rules.describe_type(other), help.with_span(span));
                let error = error::unknown_field(owner, &name.text, help, name.span);
                NameAccess::Value(self.file.report_as_expr(error))
            }
        }
    }

    fn of_player<'e>(&mut self, base: Expr, name: &ast::Name, span: Span) -> NameAccess<'e> {
        if name.text == "seat" {
            let kind = ExprKind::new_unary(UnaryOp::Seat, self.check_owner(base));
            return NameAccess::Value(typed(kind, Type::Number, span));
        }
        let Some(var) = self.file.names.of_players.get(&name.text).copied() else {
            if self.file.rules.kind_at(PLAYER).columns.iter().any(|column| column.name == name.text)
            {
                return NameAccess::Value(self.column_of(PLAYER, base, name, span));
            }
            if name.text == TURNS_HAD {
                let line = "all(p in Player: p.turns >= 0)";
                return NameAccess::Value(match self.file.seats {
                    None => self.turns_had(base, span),
                    // Behind the file nobody can have them counted any more.
                    Some(_) => self.file.report_as_expr(error::uncounted_turn("turns", line, span)),
                });
            }
            if !reads_look(self.file, PLAYER, &name.text, name.span) {
                self.file.unknown_of_player(name, span);
            }
            return NameAccess::Value(unknown_expr(span));
        };
        self.file.recorder.note_use(name.span, Symbol::Global(Global::Var(var)));
        let owner = Some(self.check_owner(base));
        NameAccess::Element(StoredElement { target: Array::Var(var), owner, args: &[], span })
    }

    /// `p.turns`
    fn turns_had(&mut self, base: Expr, span: Span) -> Expr {
        if self.mode == Mode::Constant {
            return self.file.report_as_expr(error::not_constant("`turns` of a player", span));
        }
        let var = self.file.turns_of_players(span);
        let owner = vec![self.check_owner(base)];
        typed(ExprKind::Element(Array::Var(var), owner), Type::Number, span)
    }

    fn column_of(&mut self, kind: KindId, base: Expr, name: &ast::Name, span: Span) -> Expr {
        let columns = &self.file.rules.kind_at(kind).columns;
        self.file.budget.charge(columns.len() / 8);
        let Some(at) = columns.iter().position(|column| column.name == name.text) else {
            return self.no_column(&base, kind, name, span);
        };
        let ty = columns[at].ty.clone();
        self.file.recorder.note_use(name.span, Symbol::Column(kind, at));
        let is_maybe = unwrap_maybe(&base.ty) != &base.ty;
        if is_maybe && !has_maybe(unwrap_maybe(&ty)) && ty != Type::Unknown {
            return self.report_unchecked_maybe(&base, unwrap_maybe(&base.ty));
        }
        if let Type::Bag(_) = ty {
            return self.bag_column(kind, at, base, span);
        }
        let ty = if is_maybe { maybe_if_any(ty) } else { ty };
        self.look().narrowed(typed(ExprKind::new_column(kind, at, base), ty, span))
    }

    fn no_column(&mut self, base: &Expr, kind: KindId, name: &ast::Name, span: Span) -> Expr {
        if reads_look(self.file, kind, &name.text, name.span) {
            return unknown_expr(span);
        }
        let of = self.file.rules.kind_at(kind);
        let columns: Vec<&str> = of.named_columns().map(|column| column.name.as_str()).collect();
        let is_direction = || {
            self.file
                .rules
                .directions_kind()
                .is_some_and(|kind| self.file.member_of(kind, &name.text).is_some())
        };
        let has_it = |part: &Kind| {
            part.within.as_ref().is_some_and(|within| within.of == kind)
                && part.columns.iter().any(|column| column.name == name.text)
        };
        let part = self.file.rules.kinds.iter().position(has_it);
        let part = part.map(|part| self.look().help_for_part(base, &Type::Kind(KindId::at(part))));
        let help = match self.file.guesses.nearest(&name.text, columns.iter().copied()) {
            _ if part.is_some() => part.unwrap_or_default().into(),
            _ if of.is_board() && is_direction() => {
                format!("the next cell is a step away: `step(c, {})`", name.text).into()
            }
            Some(near) => Help::did_you_mean(near),
            None if let Some(column) = self.column_by_kind(of, &name.text) => {
                Help::did_you_mean(column)
            }
            None if let Some(way) = self.column_behind(of, &name.text) => Help::did_you_mean(&way),
            None if columns.is_empty() => {
                format!("draw `{}` with a heading row to give it columns", of.name).into()
            }
            None => format!("its columns are {}", quote_list(&columns)).into(),
        };
        let owner = format!("`{}`", of.name);
        self.file.report_as_expr(error::unknown_field(owner, &name.text, help, name.span))
    }

    /// The only column with values of a kind: `c.rank` for the `face` that is a `Rank`.
    fn column_by_kind<'k>(&self, of: &'k Kind, name: &str) -> Option<&'k str> {
        let is_meant = |ty: &Type| {
            matches!(unwrap_maybe(ty), Type::Kind(kind)
                if self.file.rules.kind_at(*kind).name.eq_ignore_ascii_case(name))
        };
        let mut columns = of.named_columns().filter(|column| is_meant(&column.ty));
        let column = columns.next()?;
        columns.next().is_none().then_some(column.name.as_str())
    }

    /// The way to a column of what a column holds: `size.number`.
    fn column_behind(&self, of: &Kind, name: &str) -> Option<String> {
        let mut columns = of.named_columns().filter(|column| match unwrap_maybe(&column.ty) {
            Type::Kind(kind) => {
                self.file.rules.kind_at(*kind).named_columns().any(|it| it.name == name)
            }
            _ => false,
        });
        columns.next().map(|column| format!("{}.{name}", column.name))
    }

    pub(crate) fn check_element(&mut self, element: StoredElement) -> Expr {
        let StoredElement { target, owner, args, span } = element;
        let (name, dims, ty) = self.look().stored(target);
        if self.mode == Mode::Constant && matches!(target, Array::Var(_)) {
            return self
                .file
                .report_as_expr(error::not_constant(format!("the state of `{name}`"), span));
        }
        if let (Array::Local(local), Type::Bag(kind)) = (target, &ty) {
            return self.bag_of_locals(local, *kind, span);
        }
        if let Some(kind) = self.look().bag_of_array(target, args.len()) {
            return self.bag_of_elements(StoredElement { target, owner, args, span }, kind);
        }
        if args.len() != dims.len() {
            return self.wrong_index_count((&name, owner.as_ref()), &dims, args, span);
        }
        let indices = self.indices(args, &dims);
        let indices: Vec<Expr> = owner.into_iter().chain(indices).collect();
        if let Type::Pile(cards) = ty {
            return cards_in(target, cards, span);
        }
        let kind = match target {
            Array::Local(local) if dims.is_empty() => ExprKind::Local(local),
            array => ExprKind::Element(array, indices),
        };
        self.look().narrowed(typed(kind, ty, span))
    }

    pub(crate) fn indices(&mut self, args: &[ast::Expr], dims: &[Domain]) -> Vec<Expr> {
        args.iter().zip(dims).map(|(arg, dim)| self.infer_as(arg, &dim.member_type())).collect()
    }

    pub(crate) fn wrong_index_count(
        &mut self,
        (name, owner): (&str, Option<&Expr>),
        dims: &[Domain],
        args: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let whose = if owner.is_some() { "p." } else { "" };
        let form = self.file.rules.indexed_form(&format!("{whose}{name}"), dims);
        // The declaration of an array whose dimensions are wrong was reported already.
        if dims.is_empty() && self.file.has_broken_dims(name) {
            return unknown_expr(span);
        }
        let usual = || format!("write `{form}`");
        let help = match (dims, args) {
            ([], [arg]) => {
                // A forgotten index is one mistake, however often the array is read.
                if !self.file.reported_names.insert(format!("index {name}")) {
                    return unknown_expr(span);
                }
                let of = member_kind(&self.infer(arg, None).ty);
                let of =
                    of.map_or("1..4".to_owned(), |kind| self.file.rules.kind_at(kind).name.clone());
                format!("write `{form}`, or declare one of it for each: `{name}[{of}]`")
            }
            ([Domain::Kind(board)], [_, _]) => {
                self.file.rules.cell_by_number(*board).unwrap_or_else(usual)
            }
            _ => usual(),
        };
        self.file.report_as_expr(wrong_index_count(name, dims.len(), args.len(), help, span))
    }
}

/// Reports brackets behind something that has no elements.
fn report_not_indexable(file: &mut FileContext, value: &Expr) -> Expr {
    if value.ty != Type::Unknown {
        let found = file.rules.describe_type(&value.ty);
        let help = "only kinds, tables and variables that are declared with `[…]` take an index";
        file.report_error(error::not_indexable(found, help, value.span));
    }
    unknown_expr(value.span)
}

/// `Tree.elm`, `Player.first`
fn kind_field(file: &mut FileContext, kind: KindId, name: &ast::Name, span: Span) -> Expr {
    if let Some(position) = file.member_of(kind, &name.text) {
        return file.member_value(kind, position, name, span);
    }
    // A kind without members is an error of its own.
    let own = file.rules.kind_at(kind).own_members();
    match name.text.as_str() {
        "first" => member_expr(kind, own.first().copied().unwrap_or(0), span),
        "last" if kind == PLAYER => typed(ExprKind::Ambient(Ambient::LastPlayer), player(), span),
        "last" => member_expr(kind, own.last().copied().unwrap_or(0), span),
        _ => {
            file.no_member(kind, name);
            unknown_expr(span)
        }
    }
}

fn behind_a_dot(ty: &Type, of: &ast::Expr, name: &str) -> Help {
    let is_set = matches!(ty, Type::Set(_) | Type::List(..));
    match name {
        _ if matches!(ty, Type::Bag(_)) => {
            let form = format!("{}[{name}]", print_expression(of));
            Help::form("the amount of a good is in brackets:", &form)
        }
        "top" | "bottom" if is_set => format!("write it before the pile: `{name} of deck`").into(),
        "size" | "count" | "length" | "len" if is_set => {
            Help::form("write", &format!("count({})", print_expression(of)))
        }
        "empty" | "is_empty" if is_set => "compare it with the empty set: `deck == {}`".into(),
        _ if is_set => {
            let of = print_expression(of);
            format!(
                "it may have many members: `for x in {of} {{ … x.{name} … }}`, `sum(x in {of}: x.{name})`"
            )
            .into()
        }
        "count" | "number" if *ty == Type::Number => {
            Help::from("it is the number already").with(&print_expression(of))
        }
        _ => "only members of a kind have fields".into(),
    }
}
