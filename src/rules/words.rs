//! Types, values and effects in words.

use crate::rules::print::expression_text;
use crate::rules::{Domain, Effects, Expr, PLAYER, RangeId, Rules, Type, Value, literal};

/// How a type without parts is written in a file, and what its values are called in messages.
fn fixed_words(ty: &Type) -> Option<(&'static str, &'static str)> {
    Some(match ty {
        Type::Unknown => ("?", "something unknown"),
        Type::Nothing => ("nothing", "no value"),
        Type::Number => ("number", "a number"),
        Type::Bool => ("yes/no", "yes or no"),
        Type::Text => ("text", "a text"),
        Type::Span => ("range", "a range of numbers"),
        Type::Pile(_) => ("cards", "a pile of cards"),
        Type::None => ("none", "`none`"),
        Type::EmptySet => ("{}", "an empty set"),
        Type::Kind(_)
        | Type::Set(_)
        | Type::List(..)
        | Type::Maybe(_)
        | Type::Bag(_)
        | Type::Subsets(_)
        | Type::Lists(..) => return None,
    })
}

pub(crate) fn type_code(rules: &Rules, ty: &Type) -> String {
    match ty {
        Type::Kind(kind) => rules.kinds[kind.index()].name.clone(),
        Type::Set(domain) => format!("set of {}", domain_code(rules, *domain)),
        Type::List(domain, most) => format!("list of {} up to {most}", domain_code(rules, *domain)),
        Type::Bag(kind) => format!("bag of {}", rules.kinds[kind.index()].name),
        Type::Maybe(inner) => format!("maybe {}", type_code(rules, inner)),
        Type::Subsets(domain) => format!("subsets of {}", domain_code(rules, *domain)),
        _ => fixed_words(ty).map(|(code, _)| code.to_owned()).unwrap_or_default(),
    }
}

pub(crate) fn domain_code(rules: &Rules, domain: Domain) -> String {
    match domain {
        Domain::Kind(kind) => rules.kinds[kind.index()].name.clone(),
        Domain::Range(range) => range_code(rules, range),
    }
}

pub(crate) fn range_code(rules: &Rules, range: RangeId) -> String {
    let range = &rules.ranges[range.index()];
    let bound = |expr: &Expr| expression_text(rules, &[], expr);
    format!("{}..{}", bound(&range.low), range.high.as_ref().map(bound).unwrap_or_default())
}

/// Ascending numbers with runs of them as ranges: `2`, `4..6`.
pub(crate) fn join_ranges(counts: impl IntoIterator<Item = usize>, dots: &str) -> Vec<String> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for count in counts {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == count => *last = count,
            _ => runs.push((count, count)),
        }
    }
    let run_text = |(low, high): (usize, usize)| {
        if low == high { low.to_string() } else { format!("{low}{dots}{high}") }
    };
    runs.into_iter().map(run_text).collect()
}

/// How many can play: `2 to 4 players`, `2, 4 or 6 players`.
pub(crate) fn how_many(counts: impl IntoIterator<Item = usize>) -> String {
    let mut parts = join_ranges(counts, " to ");
    let last = parts.pop().unwrap_or_default();
    let s = if parts.is_empty() && last == "1" { "" } else { "s" };
    let before = if parts.is_empty() { String::new() } else { format!("{} or ", parts.join(", ")) };
    format!("{before}{last} player{s}")
}

/// A count with its word: `1 cell`, `3 cells`.
pub(crate) fn format_count(count: usize, word: &str) -> String {
    match count {
        0 => format!("no {word}"),
        1 => format!("1 {word}"),
        _ if word == "index" => format!("{count} indices"),
        _ => format!("{count} {word}s"),
    }
}

/// For whom a value is put into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PrintManner {
    /// For people: members by their titles, sets without braces.
    Said,
    /// As it is typed: members by their names, sets in braces.
    Typed,
    /// As a file has it: typed, and texts in quotes.
    Code,
}

/// Returns a constant as it is typed.
pub fn value_text(rules: &Rules, ty: &Type, value: &Value) -> String {
    value_words(rules, &[], (ty, value), PrintManner::Typed)
}

