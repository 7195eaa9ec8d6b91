//! One short arm per operation.

use crate::bytecode::arith::{ceil_divide, floor_divide, modulo};
use crate::bytecode::program::{MOST_IN_SUBSETS, NONE, SITE, Shape};
use crate::bytecode::{Op, Program, sets};
use crate::source::Span;
use crate::vm::memory::{Words, next_subset};
use crate::vm::offers::Offers;
use crate::vm::order::MOST_WORDS;
use crate::vm::piles::{cards_in, number};
use crate::vm::state::State;
use crate::vm::trap::Trap;
use crate::vm::{Driver, FUEL, MAX_ASIDE, MAX_STACK, Step, text};

/// How many operations in a row cost as much as a jump back.
const STRETCH: usize = 16;

/// A program at work on a state, whose words are handed from call to call: so they stay at hand.
pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) stack: &'a mut Vec<i64>,
    pub(super) decisions: &'a mut i64,
    pub(super) fuel: &'a mut u64,
    pub(super) offers: &'a mut Offers,
    /// Whether somebody may look at the state behind this.
    pub(super) observed: bool,
    pub(super) names: &'a [String],
    pub(super) text: String,
    /// Whether the text begins with a title, which then begins a sentence.
    capital: bool,
    pub(super) at: usize,
}

impl<'a> Machine<'a> {
    /// A machine and the memory that it works on.
    pub(super) fn new(
        program: &'a Program,
        state: &'a mut State,
        offers: &'a mut Offers,
        names: &'a [String],
    ) -> (Machine<'a>, &'a mut [i64]) {
        let State { words, stack, decisions, fuel, .. } = state;
        let machine = Machine {
            program,
            stack,
            decisions,
            fuel,
            offers,
            observed: true,
            names,
            text: String::new(),
            capital: false,
            at: 0,
        };
        (machine, words)
    }

