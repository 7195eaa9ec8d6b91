//! Finds what a note leaves out: a condition, a draw of chance, a step that must be done, a case, a number.
//!
//! Words are compared, nothing is understood: what names a part of the code in any of its words says it.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::check::book_notes::{akin, split_words};
use crate::rules::visit::{any_stmt, visit_stmts};
use crate::rules::{
    Arm, Array, BinaryOp, Block, CardAction, Domain, Expr, ExprKind, KindId, PLAYER, Pattern, Rule,
    RuleId, Rules, Stmt, StmtKind, TextPart, Type, UnaryOp, Value, VarForm, VarId,
};
use crate::syntax::ast::OF_BASE;
use crate::syntax::number_words;

/// What a note says, and what the code is made of that it stands for.
pub(super) struct NotedCode<'a> {
    pub(super) rules: &'a Rules,
    pub(super) budget: &'a Budget,
    pub(super) rule: &'a Rule,
    pub(super) said: &'a [String],
}

/// Words of chance.
const CHANCE: [&str; 19] = [
    "random", "chance", "draw", "roll", "reroll", "throw", "spin", "shuffle", "die", "dice",
    "deal", "toss", "flip", "lot", "luck", "blind", "cast", "again", "drawn",
];

/// Words that make a sentence hold only at times.
const CONDITIONAL: [&str; 38] = [
    "if",
    "when",
    "unless",
    "only",
    "until",
    "while",
    "who",
    "whoever",
    "whose",
    "otherwise",
    "else",
    "enough",
    "least",
    "most",
    "without",
    "with",
    "each",
    "every",
    "all",
    "any",
    "per",
    "may",
    "can",
    "where",
    "which",
    "that",
    "once",
    "first",
    "last",
    "other",
    "then",
    "instead",
    "or",
    "as",
    "after",
    "for",
    "up",
    "those",
];

/// Words that leave something out.
const DENIALS: [&str; 10] =
    ["not", "no", "never", "nobody", "nothing", "unless", "except", "but", "without", "other"];

/// Words for what is nothing.
const NOTHING: [&str; 8] = ["free", "empty", "no", "nobody", "none", "open", "without", "left"];

