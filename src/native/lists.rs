//! Operations on lists: numbers of a few bits, packed from the top of words of 63 bits
//! (`src/bytecode/lists.rs`).

use astragal_native::{Flag, Place, Word, Writer};

use crate::bytecode::{NONE, Op, lists};
use crate::native::Translator;

/// Longer lists are left to a function.
const MOST_WORDS: u16 = 8;

/// A list in the state: its slots, and how its elements are packed.
#[derive(Clone, Copy)]
struct PackedList {
    slots: (u16, u16),
    bits: u16,
    /// How many elements a word has room for.
    each: u16,
}

impl PackedList {
    fn new(slots: (u16, u16), bits: u16) -> PackedList {
        // Only code that was damaged has no bits, or too many.
        let bits = bits.clamp(1, lists::BITS);
        PackedList { slots, bits, each: lists::BITS / bits }
    }

    fn capacity(self) -> u16 {
        self.each * self.slots.1
    }
}

/// The list of an operation that is written out.
fn list_of(op: &Op) -> Option<PackedList> {
    let (Op::Append { list, width, bits, .. }
    | Op::TakeLast { list, width, bits, .. }
    | Op::Element { list, width, bits, .. }
    | Op::ElementOrNone { list, width, bits, .. }
    | Op::LastElement { list, width, bits, .. }
    | Op::Length { list, width, bits, .. }) = *op
    else {
        return None;
    };
    (width <= MOST_WORDS).then(|| PackedList::new((list, width), bits))
}

/// Where an element is: its word, and how far its bits are from the lowest there; the first of the list
/// where there is no room for it.
struct ElementAddress {
    word: Place,
    shift: Word,
    is_inside: Flag,
}

impl<'w> Translator<'_, 'w> {
    /// Writes an operation on a list; one on a long list it calls.
    pub(super) fn list_operation(&mut self, op: Op) {
        let Some(list) = list_of(&op) else { return self.emit_call(op) };
        match op {
            Op::Length { dst, .. } => {
                let count = self.length(list);
                self.writer.put(dst, count);
            }
            Op::LastElement { dst, .. } => {
                let (_, element) = self.last_element(list);
                self.writer.put(dst, element);
            }
            Op::ElementOrNone { dst, index, .. } => {
                let at = self.read_slot(index);
                let (_, element) = self.element_of(list, at);
                self.writer.put(dst, element);
            }
            Op::Element { dst, index, .. } => {
                let index = self.read_slot(index);
                let at = self.writer.subtract(index, 1);
                let (_, element) = self.element_of(list, at);
                let is_none = self.writer.equal(element, NONE);
                self.leave_if(is_none);
                self.writer.put(dst, element);
            }
            Op::Append { member, most, .. } => self.append(list, member, most),
            Op::TakeLast { dst, to, .. } => {
                let (at, element) = self.last_element(list);
                let is_none = self.change_element(&at, element, Writer::without);
                self.writer.put(dst, element);
                self.writer.jump_if(is_none, to.into());
            }
            op => unreachable!("{} is no operation on a list", op.name()),
        }
    }

    /// Puts an element behind the last, unless it is none; leaves where there is no room.
    fn append(&mut self, list: PackedList, member: u16, most: u16) {
        let (member, length) = (self.read_slot(member), self.length(list));
        let is_none = self.writer.equal(member, NONE);
        let has_room = self.writer.less(length, i64::from(most.min(list.capacity())));
        let fine = self.writer.either(is_none, has_room);
        self.leave_unless(fine);
        let at = self.place_of(list, length);
        self.change_element(&at, member, Writer::or);
    }

    /// Puts the bits of an element in or takes them out; none has no bits. Returns whether it is none.
    fn change_element(
        &mut self,
        at: &ElementAddress,
        element: Word,
        how: impl Fn(&mut Writer<'w>, Word, Word) -> Word,
    ) -> Flag {
        let (is_none, stored) = (self.writer.equal(element, NONE), self.writer.add(element, 1));
        let stored = self.writer.select(is_none, 0, stored);
        let bits = self.writer.shift_up(stored, at.shift);
        let word = self.writer.get(at.word, 0);
        let changed = how(self.writer, word, bits);
        self.writer.set(at.word, 0, changed);
        is_none
    }

    /// Emits the length: each element has a bit, so the zeros below the last one count the empty places.
    fn length(&mut self, list: PackedList) -> Word {
        let (spare, each) = (i64::from(lists::BITS % list.bits), i64::from(list.each));
        let mut sum = self.writer.number(0);
        for word in self.read_set(list.slots.0, list.slots.1) {
            let below = self.writer.first(word);
            let below = self.writer.subtract(below, spare);
            let below = self.writer.greatest(below, 0);
            let empty = self.quotient(below, list.bits, 12);
            let empty = self.writer.least(empty, each);
            let here = self.writer.subtract(each, empty);
            sum = self.writer.add(sum, here);
        }
        sum
    }

    /// Emits `a / by` as a multiplication, exact while `a * by` is below 2^`shift` (Granlund and Montgomery, "Division
    /// by Invariant Integers using Multiplication", 1994).
    fn quotient(&mut self, a: Word, by: u16, shift: u32) -> Word {
        let inverse = (1_i64 << shift).unsigned_abs().div_ceil(by.into());
        let inverse = i64::try_from(inverse).expect("it is not above the power");
        let product = self.writer.multiply(a, inverse);
        self.writer.shift_down(product, i64::from(shift))
    }

    /// Where the element is that has so many before it.
    fn place_of(&mut self, list: PackedList, at: Word) -> ElementAddress {
        let PackedList { slots: (slot, width), bits, each } = list;
        let place = self.writer.place(slot, width);
        let is_inside = self.writer.below(at, i64::from(list.capacity()));
        let at = self.writer.select(is_inside, at, 0);
        let (word, within) = if width == 1 {
            (place, at)
        } else {
            let word = self.quotient(at, each, 32);
            let before = self.writer.multiply(word, i64::from(each));
            (self.writer.part(place, word), self.writer.subtract(at, before))
        };
        let before = self.writer.multiply(within, i64::from(bits));
        let shift = self.writer.subtract(i64::from(lists::BITS - bits), before);
        ElementAddress { word, shift, is_inside }
    }

    /// The element that has so many before it, or none, and where it is.
    fn element_of(&mut self, list: PackedList, at: Word) -> (ElementAddress, Word) {
        let place = self.place_of(list, at);
        let word = self.writer.get(place.word, 0);
        let moved = self.writer.shift_down(word, place.shift);
        let stored = self.writer.and(moved, i64::MAX >> (lists::BITS - list.bits));
        let stored = self.writer.select(place.is_inside, stored, 0);
        let (is_some, element) = (self.emit_not_zero(stored), self.writer.subtract(stored, 1));
        (place, self.writer.select(is_some, element, NONE))
    }

    fn last_element(&mut self, list: PackedList) -> (ElementAddress, Word) {
        let length = self.length(list);
        let at = self.writer.subtract(length, 1);
        self.element_of(list, at)
    }
}
