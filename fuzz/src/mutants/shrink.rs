//! Makes a file smaller as long as it is wrong in the same way.

use std::ops::Range;

use astragal::machinery::source::Span;
use astragal::machinery::syntax::ast::{Arm, ExprKind, ItemKind, KindBody, MoveLine, StmtKind};

use super::draft::{Draft, Edit, Seed, apply, open, range};
use super::outline::Outline;

/// How many smaller files are tried.
const TRIES: usize = 4000;

/// A smaller text for which something holds, that may look at the text after some edits, too: these
/// stay.
pub fn shrunk(
    seed: &Seed,
    text: &str,
    edits: &[Edit],
    holds: &mut dyn FnMut(&Draft, &[Edit]) -> bool,
) -> (String, Vec<Edit>) {
    let (mut text, mut edits) = (text.to_owned(), edits.to_vec());
    let mut left = TRIES;
    loop {
        let before = text.clone();
        let mut at = 0;
        // Of the parts of a text the largest come first; after a success those behind go on.
        while left > 0 {
            let Some(draft) = open(seed, text.clone()) else { return (text, edits) };
            let cuts = cuts(&draft);
            let Some(cut) = cuts.get(at) else { break };
            at += 1;
            if cut.text.len() >= cut.range.len() {
                continue;
            }
            let Some(kept) = moved(&edits, cut) else { continue };
            left -= 1;
            let Some(smaller) = apply(&text, std::slice::from_ref(cut)) else { continue };
            if open(seed, smaller.clone()).is_some_and(|it| holds(&it, &kept)) {
                (text, edits) = (smaller, kept);
                at -= 1;
            }
        }
        if text == before || left == 0 {
            return (text, edits);
        }
    }
}

/// Where edits are after a cut; nothing where it goes through one of them.
fn moved(edits: &[Edit], cut: &Edit) -> Option<Vec<Edit>> {
    let less = cut.range.len() - cut.text.len();
    let moved = edits.iter().map(|edit| {
        if edit.range.end <= cut.range.start {
            Some(edit.clone())
        } else if edit.range.start >= cut.range.end {
            let range = edit.range.start - less..edit.range.end - less;
            Some(Edit { range, text: edit.text.clone() })
        } else {
            None
        }
    });
    moved.collect()
}

/// The ways to make a text smaller, the largest first.
fn cuts(draft: &Draft) -> Vec<Edit> {
    let mut cuts = Vec::new();
    let mut drop = |range: Range<usize>, text: &str| {
        cuts.push(Edit { range, text: text.to_owned() });
    };
    comments(&draft.text).into_iter().for_each(|it| drop(it, ""));
    let outline = Outline::of(&draft.ast);
    for item in &draft.ast.items {
        drop(range(item.span), "");
        parts(&item.kind, &mut drop);
    }
    for site in &outline.stmts {
        let span = site.stmt.span;
        let braced = draft.slice(outline.blocks[site.block].span).starts_with('{');
        drop(range(span), if braced { "" } else { "{ }" });
        for block in blocks(&site.stmt.kind) {
            drop(range(span), inner(draft.slice(block)));
        }
        match &site.stmt.kind {
            StmtKind::If { then, otherwise: Some(otherwise), .. } => {
                drop(then.span.end as usize..otherwise.span.end as usize, "");
            }
            StmtKind::Match { arms, .. } => arms.iter().for_each(|it| drop(range(it.span), "")),
            StmtKind::Choose(choose) => {
                let ends = [choose.decline.as_ref().map(|it| it.span)];
                ends.into_iter().flatten().for_each(|it| drop(range(it), ""));
                if let Some(block) = &choose.otherwise {
                    let before = draft.text[..block.span.start as usize].trim_end();
                    if before.ends_with("else") {
                        drop(before.len() - 4..block.span.end as usize, "");
                    }
                }
                choose.prompt.iter().for_each(|it| drop(range(it.span), ""));
            }
            _ => {}
        }
    }
    for line in outline.decisions.iter().flat_map(|it| it.iter()) {
        drop(range(line.span()), "");
        if let MoveLine::Option(option) = line {
            option.template.iter().for_each(|it| drop(range(it.span), ""));
        }
    }
    for site in &outline.clauses {
        use astragal::machinery::syntax::ast::ClauseKind::{For, Let, Maybe, When};
        let (from, to) = match &site.clause.kind {
            For(binder) | Maybe(binder) => {
                let end = binder.condition.as_ref().map_or(binder.set.span, |it| it.span);
                (binder.name.span, end)
            }
            Let(name, value) => (name.span, value.span),
            When(condition) => (condition.span, condition.span),
        };
        let before = draft.text[..from.start as usize].trim_end();
        let word = ["for", "maybe", "let", "when"].into_iter().find(|it| before.ends_with(it));
        if let Some(word) = word {
            drop(before.len() - word.len()..to.end as usize, "");
        }
    }
    for site in &outline.binders {
        if let Some(condition) = &site.binder.condition {
            drop(site.binder.set.span.end as usize..condition.span.end as usize, "");
        }
    }
    for site in &outline.exprs {
        let span = range(site.expr.span);
        children(&site.expr.kind).into_iter().for_each(|it| drop(span.clone(), draft.slice(it)));
        for constant in ["0", "1", "no", "yes", "{}", "none", "me", "Player.first"] {
            if constant.len() < span.len() {
                drop(span.clone(), constant);
            }
        }
        if let ExprKind::Number(number) = site.expr.kind
            && number > 9
        {
            drop(span, &(number / 2).to_string()[..]);
        }
    }
    cuts.sort_by_key(|it| std::cmp::Reverse(it.range.len() - it.text.len().min(it.range.len())));
    cuts
}

