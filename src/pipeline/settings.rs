//! The settings that a game has: numbers of players and values of options; errors in settings.

use crate::compile::{Foreknown, MAX_STEPS, Specialisation, value_text};
use crate::diagnostic::diagnostics;
use crate::rules::{Expr, ExprKind, GameOption, PLAYER, Rules, Type, Value};

/// How many settings of a game are compiled when it is checked.
pub const MAX_COMBINATIONS: usize = 10_000;

/// How many steps the settings of a game may take beside the first one when it is checked: more
/// settings than this allows are not tried.
pub const MAX_COMPILED: u64 = 20_000_000;

/// How many values of options the settings have that are compiled when a game is checked.
const MAX_VALUES: usize = 1_000_000;

/// The steps that may be taken to find out what options can be are divided among so many numbers of players.
const MOST_NUMBERS_OF_PLAYERS: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionChoice {
    /// All of them, or, where there are too many, some.
    pub values: Vec<Value>,
    /// The lowest and highest number, if it is one.
    pub(crate) range: Option<(i64, Option<i64>)>,
    /// What it is unless something else is said.
    pub(crate) default: Value,
}

impl OptionChoice {
    pub(crate) fn is_in_range(&self, number: i64) -> bool {
        self.range
            .is_some_and(|(low, high)| low <= number && high.is_none_or(|high| number <= high))
    }

    /// The value that words stand for, if the option can have it.
    pub(super) fn parse_value(&self, rules: &Rules, ty: &Type, words: &str) -> Option<Value> {
        let named = self.values.iter().find(|value| value_text(rules, ty, value) == words);
        let number =
            || words.parse().ok().filter(|number| self.is_in_range(*number)).map(Value::Int);
        named.cloned().or_else(number)
    }

    /// The values in words: `yes or no`, `1..9`.
    pub(crate) fn describe_values(&self, rules: &Rules, ty: &Type) -> String {
        if let Some((low, high)) = self.range {
            let high = high.map_or_else(String::new, |high| high.to_string());
            let none = if matches!(ty, Type::Maybe(_)) { " or none" } else { "" };
            return format!("{low}..{high}{none}");
        }
        let names = self.values.iter().map(|value| value_text(rules, ty, value));
        names.collect::<Vec<_>>().join(" or ")
    }
}

/// For each option the values that it can have with this many players.
pub fn choices(rules: &Rules, players: usize) -> Vec<OptionChoice> {
    // Defaults may read earlier options; later ones are not read by any.
    let mut setting = Specialisation { players, options: vec![Value::None; rules.options.len()] };
    let mut choices = Vec::new();
    let mut left = MAX_STEPS / MOST_NUMBERS_OF_PLAYERS;
    for (at, option) in rules.options.iter().enumerate() {
        let choice = choice(rules, option, &setting, &mut left);
        setting.options[at] = choice.default.clone();
        choices.push(choice);
    }
    choices
}

/// What an option can be; `left` are the steps that may be taken to find it out.
fn choice(
    rules: &Rules,
    option: &GameOption,
    setting: &Specialisation,
    left: &mut usize,
) -> OptionChoice {
    let range = option.range.map(|range| &rules.ranges[range.index()]);
    let ends = range.iter().flat_map(|range| [Some(&range.low), range.high.as_ref()]).flatten();
    let literal = |expr: &Expr| match &expr.kind {
        ExprKind::Value(value) => Some(value.clone()),
        _ => None,
    };
    let plain = ends.chain([&option.default]).all(|expr| literal(expr).is_some());
    // Few options need what earlier ones are.
    let known = (!plain).then(|| Foreknown::new(rules, setting.clone(), *left));
    let value = |expr: &Expr| match &known {
        Some(known) => known.value(expr),
        None => literal(expr),
    };
    let default = value(&option.default).unwrap_or(Value::None);
    // A range that cannot be computed is an error of the compiler.
    let number = |expr: &Expr| match value(expr) {
        Some(Value::Int(number)) => number,
        _ => 0,
    };
    let range = range.map(|range| (number(&range.low), range.high.as_ref().map(number)));
    *left = known.map_or(*left, |known| known.left());
    let values = option_values(rules, &option.ty, range, &default, setting);
    OptionChoice { values, range, default }
}

