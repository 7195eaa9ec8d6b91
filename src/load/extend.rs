//! Extends declarations of the base: more moves, cases, rows, members.

use crate::diagnostic::{Diagnostic, Help};
use crate::load::error;
use crate::load::names::{declared_members, find_rule, item_head, keep_below, plain_text};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::ast::{
    Arm, Arms, BinaryOp, Block, Cell, CellKind, Choose, Drawn, Expr, ExprKind, Extension, FlowDecl,
    Item, ItemKind, MoveLine, MovesDecl, Name, Note, Phase, RuleBody, RuleDecl, Stmt, StmtKind,
    TableBody, TableDecl, TypeKind,
};
use crate::syntax::print_param;

type ExtendResult = Result<(), Diagnostic>;

/// Puts an extension, with the notes above it, into the declaration that it extends.
pub(super) fn apply_extension(
    items: &mut Vec<Item>,
    notes: Vec<Note>,
    extension: Extension,
) -> ExtendResult {
    if let Extension::Choice { name, options, decline, otherwise } = extension {
        let at = change_choice(items, &name, &mut |choose| {
            choose.options.extend(options.iter().cloned());
            choose.decline = decline.as_deref().cloned().or(choose.decline.take());
            choose.otherwise = otherwise.clone().or(choose.otherwise.take());
        })?;
        put_notes(&mut items[at].notes, notes, true);
        return Ok(());
    }
    let (word, name) = extension.target();
    let is_named = |it: &Item| match item_head(&it.kind) {
        (known, Some(it)) => known == word && it.text == name.text,
        (known, None) => word == "rule" && known == name.text,
    };
    let Some(at) = items.iter().position(is_named) else {
        return match extension {
            Extension::Around { name, body, .. } if name.text == "setup" => {
                let (kind, span) =
                    (ItemKind::Flow(FlowDecl { phase: Phase::Setup, body }), name.span);
                items.push(Item { notes, kind, span });
                Ok(())
            }
            extension => Err(unknown_target(word, extension.target().1, items)),
        };
    };
    let row = match &extension {
        Extension::Cells { indices, .. } => place_in_row(items, at, indices),
        _ => None,
    };
    match (&mut items[at].kind, extension) {
        (_, Extension::Around { name, is_before, body }) => {
            wrap_body(items, at, name, is_before, body)
        }
        (ItemKind::Moves(group), Extension::Moves(more)) => more_moves(group, more),
        (ItemKind::Rule(rule), Extension::Cases(name, more)) => more_cases(rule, name, more),
        (ItemKind::Table(table), Extension::Rows(name, more)) => more_rows(table, name, more),
        (ItemKind::Table(table), Extension::Cells { name, indices, cells }) => {
            replace_cells(table, name, &indices, row, &cells)
        }
        (ItemKind::Let(constant), Extension::Members(_, more)) => {
            more_members(&mut constant.value, more);
            Ok(())
        }
        (_, extension) => Err(no_match(extension.target().1, items[at].span)),
    }?;
    put_notes(&mut items[at].notes, notes, true);
    Ok(())
}

/// Puts notes before or after those of the base, or around them where they say `## base`.
pub(super) fn put_notes(base: &mut Vec<Note>, own: Vec<Note>, at_end: bool) {
    if own.iter().any(|note| note == "base") {
        *base = with_base(own, base);
    } else {
        let at = if at_end { base.len() } else { 0 };
        base.splice(at..at, own);
    }
}

/// Notes, with those of the base in the place of each `## base`.
pub(super) fn with_base(own: Vec<Note>, base: &[Note]) -> Vec<Note> {
    let lines = own.into_iter().map(|note| if note == "base" { base.to_vec() } else { vec![note] });
    lines.flatten().collect()
}

fn more_moves(group: &mut MovesDecl, more: MovesDecl) -> ExtendResult {
    let written =
        |moves: &MovesDecl| moves.params.iter().map(print_param).collect::<Vec<_>>().join(", ");
    if written(group) != written(&more) {
        let (parameters, earlier) = (written(group), group.name.span);
        let Name { text: name, span } = more.name;
        return Err(error::parameters(name, parameters, span, earlier));
    }
    group.options.extend(more.options);
    Ok(())
}

