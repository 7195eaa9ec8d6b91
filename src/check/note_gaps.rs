//! Finds what a note leaves out: a condition, a draw of chance, a step that must be done, a case, a number.
//!
//! Words are compared, nothing is understood: what names a part of the code in any of its words says it.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::check::book_notes::{akin, split_words};
use crate::rules::ends::can_finish;
use crate::rules::visit::{any_stmt, visit_stmts};
use crate::rules::{
    Ambient, Arm, Array, BinaryOp, Block, CardAction, CardSource, Clause, Domain, Expr, ExprKind,
    Kind, KindId, KindShape, MoveOption, PLAYER, Pattern, Rule, RuleId, Rules, Stmt, StmtKind,
    Type, UnaryOp, Value, VarId,
};
use crate::syntax::ast::OF_BASE;
use crate::syntax::number_words;

/// What a note says, and what the code is made of that it stands for.
pub(crate) struct NotedCode<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) budget: &'a Budget,
    pub(crate) rule: &'a Rule,
    pub(crate) said: &'a [String],
    /// Names that the note has for another reason.
    pub(crate) own: &'a [String],
}

/// What a move is called, and from where it takes what it names: a note has these words for that alone.
pub(crate) fn names_of_move(rules: &Rules, option: &MoveOption) -> Vec<String> {
    let mut names = vec![option.name.clone()];
    for clause in &option.clauses {
        let Clause::For(binder) = clause else { continue };
        binder.set.visit_tree(&mut |part| {
            if let ExprKind::Element(Array::Var(id) | Array::Pile(id), _) = &part.kind {
                let var = &rules.vars[id.index()];
                names.extend([var.name.clone(), var.title.clone()]);
            }
        });
    }
    names
}

/// Words of chance.
const CHANCE: [&str; 19] = [
    "random", "chance", "draw", "roll", "reroll", "throw", "spin", "shuffle", "die", "dice",
    "deal", "toss", "flip", "lot", "luck", "blind", "cast", "again", "drawn",
];

/// Words beside [`CONDITIONS`] that make a sentence hold only at times.
const CONDITIONAL: [&str; 28] = [
    "who", "whose", "enough", "least", "most", "without", "with", "each", "every", "all", "any",
    "per", "may", "can", "where", "which", "that", "first", "last", "other", "then", "instead",
    "or", "as", "after", "for", "up", "those",
];

/// Words that a condition begins with.
const CONDITIONS: [&str; 10] =
    ["if", "when", "whoever", "until", "while", "only", "otherwise", "else", "once", "unless"];

/// Words that leave something out.
const DENIALS: [&str; 10] =
    ["not", "no", "never", "nobody", "nothing", "unless", "except", "but", "without", "other"];

/// Words for what is nothing.
pub(super) const NOTHING: [&str; 8] =
    ["free", "empty", "no", "nobody", "none", "open", "without", "left"];

/// Words that tell nothing of a game.
const IDLE: [&str; 51] = [
    "of", "the", "to", "an", "and", "or", "in", "on", "at", "is", "are", "it", "its", "by", "for",
    "from", "with", "that", "this", "you", "your", "their", "they", "them", "one", "as", "be",
    "all", "each", "who", "if", "then", "not", "no", "yes", "has", "have", "can", "may", "must",
    "there", "was", "were", "into", "than", "more", "so", "any", "other", "left", "do",
];

/// What is said of things that come to another place.
const MOVING: [&str; 34] = [
    "place", "put", "move", "take", "capture", "remove", "lay", "lie", "lies", "build", "jump",
    "step", "swap", "play", "draw", "discard", "deal", "reveal", "turn", "gain", "buy", "return",
    "give", "pass", "trash", "set", "keep", "get", "add", "win", "fall", "leave", "go", "back",
];

/// What is said of coins that come and go.
const PAYING: [&str; 18] = [
    "pay", "price", "cost", "buy", "sell", "spend", "gain", "take", "get", "earn", "lose",
    "receive", "win", "give", "score", "worth", "bid", "bet",
];