impl NotedCode<'_> {
    /// The first thing that the note leaves out of some statements.
    pub(super) fn left_out(&self, body: &Block) -> Option<String> {
        self.unsaid_chance(body)
            .or_else(|| self.unsaid_case(body))
            .or_else(|| self.unsaid_amount(body))
            .or_else(|| self.unsaid_step(body))
            .or_else(|| self.unsaid_branch(body))
    }

    /// The first condition that the note of a yes-or-no rule leaves out.
    pub(super) fn left_out_of_value(&self, body: &Block) -> Option<String> {
        let [Stmt { kind: StmtKind::Return(Some(value)), .. }] = body.as_slice() else {
            return None;
        };
        if value.ty != Type::Bool {
            return None;
        }
        let mut parts = Vec::new();
        split_condition(value, false, &mut parts);
        if parts.len() < 2 {
            return None;
        }
        // `not fetch` may be said in many ways, and a limit that is a number may only save time.
        let is_unsaid = |(part, is_denied): &(&Expr, bool)| {
            let is_limit =
                matches!(part.kind, ExprKind::Binary(BinaryOp::Less | BinaryOp::LessEqual, ..))
                    && part
                        .any(|it| matches!((&it.kind, &it.ty), (ExprKind::Value(_), Type::Number)));
            !(is_limit || self.is_mentioned(part) || *is_denied && self.says_any(&DENIALS))
        };
        let (unsaid, _) = parts.into_iter().find(is_unsaid)?;
        quoted(&self.names_of(unsaid)).map(|names| format!("asks about {names}"))
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
                let case = quoted(&names[..1]);
                unsaid = unsaid.take().or(case.map(|case| format!("has a case for {case}")));
            }
        });
        unsaid
    }

    fn names_of_patterns(&self, arm: &Arm<Block>, ty: &Type) -> Vec<String> {
        let inner = if let Type::Maybe(inner) = ty { inner } else { ty };
        let name = |pattern: &Pattern| match (pattern, inner) {
            (Pattern::Value(Value::Int(number)), Type::Kind(kind)) => {
                self.member_names(*kind, *number)
            }
            (Pattern::Value(Value::Int(number)), Type::Number) => number_words(*number).collect(),
            _ => Vec::new(),
        };
        arm.patterns.iter().flat_map(name).collect()
    }

    fn member_names(&self, kind: KindId, at: i64) -> Vec<String> {
        let members = &self.rules.kinds[kind.index()].members;
        let member = usize::try_from(at).ok().and_then(|at| members.get(at));
        member.map_or_else(Vec::new, |it| vec![it.name.clone(), it.title.clone()])
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

    /// A rule that is followed, of which the note names nothing.
    fn unsaid_step(&self, body: &Block) -> Option<String> {
        let mut unsaid = None;
        self.visit(body, &mut |stmt| {
            let (StmtKind::Call(call) | StmtKind::Let(_, call) | StmtKind::Assign(_, call)) =
                &stmt.kind
            else {
                return;
            };
            let ExprKind::Call(id, _) = &call.kind else { return };
            let rule = &self.rules.rules[id.index()];
            let acts = rule.effects.changes || rule.effects.pauses;
            let mut words = self.words_of(call);
            words.retain(|word| !word.is_empty());
            self.words_of_rule(*id, &mut BTreeSet::new(), &mut words);
            let is_said = words.iter().flat_map(|it| split_words(it)).any(|word| self.says(&word));
            if acts && !rule.name.contains(OF_BASE) && !is_said {
                unsaid.get_or_insert_with(|| format!("follows `{}`", rule.name));
            }
        });
        unsaid
    }

    /// What a rule can be meant by: its name, its note, what it changes, asks and follows.
    fn words_of_rule(&self, id: RuleId, met: &mut BTreeSet<RuleId>, words: &mut Vec<String>) {
        if !met.insert(id) {
            return;
        }
        let rule = &self.rules.rules[id.index()];
        words.extend([rule.name.clone(), rule.title.clone()]);
        words.extend(rule.notes.clone());
        let mut next = Vec::new();
        visit_stmts(&rule.body, &mut |stmt| {
            self.budget.charge(1);
            for place in stmt.changed_places() {
                if let ExprKind::Element(Array::Var(id) | Array::Pile(id), _) = &place.kind {
                    words.extend(self.names_of_var(*id));
                }
            }
            match &stmt.kind {
                StmtKind::Cards(_) => words.push("card".to_owned()),
                StmtKind::Choose(choose) => {
                    words.extend(choose.options.iter().map(|option| option.name.clone()));
                    if let Some(Expr { kind: ExprKind::Text(parts), .. }) = &choose.prompt {
                        words.extend(parts.iter().filter_map(|part| match part {
                            TextPart::Words(text) => Some(text.clone()),
                            TextPart::Hole(_) => None,
                        }));
                    }
                }
                _ => {}
            }
        });
        rule.visit_exprs(&mut |part| {
            if let ExprKind::Call(id, _) = &part.kind {
                next.push(*id);
            }
        });
        next.into_iter().for_each(|id| self.words_of_rule(id, met, words));
    }

    /// A condition of which the note names nothing, where it has fewer conditions than the code.
    fn unsaid_branch(&self, body: &Block) -> Option<String> {
        let (mut count, mut unsaid) = (0, None);
        self.visit(body, &mut |stmt| {
            let StmtKind::If { condition, then, otherwise } = &stmt.kind else { return };
            // How the game ends stands elsewhere in the book, with its conditions.
            let tells = |block: &Block| any_stmt(block, |it| self.changes_something(it));
            if ends(then) || ends(otherwise) || !(tells(then) || tells(otherwise)) {
                return;
            }
            count += 1;
            let mut parts = Vec::new();
            split_condition(condition, false, &mut parts);
            if !parts.iter().any(|(part, _)| self.is_mentioned(part)) {
                unsaid = unsaid.take().or_else(|| quoted(&self.names_of(condition)));
            }
        });
        let conditions =
            self.said.iter().filter(|word| CONDITIONAL.contains(&word.as_str())).count();
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

    /// What an expression names by itself, for people: variables, rules, options.
    fn names_of(&self, expr: &Expr) -> Vec<String> {
        let mut names = Vec::new();
        expr.visit_tree(&mut |part| {
            self.budget.charge(1);
            match &part.kind {
                ExprKind::Element(Array::Var(id) | Array::Pile(id), _) => {
                    names.push(self.rules.vars[id.index()].name.clone());
                }
                ExprKind::Call(id, _) => names.push(self.rules.rules[id.index()].name.clone()),
                ExprKind::Option(id) => names.push(self.rules.options[id.index()].name.clone()),
                ExprKind::Column(kind, at, _) => {
                    names.push(self.rules.kinds[kind.index()].columns[*at].name.clone());
                }
                _ => {}
            }
        });
        names.dedup();
        names
    }

    /// All words that an expression could be meant by.
    fn words_of(&self, expr: &Expr) -> Vec<String> {
        let mut words = Vec::new();
        expr.visit_tree(&mut |part| {
            self.budget.charge(1);
            let ty = if let Type::Maybe(inner) = &part.ty { inner } else { &part.ty };
            let kind = match ty {
                Type::Kind(kind) | Type::Set(Domain::Kind(kind)) => Some(*kind),
                _ => None,
            };
            if let Some(kind) = kind {
                words.extend(self.names_of_kind(kind));
            }
            match (&part.kind, &part.ty) {
                (ExprKind::Element(Array::Var(id) | Array::Pile(id), _), _) => {
                    words.extend(self.names_of_var(*id));
                }
                (ExprKind::Element(Array::Table(id), _), _) => {
                    let table = &self.rules.tables[id.index()];
                    words.extend([table.name.clone(), table.title.clone()]);
                }
                (ExprKind::Call(id, _), _) => {
                    let rule = &self.rules.rules[id.index()];
                    words.extend([rule.name.clone(), rule.title.clone()]);
                    words.extend(rule.notes.clone());
                }
                (ExprKind::Option(id), _) => {
                    let option = &self.rules.options[id.index()];
                    words.extend([option.name.clone(), option.title.clone(), "agreed".to_owned()]);
                }
                (ExprKind::Value(Value::None), _) => words.extend(NOTHING.map(str::to_owned)),
                (ExprKind::Constant(id), _) => {
                    words.push(self.rules.constants[id.index()].name.clone());
                }
                (ExprKind::Column(kind, at, _), _) => {
                    words.push(self.rules.kinds[kind.index()].columns[*at].name.clone());
                }
                (ExprKind::Value(Value::Int(number)), Type::Kind(kind)) => {
                    words.extend(self.member_names(*kind, *number));
                }
                (ExprKind::Value(Value::Int(number)), Type::Number) => {
                    words.extend(number_words(*number));
                }
                (ExprKind::Local(local), _) => {
                    words.push(self.rule.locals[local.index()].name.clone());
                }
                _ => {}
            }
        });
        words
    }

    fn names_of_kind(&self, kind: KindId) -> Vec<String> {
        if kind == PLAYER {
            let players = [
                "player",
                "you",
                "your",
                "opponent",
                "everybody",
                "nobody",
                "other",
                "who",
                "whoever",
            ];
            return players.map(str::to_owned).to_vec();
        }
        let of = &self.rules.kinds[kind.index()];
        let mut names = vec![of.name.clone(), of.title.clone()];
        if of.is_board() {
            names.extend(
                ["field", "cell", "square", "place", "space", "row", "column"].map(str::to_owned),
            );
        }
        names
    }

    fn names_of_var(&self, id: VarId) -> Vec<String> {
        let var = &self.rules.vars[id.index()];
        let mut names = vec![var.name.clone(), var.title.clone()];
        match var.form {
            VarForm::Die(_) => names.extend(["die", "dice"].map(str::to_owned)),
            VarForm::Pile(_) => names.push("card".to_owned()),
            _ => {}
        }
        names
    }
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

fn ends(block: &Block) -> bool {
    any_stmt(block, |stmt| {
        matches!(
            stmt.kind,
            StmtKind::FinishDraw
                | StmtKind::FinishWin(_)
                | StmtKind::FinishRanking { .. }
                | StmtKind::FinishAll { .. }
                | StmtKind::FinishTogether(_)
        )
    })
}

fn quoted(names: &[String]) -> Option<String> {
    let mut names: Vec<String> =
        names.iter().filter(|name| !name.is_empty()).map(|name| format!("`{name}`")).collect();
    names.truncate(3);
    (!names.is_empty()).then(|| names.join(", "))
}
