//! Subsets of some sizes, in the order in which one counts; of members that look alike the first are taken.

/// How many subsets there are with so many members, given how many members look alike, class by class.
/// `ways` is room for the numbers of each size.
pub(crate) fn count_subsets(
    classes: impl IntoIterator<Item = usize>,
    (least, most): (usize, usize),
    ways: &mut Vec<usize>,
) -> usize {
    ways.clear();
    ways.push(1);
    for class in classes {
        ways.resize(ways.len() + class, 0);
        // A number hangs on those of smaller sizes alone, which are the old ones still.
        for size in (0..ways.len()).rev() {
            let of_less = &ways[size.saturating_sub(class)..=size];
            ways[size] = of_less.iter().fold(0, |sum, ways| sum.saturating_add(*ways));
        }
    }
    let fitting = ways.iter().skip(least).take((most + 1).saturating_sub(least));
    fitting.fold(0, |sum, ways| sum.saturating_add(*ways))
}

/// The subset that was found last, member by member.
#[derive(Debug, Default)]
pub(crate) struct SubsetSearch {
    pub(crate) taken: Vec<bool>,
    sizes: (usize, usize),
    has_begun: bool,
}

impl SubsetSearch {
    /// Stands before the first subset of so many members.
    pub(crate) fn start(&mut self, members: usize, sizes: (usize, usize)) {
        self.taken.clear();
        self.taken.resize(members, false);
        (self.sizes, self.has_begun) = (sizes, false);
    }

    /// Stands at a subset that was found.
    pub(crate) fn resume(&mut self, taken: impl Iterator<Item = bool>, sizes: (usize, usize)) {
        self.taken.clear();
        self.taken.extend(taken);
        (self.sizes, self.has_begun) = (sizes, true);
    }

    /// Goes on to the next subset, if there is one. `before` has for each member the last one before it that looks
    /// alike: who takes the member takes that one, too. No member looks like another where it is empty.
    pub(crate) fn advance(&mut self, before: &[Option<usize>]) -> bool {
        let (least, most) = self.sizes;
        if least > most || least > self.taken.len() {
            return false;
        }
        let mut start = 0;
        while self.has_begun {
            let Some(at) = (start..self.taken.len()).find(|at| !self.taken[*at]) else {
                return false;
            };
            self.raise(at);
            let links = || (0..).zip(before).filter_map(|(at, other)| Some((at, (*other)?)));
            let lacking = links().filter(|(at, other)| self.taken[*at] && !self.taken[*other]);
            if let Some(lacking) = lacking.map(|(_, other)| other).max() {
                self.raise(lacking);
            }
            for at in (0..before.len()).rev() {
                if let (true, Some(other)) = (self.taken[at], before[at]) {
                    self.taken[other] = true;
                }
            }
            if self.count() <= most {
                break;
            }
            // All numbers up to here have at least these members.
            start = self.taken.iter().position(|taken| *taken).unwrap_or(0);
        }
        self.has_begun = true;
        let short = least.saturating_sub(self.count());
        self.taken.iter_mut().filter(|taken| !**taken).take(short).for_each(|taken| *taken = true);
        true
    }

    /// Takes a member and none before it.
    fn raise(&mut self, at: usize) {
        self.taken[..at].fill(false);
        self.taken[at] = true;
    }

    fn count(&self) -> usize {
        self.taken.iter().filter(|taken| **taken).count()
    }
}

#[cfg(test)]
mod tests {
    use super::{SubsetSearch, count_subsets};

    /// All of them, by looking at each number.
    fn plainly(before: &[Option<usize>], (least, most): (usize, usize)) -> Vec<Vec<bool>> {
        let bits = |number: usize| (0..before.len()).map(|at| number >> at & 1 == 1).collect();
        let fits = |taken: &Vec<bool>| {
            let count = taken.iter().filter(|taken| **taken).count();
            let lacks = |at: usize| taken[at] && before[at].is_some_and(|other| !taken[other]);
            (least..=most).contains(&count) && !(0..taken.len()).any(lacks)
        };
        (0..1 << before.len()).map(bits).filter(fits).collect()
    }

    #[test]
    fn subsets_come_in_the_order_of_their_numbers() {
        let (a, b) = ([None; 6], [None, None, Some(0), Some(1), Some(2), None, Some(3)]);
        for before in [&a[..], &b, &[]] {
            for sizes in [(0, 7), (2, 2), (0, 2), (3, 5), (9, 9), (3, 2)] {
                let mut search = SubsetSearch::default();
                search.start(before.len(), sizes);
                let mut found = Vec::new();
                while search.advance(before) {
                    found.push(search.taken.clone());
                }
                assert_eq!(found, plainly(before, sizes), "{before:?} {sizes:?}");
                let mut classes = vec![0; before.len()];
                for at in 0..before.len() {
                    let first =
                        |at: usize| {
                            (0..at).rev().fold(at, |of, other| {
                                if before[of] == Some(other) { other } else { of }
                            })
                        };
                    classes[first(at)] += 1;
                }
                assert_eq!(count_subsets(classes, sizes, &mut Vec::new()), found.len());
            }
        }
    }
}
