//! Computes the standing of the seats: ranking keys, who is out, goals.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::bytecode::Program;
use crate::bytecode::program::Wait;
use crate::compile::value_text;
use crate::eval::{Constants, Env, Evaluator, domain_of, from_words, held};
use crate::game::view::model::{SeatView, Setting, Standing, Status, ViewHead};
use crate::game::view::{ViewContext, colour};
use crate::game::{Loaded, Outcome, element_place};
use crate::rules::visit::{any_stmt, let_of};
use crate::rules::{
    Ambient, Array, BinaryOp, Binder, Block, Domain, Expr, ExprKind, GameOption, LocalId, PLAYER,
    Rule, RuleId, Rules, Stmt, StmtKind, Type, UnaryOp, Value, VarId,
};
use crate::syntax::ast::Owner;
use crate::vm;

/// How many steps the values beside the names of the seats may take together.
const MOST_STEPS: usize = 20_000;

/// What a ranking shows of a key that the file has no name for.
const NAMELESS: &str = "score";

/// What the rules compare where the game ends, and who takes turns.
#[derive(Clone, Debug, Default)]
pub(in crate::game) struct Aims {
    /// What the standing of a player is made of.
    keys: Vec<RankingKey>,
    /// Who takes turns: for each `turns`, the local of the player and the condition.
    turns: Vec<(LocalId, Expr)>,
    /// The variables that count for winning, by their positions.
    counted: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
struct RankingKey {
    title: String,
    /// The local that stands for the player.
    player: LocalId,
    value: Expr,
}

/// Finds what decides the standing: the keys of rankings, turns, and variables that count for winning.
pub(in crate::game) fn find_standing_keys(rules: &Rules) -> Aims {
    let (aims, known, lets) = Default::default();
    let mut search = StandingSearch { rules, aims, always: false, known, lets };
    for (at, rule) in rules.rules.iter().enumerate() {
        search.search_block(RuleId::at(at), &rule.body, &mut Vec::new());
    }
    let StandingSearch { mut aims, always, .. } = search;
    if always || asks_all(rules) {
        // Turns on no condition pass nobody over, so nobody is out.
        aims.turns.clear();
    }
    if aims.keys.is_empty() {
        aims.keys = counted_keys(rules, &aims.counted);
    }
    aims
}

/// The numbers of players that count for winning, where nothing is ranked.
fn counted_keys(rules: &Rules, counted: &BTreeSet<usize>) -> Vec<RankingKey> {
    let own = counted.iter().filter(|at| {
        let var = &rules.vars[**at];
        var.owner == Owner::Player && var.dims.is_empty() && var.ty == Type::Number
    });
    let key = |at: &usize| {
        let (var, player) = (&rules.vars[*at], LocalId(0));
        let me = Expr { kind: ExprKind::Local(player), ty: Type::Kind(PLAYER), span: var.span };
        let kind = ExprKind::Element(Array::Var(VarId::at(*at)), vec![me]);
        let value = Expr { kind, ty: Type::Number, span: var.span };
        RankingKey { title: var.title.clone(), player, value }
    };
    own.map(key).collect()
}

struct StandingSearch<'a> {
    rules: &'a Rules,
    aims: Aims,
    /// Whether somebody takes turns on no condition.
    always: bool,
    /// The rules, and the names in rules, whose expressions were read already.
    known: BTreeSet<RuleId>,
    lets: BTreeSet<(RuleId, LocalId)>,
}

impl<'a> StandingSearch<'a> {
    /// Looks for endings in a block; `guards` are the conditions around it.
    fn search_block(&mut self, rule: RuleId, block: &'a Block, guards: &mut Vec<&'a Expr>) {
        for stmt in block {
            self.statement(rule, stmt, guards);
            let guard = match &stmt.kind {
                StmtKind::If { condition, .. } => Some(condition),
                _ => None,
            };
            guards.extend(guard);
            for inner in stmt.blocks() {
                self.search_block(rule, inner, guards);
            }
            guards.truncate(guards.len() - usize::from(guard.is_some()));
        }
    }

