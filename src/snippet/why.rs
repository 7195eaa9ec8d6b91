//! `:why`: explains why a typed move is illegal or an invariant is broken: the condition that fails, with its values.

mod claims;
mod elsewhere;
mod typed;
pub(super) mod unkept;

use std::fmt::{Display, Formatter};

use crate::budget::Budget;
use crate::compile::{Storage, constant};
use crate::rulebook::{Phrases, is, plain_notes};
use crate::rules::visit::move_names;
use crate::rules::{
    BinaryOp, Binder, Choose, Clause, Expr, ExprKind, MoveOption, Rule, Type, UnaryOp, Value,
};
use crate::snippet::moment::{KnownLocals, LiveGame};
use crate::snippet::why::claims::shown_parts;
use crate::snippet::{WaitingGame, current_site, edition, in_sight, named_up_to};
use crate::source::Span;
use crate::suggest::nearest;

/// Longer lists of moves are cut.
const MOST_WORDS: usize = 8;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// The reason, without a full stop.
    pub message: String,
    /// The reason in the words of the rulebook, where a condition fails.
    pub(crate) words: Option<BrokenRule>,
    /// The condition that fails, in the rule file.
    pub span: Option<Span>,
    pub(crate) help: Option<String>,
    /// Whether no move of the game is called so.
    pub(crate) unknown: bool,
    /// Whether the words are a move of the game, which is not legal here. If not, a word is
    /// misspelt, missing or too much.
    pub(crate) understood: bool,
}

/// A rule as the rulebook has it, and the values that break it; either may be all there is to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BrokenRule {
    pub(crate) rule: String,
    pub(crate) values: String,
}

impl BrokenRule {
    fn from_values(values: String) -> BrokenRule {
        BrokenRule { values, ..BrokenRule::default() }
    }
}

impl Display for BrokenRule {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match (self.rule.as_str(), self.values.as_str()) {
            (rule, "") => formatter.write_str(rule),
            ("", values) => formatter.write_str(values),
            (rule, values) => write!(formatter, "{rule} ({values})"),
        }
    }
}

impl Reason {
    /// Words that are no move.
    fn new(message: impl Into<String>, help: impl Into<String>) -> Reason {
        Reason { message: message.into(), help: Some(help.into()), ..Reason::default() }
    }

    /// A move of the game that is not among those of this decision.
    fn not_here(message: String, help: impl Into<String>) -> Reason {
        Reason { understood: true, ..Reason::new(message, help) }
    }

    /// A move that a part of the rules forbids, for code and for people.
    fn for_span(span: Span, message: String, words: BrokenRule) -> Reason {
        let words = Some(words);
        Reason { message, words, span: Some(span), understood: true, ..Reason::default() }
    }
}

/// How many conditions held before one failed, and that one.
type Failed = (usize, Reason);

/// So many conditions held if none failed.
const OFFERED: usize = usize::MAX;

/// Of the moves that were tried the one that came furthest, the first of several.
fn furthest(tried: impl Iterator<Item = Failed>) -> Option<Failed> {
    tried.reduce(|best, other| if other.0 > best.0 { other } else { best })
}

