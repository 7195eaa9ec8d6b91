//! Finds what happens of which a note says nothing: a change, a draw of chance, a rule that is followed, a number.

use std::collections::BTreeSet;

use crate::check::note_names::{IDLE, NotedCode, akin, quote_names, split_words};
use crate::rules::ends::can_finish;
use crate::rules::visit::{any_stmt, visit_stmts};
use crate::rules::{
    Array, Block, CardAction, CardSource, Clause, Domain, Expr, ExprKind, Kind, KindId, KindShape,
    MoveOption, PLAYER, Rule, RuleId, Rules, Stmt, StmtKind, Type, Value, VarId,
};
use crate::syntax::ast::OF_BASE;
use crate::syntax::number_words;

const CHANCE: [&str; 19] = [
    "random", "chance", "draw", "roll", "reroll", "throw", "spin", "shuffle", "die", "dice",
    "deal", "toss", "flip", "lot", "luck", "blind", "cast", "again", "drawn",
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

/// Words of the end of a game.
const ENDING: [&str; 9] = ["game", "end", "over", "win", "lose", "draw", "tie", "most", "best"];

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
    /// The first thing that the note leaves out of some statements.
    pub(super) fn first_unsaid(&self, body: &Block) -> Option<String> {
        self.unsaid_chance(body)
            .or_else(|| self.unsaid_case(body))
            .or_else(|| self.unsaid_amount(body))
            .or_else(|| self.unsaid_effect(body))
            .or_else(|| self.unsaid_branch(body))
    }

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
                && !names.iter().any(|name| split_words(name).any(|word| self.note_says(&word)))
            {
                unsaid.get_or_insert_with(|| "chance decides something".to_owned());
            }
        });
        unsaid
    }

    /// A number that something changes by.
    fn unsaid_amount(&self, body: &Block) -> Option<String> {
        let mut unsaid = None;
        self.visit(body, &mut |stmt| {
            let (StmtKind::Change { place, value: amount, .. }
            | StmtKind::Transfer { place, amount, .. }) = &stmt.kind
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

    /// Whether the file leaves a variable undrawn and the book does not speak of it either.
    fn is_left_out_of_book(&self, id: VarId) -> bool {
        self.rules.vars[id.index()].undrawn && !self.kept.contains(&id)
    }

    pub(super) fn is_undrawn(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Element(Array::Var(id) | Array::Pile(id), _) => self.is_left_out_of_book(*id),
            _ => true,
        }
    }

    /// The effects of statements, if the note mentions none of them.
    pub(super) fn hidden_effects(&self, body: &Block) -> Option<String> {
        let (mut named, mut is_told, mut ends) = (BTreeSet::new(), false, false);
        self.visit(body, &mut |stmt| {
            is_told |= self.words_of_effect(stmt).is_some_and(|words| self.tells(&words));
            let vars = changed_vars(stmt).into_iter().filter(|id| !self.is_left_out_of_book(*id));
            named.extend(vars.map(|id| self.rules.vars[id.index()].name.clone()));
            if stmt.blocks().is_empty() && can_finish(std::slice::from_ref(stmt)) {
                (ends, is_told) = (true, is_told || self.says_any(&ENDING));
            }
        });
        let changes = quote_names(&named.into_iter().collect::<Vec<_>>());
        let changes = changes.map(|names| format!("changes {names}"));
        let done = changes.into_iter().chain(ends.then(|| "ends the game".to_owned()));
        let done = done.collect::<Vec<_>>().join(" and ");
        (!is_told && !done.is_empty()).then_some(done)
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
            let is_untold = self.followed(stmt).is_some_and(|id| !self.leads_to(id));
            found.extend(words.filter(|words| is_untold || !self.tells(words)).map(|_| stmt));
            stmt.blocks().into_iter().for_each(|inner| self.collect_unsaid(inner, found));
        }
    }

    /// Whether the note names a rule that has a section of its own.
    fn leads_to(&self, id: RuleId) -> bool {
        let rule = &self.rules.rules[id.index()];
        let name = [&rule.title, &rule.name].into_iter().find(|it| !it.is_empty());
        let name = name.map_or_else(String::new, |it| it.replace('_', " "));
        let name: Vec<String> = split_words(&name).collect();
        let is_it = |said: &[String]| said.iter().zip(&name).all(|(said, word)| akin(word, said));
        !self.sections.contains(&id) || self.said.windows(name.len().max(1)).any(is_it)
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
            words.is_empty() || words.iter().any(|word| self.note_says(word))
        };
        one != other && !is_named(one) && !is_named(other)
    }

    /// Whether the note has few words of one that stands inside: that one tells something more.
    pub(crate) fn says_less_than(&self, inside: &[String]) -> bool {
        let is_telling = |word: &String| !IDLE.contains(&word.as_str());
        let words: Vec<String> =
            inside.iter().flat_map(|it| split_words(it)).filter(is_telling).collect();
        self.budget.charge(words.len() * self.said.len());
        let said = |word: &&String| self.said.iter().any(|it| akin(word, it));
        2 * words.iter().filter(said).count() <= words.len()
    }

    /// Words by which a note can mention the effect of a statement; none for invisible effects.
    pub(super) fn words_of_effect(&self, stmt: &Stmt) -> Option<Vec<String>> {
        let (mut words, mut lies_on_board) = (Vec::new(), false);
        if let Some(id) = self.followed(stmt) {
            return Some(self.words_of_called_rule(id, stmt));
        }
        let vars: Vec<VarId> =
            changed_vars(stmt).into_iter().filter(|id| !self.is_left_out_of_book(*id)).collect();
        if vars.is_empty() {
            return None;
        }
        // Words for what else is there do not tell of what nobody sees.
        if vars.iter().all(|id| self.rules.vars[id.index()].undrawn) {
            return Some(vars.into_iter().flat_map(|id| self.names_of_var(id)).collect());
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
                lies_on_board |= self.rules.kinds[kind.index()].is_board();
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
        if !self.named.is_empty() {
            words = words.iter().flat_map(|word| split_words(word)).collect();
            words.retain(|word| !self.named.iter().any(|it| akin(it, word)));
        }
        let verbs: &[&str] = match &stmt.kind {
            StmtKind::Cards(_) => &MOVING,
            StmtKind::Transfer { .. } => &PAYING,
            StmtKind::Reset(_) => {
                &["again", "back", "new", "start", "clear", "off", "away", "empty", "next"]
            }
            StmtKind::Roll { .. } => &CHANCE,
            _ if lies_on_board => &MOVING,
            _ => &[],
        };
        words.extend(verbs.iter().map(|it| (*it).to_owned()));
        Some(words)
    }

    /// Words by which a note can mention that a rule is called: of an ending only those of ends.
    fn words_of_called_rule(&self, id: RuleId, stmt: &Stmt) -> Vec<String> {
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

    /// Adds the words of the arguments of a call, players aside.
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
            is_seen |= changed_vars(stmt).iter().any(|id| !self.is_left_out_of_book(*id));
        });
        rule.visit_exprs(&mut |part| {
            if let ExprKind::Call(id, _) = &part.kind {
                next.insert(*id);
            }
        });
        is_seen || next.into_iter().any(|id| self.is_seen(&self.rules.rules[id.index()], met))
    }

    /// Adds words by which a note can mention a rule: its name, its effects, questions and calls.
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
}

fn decides_nothing(block: &Block) -> bool {
    !any_stmt(block, |stmt| matches!(stmt.kind, StmtKind::Choose(_)))
}
