//! What rules and their locals are called at a table, where nobody knows the names of the file: `that card`,
//! `the price`, or what they stand for.

use std::collections::{BTreeMap, BTreeSet};

use crate::rulebook::english::{capitalised, embedded, lowered, plural};
use crate::rulebook::{Book, title_or_name};
use crate::rules::visit::visit_stmts;
use crate::rules::{
    Array, Clause, Expr, ExprKind, Kind, KindShape, Local, LocalId, MoveOption, PLAYER, Rule,
    Rules, Stmt, StmtKind, Type, Var, VarId,
};
use crate::syntax::ast::Owner;

/// What a local is called.
#[derive(Clone, Debug)]
pub(super) enum LocalWord<'a> {
    /// `that card`; what introduces it names it only where it has a word of its own, or there is another one.
    Called { name: String, own: bool },
    /// The note above its `let`.
    Noted(String),
    /// What the rule with this heading gives, which is followed for a yes or a no.
    Answer(String),
    /// The value of its `let`, which nothing changes while it is known.
    Equal(&'a Expr),
}

/// By the address of the rule, or of the locals of what stands in none.
pub(super) type LocalWords<'a> = BTreeMap<usize, Vec<LocalWord<'a>>>;

/// A longer value has a name.
const PARTS_OF_A_VALUE: usize = 16;

/// A longer note stands at its `let`.
const WORDS_OF_A_NOTE: usize = 14;

/// Names that only point at something.
const POINTING: [&str; 28] = [
    "them", "they", "their", "theirs", "mine", "yours", "whom", "whose", "that", "this", "what",
    "which", "those", "these", "some", "none", "item", "element", "value", "here", "there", "from",
    "into", "with", "over", "upon", "where", "both",
];

pub(super) fn rule_heading(book: &Book, rule: &Rule) -> String {
    if is_flow(book, rule) {
        return "The course of the game".to_owned();
    }
    capitalised(&title_or_name(&rule.title, &rule.name))
}

/// The words of a text, but for those of tables, each between spaces.
fn spoken(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('|'));
    let words = lines.flat_map(|line| line.split(|sign: char| !sign.is_alphanumeric()));
    let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

/// For each name, in which of some texts it stands, or several of what it names.
pub(super) fn places_of(book: &Book, names: &[String], texts: &[&str]) -> Vec<BTreeSet<usize>> {
    let mut forms: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        for form in [spoken(name), spoken(&plural(name))] {
            forms.entry(form).or_default().push(at);
        }
    }
    let longest = forms.keys().map(|form| form.split(' ').count()).max().unwrap_or_default();
    let mut places = vec![BTreeSet::new(); names.len()];
    for (at, text) in texts.iter().enumerate() {
        let text = spoken(text);
        book.budget.charge(longest * text.len());
        let spaces: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
        for (first, from) in spaces.iter().enumerate() {
            for to in spaces[first + 1..].iter().take(longest) {
                for name in forms.get(&text[*from..=*to]).into_iter().flatten() {
                    places[*name].insert(at);
                }
            }
        }
    }
    places
}

/// Whether a rule is `play` itself.
pub(super) fn is_flow(book: &Book, rule: &Rule) -> bool {
    rule.span == book.rules.rules[book.rules.play.index()].span
}

pub(super) fn address(rule: &Rule) -> usize {
    std::ptr::from_ref(rule).addr()
}

pub(super) fn name_locals<'a>(book: &Book<'a>) -> LocalWords<'a> {
    let rules = book.rules;
    let you = |rule: &Rule| book.whom_it_speaks_to(rule);
    let named = rules.rules.iter().map(|rule| {
        book.budget.turn_to(rule.span);
        let is_explained = rule.effects.is_pure();
        let mut words =
            name_by_noun(book, &rule.locals, is_explained, (you(rule), met_together(rule)));
        for (local, word) in meanings(book, rule) {
            words[local.index()] = word;
        }
        (address(rule), words)
    });
    let formulas =
        rules.tables.iter().filter_map(|table| table.formula.as_ref()).map(|it| (it, None));
    let firsts = rules.vars.iter().map(|var| (&var.init, owner_of(var)));
    let computed = formulas.chain(firsts).map(|(init, you)| {
        let mut met: BTreeSet<LocalId> = init.binders.iter().flatten().copied().collect();
        init.value.visit_tree(&mut |part| met.extend(named_in(part)));
        let words = name_by_noun(book, &init.locals, true, (you, vec![met]));
        (address_of_locals(&init.locals), words)
    });
    named.chain(computed).collect()
}