    fn statement(&mut self, rule: RuleId, stmt: &'a Stmt, guards: &[&'a Expr]) {
        match &stmt.kind {
            StmtKind::FinishRanking { local, keys } => {
                for key in keys {
                    self.collect_counted(rule, key);
                    self.add_key(*local, key);
                }
            }
            StmtKind::FinishWin(winners) => {
                self.collect_counted(rule, winners);
                guards.iter().for_each(|guard| self.collect_counted(rule, guard));
            }
            StmtKind::Turns { local, condition, .. } => {
                match condition.as_ref().and_then(|it| lasting_part(self.rules, it)) {
                    Some(condition) => self.aims.turns.push((*local, condition)),
                    None => self.always = true,
                }
            }
            _ => {}
        }
    }

    fn add_key(&mut self, player: LocalId, key: &Expr) {
        let mut value = key;
        while let ExprKind::Unary(UnaryOp::Reverse, inner) = &value.kind {
            value = inner;
        }
        let title = self.find_title(player, value);
        // What breaks ties is shown where it has a name.
        if title == NAMELESS && !self.aims.keys.is_empty() {
            return;
        }
        if !self.aims.keys.iter().any(|key| key.title == title) {
            self.aims.keys.push(RankingKey { title, player, value: value.clone() });
        }
    }

    /// What the file calls a number of a player: a variable, a measure, a rule.
    fn find_title(&self, player: LocalId, value: &Expr) -> String {
        let StandingSearch { rules, .. } = self;
        let measured = rules.measures.iter().find(|measure| {
            let [Stmt { kind: StmtKind::Return(Some(own)), .. }] = measure.rule.body.as_slice()
            else {
                return false;
            };
            measure.rule.params == 1 && is_same_for((own, LocalId(0)), (value, player))
        });
        match (&value.kind, measured) {
            // What a variable holds has a column already.
            (ExprKind::Element(Array::Var(var), _), _) => rules.vars[var.index()].title.clone(),
            (_, Some(measure)) => measure.title.clone(),
            (ExprKind::Call(rule, _), _) => rules.rules[rule.index()].title.clone(),
            _ => NAMELESS.to_owned(),
        }
    }

    /// Notes the variables that an expression of a rule reads, in what it calls and names, too.
    fn collect_counted(&mut self, rule: RuleId, expr: &'a Expr) {
        let rules = self.rules;
        let mut expressions = vec![(rule, expr)];
        let mut called: Vec<RuleId> = Vec::new();
        while let Some((rule, expr)) = expressions.pop() {
            let mut locals = Vec::new();
            expr.visit_tree(&mut |part| match part.kind {
                ExprKind::Local(local) => locals.push(local),
                _ => self.note_part(part, &mut called),
            });
            for local in locals.into_iter().filter(|it| self.lets.insert((rule, *it))) {
                let value = let_of(&rules.rules[rule.index()].body, local);
                expressions.extend(value.map(|value| (rule, value)));
            }
        }
        while let Some(rule) = called.pop() {
            if self.known.insert(rule) {
                rules.rules[rule.index()]
                    .visit_exprs(&mut |part| self.note_part(part, &mut called));
            }
        }
    }

    fn note_part(&mut self, part: &Expr, called: &mut Vec<RuleId>) {
        match &part.kind {
            ExprKind::Element(Array::Var(var) | Array::Pile(var), _) => {
                self.aims.counted.insert(var.index());
            }
            ExprKind::Call(rule, _) => called.push(*rule),
            _ => {}
        }
    }
}

/// The parts of a condition for taking turns that somebody who fails them fails for good: neither how many turns
/// somebody had, nor what is set back for all players alike.
fn lasting_part(rules: &Rules, condition: &Expr) -> Option<Expr> {
    if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind {
        let [a, b] = [lasting_part(rules, a), lasting_part(rules, b)];
        return match (a, b) {
            (Some(a), Some(b)) => {
                let kind = ExprKind::new_binary(BinaryOp::And, a, b);
                Some(Expr { kind, ..condition.clone() })
            }
            (a, b) => a.or(b),
        };
    }
    let comes_back = |part: &Expr| match &part.kind {
        ExprKind::Element(Array::Var(var), _) => {
            rules.turns_had == Some(*var) || is_set_back(rules, *var)
        }
        ExprKind::Ambient(Ambient::Turn) => true,
        _ => false,
    };
    (!condition.any(comes_back)).then(|| condition.clone())
}

