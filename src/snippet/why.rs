//! Why a typed move is not legal: the first condition that fails, from the rule file, with its
//! values.

mod elsewhere;
mod printed;
mod sets;
mod values;

pub(super) use values::shown_parts;

use crate::check::rules::{
    Binder, Choose, Clause, Expr, ExprKind, KindId, LocalId, MoveOption, PLAYER, RuleId, Type,
    Value,
};
use crate::compile::Storage;
use crate::game::{Game, LegalMoves, State};
use crate::snippet::moment::Known;
use crate::snippet::site;
use crate::snippet::why::printed::not_offered;
use crate::source::Span;
use crate::suggest::nearest;

/// Longer lists of moves are cut.
const MOST_WORDS: usize = 8;

/// Why a move is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The reason, without a full stop.
    pub message: String,
    /// The condition that fails, in the rule file.
    pub span: Option<Span>,
    /// A way out.
    pub help: Option<String>,
    /// Whether no move of the game is called so.
    pub unknown: bool,
    /// Whether the words are a move of the game, which is not legal here. If not, a word is
    /// misspelt, missing or too much.
    pub understood: bool,
}

/// Why the words are not a legal move at the decision where the game waits.
pub fn why_not(game: &Game, state: &State, turn: &LegalMoves, words: &str) -> Reason {
    let typed: Vec<&str> = words.split_whitespace().collect();
    let debug = site(game, state);
    let (Some(choose), Some(name)) = (&debug.choose, typed.first()) else {
        return plain("no move was typed", "type a move, or its number");
    };
    let why = Why { game, state, turn, choose, rule: debug.rule };
    let mut best: Option<(usize, Reason)> = None;
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

/// The decision that is asked about.
#[derive(Clone, Copy)]
struct Why<'a> {
    game: &'a Game,
    state: &'a State,
    turn: &'a LegalMoves,
    choose: &'a Choose,
    /// The rule whose locals the options print.
    rule: Option<RuleId>,
}

/// How many conditions held before one failed, and that one.
type Failed = (usize, Reason);