/// Returns a value in words; players have the names that are given.
pub(crate) fn value_words(
    rules: &Rules,
    names: &[String],
    (ty, value): (&Type, &Value),
    manner: PrintManner,
) -> String {
    match (ty, value) {
        (_, Value::None) => "none".to_owned(),
        (Type::Maybe(inner), value) => value_words(rules, names, (inner, value), manner),
        (Type::Bool, Value::Int(0)) => "no".to_owned(),
        (Type::Bool, Value::Int(_)) => "yes".to_owned(),
        (Type::Kind(PLAYER), Value::Int(seat)) => {
            let at = usize::try_from(*seat).unwrap_or(usize::MAX);
            let seat = rules.kinds[PLAYER.index()].members.get(at);
            match (names.get(at), seat) {
                (Some(name), Some(seat)) if manner == PrintManner::Said => {
                    format!("{name} ({})", seat.title)
                }
                (Some(name), _) => name.clone(),
                (None, Some(seat)) if manner == PrintManner::Said => seat.title.clone(),
                (None, Some(seat)) => seat.name.clone(),
                (None, None) => format!("Player.{}", at + 1),
            }
        }
        (Type::Kind(kind), Value::Int(member)) => {
            let members = &rules.kinds[kind.index()].members;
            let member = usize::try_from(*member).ok().and_then(|member| members.get(member));
            member.map_or_else(String::new, |member| match manner {
                PrintManner::Said => member.title.clone(),
                PrintManner::Typed | PrintManner::Code => member.name.clone(),
            })
        }
        (_, Value::Int(number)) => number.to_string(),
        (ty, value @ (Value::Set(members) | Value::List(members))) => {
            let member = match ty {
                Type::Set(domain) | Type::List(domain, _) => domain.member_type(),
                _ => Type::Number,
            };
            let member = |it: &i64| value_words(rules, names, (&member, &Value::Int(*it)), manner);
            let all = members.iter().map(member).collect::<Vec<_>>().join(", ");
            match manner {
                PrintManner::Typed | PrintManner::Code if matches!(value, Value::List(_)) => {
                    format!("[{all}]")
                }
                PrintManner::Typed | PrintManner::Code => format!("{{{all}}}"),
                PrintManner::Said if all.is_empty() => "nothing".to_owned(),
                PrintManner::Said => all,
            }
        }
        (_, Value::Text(text)) if manner == PrintManner::Code => format!("\"{text}\""),
        (_, Value::Text(text)) => text.clone(),
    }
}

/// What a rule does, in words: `changes the state and may draw or ask`.
pub(crate) fn effects_text(effects: Effects) -> String {
    let effects_text = [
        (effects.changes, "changes the state"),
        (effects.says, "says something"),
        (effects.pauses, "may draw or ask"),
        (effects.finishes, "ends the game"),
    ];
    let effects_text: Vec<&str> =
        effects_text.into_iter().filter(|(does, _)| *does).map(|(_, effect)| effect).collect();
    match effects_text.split_last() {
        None => "pure".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

impl Rules {
    /// A short name for an index: the first letter of its kind.
    pub(crate) fn index_name(&self, dim: Domain) -> String {
        let code = domain_code(self, dim);
        let first = code.chars().next().filter(char::is_ascii_alphabetic).unwrap_or('n');
        first.to_ascii_lowercase().to_string()
    }

    pub(crate) fn describe_type(&self, ty: &Type) -> String {
        match ty {
            Type::Kind(kind) => {
                let name = &self.kind_at(*kind).name;
                let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
                format!("{article} `{name}`")
            }
            Type::Subsets(_) => "the subsets of a set".to_owned(),
            Type::Lists(..) => "all lists".to_owned(),
            _ => match fixed_words(ty) {
                Some((_, name)) => name.to_owned(),
                None => format!("a `{}`", type_code(self, ty)),
            },
        }
    }

    /// How a variable, table or local array is written, with its indices.
    pub(crate) fn indexed_form(&self, name: &str, dims: &[Domain]) -> String {
        if dims.is_empty() {
            return name.to_owned();
        }
        let indices: Vec<String> = dims.iter().map(|dim| self.example_of(*dim)).collect();
        format!("{name}[{}]", indices.join(", "))
    }

    /// A member of a finite type, as it is written.
    fn example_of(&self, dim: Domain) -> String {
        let example = match dim {
            Domain::Kind(PLAYER) => Some("p".to_owned()),
            Domain::Kind(kind) => {
                let first = self.kind_at(kind).own_members().first().copied();
                first.map(|first| self.kind_at(kind).members[first].name.clone())
            }
            Domain::Range(range) => {
                literal(&self.ranges[range.index()].low).map(|low| low.to_string())
            }
        };
        example.unwrap_or_else(|| self.index_name(dim))
    }
}
