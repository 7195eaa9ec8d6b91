//! Variants of a game that say what was changed in its text: they must play like the changed text.

use std::collections::{BTreeMap, BTreeSet};

use astragal::machinery::source::Span;
use astragal::machinery::syntax::ast::{
    Block, CellKind, Choose, ExprKind, Item, ItemKind, KindBody, KindDecl, MoveLine, Name, Owner,
    Param, Phase, RuleBody, StmtKind, TableBody,
};

use super::dice::Dice;
use super::draft::{Draft, Edit, Seed, insert, open, replace};
use super::made::{Mutant, changed_more};
use super::outline::{Binding, Outline, Scope};

/// How many small changes are tried before a variant counts as not made.
const PICKS: usize = 12;

/// The variant of a number: what the changes of a text replace, add and remove, or a few extensions; half of the
/// variants are then changed themselves.
pub fn variant(number: u64, seeds: &[Seed]) -> Option<Mutant> {
    let mut dice = Dice::new(number);
    let base = dice.pick(seeds)?;
    let file = base.name.rsplit('/').next()?;
    let draft = open(base, base.text.clone())?;
    draft.ast.items.iter().any(|it| matches!(it.kind, ItemKind::Game(_))).then_some(())?;
    let (text, overlay) = match dice.once_in(2) {
        true => extended(&draft, &mut dice)?,
        false => {
            let changed = changed_more(number, open(base, base.text.clone())?, &mut dice).draft;
            let overlay = difference(&draft, &changed)?;
            (changed.text, overlay)
        }
    };
    let overlay = format!("variant \"Changed\" of \"{file}\"\n\n{overlay}");
    // A file of its own, beside that of its base.
    let name = base.name.replace(".game", ".changed.game");
    let variant = open(&Seed { name, ..base.clone() }, overlay.clone())?;
    if dice.once_in(2) {
        return Some(changed_more(number, variant, &mut dice));
    }
    let edits = vec![Edit { range: 0..text.len(), text: overlay }];
    let before = vec![(text, edits)];
    Some(Mutant { number, before, draft: variant, changes: Vec::new(), refused: Vec::new() })
}

/// The declarations that make the one text the other; nothing where a variant can't say it.
fn difference(from: &Draft, to: &Draft) -> Option<String> {
    let (old, new) = (declarations(from), declarations(to));
    let mut overlay = String::new();
    for (key, (text, _)) in &old {
        if !new.contains_key(key) {
            let (owner, name) = key;
            // What is known by its text alone is said again.
            let removed = match (*owner, name.as_str()) {
                ("always", _) => text.clone(),
                (word @ ("each player has" | "the table has"), name) => {
                    format!("{word} {{ {name} }}")
                }
                ("use" | "strategy" | "extend" | "game", _) => return None,
                (word, name) => format!("{word} {name}"),
            };
            overlay += &format!("remove {removed}\n");
        }
    }
    // Declarations keep their order: those that are new come last in both.
    let mut ordered: Vec<_> = new.iter().collect();
    ordered.sort_by_key(|(_, (_, at))| *at);
    for ((word, name), (text, _)) in ordered {
        let text = match *word {
            "each player has" | "the table has" => format!("{word} {{ {text} }}"),
            _ => text.clone(),
        };
        match old.get(&(*word, name.clone())) {
            Some((same, _)) if *same == new[&(*word, name.clone())].0 => {}
            Some(_) if matches!(*word, "strategy" | "option") => return None,
            Some(_) => overlay += &format!("replace {text}\n"),
            None if matches!(*word, "use" | "strategy" | "extend") => return None,
            None => overlay += &format!("{text}\n"),
        }
    }
    // Such a text would take out again what it puts in.
    let bare = |text: &str| text.replace(|it: char| it.is_whitespace() || "()".contains(it), "");
    let put: BTreeSet<_> =
        new.keys().filter(|it| !old.contains_key(it)).map(|it| bare(&it.1)).collect();
    let is_same = old
        .keys()
        .any(|it| it.0 == "always" && !new.contains_key(it) && put.contains(&bare(&it.1)));
    (!overlay.is_empty() && !is_same).then_some(overlay)
}

