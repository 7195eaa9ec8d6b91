//! Rules and names for what stands in a place: the same game with another shape.

use astragal::machinery::rules::{KindShape, Type};
use astragal::machinery::source::Span;
use astragal::machinery::syntax::ast::{
    Block, Expr, ExprKind, ItemKind, RuleBody, RuleDecl, StmtKind, TypeKind,
};

use super::Page;
use super::donors::placed;
use crate::mutants::dice::Dice;
use crate::mutants::draft::{Edit, apply, insert, range, replace};
use crate::mutants::outline::{ExprSite, Hoist, Role, StmtSite};

/// `E` becomes `help(E)`, where the rule returns what it is given, in one of several ways.
pub fn pass_on(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let values = page.values();
    let target = dice.pick(&values)?;
    let ty = page.ty(target.expr.span)?;
    let name = page.draft.fresh("help");
    let rule = returning_its_argument(page, &name, ty, dice)?;
    // A rule that is called once is written out by the compiler; others are not.
    let mut spans = vec![target.expr.span];
    let others = page.values_of(|it| it == ty);
    for _ in 0..dice.below(4) {
        let span = dice.pick(&others)?.expr.span;
        if spans.iter().all(|it| span.end <= it.start || it.end <= span.start) {
            spans.push(span);
        }
    }
    let twice = dice.once_in(2);
    let (never, declared) = never(page);
    let call = |span: Span| {
        let call = format!("{name}({})", page.slice(span));
        let twice = twice.then(|| format!("(if {never} then {call} else {call})"));
        replace(span, twice.unwrap_or(call))
    };
    let rule = if twice { format!("{rule}\n{declared}") } else { rule };
    Some(spans.into_iter().map(call).chain([page.append(&rule)]).collect())
}

/// A rule with one parameter, whose value is the argument.
fn returning_its_argument(page: &Page, name: &str, ty: &Type, dice: &mut Dice) -> Option<String> {
    let written = page.draft.written(ty)?;
    let head = format!("rule {name}(x: {written})");
    let filler = filler(dice);
    Some(match (ty, dice.below(5)) {
        (Type::Text | Type::Pile(_), _) | (_, 0) => format!("{head} = x"),
        (Type::Set(_), 1) => format!("{head} = {{z in x where z in x}}"),
        (Type::Set(_), 2) => {
            let gather = format!("var y: {written} = {{}}\n  for z in x {{ y += z }}");
            format!("{head} -> {written} {{\n  {gather}\n{filler}  return y\n}}")
        }
        (Type::Number, 1) => format!("{head} = if x > 0 then x else 0 + x"),
        (Type::Bool, 1) => {
            format!("{head} -> yes/no {{\n  if x {{ return yes }}\n  return no\n}}")
        }
        (_, 1 | 2) => format!("{head} = {name}_inner(x)\nrule {name}_inner(x: {written}) = x"),
        _ => format!("{head} -> {written} {{\n  var y: {written} = x\n{filler}  return y\n}}"),
    })
}

/// A condition that never holds, which the compiler does not know, and its declaration.
fn never(page: &Page) -> (String, String) {
    let name = page.draft.fresh("never");
    let declared = format!("the table has {{ undrawn {name} = no }}");
    (name, declared)
}

/// Statements without an effect: the compiler writes out small rules, and large ones not.
fn filler(dice: &mut Dice) -> String {
    let mut filler = String::new();
    for at in 0..dice.below(4) {
        let line = match dice.below(4) {
            0 => "for z in {z in Player where z.seat > 9} { N += z.seat }",
            1 => "repeat 2 times { N += 1 }",
            2 => "while N < 3 { N += 1; if N == 2 { continue } }",
            _ => "for z in Player { for other in others(z) { N += count(others(other)) } }",
        };
        let name = format!("number_{at}");
        filler += &format!("  var {name} = 0\n  {}\n", line.replace('N', &name));
    }
    filler
}