/// What an expression may be replaced by: its parts.
fn children(kind: &ExprKind) -> Vec<Span> {
    match kind {
        ExprKind::Binary(_, a, b) => vec![a.span, b.span],
        ExprKind::If(_, a, b) => vec![a.span, b.span],
        ExprKind::Unary(_, a) | ExprKind::From(a, _) | ExprKind::Backwards(a) => vec![a.span],
        ExprKind::Filter(binder) => vec![binder.set.span],
        ExprKind::Suppose(_, a) => vec![a.span],
        ExprKind::Call(_, args) => args.iter().map(|it| it.span).collect(),
        ExprKind::Match(_, arms) => arms.iter().map(|it: &Arm<_>| it.body.span).collect(),
        _ => Vec::new(),
    }
}

fn blocks(kind: &StmtKind) -> Vec<Span> {
    match kind {
        StmtKind::If { then, otherwise, .. } => {
            let otherwise = otherwise.iter().map(|it| it.span);
            std::iter::once(then.span).chain(otherwise).collect()
        }
        StmtKind::Match { arms, .. } => arms.iter().map(|it| it.body.span).collect(),
        StmtKind::For { body, .. }
        | StmtKind::Repeat { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::Turns { body, .. } => vec![body.span],
        _ => Vec::new(),
    }
}

/// What stands in braces.
fn inner(text: &str) -> &str {
    text.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or(text)
}

/// Members, rows, variables and titles.
fn parts(item: &ItemKind, drop: &mut dyn FnMut(Range<usize>, &str)) {
    match item {
        ItemKind::Kind(kind) => match &kind.body {
            KindBody::Members(members) => {
                for pair in members.windows(2) {
                    drop(pair[0].name.span.end as usize..pair[1].name.span.end as usize, "");
                    drop(pair[0].name.span.start as usize..pair[1].name.span.start as usize, "");
                }
                // Many at once.
                for part in [2, 4, 8] {
                    let from = members.len() / part;
                    if let (Some(first), Some(last)) = (members.get(from), members.last()) {
                        drop(first.name.span.end as usize..last.name.span.end as usize, "");
                    }
                }
            }
            KindBody::Drawn(drawn) => {
                for part in [2, 4] {
                    let from = drawn.rows.len() / part;
                    if let (Some(first), Some(last)) = (drawn.rows.get(from), drawn.rows.last()) {
                        drop(first.span.start as usize..last.span.end as usize, "");
                    }
                }
                drawn.rows.iter().for_each(|row| drop(range(row.span), ""));
            }
            KindBody::Product(_) => {}
        },
        ItemKind::Has(has) => has.vars.iter().for_each(|var| drop(range(var.span), "")),
        ItemKind::Replace(inner) => parts(inner, drop),
        _ => {}
    }
}

/// Comments and notes with their lines, and blank lines.
fn comments(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        if words.is_empty() || words.starts_with('#') {
            found.push(at..at + line.len());
        }
        at += line.len();
    }
    found
}