    /// Runs from an operation on, until somebody must answer who does not answer at once.
    #[expect(clippy::too_many_lines, reason = "one arm per operation")]
    pub(super) fn execute<D: Driver>(
        &mut self,
        mem: &mut [i64],
        to: u16,
        driver: &mut D,
    ) -> Result<Step, Trap> {
        let program = self.program;
        let code = program.code.as_slice();
        let mut next = usize::from(to);
        // Where the stretch of code begins that is being run: behind the last call or return.
        let mut landing = next;
        loop {
            self.at = next;
            driver.on_op(next);
            let op = code[next];
            next += 1;
            // Goes on somewhere else if something holds.
            macro_rules! branch {
                ($holds:expr, $to:expr) => {
                    if $holds {
                        next = usize::from($to);
                    }
                };
            }
            match op {
                Op::Jump { to } => next = to.into(),
                Op::Again { to } => {
                    next = to.into();
                    self.burn_stretch(next)?;
                }
                Op::JumpIf { a, to } => branch!(mem.word(a) != 0, to),
                Op::JumpIfNot { a, to } => branch!(mem.word(a) == 0, to),
                Op::JumpEqual { a, b, to } => branch!(mem.word(a) == mem.word(b), to),
                Op::JumpDifferent { a, b, to } => branch!(mem.word(a) != mem.word(b), to),
                Op::JumpLess { a, b, to } => branch!(mem.word(a) < mem.word(b), to),
                Op::JumpAtMost { a, b, to } => branch!(mem.word(a) <= mem.word(b), to),
                Op::JumpHas { set, member, width, to } => {
                    branch!(sets::has(mem.set(set, width), mem.word(member)), to);
                }
                Op::JumpLacks { set, member, width, to } => {
                    branch!(!sets::has(mem.set(set, width), mem.word(member)), to);
                }
                Op::JumpHasAt { base, index, count, member, to } => {
                    let set = self.element(base, mem.word(index), count, 1)?;
                    branch!(sets::has(mem.set(set, 1), mem.word(member)), to);
                }
                Op::JumpLacksAt { base, index, count, member, to } => {
                    let set = self.element(base, mem.word(index), count, 1)?;
                    branch!(!sets::has(mem.set(set, 1), mem.word(member)), to);
                }
                Op::JumpEmpty { set, width, to } => branch!(mem.is_empty_set(set, width), to),
                Op::JumpSome { set, width, to } => branch!(!mem.is_empty_set(set, width), to),
                Op::JumpIfAt { base, index, count, to } => {
                    branch!(mem.word(self.element(base, mem.word(index), count, 1)?) != 0, to);
                }
                Op::JumpIfNotAt { base, index, count, to } => {
                    branch!(mem.word(self.element(base, mem.word(index), count, 1)?) == 0, to);
                }
                Op::JumpWithin { a, b, width, to } => branch!(mem.is_within(a, b, width), to),
                Op::JumpNotWithin { a, b, width, to } => branch!(!mem.is_within(a, b, width), to),
                Op::JumpSame { a, b, width, to } => {
                    branch!(mem.set(a, width) == mem.set(b, width), to);
                }
                Op::JumpNotSame { a, b, width, to } => {
                    branch!(mem.set(a, width) != mem.set(b, width), to);
                }
                Op::JumpAnyWithin { base, count, set, width, to } => {
                    branch!(any_within(mem, base, count, set, width), to);
                }
                Op::JumpNoneWithin { base, count, set, width, to } => {
                    branch!(!any_within(mem, base, count, set, width), to);
                }
                Op::Move { dst, src } => mem.put(dst, mem.word(src)),
                Op::Copy { dst, src, width } => mem.copy(dst, src, width),
                Op::Add { dst, a, b } => self.arith(mem, [dst, a, b], i64::checked_add)?,
                Op::Subtract { dst, a, b } => self.arith(mem, [dst, a, b], i64::checked_sub)?,
                Op::Multiply { dst, a, b } => self.arith(mem, [dst, a, b], i64::checked_mul)?,
                Op::CeilDivide { dst, a, b } => self.divide(mem, [dst, a, b], ceil_divide)?,
                Op::FloorDivide { dst, a, b } => self.divide(mem, [dst, a, b], floor_divide)?,
                Op::Modulo { dst, a, b } => self.divide(mem, [dst, a, b], modulo)?,
                Op::Least { dst, a, b } => mem.put(dst, mem.word(a).min(mem.word(b))),
                Op::CutOff { a, high } => {
                    if mem.word(a) > mem.word(high) {
                        mem.put(a, mem.word(high));
                        // What is only supposed loses nothing.
                        if !self.offers.supposes() {
                            driver.cuts_off(self.at);
                        }
                    }
                }
                Op::Greatest { dst, a, b } => mem.put(dst, mem.word(a).max(mem.word(b))),
                Op::Position { dst, a, low } => {
                    mem.put(dst, mem.word(a).wrapping_sub(mem.word(low)));
                }
                Op::CheckRange { a, low, high } => {
                    self.check_range(mem.word(a), mem.word(low), mem.word(high))?;
                }
                Op::Index { dst, a, low, count } => {
                    let position = self.position(mem.word(a), mem.word(low), count)?;
                    mem.put(dst, position);
                }
                Op::CheckAmount { a } => {
                    let value = mem.word(a);
                    self.check(value >= 0, |span| Trap::NegativeAmount { value, span })?;
                }
                Op::CheckPay { have, cost, low } => {
                    let have = mem.word(have).saturating_sub(mem.word(low));
                    let cost = mem.word(cost);
                    self.check(cost <= have, |span| Trap::CannotPay { have, cost, span })?;
                }
                Op::CheckSome { a } => {
                    self.check(mem.word(a) != NONE, |span| Trap::NothingToCompare { span })?;
                }
                Op::Scale { dst, a, size, b } => {
                    mem.put(dst, mem.word(a) * i64::from(size) + mem.word(b));
                }
                Op::Load { dst, base, index, count } => {
                    let place = self.element(base, mem.word(index), count, 1)?;
                    mem.put(dst, mem.word(place));
                }
                Op::Store { base, index, src, count } => {
                    let place = self.element(base, mem.word(index), count, 1)?;
                    mem.put(place, mem.word(src));
                }
                Op::AddAt { base, index, count, b, range } => {
                    let place = self.element(base, mem.word(index), count, 1)?;
                    self.sum(mem, place, mem.word(place).checked_add(mem.word(b)))?;
                    self.check_range(mem.word(place), mem.word(range), mem.word(range + 1))?;
                }
                Op::LoadSet { dst, base, index, count, width } => {
                    let place = self.element(base, mem.word(index), count, width)?;
                    mem.copy(dst, place, width);
                }
                Op::StoreSet { base, index, src, count, width } => {
                    let place = self.element(base, mem.word(index), count, width)?;
                    mem.copy(place, src, width);
                }
                Op::InsertAt { base, index, count, member, width } => {
                    let set = self.element(base, mem.word(index), count, width)?;
                    let member = mem.word(member);
                    sets::insert(mem.set_mut(set, width), member);
                }
                Op::RemoveAt { base, index, count, member, width } => {
                    let set = self.element(base, mem.word(index), count, width)?;
                    let member = mem.word(member);
                    sets::remove(mem.set_mut(set, width), member);
                }
                Op::LoadValue { dst, base, member, count, width } => {
                    let member = mem.word(member);
                    let has = |at: &u16| sets::has(mem.set(base + at * width, width), member);
                    let value = (0..count).find(has).map_or(NONE, i64::from);
                    mem.put(dst, value);
                }
                Op::StoreValue { base, member, src, count, width } => {
                    let member = mem.word(member);
                    for at in 0..count {
                        sets::remove(mem.set_mut(base + at * width, width), member);
                    }
                    // The last set is that of whatever is no position.
                    let at = u16::try_from(mem.word(src)).unwrap_or(u16::MAX).min(count - 1);
                    sets::insert(mem.set_mut(base + at * width, width), member);
                }
                Op::NextPlayer { dst, a, count } => {
                    let next = mem.word(a) + 1;
                    mem.put(dst, if next == i64::from(count) { 0 } else { next });
                }
                Op::PreviousPlayer { dst, a, count } => {
                    let player = mem.word(a);
                    mem.put(dst, if player == 0 { i64::from(count) } else { player } - 1);
                }
                Op::Clear { set, width } => mem.set_mut(set, width).fill(0),
                Op::Single { set, member, width } => {
                    let member = mem.word(member);
                    mem.set_mut(set, width).fill(0);
                    sets::insert(mem.set_mut(set, width), member);
                }
                Op::Insert { set, member, width } => {
                    let member = mem.word(member);
                    sets::insert(mem.set_mut(set, width), member);
                }
                Op::Remove { set, member, width } => {
                    let member = mem.word(member);
                    sets::remove(mem.set_mut(set, width), member);
                }
                Op::Union { dst, a, b, width } => mem.combine([dst, a, b], width, |a, b| a | b),
                Op::Minus { dst, a, b, width } => mem.combine([dst, a, b], width, |a, b| a & !b),
                Op::Common { dst, a, b, width } => mem.combine([dst, a, b], width, |a, b| a & b),
                Op::Interval { dst, low, high, width } => {
                    let (low, high) = (mem.word(low), mem.word(high));
                    sets::fill(mem.set_mut(dst, width), low, high);
                }
                Op::WhereEqual { dst, base, count, a } => {
                    let a = mem.word(a);
                    mark(mem, dst, base, count, |word| word == a);
                }
                Op::WhereBelow { dst, base, count, a } => {
                    let a = mem.word(a);
                    mark(mem, dst, base, count, |word| word < a);
                }
                Op::WhereIn { dst, base, count, set } => {
                    let members = mem.word(set);
                    mark(mem, dst, base, count, |word| sets::has(&[members], word));
                }
                Op::UnionOf { dst, base, count, of, width } => {
                    let of = mem.word(of);
                    mem.set_mut(dst, width).fill(0);
                    for at in (0..count).filter(|at| sets::has(&[of], (*at).into())) {
                        mem.combine([dst, dst, base + at * width], width, |a, b| a | b);
                    }
                }
                Op::SelectWithin { dst, base, count, set, width: 1 } => {
                    let out = !mem.word(set);
                    mark(mem, dst, base, count, |word| word & out == 0);
                }
                Op::SelectWithin { dst, base, count, set, width } => {
                    let within = |mem: &[i64], at| mem.is_within(base + at * width, set, width);
                    mark_sets(mem, dst, count, within);
                }
                Op::SelectMeeting { dst, base, count, set, width: 1 } => {
                    let set = mem.word(set);
                    mark(mem, dst, base, count, |word| word & set != 0);
                }
                Op::SelectMeeting { dst, base, count, set, width } => {
                    let meets = |mem: &[i64], at| mem.is_meeting(base + at * width, set, width);
                    mark_sets(mem, dst, count, meets);
                }
                Op::Count { dst, set, width } => {
                    let members = sets::count(mem.set(set, width));
                    mem.put(dst, i64::try_from(members).expect("a state has few words"));
                }
                Op::First { dst, set, width } => mem.put(dst, sets::first(mem.set(set, width))),
                Op::Last { dst, set, width } => mem.put(dst, sets::last(mem.set(set, width))),
                Op::Nth { dst, set, index, width } => {
                    let index = number(mem, index);
                    mem.put(dst, sets::nth(mem.set(set, width), index).unwrap_or(NONE));
                }
                Op::Pop { dst, set, width, to } => {
                    let member = sets::first(mem.set(set, width));
                    pop(mem, dst, set, width, member);
                    branch!(member == NONE, to);
                }
                Op::PopFrom { dst, set, start, width, to } => {
                    let member = sets::first_from(mem.set(set, width), mem.word(start));
                    pop(mem, dst, set, width, member);
                    branch!(member == NONE, to);
                }
                Op::CheckSubsets { set, width } => {
                    let members = sets::count(mem.set(set, width));
                    let most = MOST_IN_SUBSETS;
                    self.check(members <= most, |span| Trap::TooManySubsets {
                        members,
                        most,
                        span,
                    })?;
                }
                Op::NextSubset { set, of, width, to } => {
                    branch!(!next_subset(mem, set, of, width), to);
                }
                Op::JumpAlike { set, of, width, cards, to } => {
                    let (set, of) = (cards_in(mem, set, width), cards_in(mem, of, width));
                    branch!(self.piles(mem, cards).0.alike(&set, &of), to);
                }
                Op::Call { to, link, site } => {
                    self.burn()?;
                    mem.put(link, site.into());
                    next = to.into();
                    landing = next;
                }
                Op::Return { link } => {
                    self.burn_stretch(landing)?;
                    let site = usize::try_from(mem.word(link)).expect("a link is a site");
                    next = program.sites[site].to.into();
                    landing = next;
                }
                Op::Push { base, width } => self.push(mem.set(base, width))?,
                Op::Pull { base, width } => self.pull(mem.set_mut(base, width)),
                Op::Suppose { .. } => self.suppose(&mem[..program.slots])?,
                Op::Unsuppose { dst, width } => {
                    self.unsuppose(&mut mem[..program.slots], dst, width);
                }
                Op::Offer { option } => {
                    let info = &program.options[usize::from(option)];
                    self.offers.push(option, info, mem);
                }
                Op::OfferDecline { option } => self.offers.decline(option, false),
                Op::OfferDeclineAnyway { option } => self.offers.decline(option, true),
                Op::Decide { site } => match self.decide(mem, site, driver)? {
                    Some(to) => next = to.into(),
                    None => return Ok(Step::Decide { player: self.offers.player() }),
                },
                Op::Draw { dst, outcomes, low, site } => {
                    let outcomes = self.outcomes(mem.word(outcomes))?;
                    let Some(outcome) = driver.draw(outcomes) else {
                        mem[SITE] = site.into();
                        return Ok(Step::Draw { outcomes });
                    };
                    self.sum(mem, dst, mem.word(low).checked_add(outcome.into()))?;
                }
                Op::Quiet { to } => branch!(self.offers.supposes() || !driver.wants_speech(), to),
                Op::Words { text } => self.text.push_str(&program.texts[usize::from(text)]),
                Op::Print { a, format } => self.print(&[mem.word(a)], format),
                Op::PrintSet { set, width, format } => self.print(mem.set(set, width), format),
                Op::MoveCard { card, to, told, cards } => {
                    let (card, to) = (mem.word(card), number(mem, to));
                    self.check(card != NONE, |span| Trap::NoCard { span })?;
                    let mut set = [0; MOST_WORDS];
                    sets::insert(&mut set, card);
                    let (mut piles, bottom) = self.piles(mem, cards);
                    piles.gather(&set, to, bottom, told != 0);
                }
                Op::MoveCards { set, to, width, told, cards } => {
                    let (set, to) = (cards_in(mem, set, width), number(mem, to));
                    let (mut piles, bottom) = self.piles(mem, cards);
                    piles.gather(&set, to, bottom, told != 0);
                }
                Op::MovePile { pile, to, cards } => {
                    let (from, to) = (number(mem, pile), number(mem, to));
                    let (mut piles, bottom) = self.piles(mem, cards);
                    piles.stack(from, to, bottom);
                }
                Op::Shuffle { pile, cards } => {
                    let pile = number(mem, pile);
                    self.piles(mem, cards).0.shuffle(pile);
                }
                Op::Choices { dst, pile, depth, cards } => {
                    let choices = self.choices(mem, pile, depth, cards);
                    mem.put(dst, choices);
                }
                Op::Candidate { dst, pile, depth, index, cards } => {
                    let card = self.candidate(mem, [pile, depth, index], cards);
                    mem.put(dst, card);
                }
                Op::Settle { pile, depth, card, seen, cards } => {
                    self.settle(mem, [pile, depth, card], seen, cards);
                }
                Op::EndCard { dst, pile, cards } => {
                    let card = self.end_card(mem, pile, cards)?;
                    mem.put(dst, card);
                }
                Op::EndCards { dst, pile, count, width, cards } => {
                    let found = self.end_cards(mem, pile, count, cards)?;
                    mem.set_mut(dst, width).copy_from_slice(&found[..width.into()]);
                }
                Op::Distinct { dst, set, width, cards } => {
                    let set = cards_in(mem, set, width);
                    let kept = self.piles(mem, cards).0.distinct(&set);
                    mem.set_mut(dst, width).copy_from_slice(&kept[..width.into()]);
                }
                Op::FirstAlike { card, set, width, cards } => {
                    let (set, drawn) = (cards_in(mem, set, width), mem.word(card));
                    let first = self.piles(mem, cards).0.first_alike(drawn, &set);
                    mem.put(card, first);
                }
                Op::Learn { set, players, width, cards } => {
                    let (set, players) = (cards_in(mem, set, width), [mem.word(players)]);
                    let (mut piles, _) = self.piles(mem, cards);
                    sets::members(&players).for_each(|player| piles.learn(player, &set));
                }
                Op::PrintPile { pile, cards } => self.print_pile(mem.word(pile), cards),
                Op::Tell { to_whom } => self.tell(mem.word(to_whom), driver),
                Op::FinishDraw {} => return Ok(self.finish_draw(mem)),
                Op::FinishWin { set, width } => return self.finish_win(mem, set, width),
                Op::FinishRanking { base, count, .. } => {
                    return Ok(self.finish_ranking(mem, base, count));
                }
                Op::Stop {} => return Ok(Step::End),
                Op::NoFinish {} => return Err(Trap::NoFinish { span: self.span() }),
            }
        }
    }