/// The rules that run in play.
fn rules_of_play(rules: &Rules) -> impl Iterator<Item = &Rule> {
    let numbered = (0..).map(RuleId::at).zip(&rules.rules);
    numbered.filter(|(id, _)| Some(*id) != rules.setup).map(|(_, rule)| rule)
}

/// Whether a loop over all players gives a variable the same value for each of them.
fn is_set_back(rules: &Rules, var: VarId) -> bool {
    let sets_back = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Reset(targets) => targets.iter().any(|it| it.var == var),
        StmtKind::For { binder, body, .. } if is_everybody(binder) => {
            body.iter().any(|inner| match &inner.kind {
                StmtKind::Assign(place, value) => {
                    let is_it =
                        matches!(place.kind, ExprKind::Element(Array::Var(to), _) if to == var);
                    is_it && !value.reads_local(binder.local)
                }
                _ => false,
            })
        }
        _ => false,
    };
    rules_of_play(rules).any(|rule| any_stmt(&rule.body, sets_back))
}

/// Whether a loop asks all players: then nobody is out.
fn asks_all(rules: &Rules) -> bool {
    let asks = |stmt: &Stmt| match &stmt.kind {
        StmtKind::For { binder, body, .. } if is_everybody(binder) => {
            body.iter().any(|inner| match &inner.kind {
                StmtKind::Choose(choose) => choose.chooser.is_local(binder.local),
                _ => false,
            })
        }
        _ => false,
    };
    rules_of_play(rules).any(|rule| any_stmt(&rule.body, asks))
}

fn is_everybody(binder: &Binder) -> bool {
    let whole = binder.set.in_any_order();
    binder.condition.is_none() && matches!(whole.kind, ExprKind::Whole(Domain::Kind(PLAYER)))
}

/// Whether two expressions say the same of their players.
fn is_same_for((a, me): (&Expr, LocalId), (b, them): (&Expr, LocalId)) -> bool {
    let arguments = |a: &[Expr], b: &[Expr]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_for((a, me), (b, them)))
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Local(a), ExprKind::Local(b)) => *a == me && *b == them,
        (ExprKind::Element(a, x), ExprKind::Element(b, y)) => a == b && arguments(x, y),
        (ExprKind::Call(a, x), ExprKind::Call(b, y)) => a == b && arguments(x, y),
        _ => false,
    }
}

