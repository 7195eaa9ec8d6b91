//! Subsets of some sizes, in the order in which one counts; of members that look alike the first are taken.

/// How many subsets there are with so many members, given how many members look alike, class by class.
pub(crate) fn count_subsets(
    classes: impl IntoIterator<Item = usize>,
    (least, most): (usize, usize),
) -> usize {
    let mut ways: Vec<usize> = vec![1];
    for class in classes {
        let length = ways.len() + class;
        let of_size = |size: usize| {
            let from = size.saturating_sub(class);
            let ways = ways.get(from..=size.min(ways.len() - 1)).unwrap_or_default();
            ways.iter().fold(0_usize, |sum, ways| sum.saturating_add(*ways))
        };
        ways = (0..length).map(of_size).collect();
    }
    let fitting = ways.iter().skip(least).take((most + 1).saturating_sub(least));
    fitting.fold(0, |sum, ways| sum.saturating_add(*ways))
}

/// The subset that was found last, member by member.
#[derive(Debug)]
pub(crate) struct SubsetSearch {
    pub(crate) taken: Vec<bool>,
    sizes: (usize, usize),
    has_begun: bool,
}

impl SubsetSearch {
    /// Before the first.
    pub(crate) fn new(members: usize, sizes: (usize, usize)) -> SubsetSearch {
        SubsetSearch { taken: vec![false; members], sizes, has_begun: false }
    }

    /// After a subset that was found.
    pub(crate) fn after(taken: Vec<bool>, sizes: (usize, usize)) -> SubsetSearch {
        SubsetSearch { taken, sizes, has_begun: true }
    }

    /// Goes on to the next subset, if there is one. `before` has for each member the last one before it that looks
    /// alike: who takes the member takes that one, too.
    pub(crate) fn step(&mut self, before: &[Option<usize>]) -> bool {
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
            let lacks = |at: &usize| before[*at].filter(|other| !self.taken[*other]);
            let taken = (0..self.taken.len()).filter(|at| self.taken[*at]);
            if let Some(lacking) = taken.filter_map(|at| lacks(&at)).max() {
                self.raise(lacking);
            }
            for at in (0..self.taken.len()).rev().filter(|at| before[*at].is_some()) {
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
                let mut search = SubsetSearch::new(before.len(), sizes);
                let mut found = Vec::new();
                while search.step(before) {
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
                assert_eq!(count_subsets(classes, sizes), found.len());
            }
        }
    }
}