fn more_cases(rule: &mut RuleDecl, name: Name, more: Arms) -> ExtendResult {
    let earlier = rule.name.span;
    let mut cases = Vec::new();
    match &mut rule.body {
        RuleBody::Value(value) => cases.extend(value_cases(value)),
        RuleBody::Block(block) => outermost_cases(block, &mut cases),
    }
    if cases.len() > 1 {
        return Err(error::several_matches(name.text, cases.len(), name.span, earlier));
    }
    match (cases.pop(), more) {
        (Some(RuleCases::Values(arms)), Arms::Values(more)) => before_else(arms, more),
        (Some(RuleCases::Statements(arms)), Arms::Statements(more)) => before_else(arms, more),
        (Some(RuleCases::Statements(arms)), Arms::Values(more)) => {
            before_else(arms, more.into_iter().map(as_statement).collect());
        }
        (Some(RuleCases::Values(_)), Arms::Statements(_)) => {
            return Err(error::values_wanted(name.text, name.span, earlier));
        }
        (None, _) => return Err(no_match(&name, earlier)),
    }
    Ok(())
}

enum RuleCases<'a> {
    Statements(&'a mut Vec<Arm<Block>>),
    Values(&'a mut Vec<Arm<Expr>>),
}

fn value_cases(value: &mut Expr) -> Option<RuleCases<'_>> {
    match &mut value.kind {
        ExprKind::Match(_, arms) => Some(RuleCases::Values(arms)),
        _ => None,
    }
}

/// Each `match` of a block that stands in no other one: a statement, or a whole right side.
fn outermost_cases<'a>(block: &'a mut Block, found: &mut Vec<RuleCases<'a>>) {
    for stmt in &mut block.stmts {
        match &mut stmt.kind {
            StmtKind::Match { arms, .. } => found.push(RuleCases::Statements(arms)),
            StmtKind::Let { value, .. }
            | StmtKind::Var { value, .. }
            | StmtKind::Assign { value, .. }
            | StmtKind::Return(Some(value)) => found.extend(value_cases(value)),
            kind => blocks_in(kind).into_iter().for_each(|block| outermost_cases(block, found)),
        }
    }
}

