//! The values of an argument as digits: numbers, members, sets and lists.

use crate::bytecode::{ArgumentInfo, Factor, NONE, Program, ValueShape, lists, sets};
use crate::game::numbering::{MOST_WHOLE, size_of};
use crate::rules::PLAYER;
use crate::vm;

/// Numbers with more values than [`MOST_WHOLE`] are given by digits to this base, the highest first.
pub(super) const BASE: u64 = 1 << 10;

/// How many members a type may have whose subsets have one number each.
const MOST_IN_SET: u64 = 16;

/// How the values of an argument become digits.
#[derive(Clone, Debug)]
pub(super) struct ArgumentDigits {
    pub(super) letters: Letters,
    pub(super) form: ArgumentForm,
    pub(super) or_none: bool,
    /// What a digit counts among the numbers of the site; of steps, the first number of this argument.
    pub(super) weight: u32,
}

/// What single values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    /// Numbers from this one on, so many.
    Numbers(i64, u64),
    /// Members of a kind: for each its letter. Cards have that of their face.
    Members { kind: u16, letters: Vec<u32>, count: u32 },
    /// The texts of the program.
    Texts(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArgumentForm {
    Single,
    Set,
    /// With the bits of an element.
    List(u16),
}

impl Letters {
    pub(super) fn of_argument(
        program: &Program,
        argument: &ArgumentInfo,
    ) -> Option<(Letters, ArgumentForm)> {
        let number = |low: i64, high: i64| {
            let count = u64::try_from(high.checked_sub(low)?.checked_add(1)?.max(0)).ok()?;
            Some(Letters::Numbers(low, count)).filter(|_| high < i64::MAX)
        };
        let numbers = || argument.ends.and_then(|(low, high)| number(low, high));
        let members = |kind: u16| Letters::member_letters(program, kind);
        Some(match argument.shape {
            ValueShape::Number => (numbers()?, ArgumentForm::Single),
            ValueShape::Bool => (Letters::Numbers(0, 2), ArgumentForm::Single),
            ValueShape::Text => (Letters::Texts(size_of(&program.texts)), ArgumentForm::Single),
            ValueShape::Member(kind) if !argument.alike.is_empty() => {
                let letters = argument.alike.clone();
                let count = letters.iter().max().map_or(0, |last| last + 1);
                (Letters::Members { kind, letters, count }, ArgumentForm::Single)
            }
            ValueShape::Member(kind) => (members(kind), ArgumentForm::Single),
            ValueShape::Members(kind) => (members(kind), ArgumentForm::Set),
            ValueShape::Numbers(_) => (numbers()?, ArgumentForm::Set),
            ValueShape::MemberList(kind, bits) => (members(kind), ArgumentForm::List(bits)),
            ValueShape::NumberList(_, bits) => (numbers()?, ArgumentForm::List(bits)),
        })
    }

    fn member_letters(program: &Program, kind: u16) -> Letters {
        let names = &program.kinds[usize::from(kind)];
        if let Some(cards) = program.cards.iter().find(|cards| cards.kind == kind) {
            let mut letters: Vec<u32> = Vec::with_capacity(cards.faces.len());
            for (at, face) in cards.faces.iter().enumerate() {
                let before = at.checked_sub(1).map(|before| (cards.faces[before], letters[before]));
                letters.push(match before {
                    Some((same, letter)) if same == *face => letter,
                    Some((_, letter)) => letter + 1,
                    None => 0,
                });
            }
            let count = letters.last().map_or(0, |last| last + 1);
            return Letters::Members { kind, letters, count };
        }
        if usize::from(kind) == PLAYER.index() {
            let count = size_of(&names.members);
            return Letters::Members { kind, letters: (0..count).collect(), count };
        }
        // What does not belong to a part of a kind has no letter.
        let mut letters = vec![u32::MAX; names.members.len()];
        (0..).zip(&names.own).for_each(|(letter, member)| letters[*member] = letter);
        Letters::Members { kind, letters, count: size_of(&names.own) }
    }

    pub(super) fn count(&self) -> u64 {
        match self {
            Letters::Numbers(_, count) => *count,
            Letters::Members { count, .. } | Letters::Texts(count) => (*count).into(),
        }
    }

    /// The most values that share a letter, letter by letter.
    fn count_copies(&self) -> Vec<u32> {
        match self {
            Letters::Members { letters, count, .. } if letters.len() > *count as usize => {
                let mut copies = vec![0; *count as usize];
                for letter in letters.iter().filter(|letter| *letter < count) {
                    copies[*letter as usize] += 1;
                }
                copies
            }
            _ => vec![
                1;
                usize::try_from(self.count()).expect("only of few letters are copies counted")
            ],
        }
    }

    #[inline]
    pub(super) fn letter(&self, word: i64) -> u64 {
        let at = |low: i64| u64::try_from(word - low).expect("a value lies in its range");
        match self {
            Letters::Numbers(low, _) => at(*low),
            Letters::Texts(_) => at(0),
            Letters::Members { letters, .. } => {
                letters[usize::try_from(word).expect("a member has a position")].into()
            }
        }
    }

    /// The first value with a letter.
    pub(super) fn letter_word(&self, letter: u64) -> i64 {
        let position = |at: usize| i64::try_from(at).expect("a kind has few members");
        match self {
            Letters::Numbers(low, _) => low.saturating_add_unsigned(letter),
            Letters::Texts(_) => letter.cast_signed(),
            Letters::Members { letters, count, .. } if letters.len() == *count as usize => {
                letter.cast_signed()
            }
            Letters::Members { letters, .. } => {
                let found = letters.iter().position(|other| u64::from(*other) == letter);
                position(found.expect("each letter has a member"))
            }
        }
    }

    pub(super) fn shape(&self) -> ValueShape {
        match self {
            Letters::Numbers(..) => ValueShape::Number,
            Letters::Members { kind, .. } => ValueShape::Member(*kind),
            Letters::Texts(_) => ValueShape::Text,
        }
    }

    /// Whether each value has a letter of its own, and the letters are the values in their order.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Letters::Members { letters, count, .. } => letters.len() == *count as usize,
            Letters::Numbers(..) | Letters::Texts(_) => true,
        }
    }

    /// Widens the letters to hold the values of both.
    pub(super) fn unite(&mut self, other: &Letters) {
        if let (Letters::Numbers(low, count), Letters::Numbers(from, more)) = (self, other) {
            let end = low.saturating_add_unsigned(*count).max(from.saturating_add_unsigned(*more));
            *low = (*low).min(*from);
            *count = end.abs_diff(*low);
        }
    }
}