/// `{a}` becomes the call of a rule that makes the set, or of one that is handed what such a rule returns.
pub fn make_set(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let values = page.values();
    let sets = values.iter().filter_map(|it| match &it.expr.kind {
        ExprKind::Set(members) if members.len() == 1 => Some((it.expr.span, members[0].span)),
        _ => None,
    });
    let members = page.values_of(|it| matches!(it, Type::Kind(_)));
    let loose = members.iter().filter(|it| it.role == Role::Iterated);
    let loose = loose.map(|it| (it.expr.span, it.expr.span));
    let (set, member) = *dice.pick(&sets.chain(loose).collect::<Vec<_>>())?;
    let ty = page.ty(member)?;
    let Type::Kind(kind) = ty else { return None };
    // A line is the set of its cells.
    if matches!(page.draft.rules().kinds[kind.index()].shape, KindShape::Lines(_)) {
        return None;
    }
    let (written, name, lines) = (page.draft.written(ty)?, page.draft.fresh("help"), filler(dice));
    let mut rules = format!(
        "rule {name}(x: {written}) -> set of {written} {{\n  var y: set of {written} = {{x}}\n{lines}  return y\n}}"
    );
    let mut call = format!("{name}({})", page.slice(member));
    // What one rule returns is an argument of another.
    if dice.once_in(2) {
        let (next, lines) = (page.draft.fresh("hand_on"), filler(dice));
        rules += &format!(
            "\nrule {next}(x: set of {written}) -> set of {written} {{\n  var y: set of {written} = {{}}\n{lines}  for z in x {{ y += z }}\n  return y\n}}"
        );
        call = format!("{next}({call})");
    }
    Some(vec![replace(set, call), page.append(&rules)])
}

/// Numbers pass through a rule that is handed a set of one member by another, and counts it: what comes before the
/// argument of the one is not as long as what comes before the result of the other.
pub fn hand_over(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let numbers = page.values_of(|it| *it == Type::Number);
    // Sets of many members take several words.
    let mut domains: Vec<_> = (0..4).filter_map(|_| page.some_domain(dice)).collect();
    let most = |of: &String| {
        page.draft.rules().kinds.iter().find(|it| it.name == *of).map_or(0, |it| it.members.len())
    };
    domains.sort_by_key(most);
    let of = domains.pop()?;
    let [make, hand] = ["help", "handed"].map(|it| page.draft.fresh(it));
    let is_first = dice.once_in(2);
    let params = [format!("x: set of {of}"), "n: number".to_owned()];
    let params = if is_first { params.join(", ") } else { format!("{}, {}", params[1], params[0]) };
    let lines = [filler(dice), filler(dice)];
    let rules = format!(
        "rule {make}(x: {of}) -> set of {of} {{\n  var y: set of {of} = {{x}}\n{}  return y\n}}\n\
         rule {hand}({params}) -> number {{\n{}  return n + count(x) - 1\n}}",
        lines[0], lines[1]
    );
    let mut edits = vec![page.append(&rules)];
    for _ in 0..1 + dice.below(4) {
        let span = dice.pick(&numbers)?.expr.span;
        let (start, end) = (span.start as usize, span.end as usize);
        if edits.iter().all(|it| end <= it.range.start || it.range.end <= start) {
            let (set, number) = (format!("{make}({of}.first)"), page.slice(span));
            let args = if is_first { [set.as_str(), number] } else { [number, set.as_str()] };
            edits.push(replace(span, format!("{hand}({})", args.join(", "))));
        }
    }
    Some(edits)
}

/// The names of the rule around that a stretch of text reads, each once: what they are called, where
/// they are declared, and the type they have there.
fn free(page: &Page, span: Span) -> Option<Vec<(String, String)>> {
    let inside = |it: Span| span.start <= it.start && it.end <= span.end;
    let mut free: Vec<(String, String)> = Vec::new();
    for used in page.outline.uses.iter().filter(|it| inside(it.span) && !inside(it.declared)) {
        if free.iter().any(|(name, _)| *name == used.name) {
            continue;
        }
        // What was tested is known by the use.
        let ty = page.ty(used.span).or_else(|| page.draft.local_ty(used.declared))?;
        free.push((used.name.clone(), page.draft.written(ty)?));
    }
    Some(free)
}

fn params_and_arguments(free: &[(String, String)]) -> (String, String) {
    let params: Vec<_> = free.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    let arguments: Vec<_> = free.iter().map(|(name, _)| name.clone()).collect();
    (params.join(", "), arguments.join(", "))
}

