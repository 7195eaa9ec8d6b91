//! The numbers of moves: each move of a game has one that it keeps in all positions.
//!
//! A number is a declaration of the file and a value for each argument: mixed radix over what these can be.
//! Where a declaration would take more than [`MOST_WHOLE`] numbers, its moves are made in steps, each with a
//! number of its own: one for each argument; for a set or a list one for each member and one to end it; for a
//! number with many values one for each of its digits.

mod digits;
mod subset_steps;

use std::collections::BTreeMap;

use crate::bytecode::{ArgumentInfo, Factor, NONE, OptionInfo, Program, ValueShape, sets};
use crate::diagnostic::{Diagnostic, Diagnostics, diagnostics};
use crate::error::{Error, ErrorKind};
use crate::game::LegalMoves;
use crate::source::{Sources, Span};
use crate::vm::{self, OfferedMoves, State};
use digits::{ArgumentDigits, BASE, Letters};

diagnostics! {
    play::unnumbered => (name, what, help; span),
        "the moves of `{name}` have no numbers: {what}", span: "this move", help: help;
}

/// How many numbers a declaration may have whose moves are not made in steps.
const MOST_WHOLE: u64 = 1 << 16;

/// How many numbers a game may have.
const MOST_NUMBERS: u64 = 1 << 24;

/// The numbers of all moves of a game.
#[derive(Debug)]
pub(crate) struct ActionTable {
    sites: Vec<ActionSite>,
    /// In the order of the program.
    options: Vec<NumberedOption>,
    size: u32,
}

/// An option of the program.
#[derive(Debug)]
struct NumberedOption {
    site: usize,
    /// Where its values come from, argument by argument.
    sources: Vec<ValueSource>,
    /// Most options range over the members of one set and nothing else.
    lone_set: Option<LoneSet>,
}

/// The one set that an option ranges over: its words, and the number of its first bit.
#[derive(Clone, Copy, Debug)]
struct LoneSet {
    width: usize,
    first: u32,
}

/// A declaration of moves in the file.
#[derive(Debug)]
pub(crate) struct ActionSite {
    name: String,
    span: Span,
    arguments: Vec<ArgumentDigits>,
    base: u32,
    /// Whether its moves are made in steps.
    in_steps: bool,
}

/// Where an offer keeps a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueSource {
    /// Among the words of the offer: first word and number.
    Offered(usize, usize),
    /// In the factor with this number, whose set begins at this word.
    Factor(usize, usize),
    /// In the state or among the constants.
    State(u16, u16),
}

impl ActionTable {
    /// Lays the numbers out.
    ///
    /// # Errors
    /// If an argument has no lowest or no highest value, or there are too many numbers.
    pub(super) fn new(program: &Program, sources: &Sources) -> Result<ActionTable, Error> {
        let mut found: BTreeMap<(u32, u32), ActionSite> = BTreeMap::new();
        for option in &program.options {
            let arguments = site_arguments(program, option, sources)?;
            let key = (option.span.start, option.span.end);
            let Some(site) = found.get_mut(&key) else {
                let (name, span) = (option.name.clone(), option.span);
                let site = ActionSite { name, span, arguments, base: 0, in_steps: false };
                found.insert(key, site);
                continue;
            };
            for (known, new) in site.arguments.iter_mut().zip(arguments) {
                known.letters.unite(&new.letters);
                known.or_none |= new.or_none;
            }
        }
        let mut next = 0;
        for site in found.values_mut() {
            site.base = small(next);
            next = site.assign_weights(next);
            if next > MOST_NUMBERS {
                let what = format!("they take more than {MOST_NUMBERS}");
                let help = "let several decisions choose the parts of the move";
                return Err(lacking(sources, unnumbered(&site.name, what, help, site.span)));
            }
        }
        let at: BTreeMap<(u32, u32), usize> = found.keys().copied().zip(0..).collect();
        let options = program.options.iter().map(|option| {
            let site = at[&(option.span.start, option.span.end)];
            let sources =
                option.arguments.iter().map(|it| ValueSource::find_source(option, it)).collect();
            (site, sources, option)
        });
        let sites: Vec<ActionSite> = found.into_values().collect();
        let numbered = |(site, sources, option): (usize, Vec<ValueSource>, &OptionInfo)| {
            let lone_set = sites[site].lone_set(option, &sources);
            NumberedOption { site, sources, lone_set }
        };
        let options = options.map(numbered).collect();
        let size = u32::try_from(next).expect("there are not too many");
        Ok(ActionTable { sites, options, size })
    }

