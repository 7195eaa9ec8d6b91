//! Groups of moves: collects them, checks those that no rule includes.

use crate::check::block::{BlockState, BlockTyper, Returning};
use crate::check::error;
use crate::check::file::{CheckedGroup, FileContext};
use crate::check::typer::{Mode, Typer};
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
        let (item, params) = (file.groups[at].item, file.groups[at].params.clone());
        file.including.push(at);
        let returning = Returning::Group(item.name.text.clone());
        let mut state = BlockState { returning, ..BlockState::default() };
        let mut typer = Typer::new(file, params, Mode::Rule);
        let mut steps = BlockTyper { typer: &mut typer, state: &mut state };
        steps.resolve_options(&item.options, &[]);
        file.including.pop();
    }
    for at in 0..file.groups.len() {
        if !file.groups[at].named {
            let name = &file.groups[at].item.name;
            file.report_error(error::unused_moves(&name.text, name.span));
        }
    }
}
