//! Types: members, maybes, the type that two have in common.

use crate::rules::{Domain, KindId, Type, Value};

/// The kind whose members are expected, if the type says which.
pub(crate) fn member_kind(ty: &Type) -> Option<KindId> {
    match ty {
        Type::Kind(kind) | Type::Set(Domain::Kind(kind)) | Type::List(Domain::Kind(kind), _) => {
            Some(*kind)
        }
        Type::Maybe(inner) => member_kind(inner),
        _ => None,
    }
}

/// What is in a maybe; any other type as it is.
pub(crate) fn unwrap_maybe(ty: &Type) -> &Type {
    if let Type::Maybe(inner) = ty { inner } else { ty }
}

/// The maybe of a type that has one; any other type as it is.
pub(crate) fn maybe_if_any(ty: Type) -> Type {
    if has_maybe(&ty) { Type::Maybe(Box::new(ty)) } else { ty }
}

pub(crate) fn has_maybe(ty: &Type) -> bool {
    matches!(ty, Type::Number | Type::Bool | Type::Text | Type::Kind(_))
}

/// The type that both fit, if there is one.
pub(crate) fn join_types(a: &Type, b: &Type) -> Option<Type> {
    match (a, b) {
        _ if a == b => Some(a.clone()),
        (Type::Unknown, _) | (_, Type::Unknown) => Some(Type::Unknown),
        (Type::List(one, short), Type::List(other, long)) => {
            (one == other).then_some(Type::List(*one, *short.max(long)))
        }
        (Type::Set(_), Type::List(..)) | (Type::List(..), Type::Set(_)) => None,
        (Type::Set(domain), other) | (other, Type::Set(domain)) => {
            let fits = *other == Type::Set(*domain)
                || *unwrap_maybe(other) == domain.member_type()
                || matches!(other, Type::None | Type::EmptySet);
            fits.then_some(Type::Set(*domain))
        }
        (Type::EmptySet, other) | (other, Type::EmptySet) => match unwrap_maybe(other) {
            Type::Kind(kind) => Some(Type::Set(Domain::Kind(*kind))),
            Type::None => Some(Type::EmptySet),
            _ => None,
        },
        (Type::None, other) | (other, Type::None) if has_maybe(unwrap_maybe(other)) => {
            Some(maybe_if_any(other.clone()))
        }
        (Type::Maybe(inner), other) | (other, Type::Maybe(inner)) if **inner == *other => {
            Some(maybe_if_any(other.clone()))
        }
        _ => None,
    }
}

/// What stands in a cell that nobody reads.
pub(crate) fn filler(ty: &Type) -> Value {
    match ty {
        Type::Set(_) => Value::Set(Vec::new()),
        Type::Maybe(_) => Value::None,
        Type::Text => Value::Text(String::new()),
        _ => Value::Int(0),
    }
}

pub(crate) fn with_kind(ty: &Type, kind: KindId) -> Type {
    match ty {
        Type::Kind(_) => Type::Kind(kind),
        Type::Set(Domain::Kind(_)) => Type::Set(Domain::Kind(kind)),
        Type::Maybe(inner) => Type::Maybe(Box::new(with_kind(inner, kind))),
        other => other.clone(),
    }
}
