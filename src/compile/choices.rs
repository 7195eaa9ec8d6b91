//! Decisions: code that lists what is legal, then the bodies.
//!
//! The listing only reads the state, so it can be run again whenever somebody looks; its loops
//! write nothing but locals of their own.

use crate::bytecode::Op;
use crate::bytecode::program::{Factor, Format, Manner, OptionInfo, Shown, Wait};
use crate::check::rules::{
    Binder, Choose, Clause, Decline, Expr, LocalId, MoveOption, Pick, Type, Value,
};
use crate::check::unseen_params;
use crate::compile::clauses::{bound_by, factors, member_type, scheduled};
use crate::compile::code::Label;
use crate::compile::text::Later;
use crate::compile::{Compiler, SiteDebug, Slots, Storage};
use crate::eval::finite;
use crate::source::Span;

/// A decision while it is being compiled.
pub(super) struct Asking {
    list: Label,
    pub(super) site: u16,
    player: u16,
    mark: usize,
    pub(super) end: Label,
}

impl Asking {
    /// Where it waits.
    pub(super) fn site(&self) -> u16 {
        self.site
    }
}

impl Compiler<'_> {
    /// `choose me { options } or decline … else { … }`
    pub(super) fn choose(&mut self, choose: &Choose, span: Span) {
        if let Some(each) = &choose.each {
            return self.choose_together(each, choose, span);
        }
        if let Some(left) = &choose.order {
            return self.order(choose, left, span);
        }
        let asking = self.ask(&choose.chooser, span);
        let mut bodies = Vec::new();
        for option in &choose.options {
            self.note_barred(option);
            if self.never_legal(option) {
                continue;
            }
            bodies.push((self.list_option(option), &option.body));
        }
        if let Some(decline) = &choose.decline {
            bodies.extend(self.list_decline(choose, decline).map(|at| (at, &decline.body)));
        }
        let options = bodies.iter().map(|(option, _)| *option).collect();
        let otherwise = choose.otherwise.as_ref().map(|_| self.code.label());
        self.wait(&asking, choose.prompt.as_ref(), otherwise, options);
        self.code.sites[usize::from(asking.site)].debug.choose = Some(self.as_typed(choose));
        for (option, body) in bodies {
            self.begin_body(option);
            self.block(body);
            self.code.emit(Op::Jump { to: asking.end });
        }
        if let (Some(at), Some(body)) = (otherwise, &choose.otherwise) {
            self.code.place(at);
            self.block(body);
        }
        self.code.place(asking.end);
        self.release(asking.mark);
    }

    /// `choose me discard from S`
    pub(super) fn pick(&mut self, pick: &Pick, dst: Slots, span: Span) {
        let asking = self.ask(&pick.chooser, span);
        let local = LocalId::at(usize::MAX >> 33);
        let set = Box::new(pick.set.clone());
        let option = MoveOption {
            name: pick.name.clone(),
            notes: Vec::new(),
            params: vec![local],
            template: None,
            clauses: vec![Clause::For(Binder { local, set, condition: None })],
            body: Vec::new(),
            span,
        };
        let at = self.list_option(&option);
        self.wait(&asking, pick.prompt.as_ref(), None, vec![at]);
        let typed = Box::new(self.pick_as_typed(pick));
        let clauses = vec![Clause::For(Binder { local, set: typed, condition: None })];
        self.code.sites[usize::from(asking.site)].debug.choose = Some(Choose {
            each: None,
            chooser: pick.chooser.clone(),
            order: None,
            prompt: pick.prompt.clone(),
            options: vec![MoveOption { clauses, ..option }],
            decline: None,
            otherwise: None,
        });
        self.begin_body(at);
        if let Some(Storage::Slots(at, width)) = self.body.locals.get(&local).cloned() {
            self.copy(dst.at, Slots { at, width });
        }
        self.code.place(asking.end);
        self.release(asking.mark);
    }

    /// Begins to list: a new buffer, and who decides.
    pub(super) fn ask(&mut self, chooser: &Expr, span: Span) -> Asking {
        self.code.span = span;
        let mark = self.mark();
        let list = self.code.here();
        let wait = Wait::Decision { player: 0, question: None, otherwise: None };
        let site = self.waiting(list, wait, Vec::new());
        let player = self.word(chooser);
        Asking { list, site, player, mark, end: self.code.label() }
    }

    /// The decision itself.
    pub(super) fn wait(
        &mut self,
        asking: &Asking,
        prompt: Option<&Expr>,
        otherwise: Option<Label>,
        options: Vec<u16>,
    ) {
        let question = prompt.map(|prompt| {
            let label = self.code.label();
            self.later(label, Later::Text(prompt.clone()));
            label
        });
        let site = &mut self.code.sites[usize::from(asking.site)];
        site.wait = Wait::Decision { player: asking.player, question, otherwise };
        site.to = asking.list;
        site.options = options;
        self.code.emit(Op::Decide { site: asking.site });
    }

    /// The body of an option begins here.
    pub(super) fn begin_body(&mut self, option: u16) {
        let site = self.code.options[usize::from(option)].body;
        let to = self.code.sites[usize::from(site)].to;
        self.code.place(to);
        self.announce(option);
    }

    /// Whether a condition of an option is known to fail, so that it leaves no trace.
    pub(super) fn never_legal(&self, option: &MoveOption) -> bool {
        let no = Some(Value::Int(0));
        option.clauses.iter().any(|clause| match clause {
            Clause::When(condition) => self.fold(condition) == no,
            Clause::For(binder) => {
                let condition = binder.condition.as_ref();
                condition.is_some_and(|condition| self.fold(condition) == no)
                    || self.fold(&binder.set) == Some(Value::Set(Vec::new()))
            }
            Clause::Let(..) | Clause::Maybe(_) => false,
        })
    }

    /// Lists the instances of an option.
    pub(super) fn list_option(&mut self, option: &MoveOption) -> u16 {
        let outer = std::mem::replace(&mut self.code.span, option.span);
        let at = self.new_option(&option.name, &option.notes, option.span);
        let clauses = self.told_apart(scheduled(&option.clauses));
        self.reserve(&clauses);
        let clauses = self.ahead(clauses);
        self.list(&clauses, at, option);
        self.complete(at, option);
        self.code.span = outer;
        at
    }

    pub(super) fn list_decline(&mut self, choose: &Choose, decline: &Decline) -> Option<u16> {
        if let Some(condition) = &decline.condition
            && self.fold(condition) == Some(Value::Int(0))
        {
            return None;
        }
        let skip = self.code.label();
        if let Some(condition) = &decline.condition {
            self.condition(condition, false, skip);
        }
        let option = self.new_option(&decline.name, &[], decline.span);
        self.code.emit(if self.rules.asked_anyway.contains(&choose.chooser.span) {
            Op::OfferDeclineAnyway { option }
        } else {
            Op::OfferDecline { option }
        });
        self.code.place(skip);
        self.template(option, decline.template.as_ref());
        Some(option)
    }

    fn new_option(&mut self, name: &str, notes: &[String], span: Span) -> u16 {
        let to = self.code.label();
        let body = self.waiting(to, Wait::Nothing, Vec::new());
        self.code.sites[usize::from(body)].debug = SiteDebug::default();
        self.code.option(OptionInfo {
            name: name.to_owned(),
            notes: notes.to_vec(),
            bindings: Vec::new(),
            factors: Vec::new(),
            shown: Vec::new(),
            unseen: Vec::new(),
            template: None,
            body,
            span,
        })
    }

    /// Slots for everything that the clauses bind; they stay in use until the decision is over.
    pub(super) fn reserve(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            match clause {
                Clause::For(binder) | Clause::Maybe(binder) => {
                    let width = self.width_of_member(&binder.set);
                    let slots = self.take(width);
                    self.keep_local(binder.local, Storage::Slots(slots.at, width));
                }
                Clause::Let(local, value) => {
                    let storage = match self.fold(value) {
                        Some(value) => Storage::Known(value),
                        None => {
                            let width = self.width(&value.ty, value.span);
                            let slots = self.take(width);
                            Storage::Slots(slots.at, width)
                        }
                    };
                    self.keep_local(*local, storage);
                }
                Clause::When(_) => {}
            }
        }
    }

    /// Loops over the clauses; the innermost offers.
    fn list(&mut self, clauses: &[Clause], option: u16, info: &MoveOption) {
        let Some((clause, rest)) = clauses.split_first() else {
            self.code.span = info.span;
            return self.code.emit(Op::Offer { option });
        };
        if let Some(factors) = factors(clauses) {
            return self.offer_factors(&factors, option);
        }
        // What stands behind a clause is compared with all that it binds.
        self.budget.charge(clauses.len() * clauses.len());
        if !self.may_go_on() {
            return;
        }
        let mark = self.mark();
        match clause {
            Clause::When(condition) => {
                let skip = self.code.label();
                self.condition(condition, false, skip);
                self.list(rest, option, info);
                self.code.place(skip);
            }
            Clause::Let(local, value) => {
                if let Some(Storage::Slots(at, width)) = self.body.locals.get(local).cloned() {
                    self.compute(value, Slots { at, width });
                }
                self.list(rest, option, info);
            }
            Clause::For(binder) => self.list_each(binder, |c| c.list(rest, option, info)),
            Clause::Maybe(binder) => self.list_maybe(binder, |c| c.list(rest, option, info)),
        }
        self.release(mark);
    }

    /// Offers all combinations of sets that do not depend on each other.
    fn offer_factors(&mut self, factors: &[(&Binder, bool)], option: u16) {
        let mark = self.mark();
        let mut listed = Vec::new();
        for (binder, or_none) in factors {
            let kept = self.body.locals.get(&binder.local).cloned();
            let conditions = Self::conditions(binder, &[]);
            let Slots { at: set, width } = self.filtered(&binder.set, binder.local, &conditions);
            // Testing members one by one used the name; it belongs to the choice again.
            self.body.locals.extend(kept.map(|kept| (binder.local, kept)));
            let domain = finite(&binder.set.ty);
            let low = domain.map_or(0, |domain| self.domain(domain, binder.set.span).0);
            listed.push(Factor { set, width, low, or_none: *or_none });
        }
        self.code.options[usize::from(option)].factors = listed;
        self.code.emit(Op::Offer { option });
        self.release(mark);
    }

    /// Goes over a binder; its member is copied to the slot that is kept for it.
    pub(super) fn list_each(&mut self, binder: &Binder, inner: impl FnOnce(&mut Self)) {
        let kept = self.body.locals.get(&binder.local).cloned();
        let Some(Storage::Slots(kept, _)) = kept else {
            unreachable!("the slots of an option are reserved before it is listed")
        };
        self.each_into(binder, kept, inner);
    }

    /// First without, then with each member.
    fn list_maybe(&mut self, binder: &Binder, inner: impl FnOnce(&mut Self)) {
        let kept = self.body.locals.get(&binder.local).cloned();
        let Some(Storage::Slots(kept, _)) = kept else {
            unreachable!("the slots of an option are reserved before it is listed")
        };
        let none = self.none();
        let first = self.code.label();
        self.code.emit(Op::Move { dst: kept, src: none });
        let without = self.code.label();
        self.each_with_none(binder, [kept, without, first], inner);
    }

    /// What a choice binds and how it reads, once the listing has shown where everything is kept.
    fn complete(&mut self, at: u16, option: &MoveOption) {
        let mut bindings = Vec::new();
        for local in option.clauses.iter().filter_map(bound_by) {
            if let Some(Storage::Slots(slot, width)) = self.body.locals.get(&local) {
                bindings.push((*slot, *width));
            }
        }
        let shown = option.params.iter().map(|param| self.shown(*param, option)).collect();
        let unseen = unseen_params(self.rules, option);
        let is_unseen = |(at, param): (usize, &LocalId)| unseen.contains(param).then_some(at);
        let info = &mut self.code.options[usize::from(at)];
        info.bindings = bindings;
        info.shown = shown;
        info.unseen = option.params.iter().enumerate().filter_map(is_unseen).collect();
        self.template(at, option.template.as_ref());
    }

    fn template(&mut self, option: u16, template: Option<&Expr>) {
        let Some(template) = template else { return };
        let label = self.code.label();
        self.later(label, Later::Text(template.clone()));
        self.code.options[usize::from(option)].template = Some(label);
    }

    fn shown(&mut self, local: LocalId, option: &MoveOption) -> Shown {
        let ty = option.clauses.iter().find_map(|clause| match clause {
            Clause::For(binder) | Clause::Maybe(binder) if binder.local == local => {
                Some(member_type(&binder.set.ty))
            }
            Clause::Let(bound, value) if *bound == local => Some(value.ty.clone()),
            _ => None,
        });
        let ty = ty.unwrap_or(Type::Number);
        let shape = self.shape(&ty, option.span);
        let format = self.code.format(Format { shape, manner: Manner::Argument });
        let width = self.width(&ty, option.span);
        let slot = match self.body.locals.get(&local).cloned() {
            Some(Storage::Slots(slot, _)) => slot,
            Some(Storage::Known(value)) => {
                let words = self.words_of(&value, &ty, option.span);
                self.code.constants(&words)
            }
            _ => unreachable!("the checker lets only bound names be printed"),
        };
        Shown { slot, width, format }
    }

    /// The locals that can be seen at this point of the rule.
    pub(super) fn in_sight(&self) -> SiteDebug {
        let history = self.body.history;
        let history = (history, self.histories[history].len());
        SiteDebug { rule: self.body.rule, history, choose: None }
    }
}