fn option_values(
    rules: &Rules,
    ty: &Type,
    range: Option<(i64, Option<i64>)>,
    default: &Value,
    setting: &Specialisation,
) -> Vec<Value> {
    let count = |count: usize| (0..).map(Value::Int).take(count).collect::<Vec<_>>();
    match ty {
        Type::Bool => count(2),
        Type::Kind(PLAYER) => count(setting.players),
        Type::Kind(kind) => {
            let own = rules.kinds[kind.index()].own_members();
            own.into_iter().filter_map(|at| i64::try_from(at).ok()).map(Value::Int).collect()
        }
        Type::Maybe(inner) => {
            let mut values = option_values(rules, inner, range, default, setting);
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
pub fn every(rules: &Rules) -> Vec<Specialisation> {
    at_most(rules, usize::MAX).0
}

/// Each number of players with the defaults, and, for the usual number, each value of each option
/// beside the defaults of the others; at most so many, and whether these are all.
pub(super) fn each_setting(rules: &Rules, most: usize) -> (Vec<Specialisation>, bool) {
    let players = rules
        .player_counts()
        .map(|players| SettingGrid::from_rules(rules, players).with_option(None));
    let usual = SettingGrid::from_rules(rules, rules.usual_players);
    let mut settings = players.chain(usual.others().map(|other| usual.with_option(Some(other))));
    let some = settings.by_ref().take(most).collect();
    (some, settings.next().is_none())
}

/// Of the settings of a game at most so many: all of them, or else each value of each option beside
/// the defaults of the others, as evenly as there is room; and whether these are all.
pub(super) fn at_most(rules: &Rules, most: usize) -> (Vec<Specialisation>, bool) {
    let tables: Vec<SettingGrid> =
        rules.player_counts().map(|players| SettingGrid::from_rules(rules, players)).collect();
    let most = most.min(MAX_VALUES / rules.options.len().max(1)).max(1);
    let whole = tables.iter().all(|table| table.combinations.is_some());
    let beside: usize = tables.iter().map(|table| table.single_changes().count()).sum();
    let count =
        tables.iter().map(|it| it.combinations.unwrap_or_else(|| it.single_changes().count()));
    if count.fold(0, usize::saturating_add) <= most {
        return (tables.iter().flat_map(SettingGrid::all_settings).collect(), whole);
    }
    let step = beside.div_ceil(most).max(1);
    let some =
        tables.iter().flat_map(|table| table.single_changes().map(move |other| (table, other)));
    (some.step_by(step).map(|(table, other)| table.with_option(other)).collect(), false)
}

/// A value of an option, which its position names, that is not its default.
type Other<'a> = (usize, &'a Value);

/// The settings for one number of players, none of them made before it is needed.
struct SettingGrid {
    players: usize,
    choices: Vec<OptionChoice>,
    /// How many combinations of options there are, if these are not too many.
    combinations: Option<usize>,
}

impl SettingGrid {
    fn from_rules(rules: &Rules, players: usize) -> SettingGrid {
        let choices = choices(rules, players);
        let combinations = choices
            .iter()
            .try_fold(1_usize, |product, choice| product.checked_mul(choice.values.len().max(1)))
            .filter(|product| *product <= MAX_COMBINATIONS / rules.player_counts().count());
        SettingGrid { players, choices, combinations }
    }

    /// All settings, or where they are too many, those beside the defaults.
    fn all_settings(&self) -> Vec<Specialisation> {
        match self.combinations {
            Some(count) => (0..count).map(|number| self.combination(number)).collect(),
            None => self.single_changes().map(|other| self.with_option(other)).collect(),
        }
    }

    fn combination(&self, mut number: usize) -> Specialisation {
        let options = self.choices.iter().map(|choice| {
            let count = choice.values.len().max(1);
            let value = choice.values.get(number % count).unwrap_or(&choice.default);
            number /= count;
            value.clone()
        });
        Specialisation { players: self.players, options: options.collect() }
    }

    fn others(&self) -> impl Iterator<Item = Other<'_>> {
        self.choices.iter().enumerate().flat_map(|(at, choice)| {
            let others = choice.values.iter().filter(|value| **value != choice.default);
            others.map(move |value| (at, value))
        })
    }

    /// The ways to differ from the defaults in one option at most, the defaults first.
    fn single_changes(&self) -> impl Iterator<Item = Option<Other<'_>>> {
        std::iter::once(None).chain(self.others().map(Some))
    }

    /// The defaults, but for one option.
    fn with_option(&self, other: Option<Other>) -> Specialisation {
        let mut options: Vec<Value> = self.choices.iter().map(|it| it.default.clone()).collect();
        if let Some((at, value)) = other {
            options[at] = value.clone();
        }
        Specialisation { players: self.players, options }
    }
}

diagnostics! {
    // A wrong number of players or a wrong option, given on a command line or in a script.

    setting::players => (given, allowed; span),
        "this game cannot be played by {given}", span: "this number of players",
        help: "it is for {allowed}";
    setting::unknown_option => (name, help; span),
        "there is no option `{name}`", span: "not an option of this game", help: help;
    setting::bad_value => BadValue { name, value, allowed; span },
        "the option `{name}` cannot be `{value}`", span: "not one of its values",
        help: "it can be {allowed}";

    // An option whose default is none of its values.

    setting::default => bad_default(name, players, default, allowed; span),
        "with {players} players the default of `{name}` is {default}, outside of {allowed}",
        span: "not one of its values",
        help: "change the default, or widen the range";

    // Advice: the file has too many settings to check each of them.

    setting::sampled => (; span),
        "there are too many combinations of options to check all of them",
        span: "with the options from here on",
        severity: Advice,
        help: "each value was checked beside the defaults of the other options; `check --play \
            1000` tries random combinations";

    // A move that no setting offers.

    setting::never_legal => (name; span),
        "the move `{name}` can never be legal", span: "never offered",
        severity: Warning,
        help: "its conditions hold in no setting: look at its `when` and `where`, or take it out";
}
