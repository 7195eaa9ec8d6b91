//! Which operations a playout can come to at all: not those of measures, promises and texts, which
//! are computed aside.

use crate::bytecode::program::Wait;
use crate::bytecode::{Op, Program, Role};

/// For each operation whether the flow of the game leads to it.
pub(super) fn reachable(program: &Program) -> Vec<bool> {
    let mut reached = vec![false; program.code.len()];
    let start = program.initial[crate::bytecode::program::SITE];
    let start = usize::try_from(start).unwrap_or(0);
    let mut waiting = from_site(program, start);
    waiting.extend(from_site(program, program.limit.1.into()));
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut reached[at], true) {
            continue;
        }
        let op = program.code[at];
        if op.falls_through() {
            waiting.push(at + 1);
        }
        waiting.extend(leads(program, op));
    }
    reached
}

/// Where an operation leads beside the next one.
fn leads(program: &Program, op: Op) -> Vec<usize> {
    let mut leads = Vec::new();
    for operand in op.operands() {
        let value = usize::from(operand.value);
        match operand.role {
            Role::To => leads.push(value),
            Role::Site => leads.extend(from_site(program, value)),
            Role::Choice => {
                let body = usize::from(program.options[value].body);
                leads.extend(from_site(program, body));
            }
            _ => {}
        }
    }
    leads
}

/// Where a site goes on.
fn from_site(program: &Program, site: usize) -> Vec<usize> {
    let site = &program.sites[site];
    let mut leads = vec![usize::from(site.to)];
    match &site.wait {
        Wait::Draw { then, .. } => leads.push(program.sites[usize::from(*then)].to.into()),
        Wait::Decision { otherwise, .. } => leads.extend(otherwise.map(usize::from)),
        Wait::Nothing => {}
    }
    leads
}
