//! Operations on sets that take a loop: unions, and the elements for which something holds.

use crate::bytecode::{Lines, NONE, Rays, lines, rays};
use crate::vm::memory::WordMemory;

/// Takes a member out of a set that it was found in.
#[expect(clippy::inline_always, reason = "the interpreter comes here at every step")]
#[inline(always)]
pub(super) fn pop(mem: &mut [i64], dst: u16, set: u16, width: u16, member: i64) {
    if member != NONE {
        mem.remove(set, width, member);
        mem.put(dst, member);
    }
}

/// The number of the set of a value. The last one is that of whatever is no position.
#[inline]
pub(super) fn set_of(value: i64, count: u16) -> u16 {
    u16::try_from(value).ok().filter(|at| *at < count).unwrap_or(count - 1)
}

/// Whether all of one of `count` sets is in `set`.
#[inline]
pub(super) fn any_within(mem: &[i64], base: u16, count: u16, set: u16, width: u16) -> bool {
    if width == 1 {
        let out = !mem.word(set);
        let within = |word: &i64| i64::from(word & out == 0);
        // Several at once, without a branch for each.
        return mem
            .bits(base, count)
            .chunks(8)
            .any(|some| some.iter().map(within).sum::<i64>() > 0);
    }
    (0..count).any(|at| mem.is_within(base + at * width, set, width))
}

/// Whether all of one of the sets of `lines` is in `set`.
#[inline(never)]
pub(super) fn any_line(mem: &[i64], lines: &Lines, set: u16, width: u16) -> bool {
    match *mem.bits(set, width) {
        [word] => lines.any_within([word]),
        [first, second] => lines.any_within([first, second]),
        [first, second, third] => lines.any_within([first, second, third, 0]),
        [first, second, third, fourth] => lines.any_within([first, second, third, fourth]),
        ref words => {
            let word = |at: usize| words.get(at).copied().unwrap_or(0);
            lines.any_within::<{ lines::MOST_WORDS }>(std::array::from_fn(word))
        }
    }
}

/// Joins those of some sets whose positions are in `of`.
#[inline]
pub(super) fn union_of(mem: &mut [i64], dst: u16, sets: (u16, u16, u16), of: u16) {
    let (base, count, width) = sets;
    match width {
        1 => union_of_few::<1>(mem, dst, (base, count), of),
        2 => union_of_few::<2>(mem, dst, (base, count), of),
        _ => {
            mem.bits_mut(dst, width).fill(0);
            for at in 0..count.div_ceil(64) {
                each_bit(mem.word(of + at), |bit| {
                    let position = at * 64 + bit;
                    if position < count {
                        mem.combine([dst, dst, base + position * width], width, |a, b| a | b);
                    }
                });
            }
        }
    }
}

/// `union_of` for sets of few words, which stay in registers.
#[inline]
fn union_of_few<const WIDTH: usize>(mem: &mut [i64], dst: u16, (base, count): (u16, u16), of: u16) {
    let mut union = [0; WIDTH];
    let (sets, _) = mem[usize::from(base)..].as_chunks::<WIDTH>();
    let sets = &sets[..usize::from(count)];
    for at in 0..count.div_ceil(64) {
        each_bit(mem.word(of + at), |bit| {
            if let Some(set) = sets.get(usize::from(at * 64 + bit)) {
                union.iter_mut().zip(set).for_each(|(union, word)| *union |= word);
            }
        });
    }
    mem[usize::from(dst)..][..WIDTH].copy_from_slice(&union);
}

/// Joins what the members of a set become where they are moved: those that are also in the first of `count` sets
/// from `base` on by the first of the numbers behind the sets, and so on.
#[inline(never)]
pub(super) fn union_moved(
    mem: &mut [i64],
    dst: u16,
    (base, count): (u16, u16),
    (of, width): (u16, u16),
) {
    let (sets, moves) = mem[usize::from(base)..].split_at(usize::from(count * width));
    let moves = &moves[..usize::from(count)];
    // The moves are in order.
    let is_near = moves.first() > Some(&-64) && moves.last() < Some(&64);
    let of = usize::from(of);
    match (width, is_near) {
        (1, true) => {
            let [union] = moved_near(sets, moves, [mem[of]]);
            mem.put(dst, union);
        }
        (2, true) => {
            let union = moved_near(sets, moves, [mem[of], mem[of + 1]]);
            mem.bits_mut(dst, 2).copy_from_slice(&union);
        }
        _ => moved_far(mem, dst, (base, count), (of, width)),
    }
}

/// Moves the members of a set of few words by less than a word, and joins what they become.
#[inline]
fn moved_near<const WIDTH: usize>(sets: &[i64], moves: &[i64], of: [i64; WIDTH]) -> [i64; WIDTH] {
    let mut union = [0_u64; WIDTH];
    for (set, by) in sets.as_chunks::<WIDTH>().0.iter().zip(moves) {
        let part: [u64; WIDTH] = std::array::from_fn(|at| (set[at] & of[at]).cast_unsigned());
        let bits = by.unsigned_abs();
        for at in 0..WIDTH {
            // What leaves a word comes into the next one.
            union[at] |= if *by < 0 {
                let next = part.get(at + 1).map_or(0, |next| next << 1 << (63 - bits));
                part[at] >> bits | next
            } else {
                let next = if at > 0 { part[at - 1] >> 1 >> (63 - bits) } else { 0 };
                part[at] << bits | next
            };
        }
    }
    union.map(u64::cast_signed)
}