impl ViewContext<'_> {
    /// Whether a variable counts for winning.
    pub(super) fn is_counted(self, variable: usize) -> bool {
        self.loaded.aims.counted.contains(&variable)
    }

    pub(super) fn build_head(self) -> ViewHead {
        ViewHead {
            title: self.rules.title.clone(),
            options: self.settings(),
            turn: self.turn_player().filter(|turn| *turn > 0),
            viewer: self.player.map(usize::from),
            ..ViewHead::default()
        }
    }

    /// The options whose values are not those of the file.
    fn settings(self) -> Vec<Setting> {
        let options = self.rules.options.iter().zip(&self.loaded.setting.options);
        let changed = options.filter(|(option, value)| {
            self.evaluate(|evaluator| evaluator.value(&option.default).ok()).as_ref()
                != Some(*value)
        });
        let setting = |(option, value): (&GameOption, &Value)| Setting {
            name: option.name.clone(),
            title: option.title.clone(),
            value: value_text(self.rules, &option.ty, value),
        };
        changed.map(setting).collect()
    }

    pub(super) fn build_seats(self) -> Vec<SeatView> {
        (0..self.program.players).map(|seat| self.build_seat(seat)).collect()
    }

    fn build_seat(self, seat: usize) -> SeatView {
        let tag = self.tag(PLAYER.index(), seat);
        let titles = &self.program.kinds[PLAYER.index()].members;
        let title = titles.get(seat).map(|(_, title)| title.clone());
        let title = title.filter(|title| !title.is_empty() && *title != tag.name);
        let number = |key: &RankingKey| {
            let value = self.of_player(seat, (key.player, &key.value));
            let Some(Value::Int(value)) = value else { return None };
            Some(Standing { title: key.title.clone(), value })
        };
        SeatView {
            name: tag.name,
            title,
            colour: self.paint(PLAYER.index(), seat),
            glyph: colour::glyph(self.rules, PLAYER.index(), seat),
            status: self.status(seat),
            place: self.seat_place(seat),
            standing: self.loaded.aims.keys.iter().filter_map(number).collect(),
        }
    }

    fn status(self, seat: usize) -> Status {
        if self.state.has_ended() {
            return match self.state.returns(self.program).get(seat) {
                Some(1) => Status::Won,
                Some(-1) => Status::Lost,
                _ => Status::Drew,
            };
        }
        if self.deciding_seat() == Some(seat) {
            return Status::Decides;
        }
        let takes_no = |(local, condition): &(LocalId, Expr)| {
            self.of_player(seat, (*local, condition)) == Some(Value::Int(0))
        };
        let turns = &self.loaded.aims.turns;
        let out = !turns.is_empty() && turns.iter().all(takes_no);
        if out { Status::Out } else { Status::Waits }
    }

    fn seat_place(self, seat: usize) -> Option<usize> {
        let outcome = Outcome::from_state(self.program, self.state)?;
        outcome.scores.and(outcome.places.get(seat).copied())
    }

    fn deciding_seat(self) -> Option<usize> {
        match vm::waits(self.program, self.state) {
            Wait::Decision { player, .. } => {
                usize::try_from(self.state.word(usize::from(*player))).ok()
            }
            _ => None,
        }
    }

    /// The value of an expression for a player; none if the seat that looks cannot know it.
    fn of_player(self, seat: usize, (local, expr): (LocalId, &Expr)) -> Option<Value> {
        let seat = i64::try_from(seat).ok()?;
        self.evaluate(|evaluator| {
            evaluator.bound.push((local, Value::Int(seat)));
            evaluator.value(expr).ok()
        })
    }

    fn evaluate<T>(self, work: impl FnOnce(&mut Evaluator) -> T) -> T {
        let (left, constants) = (Cell::new(MOST_STEPS), Constants::default());
        let Loaded { setting, compiled, .. } = self.loaded;
        let ranges = &compiled.ranges;
        work(&mut Evaluator::new(self.rules, setting, ranges, &self, &left, &constants))
    }
}

/// What the seat that looks can read.
impl Env for ViewContext<'_> {
    fn var_value(&self, var: VarId, indices: &[i64]) -> Option<Value> {
        let info = self.program.vars.get(var.index())?;
        let place = element_place(info, self.program.players, indices)?;
        let (seat, element) = (place / info.count(), place % info.count());
        if let Some((cards, pile)) = self.pile_at(info, (seat, element))
            && self.seers().any(|player| !cards.piles[pile].is_seen_by(player.into()))
        {
            return None;
        }
        if self.seers().any(|it| !vm::sees(self.state, info, (seat, element), it)) {
            return None;
        }
        let words = info.element(self.program.players, place, |slot| self.state.word(slot));
        let ty = &self.rules.vars[var.index()].ty;
        let Loaded { setting, compiled, .. } = self.loaded;
        let domain = |held| domain_of(self.rules, setting, &compiled.ranges, held);
        let domain = held(ty).and_then(domain);
        Some(from_words(ty, domain.unwrap_or((0, 0)), &words))
    }

    fn count_cards(&self, pile: VarId, indices: &[i64]) -> Option<i64> {
        let info = self.program.vars.get(pile.index())?;
        let place = element_place(info, self.program.players, indices)?;
        let (cards, pile) = self.pile_at(info, (place / info.count(), place % info.count()))?;
        let set = self.state.slice(cards.set_of(pile), cards.width.into());
        Some(set.iter().map(|word| i64::from(word.count_ones())).sum())
    }

    fn turn_player(&self) -> Option<i64> {
        self.rules.reads_turn.then(|| self.state.word(Program::header(self.program.players)))
    }

    fn seat_names(&self) -> Option<&[String]> {
        Some(self.names)
    }

    fn can_call(&self) -> bool {
        true
    }
}