impl ArgumentDigits {
    /// How many values it has, each with a number; none where they are too many for that.
    pub(super) fn values(&self) -> Option<u64> {
        match self.form {
            ArgumentForm::Single => Some(self.single_values()),
            ArgumentForm::Set if self.letters.count() <= MOST_IN_SET => {
                let ways =
                    self.letters.count_copies().into_iter().map(|copies| u64::from(copies) + 1);
                let mut product = 1_u64;
                ways.for_each(|ways| product = product.saturating_mul(ways));
                Some(product).filter(|product| *product <= MOST_WHOLE)
            }
            ArgumentForm::Set | ArgumentForm::List(_) => None,
        }
    }

    pub(super) fn single_values(&self) -> u64 {
        self.letters.count() + u64::from(self.or_none)
    }

    /// How many digits a single value takes.
    pub(super) fn digit_count(&self) -> u32 {
        let values = self.single_values();
        if values <= MOST_WHOLE { 1 } else { values.ilog(BASE) + 1 }
    }

    /// How many numbers its steps have: a number for each value or each digit, or for each member and for the end.
    pub(super) fn step_count(&self) -> u64 {
        match self.digit_count() {
            _ if !self.is_single() => self.letters.count() + 1,
            1 => self.single_values(),
            digits => u64::from(digits) * BASE,
        }
    }

    /// How many steps it takes at most; a value has so many words.
    pub(super) fn most_steps(&self, width: u16) -> u64 {
        match self.form {
            ArgumentForm::Single => self.digit_count().into(),
            ArgumentForm::Set => u64::from(width) * 64 + 1,
            ArgumentForm::List(bits) => u64::from(width * (lists::BITS / bits.max(1))) + 1,
        }
    }