/// `E` becomes `help(names)`, where the rule computes it.
pub fn extract(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let values = page.values();
    let target = dice.pick(&values)?;
    if matches!(target.expr.kind, ExprKind::Name(_) | ExprKind::Number(_)) {
        return None;
    }
    let written = page.draft.written(page.ty(target.expr.span)?)?;
    let (params, arguments) = params_and_arguments(&free(page, target.expr.span)?);
    let (name, value) = (page.draft.fresh("help"), page.slice(target.expr.span));
    let rule = if dice.once_in(2) {
        format!("rule {name}({params}) -> {written} = {value}")
    } else {
        format!("rule {name}({params}) -> {written} {{ return {value} }}")
    };
    Some(vec![replace(target.expr.span, format!("{name}({arguments})")), page.append(&rule)])
}

/// Whether a statement leaves what is around it, by the words in its text.
pub fn leaves(text: &str) -> bool {
    let words = text.split(|it: char| !(it.is_alphanumeric() || it == '_'));
    words.into_iter().any(|word| matches!(word, "return" | "break" | "continue"))
}

pub fn declares(stmt: &StmtSite) -> bool {
    matches!(stmt.stmt.kind, StmtKind::Let { .. } | StmtKind::Var { .. })
}

/// Whether statements around this one are in braces, so that others may be written beside it.
pub fn is_braced(page: &Page, block: &Block) -> bool {
    page.slice(block.span).starts_with('{')
}

/// A statement becomes a rule; often a value in it is passed on, which another rule may give.
pub fn extract_statement(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let stmt = dice.pick(&page.outline.stmts)?;
    let (span, text) = (stmt.stmt.span, page.slice(stmt.stmt.span));
    let has_turns = text.contains("turns ");
    if leaves(text) || declares(stmt) || has_turns || changes_names(page, span) {
        return None;
    }
    let mut names = free(page, span)?;
    let (name, given) = (page.draft.fresh("help"), page.draft.fresh("given"));
    let (mut body, mut argument, mut rules) = (text.to_owned(), None, String::new());
    // A value that is computed first anyway may be an argument.
    let first = |it: &&ExprSite| it.hoist == Some(Hoist::Stmt(span));
    let values: Vec<_> = page.values().into_iter().filter(first).collect();
    if let Some(value) = dice.pick(&values) {
        let (at, start) = (range(value.expr.span), span.start as usize);
        let (ty, value) = (page.ty(value.expr.span)?, page.slice(value.expr.span));
        let edit = Edit { range: at.start - start..at.end - start, text: given.clone() };
        body = apply(text, &[edit])?;
        names.push((given.clone(), page.draft.written(ty)?));
        argument = Some(value.to_owned());
        if dice.once_in(2) {
            let giver = format!("{given}_by");
            rules = returning_its_argument(page, &giver, ty, dice)? + "\n";
            argument = Some(format!("{giver}({value})"));
        }
    }
    let (params, mut arguments) = params_and_arguments(&names);
    if let Some(value) = argument {
        arguments = arguments.strip_suffix(given.as_str())?.to_owned() + &value;
    }
    rules += &format!("rule {name}({params}) {{\n  {body}\n{}}}", filler(dice));
    let call = format!("{name}({arguments})");
    if dice.once_in(2) {
        return Some(vec![replace(span, call), page.append(&rules)]);
    }
    let (never, declared) = never(page);
    let twice = format!("if {never} {{ {call} }} else {{ {call} }}");
    Some(vec![replace(span, twice), page.append(&format!("{rules}\n{declared}"))])
}

/// Whether statements change a `var` that is declared outside of them.
fn changes_names(page: &Page, span: Span) -> bool {
    let inside = |it: Span| span.start <= it.start && it.end <= span.end;
    let local = |expr: &Expr| match &root(expr).kind {
        ExprKind::Name(_) => {
            page.outline.uses.iter().any(|it| it.span == root(expr).span && !inside(it.declared))
                && !matches!(expr.kind, ExprKind::Field(..))
                && !through_field(expr)
        }
        _ => false,
    };
    page.outline.stmts.iter().filter(|it| inside(it.stmt.span)).any(|it| match &it.stmt.kind {
        StmtKind::Assign { place, .. } => local(place),
        StmtKind::Swap(a, b) => local(a) || local(b),
        StmtKind::Reset(places) => places.iter().any(local),
        _ => false,
    })
}

