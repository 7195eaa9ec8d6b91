//! One short arm per operation.

use crate::bytecode::program::{NONE, SITE};
use crate::bytecode::{Op, Program};
use crate::source::Span;
use crate::vm::numbers::{ceil_divide, floor_divide, modulo};
use crate::vm::offers::Offers;
use crate::vm::state::State;
use crate::vm::trap::Trap;
use crate::vm::{Driver, FUEL, MAX_STACK, Step, sets, text};

/// A program at work on a state.
pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) state: &'a mut State,
    pub(super) offers: &'a mut Offers,
    names: &'a [String],
    text: String,
    /// Whether the text begins with a title, which then begins a sentence.
    capital: bool,
    at: usize,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        program: &'a Program,
        state: &'a mut State,
        offers: &'a mut Offers,
        names: &'a [String],
    ) -> Machine<'a> {
        Machine { program, state, offers, names, text: String::new(), capital: false, at: 0 }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Runs from an operation on, until somebody must answer who does not answer at once.
    #[expect(clippy::too_many_lines, reason = "one arm per operation")]
    pub(super) fn execute<D: Driver>(&mut self, to: u16, driver: &mut D) -> Result<Step, Trap> {
        let code = &self.program.code;
        let mut next = usize::from(to);
        loop {
            self.at = next;
            next += 1;
            match code[self.at] {
                Op::Jump { to } => next = to.into(),
                Op::Again { to } => {
                    self.burn()?;
                    next = to.into();
                }
                Op::JumpIf { a, to } => self.branch(self.get(a) != 0, to, &mut next),
                Op::JumpIfNot { a, to } => self.branch(self.get(a) == 0, to, &mut next),
                Op::JumpEqual { a, b, to } => {
                    self.branch(self.get(a) == self.get(b), to, &mut next);
                }
                Op::JumpDifferent { a, b, to } => {
                    self.branch(self.get(a) != self.get(b), to, &mut next);
                }
                Op::JumpLess { a, b, to } => {
                    self.branch(self.get(a) < self.get(b), to, &mut next);
                }
                Op::JumpAtMost { a, b, to } => {
                    self.branch(self.get(a) <= self.get(b), to, &mut next);
                }
                Op::JumpHas { set, member, width, to } => {
                    self.branch(sets::has(self.set(set, width), self.get(member)), to, &mut next);
                }
                Op::JumpLacks { set, member, width, to } => {
                    self.branch(!sets::has(self.set(set, width), self.get(member)), to, &mut next);
                }
                Op::JumpEmpty { set, width, to } => {
                    self.branch(self.is_empty(set, width), to, &mut next);
                }
                Op::JumpSome { set, width, to } => {
                    self.branch(!self.is_empty(set, width), to, &mut next);
                }
                Op::JumpWithin { a, b, width, to } => {
                    self.branch(self.is_within(a, b, width), to, &mut next);
                }
                Op::JumpNotWithin { a, b, width, to } => {
                    self.branch(!self.is_within(a, b, width), to, &mut next);
                }
                Op::JumpSame { a, b, width, to } => {
                    self.branch(self.set(a, width) == self.set(b, width), to, &mut next);
                }
                Op::JumpNotSame { a, b, width, to } => {
                    self.branch(self.set(a, width) != self.set(b, width), to, &mut next);
                }
                Op::Move { dst, src } => self.put(dst, self.get(src)),
                Op::Copy { dst, src, width } => self.copy(dst, src, width),
                Op::Add { dst, a, b } => self.sum(dst, self.get(a).checked_add(self.get(b)))?,
                Op::Subtract { dst, a, b } => {
                    self.sum(dst, self.get(a).checked_sub(self.get(b)))?;
                }
                Op::Multiply { dst, a, b } => {
                    self.sum(dst, self.get(a).checked_mul(self.get(b)))?;
                }
                Op::CeilDivide { dst, a, b } => self.divide(dst, a, b, ceil_divide)?,
                Op::FloorDivide { dst, a, b } => self.divide(dst, a, b, floor_divide)?,
                Op::Modulo { dst, a, b } => self.divide(dst, a, b, modulo)?,
                Op::Least { dst, a, b } => self.put(dst, self.get(a).min(self.get(b))),
                Op::Greatest { dst, a, b } => self.put(dst, self.get(a).max(self.get(b))),
                Op::Position { dst, a, low } => {
                    self.put(dst, self.get(a).wrapping_sub(self.get(low)));
                }
                Op::CheckRange { a, low, high } => self.check_range(a, low, high)?,
                Op::Index { dst, a, low, count } => self.position(dst, a, low, count)?,
                Op::CheckAmount { a } => self.check_amount(a)?,
                Op::CheckPay { have, cost, low } => self.check_pay(have, cost, low)?,
                Op::CheckSome { a } => self.check_some(a)?,
                Op::Scale { dst, a, size, b } => {
                    self.put(dst, self.get(a) * i64::from(size) + self.get(b));
                }
                Op::Load { dst, base, index, count } => {
                    let index = self.index(index, count)?;
                    self.put(dst, self.word(usize::from(base) + index));
                }
                Op::Store { base, index, src, count } => {
                    let index = self.index(index, count)?;
                    self.state.words[usize::from(base) + index] = self.get(src);
                }
                Op::LoadSet { dst, base, index, count, width } => {
                    let place = base + self.offset(index, count, width)?;
                    self.copy(dst, place, width);
                }
                Op::StoreSet { base, index, src, count, width } => {
                    let place = base + self.offset(index, count, width)?;
                    self.copy(place, src, width);
                }
                Op::NextPlayer { dst, a, count } => {
                    let next = self.get(a) + 1;
                    self.put(dst, if next == i64::from(count) { 0 } else { next });
                }
                Op::PreviousPlayer { dst, a, count } => {
                    let player = self.get(a);
                    self.put(dst, if player == 0 { i64::from(count) } else { player } - 1);
                }
                Op::Clear { set, width } => self.set_mut(set, width).fill(0),
                Op::Insert { set, member, width } => {
                    let member = self.get(member);
                    sets::insert(self.set_mut(set, width), member);
                }
                Op::Remove { set, member, width } => {
                    let member = self.get(member);
                    sets::remove(self.set_mut(set, width), member);
                }
                Op::Union { dst, a, b, width } => self.combine([dst, a, b], width, |a, b| a | b),
                Op::Minus { dst, a, b, width } => self.combine([dst, a, b], width, |a, b| a & !b),
                Op::Common { dst, a, b, width } => self.combine([dst, a, b], width, |a, b| a & b),
                Op::Interval { dst, low, high, width } => {
                    let (low, high) = (self.get(low), self.get(high));
                    sets::fill(self.set_mut(dst, width), low, high);
                }
                Op::Count { dst, set, width } => self.put(dst, sets::count(self.set(set, width))),
                Op::First { dst, set, width } => self.put(dst, sets::first(self.set(set, width))),
                Op::Last { dst, set, width } => self.put(dst, sets::last(self.set(set, width))),
                Op::Nth { dst, set, index, width } => {
                    let index = usize::try_from(self.get(index)).unwrap_or(usize::MAX);
                    self.put(dst, sets::nth(self.set(set, width), index).unwrap_or(NONE));
                }
                Op::Pop { dst, set, width, to } => {
                    let member = sets::first(self.set(set, width));
                    self.pop(dst, set, width, member);
                    self.branch(member == NONE, to, &mut next);
                }
                Op::PopFrom { dst, set, start, width, to } => {
                    let member = sets::first_from(self.set(set, width), self.get(start));
                    self.pop(dst, set, width, member);
                    self.branch(member == NONE, to, &mut next);
                }
                Op::Call { to, link, site } => {
                    self.burn()?;
                    self.put(link, site.into());
                    next = to.into();
                }
                Op::Return { link } => next = self.site_of(link),
                Op::Push { base, width } => self.push(base, width)?,
                Op::Pull { base, width } => self.pull(base, width),
                Op::Offers { .. } => self.offers.clear(),
                Op::Offer { option } => self.offer(option),
                Op::OfferDecline { option } => self.offers.decline(option, false),
                Op::OfferDeclineAnyway { option } => self.offers.decline(option, true),
                Op::Decide { site } => match self.decide(site, driver)? {
                    Some(to) => next = to.into(),
                    None => return Ok(Step::Decide { player: self.offers.player() }),
                },
                Op::Draw { dst, outcomes, site } => {
                    let outcomes = self.outcomes(outcomes)?;
                    let Some(outcome) = driver.draw(outcomes) else {
                        self.state.words[SITE] = site.into();
                        return Ok(Step::Draw { outcomes });
                    };
                    self.put(dst, outcome.into());
                }
                Op::Quiet { to } => self.branch(!driver.listens(), to, &mut next),
                Op::Words { text } => self.text.push_str(&self.program.texts[usize::from(text)]),
                Op::Print { a, format } => self.print(&[self.get(a)], format),
                Op::PrintSet { set, width, format } => {
                    let words = self.set(set, width).to_vec();
                    self.print(&words, format);
                }
                Op::MoveCard { card, to, cards } => self.move_card(card, to, cards)?,
                Op::MoveCards { set, to, width, cards } => {
                    self.move_cards((set, width), to, cards);
                }
                Op::MovePile { pile, to, cards } => self.move_pile(pile, to, cards),
                Op::Shuffle { pile, cards } => self.shuffle(pile, cards),
                Op::Choices { dst, pile, depth, cards } => {
                    let choices = self.choices(pile, depth, cards);
                    self.put(dst, choices);
                }
                Op::Candidate { dst, pile, depth, index, cards } => {
                    let card = self.candidate([pile, depth, index], cards);
                    self.put(dst, card);
                }
                Op::Settle { pile, depth, card, cards } => {
                    self.settle([pile, depth, card], cards);
                }
                Op::EndCard { dst, pile, cards } => {
                    let card = self.end_card(pile, cards)?;
                    self.put(dst, card);
                }
                Op::EndCards { dst, pile, count, width, cards } => {
                    self.end_cards((dst, width), (pile, count), cards)?;
                }
                Op::Distinct { dst, set, width, cards } => self.distinct(dst, (set, width), cards),
                Op::Learn { set, players, width, cards } => {
                    self.learn((set, width), players, cards);
                }
                Op::PrintPile { pile, cards } => self.print_pile(pile, cards),
                Op::Tell { to_whom } => self.tell(to_whom, driver),
                Op::FinishDraw {} => return Ok(self.finish_draw()),
                Op::FinishWin { set, width } => return self.finish_win(set, width),
                Op::FinishRanking { base, count, .. } => {
                    return Ok(self.finish_ranking(base, count));
                }
                Op::Stop {} => return Ok(Step::End),
                Op::NoFinish {} => return Err(Trap::NoFinish { span: self.span() }),
            }
        }
    }

    // Words.

    #[inline]
    pub(super) fn word(&self, at: usize) -> i64 {
        match self.state.words.get(at) {
            Some(word) => *word,
            None => self.program.constants[at - self.state.words.len()],
        }
    }

    #[inline]
    pub(super) fn get(&self, slot: u16) -> i64 {
        self.word(usize::from(slot))
    }

    #[inline]
    pub(super) fn put(&mut self, slot: u16, word: i64) {
        self.state.words[usize::from(slot)] = word;
    }

    #[inline]
    pub(super) fn set(&self, slot: u16, width: u16) -> &[i64] {
        let (at, width) = (usize::from(slot), usize::from(width));
        match self.state.words.get(at..at + width) {
            Some(words) => words,
            None => {
                let at = at - self.state.words.len();
                &self.program.constants[at..at + width]
            }
        }
    }

    #[inline]
    pub(super) fn set_mut(&mut self, slot: u16, width: u16) -> &mut [i64] {
        let at = usize::from(slot);
        &mut self.state.words[at..at + usize::from(width)]
    }

    pub(super) fn copy(&mut self, dst: u16, src: u16, width: u16) {
        for word in 0..width {
            self.put(dst + word, self.get(src + word));
        }
    }

    // Control.

    pub(super) fn span(&self) -> Span {
        self.program.spans[self.at]
    }

    #[inline]
    #[expect(clippy::unused_self, reason = "every arm is one call on the machine")]
    fn branch(&self, taken: bool, to: u16, next: &mut usize) {
        if taken {
            *next = to.into();
        }
    }

    pub(super) fn burn(&mut self) -> Result<(), Trap> {
        self.state.fuel += 1;
        if self.state.fuel > FUEL {
            return Err(Trap::Endless { span: self.span(), steps: FUEL });
        }
        Ok(())
    }

    fn site_of(&self, link: u16) -> usize {
        let site = usize::try_from(self.get(link)).expect("a link is a site");
        self.program.sites[site].to.into()
    }

    fn push(&mut self, base: u16, width: u16) -> Result<(), Trap> {
        let at = usize::from(base);
        if self.state.stack.len() > MAX_STACK {
            return Err(Trap::TooDeep { span: self.span() });
        }
        self.state.stack.extend_from_slice(&self.state.words[at..at + usize::from(width)]);
        Ok(())
    }

    fn pull(&mut self, base: u16, width: u16) {
        let rest = self.state.stack.len() - usize::from(width);
        let (at, end) = (usize::from(base), usize::from(base) + usize::from(width));
        self.state.words[at..end].copy_from_slice(&self.state.stack[rest..]);
        self.state.stack.truncate(rest);
    }

    // Sets.

    fn is_empty(&self, set: u16, width: u16) -> bool {
        self.set(set, width).iter().all(|word| *word == 0)
    }

    fn is_within(&self, a: u16, b: u16, width: u16) -> bool {
        let pairs = self.set(a, width).iter().zip(self.set(b, width));
        pairs.into_iter().all(|(a, b)| a & !b == 0)
    }

    fn combine(&mut self, [dst, a, b]: [u16; 3], width: u16, word: fn(i64, i64) -> i64) {
        for at in 0..width {
            self.put(dst + at, word(self.get(a + at), self.get(b + at)));
        }
    }

    fn pop(&mut self, dst: u16, set: u16, width: u16, member: i64) {
        if member != NONE {
            sets::remove(self.set_mut(set, width), member);
            self.put(dst, member);
        }
    }

    // Text.

    fn print(&mut self, words: &[i64], format: u16) {
        let format = &self.program.formats[usize::from(format)];
        self.capital |= self.text.is_empty();
        text::print(&mut self.text, self.program, self.names, words, format);
    }

    fn print_pile(&mut self, pile: u16, cards: u16) {
        let pile = usize::try_from(self.get(pile)).unwrap_or(0);
        let end = if cards % 2 == 1 { "bottom of " } else { "" };
        self.text.push_str(end);
        let info = &self.program.cards[usize::from(cards / 2)].piles[pile];
        text::print_pile(&mut self.text, self.program, self.names, info);
    }

    fn tell<D: Driver>(&mut self, to_whom: u16, driver: &mut D) {
        let to = u8::try_from(self.get(to_whom)).ok();
        if std::mem::take(&mut self.capital) {
            capitalise(&mut self.text);
        }
        driver.hear(to, &self.text);
        self.text.clear();
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