/// Why the words are not a legal move at the decision where the game waits. Words that may be `short`
/// also mean what has such a title, or begins so.
pub fn why_not(waiting: WaitingGame, words: &str, short: bool) -> Reason {
    let WaitingGame { game, state, legal } = waiting;
    let typed: Vec<&str> = words.split_whitespace().collect();
    let debug = current_site(game, state);
    let (Some(choose), Some(name)) = (&debug.choose, typed.first()) else {
        return Reason::new("no move was typed", "type a move, or its number");
    };
    let rule = debug.rule.map(|rule| &game.rules().rules[rule.index()]);
    let locals = rule.map_or(&[][..], |rule| &rule.locals);
    let moment = LiveGame { game, state, legal, locals, of_rules: true, eyes: &[] };
    let budget = Budget::default();
    let phrases = Phrases::new(&edition(game), &budget);
    let why = Why { moment, choose, phrases: &phrases, rule, option: None, short };
    let tried = |option| {
        let why = Why { option: Some(option), ..why };
        let typed_so = why.is_called(option, name);
        let failed = match &option.template {
            Some(template) => why.printed(option, template, &typed),
            None => typed_so.then(|| why.check_option(option, &typed)),
        };
        failed.map(|(held, reason)| (held, with_note(option, reason)))
    };
    // What can never be at this table explains nothing that another option explains.
    let is_never = |option: &&MoveOption| {
        option.clauses.iter().any(|clause| {
            matches!(clause, Clause::When(condition)
                if constant(game.rules(), game.setting(), condition) == Some(Value::Int(0)))
        })
    };
    let (never, possible): (Vec<_>, Vec<_>) = choose.options.iter().partition(is_never);
    let found = furthest(possible.into_iter().filter_map(tried));
    let found = found.or_else(|| furthest(never.into_iter().filter_map(tried)));
    found.map_or_else(|| why.no_such_move(&typed), |(_, reason)| reason)
}

/// The decision to explain, with the locals that its options print.
#[derive(Clone, Copy)]
struct Why<'a> {
    moment: LiveGame<'a>,
    choose: &'a Choose,
    phrases: &'a Phrases<'a>,
    /// The rule of the decision, and the move that is explained.
    rule: Option<&'a Rule>,
    option: Option<&'a MoveOption>,
    /// Whether words may be shortened.
    short: bool,
}

