//! Removes declarations of the base, or parts of them.

use crate::diagnostic::{Diagnostic, Help};
use crate::load::error;
use crate::load::extend::change_choice;
use crate::load::names::{item_head, plain_text};
use crate::source::Span;
use crate::suggest::nearest;
use crate::syntax::ast::{
    AlwaysDecl, Cell, CellKind, ExprKind, Item, ItemKind, KindBody, KindDecl, MoveLine, Name,
    Removal, TableBody,
};
use crate::syntax::print_expression;

/// Takes a declaration out, or parts of it. What still uses it is found by the checks of the whole.
pub(super) fn remove_declaration(
    items: &mut Vec<Item>,
    removal: Removal,
    span: Span,
) -> Result<(), Diagnostic> {
    match removal {
        Removal::Always(always) => remove_always(items, &always, span),
        Removal::Named { words, name: Some(name), parts } if words == "choose" => {
            remove_choices(items, &name, &parts)
        }
        Removal::Named { words, name, parts } if parts.is_empty() => {
            remove_whole(items, &words, name.as_ref(), span)
        }
        Removal::Named { words, name, parts } => {
            let text = name.as_ref().map(|name| name.text.as_str());
            if !items.iter().any(|it| is_called(it, &words, text)) {
                return Err(no_such(items, &words, name.as_ref(), span));
            }
            let place = format!("{words} {}", text.unwrap_or("…"));
            remove_each(&parts, &place, |part, known| {
                let mut is_found = false;
                for item in items.iter_mut().filter(|it| is_called(it, &words, text)) {
                    is_found |= remove_part(&mut item.kind, part, known);
                }
                Ok(is_found)
            })
        }
    }
}

/// Takes parts out of a place one after another: `remove` says whether one was there, and else adds which are.
fn remove_each(
    parts: &[Name],
    place: &str,
    mut remove: impl FnMut(&str, &mut Vec<String>) -> Result<bool, Diagnostic>,
) -> Result<(), Diagnostic> {
    for Name { text, span } in parts {
        let mut known = Vec::new();
        if !remove(text, &mut known)? {
            return Err(missing(format!("`{text}` in `{place}`"), text, &known, *span));
        }
    }
    Ok(())
}

fn is_called(item: &Item, words: &str, name: Option<&str>) -> bool {
    match (&item.kind, item_head(&item.kind)) {
        (ItemKind::Has(has), _) => has.owner.as_str() == words,
        (ItemKind::Extend(kind), _) => words == "kind" && Some(kind.name.text.as_str()) == name,
        (ItemKind::Strategy(strategy), _) => {
            words == "strategy" && plain_text(&strategy.title).as_deref() == name
        }
        (_, (word, it)) => word == words && it.map(|it| it.text.as_str()) == name,
    }
}

fn remove_whole(
    items: &mut Vec<Item>,
    words: &str,
    name: Option<&Name>,
    span: Span,
) -> Result<(), Diagnostic> {
    let text = name.map(|name| name.text.as_str());
    let before = items.len();
    items.retain(|it| matches!(it.kind, ItemKind::Has(_)) || !is_called(it, words, text));
    if items.len() < before { Ok(()) } else { Err(no_such(items, words, name, span)) }
}

fn no_such(items: &[Item], words: &str, name: Option<&Name>, span: Span) -> Diagnostic {
    let text = name.map(|name| name.text.as_str());
    let names = items.iter().map(|it| item_head(&it.kind)).filter(|(word, _)| *word == words);
    let known: Vec<String> = names.filter_map(|(_, it)| Some(it?.text.clone())).collect();
    let what = format!("`{words} {}`", text.unwrap_or("{ … }"));
    missing(what, text.unwrap_or_default(), &known, name.map_or(span, |name| name.span))
}

/// Takes one part out of a declaration; whether it is there, and else which are.
fn remove_part(kind: &mut ItemKind, part: &str, known: &mut Vec<String>) -> bool {
    let label = |cell: &Cell| match &cell.kind {
        CellKind::Name(name) => name.clone(),
        CellKind::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let mut kept = |name: &str| {
        known.push(name.to_owned());
        name != part
    };
    match kind {
        ItemKind::Kind(KindDecl { body, .. }) | ItemKind::Extend(KindDecl { body, .. }) => {
            match body {
                KindBody::Members(members) => taken(members, |it| !kept(&it.name.text)),
                KindBody::Drawn(drawn) => taken(&mut drawn.rows, |row| !kept(&label(&row.label))),
                KindBody::Product(_) => false,
            }
        }
        ItemKind::Table(table) => match &mut table.body {
            TableBody::Drawn(drawn) => taken(&mut drawn.rows, |row| !kept(&label(&row.label))),
            TableBody::Row(_) | TableBody::Formula(_) => false,
        },
        ItemKind::Moves(group) => taken(&mut group.options, |line| match line {
            MoveLine::Option(option) => !kept(&option.name.text),
            MoveLine::Group(group) => !kept(&group.name.text),
        }),
        ItemKind::Has(has) => taken(&mut has.vars, |var| !kept(&var.name.text)),
        ItemKind::Let(constant) => match &mut constant.value.kind {
            ExprKind::Set(members) => taken(members, |it| !kept(&print_expression(it))),
            _ => false,
        },
        _ => false,
    }
}

/// Takes out of a list what is meant; whether there was any.
fn taken<T>(list: &mut Vec<T>, mut is_meant: impl FnMut(&T) -> bool) -> bool {
    let before = list.len();
    list.retain(|it| !is_meant(it));
    list.len() < before
}

fn remove_choices(items: &mut [Item], name: &Name, parts: &[Name]) -> Result<(), Diagnostic> {
    remove_each(parts, &format!("choose {}", name.text), |part, known| {
        let mut is_found = false;
        change_choice(items, name, &mut |choose| {
            is_found |= taken(&mut choose.options, |line| {
                let called = match line {
                    MoveLine::Option(option) => &option.name.text,
                    MoveLine::Group(group) => &group.name.text,
                };
                known.push(called.clone());
                called == part
            });
            known.extend(choose.decline.iter().map(|decline| decline.name.text.clone()));
            is_found |= choose.decline.take_if(|decline| decline.name.text == part).is_some();
        })?;
        Ok(is_found)
    })
}

fn remove_always(items: &mut Vec<Item>, always: &AlwaysDecl, span: Span) -> Result<(), Diagnostic> {
    if taken(items, |it| matches!(&it.kind, ItemKind::Always(it) if it.written == always.written)) {
        return Ok(());
    }
    let all = items.iter().filter_map(|it| match &it.kind {
        ItemKind::Always(it) => Some(print_expression(&it.condition)),
        _ => None,
    });
    let known: Vec<String> = all.collect();
    let sought = print_expression(&always.condition);
    Err(missing(format!("`always {sought}`"), &sought, &known, span))
}

fn missing(what: String, sought: &str, known: &[String], span: Span) -> Diagnostic {
    let near = nearest(sought, known.iter().map(String::as_str)).map(Help::did_you_mean);
    let help = near.unwrap_or_else(|| match known {
        [] => "look for its name in the base".into(),
        known => format!("there is {}", known.join(", ")).into(),
    });
    error::nothing_to_remove(what, help, span)
}
