//! Proves when a program is linked that every jump, operand and slot is in range.

use crate::bytecode::{
    Binds, CardsInfo, CodePiece, MoveProposal, Op, Operand, OptionInfo, Program, Role, Site, Wait,
};

/// Checks a whole program. A flaw is a mistake of the compiler, never of a designer.
///
/// # Errors
/// The first flaw: a slot, jump, site, text, format or option that does not exist; a constant that
/// would be written; code that runs off its end.
pub(crate) fn verify(program: &Program) -> Result<(), String> {
    let Program { code, vars, sites, options, cards, .. } = program;
    ensure(code.len() == program.spans.len(), || "each operation has one span".to_owned())?;
    ensure(program.initial.len() == program.slots, || "each slot has one word".to_owned())?;
    for (at, op) in code.iter().enumerate() {
        for operand in op.operands() {
            let flaw = || format!("operation {at}: `{}` of {op:?}", operand.name);
            ensure(operand_fits(program, operand), flaw)?;
        }
        let own = match *op {
            Op::Sweep { rays, width, .. } => Some((program.rays[usize::from(rays)].width(), width)),
            Op::JumpAnyLine { lines, width, .. } | Op::JumpNoLine { lines, width, .. } => {
                Some((program.lines[usize::from(lines)].width(), width))
            }
            _ => None,
        };
        let fits = own.is_none_or(|(own, width)| own == usize::from(width));
        ensure(fits, || format!("operation {at}: the width of {op:?}"))?;
        ensure(has_room_to_rank(program, op), || format!("operation {at}: the room of {op:?}"))?;
    }
    ensure(code.last().is_none_or(|op| !op.falls_through()), || "it runs off its end".to_owned())?;
    for var in vars {
        let end = usize::from(var.base) + var.words(program.players);
        ensure(end <= program.frame, || format!("the variable `{}`", var.name))?;
    }
    for history in &program.histories {
        let inside =
            |(base, width): &(u16, u16)| usize::from(*base) + usize::from(*width) <= program.frame;
        ensure(history.parts.iter().all(inside), || format!("the history `{}`", history.name))?;
    }
    for (base, width) in program.suppositions.iter().flatten() {
        ensure(program.has_slots(*base, *width), || format!("what is supposed at slot {base}"))?;
    }
    for (at, site) in sites.iter().enumerate() {
        ensure(site_fits(program, site), || format!("site {at}: {site:?}"))?;
    }
    let measures = program.measures.iter().map(|measure| measure.piece);
    for piece in measures.chain(program.always.iter().map(|promise| promise.piece)) {
        let CodePiece { to, player, result } = piece;
        let fits = program.has_code(to) && program.has_slots(player, 1);
        ensure(fits && program.has_slots(result, 1), || format!("{piece:?}"))?;
    }
    for info in cards {
        ensure(cards_fit(program, info), || format!("the cards of kind {}", info.kind))?;
    }
    for option in options {
        ensure(option_fits(program, option), || format!("the option `{}`", option.name))?;
    }
    for (at, proposal) in program.proposals.iter().enumerate() {
        ensure(proposal_fits(program, proposal), || format!("proposal {at}"))?;
    }
    Ok(())
}

fn ensure(fits: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if fits { Ok(()) } else { Err(what()) }
}

impl Program {
    fn has_code(&self, to: u16) -> bool {
        usize::from(to) < self.code.len()
    }

    fn has_slots(&self, slot: u16, width: u16) -> bool {
        usize::from(slot) + usize::from(width) <= self.slots
    }

    /// Whether these are slots, or constants.
    fn has_words(&self, slot: u16, width: usize) -> bool {
        let (start, end) = (usize::from(slot), usize::from(slot) + width);
        end <= self.slots || (start >= self.slots && end <= self.slots + self.constants.len())
    }
}