pub(super) fn address_of_locals(locals: &[Local]) -> usize {
    locals.as_ptr().addr()
}

/// Whose variable it is, where its first value names them.
pub(super) fn owner_of(var: &Var) -> Option<LocalId> {
    let you = var.init.binders.first().copied().flatten();
    you.filter(|_| var.owner == Owner::Player)
}

/// `that card`; where two things of a sort are met together, `the first card` and `the second card`.
fn name_by_noun<'a>(
    book: &Book,
    locals: &[Local],
    is_explained: bool,
    (you, all_met): (Option<LocalId>, Vec<BTreeSet<LocalId>>),
) -> Vec<LocalWord<'a>> {
    let nouns: Vec<String> = locals.iter().map(|it| noun_of(book, it, is_explained)).collect();
    // What stands in no rule is short: one and the other.
    let is_formula = all_met.len() == 1;
    let by_word: Vec<bool> = locals.iter().map(|it| has_own_word(it) || !is_written(it)).collect();
    let tells: Vec<bool> =
        locals.iter().map(|it| is_telling(&title_or_name("", &it.name))).collect();
    let (mut ranks, mut beside) = (vec![0; nouns.len()], BTreeSet::new());
    for mut met in all_met {
        book.budget.charge(met.len());
        you.iter().for_each(|you| {
            met.remove(you);
        });
        let mut taken: BTreeMap<&str, (Vec<usize>, BTreeSet<usize>)> = BTreeMap::new();
        for local in met.iter().filter(|local| !by_word[local.index()]) {
            let at = local.index();
            let (alike, ranks_taken) = taken.entry(&nouns[at]).or_default();
            alike.push(at);
            if !tells[at] && !ranks_taken.insert(ranks[at]) {
                ranks[at] = ranks_taken.last().map_or(0, |last| last + 1);
                ranks_taken.insert(ranks[at]);
            }
        }
        for (alike, ranks_taken) in taken.into_values().filter(|(alike, _)| alike.len() > 1) {
            // One without a name of its own beside those that have one needs no number.
            beside.extend(alike.into_iter().filter(|at| tells[*at] || ranks_taken.len() > 1));
        }
    }
    let name = |(at, local): (usize, &Local)| {
        let are_two =
            local.ty == Type::Kind(PLAYER) || is_formula && ranks.iter().all(|it| *it < 2);
        call_local(local, &nouns[at], beside.contains(&at).then_some(ranks[at]), are_two)
    };
    locals.iter().enumerate().map(name).collect()
}

/// Whether the file itself names a local, which else stands for each good of a bag.
fn is_written(local: &Local) -> bool {
    (local.span.end - local.span.start) as usize == local.name.len()
}

fn is_telling(word: &str) -> bool {
    word.len() > 3 && !POINTING.contains(&word)
}

/// Whether a local is called by its own name, if that is a word.
fn has_own_word(local: &Local) -> bool {
    let is_player = local.ty == Type::Kind(PLAYER);
    is_telling(&title_or_name("", &local.name)) && (is_number(local) || is_player || local.mutable)
}

fn call_local<'a>(local: &Local, noun: &str, rank: Option<usize>, are_two: bool) -> LocalWord<'a> {
    let word = title_or_name("", &local.name);
    let is_word = is_telling(&word);
    let (name, own) = match rank {
        _ if local.ty == Type::Bool => (word, true),
        _ if has_own_word(local) => (format!("the {word}"), true),
        None if matches!(local.ty, Type::Set(_) | Type::List(..)) => {
            (format!("those {noun}"), false)
        }
        None => (format!("that {noun}"), false),
        Some(_) if is_word => (format!("the {word}"), true),
        Some(0) if are_two => (format!("that {noun}"), false),
        Some(1) if are_two => (format!("the other {noun}"), true),
        Some(rank) => match ORDINALS.get(rank) {
            Some(ordinal) => (format!("the {ordinal} {noun}"), true),
            None => (format!("{noun} {}", rank + 1), true),
        },
    };
    LocalWord::Called { name, own }
}

const ORDINALS: [&str; 4] = ["first", "second", "third", "fourth"];

fn is_number(local: &Local) -> bool {
    let ty = if let Type::Maybe(inner) = &local.ty { inner } else { &local.ty };
    *ty == Type::Number
}

