//! Proves once, when a program is loaded, that every jump, operand and slot is in range, so that
//! the machine can trust them.

use crate::bytecode::cards::CardsInfo;
use crate::bytecode::op::{Op, Operand, Role};
use crate::bytecode::program::{Piece, Program, Site, Wait};

/// A flaw in a program: a mistake of the compiler, never of a designer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("operation {at} (`{op}`): {what}")]
pub struct Flaw {
    /// The operation, or the site or option.
    pub at: usize,
    /// Its name.
    pub op: String,
    /// What is wrong.
    pub what: String,
}

/// Checks a whole program.
///
/// # Errors
/// The first flaw: a slot, jump, site, text, format or option that does not exist; a constant that
/// would be written; code that runs off its end.
pub fn verify(program: &Program) -> Result<(), Flaw> {
    let flaw = |at, op: &str, what: String| Flaw { at, op: op.to_owned(), what };
    if program.code.len() != program.spans.len() {
        return Err(flaw(0, "spans", "one span for each operation is wanted".to_owned()));
    }
    if program.initial.len() != program.slots {
        return Err(flaw(0, "initial", "one word for each slot is wanted".to_owned()));
    }
    for (at, op) in program.code.iter().enumerate() {
        for operand in op.operands() {
            operand_fits(program, *op, operand).map_err(|what| flaw(at, op.name(), what))?;
        }
    }
    if program.code.last().is_some_and(|op| op.falls_through()) {
        return Err(flaw(program.code.len() - 1, "end", "the code runs off its end".to_owned()));
    }
    for (at, var) in program.vars.iter().enumerate() {
        if usize::from(var.base) + var.words(program.players) > program.frame {
            return Err(flaw(at, "variable", format!("`{}` is outside the state", var.name)));
        }
    }
    for (at, site) in program.sites.iter().enumerate() {
        site_fits(program, site).map_err(|what| flaw(at, "site", what))?;
    }
    pieces_fit(program).map_err(|what| flaw(0, "piece", what))?;
    for (at, cards) in program.cards.iter().enumerate() {
        cards_fit(program, cards).map_err(|what| flaw(at, "cards", what))?;
    }
    options_fit(program).map_err(|(at, what)| flaw(at, "option", what))
}

fn operand_fits(program: &Program, op: Op, operand: Operand) -> Result<(), String> {
    let value = usize::from(operand.value);
    let extent = extent(op, operand.role);
    let limit = match operand.role {
        Role::Read | Role::ReadSet | Role::ReadPair | Role::ReadBlock => {
            program.slots + program.constants.len()
        }
        role if role.is_slot() => program.slots,
        Role::To => program.code.len(),
        Role::Site => program.sites.len(),
        Role::Text => program.texts.len(),
        Role::Format => program.formats.len(),
        Role::Choice => program.options.len(),
        Role::Cards => 2 * program.cards.len(),
        _ => return Ok(()),
    };
    let split = value < program.slots && value + extent > program.slots;
    if value + extent > limit || split {
        return Err(format!("`{}` is {value}, of {limit}", operand.name));
    }
    Ok(())
}

/// How many slots an operand covers.
pub fn extent(op: Op, role: Role) -> usize {
    let named = |name: &str| {
        op.operands().find(|operand| operand.name == name).map(|operand| operand.value.into())
    };
    let width = || named("width").unwrap_or(1);
    match role {
        Role::ReadSet | Role::WriteSet | Role::ChangeSet => width(),
        Role::ReadBlock | Role::ChangeBlock => named("count").unwrap_or(1) * width(),
        Role::WriteMarks => named("count").unwrap_or(1).div_ceil(64),
        Role::ReadPair => 2,
        _ => 1,
    }
}

/// What points where in a program: jumps, and slots with their width.
struct Bounds<'a>(&'a Program);

