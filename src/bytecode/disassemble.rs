//! A program as text: what `--emit bytecode` prints and snapshots show.

use std::fmt::Write;

use crate::bytecode::{
    Binds, MoveProposal, NONE, Operand, OptionInfo, Program, Role, Site, ValueShape, VarInfo, Wait,
};

pub fn disassemble(program: &Program) -> String {
    let (decisions, site) = program.limit;
    let mut lines = vec![
        format!("program {:?} for {} players", program.title, program.players),
        format!(
            "state of {} words, locals from {}; {} constants; {} operations",
            program.slots,
            program.frame,
            program.constants.len(),
            program.code.len()
        ),
        format!("limit {decisions} decisions, then site {site}\n\nstate"),
    ];
    lines.extend(program.vars.iter().map(|var| variable(program, var)));
    lines.extend(program.histories.iter().map(|it| {
        let parts = it.parts.iter().map(|(base, width)| format!("{base}..{}", base + width));
        format!("  history {} of {}", it.name, parts.collect::<Vec<_>>().join(" "))
    }));
    if !program.options.is_empty() {
        lines.push("\noptions".to_owned());
    }
    let options = program.options.iter().enumerate();
    lines.extend(options.map(|(at, info)| format!("  {at:>3}  {}", format_option(program, info))));
    let proposals = program.proposals.iter().enumerate();
    lines.extend(proposals.map(|(at, it)| format!("  {at:>3}  {}", proposal(program, it))));
    lines.push("\nsites".to_owned());
    let sites = program.sites.iter().enumerate();
    lines.extend(sites.map(|(at, site)| format!("  {at:>3}  {}", site_text(program, site))));
    let measures = program.measures.iter();
    lines.extend(measures.map(|it| format!("  measure {} at {}", it.name, it.piece.to)));
    let always = program.always.iter();
    lines.extend(always.map(|it| format!("  always {} at {}", it.number, it.piece.to)));
    lines.push("\ncode".to_owned());
    lines.extend(program.code.iter().enumerate().map(|(at, op)| {
        let operands = op.operands().map(|operand| format!(" {}", operand_text(program, operand)));
        format!("  {at:>4}  {:<14}{}", op.name(), operands.collect::<String>())
    }));
    lines.iter().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

fn variable(program: &Program, var: &VarInfo) -> String {
    let dims = var.dims.iter().map(|dim| match dim.kind {
        Some(kind) => kind_name(program, kind).to_owned(),
        None => {
            let size = i64::try_from(dim.size).expect("a finite type has few members");
            format!("{}..{}", dim.low, dim.low + size - 1)
        }
    });
    let dims: Vec<String> = dims.collect();
    let indices = if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
    let owner = if var.of_player { "each player's " } else { "" };
    let kept = match var.kept {
        Some(kept) if kept.flags => ", kept as the set of those that are yes",
        Some(_) => ", kept as one set for each value",
        None => "",
    };
    let wide = if var.width > 1 { format!(", {} words each", var.width) } else { String::new() };
    let shape = shape(program, &var.format.shape);
    format!("  {:>4}  {owner}{}{indices}: {shape}{wide}{kept}", var.base, var.name)
}

fn shape(program: &Program, shape: &ValueShape) -> String {
    match shape {
        ValueShape::Number => "number".to_owned(),
        ValueShape::Bool => "yes/no".to_owned(),
        ValueShape::Text => "text".to_owned(),
        ValueShape::Member(kind) => kind_name(program, *kind).to_owned(),
        ValueShape::Members(kind) => format!("set of {}", kind_name(program, *kind)),
        ValueShape::Numbers(low) => format!("set of {low}.."),
        ValueShape::MemberList(kind, _) => format!("list of {}", kind_name(program, *kind)),
        ValueShape::NumberList(low, _) => format!("list of {low}.."),
    }
}

fn kind_name(program: &Program, kind: u16) -> &str {
    &program.kinds[usize::from(kind)].name
}

fn format_option(program: &Program, option: &OptionInfo) -> String {
    let (bound, factors) = binds(program, &option.binds);
    format!(
        "{}({}) binds {bound} then site {}{factors}",
        option.name,
        slot_names(program, option.shown.iter().map(|shown| shown.slot)),
        option.body
    )
}

fn proposal(program: &Program, proposal: &MoveProposal) -> String {
    let (bound, factors) = binds(program, &proposal.binds);
    format!("proposes {bound} then tests at {}{factors}", proposal.test)
}

/// The slots, and what the factors add to that.
fn binds(program: &Program, binds: &Binds) -> (String, String) {
    let bound = slot_names(program, binds.slots.iter().map(|(slot, _)| *slot));
    let bound = if bound.is_empty() { "nothing".to_owned() } else { bound };
    let mut text = String::new();
    for factor in &binds.factors {
        let none = if factor.or_none { "none or " } else { "" };
        let taken = factor.taken.map_or_else(String::new, |taken| format!(" {taken}"));
        let _ = write!(text, ", {none}each{taken} of {}", slot_name(program, factor.set));
    }
    (bound, text)
}

fn slot_names(program: &Program, slots: impl Iterator<Item = u16>) -> String {
    slots.map(|slot| slot_name(program, slot)).collect::<Vec<_>>().join(" ")
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
        let _ = write!(text, "; keeps {}", slot_names(program, site.live.iter().copied()));
    }
    text
}

fn operand_text(program: &Program, operand: Operand) -> String {
    let (value, at) = (operand.value, usize::from(operand.value));
    match operand.role {
        Role::Number | Role::Count | Role::Width => format!("{}={value}", operand.name),
        Role::To => format!("-> {value}"),
        Role::Site => format!("site {value}"),
        Role::Text => format!("{:?}", program.texts[at]),
        Role::Format => format!("as {}", shape(program, &program.formats[at].shape)),
        Role::Cards => {
            let end = if value % 2 == 1 { " from the bottom" } else { "" };
            format!("{}{end}", kind_name(program, program.cards[at / 2].kind))
        }
        Role::History => format!("`{}`", program.histories[at].name),
        Role::Choice => format!("`{}`", program.options[at].name),
        Role::Rays => format!("rays {value}"),
        Role::Lines => format!("lines {value}"),
        Role::Proposal => format!("proposal {value}"),
        Role::Supposition => {
            let slots =
                program.suppositions[at].iter().flat_map(|(slot, width)| *slot..slot + width);
            format!("saves {}", slot_names(program, slots)).trim_end().to_owned()
        }
        _ => format!("{}={}", operand.name, slot_name(program, value)),
    }
}

/// A slot for people: a variable by its name, a local by `%`, a constant by `#` and its value.
fn slot_name(program: &Program, slot: u16) -> String {
    let at = usize::from(slot);
    if at >= program.slots {
        return match program.constants[at - program.slots] {
            NONE => "#none".to_owned(),
            value => format!("#{value}"),
        };
    }
    if at >= program.frame {
        return format!("%{}", at - program.frame);
    }
    match program.vars.iter().rev().find(|var| var.base <= slot) {
        Some(var) if var.base == slot => var.name.clone(),
        Some(var) => format!("{}+{}", var.name, slot - var.base),
        None => format!("@{slot}"),
    }
}