/// What a local is; where no move shows it, a face that is called as its cards are is a kind of them.
fn noun_of(book: &Book, local: &Local, is_explained: bool) -> String {
    let of_cards = |kind: &Kind| matches!(kind.shape, KindShape::Cards(_));
    let sort_of = |ty: &Type| match (book.noun_of_type(ty), ty) {
        (noun, Type::Kind(kind))
            if is_explained && noun == "card" && !of_cards(book.lookup_kind(*kind)) =>
        {
            format!("kind of {noun}")
        }
        (noun, _) => noun,
    };
    match &local.ty {
        Type::Maybe(inner) => sort_of(inner),
        Type::Set(domain) | Type::List(domain, _) => book.nouns(*domain),
        ty => sort_of(ty),
    }
}

/// The locals that a statement or a move reads, in the order of the rule.
fn met_together(rule: &Rule) -> Vec<BTreeSet<LocalId>> {
    let mut all = vec![(0..rule.params).map(LocalId::at).collect()];
    visit_stmts(&rule.body, &mut |stmt| {
        if let StmtKind::Choose(choose) = &stmt.kind {
            all.extend(choose.options.iter().flat_map(met_in_clauses));
            return;
        }
        let mut met = BTreeSet::new();
        let mut see = |part: &Expr| part.visit_tree(&mut |part| met.extend(named_in(part)));
        match &stmt.kind {
            StmtKind::If { condition: of, .. }
            | StmtKind::Match { subject: of, .. }
            | StmtKind::Times(of, _)
            | StmtKind::While(of, _) => see(of),
            StmtKind::Repeat(_, until) => until.iter().for_each(see),
            StmtKind::For { binder, from, .. } => {
                see(&binder.set);
                binder.condition.iter().for_each(|it| see(it));
                from.iter().for_each(see);
            }
            StmtKind::Turns { from, condition, .. } => {
                see(from);
                condition.iter().for_each(see);
            }
            _ => stmt.visit_parts(&mut see),
        }
        all.push(met);
    });
    all
}

/// The locals of each clause of a move, with those that the move itself keeps.
fn met_in_clauses(option: &MoveOption) -> Vec<BTreeSet<LocalId>> {
    let bound = option.clauses.iter().filter_map(|clause| match clause {
        Clause::For(binder) | Clause::Maybe(binder) => Some(binder.local),
        Clause::Let(local, _) => Some(*local),
        Clause::When(_) => None,
    });
    let kept: BTreeSet<LocalId> = option.params.iter().copied().chain(bound).collect();
    let clauses = option.clauses.iter().map(|clause| {
        let mut met = kept.clone();
        clause.visit_exprs(&mut |part| met.extend(named_in(part)));
        met
    });
    clauses.collect()
}

fn named_in(part: &Expr) -> Option<LocalId> {
    part.as_local().or(match &part.kind {
        ExprKind::Filter(binder) | ExprKind::Image(_, binder) | ExprKind::Fold { binder, .. } => {
            Some(binder.local)
        }
        _ => None,
    })
}

/// What the `let`s of a rule stand for that need no name.
fn meanings<'a>(book: &Book<'a>, rule: &'a Rule) -> Vec<(LocalId, LocalWord<'a>)> {
    let (changed, at_once) = (changed_in(book.rules, rule), read_at_once(rule));
    let (mut found, mut sizes) = (Vec::new(), BTreeMap::new());
    visit_stmts_of(&rule.body, &mut |stmt| {
        if let StmtKind::For { binder, .. } = &stmt.kind {
            // What a name may stand for is called by that name, if it is there.
            let maybe = binder.set.as_local().filter(|_| matches!(binder.set.ty, Type::Maybe(_)));
            let is_steady = maybe.is_some_and(|it| !rule.locals[it.index()].mutable);
            found.extend(is_steady.then_some((binder.local, LocalWord::Equal(&binder.set))));
        }
        let StmtKind::Let(local, value) = &stmt.kind else { return };
        if !is_computed(book.rules, value) {
            let of = match &value.kind {
                ExprKind::Call(id, _) => rule_heading(book, &book.rules.rules[id.index()]),
                _ => String::new(),
            };
            let answer = LocalWord::Answer(of);
            found.extend((value.ty == Type::Bool).then_some((*local, answer)));
        }
        if rule.locals[local.index()].mutable || !is_computed(book.rules, value) {
            return;
        }
        let note = book.note_at(stmt.span).map(|it| embedded(&it));
        if let Some(note) = note {
            if note.split(' ').count() <= WORDS_OF_A_NOTE && !note.contains(". ") {
                found.push((*local, LocalWord::Noted(lowered(&note))));
            }
            return;
        }
        let nothing = BTreeSet::new();
        let changed = match &changed {
            _ if at_once.contains(local) || reads_no_variable(value) => &nothing,
            Some(changed) => changed,
            None => return,
        };
        let (mut size, mut is_steady) = (0, true);
        value.visit_tree(&mut |part| {
            size += part.as_local().and_then(|it| sizes.get(&it)).copied().unwrap_or(1);
            is_steady &= match &part.kind {
                ExprKind::Element(Array::Var(var) | Array::Pile(var), _) => !changed.contains(var),
                ExprKind::Call(..) | ExprKind::Suppose(..) => changed.is_empty(),
                ExprKind::Local(it) => !rule.locals[it.index()].mutable,
                _ => true,
            };
        });
        if is_steady && size <= PARTS_OF_A_VALUE {
            sizes.insert(*local, size);
            found.push((*local, LocalWord::Equal(value)));
        }
    });
    found
}

