//! Settings of a game: what numbers are with so many players and such options, and what options are called.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::compile::{Foreknown, MAX_STEPS, Specialisation, constant};
use crate::rulebook::english::join_list;
use crate::rulebook::{Book, STEPS_OF_A_PIECE, title_or_name};
use crate::rules::{Expr, ExprKind, Rules, Type, Value};

impl Book<'_> {
    /// What is said while options have their names.
    pub(super) fn with_options<T>(&self, say: impl FnOnce() -> T) -> T {
        let before = self.names_options.replace(true);
        let said = say();
        self.names_options.set(before);
        said
    }

    /// A constant for people: `5`, or `5 with 2 players, 4 with 3`.
    pub(super) fn describe_amount(&self, expr: &Expr) -> Option<String> {
        let value = |known| Some(self.describe_value(&self.under(known, expr)?, &expr.ty));
        let mut values: Vec<String> = self.known.iter().map(value).collect::<Option<_>>()?;
        if values.iter().all(|value| *value == values[0]) {
            values.truncate(1);
        } else {
            for (at, (value, setting)) in values.iter_mut().zip(&self.settings).enumerate() {
                *value = match (at, setting.players) {
                    (0, 1) => format!("{value} with 1 player"),
                    (0, players) => format!("{value} with {players} players"),
                    (_, players) => format!("{value} with {players}"),
                };
            }
        }
        let mut text = values.join(", ");
        if !self.fixed {
            let mut options = BTreeSet::new();
            self.collect_options(expr, &mut options);
            if let (1, Some(at)) = (options.len(), options.first())
                && let Some(other) = self.other_amount(expr, *at)
            {
                return Some(text + &other);
            }
            let names = options.into_iter().map(|at| self.option_name(at));
            let word = if names.len() > 1 { "options" } else { "option" };
            let reads_any = names.len() > 0;
            text.extend(reads_any.then(|| format!(" ({word} {})", join_list(names, "and"))));
        }
        Some(text)
    }

    /// What an amount is where an option of yes or no is set otherwise: `; 30 with *hard mode*`.
    pub(super) fn other_amount(&self, expr: &Expr, at: usize) -> Option<String> {
        let usual = match (&self.rules.options[at].ty, self.settings.first()?.options.get(at)?) {
            (Type::Bool, Value::Int(usual)) => *usual,
            _ => return None,
        };
        let steps = MAX_STEPS / self.settings.len().max(1);
        let values = self.settings.iter().map(|setting| {
            let mut other = setting.clone();
            other.options[at] = Value::Int(1 - usual);
            self.budget.charge(self.rules.ranges.len());
            self.under(&Foreknown::new(self.rules, other, steps), expr)
        });
        let values: Vec<Value> = values.collect::<Option<_>>()?;
        let (first, rest) = values.split_first()?;
        let word = if usual == 0 { "with" } else { "without" };
        rest.iter().all(|it| it == first).then(|| {
            let first = self.describe_value(first, &expr.ty);
            format!("; {first} {word} the option {}", self.option_name(at))
        })
    }

    /// Whether a number is one that people may agree on.
    pub(super) fn is_agreed(&self, expr: &Expr) -> bool {
        let is_option = match expr.kind {
            ExprKind::Option(_) => true,
            ExprKind::Constant(id) => {
                matches!(self.rules.constants[id.index()].value.kind, ExprKind::Option(_))
            }
            _ => false,
        };
        is_option && expr.ty == Type::Number && !self.fixed && !self.keeps_names
    }

    /// The options that an expression reads, itself or through constants.
    pub(super) fn collect_options(&self, expr: &Expr, found: &mut BTreeSet<usize>) {
        expr.visit_tree(&mut |part| match part.kind {
            ExprKind::Option(id) => {
                found.insert(id.index());
            }
            ExprKind::Constant(id) if self.optional[id.index()] => {
                self.collect_options(&self.rules.constants[id.index()].value, found);
            }
            _ => {}
        });
    }

    /// What an option is called: what its title says, without what it explains behind a colon.
    pub(super) fn option_name(&self, at: usize) -> String {
        let title = self.option_title(at);
        format!("*{}*", title.split(": ").next().unwrap_or_default())
    }

    pub(super) fn option_title(&self, at: usize) -> String {
        let option = &self.rules.options[at];
        title_or_name(&option.title, &option.name).trim_end_matches('.').to_owned()
    }

    /// Whether an expression reads an option, itself or through a constant.
    pub(super) fn reads_options(&self, expr: &Expr) -> bool {
        expr.any(|part| match part.kind {
            ExprKind::Option(_) => true,
            ExprKind::Constant(id) => self.optional[id.index()],
            _ => false,
        })
    }
}

/// A setting for each number of players, with these values of options; the others have their defaults.
pub(crate) fn settings_with(
    rules: &Rules,
    chosen: &[(usize, Value)],
    budget: &Budget,
) -> Vec<Specialisation> {
    rules.player_counts().map(|players| setting_with(rules, players, chosen, budget)).collect()
}

/// Defaults may read earlier options.
fn setting_with(
    rules: &Rules,
    players: usize,
    chosen: &[(usize, Value)],
    budget: &Budget,
) -> Specialisation {
    let mut setting = Specialisation { players, options: vec![Value::None; rules.options.len()] };
    for (at, option) in rules.options.iter().enumerate() {
        let chosen = chosen.iter().find(|(of, _)| *of == at).map(|(_, value)| value);
        let known = match &option.default.kind {
            ExprKind::Value(value) => Some(value),
            _ => None,
        };
        if let Some(value) = chosen.or(known) {
            setting.options[at] = value.clone();
            continue;
        }
        // All ranges are computed for it.
        budget.turn_to(option.span);
        budget.charge(rules.options.len() + STEPS_OF_A_PIECE * rules.ranges.len());
        if budget.is_spent() {
            break;
        }
        let value = constant(rules, &setting, &option.default);
        setting.options[at] = value.unwrap_or(Value::None);
    }
    setting
}

/// For each constant, whether its value depends on options, directly or through other constants.
pub(super) fn optional(rules: &Rules) -> Vec<bool> {
    let mut optional = vec![false; rules.constants.len()];
    let mut needed_by = vec![Vec::new(); rules.constants.len()];
    let mut settled = Vec::new();
    for (at, constant) in rules.constants.iter().enumerate() {
        constant.value.visit_tree(&mut |part| match &part.kind {
            ExprKind::Option(_) => settled.push(at),
            ExprKind::Constant(id) => needed_by[id.index()].push(at),
            _ => {}
        });
    }
    while let Some(at) = settled.pop() {
        if !std::mem::replace(&mut optional[at], true) {
            settled.append(&mut needed_by[at]);
        }
    }
    optional
}
