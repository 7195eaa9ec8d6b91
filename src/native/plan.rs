//! Decides which operations become machine code, and where it is entered.

use crate::bytecode::{Op, Operand, Program, Role, Wait};

/// Operations on more words than this are left to the interpreter: written out they are long.
const MOST_WORDS: u16 = 160;
/// Arrays with more sets than this, one for each value, are left to the interpreter.
const MOST_VALUES: u16 = 16;
/// How many words of offers a run can make before the interpreter takes them.
const MOST_OFFERED: usize = 1024;
/// How often something can be supposed inside of something supposed, within one run.
const SUPPOSED: usize = 8;
/// Where a supposition puts more words than this aside, the interpreter does it.
const MOST_ASIDE: usize = 4096;

/// How many words of offers, and of what is put aside, there must be room for.
pub(super) fn buffer_sizes(program: &Program) -> (usize, usize) {
    let offers = program.code.iter().any(|op| matches!(op, Op::Offer { .. }));
    let words = |ranges: &Vec<(u16, u16)>| {
        1 + ranges.iter().map(|(_, width)| usize::from(*width)).sum::<usize>()
    };
    let most = program.suppositions.iter().map(words).max().unwrap_or(0);
    let aside = if most <= MOST_ASIDE { SUPPOSED * most } else { 0 };
    (if offers { MOST_OFFERED } else { 0 }, aside)
}

/// Where code may jump to, and where states go on.
pub(super) fn leaders(program: &Program) -> Vec<bool> {
    let mut leaders = vec![false; program.code.len()];
    program.sites.iter().for_each(|site| leaders[usize::from(site.to)] = true);
    program.proposals.iter().for_each(|it| leaders[usize::from(it.test)] = true);
    for site in &program.sites {
        if let Wait::Decision { otherwise: Some(to), .. } = site.wait {
            leaders[usize::from(to)] = true;
        }
    }
    let operands = program.code.iter().flat_map(Op::operands);
    for operand in operands.filter(|operand: &Operand| operand.role == Role::To) {
        leaders[usize::from(operand.value)] = true;
    }
    leaders
}

/// Where the interpreter enters machine code: at the first operation of machine code after one that the
/// interpreter does itself, or where the interpreter may have jumped.
pub(super) fn entry_points(program: &Program, leaders: &[bool]) -> Vec<bool> {
    let code = program.code.as_slice();
    // To enter for one operation does not pay, but what it leads to may. Nor does it for one that is called.
    let is_called = |op: &Op| matches!(op, Op::Draw { .. } | Op::Deal { .. } | Op::Decide { .. });
    let is_out = |at: usize| code.get(at).is_some_and(|op| is_written_out(op) && !is_called(op));
    let pays = |at: usize| {
        is_out(at) && (is_out(at + 1) || matches!(code[at], Op::Jump { .. } | Op::Again { .. }))
    };
    let follows = |at: usize| at > 0 && !is_out(at - 1);
    (0..code.len()).map(|at| (leaders[at] || follows(at)) && pays(at)).collect()
}

/// For each slot that keeps links, the sites that it may hold and where these go on.
pub(super) fn calls(program: &Program) -> Vec<(u16, i64, usize)> {
    let call = |op: &Op| match *op {
        Op::Call { link, site, .. } => {
            let to = program.sites[usize::from(site)].to;
            Some((link, i64::from(site), usize::from(to)))
        }
        _ => None,
    };
    program.code.iter().filter_map(call).collect()
}

/// Whether an operation becomes code; the interpreter does the others.
pub(super) fn is_written_out(op: &Op) -> bool {
    let short = |count: u16, width: u16| {
        count.checked_mul(width).is_some_and(|words| words <= MOST_WORDS) && count <= 64
    };
    match *op {
        Op::JumpAnyWithin { count, width, .. } | Op::JumpNoneWithin { count, width, .. } => {
            count.checked_mul(width).is_some_and(|words| words <= MOST_WORDS)
        }
        Op::LoadValue { count, .. } | Op::StoreValue { count, .. } => count <= MOST_VALUES,
        Op::WhereEqual { count, .. } | Op::WhereBelow { count, .. } | Op::WhereIn { count, .. } => {
            short(count, 1)
        }
        Op::SelectWithin { count, width, .. } | Op::SelectMeeting { count, width, .. } => {
            short(count, width)
        }
        // What it joins must not change on the way.
        Op::UnionOf { dst, base, count, of, width } => {
            let apart = |from: u16, words: usize| {
                let (dst, from) = (usize::from(dst), usize::from(from));
                dst + usize::from(width) <= from || from + words <= dst
            };
            apart(base, usize::from(count) * usize::from(width))
                && apart(of, usize::from(count).div_ceil(64))
        }
        Op::UnionMoved { dst, of, count, width, .. } => {
            let apart = of + width <= dst || dst + width <= of;
            apart && count.checked_mul(width).is_some_and(|words| words <= MOST_WORDS)
        }
        Op::CheckSized { .. }
        | Op::FirstSized { .. }
        | Op::NextSized { .. }
        | Op::CheckAlike { .. }
        | Op::NextAlike { .. }
        | Op::Push { .. }
        | Op::Pull { .. }
        | Op::Words { .. }
        | Op::Print { .. }
        | Op::PrintSet { .. }
        | Op::Tell { .. }
        | Op::FinishDraw {}
        | Op::FinishWin { .. }
        | Op::FinishRanking { .. }
        | Op::FinishTeams { .. }
        | Op::Stop {}
        | Op::PrintPile { .. }
        | Op::NoFinish {} => false,
        _ => true,
    }
}

pub(super) fn is_about_cards(op: &Op) -> bool {
    op.operands().any(|operand| operand.role == Role::Cards)
}

/// Whether what follows is not always carried out.
pub(super) fn may_jump(op: &Op) -> bool {
    op.operands().any(|operand| operand.role == Role::To) || !op.falls_through()
}