fn moved_far(mem: &mut [i64], dst: u16, (base, count): (u16, u16), (of, width): (usize, u16)) {
    mem.bits_mut(dst, width).fill(0);
    for step in 0..count {
        let by = mem.word(base + count * width + step);
        let (words, bits) = (by.div_euclid(64), by.rem_euclid(64));
        for at in 0..width {
            let word = mem[of + usize::from(at)];
            let part = (word & mem.word(base + step * width + at)).cast_unsigned();
            // What leaves a word comes into the next one.
            for (next, part) in [(0, part << bits), (1, part >> 1 >> (63 - bits))] {
                let to = u16::try_from(i64::from(at) + words + next);
                if let Some(to) = to.ok().filter(|to| *to < width) {
                    mem[usize::from(dst + to)] |= part.cast_signed();
                }
            }
        }
    }
}

/// Puts the cells that are seen along rays from a cell into a set.
#[inline(never)]
pub(super) fn sweep(mem: &mut [i64], rays: &Rays, dst: u16, (from, stop, width): (u16, u16, u16)) {
    let from = mem.word(from);
    match width {
        1 => sweep_few::<1>(mem, rays, dst, (from, stop, width)),
        2 => sweep_few::<2>(mem, rays, dst, (from, stop, width)),
        3 | 4 => sweep_few::<4>(mem, rays, dst, (from, stop, width)),
        _ => sweep_few::<{ rays::MOST_WORDS }>(mem, rays, dst, (from, stop, width)),
    }
}

#[inline]
fn sweep_few<const WORDS: usize>(
    mem: &mut [i64],
    rays: &Rays,
    dst: u16,
    (from, stop, width): (i64, u16, u16),
) {
    let mut stops = [0; WORDS];
    stops[..usize::from(width)].copy_from_slice(mem.bits(stop, width));
    let seen = rays.seen(from, stops);
    mem.bits_mut(dst, width).copy_from_slice(&seen[..usize::from(width)]);
}

/// Calls `see` with each bit of a word that is set, the lowest first.
#[inline]
fn each_bit(word: i64, mut see: impl FnMut(u16)) {
    let mut rest = word;
    while rest != 0 {
        see(u16::try_from(rest.trailing_zeros()).expect("a word has 64 bits"));
        rest &= rest.wrapping_sub(1);
    }
}

/// The sum of those of some words whose positions are in a set.
#[inline]
pub(super) fn sum_of(mem: &[i64], base: u16, count: u16, set: i64) -> i64 {
    let words = mem.bits(base, count);
    let mut sum = 0_i64;
    each_bit(set, |at| {
        sum = sum.wrapping_add(words.get(usize::from(at)).copied().unwrap_or(0));
    });
    sum
}

/// Makes a set of the positions of those of some words for which something holds.
#[inline]
pub(super) fn mark_members(
    mem: &mut [i64],
    dst: u16,
    base: u16,
    count: u16,
    holds: impl Fn(i64) -> bool,
) {
    for from in (0..count).step_by(64) {
        let words = mem.bits(base + from, (count - from).min(64));
        let marked = words.iter().rev().fold(0, |set, word| set << 1 | i64::from(holds(*word)));
        mem.put(dst + from / 64, marked);
    }
}

/// Makes a set of the positions of those of some sets for which something holds.
#[inline]
pub(super) fn mark_sets(
    mem: &mut [i64],
    dst: u16,
    count: u16,
    holds: impl Fn(&[i64], u16) -> bool,
) {
    for from in (0..count).step_by(64) {
        let to = count.min(from + 64);
        let marked = (from..to).rev().fold(0, |set, at| set << 1 | i64::from(holds(mem, at)));
        mem.put(dst + from / 64, marked);
    }
}

#[cfg(test)]
mod tests {
    use super::union_moved;
    use crate::bytecode::sets;

    #[test]
    fn members_are_moved_within_words_and_between_them() {
        for width in 1..=4_u16 {
            let (words, size) = (usize::from(width), 64 * i64::from(width));
            for moves in [vec![-1, 1], vec![-63, -9, 0, 9, 63], vec![-130, -64, 64, 100]] {
                let set_where = |holds: &dyn Fn(i64) -> bool| {
                    let mut set = vec![0; words];
                    (0..size).filter(|at| holds(*at)).for_each(|at| sets::insert(&mut set, at));
                    set
                };
                let is_in = |at: i64| at * at % 7 < 3;
                // From where a move stays inside, but not from everywhere.
                let leads = |at: i64, by: i64| at % 5 > 0 && (0..size).contains(&(at + by));
                let mut memory = [vec![7; words], set_where(&is_in)].concat();
                moves.iter().for_each(|by| memory.extend(set_where(&|at| leads(at, *by))));
                memory.extend(&moves);
                let count = u16::try_from(moves.len()).expect("few");
                union_moved(&mut memory, 0, (2 * width, count), (width, width));
                let comes = |to: i64| {
                    let mut from = moves.iter().map(|by| (to - by, *by));
                    from.any(|(at, by)| (0..size).contains(&at) && is_in(at) && leads(at, by))
                };
                assert_eq!(memory[..words], set_where(&comes), "{width} {moves:?}");
            }
        }
    }
}