impl Bounds<'_> {
    fn code(&self, to: u16) -> bool {
        usize::from(to) < self.0.code.len()
    }

    fn slots(&self, slot: u16, width: u16) -> bool {
        usize::from(slot) + usize::from(width) <= self.0.slots
    }

    fn slot(&self, slot: u16) -> bool {
        self.slots(slot, 1)
    }

    /// Slots, or constants.
    fn readable(&self, slot: u16, width: u16) -> bool {
        let end = usize::from(slot) + usize::from(width);
        end <= self.0.slots + self.0.constants.len()
    }
}

/// The error of something that is not sound.
fn sound(sound: bool, otherwise: &str) -> Result<(), String> {
    if sound { Ok(()) } else { Err(otherwise.to_owned()) }
}

fn site_fits(program: &Program, site: &Site) -> Result<(), String> {
    let bounds = Bounds(program);
    let waits = match &site.wait {
        Wait::Nothing => true,
        Wait::Decision { player, question, otherwise } => {
            bounds.readable(*player, 1)
                && question.iter().chain(otherwise).all(|to| bounds.code(*to))
        }
        Wait::Draw { dst, outcomes, low, then, event, outcome } => {
            bounds.slot(*dst)
                && bounds.readable(*outcomes, 1)
                && bounds.readable(*low, 1)
                && usize::from(*then) < program.sites.len()
                && bounds.code(*event)
                && bounds.code(*outcome)
        }
    };
    let pulled = site.pulled.is_none_or(|(base, count)| bounds.slots(base, count));
    let slots = site.live.iter().chain(&site.link).all(|slot| bounds.slot(*slot));
    sound(waits && pulled && bounds.code(site.to) && slots, "it points outside the program")
}

fn pieces_fit(program: &Program) -> Result<(), String> {
    let bounds = Bounds(program);
    let measures = program.measures.iter().map(|measure| measure.piece);
    let mut all = measures.chain(program.always.iter().map(|promise| promise.piece));
    let fits = |Piece { to, player, result }| {
        bounds.code(to) && bounds.slot(player) && bounds.slot(result)
    };
    sound(all.all(fits), "it points outside the program")
}

fn cards_fit(program: &Program, cards: &CardsInfo) -> Result<(), String> {
    let inside = |slot: u16, words: usize| usize::from(slot) + words <= program.frame;
    let width = usize::from(cards.width);
    let sets = inside(cards.base, cards.piles.len() * width);
    let known = cards.known.is_none_or(|known| inside(known, program.players * width));
    let piles = cards.piles.iter().all(|pile| {
        let order = pile.order.is_none_or(|order| inside(order, cards.order_words()));
        let owner = pile.owner.is_none_or(|owner| usize::from(owner) < program.players);
        let could = pile.could.is_none_or(|could| inside(could, width));
        order && owner && could && usize::from(pile.var) < program.vars.len()
    });
    let wide = cards.faces.len() <= width * 64;
    sound(sets && known && piles && wide, "it lies outside the state")
}

fn options_fit(program: &Program) -> Result<(), (usize, String)> {
    let bounds = Bounds(program);
    for (at, option) in program.options.iter().enumerate() {
        let bound = option.bindings.iter().all(|(slot, width)| bounds.slots(*slot, *width));
        let shown = option.shown.iter().all(|shown| {
            bounds.readable(shown.slot, shown.width)
                && usize::from(shown.format) < program.formats.len()
        });
        let factors = option.factors.len() <= option.bindings.len()
            && option.factors.iter().all(|factor| {
                let is_slot = usize::from(factor.set) < program.slots;
                bounds.readable(factor.set, factor.width)
                    && (!is_slot || bounds.slots(factor.set, factor.width))
            });
        let body = usize::from(option.body) < program.sites.len();
        let template = option.template.is_none_or(|to| bounds.code(to));
        if !(bound && factors && shown && body && template) {
            return Err((at, format!("`{}` points outside the program", option.name)));
        }
    }
    Ok(())
}