impl Why<'_> {
    fn no_such_move(&self, typed: &[&str]) -> Reason {
        let name = typed[0];
        if let Some(decline) = &self.choose.decline
            && elsewhere::declines(decline, typed)
        {
            let condition = decline.condition.as_ref();
            let failed = condition.and_then(|it| self.check_holds(it, &self.in_sight(), 0).err());
            let is_legal = self.moment.legal.offers().declines().is_some();
            let why = match decline.alone {
                true if is_legal => "legal here",
                true => "legal only if nothing else is",
                false => "not possible here",
            };
            let message = || format!("`{}` is {why}", typed.join(" "));
            return failed.map_or_else(
                || Reason::not_here(message(), "make another move"),
                |(_, reason)| reason,
            );
        }
        let here = self.legal_words();
        let begun = |word: &String| word.split(' ').next() == Some(name) && word != name;
        let is_begun = here.iter().any(begun);
        let others = match named_up_to(MOST_WORDS, &here).as_slice() {
            [only] if is_begun => format!("here the only move is {only}"),
            [only] => format!("here every move begins with {only}"),
            named => format!("here the moves are {}", named.join(", ")),
        };
        // A slip in the words after the name matters only where the move could be made.
        if self.elsewhere(typed).is_some() {
            // A move that is printed in words of its own is named by them.
            let all = move_names(&self.moment.game.rules().rules);
            let is_name = all.iter().any(|it| it.eq_ignore_ascii_case(name));
            let words = if is_name { name.to_owned() } else { typed.join(" ") };
            let message = format!("`{words}` is no move at this decision");
            let guard = self.guard(typed);
            return guard.unwrap_or_else(|| Reason::not_here(message, others));
        }
        // A person can make only what is legal here; in a script any move may be misspelt.
        let all = move_names(&self.moment.game.rules().rules);
        let known = here.iter().chain(all.iter().filter(|_| !self.short));
        // Of a move that is printed in words of its own the first alone is no name.
        let words = if is_begun { &typed.join(" ") } else { name };
        let help =
            nearest(words, known.map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
        let message = format!("there is no move `{words}`");
        Reason { unknown: true, ..Reason::new(message, help.unwrap_or(others)) }
    }

    /// What the moves that are legal here are called: each name once, but a move with words of its
    /// own as it is typed.
    fn legal_words(&self) -> Vec<String> {
        let LiveGame { game, state, legal, .. } = self.moment;
        let mut words: Vec<String> = Vec::new();
        for (index, label) in game.label_moves(state, legal).enumerate() {
            let name = game.option_name(legal, index);
            let plain = label.split(' ').next() == Some(name);
            let word = if plain { name.replace('_', " ") } else { label };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }

    fn in_sight(&self) -> KnownLocals {
        in_sight(self.moment.game, self.moment.state)
    }

    fn check_option(&self, option: &MoveOption, typed: &[&str]) -> Failed {
        let mut known = self.in_sight();
        match self.bind_arguments(option, &typed[1..], &mut known) {
            Err(reason) => (0, reason),
            Ok(()) => self.failing(option, &mut known, typed),
        }
    }

    /// The first clause of an option that fails.
    fn failing(&self, option: &MoveOption, known: &mut KnownLocals, typed: &[&str]) -> Failed {
        self.clauses(&option.clauses, known, 1).err().unwrap_or_else(|| {
            let message = format!("`{}` is not offered here", typed.join(" "));
            (OFFERED, Reason::not_here(message, "`:moves` lists what is legal"))
        })
    }

    /// Tests the clauses in order; `held` counts those that held.
    fn clauses(
        &self,
        clauses: &[Clause],
        known: &mut KnownLocals,
        mut held: usize,
    ) -> Result<(), Failed> {
        for (at, clause) in clauses.iter().enumerate() {
            held = match clause {
                Clause::When(condition) if self.choose.order.is_some() => {
                    self.check_is_left(condition, known).map_err(|reason| (held, reason))?;
                    held + 1
                }
                Clause::When(condition) => {
                    let holds = self.check_holds(condition, known, held);
                    holds.map_err(|failed| self.add_note(condition, failed))?
                }
                Clause::Let(local, value) => {
                    let value = self.moment.compute_value(value, known);
                    known.entry(*local).or_insert(Storage::Known(value));
                    held + 1
                }
                Clause::For(binder) | Clause::Maybe(binder) => {
                    let optional = matches!(clause, Clause::Maybe(_));
                    let fails = |reason| (held, reason);
                    match known.get(&binder.local) {
                        Some(Storage::Known(Value::None)) if optional => held + 1,
                        Some(Storage::Known(value @ Value::Set(members))) => {
                            self.check_members_in(binder, members, known).map_err(fails)?;
                            let meant = self.cards_meant(binder, value, known);
                            known.insert(binder.local, Storage::Known(meant));
                            self.also_holds(binder, known, held + 1)?
                        }
                        Some(Storage::Known(Value::List(elements))) => {
                            self.check_growth(binder, elements, known).map_err(fails)?;
                            self.also_holds(binder, known, held + 1)?
                        }
                        Some(Storage::Known(value)) => {
                            let value = self.cards_meant(binder, value, known);
                            known.insert(binder.local, Storage::Known(value.clone()));
                            let is_in = self.check_member(&binder.set, value, known).map_err(fails);
                            let holds =
                                is_in.and_then(|()| self.also_holds(binder, known, held + 1));
                            holds.map_err(|failed| self.add_note(&binder.set, failed))?
                        }
                        _ if optional => {
                            known.insert(binder.local, Storage::Known(Value::None));
                            held + 1
                        }
                        _ if matches!(binder.set.ty, Type::Subsets(_) | Type::Lists(..)) => {
                            let span = binder.set.span;
                            let message =
                                format!("none of the `{}` fits", self.moment.span_text(span));
                            let values =
                                format!("none of {} fits", self.phrase_value(&binder.set, known));
                            return Err(fails(Reason::for_span(
                                span,
                                message,
                                BrokenRule::from_values(values),
                            )));
                        }
                        _ => return self.any_member(binder, &clauses[at + 1..], known, held),
                    }
                }
            };
        }
        Ok(())
    }

    /// A failure with the note of its clause, which players read first.
    fn add_note(&self, of: &Expr, (held, reason): Failed) -> Failed {
        match self.moment.game.rules().notes_inside.get(&of.span.start) {
            Some(notes) => {
                let message = format!("{} ({})", notes.join(" "), reason.message);
                let rule = plain_notes(notes);
                let words = reason.words.map(|words| BrokenRule { rule, ..words });
                (held, Reason { message, words, ..reason })
            }
            None => (held, reason),
        }
    }

    fn is_called(&self, option: &MoveOption, name: &str) -> bool {
        option.name == name || self.short && option.name.eq_ignore_ascii_case(name)
    }

    /// Checks a condition; counts those of its `and`ed parts that hold.
    fn check_holds(
        &self,
        condition: &Expr,
        known: &KnownLocals,
        held: usize,
    ) -> Result<usize, Failed> {
        if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind {
            let held = self.check_holds(a, known, held)?;
            return self.check_holds(b, known, held);
        }
        if self.is_yes(condition, known) {
            return Ok(held + 1);
        }
        let text = self.moment.span_text(condition.span);
        let values = with_values(Vec::new(), &self.moment, condition, known);
        let message = format!("`{text}` does not hold{values}");
        let words = self.broken_claim(condition, true, known);
        let rule = self.noted_rule(condition).unwrap_or_else(|| format!("only if {}", words.rule));
        let words = BrokenRule { rule, ..words };
        let reason = Reason::for_span(condition.span, message, words);
        Err((held, Reason { help: self.option_help(condition), ..reason }))
    }

    /// What the note of the rule that a condition calls says after `Whether`; none if it begins otherwise.
    fn noted_rule(&self, condition: &Expr) -> Option<String> {
        let (call, only) = match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => (inner.as_ref(), "not if"),
            _ => (condition, "only if"),
        };
        let ExprKind::Call(rule, _) = call.kind else { return None };
        let note = plain_notes(&self.moment.game.rules().rules[rule.index()].notes);
        let says = note.strip_prefix("Whether ")?.trim_end_matches('.');
        Some(format!("{only} {says}"))
    }

    fn also_holds(
        &self,
        binder: &Binder,
        known: &KnownLocals,
        held: usize,
    ) -> Result<usize, Failed> {
        binder.condition.as_ref().map_or(Ok(held), |it| self.check_holds(it, known, held))
    }

    /// Checks that a member of an ordered decision has not happened yet.
    fn check_is_left(&self, condition: &Expr, known: &KnownLocals) -> Result<(), Reason> {
        if self.is_yes(condition, known) {
            return Ok(());
        }
        let message = "this is not left of the order".to_owned();
        let words = BrokenRule::from_values(message.clone());
        Err(Reason::for_span(condition.span, message, words))
    }

    pub(super) fn is_yes(&self, condition: &Expr, known: &KnownLocals) -> bool {
        self.moment.compute_value(condition, known) == Value::Int(1)
    }

    fn check_member(&self, set: &Expr, value: Value, known: &KnownLocals) -> Result<(), Reason> {
        let set = set.in_any_order();
        let expr = |kind, ty| Expr { kind, ty, span: set.span };
        let member = expr(ExprKind::Value(value), set.ty.iterated());
        let test = ExprKind::new_binary(BinaryOp::In, member.clone(), set.clone());
        if self.is_yes(&expr(test, Type::Bool), known) {
            return Ok(());
        }
        let (word, place) =
            (self.moment.show_value(&member, known), self.moment.span_text(set.span));
        let shown = self.moment.show_value(set, known);
        let message = match self.choose.order {
            Some(_) => format!("`{word}` is not left of `{place}`: only {shown} is"),
            None if shown == place => format!("`{word}` is not in `{place}`"),
            None => format!("`{word}` is not in `{place}`, which is {shown}"),
        };
        let values = match shown.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
            Some("") => format!("{} empty", is(&self.phrase_value(set, known))),
            Some(only) if !only.contains(", ") => match self.named_by(set, known) {
                Some(with) => format!("only {only} is possible with {with}"),
                None => format!("only {only} is possible"),
            },
            Some(members) if members.matches(", ").count() < MOST_WORDS => {
                format!("{word} is not one of {members}")
            }
            _ => match shown.split_once("..") {
                Some((low, high)) if low == high => format!("only {low} is possible"),
                Some((low, high)) if is_empty_range(low, high) => {
                    "no number is possible".to_owned()
                }
                Some((low, high)) => format!("{word} is not from {low} to {high}"),
                None => format!("{word} is not in {}", self.phrase_value(set, known)),
            },
        };
        Err(Reason::for_span(set.span, message, BrokenRule::from_values(values)))
    }

    /// A name that is not typed: the move is legal if it is for one member.
    fn any_member(
        &self,
        binder: &Binder,
        rest: &[Clause],
        known: &KnownLocals,
        held: usize,
    ) -> Result<(), Failed> {
        let span = binder.set.span;
        let message = format!("`{}` is empty", self.moment.span_text(span));
        let values = format!("{} empty", is(&self.phrase_value(&binder.set, known)));
        let mut nearest = (held, Reason::for_span(span, message, BrokenRule::from_values(values)));
        let mut is_one = true;
        for member in self.moment.compute_value(&binder.set, known).as_members() {
            let mut known = known.clone();
            known.insert(binder.local, Storage::Known(Value::Int(*member)));
            let tried = self.also_holds(binder, &known, held + 1);
            match tried.and_then(|held| self.clauses(rest, &mut known, held)) {
                Ok(()) => return Ok(()),
                Err(failed) if failed.0 > nearest.0 => (nearest, is_one) = (failed, true),
                Err(failed) => {
                    is_one &= failed.0 < nearest.0 || failed.1.words == nearest.1.words;
                }
            }
        }
        // Of those that come equally far the first is reported, but its values are not those of all.
        if let Some(words) = nearest.1.words.as_mut().filter(|_| !is_one) {
            let kinds = &self.moment.game.rules().kinds;
            words.values = match binder.set.ty.iterated() {
                Type::Kind(kind) => format!("no {} fits", kinds[kind.index()].name.to_lowercase()),
                _ => "no number fits".to_owned(),
            };
        }
        Err(nearest)
    }

    /// Help for a condition that depends on an option alone.
    fn option_help(&self, condition: &Expr) -> Option<String> {
        let (inner, wanted) = match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => (inner.as_ref(), "no"),
            _ => (condition, "yes"),
        };
        let ExprKind::Option(option) = inner.kind else { return None };
        let name = &self.moment.game.rules().options[option.index()].name;
        Some(format!("this is an option of the game: play with `--option {name}={wanted}`"))
    }
}

/// Values alone say little: before them comes the note of the move, if it has one.
/// Whether a range that is shown ends before it begins.
fn is_empty_range(low: &str, high: &str) -> bool {
    let ends = (low.parse::<i64>(), high.parse::<i64>());
    matches!(ends, (Ok(low), Ok(high)) if low > high)
}

fn with_note(option: &MoveOption, reason: Reason) -> Reason {
    let with_rule = |words: BrokenRule| {
        let rule = if words.rule.is_empty() { plain_notes(&option.notes) } else { words.rule };
        BrokenRule { rule, ..words }
    };
    Reason { words: reason.words.map(with_rule), ..reason }
}

/// The known values, and those that explain a failed condition, after a colon.
fn with_values(
    mut values: Vec<String>,
    moment: &LiveGame,
    condition: &Expr,
    known: &KnownLocals,
) -> String {
    for part in shown_parts(condition) {
        let (words, shown) = (moment.span_text(part.span), moment.show_value(part, known));
        let value = format!("`{words}` is {shown}");
        if words != shown && !values.contains(&value) {
            values.push(value);
        }
    }
    let colon = if values.is_empty() { "" } else { ": " };
    format!("{colon}{}", values.join(", "))
}