/// The words of notes, and of the name that stands above them.
pub(crate) fn words_said(name: &str, notes: &[String]) -> Vec<String> {
    notes
        .iter()
        .flat_map(|note| split_words(note))
        .chain(split_words(&name.replace('_', " ")))
        .collect()
}

/// The variables that a statement itself changes.
fn changed_vars(stmt: &Stmt) -> Vec<VarId> {
    let mut places = stmt.changed_places();
    if let StmtKind::Cards(action) = &stmt.kind {
        match &**action {
            CardAction::Move { what, to, .. } => {
                places.push(to);
                places.push(match what {
                    CardSource::One(of) | CardSource::Set(of) | CardSource::Pile(of) => of,
                    CardSource::End(end) => &end.pile,
                });
            }
            CardAction::Shuffle(pile) => places.push(pile),
            CardAction::Learn { .. } => {}
        }
    }
    let var = |place: &&Expr| match &place.kind {
        ExprKind::Element(Array::Var(id) | Array::Pile(id), _) => Some(*id),
        _ => None,
    };
    let mut vars: Vec<VarId> = places.iter().filter_map(var).collect();
    if let StmtKind::Reset(targets) = &stmt.kind {
        vars.extend(targets.iter().map(|target| target.var));
    }
    vars
}

impl NotedCode<'_> {
    /// What a loop goes through: a note that only says what that is has these words for it.
    pub(crate) fn names_in_loop(&self, stmt: &Stmt) -> Vec<String> {
        let StmtKind::For { binder, .. } = &stmt.kind else { return Vec::new() };
        let mut names = self.words_of(&binder.set);
        if let Type::Kind(kind) = self.rule.locals[binder.local.index()].ty
            && let KindShape::Cards(face) = self.rules.kinds[kind.index()].shape
        {
            names.extend(self.names_of_kind(face));
        }
        names
    }

    /// The first thing that the note leaves out of some statements.
    pub(super) fn left_out(&self, body: &Block) -> Option<String> {
        self.unsaid_chance(body)
            .or_else(|| self.unsaid_case(body))
            .or_else(|| self.unsaid_amount(body))
            .or_else(|| self.unsaid_effect(body))
            .or_else(|| self.unsaid_branch(body))
    }

    /// The first condition that the note of a rule with a value leaves out.
    pub(super) fn left_out_of_value(&self, body: &Block) -> Option<String> {
        let unsaid = match body.as_slice() {
            [Stmt { kind: StmtKind::Return(Some(value)), .. }] if value.ty == Type::Bool => {
                let mut parts = Vec::new();
                split_condition(value, false, &mut parts);
                let is_one = parts.len() < 2;
                let is_told = |it: &(&Expr, bool)| is_limit(it.0) || !self.is_unsaid(it);
                parts.into_iter().find(|it| !is_one && !is_told(it)).map(|(part, _)| part)
            }
            _ => self.unsaid_cases(body),
        };
        quote_names(&self.names_of(unsaid?)).map(|names| format!("asks about {names}"))
    }

    /// A condition that decides between the values of a rule, if its note has fewer conditions than the rule and
    /// mentions nothing of this one.
    pub(crate) fn unsaid_cases<'e>(&self, body: &'e [Stmt]) -> Option<&'e Expr> {
        let mut parts = Vec::new();
        for stmt in body {
            match &stmt.kind {
                StmtKind::If { condition, .. } => split_condition(condition, false, &mut parts),
                StmtKind::Return(Some(value)) if value.ty == Type::Bool && body.len() > 1 => {
                    split_condition(value, false, &mut parts);
                }
                StmtKind::Return(_) | StmtKind::Let(..) => {}
                // What is counted in steps is told by what it comes to.
                _ => return None,
            }
        }
        let told = self.said.iter().filter(|word| is_conditional(word)).count();
        let is_asked = |(part, _): &(&Expr, bool)| !matches!(part.kind, ExprKind::Value(_));
        let asked: Vec<(&Expr, bool)> = parts.into_iter().filter(is_asked).collect();
        let fewer = told < asked.len();
        asked.into_iter().find(|it| fewer && self.is_unsaid(it)).map(|(part, _)| part)
    }

    /// Whether the note says nothing of a condition. `not fetch` may be said in many ways.
    fn is_unsaid(&self, (part, is_denied): &(&Expr, bool)) -> bool {
        !(self.is_mentioned(part) || *is_denied && self.says_any(&DENIALS))
    }

    fn says(&self, word: &str) -> bool {
        self.budget.charge(self.said.len());
        self.said.iter().any(|said| akin(word, said))
    }

    fn says_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.said.iter().any(|said| said == word || akin(word, said)))
    }

    /// Statements whose effect the note has to tell: not those inside of decisions, whose moves are told.
    fn visit(&self, block: &Block, see: &mut dyn FnMut(&Stmt)) {
        for stmt in block.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Choose(_))) {
            self.budget.charge(1);
            see(stmt);
            stmt.blocks().into_iter().for_each(|inner| self.visit(inner, see));
        }
    }

    fn unsaid_chance(&self, body: &Block) -> Option<String> {
        let mut unsaid = None;
        self.visit(body, &mut |stmt| {
            let mut drawn = match &stmt.kind {
                StmtKind::Roll { place, .. } => Some(self.names_of(place)),
                StmtKind::Cards(action) => match &**action {
                    CardAction::Shuffle(pile) => Some(self.names_of(pile)),
                    _ => None,
                },
                _ => None,
            };
            if let StmtKind::Let(_, value) | StmtKind::Assign(_, value) = &stmt.kind
                && let ExprKind::Random(of) | ExprKind::Roll(of) = &value.kind
                // The book itself tells who is drawn to begin.
                && !matches!(of.kind, ExprKind::Whole(Domain::Kind(PLAYER)))
            {
                drawn = Some(self.names_of(of));
            }
            if let Some(names) = drawn
                && !self.says_any(&CHANCE)
                && !names.iter().any(|name| split_words(name).any(|word| self.says(&word)))
            {
                unsaid.get_or_insert_with(|| "chance decides something".to_owned());
            }
        });
        unsaid
    }

    /// A case of a `match` that is not named where others are.
    fn unsaid_case(&self, body: &Block) -> Option<String> {
        let mut unsaid = None;
        self.visit(body, &mut |stmt| {
            let StmtKind::Match { subject, arms } = &stmt.kind else { return };
            let acting = |arm: &&Arm<Block>| {
                any_stmt(&arm.body, |it| !matches!(it.kind, StmtKind::Say { .. }))
            };
            let named: Vec<(Vec<String>, bool)> = arms
                .iter()
                .filter(acting)
                .filter(|arm| !arm.patterns.is_empty())
                .map(|arm| {
                    let names = self.names_of_patterns(arm, &subject.ty);
                    let said =
                        names.iter().any(|name| split_words(name).any(|word| self.says(&word)));
                    (names, said)
                })
                .collect();
            let said = named.iter().filter(|(_, said)| *said).count();
            if said * 2 >= named.len()
                && let Some((names, _)) = named.iter().find(|(_, said)| !said)
            {
                let case = quote_names(&names[..1]);
                unsaid = unsaid.take().or(case.map(|case| format!("has a case for {case}")));
            }
        });
        unsaid
    }

    fn names_of_patterns(&self, arm: &Arm<Block>, ty: &Type) -> Vec<String> {
        let inner = if let Type::Maybe(inner) = ty { inner } else { ty };
        let name = |pattern: &Pattern| match (pattern, inner) {
            (Pattern::Value(Value::Int(number)), Type::Kind(kind)) => {
                self.words_of_member(*kind, *number)
            }
            (Pattern::Value(Value::Int(number)), Type::Number) => number_words(*number).collect(),
            _ => Vec::new(),
        };
        arm.patterns.iter().flat_map(name).collect()
    }

    /// A number that something changes by.
    fn unsaid_amount(&self, body: &Block) -> Option<String> {
        let mut unsaid = None;
        self.visit(body, &mut |stmt| {
            let (StmtKind::Change { place, value: amount, .. }
            | StmtKind::Coin { place, amount, .. }) = &stmt.kind
            else {
                return;
            };
            let ExprKind::Value(Value::Int(number @ 2..)) = amount.kind else { return };
            if amount.ty == Type::Number
                && !self.is_undrawn(place)
                && !number_words(number).any(|word| self.said.contains(&word))
            {
                unsaid.get_or_insert_with(|| format!("changes something by {number}"));
            }
        });
        unsaid
    }

    fn is_undrawn(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Element(Array::Var(id) | Array::Pile(id), _) => {
                self.rules.vars[id.index()].undrawn
            }
            _ => true,
        }
    }

    /// The first effect that no word of the note tells.
    fn unsaid_effect(&self, body: &Block) -> Option<String> {
        let stmt = *self.unsaid_effects(body).first()?;
        if let Some(id) = self.followed(stmt) {
            return Some(format!("follows `{}`", self.rules.rules[id.index()].name));
        }
        let names: BTreeSet<String> = changed_vars(stmt)
            .into_iter()
            .map(|id| self.rules.vars[id.index()].name.clone())
            .collect();
        quote_names(&names.into_iter().collect::<Vec<_>>()).map(|names| format!("changes {names}"))
    }

    /// The statements whose effect no word of the note tells: each change, each draw, each rule that is followed.
    pub(crate) fn unsaid_effects<'s>(&self, block: &'s [Stmt]) -> Vec<&'s Stmt> {
        let mut found = Vec::new();
        self.collect_unsaid(block, &mut found);
        found
    }

    fn collect_unsaid<'s>(&self, block: &'s [Stmt], found: &mut Vec<&'s Stmt>) {
        for stmt in block.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Choose(_))) {
            self.budget.charge(1);
            let acts = |it: &Stmt| self.words_of_effect(it).is_some();
            let note = self.rules.notes_inside.get(&stmt.span.start);
            if note.is_some_and(|note| self.says_less_than(note))
                && any_stmt(std::slice::from_ref(stmt), acts)
            {
                found.push(stmt);
                continue;
            }
            if self.moves_elsewhere(stmt) {
                found.extend(stmt.blocks().into_iter().flatten());
                continue;
            }
            let words = self.words_of_effect(stmt);
            found.extend(words.filter(|words| !self.tells(words)).map(|_| stmt));
            stmt.blocks().into_iter().for_each(|inner| self.collect_unsaid(inner, found));
        }
    }

    /// The ends of a rule before its last statement, under conditions of which its note has fewer than the code.
    pub(crate) fn unsaid_returns<'s>(&self, block: &'s [Stmt]) -> Vec<&'s Stmt> {
        let mut count = 0;
        self.visit(&self.rule.body, &mut |stmt| {
            count += usize::from(matches!(stmt.kind, StmtKind::If { .. }));
        });
        let before = block.split_last().map_or(&[] as &[Stmt], |(_, before)| before);
        let found = before.iter().filter_map(|stmt| match &stmt.kind {
            // Names of locals are no words of a game.
            StmtKind::If { condition, then, .. }
                if is_local(condition) || !self.is_mentioned(condition) =>
            {
                then.last().filter(|last| matches!(last.kind, StmtKind::Return(None)))
            }
            _ => None,
        });
        let has_condition = |part: &&str| {
            split_words(part).any(|word| DENIALS.contains(&&*word) || CONDITIONS.contains(&&*word))
        };
        let notes = self.rule.notes.iter().flat_map(|note| note.split(['.', ',', ';', ':']));
        if notes.filter(has_condition).count() < count { found.collect() } else { Vec::new() }
    }

    /// Whether cards go to one pile or to another, and the note names neither: no word of moving tells them apart.
    fn moves_elsewhere(&self, stmt: &Stmt) -> bool {
        let StmtKind::If { then, otherwise, .. } = &stmt.kind else { return false };
        let target = |block: &[Stmt]| match block {
            [Stmt { kind: StmtKind::Cards(action), .. }] => match &**action {
                CardAction::Move { to, .. } => match to.kind {
                    ExprKind::Element(Array::Pile(id) | Array::Var(id), _) => Some(id),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let (Some(one), Some(other)) = (target(then), target(otherwise)) else { return false };
        let is_named = |id: VarId| {
            let var = &self.rules.vars[id.index()];
            let words = [&var.name, &var.title].into_iter().flat_map(|name| split_words(name));
            let words: Vec<String> = words.filter(|word| !akin(word, "cards")).collect();
            words.is_empty() || words.iter().any(|word| self.says(word))
        };
        one != other && !is_named(one) && !is_named(other)
    }

    /// Whether the note has few words of one that stands inside: that one tells something more.
    fn says_less_than(&self, inside: &[String]) -> bool {
        let is_telling = |word: &String| !IDLE.contains(&word.as_str());
        let words: Vec<String> =
            inside.iter().flat_map(|it| split_words(it)).filter(is_telling).collect();
        self.budget.charge(words.len() * self.said.len());
        let said = |word: &&String| self.said.iter().any(|it| akin(word, it));
        2 * words.iter().filter(said).count() <= words.len()
    }

    /// Whether the note has one of some words; stop words tell nothing.
    fn tells(&self, words: &[String]) -> bool {
        let is_telling = |word: &String| !IDLE.contains(&word.as_str());
        let words: Vec<String> =
            words.iter().flat_map(|it| split_words(it)).filter(is_telling).collect();
        self.budget.charge(words.len() * self.said.len());
        let said = || self.said.iter().filter(|it| is_telling(it));
        words.is_empty() || words.iter().any(|word| said().any(|it| akin(word, it)))
    }

    /// What a statement changes can be told by; nothing for one that changes nothing that people see.
    fn words_of_effect(&self, stmt: &Stmt) -> Option<Vec<String>> {
        let mut words = Vec::new();
        if let Some(id) = self.followed(stmt) {
            return Some(self.words_of_followed(id, stmt));
        }
        let vars: Vec<VarId> = changed_vars(stmt)
            .into_iter()
            .filter(|id| !self.rules.vars[id.index()].undrawn)
            .collect();
        if vars.is_empty() {
            return None;
        }
        for id in vars {
            let var = &self.rules.vars[id.index()];
            words.extend(self.names_of_var(id).into_iter().chain(var.notes.clone()));
            let held = if let Type::Maybe(inner) = &var.ty { inner } else { &var.ty };
            let kinds = var
                .dims
                .iter()
                .filter_map(|dim| if let Domain::Kind(kind) = dim { Some(*kind) } else { None });
            let held = if let Type::Kind(kind) | Type::Set(Domain::Kind(kind)) = held {
                Some(*kind)
            } else {
                None
            };
            for kind in kinds.chain(held).filter(|kind| *kind != PLAYER) {
                words.extend(self.names_of_kind(kind));
                let is_board = self.rules.kinds[kind.index()].is_board();
                words.extend(is_board.then_some(MOVING).into_iter().flatten().map(str::to_owned));
            }
        }
        for place in stmt.changed_places() {
            // `2 fish` are goods.
            let ExprKind::Element(_, of) = &place.kind else { continue };
            let is_good =
                |it: &&Expr| matches!((&it.kind, &it.ty), (ExprKind::Value(_), Type::Kind(_)));
            words.extend(of.iter().filter(is_good).flat_map(|it| self.words_of(it)));
        }
        // What something becomes may be all that is said of it.
        if let StmtKind::Assign(_, value) | StmtKind::Change { value, .. } = &stmt.kind {
            let is_telling = |it: &String| it != "you" && it != "your" && !self.own.contains(it);
            words.extend(self.words_of(value).into_iter().filter(is_telling));
        }
        let verbs: &[&str] = match &stmt.kind {
            StmtKind::Cards(_) => &MOVING,
            StmtKind::Coin { .. } => &PAYING,
            StmtKind::Reset(_) => {
                &["again", "back", "new", "start", "clear", "off", "away", "empty", "next"]
            }
            StmtKind::Roll { .. } => &CHANCE,
            _ => &[],
        };
        words.extend(verbs.iter().map(|it| (*it).to_owned()));
        Some(words)
    }

    /// What a rule that is followed can be told by.
    fn words_of_followed(&self, id: RuleId, stmt: &Stmt) -> Vec<String> {
        let (rule, mut words) = (&self.rules.rules[id.index()], Vec::new());
        if can_finish(&rule.body) && decides_nothing(&rule.body) {
            words.extend([rule.name.clone(), rule.title.clone()]);
            words.extend(["win", "end", "over", "lose", "last"].map(str::to_owned));
            return words;
        }
        self.words_of_rule(id, &mut BTreeSet::new(), &mut words);
        // What the noted move is called, or takes its things from, tells nothing of what else is done.
        words.retain(|word| !self.own.contains(word));
        words = words.iter().flat_map(|word| split_words(word)).collect();
        words.retain(|word| word.trim_end_matches('s') != "card");
        self.add_words_of_arguments(stmt, &mut words);
        words
    }

    /// What a rule is followed for, but for players.
    fn add_words_of_arguments(&self, stmt: &Stmt, words: &mut Vec<String>) {
        stmt.visit_parts(&mut |call| {
            let ExprKind::Call(_, args) = &call.kind else { return };
            for arg in args {
                let ty = if let Type::Maybe(inner) = &arg.ty { inner } else { &arg.ty };
                let kind = if let Type::Kind(kind) = ty { Some(*kind) } else { None };
                // All that is done with cards is done with a card.
                let is_card = |kind: KindId| {
                    let is_face =
                        |it: &Kind| matches!(it.shape, KindShape::Cards(face) if face == kind);
                    let own = &self.rules.kinds[kind.index()];
                    matches!(own.shape, KindShape::Cards(_)) || self.rules.kinds.iter().any(is_face)
                };
                words.extend(
                    kind.filter(|it| *it != PLAYER && !is_card(*it))
                        .into_iter()
                        .flat_map(|it| self.names_of_kind(it)),
                );
                if let (ExprKind::Value(Value::Int(at)), Some(kind)) = (&arg.kind, kind) {
                    words.extend(self.words_of_member(kind, *at));
                }
            }
        });
    }

    /// The rule with effects that a statement follows; the one of a base is told where it stands.
    fn followed(&self, stmt: &Stmt) -> Option<RuleId> {
        let (StmtKind::Call(call) | StmtKind::Let(_, call) | StmtKind::Assign(_, call)) =
            &stmt.kind
        else {
            return None;
        };
        let ExprKind::Call(id, _) = &call.kind else { return None };
        let rule = &self.rules.rules[id.index()];
        let acts = rule.effects.pauses || self.is_seen(rule, &mut BTreeSet::new());
        (acts && !rule.name.contains(OF_BASE)).then_some(*id)
    }

    /// Whether a rule changes anything that people see, itself or by what it follows.
    fn is_seen(&self, rule: &Rule, met: &mut BTreeSet<u32>) -> bool {
        if !rule.effects.changes || !met.insert(rule.span.start) {
            return false;
        }
        let (mut is_seen, mut next) = (false, BTreeSet::new());
        visit_stmts(&rule.body, &mut |stmt| {
            self.budget.charge(1);
            is_seen |= changed_vars(stmt).iter().any(|id| !self.rules.vars[id.index()].undrawn);
        });
        rule.visit_exprs(&mut |part| {
            if let ExprKind::Call(id, _) = &part.kind {
                next.insert(*id);
            }
        });
        is_seen || next.into_iter().any(|id| self.is_seen(&self.rules.rules[id.index()], met))
    }

    /// What a rule can be meant by: its name, what it changes, asks and follows.
    fn words_of_rule(&self, id: RuleId, met: &mut BTreeSet<RuleId>, words: &mut Vec<String>) {
        if !met.insert(id) {
            return;
        }
        let rule = &self.rules.rules[id.index()];
        words.extend([rule.name.clone(), rule.title.clone()]);
        visit_stmts(&rule.body, &mut |stmt| {
            self.budget.charge(1);
            changed_vars(stmt).into_iter().for_each(|id| words.extend(self.names_of_var(id)));
            if let StmtKind::Choose(choose) = &stmt.kind {
                words.extend(choose.options.iter().map(|option| option.name.clone()));
            }
        });
        // What only does one thing is often meant by that.
        if let [only] = rule.body.as_slice()
            && let Some(next) = self.followed(only)
        {
            self.words_of_rule(next, met, words);
        }
    }

    /// A condition of which the note names nothing, where it has fewer conditions than the code.
    fn unsaid_branch(&self, body: &Block) -> Option<String> {
        let (mut count, mut unsaid) = (0, None);
        self.visit(body, &mut |stmt| {
            let StmtKind::If { condition, then, otherwise } = &stmt.kind else { return };
            // How the game ends stands elsewhere in the book, with its conditions.
            let tells = |block: &Block| any_stmt(block, |it| self.changes_something(it));
            if can_finish(then) || can_finish(otherwise) || !(tells(then) || tells(otherwise)) {
                return;
            }
            count += 1;
            let mut parts = Vec::new();
            split_condition(condition, false, &mut parts);
            if !parts.iter().any(|(part, _)| self.is_mentioned(part)) {
                unsaid = unsaid.take().or_else(|| quote_names(&self.names_of(condition)));
            }
        });
        let conditions = self.said.iter().filter(|word| is_conditional(word)).count();
        unsaid.filter(|_| conditions < count).map(|names| format!("depends on {names}"))
    }

    fn changes_something(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Cards(_) | StmtKind::Reset(_) | StmtKind::Call(_) => true,
            _ => stmt.changed_places().iter().any(|place| !self.is_undrawn(place)),
        }
    }

    /// Whether the note has a word of what an expression names.
    fn is_mentioned(&self, part: &Expr) -> bool {
        let names = self.words_of(part);
        names.is_empty()
            || names.iter().flat_map(|name| split_words(name)).any(|word| self.says(&word))
    }
}

fn is_conditional(word: &str) -> bool {
    CONDITIONAL.contains(&word) || CONDITIONS.contains(&word)
}

/// Whether an expression is a local, or what people compare it with.
fn is_local(part: &Expr) -> bool {
    match &part.kind {
        ExprKind::Binary(_, a, b) => is_local(a) && is_local(b),
        kind => matches!(kind, ExprKind::Local(_) | ExprKind::Whole(_) | ExprKind::Value(_)),
    }
}

/// Whether a condition is a limit that is a number: it may only save time, unless it is one of players.
fn is_limit(part: &Expr) -> bool {
    let is_number = |it: &Expr| matches!((&it.kind, &it.ty), (ExprKind::Value(_), Type::Number));
    let counts_players = part.any(|it| matches!(it.kind, ExprKind::Ambient(Ambient::Players)));
    let is_ordered =
        matches!(part.kind, ExprKind::Binary(BinaryOp::Less | BinaryOp::LessEqual, ..));
    is_ordered && part.any(is_number) && !counts_players
}

/// The conditions that `and` or `or` joins, each with whether it is denied.
fn split_condition<'e>(condition: &'e Expr, is_denied: bool, parts: &mut Vec<(&'e Expr, bool)>) {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
            split_condition(a, is_denied, parts);
            split_condition(b, is_denied, parts);
        }
        ExprKind::Unary(UnaryOp::Not, of) => split_condition(of, !is_denied, parts),
        _ => parts.push((condition, is_denied)),
    }
}

fn decides_nothing(block: &Block) -> bool {
    !any_stmt(block, |stmt| matches!(stmt.kind, StmtKind::Choose(_)))
}

fn quote_names(names: &[String]) -> Option<String> {
    let mut names: Vec<String> =
        names.iter().filter(|name| !name.is_empty()).map(|name| format!("`{name}`")).collect();
    names.truncate(3);
    (!names.is_empty()).then(|| names.join(", "))
}
