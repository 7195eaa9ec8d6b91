//! Groups of moves: collects them, checks those that no rule includes.

use crate::check::context::{Body, Mode, Returning, in_body};
use crate::check::error;
use crate::check::file::{CheckedGroup, FileContext};
use crate::rules;
use crate::syntax::ast;

pub(crate) fn collect_moves<'a>(
    file: &mut FileContext<'a>,
    item: &ast::Item,
    moves: &'a ast::MovesDecl,
) {
    let name = &moves.name;
    let (text, notes, span) = (name.text.clone(), item.notes.clone(), item.span);
    file.rules.groups.push(rules::Group { name: text, notes, span });
    file.check_case(name, "a group of moves", false);
    if let Some(earlier) = file.names.groups.get(&name.text) {
        let earlier = file.groups[*earlier].item.name.span;
        file.duplicate(name, earlier);
    } else {
        file.names.groups.insert(name.text.clone(), file.groups.len());
    }
    file.groups.push(CheckedGroup { item: moves, params: Vec::new(), named: false });
}

/// Checks the groups that no rule includes.
pub(crate) fn check_lone_groups(file: &mut FileContext) {
    for at in 0..file.groups.len() {
        if file.groups[at].named {
            continue;
        }
        let mut body = Body::new(file.groups[at].params.clone(), Mode::Rule);
        body.returning = Returning::Group(file.groups[at].item.name.text.clone());
        let lines = &file.groups[at].item.options;
        file.including.push(at);
        in_body(file, body, |checker| checker.resolve_options(lines, &[]));
        file.including.pop();
    }
    for at in 0..file.groups.len() {
        if !file.groups[at].named {
            let name = &file.groups[at].item.name;
            file.report_error(error::unused_moves(&name.text, name.span));
        }
    }
}