/// The blocks right inside a statement.
pub(super) fn blocks_in(kind: &mut StmtKind) -> Vec<&mut Block> {
    match kind {
        StmtKind::If { then, otherwise, .. } => std::iter::once(then).chain(otherwise).collect(),
        StmtKind::Match { arms, .. } => arms.iter_mut().map(|arm| &mut arm.body).collect(),
        StmtKind::For { body, .. }
        | StmtKind::Repeat { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::Turns { body, .. } => vec![body],
        StmtKind::Choose(choose) => {
            let options = choose.options.iter_mut().filter_map(|line| match line {
                MoveLine::Option(option) => Some(&mut option.body),
                MoveLine::Group(_) => None,
            });
            let decline = choose.decline.iter_mut().map(|decline| &mut decline.body);
            options.chain(decline).chain(&mut choose.otherwise).collect()
        }
        _ => Vec::new(),
    }
}

/// `else` stays the last.
fn before_else<T>(arms: &mut Vec<Arm<T>>, more: Vec<Arm<T>>) {
    let last = arms.last().is_some_and(|arm| arm.patterns.is_empty());
    let at = arms.len() - usize::from(last);
    arms.splice(at..at, more);
}

/// A case that reads like a value, `freeze: chill(p)`, as one that does something.
fn as_statement(arm: Arm<Expr>) -> Arm<Block> {
    let span = arm.body.span;
    let stmts = vec![Stmt { notes: Vec::new(), kind: StmtKind::Call(arm.body), span }];
    Arm { patterns: arm.patterns, body: Block { stmts, span }, span: arm.span }
}

// What is done before or after.

/// Does more before or after what a rule or a phase does.
fn wrap_body(
    items: &mut Vec<Item>,
    at: usize,
    name: Name,
    is_before: bool,
    body: Block,
) -> ExtendResult {
    let rule = match &mut items[at].kind {
        ItemKind::Flow(flow) => {
            join_blocks(&mut flow.body, body, is_before);
            return Ok(());
        }
        ItemKind::Rule(rule) => rule,
        _ => unreachable!("only rules and phases are looked for"),
    };
    let RuleBody::Block(block) = &mut rule.body else {
        return Err(error::around_a_value(name.text, name.span, rule.name.span));
    };
    // What the first block declares at its end would be known in all of the second one, and mean something else there.
    let (first, second) = if is_before { (&body, &*block) } else { (&*block, &body) };
    let shares_names = local_names(first).any(|name| mentions(second, name));
    if !shares_names && (is_before || rule.returns.is_none() && !has_return(block)) {
        join_blocks(block, body, is_before);
        return Ok(());
    }
    // It may end in the middle, or a name means something else in each: so it is called.
    let block = Block { span: body.span, stmts: call_base(rule, body.stmts, is_before, name.span) };
    let below = keep_below(items, at);
    let ItemKind::Rule(rule) = &mut items[at].kind else { unreachable!("it is a rule") };
    // The checker knows rules by their places, and the base keeps its own.
    (rule.base, rule.name.span) = (Some(below), name.span);
    rule.body = RuleBody::Block(block);
    Ok(())
}

/// Statements before or after a call of a rule as its base, whose value they give back.
fn call_base(rule: &RuleDecl, mut stmts: Vec<Stmt>, is_before: bool, span: Span) -> Vec<Stmt> {
    let named = |text: &str| Name { text: text.to_owned(), span };
    let expr = |kind| Expr { kind, span };
    let stmt = |kind| Stmt { notes: Vec::new(), kind, span };
    let params = rule.params.iter().map(|param| expr(ExprKind::Name(named(&param.name.text))));
    let call = expr(ExprKind::Call(named("base"), params.collect()));
    match (&rule.returns, is_before) {
        (None, true) => stmts.push(stmt(StmtKind::Call(call))),
        (None, false) => stmts.insert(0, stmt(StmtKind::Call(call))),
        (Some(_), true) => stmts.push(stmt(StmtKind::Return(Some(call)))),
        (Some(_), false) => {
            let value = named("value of the base");
            let result = expr(ExprKind::Name(value.clone()));
            stmts.insert(0, stmt(StmtKind::Let { name: value, value: call }));
            stmts.push(stmt(StmtKind::Return(Some(result))));
        }
    }
    stmts
}

/// Whether a name stands anywhere in a block, to declare or to read something.
fn mentions(block: &Block, name: &str) -> bool {
    // Every name in the tree shows itself so, wherever it stands; a text that looks like one has escaped quotes.
    format!("{block:?}").contains(&format!("Name {{ text: {name:?}"))
}

/// The names that a block gives to values of its own, those of inner blocks aside.
fn local_names(block: &Block) -> impl Iterator<Item = &str> {
    block.stmts.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Let { name, .. } | StmtKind::Var { name, .. } => Some(name.text.as_str()),
        _ => None,
    })
}

fn join_blocks(block: &mut Block, more: Block, is_before: bool) {
    let at = if is_before { 0 } else { block.stmts.len() };
    block.stmts.splice(at..at, more.stmts);
}

fn has_return(block: &mut Block) -> bool {
    block.stmts.iter_mut().any(|stmt| {
        matches!(stmt.kind, StmtKind::Return(_))
            || blocks_in(&mut stmt.kind).into_iter().any(has_return)
    })
}

/// Replaces the first `base()` of a block by the statements of the base; false if there is none. A second one would
/// double them with each variant of a variant.
pub(super) fn splice_base(block: &mut Block, base: &Block) -> bool {
    for at in 0..block.stmts.len() {
        if is_base(&block.stmts[at]) {
            block.stmts.splice(at..=at, base.stmts.iter().cloned());
            return true;
        }
        let mut inner = blocks_in(&mut block.stmts[at].kind).into_iter();
        if inner.any(|inner| splice_base(inner, base)) {
            return true;
        }
    }
    false
}

fn is_base(stmt: &Stmt) -> bool {
    let StmtKind::Call(Expr { kind: ExprKind::Call(name, args), .. }) = &stmt.kind else {
        return false;
    };
    name.text == "base" && args.is_empty()
}

// Decisions.