impl Why<'_> {
    fn no_such_move(&self, typed: &[&str]) -> Reason {
        let name = typed[0];
        if let Some(decline) = &self.choose.decline
            && elsewhere::declines(decline, typed)
        {
            return self.no_decline(decline.condition.as_ref(), &typed.join(" "));
        }
        let here = self.legal_words();
        let others = format!("here the moves are {}", here.join(", "));
        match self.elsewhere(typed) {
            Some(Ok(())) => {
                let message = format!("`{name}` is no move at this decision");
                return Reason { understood: true, ..plain(&message, &others) };
            }
            Some(Err(reason)) => return reason,
            None => {}
        }
        let all = self.names();
        let known = here.iter().map(String::as_str).chain(all.iter().map(String::as_str));
        let help = nearest(name, known).map(|near| format!("did you mean `{near}`?"));
        let message = format!("there is no move `{name}`");
        Reason { unknown: true, ..plain(&message, &help.unwrap_or(others)) }
    }

    /// What the moves that are legal here are called: each name once, but a move with words of its
    /// own as it is typed.
    fn legal_words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for index in 0..self.turn.count() {
            let name = self.game.option_name(self.turn, index);
            let label = self.game.label(self.state, self.turn, index);
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

    fn no_decline(&self, condition: Option<&Expr>, name: &str) -> Reason {
        let known = self.in_sight();
        let failed = condition.and_then(|condition| self.holds(condition, &known, 0).err());
        let message = format!("`{name}` is not possible here");
        let anyhow = || Reason { understood: true, ..plain(&message, "make another move") };
        failed.map_or_else(anyhow, |(_, reason)| reason)
    }

    fn in_sight(&self) -> Known {
        crate::snippet::in_sight(self.game, self.state)
    }

    fn option(&self, option: &MoveOption, typed: &[&str]) -> Failed {
        let mut known = self.in_sight();
        match self.arguments(option, &typed[1..], &mut known) {
            Err(reason) => (0, reason),
            Ok(()) => {
                let failed = self.clauses(&option.clauses, &mut known, 1).err();
                failed.unwrap_or_else(|| not_offered(typed))
            }
        }
    }

    // Arguments.

    /// Binds what was typed behind the name.
    fn arguments(
        &self,
        option: &MoveOption,
        typed: &[&str],
        known: &mut Known,
    ) -> Result<(), Reason> {
        let mut left = typed;
        for param in &option.params {
            let (ty, optional) = param_type(option, *param);
            let words = match &ty {
                // Nothing else can follow: all of it was meant for the set.
                Type::Set(_) if option.params.last() == Some(param) => left.len(),
                ty => self.words_of(ty, left),
            };
            let (words, rest) = left.split_at(words);
            left = rest;
            let value = match words {
                [] if optional => Value::None,
                [] => {
                    let missing = self.local_name(*param);
                    let message = format!("`{}` also needs `{missing}`", option.name);
                    return Err(plain(&message, &self.form(option)));
                }
                words => match &ty {
                    Type::Set(domain) => self.set_of_words(*domain, words)?,
                    _ => self.value(&ty, &words.join(" "))?,
                },
            };
            known.insert(*param, Storage::Known(value));
        }
        let Some(extra) = left.first() else { return Ok(()) };
        let (name, form) = (&option.name, self.form(option));
        Err(plain(&format!("`{extra}` is too much for `{name}`"), &form))
    }

    /// How many of the words that are left stand for a value.
    fn words_of(&self, ty: &Type, left: &[&str]) -> usize {
        match ty {
            Type::Set(domain) => self.words_of_set(*domain, left),
            _ => self.word_count(ty).min(left.len()),
        }
    }

    /// How many words a value is typed as: one, but for members of products.
    fn word_count(&self, ty: &Type) -> usize {
        let first = match ty {
            Type::Kind(kind) => self.game.rules().kinds[kind.index()].members.first(),
            _ => None,
        };
        first.map_or(1, |member| member.name.split(' ').count())
    }

    /// How the move is typed: `raid ship harbour [crew]`.
    fn form(&self, option: &MoveOption) -> String {
        let mut form = format!("it is typed `{}", option.name);
        for param in &option.params {
            let name = self.local_name(*param);
            let (_, optional) = param_type(option, *param);
            let (open, close) = if optional { ("[", "]") } else { ("", "") };
            form.extend([" ", open, &name, close]);
        }
        form.push('`');
        form
    }

    fn local_name(&self, local: LocalId) -> String {
        let local = self
            .rule
            .and_then(|rule| self.game.rules().rules[rule.index()].locals.get(local.index()));
        local.map_or_else(|| "what".to_owned(), |local| local.name.clone())
    }

    /// The positions of the members of a kind.
    fn members_of_kind(&self, kind: KindId) -> impl Iterator<Item = i64> {
        let kinds = &self.game.rules().kinds;
        let own = match kind {
            PLAYER => (0..self.game.names().len()).collect(),
            kind => kinds[kind.index()].own(),
        };
        own.into_iter().filter_map(|at| i64::try_from(at).ok())
    }

    /// What a word stands for.
    fn value(&self, ty: &Type, word: &str) -> Result<Value, Reason> {
        let rules = self.game.rules();
        let names: Vec<&str> = match ty {
            Type::Kind(PLAYER) => self.game.names().iter().map(String::as_str).collect(),
            Type::Kind(kind) => {
                let members = rules.kinds[kind.index()].members.iter();
                members.map(|member| member.name.as_str()).collect()
            }
            Type::Bool => vec!["no", "yes"],
            _ => {
                let number = word.parse().map(Value::Int);
                return number
                    .map_err(|_| plain(&format!("`{word}` is no number"), "type a number"));
            }
        };
        let at = names.iter().position(|name| *name == word);
        if let Some(at) = at.and_then(|at| i64::try_from(at).ok()) {
            return Ok(Value::Int(at));
        }
        let kind = match ty {
            Type::Kind(kind) => rules.kinds[kind.index()].name.as_str(),
            _ => "yes or no",
        };
        let help = match nearest(word, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        Err(plain(&format!("`{word}` is no {kind}"), &help))
    }

    // Conditions.

    /// Looks at the clauses in order; `held` counts those that held.
    fn clauses(&self, clauses: &[Clause], known: &mut Known, held: usize) -> Result<(), Failed> {
        let Some((clause, rest)) = clauses.split_first() else { return Ok(()) };
        let held = match clause {
            Clause::When(condition) if self.choose.order.is_some() => {
                if !self.is_yes(condition, known) {
                    let message = "this is not left of the order".to_owned();
                    let span = Some(condition.span);
                    return Err((
                        held,
                        Reason { message, span, help: None, unknown: false, understood: true },
                    ));
                }
                held + 1
            }
            Clause::When(condition) => self.holds(condition, known, held)?,
            Clause::Let(local, value) => {
                let value = self.compute(value, known);
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
                        self.all_taken_from(binder, &members, known, held)?
                    }
                    (Some(value), _) => {
                        let value = self.card_meant(&binder.set, value, known);
                        known.insert(binder.local, Storage::Known(value.clone()));
                        self.taken_from(binder, value, known, held)?
                    }
                    (None, Clause::Maybe(_)) => {
                        known.insert(binder.local, Storage::Known(Value::None));
                        held + 1
                    }
                    (None, _) if matches!(binder.set.ty, Type::Subsets(_)) => {
                        return Err((held, self.no_subset(binder)));
                    }
                    (None, _) => return self.any_member(binder, rest, known, held),
                }
            }
        };
        self.clauses(rest, known, held)
    }

    /// Whether a condition holds; of several joined by `and` each that does counts.
    fn holds(&self, condition: &Expr, known: &Known, held: usize) -> Result<usize, Failed> {
        if let ExprKind::And(a, b) = &condition.kind {
            let held = self.holds(a, known, held)?;
            return self.holds(b, known, held);
        }
        self.fails(condition, known).map_or(Ok(held + 1), |reason| Err((held, reason)))
    }

    /// Whether a member that was typed can be taken from where it must come from.
    fn taken_from(
        &self,
        binder: &Binder,
        value: Value,
        known: &Known,
        held: usize,
    ) -> Result<usize, Failed> {
        self.comes_from(&binder.set, value, known).map_err(|reason| (held, reason))?;
        match &binder.condition {
            Some(condition) => self.holds(condition, known, held + 1),
            None => Ok(held + 1),
        }
    }

    /// Whether a member is in a set.
    fn comes_from(&self, set: &Expr, value: Value, known: &Known) -> Result<(), Reason> {
        let member = Expr { kind: ExprKind::Value(value), ty: param_of(&set.ty), span: set.span };
        let test = Expr {
            kind: ExprKind::In(Box::new(member.clone()), Box::new(set.clone())),
            ty: Type::Bool,
            span: set.span,
        };
        if !self.is_yes(&test, known) {
            let (word, place) = (self.show(&member, known), self.text(set.span));
            let shown = self.show(set, known);
            let which = if shown == place { String::new() } else { format!(", which is {shown}") };
            let message = match self.choose.order {
                Some(_) => format!("`{word}` is not left of `{place}`: only {shown} is"),
                None => format!("`{word}` is not in `{place}`{which}"),
            };
            return Err(Reason {
                message,
                span: Some(set.span),
                help: None,
                unknown: false,
                understood: true,
            });
        }
        Ok(())
    }

    /// A name that is not typed: the move is legal if it is for one member.
    fn any_member(
        &self,
        binder: &Binder,
        rest: &[Clause],
        known: &Known,
        held: usize,
    ) -> Result<(), Failed> {
        let members = match self.compute(&binder.set, known) {
            Value::Set(members) => members,
            Value::Int(member) => vec![member],
            Value::None | Value::Text(_) => Vec::new(),
        };
        let text = self.text(binder.set.span);
        let span = Some(binder.set.span);
        let empty = format!("`{text}` is empty");
        let mut nearest =
            (held, Reason { message: empty, span, help: None, unknown: false, understood: true });
        for member in members {
            let mut known = known.clone();
            known.insert(binder.local, Storage::Known(Value::Int(member)));
            let tried = match &binder.condition {
                Some(condition) => self.holds(condition, &known, held + 1),
                None => Ok(held + 1),
            };
            match tried.and_then(|held| self.clauses(rest, &mut known, held)) {
                Ok(()) => return Ok(()),
                // Of those that come equally far the first is told.
                Err(failed) if failed.0 > nearest.0 => nearest = failed,
                Err(_) => {}
            }
        }
        Err(nearest)
    }

    /// Why a condition fails, if it does.
    fn fails(&self, condition: &Expr, known: &Known) -> Option<Reason> {
        if self.is_yes(condition, known) {
            return None;
        }
        let text = self.text(condition.span);
        let mut values = Vec::new();
        for part in shown_parts(condition) {
            let (words, value) = (self.text(part.span), self.show(part, known));
            let value = format!("`{words}` is {value}");
            if !values.contains(&value) && words != self.show(part, known) {
                values.push(value);
            }
        }
        let values =
            if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
        let message = format!("`{text}` does not hold{values}");
        let help = self.option_help(condition);
        Some(Reason { message, span: Some(condition.span), help, unknown: false, understood: true })
    }

    /// What to do about a condition that an option alone decides.
    fn option_help(&self, condition: &Expr) -> Option<String> {
        let (option, wanted) = match &condition.kind {
            ExprKind::Option(option) => (*option, "yes"),
            ExprKind::Not(inner) => match inner.kind {
                ExprKind::Option(option) => (option, "no"),
                _ => return None,
            },
            _ => return None,
        };
        let name = &self.game.rules().options[option.index()].name;
        Some(format!("this is an option of the game: play with `--option {name}={wanted}`"))
    }
}

/// The type of a printed name, and whether it may be left out.
fn param_type(option: &MoveOption, param: LocalId) -> (Type, bool) {
    for clause in &option.clauses {
        match clause {
            Clause::For(binder) if binder.local == param => {
                return (param_of(&binder.set.ty), false);
            }
            Clause::Maybe(binder) if binder.local == param => {
                return (param_of(&binder.set.ty), true);
            }
            Clause::Let(local, value) if *local == param => {
                return match &value.ty {
                    Type::Maybe(inner) => (inner.as_ref().clone(), true),
                    other => (other.clone(), false),
                };
            }
            _ => {}
        }
    }
    (Type::Number, false)
}

/// The type of one member.
fn param_of(ty: &Type) -> Type {
    match ty {
        Type::Set(domain) => domain.member_type(),
        Type::Subsets(domain) => Type::Set(*domain),
        Type::Maybe(inner) => inner.as_ref().clone(),
        Type::Span => Type::Number,
        other => other.clone(),
    }
}

fn plain(message: &str, help: &str) -> Reason {
    let (message, help) = (message.to_owned(), Some(help.to_owned()));
    Reason { message, span: None, help, unknown: false, understood: false }
}
