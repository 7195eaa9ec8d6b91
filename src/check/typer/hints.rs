//! Slips recognised by their shape: each is reported whole, before its parts are checked.

use crate::check::error;
use crate::check::names::{Global, Meaning};
use crate::check::typer::Typer;
use crate::check::typer::fit::wrong_index_count;
use crate::check::typer::folds::is_of_numbers;
use crate::check::typer::lookup::Lookup;
use crate::check::words::WrittenCall;
use crate::diagnostic::{Diagnostic, Help};
use crate::rules::{Domain, Expr, KindId, PLAYER, Type, Var, VarForm, domain_code, member_kind};
use crate::source::Span;
use crate::syntax::ast::{self, AssignOp, BinaryOp, ExprKind, FoldWord, Name, Text, TextPart};
use crate::syntax::print_expression;

/// The dice that `roll` rolls, with the names that they are rolled by.
fn roll_help(words: &str, dice: &str, over: &str) -> Help {
    let text = format!("{dice} for {over}");
    Help::form(words, &format!("roll {text}")).with(&text)
}

pub(crate) fn change_text(
    place: &ast::Expr,
    op: AssignOp,
    value: &ast::Expr,
) -> Option<(Span, String)> {
    let field = match &place.kind {
        ExprKind::Index(field, _) => field,
        _ => place,
    };
    let of = match &field.kind {
        ExprKind::Field(of, _) => of,
        ExprKind::Name(_) => field,
        _ => return None,
    };
    let sign = match op {
        AssignOp::Set => "=",
        AssignOp::Add => "+=",
        AssignOp::Subtract => "-=",
    };
    let whole = print_expression(place);
    let behind = whole.strip_prefix(&print_expression(of))?;
    Some((field.span, format!("{behind} {sign} {}", print_expression(value))))
}

/// `for s in Square not in eaten`: a condition where a set is iterated.
pub(crate) fn question_as_set(set: &ast::Expr) -> Option<Diagnostic> {
    let (word, a, b) = match &set.kind {
        ExprKind::Binary(BinaryOp::NotIn, a, b) => ("minus", a, b),
        ExprKind::Binary(BinaryOp::In, a, b) => ("common", a, b),
        _ => return None,
    };
    let form = format!("{} {word} {}", print_expression(a), print_expression(b));
    let help = Help::form("of two sets write", &form);
    Some(error::type_mismatch("a set", "a question", help, set.span))
}

/// `{c in hand}`: a filter without its condition, or with one forgotten.
pub(crate) fn filter_without_condition(name: &ast::Name, set: &ast::Expr) -> Diagnostic {
    let set = print_expression(set);
    let form = format!("{{{} in {set} where …}}", name.text);
    let help = format!("`{form}` has those of which the condition holds; all of them are `{set}`");
    error::unknown_name(&name.text, help, name.span)
}

/// `finish win me and next(me)`: those who win together.
pub(crate) fn joined_winners(winners: &ast::Expr) -> Option<Diagnostic> {
    let mut all = Vec::new();
    leaves(winners, &[BinaryOp::And, BinaryOp::Or], &mut all);
    if all.len() < 2 {
        return None;
    }
    let all: Vec<String> = all.into_iter().map(print_expression).collect();
    let help =
        Help::form("put players who win together in a set:", &format!("{{{}}}", all.join(", ")));
    Some(error::type_mismatch("a player, or a set of them", "a condition", help, winners.span))
}

/// `"A" + me`: a text with a hole for each value.
pub(crate) fn joined_text((a, b): (&ast::Expr, &ast::Expr), span: Span) -> Option<Diagnostic> {
    let mut parts = Vec::new();
    leaves(a, &[BinaryOp::Add], &mut parts);
    leaves(b, &[BinaryOp::Add], &mut parts);
    if !parts.iter().any(|part| matches!(part.kind, ExprKind::Text(_))) {
        return None;
    }
    let hole = |of: &ast::Expr| format!("{{{}}}", print_expression(of));
    let words = |part: &ast::Expr| match &part.kind {
        ExprKind::Text(Text { parts, .. }) => parts
            .iter()
            .map(|part| match part {
                TextPart::Words(words) => words.clone(),
                TextPart::Hole(of) => hole(of),
            })
            .collect(),
        _ => hole(part),
    };
    let form: String = parts.into_iter().map(words).collect();
    let help = Help::form("put values in holes of the text:", &format!("\"{form}\""));
    Some(error::type_mismatch("numbers beside `+`", "a text", help, span))
}

fn leaves<'e>(expr: &'e ast::Expr, joins: &[BinaryOp], into: &mut Vec<&'e ast::Expr>) {
    match &expr.kind {
        ExprKind::Binary(op, a, b) if joins.contains(op) => {
            leaves(a, joins, into);
            leaves(b, joins, into);
        }
        _ => into.push(expr),
    }
}