    #[cold]
    pub(super) fn span(&self) -> Span {
        self.program.spans[self.at]
    }

    /// A trap here unless something holds.
    #[inline]
    pub(super) fn check(&self, holds: bool, trap: impl FnOnce(Span) -> Trap) -> Result<(), Trap> {
        if holds { Ok(()) } else { Err(trap(self.span())) }
    }

    #[inline]
    pub(super) fn burn(&mut self) -> Result<(), Trap> {
        *self.fuel += 1;
        self.check(*self.fuel <= FUEL, |span| Trap::Endless { span, steps: FUEL })
    }

    /// Burns for a stretch of code from a place on: a long one costs more.
    #[inline]
    fn burn_stretch(&mut self, from: usize) -> Result<(), Trap> {
        *self.fuel += (self.at.abs_diff(from) / STRETCH) as u64;
        self.burn()
    }

    fn push(&mut self, words: &[i64]) -> Result<(), Trap> {
        self.check(self.stack.len() <= MAX_STACK, |span| Trap::TooDeep { span })?;
        self.stack.extend_from_slice(words);
        Ok(())
    }

    fn pull(&mut self, words: &mut [i64]) {
        let rest = self.stack.len() - words.len();
        words.copy_from_slice(&self.stack[rest..]);
        self.stack.truncate(rest);
    }