/// Whether the keys are those of all players, and places and teams have slots behind the variables.
fn has_room_to_rank(program: &Program, op: &Op) -> bool {
    let (rows, count, width) = match *op {
        Op::FinishRanking { count, width, .. } => (1, count, width),
        Op::FinishTeams { count, width, .. } => (2, count, width),
        _ => return true,
    };
    let room = program.frame + rows * program.players <= program.slots;
    count > 0 && usize::from(width) == program.players && room
}

fn operand_fits(program: &Program, operand: Operand) -> bool {
    let (value, end) = (operand.value, usize::from(operand.value) + operand.words);
    match operand.role {
        Role::Read
        | Role::ReadSet
        | Role::ReadMarks
        | Role::ReadPair
        | Role::ReadMoves
        | Role::ReadBlock => program.has_words(value, operand.words),
        Role::To => program.has_code(value),
        Role::Site => end <= program.sites.len(),
        Role::Text => end <= program.texts.len(),
        Role::Format => end <= program.formats.len(),
        Role::Choice => end <= program.options.len(),
        Role::Proposal => end <= program.proposals.len(),
        Role::History => end <= program.histories.len(),
        Role::Rays => end <= program.rays.len(),
        Role::Lines => end <= program.lines.len(),
        Role::Supposition => end <= program.suppositions.len(),
        Role::Cards => end <= 2 * program.cards.len(),
        Role::Number | Role::Count | Role::Width => true,
        _ => end <= program.slots,
    }
}

fn site_fits(program: &Program, site: &Site) -> bool {
    let waits = match &site.wait {
        Wait::Nothing => true,
        Wait::Decision { player, question, otherwise } => {
            program.has_words(*player, 1)
                && question.iter().chain(otherwise).all(|to| program.has_code(*to))
        }
        Wait::Draw { dst, outcomes, most: _, distinct: _, low, then, event, outcome } => {
            program.has_slots(*dst, 1)
                && [outcomes, low].into_iter().all(|slot| program.has_words(*slot, 1))
                && usize::from(*then) < program.sites.len()
                && [event, outcome].into_iter().all(|to| program.has_code(*to))
        }
    };
    let slots = site.live.iter().chain(&site.link).all(|slot| program.has_slots(*slot, 1));
    let pulled = site.pulled.is_none_or(|(base, count)| program.has_slots(base, count));
    waits && slots && pulled && program.has_code(site.to)
}

fn cards_fit(program: &Program, cards: &CardsInfo) -> bool {
    let inside = |slot: u16, words: usize| usize::from(slot) + words <= program.frame;
    let width = usize::from(cards.width);
    let known = cards.known.is_none_or(|known| inside(known, program.players * width));
    let piles = cards.piles.iter().all(|pile| {
        pile.order.is_none_or(|order| inside(order, cards.order_words()))
            && pile.owner.is_none_or(|owner| usize::from(owner) < program.players)
            && pile.could.is_none_or(|could| inside(could, width))
            && usize::from(pile.var) < program.vars.len()
    });
    let sets = inside(cards.base, cards.piles.len() * width);
    sets && known && piles && cards.faces.len() <= width * 64
}

fn option_fits(program: &Program, option: &OptionInfo) -> bool {
    binds_fit(program, &option.binds)
        && option.shown.iter().all(|shown| {
            program.has_words(shown.slot, shown.width.into())
                && usize::from(shown.format) < program.formats.len()
        })
        && option.arguments.iter().all(|it| program.has_words(it.slot, it.width.into()))
        && usize::from(option.body) < program.sites.len()
        && option.template.is_none_or(|to| program.has_code(to))
}

fn proposal_fits(program: &Program, proposal: &MoveProposal) -> bool {
    let factors = &proposal.binds.factors;
    binds_fit(program, &proposal.binds)
        && factors.iter().all(|factor| factor.taken.is_none())
        && program.has_code(proposal.test)
}

fn binds_fit(program: &Program, binds: &Binds) -> bool {
    binds.slots.iter().all(|(slot, width)| program.has_slots(*slot, *width))
        && binds.factors.len() <= binds.slots.len()
        && binds.factors.iter().all(|it| program.has_words(it.set, it.width.into()))
}