/// `x in {none, a}`: a set never holds `none`.
pub(crate) fn none_in_set(
    op: BinaryOp,
    (member, set): (&ast::Expr, &ast::Expr),
    span: Span,
) -> Option<Diagnostic> {
    let (ExprKind::Set(items), BinaryOp::In | BinaryOp::NotIn) = (&set.kind, op) else {
        return None;
    };
    let (none, rest): (Vec<ast::Expr>, Vec<ast::Expr>) =
        items.iter().cloned().partition(|item| matches!(item.kind, ExprKind::None));
    let none = none.into_iter().next()?;
    let (compare, join) = match op {
        BinaryOp::In => (BinaryOp::Equal, BinaryOp::Or),
        _ => (BinaryOp::NotEqual, BinaryOp::And),
    };
    let test = |op, of| {
        let kind = ExprKind::Binary(op, Box::new(member.clone()), Box::new(of));
        ast::Expr { kind, span }
    };
    let mut form = test(compare, none);
    if !rest.is_empty() {
        let rest = test(op, ast::Expr { kind: ExprKind::Set(rest), span: set.span });
        form.kind = ExprKind::Binary(join, Box::new(form.clone()), Box::new(rest));
    }
    let form = print_expression(&form);
    Some(error::none_in_set(if items.len() > 1 { format!("({form})") } else { form }, span))
}

impl<'s> Lookup<'s> {
    /// An array whose element is picked as a field: `size.h`.
    pub(crate) fn dotted_index(self, base: &ast::Expr, name: &Name) -> Option<Diagnostic> {
        let ExprKind::Name(word) = &base.kind else { return None };
        let Some(Meaning::Global(global)) = self.meaning(&word.text) else { return None };
        let dims = match global {
            Global::Var(var) => self.file.rules.var_at(var).dims.len(),
            Global::Table(table) => self.file.rules.tables[table.index()].dims.len(),
            Global::Option(_) | Global::Constant(_) | Global::History(_) => 0,
        };
        let help = Help::form("write", &format!("{}[{}]", word.text, name.text));
        (dims == 1).then(|| wrong_index_count(&word.text, 1, 0, help, base.span.to(name.span)))
    }

    /// `best.points += 1`, where `best` may be several players.
    pub(crate) fn change_of_many(self, ty: &Type, of: &ast::Expr, place: Span) -> Option<String> {
        let (changed, change) = self.scope.changed.as_ref()?;
        let of_players = *ty == Type::Set(Domain::Kind(PLAYER));
        (*changed == place && of_players).then(|| self.change_of_each(of, change))
    }

    /// What to write for `best gains 2 gold` and the like, where `best` may be several players.
    pub(crate) fn change_of_each(self, of: &ast::Expr, change: &str) -> String {
        let of = print_expression(of);
        let free = |name: &&str| self.meaning(name).is_none();
        let name = ["p", "q", "who"].into_iter().find(free).unwrap_or("each");
        format!(
            "it may be several players, and each has one: `for {name} in {of} {{ {name}{change} }}`"
        )
    }

    /// `roll cube[c] for c in Colour`: the last index comes from after `for`.
    pub(crate) fn rolled_by_index(
        self,
        die: &ast::Expr,
        binder: &ast::Binder,
    ) -> Option<Diagnostic> {
        let ExprKind::Index(of, args) = &die.kind else { return None };
        let (last, others) = args.split_last()?;
        let ExprKind::Name(word) = &last.kind else { return None };
        let var = self.var_named(of)?;
        let is_single = var.dims.is_empty();
        let is_die = matches!(var.form, VarForm::Die(_));
        if word.text != binder.name.text || !is_die || !is_single && var.dims.len() != args.len() {
            return None;
        }
        let others: Vec<String> = others.iter().map(print_expression).collect();
        let indices =
            if others.is_empty() { String::new() } else { format!("[{}]", others.join(", ")) };
        let set = print_expression(&binder.set);
        let form = format!("roll {}{indices} for {} in {set}", print_expression(of), word.text);
        let help = if is_single {
            let each = if matches!(binder.set.kind, ExprKind::Name(_)) { &set } else { "Kind" };
            format!("`die {0}[{each}] = …` is one die for each, and `{form}` rolls them", var.name)
                .into()
        } else {
            // `roll` stands before both.
            let text = form.trim_start_matches("roll ");
            let help = Help::form("write the values of the last index after `for`:", &form);
            help.with(text).with_span(die.span.to(binder.set.span))
        };
        Some(wrong_index_count(&var.name, var.dims.len(), args.len() + 1, help, die.span))
    }