    fn suppose(&mut self, words: &[i64]) -> Result<(), Trap> {
        self.burn()?;
        self.check(self.offers.aside.len() <= MAX_ASIDE, |span| Trap::TooDeep { span })?;
        self.offers.aside.extend_from_slice(words);
        Ok(())
    }

    fn unsuppose(&mut self, words: &mut [i64], dst: u16, width: u16) {
        let aside = &mut self.offers.aside;
        let rest = aside.len() - words.len();
        let (from, to) = (usize::from(dst), usize::from(dst) + usize::from(width));
        words[..from].copy_from_slice(&aside[rest..rest + from]);
        words[to..].copy_from_slice(&aside[rest + to..]);
        aside.truncate(rest);
    }

    /// After a trap: the words are as they were before anything was supposed.
    pub(super) fn forget_supposed(&mut self, words: &mut [i64]) {
        let slots = self.program.slots;
        if let Some(first) = self.offers.aside.get(..slots) {
            words[..slots].copy_from_slice(first);
        }
        self.offers.aside.clear();
    }

    fn print(&mut self, words: &[i64], format: u16) {
        let format = &self.program.formats[usize::from(format)];
        // Only what is called something begins a sentence; a text begins as it was written.
        self.capital |= self.text.is_empty() && format.shape != Shape::Text;
        text::print(&mut self.text, self.program, self.names, words, format);
    }