    pub(crate) fn count_numbers(&self) -> u32 {
        self.size
    }

    /// How many numbers a move takes at most.
    pub(crate) fn most_steps(&self, program: &Program) -> u64 {
        let steps = self.options.iter().zip(&program.options).map(|(numbered, option)| {
            let site = &self.sites[numbered.site];
            let each = site.arguments.iter().zip(&option.arguments);
            let all: u64 = each.map(|(argument, info)| argument.most_steps(info.width)).sum();
            if site.in_steps { all } else { 1 }
        });
        steps.max().unwrap_or(1).max(1)
    }

    /// The site of an option of the program.
    pub(crate) fn site_of(&self, option: u16) -> &ActionSite {
        &self.sites[self.options[usize::from(option)].site]
    }

    /// The site that a number belongs to.
    pub(crate) fn site_at(&self, number: u32) -> Option<&ActionSite> {
        let after = self.sites.partition_point(|site| site.base <= number);
        (number < self.size).then(|| &self.sites[after - 1])
    }

    /// Calls `see` with the number of each move that an entry offers; its moves are not made in steps.
    #[inline]
    pub(crate) fn numbers_of(
        &self,
        (program, state): (&Program, &State),
        offered: &OfferedMoves<'_>,
        see: &mut impl FnMut(u32),
    ) {
        let NumberedOption { site, sources, lone_set } = &self.options[usize::from(offered.option)];
        if let Some(LoneSet { width, first }) = *lone_set {
            for (at, word) in (0..).zip(&offered.words[..width]) {
                let mut rest = *word;
                while rest != 0 {
                    see(first + at * 64 + rest.trailing_zeros());
                    rest &= rest.wrapping_sub(1);
                }
            }
            return;
        }
        let site = &self.sites[*site];
        let mut number = site.base;
        let mut last = None;
        let mut others = Vec::new();
        for (argument, source) in site.arguments.iter().zip(sources) {
            match *source {
                ValueSource::Offered(at, width) => {
                    number += argument.digit(&offered.words[at..at + width]) * argument.weight;
                }
                ValueSource::State(at, width) => {
                    let words = state.slice(at.into(), width.into());
                    number += argument.digit(words) * argument.weight;
                }
                ValueSource::Factor(which, at) => {
                    others.extend(last.replace((argument, which, at)));
                }
            }
        }
        let Some(last) = last else { return see(number) };
        let option = &program.options[usize::from(offered.option)];
        spread(option, offered.words, &others, last, number, see);
    }