type Key = (&'static str, String);

/// The declarations of a text by what they are called, with their places; variables one by one.
fn declarations(draft: &Draft) -> BTreeMap<Key, (String, usize)> {
    let mut found = BTreeMap::new();
    for item in &draft.ast.items {
        let text = draft.slice(item.span).to_owned();
        let mut add = |word, name: &str, text: String, span: Span| {
            found.insert((word, name.to_owned()), (text, span.start as usize));
        };
        let mut named = |word, name: &Name| add(word, &name.text, text.clone(), item.span);
        match &item.kind {
            ItemKind::Option(it) => named("option", &it.name),
            ItemKind::Let(it) => named("let", &it.name),
            ItemKind::Kind(it) => named("kind", &it.name),
            ItemKind::Cards(it) => named("cards", &it.name),
            ItemKind::Board(it) => named("board", &it.name),
            ItemKind::Table(it) => named("table", &it.name),
            ItemKind::Rule(it) => named("rule", &it.name),
            ItemKind::Moves(it) => named("moves", &it.name),
            ItemKind::Measure(it) => named("measure", &it.name),
            ItemKind::Has(has) => {
                let word = match has.owner {
                    Owner::Player => "each player has",
                    Owner::Table => "the table has",
                };
                for var in &has.vars {
                    add(word, &var.name.text, draft.slice(var.span).to_owned(), var.span);
                }
            }
            ItemKind::Game(_) => add("game", "", text, item.span),
            ItemKind::Flow(flow) => {
                let word = if flow.phase == Phase::Setup { "setup" } else { "play" };
                add(word, "", text, item.span);
            }
            // These are known by their text alone.
            ItemKind::Always(_) => add("always", &text.clone(), text, item.span),
            ItemKind::Use(_) => add("use", &text.clone(), text, item.span),
            ItemKind::Strategy(_) => add("strategy", &text.clone(), text, item.span),
            _ => add("extend", &text.clone(), text, item.span),
        }
    }
    found
}

/// A text with a few additions, and the variant that makes them.
fn extended(draft: &Draft, dice: &mut Dice) -> Option<(String, String)> {
    let outline = Outline::of(&draft.ast);
    let wanted = 1 + dice.below(3);
    let (mut edits, mut overlay, mut touched) = (Vec::new(), String::new(), BTreeSet::new());
    for _ in 0..PICKS {
        let at = dice.below(draft.ast.items.len());
        if touched.contains(&at) {
            continue;
        }
        let item = &draft.ast.items[at];
        let Some((edit, words)) = addition(draft, &outline, item, dice) else { continue };
        touched.insert(at);
        edits.push(edit);
        overlay += &words;
        if touched.len() == wanted {
            break;
        }
    }
    let text = draft.edited(&edits).filter(|it| *it != draft.text)?;
    open(&draft.seed, text.clone())?;
    Some((text, overlay))
}

/// One change of a declaration in its text, and how a variant says it.
fn addition(
    draft: &Draft,
    outline: &Outline,
    item: &Item,
    dice: &mut Dice,
) -> Option<(Edit, String)> {
    let page = Additions { draft, outline };
    match &item.kind {
        ItemKind::Rule(rule) => match &rule.body {
            RuleBody::Block(block) if dice.once_in(2) => page
                .option(&rule.name.text, item, dice)
                .or_else(|| page.around(("rule", &rule.name.text), &rule.params, block, dice)),
            RuleBody::Block(block) => {
                page.around(("rule", &rule.name.text), &rule.params, block, dice)
            }
            RuleBody::Value(_) => page.case(&rule.name, item, dice),
        },
        ItemKind::Flow(flow) => {
            let name = if flow.phase == Phase::Setup { "setup" } else { "play" };
            match dice.once_in(3) {
                true => page.around(("", name), &[], &flow.body, dice),
                false => page.option(name, item, dice),
            }
        }
        ItemKind::Moves(moves) => {
            let params: Vec<_> =
                moves.params.iter().map(|it| draft.slice(it.name.span.to(it.ty.span))).collect();
            let head = format!("extend moves {}({})", moves.name.text, params.join(", "));
            page.line(&moves.options, &head, dice)
        }
        ItemKind::Kind(kind) => {
            let KindBody::Members(members) = &kind.body else { return None };
            let (last, name) = (members.last()?, draft.fresh("more"));
            let end = last.title.as_ref().map_or(last.name.span, |it| it.span).end as usize;
            let words = format!("extend kind {} {{ {name} }}\n", kind.name.text);
            Some((insert(end, format!(", {name}")), words))
        }
        ItemKind::Let(constant) => {
            let ExprKind::Set(members) = &constant.value.kind else { return None };
            let numbers = members.iter().all(|it| matches!(it.kind, ExprKind::Number(_)));
            let end = members.last().filter(|_| numbers)?.span.end as usize;
            let number = dice.below(12);
            let words = format!("extend let {} {{ {number} }}\n", constant.name.text);
            Some((insert(end, format!(", {number}")), words))
        }
        ItemKind::Table(table) => {
            let (TableBody::Row(cells), [dim]) = (&table.body, &table.dims[..]) else {
                return None;
            };
            let at = dice.below(cells.len());
            let number = draft.slice(cells[at].span).parse::<i64>().ok()?;
            let key = page.key(draft.slice(dim.ty.span), at)?;
            let other = number + 1 + i64::try_from(dice.below(3)).ok()?;
            let words = format!("replace table {}[{key}] = {other}\n", table.name.text);
            Some((replace(cells[at].span, other.to_string()), words))
        }
        ItemKind::Measure(measure) if dice.once_in(2) => {
            Some((replace(item.span, ""), format!("remove measure {}\n", measure.name.text)))
        }
        ItemKind::Always(_) if dice.once_in(2) => {
            Some((replace(item.span, ""), format!("remove {}\n", draft.slice(item.span))))
        }
        _ => None,
    }
}

struct Additions<'a> {
    draft: &'a Draft,
    outline: &'a Outline<'a>,
}