/// Changes the decision of a rule or phase, or the one with this label or question; returns the position of its
/// declaration.
pub(super) fn change_choice(
    items: &mut [Item],
    name: &Name,
    change: &mut dyn FnMut(&mut Choose),
) -> Result<usize, Diagnostic> {
    let is_called = |it: &Item| match item_head(&it.kind) {
        ("rule", Some(rule)) => rule.text == name.text,
        (word @ ("setup" | "play"), None) => word == name.text,
        _ => false,
    };
    let called = items.iter().position(is_called).map(|at| deciding(items, at));
    let is_meant = |at: usize, choose: &Choose, depth: usize| match called {
        Some(called) => called == at && depth == 0,
        None => {
            let mut texts = choose.label.iter().chain(&choose.prompt).filter_map(plain_text);
            texts.any(|text| text == name.text)
        }
    };
    let (mut meant, mut texts) = (Vec::new(), Vec::new());
    each_choice(items, &mut |at, choose, depth| {
        let text = choose.label.iter().chain(&choose.prompt).find_map(plain_text);
        if is_meant(at, choose, depth) {
            meant.push(at);
            texts.extend(text.map(|text| format!("`extend choose \"{text}\" {{ … }}`")));
        }
    });
    match (meant.as_slice(), called) {
        ([at], _) => {
            each_choice(items, &mut |at, choose, depth| {
                if is_meant(at, choose, depth) {
                    change(choose);
                }
            });
            Ok(*at)
        }
        ([], Some(called)) => {
            Err(error::no_choice(name.text.clone(), name.span, items[called].span))
        }
        ([], None) => Err(unknown_target("choose", name, items)),
        (several, _) => {
            let help = match texts.as_slice() {
                [] => "give each a name, `choose \"first\" me { … }`".to_owned(),
                texts => format!("say which one: {}", texts.join(" or ")),
            };
            Err(error::several_choices(name.text.clone(), several.len(), help, name.span))
        }
    }
}

/// The rule in the place of one, or else one below it that this calls as its base, which makes a decision.
fn deciding(items: &mut [Item], rule: usize) -> usize {
    let mut at = rule;
    loop {
        let mut decides = false;
        each_choice(&mut items[at..=at], &mut |_, _, depth| decides |= depth == 0);
        let below = match &items[at].kind {
            ItemKind::Rule(RuleDecl { base: Some(below), .. }) if !decides => {
                find_rule(items, below)
            }
            _ => None,
        };
        match below {
            Some(below) => at = below,
            None if decides => return at,
            None => return rule,
        }
    }
}

/// Shows each decision, with the number of its declaration, and how many decisions it stands in.
fn each_choice(items: &mut [Item], see: &mut dyn FnMut(usize, &mut Choose, usize)) {
    fn visit_choices(block: &mut Block, depth: usize, see: &mut dyn FnMut(&mut Choose, usize)) {
        for stmt in &mut block.stmts {
            let mut inner = depth;
            if let StmtKind::Choose(choose) = &mut stmt.kind {
                see(choose, depth);
                inner += 1;
            }
            blocks_in(&mut stmt.kind)
                .into_iter()
                .for_each(|block| visit_choices(block, inner, see));
        }
    }
    for (at, item) in items.iter_mut().enumerate() {
        if let ItemKind::Rule(RuleDecl { body: RuleBody::Block(block), .. })
        | ItemKind::Flow(FlowDecl { body: block, .. }) = &mut item.kind
        {
            visit_choices(block, 0, &mut |choose, depth| see(at, choose, depth));
        }
    }
}

// Data.

fn more_rows(table: &mut TableDecl, name: Name, more: TableBody) -> ExtendResult {
    match (&mut table.body, more) {
        (TableBody::Row(cells), TableBody::Row(more)) => cells.extend(more),
        (TableBody::Drawn(drawn), TableBody::Drawn(more)) => return more_drawn(drawn, name, more),
        (TableBody::Formula(_), _) => {
            return Err(error::computed_cells(name.text, name.span, table.name.span));
        }
        _ => return Err(error::drawn_otherwise(name.text, name.span, table.name.span)),
    }
    Ok(())
}

/// More rows, whose columns may stand in another order.
pub(super) fn more_drawn(drawn: &mut Drawn, name: Name, more: Drawn) -> ExtendResult {
    let label = |of: &Drawn, at: usize| of.heads[at].label.kind.clone();
    let place =
        |head: usize| (0..more.heads.len()).find(|at| label(&more, *at) == label(drawn, head));
    let places: Option<Vec<usize>> = (0..drawn.heads.len()).map(place).collect();
    let Some(places) = places.filter(|places| places.len() == more.heads.len()) else {
        let span = more.heads.first().map_or(name.span, |head| head.span);
        return Err(error::drawn_otherwise(name.text, span, name.span));
    };
    for mut row in more.rows {
        if row.cells.len() == places.len() {
            row.cells = places.iter().map(|at| row.cells[*at].clone()).collect();
        }
        drawn.rows.push(row);
    }
    Ok(())
}

