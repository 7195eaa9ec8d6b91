//! Values of the rules as text.

use crate::check::rules::{PLAYER, Rules, Type, Value};

/// For whom a value is put into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// For people: members by their titles, sets without braces.
    Said,
    /// As it is typed: members by their names, sets in braces.
    Typed,
    /// As a file has it: typed, and texts in quotes.
    Code,
}

/// Returns a constant as it is typed.
pub fn value_text(rules: &Rules, ty: &Type, value: &Value) -> String {
    value_words(rules, &[], (ty, value), Manner::Typed)
}

/// Returns a value in words; players have the names that are given.
pub fn value_words(
    rules: &Rules,
    names: &[String],
    (ty, value): (&Type, &Value),
    manner: Manner,
) -> String {
    match (ty, value) {
        (_, Value::None) => "none".to_owned(),
        (Type::Maybe(inner), value) => value_words(rules, names, (inner, value), manner),
        (Type::Bool, Value::Int(0)) => "no".to_owned(),
        (Type::Bool, Value::Int(_)) => "yes".to_owned(),
        (Type::Kind(PLAYER), Value::Int(seat)) => {
            let name = usize::try_from(*seat).ok().and_then(|seat| names.get(seat));
            name.cloned().unwrap_or_else(|| format!("Player.{}", seat + 1))
        }
        (Type::Kind(kind), Value::Int(member)) => {
            let members = &rules.kinds[kind.index()].members;
            let member = usize::try_from(*member).ok().and_then(|member| members.get(member));
            member.map_or_else(String::new, |member| match manner {
                Manner::Said => member.title.clone(),
                Manner::Typed | Manner::Code => member.name.clone(),
            })
        }
        (_, Value::Int(number)) => number.to_string(),
        (ty, Value::Set(members)) => {
            let member = match ty {
                Type::Set(domain) => domain.member_type(),
                _ => Type::Number,
            };
            let member = |it: &i64| value_words(rules, names, (&member, &Value::Int(*it)), manner);
            let all = members.iter().map(member).collect::<Vec<_>>().join(", ");
            match manner {
                Manner::Typed | Manner::Code => format!("{{{all}}}"),
                Manner::Said if all.is_empty() => "nothing".to_owned(),
                Manner::Said => all,
            }
        }
        (_, Value::Text(text)) if manner == Manner::Code => format!("\"{text}\""),
        (_, Value::Text(text)) => text.clone(),
    }
}
