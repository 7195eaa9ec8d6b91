//! The settings that a game has: numbers of players and values of options.

use crate::check::rules::{GameOption, PLAYER, Rules, Type, Value};
use crate::compile::{Setting, constant, value_text};

/// How many settings of a game are compiled when it is checked.
pub const MAX_COMBINATIONS: usize = 10_000;

/// How many operations are compiled when a game is checked, all its settings together: more settings
/// than this allows are not tried.
pub const MAX_COMPILED: usize = 600_000;

/// The values that an option can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// All of them, or, where there are too many, some.
    pub values: Vec<Value>,
    /// The lowest and highest number, if it is one.
    pub range: Option<(i64, Option<i64>)>,
    /// What it is unless something else is said.
    pub default: Value,
}

impl Choice {
    /// Whether a number lies in the range.
    pub fn contains(&self, number: i64) -> bool {
        self.range
            .is_some_and(|(low, high)| low <= number && high.is_none_or(|high| number <= high))
    }

    /// The values in words: `yes or no`, `1..9`.
    pub fn text(&self, rules: &Rules, ty: &Type) -> String {
        if let Some((low, high)) = self.range {
            let high = high.map_or_else(String::new, |high| high.to_string());
            let none = if matches!(ty, Type::Maybe(_)) { " or none" } else { "" };
            return format!("{low}..{high}{none}");
        }
        let names: Vec<String> =
            self.values.iter().map(|value| value_text(rules, ty, value)).collect();
        names.join(" or ")
    }
}

/// For each option the values that it can have with this many players.
pub fn choices(rules: &Rules, players: usize) -> Vec<Choice> {
    let mut options = Vec::new();
    let mut choices = Vec::new();
    for option in &rules.options {
        let setting = Setting { players, options: padded(&options, rules.options.len()) };
        let choice = choice(rules, option, &setting);
        options.push(choice.default.clone());
        choices.push(choice);
    }
    choices
}

/// Defaults may read earlier options; later ones are not read by any.
fn padded(options: &[Value], length: usize) -> Vec<Value> {
    let mut padded = options.to_vec();
    padded.resize(length, Value::None);
    padded
}

fn choice(rules: &Rules, option: &GameOption, setting: &Setting) -> Choice {
    let default = constant(rules, setting, &option.default).unwrap_or(Value::None);
    let range = option.range.map(|range| {
        let range = &rules.ranges[range.index()];
        let number = |expr| match constant(rules, setting, expr) {
            Some(Value::Int(number)) => number,
            _ => 0,
        };
        (number(&range.low), range.high.as_ref().map(number))
    });
    let values = values(rules, &option.ty, range, &default, setting);
    Choice { values, range, default }
}

fn values(
    rules: &Rules,
    ty: &Type,
    range: Option<(i64, Option<i64>)>,
    default: &Value,
    setting: &Setting,
) -> Vec<Value> {
    let count = |count: usize| (0..).map(Value::Int).take(count).collect::<Vec<_>>();
    match ty {
        Type::Bool => count(2),
        Type::Kind(PLAYER) => count(setting.players),
        Type::Kind(kind) => {
            let own = rules.kinds[kind.index()].own();
            own.into_iter().filter_map(|at| i64::try_from(at).ok()).map(Value::Int).collect()
        }
        Type::Maybe(inner) => {
            let mut values = values(rules, inner, range, default, setting);
            values.push(Value::None);
            values
        }
        _ => {
            // Numbers are tried at their ends; what lies between differs in nothing but the number.
            let (low, high) = range.unwrap_or((0, None));
            let mut numbers: Vec<i64> = [Some(low), high].into_iter().flatten().collect();
            if let Value::Int(number) = default {
                numbers.push(*number);
            }
            numbers.sort_unstable();
            numbers.dedup();
            numbers.into_iter().map(Value::Int).collect()
        }
    }
}

/// Every setting of a game; where there are too many, each value of each option beside the
/// defaults of the others.
pub fn every(rules: &Rules) -> Vec<Setting> {
    let (fewest, most) = rules.players;
    let mut settings = Vec::new();
    for players in fewest..=most {
        let choices = choices(rules, players);
        match combinations(rules, &choices) {
            Some(combinations) => settings
                .extend((0..combinations).map(|number| combination(players, &choices, number))),
            None => settings.extend(one_by_one(players, &choices)),
        }
    }
    settings
}

/// Of the settings of a game at most so many: all of them, or else each value of each option beside
/// the defaults of the others, as evenly as there is room; and whether these are all.
pub(super) fn at_most(rules: &Rules, most: usize) -> (Vec<Setting>, bool) {
    let all = every(rules);
    if all.len() <= most {
        return (all, !is_sampled(rules));
    }
    let (fewest, highest) = rules.players;
    let some = (fewest..=highest).flat_map(|players| one_by_one(players, &choices(rules, players)));
    let some: Vec<Setting> = some.collect();
    let step = some.len().div_ceil(most.max(1)).max(1);
    (some.into_iter().step_by(step).collect(), false)
}

/// Whether a game has too many settings, so that [`every`] gives only some of them.
pub fn is_sampled(rules: &Rules) -> bool {
    let (fewest, most) = rules.players;
    (fewest..=most).any(|players| combinations(rules, &choices(rules, players)).is_none())
}

/// How many combinations of options there are for one number of players, if these are not too
/// many.
fn combinations(rules: &Rules, choices: &[Choice]) -> Option<usize> {
    let (fewest, most) = rules.players;
    choices
        .iter()
        .try_fold(1_usize, |product, choice| product.checked_mul(choice.values.len().max(1)))
        .filter(|product| *product <= MAX_COMBINATIONS / (most - fewest + 1))
}

fn combination(players: usize, choices: &[Choice], number: usize) -> Setting {
    let mut left = number;
    let mut options = Vec::new();
    for choice in choices {
        let count = choice.values.len().max(1);
        let value = choice.values.get(left % count).unwrap_or(&choice.default);
        options.push(value.clone());
        left /= count;
    }
    Setting { players, options }
}

fn one_by_one(players: usize, choices: &[Choice]) -> Vec<Setting> {
    let defaults: Vec<Value> = choices.iter().map(|choice| choice.default.clone()).collect();
    let mut settings = vec![Setting { players, options: defaults.clone() }];
    for (at, choice) in choices.iter().enumerate() {
        for value in choice.values.iter().filter(|value| **value != choice.default) {
            let mut options = defaults.clone();
            options[at] = value.clone();
            settings.push(Setting { players, options });
        }
    }
    settings
}