    fn print_pile(&mut self, pile: i64, cards: u16) {
        let pile = usize::try_from(pile).expect("it is never negative");
        let end = if cards % 2 == 1 { "bottom of " } else { "" };
        self.text.push_str(end);
        let info = &self.program.cards[usize::from(cards / 2)].piles[pile];
        text::print_pile(&mut self.text, self.program, self.names, info);
    }

    fn tell<D: Driver>(&mut self, to_whom: i64, driver: &mut D) {
        let to = u8::try_from(to_whom).ok();
        if std::mem::take(&mut self.capital) {
            capitalise(&mut self.text);
        }
        driver.hear(to, &self.text);
        self.text.clear();
    }
}

/// Takes a member out of a set that it was found in.
#[inline]
fn pop(mem: &mut [i64], dst: u16, set: u16, width: u16, member: i64) {
    if member != NONE {
        sets::remove(mem.set_mut(set, width), member);
        mem.put(dst, member);
    }
}

/// Whether all of one of `count` sets is in `set`.
#[inline]
fn any_within(mem: &[i64], base: u16, count: u16, set: u16, width: u16) -> bool {
    if width == 1 {
        let out = !mem.word(set);
        let within = |word: &i64| i64::from(word & out == 0);
        // Several at once, without a branch for each.
        return mem.set(base, count).chunks(8).any(|some| some.iter().map(within).sum::<i64>() > 0);
    }
    (0..count).any(|at| mem.is_within(base + at * width, set, width))
}