/// Whether a value is the same whatever changes: the player after another one.
fn reads_no_variable(value: &Expr) -> bool {
    !value.any(|part| {
        matches!(part.kind, ExprKind::Element(..) | ExprKind::Call(..) | ExprKind::Suppose(..))
    })
}

/// Like [`visit_stmts`], with statements that live as long as the rule.
fn visit_stmts_of<'a>(block: &'a [Stmt], see: &mut dyn FnMut(&'a Stmt)) {
    for stmt in block {
        see(stmt);
        stmt.blocks().into_iter().for_each(|inner| visit_stmts_of(inner, see));
    }
}

/// The `let`s that only the head of the next statement reads, before anything changes.
fn read_at_once(rule: &Rule) -> BTreeSet<LocalId> {
    let mut reads: BTreeMap<LocalId, usize> = BTreeMap::new();
    rule.visit_exprs(&mut |part| {
        part.as_local().into_iter().for_each(|it| *reads.entry(it).or_default() += 1);
    });
    let mut found = BTreeSet::new();
    let mut see = |block: &[Stmt]| {
        for pair in block.windows(2) {
            let StmtKind::Let(local, _) = &pair[0].kind else { continue };
            let head = match &pair[1].kind {
                StmtKind::For { binder, .. } => &*binder.set,
                StmtKind::If { condition: head, .. }
                | StmtKind::Match { subject: head, .. }
                | StmtKind::Let(_, head)
                | StmtKind::Assign(_, head)
                | StmtKind::Change { value: head, .. }
                | StmtKind::Transfer { amount: head, .. }
                | StmtKind::FinishWin(head) => head,
                _ => continue,
            };
            let mut here = 0;
            head.visit_tree(&mut |part| here += usize::from(part.as_local() == Some(*local)));
            if reads.get(local) == Some(&here) {
                found.insert(*local);
            }
        }
    };
    see(&rule.body);
    visit_stmts(&rule.body, &mut |stmt| stmt.blocks().into_iter().for_each(|block| see(block)));
    found
}

fn is_computed(rules: &Rules, value: &Expr) -> bool {
    !value.any(|part| match &part.kind {
        ExprKind::Random(_) | ExprKind::Roll(_) | ExprKind::Pick(_) => true,
        ExprKind::End(end) => end.draws,
        ExprKind::Call(id, _) => !rules.rules[id.index()].effects.is_pure(),
        _ => false,
    })
}

/// The variables that a rule changes itself; nothing if others may change more for it.
fn changed_in(rules: &Rules, rule: &Rule) -> Option<BTreeSet<VarId>> {
    let (mut changed, mut is_known) = (BTreeSet::new(), true);
    visit_stmts(&rule.body, &mut |stmt| {
        for place in stmt.changed_places() {
            if let ExprKind::Element(Array::Var(var) | Array::Pile(var), _) = &place.kind {
                changed.insert(*var);
            }
        }
        match &stmt.kind {
            StmtKind::Reset(targets) => changed.extend(targets.iter().map(|target| target.var)),
            StmtKind::Cards(_) => is_known = false,
            _ => {}
        }
    });
    rule.visit_exprs(&mut |part| {
        if let ExprKind::Call(id, _) = &part.kind {
            let called = &rules.rules[id.index()];
            is_known &= called.effects.is_pure() || !called.effects.changes;
        }
    });
    is_known.then_some(changed)
}