    pub(super) fn is_single(&self) -> bool {
        self.form == ArgumentForm::Single
    }

    /// The place of a single value among all: none comes first.
    #[inline]
    pub(super) fn single(&self, word: i64) -> u64 {
        if word == NONE { 0 } else { self.letters.letter(word) + u64::from(self.or_none) }
    }

    /// The digits of a value, the letters of a set in their order, or those of a list.
    pub(super) fn spelled(&self, words: &[i64]) -> Vec<u64> {
        match self.form {
            ArgumentForm::Single => {
                let (value, digits) = (self.single(words[0]), self.digit_count());
                if digits == 1 {
                    return vec![value];
                }
                let places = (0..digits).zip((0..digits).rev());
                let digit = |(at, power)| u64::from(at) * BASE + value / BASE.pow(power) % BASE;
                places.map(digit).collect()
            }
            ArgumentForm::List(bits) => {
                let low = match self.letters {
                    Letters::Numbers(low, _) => low,
                    _ => 0,
                };
                let elements = lists::elements(words, bits);
                elements.map(|element| self.letters.letter(element + low)).collect()
            }
            ArgumentForm::Set => {
                let mut letters: Vec<u64> = self.set_letters(words).collect();
                letters.sort_unstable();
                letters
            }
        }
    }

    fn set_letters<'a>(&'a self, words: &'a [i64]) -> impl Iterator<Item = u64> + 'a {
        let low = match self.letters {
            Letters::Numbers(low, _) => low,
            _ => 0,
        };
        vm::members(words).map(move |bit| self.letters.letter(low.saturating_add(bit)))
    }

    /// The digit of a value that has a number.
    #[inline]
    pub(super) fn digit(&self, words: &[i64]) -> u32 {
        if self.is_single() {
            return u32::try_from(self.single(words[0])).expect("it has few values");
        }
        if self.letters.is_plain() {
            return u32::try_from(words[0]).expect("it has few members");
        }
        let ways = self.letters.count_copies();
        let mut counts = vec![0; ways.len()];
        for letter in self.set_letters(words) {
            let at = usize::try_from(letter).ok();
            at.and_then(|at| counts.get_mut(at)).into_iter().for_each(|count| *count += 1);
        }
        // The first letter counts least, as the first bit of a set does.
        counts.iter().zip(ways).rev().fold(0, |digit, (count, most)| digit * (most + 1) + count)
    }

    /// Which way of a factor has a digit, if one does.
    #[inline]
    pub(super) fn way(&self, factor: Factor, set: &[i64], digit: u32) -> Option<usize> {
        if !self.letters.is_plain() {
            let is_it = |word: i64| self.digit(&[word]) == digit;
            if factor.taken.is_some() {
                let size = vm::factor_size(factor, set);
                return (0..size).find(|way| is_it(vm::nth_member(factor, set, *way)));
            }
            let none = factor.or_none.then_some(NONE).into_iter();
            let members = vm::members(set).map(|bit| factor.low + bit);
            return none.chain(members).position(is_it);
        }
        let word = match (self.form, digit.checked_sub(self.or_none.into())) {
            (ArgumentForm::Single, None) => NONE,
            (ArgumentForm::Single, Some(letter)) => self.letters.letter_word(letter.into()),
            _ => digit.into(),
        };
        vm::way_to(factor, set, word)
    }

    /// A value with a digit, as words.
    pub(super) fn digit_words(&self, digit: u32, width: u16) -> Vec<i64> {
        let mut words = vec![0; width.into()];
        if self.is_single() {
            words[0] = match digit.checked_sub(self.or_none.into()) {
                Some(letter) => self.letters.letter_word(letter.into()),
                None => NONE,
            };
            return words;
        }
        let mut left = digit;
        for (letter, most) in (0_i64..).zip(self.letters.count_copies()) {
            let count = left % (most + 1);
            left /= most + 1;
            let first = match self.letters {
                Letters::Numbers(..) => letter,
                _ => self.letters.letter_word(letter.unsigned_abs()),
            };
            (first..).take(count as usize).for_each(|member| sets::insert(&mut words, member));
        }
        words
    }
}
