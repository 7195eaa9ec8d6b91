//! Compiles decisions: code that lists what is legal and only reads the state, then the bodies.

use crate::bytecode::{Binds, Factor, Format, Manner, MoveProposal, Op, OptionInfo, Shown, Wait};
use crate::compile::code::CodeLabel;
use crate::compile::factors::FactorSource;
use crate::compile::move_options::{
    PICKED, bound_by, has_one_move_at_most, is_long_test, tested_last, tested_within,
};
use crate::compile::text::Later;
use crate::compile::{Compiler, Pass, SlotRange, Storage};
use crate::eval::is_safe;
use crate::rules::{
    Array, Binder, Block, Choose, Clause, Decline, Expr, ExprKind, LocalId, MoveOption, Pick,
    Tactic, Type, Value,
};
use crate::source::Span;

/// A decision while it is being compiled.
pub(super) struct Asking {
    pub(super) site: u16,
    player: u16,
    mark: usize,
    end: CodeLabel,
}

/// How many combinations are proposed at once at most.
const MOST_PROPOSED: usize = 1 << 16;

/// The options that are offered, with what follows each.
pub(super) type OfferedOptions<'c> = Vec<(u16, &'c Block)>;

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
        let (offered, otherwise) = self.offer(&asking, choose, span);
        for (option, body) in offered {
            self.begin_body(option);
            self.block(body);
            self.code.emit(Op::Jump { to: asking.end });
        }
        if let Some((at, body)) = otherwise {
            self.code.place(at);
            self.block(body);
        }
        self.answered(&asking);
    }

    /// Lists what is legal, and waits; also where to continue if nothing is.
    pub(super) fn offer<'c>(
        &mut self,
        asking: &Asking,
        choose: &'c Choose,
        span: Span,
    ) -> (OfferedOptions<'c>, Option<(CodeLabel, &'c Block)>) {
        let mut offered = OfferedOptions::new();
        for option in &choose.options {
            self.note_barred(option);
            if !self.never_legal(option) {
                offered.push((self.list_option(option), &option.body));
            }
        }
        if let Some(decline) = &choose.decline {
            offered.extend(self.list_decline(choose, decline).map(|at| (at, &decline.body)));
        }
        let options = offered.iter().map(|(option, _)| *option).collect();
        let otherwise = choose.otherwise.as_ref().map(|body| (self.code.label(), body));
        let typed = self.as_typed(choose, span);
        self.wait(asking, choose.prompt.as_ref(), otherwise.map(|it| it.0), options, typed);
        (offered, otherwise)
    }

    /// `choose me discard from S`
    pub(super) fn pick(&mut self, pick: &Pick, dst: SlotRange, span: Span) {
        let asking = self.ask(&pick.chooser, span);
        let option = |set: Expr| MoveOption {
            name: pick.name.clone(),
            notes: Vec::new(),
            params: vec![PICKED],
            template: None,
            clauses: vec![Clause::For(Binder {
                local: PICKED,
                set: Box::new(set),
                condition: None,
            })],
            body: Vec::new(),
            span,
        };
        let at = self.list_option(&option(pick.set.clone()));
        let typed = Choose {
            each: None,
            chooser: pick.chooser.clone(),
            order: None,
            prompt: pick.prompt.clone(),
            options: vec![option(self.pick_as_typed(pick, span))],
            decline: None,
            otherwise: None,
        };
        self.code.options[usize::from(at)].is_any = Some(self.is_any(&typed.options[0]));
        self.wait(&asking, pick.prompt.as_ref(), None, vec![at], typed);
        self.begin_body(at);
        let picked = self.local_slots(PICKED);
        self.copy(dst.at, picked);
        self.answered(&asking);
    }

    /// When there is anything to pick, as a file says it.
    fn is_any(&self, picked: &MoveOption) -> String {
        let [Clause::For(Binder { set, .. })] = picked.clauses.as_slice() else {
            unreachable!("a pick takes from a set")
        };
        let text = self.sources.find(set.span).map_or("", |source| source.slice(set.span));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match set.ty {
            Type::Set(_) if text.contains(' ') && !text.starts_with('{') => {
                format!("({text}) != {{}}")
            }
            Type::Set(_) => format!("{text} != {{}}"),
            _ => format!("count({text}) > 0"),
        }
    }

    /// Begins to list: a new buffer, and who decides.
    pub(super) fn ask(&mut self, chooser: &Expr, span: Span) -> Asking {
        self.code.span = span;
        let mark = self.mark();
        let list = self.code.here();
        let wait = Wait::Decision { player: 0, question: None, otherwise: None };
        let site = self.waiting(list, wait);
        let player = self.word(chooser);
        Asking { site, player, mark, end: self.code.label() }
    }

    pub(super) fn wait(
        &mut self,
        asking: &Asking,
        prompt: Option<&Expr>,
        otherwise: Option<CodeLabel>,
        options: Vec<u16>,
        typed: Choose,
    ) {
        let question = self.text_later(prompt);
        let declined = typed.decline.iter().map(|decline| decline.span);
        let places = typed.options.iter().map(|option| option.span).chain(declined);
        let kept = places.flat_map(|place| self.read_by_strategies(place)).collect();
        let site = &mut self.code.sites[usize::from(asking.site)];
        site.wait = Wait::Decision { player: asking.player, question, otherwise };
        site.options = options;
        site.kept = kept;
        site.debug.choose = Some(typed);
        self.code.emit(Op::Decide { site: asking.site });
    }

    /// The slots that strategies read where an option is offered.
    fn read_by_strategies(&self, option: Span) -> Vec<(u16, u16)> {
        let mut kept = Vec::new();
        for expr in self.rules.tactics(option).flat_map(Tactic::exprs) {
            expr.visit_tree(&mut |part| {
                let (ExprKind::Local(local) | ExprKind::Element(Array::Local(local), _)) =
                    &part.kind
                else {
                    return;
                };
                kept.extend(self.body.locals.get(local).and_then(Storage::slots));
            });
        }
        kept
    }

    /// After the bodies.
    pub(super) fn answered(&mut self, asking: &Asking) {
        self.code.place(asking.end);
        self.release(asking.mark);
    }

    fn text_later(&mut self, text: Option<&Expr>) -> Option<CodeLabel> {
        text.map(|text| {
            let label = self.code.label();
            self.later(label, Later::Text(text.clone()));
            label
        })
    }

    pub(super) fn body_label(&self, option: u16) -> CodeLabel {
        let site = self.code.options[usize::from(option)].body;
        self.code.sites[usize::from(site)].to
    }

    pub(super) fn begin_body(&mut self, option: u16) {
        self.code.place(self.body_label(option));
        self.announce(option);
    }

    /// Whether a condition of an option is known to fail, and nothing asked before it can stop the
    /// game, so that the option leaves no trace.
    pub(super) fn never_legal(&self, option: &MoveOption) -> bool {
        let fails = |condition: &Expr| self.known(condition) == Some(false);
        let is_empty = |set: &Expr| self.fold(set) == Some(Value::Set(Vec::new()));
        let may_stop = |expr: &Expr| !is_safe(expr) && self.fold(expr).is_none();
        for clause in self.scheduled(&option.clauses) {
            let (never, stops) = match &clause {
                Clause::When(condition) => (fails(condition), may_stop(condition)),
                Clause::Let(_, value) => (false, may_stop(value)),
                Clause::For(Binder { set, condition, .. })
                | Clause::Maybe(Binder { set, condition, .. }) => {
                    let condition = condition.as_deref();
                    let never = is_empty(set) || condition.is_some_and(fails) && !may_stop(set);
                    let is_optional = matches!(clause, Clause::Maybe(_));
                    (never && !is_optional, may_stop(set) || condition.is_some_and(may_stop))
                }
            };
            if never || stops {
                return never;
            }
        }
        false
    }

    /// Lists the instances of an option.
    pub(super) fn list_option(&mut self, option: &MoveOption) -> u16 {
        let outer = std::mem::replace(&mut self.code.span, option.span);
        let at = self.new_option(&option.name, &option.notes, option.span);
        let clauses = self.told_apart(self.scheduled(&option.clauses));
        self.reserve(&clauses, &option.params);
        let within = self.tries(Pass::Predicates);
        let clauses = tested_last(if within { tested_within(clauses) } else { clauses });
        self.nest(&clauses, &mut |compiler, rest| {
            let bound = &clauses[..clauses.len() - rest.len()];
            if !compiler.tries(Pass::Untested) {
                return compiler.offers_rest(rest, option, at);
            }
            // A loop gives many moves: each one with a long test is a proposal of its own.
            let alone = || {
                let is_one_of_many = bound.iter().any(|clause| matches!(clause, Clause::For(_)));
                (is_one_of_many && is_long_test(rest)).then_some((Vec::new(), rest))
            };
            if let Some((sources, test)) = compiler.proposed(rest).or_else(alone) {
                compiler.list_tested(bound, &sources, test, (option, at));
                return true;
            }
            compiler.offers_rest(rest, option, at)
        });
        self.complete(at, option);
        self.code.span = outer;
        at
    }

    /// Offers the combinations of what is left of an option, if they are independent.
    fn offers_rest(&mut self, clauses: &[Clause], option: &MoveOption, at: u16) -> bool {
        if clauses.is_empty() {
            self.code.span = option.span;
            self.code.emit(Op::Offer { option: at });
            return true;
        }
        let factors = self.factors(clauses);
        factors.map(|factors| self.offer_factors(&factors, at)).is_some()
    }

    /// The first clauses, if they are sets that are proposed together, and the test that follows. It pays
    /// where a move takes a long test, or where each combination takes a step that often leads somewhere.
    /// Where conditions relate members of several sets, few combinations are legal, and loops find them
    /// sooner.
    fn proposed<'c>(&self, clauses: &'c [Clause]) -> Option<(Vec<FactorSource<'c>>, &'c [Clause])> {
        let size = |clause: &Clause| match clause {
            Clause::For(Binder { set, .. }) => match set.ty {
                Type::Set(domain) => self.known_domain(domain).map(|(_, size)| size),
                _ => None,
            },
            _ => None,
        };
        let (mut sources, mut combinations) = (Vec::new(), 1);
        for size in clauses.iter().map_while(size) {
            combinations *= size;
            let more = self.factors(&clauses[..=sources.len()]);
            let Some(more) = more.filter(|_| combinations <= MOST_PROPOSED) else { break };
            // The members are found before the first test, which may trap.
            if !more.iter().all(|source| self.cannot_trap(source.binder)) {
                break;
            }
            sources = more;
        }
        let test = &clauses[sources.len()..];
        let pays = is_long_test(test)
            || matches!(test.first(), Some(Clause::For(_))) && has_one_move_at_most(test);
        (pays && !sources.is_empty()).then_some((sources, test))
    }

    /// Lists a move that a test may refuse, or one for each combination of members of sets, which are proposed
    /// together: a random player need not have every move tested.
    fn list_tested(
        &mut self,
        bound: &[Clause],
        sources: &[FactorSource],
        test: &[Clause],
        of: (&MoveOption, u16),
    ) {
        let mark = self.mark();
        let [all, begin, next] = self.code.labels();
        let factors = self.factors_of(sources);
        let members = sources.iter().map(|source| self.local_slots(source.binder.local).at);
        let members: Vec<(u16, Factor)> = members.zip(factors.iter().copied()).collect();
        let mut slots = self.slots_bound_by(bound);
        slots.extend(members.iter().map(|(member, _)| (*member, 1)));
        self.propose(MoveProposal { binds: Binds { slots, factors }, test: begin }, all, next);
        self.each_combination(&members, next, &mut |compiler| {
            // `propose` has emitted `TestNow` for a single move.
            if !sources.is_empty() {
                compiler.code.emit(Op::TestNow { to: begin });
            }
            compiler.code.place(begin);
            compiler.test_proposed(test, of);
        });
        self.code.place(next);
        self.release(mark);
    }

    /// Nested loops over the members of some sets, each of which goes into a slot.
    fn each_combination(
        &mut self,
        sets: &[(u16, Factor)],
        exit: CodeLabel,
        inner: &mut dyn FnMut(&mut Self),
    ) {
        let Some(((member, Factor { set, width, low, .. }), behind)) = sets.split_first() else {
            return inner(self);
        };
        let rest = self.take(*width);
        self.copy(rest.at, SlotRange { at: *set, width: *width });
        let round = self.code.here();
        self.code.emit(Op::Pop { dst: *member, set: rest.at, width: *width, to: exit });
        self.add_low(*member, *low);
        let next = self.code.label();
        self.each_combination(behind, next, inner);
        self.code.place(next);
        self.code.emit(Op::Again { to: round });
    }

    /// Proposes moves, and goes on with what comes next; `all` is where tests begin if all moves are tested now.
    fn propose(&mut self, proposal: MoveProposal, all: CodeLabel, next: CodeLabel) {
        self.fires(Pass::Untested);
        self.code.proposals.push(proposal);
        let proposal = self.code.fit(self.code.proposals.len() - 1, "moves");
        self.code.emit(Op::TestNow { to: all });
        self.code.emit(Op::Propose { proposal });
        self.code.emit(Op::Jump { to: next });
        self.code.place(all);
    }

    fn test_proposed(&mut self, test: &[Clause], (option, at): (&MoveOption, u16)) {
        self.nest(test, &mut |compiler, rest| compiler.offers_rest(rest, option, at));
        self.code.emit(Op::Tested {});
    }

    fn list_decline(&mut self, choose: &Choose, decline: &Decline) -> Option<u16> {
        let skip = self.code.label();
        if let Some(condition) = &decline.condition {
            if self.known(condition) == Some(false) {
                return None;
            }
            self.condition(condition, false, skip);
        }
        let option = self.new_option(&decline.name, &[], decline.span);
        self.code.emit(if self.rules.asked_anyway.contains(&choose.chooser.span) {
            Op::OfferDeclineAnyway { option }
        } else {
            Op::OfferDecline { option }
        });
        self.code.place(skip);
        let template = self.text_later(decline.template.as_ref());
        self.code.options[usize::from(option)].template = template;
        Some(option)
    }

    fn new_option(&mut self, name: &str, notes: &[String], span: Span) -> u16 {
        let to = self.code.label();
        let body = self.code.site(self.draft(to, Wait::Nothing));
        self.code.option(OptionInfo {
            name: name.to_owned(),
            notes: notes.to_vec(),
            body,
            span,
            ..OptionInfo::default()
        })
    }

    /// Slots for everything that the clauses bind; they stay in use until the decision is over. A name
    /// for a local that never changes shares its slots, unless a choice shows it.
    pub(super) fn reserve(&mut self, clauses: &[Clause], shown: &[LocalId]) {
        for clause in clauses {
            let (local, width) = match clause {
                Clause::For(binder) | Clause::Maybe(binder) => {
                    (binder.local, self.width_of_member(&binder.set))
                }
                Clause::Let(local, value) => {
                    if let Some(value) = self.fold(value) {
                        self.keep_local(*local, Storage::Known(value));
                        continue;
                    }
                    if let ExprKind::Local(same) = value.kind
                        && !shown.contains(local)
                        && self.is_immutable(same)
                    {
                        let same = self.local_slots(same);
                        self.keep_local(*local, Storage::Slots(same.at, same.width));
                        continue;
                    }
                    (*local, self.width(&value.ty, value.span))
                }
                Clause::When(_) => continue,
            };
            let slots = self.take(width);
            self.keep_local(local, Storage::Slots(slots.at, width));
        }
    }

    /// Nested loops over the clauses. At each level `inner` may do the rest itself: then it is yes.
    pub(super) fn nest(
        &mut self,
        clauses: &[Clause],
        inner: &mut dyn FnMut(&mut Self, &[Clause]) -> bool,
    ) {
        if inner(self, clauses) {
            return;
        }
        let Some((clause, rest)) = clauses.split_first() else { return };
        // What follows a clause is compared with all that it binds.
        self.budget.charge(clauses.len() * clauses.len());
        if !self.may_go_on() {
            return;
        }
        let mark = self.mark();
        match clause {
            Clause::When(condition) => {
                let skip = self.code.label();
                self.condition(condition, false, skip);
                self.nest(rest, inner);
                self.code.place(skip);
            }
            Clause::Let(local, value) => {
                self.compute_let(*local, value);
                self.nest(rest, inner);
            }
            Clause::For(binder) => {
                let dst = self.local_slots(binder.local).at;
                self.each_into(binder, dst, None, |compiler| compiler.nest(rest, inner));
            }
            // First without, then with each member.
            Clause::Maybe(binder) => {
                let dst = self.local_slots(binder.local).at;
                let (none, first) = (self.none(), self.code.label());
                self.code.emit(Op::Move { dst, src: none });
                self.each_into(binder, dst, Some(first), |compiler| compiler.nest(rest, inner));
            }
        }
        self.release(mark);
    }

    /// Computes what a `let` binds, unless it is known.
    pub(super) fn compute_let(&mut self, local: LocalId, value: &Expr) {
        if let Some(Storage::Slots(at, width)) = self.body.locals.get(&local).cloned() {
            self.compute(value, SlotRange { at, width });
        }
    }

    /// What a choice binds and how it reads, once the listing has shown where everything is kept.
    fn complete(&mut self, at: u16, option: &MoveOption) {
        let bindings = self.slots_bound_by(&option.clauses);
        let shown = option.params.iter().map(|param| self.shown(*param, option)).collect();
        let params = option.params.iter().enumerate();
        let unseen = params.filter(|(_, param)| self.rules.is_hidden(option, **param));
        let unseen = unseen.map(|(at, _)| at).collect();
        let template = self.text_later(option.template.as_ref());
        let info = &mut self.code.options[usize::from(at)];
        info.binds.slots = bindings;
        info.shown = shown;
        info.unseen = unseen;
        info.template = template;
    }

    /// Whether a clause binds a name to where something lies that has another name.
    fn is_other_name(&self, clause: &Clause) -> bool {
        let Clause::Let(local, Expr { kind: ExprKind::Local(same), .. }) = clause else {
            return false;
        };
        self.body.locals.get(local) == self.body.locals.get(same)
    }

    fn slots_bound_by(&self, clauses: &[Clause]) -> Vec<(u16, u16)> {
        let own = clauses.iter().filter(|clause| !self.is_other_name(clause));
        let bound = own.filter_map(bound_by);
        let slots = bound.filter_map(|local| match self.body.locals.get(&local) {
            Some(Storage::Slots(slot, width)) => Some((*slot, *width)),
            _ => None,
        });
        slots.collect()
    }

    fn shown(&mut self, local: LocalId, option: &MoveOption) -> Shown {
        let ty = option.clauses.iter().find_map(|clause| match clause {
            Clause::For(binder) | Clause::Maybe(binder) if binder.local == local => {
                Some(binder.set.ty.iterated())
            }
            Clause::Let(bound, value) if *bound == local => Some(value.ty.clone()),
            _ => None,
        });
        let ty = ty.expect("checked: only bound names are printed");
        let shape = self.shape(&ty, option.span);
        let format = self.code.format(Format { shape, manner: Manner::Argument });
        let width = self.width(&ty, option.span);
        let slot = match self.body.locals.get(&local).cloned() {
            Some(Storage::Known(value)) => {
                let words = self.words_of(&value, &ty, option.span);
                self.code.constants(&words)
            }
            _ => self.local_slots(local).at,
        };
        Shown { slot, width, format }
    }
}
