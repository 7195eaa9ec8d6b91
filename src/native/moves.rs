//! Sets of cells that are moved, tested along lines, or seen along rays.

use astragal_native::Word;

use crate::native::Translator;

impl Translator<'_, '_> {
    /// Joins what a set becomes where it is moved; by how much is known.
    pub(super) fn union_moved(
        &mut self,
        dst: u16,
        (base, count): (u16, u16),
        (of, width): (u16, u16),
    ) {
        let mut union = vec![self.writer.number(0); width.into()];
        let set = self.read_set(of, width);
        for step in 0..count {
            let by = self.constant_at(base + count * width + step).expect("moves are constants");
            let (words, bits) = (by.div_euclid(64), by.rem_euclid(64));
            for (at, word) in (0..).zip(&set) {
                let from = base + step * width + at;
                if self.constant_at(from) == Some(0) {
                    continue;
                }
                let from = self.read_slot(from);
                let part = self.writer.and(*word, from);
                // What leaves a word goes on in the next one.
                let mut parts = vec![(0, self.writer.shift_up(part, bits))];
                if bits > 0 {
                    parts.push((1, self.writer.shift_down(part, 64 - bits)));
                }
                for (next, part) in parts {
                    let to = usize::try_from(i64::from(at) + words + next);
                    if let Some(word) = to.ok().and_then(|to| union.get_mut(to)) {
                        *word = self.writer.or(*word, part);
                    }
                }
            }
        }
        self.put_set(dst, union);
    }

    /// Emits a word that is not 0 if a set holds one of the sets of `lines`.
    pub(super) fn any_line(&mut self, lines: u16, set: u16, width: u16) -> Word {
        let program = self.program;
        let set = self.read_set(set, width);
        let mut found = self.writer.number(0);
        for shape in program.lines[usize::from(lines)].shapes() {
            for (at, starts) in shape.starts.iter().enumerate().filter(|(_, starts)| **starts != 0)
            {
                let mut left = self.writer.and(set[at], *starts);
                for behind in &shape.behind {
                    let moved = self.moved_down(&set, at, *behind);
                    left = self.writer.and(left, moved);
                }
                found = self.writer.or(found, left);
            }
        }
        found
    }

    /// One word of a set whose members are moved down.
    fn moved_down(&mut self, set: &[Word], at: usize, by: usize) -> Word {
        let (from, bits) = (at + by / 64, i64::try_from(by % 64).expect("a word has few bits"));
        let zero = self.writer.number(0);
        let [word, next] = [from, from + 1].map(|at| set.get(at).copied().unwrap_or(zero));
        if bits == 0 {
            return word;
        }
        let (down, up) =
            (self.writer.shift_down(word, bits), self.writer.shift_up(next, 64 - bits));
        self.writer.or(down, up)
    }

    /// The cells of the rays from a cell, each up to and with its first in `stop`.
    pub(super) fn sweep(&mut self, dst: u16, rays: u16, from: u16, (stop, width): (u16, u16)) {
        let rays = &self.program.rays[usize::from(rays)];
        let (words, row) = (usize::from(width), 2 * rays.pairs() * usize::from(width));
        let mut numbers = rays.words();
        // From what is no cell nothing is seen.
        numbers.resize(numbers.len() + row, 0);
        let table = self.writer.intern_table(numbers, row);
        let (from, stop) = (self.read_slot(from), self.read_set(stop, width));
        let row = self.writer.row(table, from);
        let mut seen = vec![self.writer.number(0); words];
        for pair in 0..rays.pairs() {
            let ray = |it: &mut Self, first: usize| -> Vec<Word> {
                (first..first + words).map(|at| it.writer.read(row, at)).collect()
            };
            let later = ray(self, 2 * pair * words);
            self.see_later(&later, &stop, &mut seen);
            let earlier = ray(self, (2 * pair + 1) * words);
            self.see_earlier(&earlier, &stop, &mut seen);
        }
        self.put_set(dst, seen);
    }

    /// One taken from a number changes its bits up to and with the lowest that is set.
    fn see_later(&mut self, ray: &[Word], stop: &[Word], seen: &mut [Word]) {
        let mut open = self.writer.number(1);
        for at in 0..ray.len() {
            let met = self.writer.and(ray[at], stop[at]);
            let less = self.writer.subtract(met, open);
            let changed = self.writer.differing(met, less);
            let part = self.writer.and(ray[at], changed);
            seen[at] = self.writer.or(seen[at], part);
            if at + 1 < ray.len() {
                let is_none = self.writer.equal(met, 0);
                let is_none = self.writer.as_word(is_none);
                open = self.writer.and(open, is_none);
            }
        }
    }

    fn see_earlier(&mut self, ray: &[Word], stop: &[Word], seen: &mut [Word]) {
        let mut open = self.writer.number(-1);
        for at in (0..ray.len()).rev() {
            let met = self.writer.and(ray[at], stop[at]);
            let is_none = self.writer.equal(met, 0);
            let above = self.writer.clear_above(met);
            let last = self.writer.subtract(63, above);
            let from_last = self.writer.shift_up(-1, last);
            let passed = self.writer.select(is_none, -1, from_last);
            let part = self.writer.and(ray[at], passed);
            let part = self.writer.and(part, open);
            seen[at] = self.writer.or(seen[at], part);
            open = self.writer.select(is_none, open, 0);
        }
    }
}