    /// The variable that `name` or `p.name` means, for any `p`; none for an element or a local.
    pub(crate) fn var_named(self, place: &ast::Expr) -> Option<&'s Var> {
        let var = match &place.kind {
            ExprKind::Name(name) => match self.meaning(&name.text)? {
                Meaning::Global(Global::Var(var)) => var,
                _ => return None,
            },
            ExprKind::Field(_, name) => *self.file.names.of_players.get(&name.text)?,
            _ => return None,
        };
        Some(self.file.rules.var_at(var))
    }

    /// `n in 1..5` and `n`, for an array with one index that a place names without it.
    fn over_array(self, place: &ast::Expr) -> Option<(String, String)> {
        let [dim] = self.var_named(place)?.dims.as_slice() else { return None };
        let name = self.file.rules.index_name(*dim);
        Some((format!("{name} in {}", domain_code(&self.file.rules, *dim)), name))
    }

    /// `sum(cup)`, where each element of the array is meant.
    pub(crate) fn fold_of_array(self, call: WrittenCall) -> Option<Diagnostic> {
        let WrittenCall { name: word, args, span } = call;
        let [place] = args else { return None };
        FoldWord::from_word(&word.text).filter(|word| is_of_numbers(*word))?;
        let (over, name) = self.over_array(place)?;
        let form = format!("{}({over}: {}[{name}])", word.text, print_expression(place));
        Some(error::fold_form(&word.text, form, span))
    }

    /// `roll cup`, where all dice of an array are meant.
    pub(crate) fn rolled_whole(self, die: &ast::Expr) -> Option<Diagnostic> {
        if let ExprKind::Index(of, args) = &die.kind {
            return self.rolled_by_set(of, args, die.span);
        }
        let (over, _) = self.over_array(die)?;
        let var = self.var_named(die).filter(|var| matches!(var.form, VarForm::Die(_)))?;
        let help = roll_help("all of them are rolled by", &print_expression(die), &over);
        Some(wrong_index_count(&var.name, 1, 0, help, die.span))
    }

    /// `roll cup[kept]`, where `kept` is a set of them.
    fn rolled_by_set(self, die: &ast::Expr, args: &[ast::Expr], whole: Span) -> Option<Diagnostic> {
        let [arg] = args else { return None };
        let ExprKind::Name(name) = &arg.kind else { return None };
        let Some(Meaning::Local(local)) = self.meaning(&name.text) else { return None };
        let ty = &self.scope.local_at(local).ty;
        let var = self.var_named(die).filter(|var| matches!(var.form, VarForm::Die(_)))?;
        let ([dim], Type::Set(_)) = (var.dims.as_slice(), ty) else { return None };
        let over = format!("{} in {}", self.file.rules.index_name(*dim), name.text);
        let help = roll_help("several are rolled with `for`:", &print_expression(die), &over);
        let expected = self.file.rules.describe_type(&dim.member_type());
        Some(error::type_mismatch(
            expected,
            self.file.rules.describe_type(ty),
            help.with_span(whole),
            arg.span,
        ))
    }

    /// `more not in reached`, where both are sets.
    pub(crate) fn set_in_set(self, (a, b): (&ast::Expr, &ast::Expr), is: &Expr) -> Diagnostic {
        let form = format!("{} within {}", print_expression(a), print_expression(b));
        let help = format!("whether all of a set are in another asks `{form}`, or `not ({form})`");
        error::type_mismatch("a member", self.file.rules.describe_type(&is.ty), help, is.span)
    }

    /// `step(c, 3)`: a number where a direction is due.
    pub(crate) fn number_as_direction_error(self, board: KindId, span: Span) -> Diagnostic {
        let ways = match self.file.rules.kind_at(board).as_board().map(|it| it.directions()) {
            Some([way, other]) => format!("`step(c, {way})`, or `{other}`"),
            _ => "`step(c, north)` and the like".to_owned(),
        };
        let help = format!("a step goes to the next cell: {ways}; repeat it to go further");
        error::type_mismatch("a `Direction`", "a number", help, span)
    }
}

/// Reports `{n in beside(c) for c in reached}`, which wants the members of many sets: a question
/// about a new name stands where a member is due.
pub(crate) fn members_of_many(
    typer: &mut Typer,
    value: &ast::Expr,
    binder: &ast::Binder,
    whole: Span,
) -> Option<Expr> {
    let ExprKind::Binary(BinaryOp::In, member, set) = &value.kind else { return None };
    let ExprKind::Name(name) = &member.kind else { return None };
    if typer.look().meaning(&name.text).is_some() || !typer.file.names.owners(&name.text).is_empty()
    {
        return None;
    }
    let of = typer.scoped(|typer| {
        let (_, member) = typer.iterated(&binder.set, None);
        typer.declare(&binder.name, member);
        typer.infer(set, None).ty
    });
    let kind =
        member_kind(&of).map_or("S".to_owned(), |kind| typer.file.rules.kind_at(kind).name.clone());
    let (name, each) = (&name.text, &binder.name.text);
    let (set, sets) = (print_expression(set), print_expression(&binder.set));
    let and = binder.condition.as_ref().map(|it| format!(" and {}", print_expression(it)));
    let and = and.unwrap_or_default();
    let form = format!("{{{name} in {kind} where any({each} in {sets}: {name} in {set}){and}}}");
    let help = Help::form("what is in one of many sets is", &form).with_span(whole);
    let (expected, found) = ("members to make a set of", "a question");
    Some(typer.file.report_as_expr(error::type_mismatch(expected, found, help, value.span)))
}