impl Additions<'_> {
    /// A statement of the file before or after all others of a rule or a phase.
    fn around(
        &self,
        (word, name): (&str, &str),
        params: &[Param],
        block: &Block,
        dice: &mut Dice,
    ) -> Option<(Edit, String)> {
        let scope: Vec<_> = params
            .iter()
            .map(|it| Binding { name: it.name.text.clone(), declared: it.name.span })
            .collect();
        let stmt = dice.pick(&self.outline.stmts)?.stmt;
        if matches!(stmt.kind, StmtKind::Turns { .. } | StmtKind::Return(_)) {
            return None;
        }
        let text = self.draft.adapted(self.outline, stmt.span, &Scope::new(scope), dice)?;
        // What returns in the middle is followed all the same.
        let returns = self.draft.slice(block.span).contains("return");
        let before = returns || dice.once_in(2);
        let place = if before { "before" } else { "after" };
        let edit = match before {
            true => insert(block.span.start as usize + 1, format!("\n{text}\n")),
            false => insert(block.span.end as usize - 1, format!("\n{text}\n")),
        };
        Some((edit, format!("extend {word} {name} {place} {{\n{text}\n}}\n")))
    }

    /// One more move of the decision that an item makes.
    fn option(&self, name: &str, item: &Item, dice: &mut Dice) -> Option<(Edit, String)> {
        let inside = |span: Span| item.span.start <= span.start && span.end <= item.span.end;
        let decisions: Vec<&Choose> = self
            .outline
            .stmts
            .iter()
            .filter(|it| inside(it.stmt.span))
            .filter_map(|it| match &it.stmt.kind {
                StmtKind::Choose(choose) => Some(choose.as_ref()),
                _ => None,
            })
            .collect();
        let [choose] = decisions[..] else { return None };
        self.line(&choose.options, &format!("extend choose {name}"), dice)
    }

    /// A copy of a move of the file as the last of a decision or a group.
    fn line(&self, lines: &[MoveLine], head: &str, dice: &mut Dice) -> Option<(Edit, String)> {
        let last = lines.last()?.span();
        let at = self
            .outline
            .decisions
            .iter()
            .position(|it| it.last().map(MoveLine::span) == Some(last))?;
        let scope = &self.outline.options.iter().find(|it| it.decision == at)?.before;
        let decision = *dice.pick(&self.outline.decisions)?;
        let MoveLine::Option(option) = dice.pick(decision)? else { return None };
        let text = self.draft.adapted(self.outline, option.span, scope, dice)?;
        let name = self.draft.fresh("more");
        let text = format!("{name}{}", text.strip_prefix(&option.name.text)?);
        Some((insert(last.end as usize, format!("\n{text}")), format!("{head} {{\n{text}\n}}\n")))
    }

    /// A case of a rule that is a `match`, for a member that has none.
    fn case(&self, name: &Name, item: &Item, dice: &mut Dice) -> Option<(Edit, String)> {
        let ItemKind::Rule(rule) = &item.kind else { return None };
        let RuleBody::Value(value) = &rule.body else { return None };
        let ExprKind::Match(_, arms) = &value.kind else { return None };
        let otherwise = arms.last().filter(|it| it.patterns.is_empty())?;
        let known: Vec<_> = arms.iter().map(|it| self.draft.slice(it.span)).collect();
        let is_known = |name: &&str| known.iter().any(|case| case.contains(name));
        let kinds = self.draft.ast.items.iter().filter_map(|it| match &it.kind {
            ItemKind::Kind(kind) => Some(members(kind)),
            _ => None,
        });
        let mut kinds = kinds.filter(|it| it.iter().any(is_known));
        let names: Vec<_> = kinds.next()?.into_iter().filter(|it| !is_known(it)).collect();
        let case =
            format!("{}: {}", dice.pick(&names)?, self.draft.slice(dice.pick(arms)?.body.span));
        let edit = insert(otherwise.span.start as usize, format!("{case}\n"));
        Some((edit, format!("extend rule {} {{\n{case}\n}}\n", name.text)))
    }

    /// What a place in a table over one type is called.
    fn key(&self, ty: &str, at: usize) -> Option<String> {
        if let Some((low, _)) = ty.split_once("..") {
            return Some((low.trim().parse::<usize>().ok()? + at).to_string());
        }
        let of_kind = self.draft.ast.items.iter().find_map(|it| match &it.kind {
            ItemKind::Kind(kind) if kind.name.text == ty => Some(members(kind)),
            _ => None,
        });
        Some((*of_kind?.get(at)?).to_owned())
    }
}

/// The names of the members of a kind that lists them.
fn members(kind: &KindDecl) -> Vec<&str> {
    match &kind.body {
        KindBody::Members(members) => members.iter().map(|it| it.name.text.as_str()).collect(),
        KindBody::Drawn(drawn) => {
            let labels = drawn.rows.iter().map(|row| match &row.label.kind {
                CellKind::Name(name) => name.as_str(),
                _ => "",
            });
            labels.filter(|it| !it.is_empty()).collect()
        }
        KindBody::Product(_) => Vec::new(),
    }
}