/// Where a cell of a table over one type lies.
fn place_in_row(items: &[Item], at: usize, indices: &[Cell]) -> Option<usize> {
    let ItemKind::Table(TableDecl { dims, body: TableBody::Row(_), .. }) = &items[at].kind else {
        return None;
    };
    let ([dim], [index]) = (dims.as_slice(), indices) else { return None };
    match (&dim.ty.kind, &index.kind) {
        (TypeKind::Range(low, _), CellKind::Number(number)) => match low.kind {
            ExprKind::Number(low) => usize::try_from(number - low).ok(),
            _ => None,
        },
        (TypeKind::Kind(kind), CellKind::Name(name)) => {
            let kinds = items.iter().filter(|it| match &it.kind {
                ItemKind::Kind(it) | ItemKind::Extend(it) => it.name.text == kind.text,
                _ => false,
            });
            kinds.flat_map(|it| declared_members(&it.kind)).position(|(member, ..)| member == name)
        }
        _ => None,
    }
}

fn replace_cells(
    table: &mut TableDecl,
    name: Name,
    indices: &[Cell],
    row: Option<usize>,
    new: &[Cell],
) -> ExtendResult {
    let known = match &mut table.body {
        TableBody::Row(cells) => row.and_then(|at| cells.get_mut(at..=at)).ok_or(0),
        TableBody::Drawn(Drawn { heads, rows, .. }) => {
            let row = rows.iter_mut().find(|row| row.label.kind == indices[0].kind).ok_or(0);
            row.and_then(|row| match indices {
                [_] => Ok(row.cells.as_mut_slice()),
                [_, column] => {
                    let at = heads.iter().position(|head| head.label.kind == column.kind);
                    at.and_then(|at| row.cells.get_mut(at..=at)).ok_or(1)
                }
                _ => Err(2),
            })
        }
        TableBody::Formula(_) => {
            return Err(error::computed_cells(name.text, indices[0].span, table.name.span));
        }
    };
    let span = |at: usize| indices[at].span;
    match known {
        Ok(known) if known.len() == new.len() => known.clone_from_slice(new),
        Ok(known) => {
            let (wanted, given) = (known.len(), new.len());
            let earlier = table.name.span;
            let name = name.text;
            return Err(error::OtherLength { name, wanted, given, span: span(0), earlier }.into());
        }
        Err(at) => return Err(error::no_such_cell(name.text, span(at), table.name.span)),
    }
    Ok(())
}

/// More members of a set: in its braces if it has some.
fn more_members(value: &mut Expr, more: Vec<Expr>) {
    if let ExprKind::Set(members) = &mut value.kind {
        return members.extend(more);
    }
    let span = value.span;
    let all = Box::new(std::mem::replace(value, Expr { kind: ExprKind::None, span }));
    let more = Box::new(Expr { kind: ExprKind::Set(more), span });
    value.kind = ExprKind::Binary(BinaryOp::Union, all, more);
}

fn unknown_target(word: &str, name: &Name, items: &[Item]) -> Diagnostic {
    let asks = |rule: &RuleDecl| {
        let RuleBody::Block(mut block) = rule.body.clone() else { return false };
        block.stmts.iter_mut().any(|stmt| matches!(stmt.kind, StmtKind::Choose(_)))
    };
    let decides = items.iter().any(|it| match &it.kind {
        ItemKind::Rule(rule) => rule.name.text == name.text && asks(rule),
        _ => false,
    });
    let help: Help = if decides {
        format!("`{0}` is a rule that decides: write `extend choose {0} {{ … }}`", name.text).into()
    } else {
        let sought = if word == "choose" { "rule" } else { word };
        let known =
            items.iter().map(|it| item_head(&it.kind)).filter(|(known, _)| *known == sought);
        let near = nearest(&name.text, known.filter_map(|(_, it)| it).map(|it| it.text.as_str()));
        near.map_or_else(
            || match word {
                "choose" => {
                    "name the rule that decides, or what it asks: `extend choose take_turn { … }`"
                        .into()
                }
                _ => format!("leave out `extend` and write `{word} {} …` if it is new", name.text)
                    .into(),
            },
            Help::did_you_mean,
        )
    };
    error::nothing_to_extend(format!("`{word} {}`", name.text), help, name.span)
}

fn no_match(name: &Name, earlier: Span) -> Diagnostic {
    error::no_match(name.text.clone(), name.span, earlier)
}
