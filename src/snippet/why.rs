//! Explains why a typed move is illegal: the first condition that fails, with its values.

mod arguments;
mod elsewhere;
mod printed;

use crate::check::rules::{
    Array, BinaryOp, Binder, Choose, Clause, Expr, ExprKind, LocalId, MoveOption, Type, UnaryOp,
    Value,
};
use crate::compile::Storage;
use crate::game::{Game, LegalMoves, State};
use crate::snippet::moment::{Known, Moment};
use crate::snippet::{in_sight, parts, site};
use crate::source::Span;
use crate::suggest::nearest;

/// Longer lists of moves are cut.
const MOST_WORDS: usize = 8;

/// Why a move is not legal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// The reason, without a full stop.
    pub message: String,
    /// The condition that fails, in the rule file.
    pub span: Option<Span>,
    pub help: Option<String>,
    /// Whether no move of the game is called so.
    pub unknown: bool,
    /// Whether the words are a move of the game, which is not legal here. If not, a word is
    /// misspelt, missing or too much.
    pub understood: bool,
}

impl Reason {
    /// Words that are no move.
    fn new(message: impl Into<String>, help: impl Into<String>) -> Reason {
        Reason { message: message.into(), help: Some(help.into()), ..Reason::default() }
    }

    /// A move that a part of the rules forbids.
    fn at(span: Span, message: String) -> Reason {
        Reason { message, span: Some(span), understood: true, ..Reason::default() }
    }
}

/// Why the words are not a legal move at the decision where the game waits.
pub fn why_not(game: &Game, state: &State, legal: &LegalMoves, words: &str) -> Reason {
    let typed: Vec<&str> = words.split_whitespace().collect();
    let debug = site(game, state);
    let (Some(choose), Some(name)) = (&debug.choose, typed.first()) else {
        return Reason::new("no move was typed", "type a move, or its number");
    };
    let rule = debug.rule.map(|rule| &game.rules().rules[rule.index()]);
    let locals = rule.map_or(&[][..], |rule| &rule.locals);
    let why =
        Why { moment: Moment { game, state, legal, locals, of_rules: true, eyes: &[] }, choose };
    let mut best: Option<Failed> = None;
    for option in &choose.options {
        let found = match &option.template {
            Some(template) => why.printed(option, template, &typed).or_else(|| {
                (option.name == *name).then(|| why.not_printed(option, template, &typed))
            }),
            None => (option.name == *name).then(|| why.option(option, &typed)),
        };
        if let Some(found) = found
            && best.as_ref().is_none_or(|(progress, _)| found.0 > *progress)
        {
            best = Some(found);
        }
    }
    best.map_or_else(|| why.no_such_move(&typed), |(_, reason)| reason)
}

/// The decision that is asked about, with the locals that its options print.
#[derive(Clone, Copy)]
struct Why<'a> {
    moment: Moment<'a>,
    choose: &'a Choose,
}

/// How many conditions held before one failed, and that one.
type Failed = (usize, Reason);

