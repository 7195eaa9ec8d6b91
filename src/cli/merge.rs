//! `astragal merge`: the parts of a simulation, added up.

use super::args::Merge;
use super::error::CliError;
use super::files;
use super::kept;
use super::page;
use super::screen::{Exit, Failure, Screen};
use super::simulate::show;

/// Adds up, and prints what a simulation in one piece would have printed.
pub(super) fn merge(command: &Merge, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut paths = command.files.iter();
    let first = paths.next().expect("the command line asks for a file");
    let mut sum = kept::read(first)?;
    sum.ranges = done(&sum.ranges, sum.played.next);
    for path in paths {
        let mut part = kept::read(path)?;
        kept::same(path, &sum, &part)?;
        part.ranges = done(&part.ranges, part.played.next);
        let overlaps = |(first, last): &(u64, u64)| {
            sum.ranges.iter().any(|(other, end)| first < end && other < last)
        };
        if part.ranges.iter().any(overlaps) {
            return Err(CliError::CountedTwice { path: path.display().to_string() }.into());
        }
        sum.played.merge(&part.played);
        sum.took += part.took;
        sum.ranges.extend(part.ranges);
        sum.ranges = joined(std::mem::take(&mut sum.ranges));
    }
    if let Some(path) = &command.out {
        kept::write(path, &sum)?;
    }
    show(&sum, command.format, screen)?;
    if let Some(path) = &command.report {
        files::write(path, &page::page(&sum))?;
    }
    Ok(Exit::Fine)
}

/// What of the ranges is done: only the last may have been broken off.
fn done(ranges: &[(u64, u64)], next: u64) -> Vec<(u64, u64)> {
    let done = ranges.iter().map(|(first, last)| (*first, (*last).min(next.max(*first))));
    done.filter(|(first, last)| first < last).collect()
}

/// Ranges in order, those that touch as one.
fn joined(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (first, last) in ranges {
        match joined.last_mut() {
            Some(before) if before.1 == first => before.1 = last,
            _ => joined.push((first, last)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::{done, joined};

    #[test]
    fn ranges_that_touch_are_one() {
        assert_eq!(joined(vec![(5, 9), (0, 5), (10, 12)]), [(0, 9), (10, 12)]);
    }

    #[test]
    fn what_was_broken_off_counts_as_far_as_it_came() {
        assert_eq!(done(&[(0, 10)], 4), [(0, 4)]);
        assert_eq!(done(&[(0, 4), (6, 10)], 10), [(0, 4), (6, 10)]);
        assert_eq!(done(&[(6, 10)], 6), []);
    }
}
