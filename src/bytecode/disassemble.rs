//! A program as text: what `--emit bytecode` prints and snapshots show.

use std::fmt::Write;

use crate::bytecode::op::{Op, Operand, Role};
use crate::bytecode::program::{NONE, Program, Shape, Site, Wait};
use crate::bytecode::vars::{DimInfo, VarInfo};

/// The whole program: the layout of the state, what can be offered, the sites, the code.
pub fn disassemble(program: &Program) -> String {
    let mut text = String::new();
    head(&mut text, program);
    for var in &program.vars {
        line(&mut text, &format!("  {}", variable(program, var)));
    }
    if !program.options.is_empty() {
        line(&mut text, "\noptions");
    }
    for at in 0..program.options.len() {
        line(&mut text, &format!("  {}", option(program, at)));
    }
    line(&mut text, "\nsites");
    for (at, site) in program.sites.iter().enumerate() {
        line(&mut text, &format!("  {at:>3}  {}", site_text(program, site)));
    }
    for measure in &program.measures {
        line(&mut text, &format!("  measure {} at {}", measure.name, measure.piece.to));
    }
    for promise in &program.always {
        line(&mut text, &format!("  always {} at {}", promise.number, promise.piece.to));
    }
    line(&mut text, "\ncode");
    for (at, op) in program.code.iter().enumerate() {
        line(&mut text, &format!("  {at:>4}  {}", operation(program, *op)));
    }
    text
}

fn line(text: &mut String, words: &str) {
    text.push_str(words.trim_end());
    text.push('\n');
}

fn head(text: &mut String, program: &Program) {
    let _ = writeln!(text, "program {:?} for {} players", program.title, program.players);
    let _ = writeln!(
        text,
        "state of {} words, locals from {}; {} constants; {} operations",
        program.slots,
        program.frame,
        program.constants.len(),
        program.code.len()
    );
    let (decisions, site) = program.limit;
    let _ = writeln!(text, "limit {decisions} decisions, then site {site}\n\nstate");
}

fn variable(program: &Program, var: &VarInfo) -> String {
    let dims: Vec<String> = var.dims.iter().map(|dim| dimension(program, dim)).collect();
    let indices = if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
    let owner = if var.of_player { "each player's " } else { "" };
    let kept = match var.kept {
        Some(kept) if kept.flags => ", kept as the set of those that are yes",
        Some(_) => ", kept as one set for each value",
        None => "",
    };
    let wide = if var.width > 1 { format!(", {} words each", var.width) } else { String::new() };
    let shape = shape(program, &var.format.shape);
    format!("{:>4}  {owner}{}{indices}: {shape}{wide}{kept}", var.base, var.name)
}

fn dimension(program: &Program, dim: &DimInfo) -> String {
    match dim.kind {
        Some(kind) => kind_name(program, kind).to_owned(),
        None => format!("{}..{}", dim.low, dim.low + i64::try_from(dim.size).unwrap_or(0) - 1),
    }
}

fn shape(program: &Program, shape: &Shape) -> String {
    match shape {
        Shape::Number => "number".to_owned(),
        Shape::Bool => "yes/no".to_owned(),
        Shape::Text => "text".to_owned(),
        Shape::Member(kind) => kind_name(program, *kind).to_owned(),
        Shape::Members(kind) => format!("set of {}", kind_name(program, *kind)),
        Shape::Numbers(low) => format!("set of {low}.."),
    }
}

fn kind_name(program: &Program, kind: u16) -> &str {
    program.kinds.get(usize::from(kind)).map_or("?", |kind| kind.name.as_str())
}

fn option(program: &Program, at: usize) -> String {
    let option = &program.options[at];
    let slots = |slots: &mut dyn Iterator<Item = u16>| {
        let names: Vec<String> = slots.map(|slot| slot_name(program, slot)).collect();
        names.join(" ")
    };
    let bound = slots(&mut option.bindings.iter().map(|(slot, _)| *slot));
    let mut text = format!(
        "{at:>3}  {}({}) binds {} then site {}",
        option.name,
        slots(&mut option.shown.iter().map(|shown| shown.slot)),
        if bound.is_empty() { "nothing" } else { &bound },
        option.body
    );
    for factor in &option.factors {
        let none = if factor.or_none { "none or " } else { "" };
        let _ = write!(text, ", {none}each of {}", slot_name(program, factor.set));
    }
    text
}

fn site_text(program: &Program, site: &Site) -> String {
    let mut text = match &site.wait {
        Wait::Nothing => format!("goes on at {}", site.to),
        Wait::Decision { player, otherwise, .. } => {
            let otherwise = otherwise.map_or(String::new(), |to| format!(", else {to}"));
            format!("asks {} from {}{otherwise}", slot_name(program, *player), site.to)
        }
        Wait::Draw { outcomes, then, .. } => {
            format!("draws 1 of {} then site {then}", slot_name(program, *outcomes))
        }
    };
    if !site.live.is_empty() {
        let live: Vec<String> = site.live.iter().map(|slot| slot_name(program, *slot)).collect();
        let _ = write!(text, "; keeps {}", live.join(" "));
    }
    text
}

fn operation(program: &Program, op: Op) -> String {
    let mut text = format!("{:<14}", op.name());
    for operand in op.operands() {
        let _ = write!(text, " {}", operand_text(program, operand));
    }
    text
}

fn operand_text(program: &Program, operand: Operand) -> String {
    let value = operand.value;
    match operand.role {
        Role::Number => format!("{}={value}", operand.name),
        Role::To => format!("-> {value}"),
        Role::Site => format!("site {value}"),
        Role::Text => {
            format!("{:?}", program.texts.get(usize::from(value)).map_or("", String::as_str))
        }
        Role::Format => program
            .formats
            .get(usize::from(value))
            .map_or_else(String::new, |format| format!("as {}", shape(program, &format.shape))),
        Role::Cards => cards_text(program, value),
        Role::Choice => program
            .options
            .get(usize::from(value))
            .map_or_else(String::new, |option| format!("`{}`", option.name)),
        _ => format!("{}={}", operand.name, slot_name(program, value)),
    }
}

fn cards_text(program: &Program, value: u16) -> String {
    let end = if value % 2 == 1 { " from the bottom" } else { "" };
    let cards = program.cards.get(usize::from(value / 2));
    cards.map_or_else(String::new, |cards| format!("{}{end}", kind_name(program, cards.kind)))
}

/// A slot for people: a variable by its name, a local by `%`, a constant by `#` and its value.
fn slot_name(program: &Program, slot: u16) -> String {
    let at = usize::from(slot);
    if at >= program.slots {
        return match program.constants.get(at - program.slots) {
            Some(&NONE) => "#none".to_owned(),
            Some(value) => format!("#{value}"),
            None => "?".to_owned(),
        };
    }
    if at >= program.frame {
        return format!("%{}", at - program.frame);
    }
    let var = program.vars.iter().rev().find(|var| var.base <= slot);
    match var {
        Some(var) if var.base == slot => var.name.clone(),
        Some(var) => format!("{}+{}", var.name, slot - var.base),
        None => format!("@{slot}"),
    }
}