/// Makes a set of the positions of those of some words for which something holds.
#[inline]
fn mark(mem: &mut [i64], dst: u16, base: u16, count: u16, holds: impl Fn(i64) -> bool) {
    for from in (0..count).step_by(64) {
        let words = mem.set(base + from, (count - from).min(64));
        let marked = words.iter().rev().fold(0, |set, word| set << 1 | i64::from(holds(*word)));
        mem.put(dst + from / 64, marked);
    }
}

/// Makes a set of the positions of those of some sets for which something holds.
#[inline]
fn mark_sets(mem: &mut [i64], dst: u16, count: u16, holds: impl Fn(&[i64], u16) -> bool) {
    for from in (0..count).step_by(64) {
        let to = count.min(from + 64);
        let marked = (from..to).rev().fold(0, |set, at| set << 1 | i64::from(holds(mem, at)));
        mem.put(dst + from / 64, marked);
    }
}

/// A sentence that begins with a title begins with a capital letter.
pub(super) fn capitalise(text: &mut String) {
    let Some(first) = text.chars().next() else { return };
    let capital: String = first.to_uppercase().collect();
    text.replace_range(..first.len_utf8(), &capital);
}

#[cfg(test)]
mod tests {
    use super::capitalise;

    #[test]
    fn sentences_begin_with_a_capital() {
        let mut text = "öl burns".to_owned();
        capitalise(&mut text);
        assert_eq!(text, "Öl burns");
    }
}
