//! Compiles decisions: code that lists what is legal and only reads the state, then the bodies.

use crate::bytecode::Op;
use crate::compile::emit::Emitter;
use crate::compile::emit::compound_choices::{choose_together, emit_order};
use crate::compile::emit::options::{
    begin_asking, begin_body, emit_decide, end_asking, list_option, list_options,
};
use crate::compile::plan::{Plan, move_options::PICKED};
use crate::compile::scope::SlotRange;
use crate::rules::{Binder, Choose, Clause, Expr, MoveOption, Pick, Type};
use crate::source::Span;

/// `choose me { options } or decline … else { … }`
pub(super) fn emit_choose(out: &mut Emitter, choose: &Choose, span: Span) {
    if let Some(each) = &choose.each {
        return choose_together(out, each, choose, span);
    }
    if let Some(left) = &choose.order {
        return emit_order(out, choose, left, span);
    }
    let asking = begin_asking(out, &choose.chooser, span);
    let (offered, otherwise) = list_options(out, &asking, choose, span);
    for (option, body) in offered {
        begin_body(out, option);
        out.block(body);
        out.code.emit(Op::Jump { to: asking.end });
    }
    if let Some((at, body)) = otherwise {
        out.code.place(at);
        out.block(body);
    }
    end_asking(out, &asking);
}

/// `choose me discard from S`
pub(super) fn emit_pick(out: &mut Emitter, pick: &Pick, dst: SlotRange, span: Span) {
    let asking = begin_asking(out, &pick.chooser, span);
    let option = |set: Expr| MoveOption {
        name: pick.name.clone(),
        notes: Vec::new(),
        params: vec![PICKED],
        template: None,
        clauses: vec![Clause::For(Binder { local: PICKED, set: Box::new(set), condition: None })],
        body: Vec::new(),
        span,
    };
    let at = list_option(out, &option(pick.set.clone()));
    let typed = Choose {
        each: None,
        chooser: pick.chooser.clone(),
        order: None,
        prompt: pick.prompt.clone(),
        options: vec![option(out.facts().typed_pick(pick, span))],
        decline: None,
        otherwise: None,
    };
    out.code.options[usize::from(at)].is_any = Some(condition_to_pick(out.plan, &typed.options[0]));
    emit_decide(out, &asking, pick.prompt.as_ref(), None, vec![at], typed);
    begin_body(out, at);
    let picked = out.body.local_slots(PICKED);
    out.emit_copy(dst.at, picked);
    end_asking(out, &asking);
}

/// The condition under which a pick has members, as source text.
fn condition_to_pick(plan: &Plan, picked: &MoveOption) -> String {
    let [Clause::For(Binder { set, .. })] = picked.clauses.as_slice() else {
        unreachable!("a pick takes from a set")
    };
    let text = plan.sources.find(set.span).map_or("", |source| source.slice(set.span));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match set.ty {
        Type::Set(_) if text.contains(' ') && !text.starts_with('{') => {
            format!("({text}) != {{}}")
        }
        Type::Set(_) => format!("{text} != {{}}"),
        _ => format!("count({text}) > 0"),
    }
}