    /// The position among the legal moves of the one with a number that is not of a step.
    pub(crate) fn find_move<'a>(
        &self,
        (program, state): (&Program, &State),
        offered: impl Iterator<Item = OfferedMoves<'a>>,
        number: u32,
    ) -> Option<usize> {
        let site = self.site_at(number).filter(|site| !site.in_steps)?;
        let mut offered = offered.filter(|it| std::ptr::eq(self.site_of(it.option), site));
        offered.find_map(|offered| self.place_in_entry((program, state), &offered, (site, number)))
    }

    /// Which of the moves of an entry has a number of its site, if one does.
    fn place_in_entry(
        &self,
        (program, state): (&Program, &State),
        offered: &OfferedMoves<'_>,
        (site, number): (&ActionSite, u32),
    ) -> Option<usize> {
        let NumberedOption { sources, lone_set, .. } = &self.options[usize::from(offered.option)];
        if let Some(LoneSet { width, first }) = *lone_set {
            let set = &offered.words[..width];
            let bit = number.checked_sub(first)? as usize;
            let is_there = bit < width * 64 && sets::bit(set, bit);
            return is_there.then(|| offered.index + sets::count_to(set, bit) - 1);
        }
        let factors = &program.options[usize::from(offered.option)].binds.factors;
        let (mut index, mut left) = (offered.index, number - site.base);
        for (argument, source) in site.arguments.iter().zip(sources) {
            let digit = left / argument.weight;
            left %= argument.weight;
            let words = match *source {
                ValueSource::Offered(at, width) => &offered.words[at..at + width],
                ValueSource::State(at, width) => state.slice(at.into(), width.into()),
                ValueSource::Factor(which, at) => {
                    let factor = factors[which];
                    let end = at + usize::from(factor.width);
                    let way = argument.way(factor, &offered.words[at..end], digit)?;
                    index += way * ways_behind(&factors[which + 1..], &offered.words[end..]);
                    continue;
                }
            };
            if argument.digit(words) != digit {
                return None;
            }
        }
        Some(index)
    }

    /// The number of a move, or those of its steps; `word` gives the word of a slot.
    pub(crate) fn numbers_of_move(
        &self,
        program: &Program,
        option: u16,
        word: impl Fn(u16) -> i64,
    ) -> Vec<u32> {
        let site = self.site_of(option);
        let infos = &program.options[usize::from(option)].arguments;
        let (mut whole, mut steps) = (site.base, Vec::new());
        for (argument, info) in site.arguments.iter().zip(infos) {
            let words: Vec<i64> = (info.slot..info.slot + info.width).map(&word).collect();
            if !site.in_steps {
                whole += argument.digit(&words) * argument.weight;
                continue;
            }
            let letters = argument.spelled(&words).into_iter();
            let end = (!argument.is_single()).then_some(argument.letters.count());
            steps.extend(letters.chain(end).map(|letter| argument.weight + small(letter)));
        }
        if site.in_steps { steps } else { vec![whole] }
    }

    /// The number of a legal move, or those of its steps.
    pub(crate) fn numbers_of_legal(
        &self,
        program: &Program,
        (state, legal): (&State, &LegalMoves),
        index: usize,
    ) -> Vec<u32> {
        let mut bound = Vec::new();
        let option = legal.offers.bind(program, index, |slot, word| bound.push((slot, word)));
        self.numbers_of_move(program, option, |slot| {
            let bound = bound.iter().find(|(place, _)| *place == slot);
            bound.map_or_else(|| state.word(slot.into()), |(_, word)| *word)
        })
    }

    pub(crate) fn meaning<'p>(
        &self,
        program: &'p Program,
        number: u32,
    ) -> Option<ActionMeaning<'p>> {
        let site = self.site_at(number)?;
        let is_its = |it: &NumberedOption| std::ptr::eq(&raw const self.sites[it.site], site);
        let option = &program.options[self.options.iter().position(is_its)?];
        if !site.in_steps {
            let values = site.arguments.iter().zip(&option.arguments).zip(site.digits(number));
            let values =
                values.map(|((argument, info), digit)| argument.digit_words(digit, info.width));
            return Some(ActionMeaning::Whole(option, values.collect()));
        }
        let at = site.arguments.iter().rposition(|argument| argument.weight <= number)?;
        let (argument, letter) = (&site.arguments[at], number - site.arguments[at].weight);
        let (shape, letter) = (argument.letters.shape(), u64::from(letter));
        let digits = argument.digit_count();
        if argument.is_single() && digits > 1 {
            let power = digits - 1 - small(letter / BASE);
            return Some(ActionMeaning::Digit(option, letter % BASE, power));
        }
        let value = if argument.is_single() {
            let letter = letter.checked_sub(argument.or_none.into());
            Some(letter.map_or(NONE, |letter| argument.letters.letter_word(letter)))
        } else {
            (letter < argument.letters.count()).then(|| argument.letters.letter_word(letter))
        };
        Some(ActionMeaning::Step(option, shape, value))
    }
}