impl Why<'_> {
    fn no_such_move(&self, typed: &[&str]) -> Reason {
        let name = typed[0];
        if let Some(decline) = &self.choose.decline
            && elsewhere::declines(decline, typed)
        {
            let known = self.in_sight();
            let condition = decline.condition.as_ref();
            let failed = condition.and_then(|condition| self.holds(condition, &known, 0).err());
            return failed.map_or_else(
                || Reason {
                    understood: true,
                    ..Reason::new(
                        format!("`{}` is not possible here", typed.join(" ")),
                        "make another move",
                    )
                },
                |(_, reason)| reason,
            );
        }
        let here = self.legal_words();
        let others = format!("here the moves are {}", here.join(", "));
        match self.elsewhere(typed) {
            Some(Ok(())) => {
                let message = format!("`{name}` is no move at this decision");
                return Reason { understood: true, ..Reason::new(message, others) };
            }
            Some(Err(reason)) => return reason,
            None => {}
        }
        let all = self.names();
        let known = here.iter().chain(&all).map(String::as_str);
        let help = nearest(name, known).map(|near| format!("did you mean `{near}`?"));
        let message = format!("there is no move `{name}`");
        Reason { unknown: true, ..Reason::new(message, help.unwrap_or(others)) }
    }

    /// What the moves that are legal here are called: each name once, but a move with words of its
    /// own as it is typed.
    fn legal_words(&self) -> Vec<String> {
        let Moment { game, state, legal, .. } = self.moment;
        let mut words: Vec<String> = Vec::new();
        for (index, label) in game.labels(state, legal).enumerate() {
            let name = game.option_name(legal, index);
            let plain = label.split(' ').next() == Some(name);
            let word = if plain { name.to_owned() } else { label };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let more = words.len().saturating_sub(MOST_WORDS);
        words.truncate(MOST_WORDS);
        words.extend((more > 0).then(|| format!("{more} more")));
        words
    }

    fn in_sight(&self) -> Known {
        in_sight(self.moment.game, self.moment.state)
    }

    fn option(&self, option: &MoveOption, typed: &[&str]) -> Failed {
        let mut known = self.in_sight();
        match self.arguments(option, &typed[1..], &mut known) {
            Err(reason) => (0, reason),
            Ok(()) => self.failing(option, &mut known, typed),
        }
    }

    /// The first clause of an option that fails.
    fn failing(&self, option: &MoveOption, known: &mut Known, typed: &[&str]) -> Failed {
        self.clauses(&option.clauses, known, 1).err().unwrap_or_else(|| {
            let message = format!("`{}` is not offered here", typed.join(" "));
            let reason = Reason::new(message, "`:moves` lists what is legal");
            (usize::MAX, Reason { understood: true, ..reason })
        })
    }

    /// Looks at the clauses in order; `held` counts those that held.
    fn clauses(&self, clauses: &[Clause], known: &mut Known, held: usize) -> Result<(), Failed> {
        let mut held = held;
        for (at, clause) in clauses.iter().enumerate() {
            held = match clause {
                Clause::When(condition) if self.choose.order.is_some() => {
                    if !self.is_yes(condition, known) {
                        let message = "this is not left of the order".to_owned();
                        return Err((held, Reason::at(condition.span, message)));
                    }
                    held + 1
                }
                Clause::When(condition) => self.holds(condition, known, held)?,
                Clause::Let(local, value) => {
                    let value = self.moment.compute(value, known);
                    known.entry(*local).or_insert(Storage::Known(value));
                    held + 1
                }
                Clause::For(binder) | Clause::Maybe(binder) => {
                    let given = match known.get(&binder.local) {
                        Some(Storage::Known(value)) => Some(value.clone()),
                        _ => None,
                    };
                    match (given, clause) {
                        (Some(Value::None), Clause::Maybe(_)) => held + 1,
                        (Some(Value::Set(members)), _) => {
                            self.all_in(binder, &members, known)
                                .map_err(|reason| (held, reason))?;
                            self.also_holds(binder, known, held + 1)?
                        }
                        (Some(value), _) => {
                            let value = self.card_meant(&binder.set, value, known);
                            known.insert(binder.local, Storage::Known(value.clone()));
                            self.is_in(&binder.set, value, known).map_err(|it| (held, it))?;
                            self.also_holds(binder, known, held + 1)?
                        }
                        (None, Clause::Maybe(_)) => {
                            known.insert(binder.local, Storage::Known(Value::None));
                            held + 1
                        }
                        (None, _) if matches!(binder.set.ty, Type::Subsets(_)) => {
                            let span = binder.set.span;
                            let message = format!("none of the `{}` fits", self.moment.text(span));
                            return Err((held, Reason::at(span, message)));
                        }
                        (None, _) => {
                            return self.any_member(binder, &clauses[at + 1..], known, held);
                        }
                    }
                }
            };
        }
        Ok(())
    }

    /// Whether a condition holds; of several joined by `and` each that does counts.
    fn holds(&self, condition: &Expr, known: &Known, held: usize) -> Result<usize, Failed> {
        if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind {
            let held = self.holds(a, known, held)?;
            return self.holds(b, known, held);
        }
        self.fails(condition, known).map_or(Ok(held + 1), |reason| Err((held, reason)))
    }

    /// Whether the condition of a binder holds, if it has one.
    fn also_holds(&self, binder: &Binder, known: &Known, held: usize) -> Result<usize, Failed> {
        binder.condition.as_ref().map_or(Ok(held), |it| self.holds(it, known, held))
    }

    fn is_yes(&self, condition: &Expr, known: &Known) -> bool {
        self.moment.compute(condition, known) == Value::Int(1)
    }

    fn is_in(&self, set: &Expr, value: Value, known: &Known) -> Result<(), Reason> {
        let member =
            Expr { kind: ExprKind::Value(value), ty: member_type(&set.ty), span: set.span };
        let test = ExprKind::Binary(BinaryOp::In, Box::new(member.clone()), Box::new(set.clone()));
        if self.is_yes(&Expr { kind: test, ty: Type::Bool, span: set.span }, known) {
            return Ok(());
        }
        let (word, place) = (self.moment.show(&member, known), self.moment.text(set.span));
        let shown = self.moment.show(set, known);
        let message = match self.choose.order {
            Some(_) => format!("`{word}` is not left of `{place}`: only {shown} is"),
            None if shown == place => format!("`{word}` is not in `{place}`"),
            None => format!("`{word}` is not in `{place}`, which is {shown}"),
        };
        Err(Reason::at(set.span, message))
    }

    /// A name that is not typed: the move is legal if it is for one member.
    fn any_member(
        &self,
        binder: &Binder,
        rest: &[Clause],
        known: &Known,
        held: usize,
    ) -> Result<(), Failed> {
        let members = match self.moment.compute(&binder.set, known) {
            Value::Set(members) => members,
            Value::Int(member) => vec![member],
            Value::None | Value::Text(_) => Vec::new(),
        };
        let span = binder.set.span;
        let mut nearest =
            (held, Reason::at(span, format!("`{}` is empty", self.moment.text(span))));
        for member in members {
            let mut known = known.clone();
            known.insert(binder.local, Storage::Known(Value::Int(member)));
            let tried = self.also_holds(binder, &known, held + 1);
            match tried.and_then(|held| self.clauses(rest, &mut known, held)) {
                Ok(()) => return Ok(()),
                // Of those that come equally far the first is reported.
                Err(failed) if failed.0 > nearest.0 => nearest = failed,
                Err(_) => {}
            }
        }
        Err(nearest)
    }

    fn fails(&self, condition: &Expr, known: &Known) -> Option<Reason> {
        if self.is_yes(condition, known) {
            return None;
        }
        let mut values = Vec::new();
        for part in shown_parts(condition) {
            let (words, shown) = (self.moment.text(part.span), self.moment.show(part, known));
            let value = format!("`{words}` is {shown}");
            if !values.contains(&value) && words != shown {
                values.push(value);
            }
        }
        let colon = if values.is_empty() { "" } else { ": " };
        let text = self.moment.text(condition.span);
        let message = format!("`{text}` does not hold{colon}{}", values.join(", "));
        let help = self.option_help(condition);
        Some(Reason { help, ..Reason::at(condition.span, message) })
    }

    /// What to do about a condition that an option alone decides.
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

/// The parts of a condition whose values explain it: what it compares, else whatever it reads.
pub(super) fn shown_parts(condition: &Expr) -> Vec<&Expr> {
    let compared = parts(condition);
    if compared.is_empty() { read_parts(condition) } else { compared }
}

/// The arguments of a rule that is called, or the value itself if it is read from the state.
fn read_parts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => read_parts(inner),
        ExprKind::Call(_, args) => args.iter().filter(|arg| reads(arg)).collect(),
        _ if reads(condition) => vec![condition],
        _ => Vec::new(),
    }
}

fn reads(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Local(_)
            | ExprKind::Element(Array::Local(_) | Array::Var(_) | Array::Table(_), _)
            | ExprKind::Column(..)
            | ExprKind::Option(_)
    )
}

/// The type of a printed name, and whether it may be left out.
fn param_type(option: &MoveOption, param: LocalId) -> (Type, bool) {
    let found = option.clauses.iter().find_map(|clause| match clause {
        Clause::For(binder) if binder.local == param => Some((member_type(&binder.set.ty), false)),
        Clause::Maybe(binder) if binder.local == param => Some((member_type(&binder.set.ty), true)),
        Clause::Let(local, value) if *local == param => Some(match &value.ty {
            Type::Maybe(inner) => (inner.as_ref().clone(), true),
            other => (other.clone(), false),
        }),
        _ => None,
    });
    found.unwrap_or((Type::Number, false))
}

fn member_type(ty: &Type) -> Type {
    match ty {
        Type::Set(domain) => domain.member_type(),
        Type::Subsets(domain) => Type::Set(*domain),
        Type::Maybe(inner) => inner.as_ref().clone(),
        Type::Span => Type::Number,
        other => other.clone(),
    }
}