fn root(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => root(base),
        _ => expr,
    }
}

fn through_field(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Field(..) => true,
        ExprKind::Index(base, _) => through_field(base),
        _ => false,
    }
}

/// A call of a rule with one expression becomes the expression.
pub fn inline(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let rules: Vec<&RuleDecl> = page.draft.ast.items.iter().filter_map(simple_rule).collect();
    let calls = page.outline.exprs.iter().filter_map(|it| match &it.expr.kind {
        ExprKind::Call(name, args) => {
            let rule = rules.iter().find(|rule| rule.name.text == name.text)?;
            (rule.params.len() == args.len()).then_some((it, *rule, args))
        }
        _ => None,
    });
    let calls: Vec<_> = calls.collect();
    let (site, rule, args) = *dice.pick(&calls)?;
    let RuleBody::Value(value) = &rule.body else { return None };
    // A list is taken as the set of its members.
    let lists = rule.params.iter().zip(args).any(|(param, arg)| {
        matches!(param.ty.kind, TypeKind::Set(_))
            && page.ty(arg.span).is_some_and(|ty| matches!(ty, Type::List(..)))
    });
    if lists {
        return None;
    }
    // Arguments are computed before anything is supposed.
    if page.slice(value.span).contains("suppose") {
        return None;
    }
    let inside = |it: Span| value.span.start <= it.start && it.end <= value.span.end;
    let start = value.span.start as usize;
    let uses = page.outline.uses.iter().filter(|it| inside(it.span));
    let edits = uses.filter_map(|it| {
        let at = rule.params.iter().position(|param| param.name.span == it.declared)?;
        let range = range(it.span);
        let text = placed(page.slice(args[at].span));
        Some(Edit { range: range.start - start..range.end - start, text })
    });
    let text = apply(page.slice(value.span), &edits.collect::<Vec<_>>())?;
    Some(vec![replace(site.expr.span, placed(&text))])
}

/// A rule with `=` and parameters whose range nobody tests.
fn simple_rule(item: &astragal::machinery::syntax::ast::Item) -> Option<&RuleDecl> {
    let ItemKind::Rule(rule) = &item.kind else { return None };
    let RuleBody::Value(_) = &rule.body else { return None };
    let tested = |ty: &TypeKind| matches!(ty, TypeKind::Range(..));
    (!rule.params.iter().any(|param| tested(&param.ty.kind))).then_some(rule)
}

/// A value that is computed first anyway gets a name.
pub fn name(page: &Page, dice: &mut Dice) -> Option<Vec<Edit>> {
    let mut values = page.values();
    // A range that is gone over is tested number by number; with a name it is a set. Whether a pile is empty is public,
    // but not whether a set of the cards in it is.
    values.retain(|it| {
        it.hoist.is_some()
            && page
                .ty(it.expr.span)
                .is_some_and(|ty| *ty != Type::Span && !page.draft.are_cards(ty))
    });
    let target = dice.pick(&values)?;
    let (name, value) = (page.draft.fresh("named"), page.slice(target.expr.span));
    // A value that may be `none` is tested where it stands.
    let at = match target.hoist? {
        Hoist::Stmt(span) => {
            let stmt = page.outline.stmts.iter().find(|it| it.stmt.span == span)?;
            if !is_braced(page, page.outline.blocks[stmt.block]) {
                return None;
            }
            return Some(vec![
                insert(span.start as usize, format!("let {name} = {value}\n")),
                replace(target.expr.span, name),
            ]);
        }
        Hoist::Clause(span) => clause_start(page, span.start as usize)?,
    };
    Some(vec![insert(at, format!("let {name} = {value} ")), replace(target.expr.span, name)])
}

/// Where the keyword of a clause begins, before its first name or condition.
pub fn clause_start(page: &Page, at: usize) -> Option<usize> {
    let before = page.draft.text[..at].trim_end();
    let word = ["for", "maybe", "let", "when"].into_iter().find(|it| before.ends_with(it))?;
    Some(before.len() - word.len())
}