/// An option of the program, and values as words.
pub(crate) enum ActionMeaning<'p> {
    Whole(&'p OptionInfo, Vec<Vec<i64>>),
    /// The value of an argument, or the next member of one, with what it is; nothing ends the argument.
    Step(&'p OptionInfo, ValueShape, Option<i64>),
    /// A digit of a large number, and which power of the base it counts.
    Digit(&'p OptionInfo, u64, u32),
}

impl ActionSite {
    /// Gives weights from the first number on that is free; returns the first that is free behind it.
    fn assign_weights(&mut self, first: u64) -> u64 {
        let values: Option<u64> = self.arguments.iter().try_fold(1_u64, |product, argument| {
            argument.values().map(|values| product.saturating_mul(values))
        });
        if let Some(values) = values.filter(|values| *values <= MOST_WHOLE) {
            let mut weight = 1_u64;
            for argument in self.arguments.iter_mut().rev() {
                argument.weight = small(weight);
                weight = weight.saturating_mul(argument.values().expect("each has few values"));
            }
            return first.saturating_add(values);
        }
        self.in_steps = true;
        let mut next = first;
        for argument in &mut self.arguments {
            argument.weight = small(next);
            next = next.saturating_add(argument.step_count());
        }
        next
    }

    /// The set that an option of this site ranges over, if it ranges over nothing else.
    fn lone_set(&self, option: &OptionInfo, sources: &[ValueSource]) -> Option<LoneSet> {
        let ([argument], [ValueSource::Factor(0, 0)]) = (self.arguments.as_slice(), sources) else {
            return None;
        };
        let factor = option.binds.factors[0];
        let is_plain = argument.is_single() && argument.letters.is_plain() && !self.in_steps;
        if !is_plain || factor.or_none || factor.taken.is_some() {
            return None;
        }
        let first = i64::from(self.base) + i64::from(argument.or_none) + factor.low;
        let low = match argument.letters {
            Letters::Numbers(low, _) => low,
            _ => 0,
        };
        let first = u32::try_from(first.checked_sub(low)?).ok()?;
        Some(LoneSet { width: factor.width.into(), first })
    }

    /// The first of its numbers.
    pub(crate) fn first_number(&self) -> u32 {
        self.base
    }

    pub(crate) fn in_steps(&self) -> bool {
        self.in_steps
    }

    fn digits(&self, number: u32) -> Vec<u32> {
        let mut left = number - self.base;
        let digit = |argument: &ArgumentDigits| {
            let digit = left / argument.weight;
            left %= argument.weight;
            digit
        };
        self.arguments.iter().map(digit).collect()
    }
}

impl ValueSource {
    fn find_source(option: &OptionInfo, argument: &ArgumentInfo) -> ValueSource {
        let (fixed, taken) = option.binds.split();
        let mut at = 0;
        for (slot, width) in fixed {
            let inside = argument.slot >= *slot && argument.slot + argument.width <= slot + width;
            if inside {
                let first = at + usize::from(argument.slot - slot);
                return ValueSource::Offered(first, argument.width.into());
            }
            at += usize::from(*width);
        }
        for (which, (factor, (slot, _))) in option.binds.factors.iter().zip(taken).enumerate() {
            if *slot == argument.slot {
                return ValueSource::Factor(which, at);
            }
            at += usize::from(factor.width);
        }
        ValueSource::State(argument.slot, argument.width)
    }
}

/// The number of combinations of some factors, whose sets follow each other.
fn ways_behind(factors: &[Factor], sets: &[i64]) -> usize {
    let (mut at, mut ways) = (0, 1);
    for factor in factors {
        let end = at + usize::from(factor.width);
        ways *= vm::factor_size(*factor, &sets[at..end]);
        at = end;
    }
    ways
}

type FactorArgument<'a> = (&'a ArgumentDigits, usize, usize);

/// All combinations of the ways of some factors.
fn spread(
    option: &OptionInfo,
    words: &[i64],
    others: &[FactorArgument<'_>],
    (argument, which, at): FactorArgument<'_>,
    number: u32,
    see: &mut impl FnMut(u32),
) {
    let factor = option.binds.factors[which];
    let set = &words[at..at + usize::from(factor.width)];
    let mut go_on = |word: i64| {
        let number = number + argument.digit(&[word]) * argument.weight;
        match others.split_last() {
            Some((next, others)) => spread(option, words, others, *next, number, see),
            None => see(number),
        }
    };
    if factor.taken.is_some() {
        (0..vm::factor_size(factor, set)).for_each(|way| go_on(vm::nth_member(factor, set, way)));
        return;
    }
    if factor.or_none {
        go_on(NONE);
    }
    vm::members(set).for_each(|bit| go_on(factor.low + bit));
}

fn site_arguments(
    program: &Program,
    option: &OptionInfo,
    sources: &Sources,
) -> Result<Vec<ArgumentDigits>, Error> {
    let digits = |argument: &ArgumentInfo| {
        let Some((letters, form)) = Letters::of_argument(program, argument) else {
            let what = format!("nothing bounds `{}`", argument.name);
            let help = "give what it follows from a range, as in `price: 0..100`";
            return Err(lacking(sources, unnumbered(&option.name, what, help, option.span)));
        };
        Ok(ArgumentDigits { letters, form, or_none: argument.or_none, weight: 1 })
    };
    option.arguments.iter().map(digits).collect()
}

fn lacking(sources: &Sources, found: Diagnostic) -> Error {
    Error::with_findings(ErrorKind::Unnumbered, &Diagnostics::of(found), sources)
}

/// A number of a game; what goes beyond [`MOST_NUMBERS`] is refused once all are laid out.
fn small(number: u64) -> u32 {
    u32::try_from(number.min(MOST_NUMBERS)).expect("it has 25 bits")
}

fn size_of<T>(of: &[T]) -> u32 {
    u32::try_from(of.len()).expect("a list in a program has fewer than 2^32 items")
}
