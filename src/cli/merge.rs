//! `astragal merge`: the parts of a simulation, added up.

use super::screen::{Exit, Failure, Screen};
use super::{
    args::Merge, counts_file, error::CliError, html_report, simulate::show, writing,
    writing::Anyhow,
};

/// Adds up, and prints what a simulation in one piece would have printed.
pub(super) fn merge(command: &Merge, screen: &mut Screen) -> Result<Exit, Failure> {
    let mut paths = command.files.iter();
    let first = paths.next().expect("the command line asks for a file");
    let mut sum = counts_file::read(first)?;
    sum.ranges = sum.done();
    for path in paths {
        let mut part = counts_file::read(path)?;
        counts_file::same(path, &sum, &part)?;
        part.ranges = part.done();
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
    let anyhow = Anyhow::flag(command.force);
    if let Some(path) = &command.out {
        counts_file::write(&mut counts_file::open(path, &sum, &anyhow)?, &sum)?;
    }
    show(&sum, command.format, screen)?;
    if let Some(path) = &command.report {
        writing::write(path, &html_report::page(&sum), html_report::FORM, &anyhow)?;
    }
    Ok(Exit::Fine)
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
    use super::joined;

    #[test]
    fn ranges_that_touch_are_one() {
        assert_eq!(joined(vec![(5, 9), (0, 5), (10, 12)]), [(0, 9), (10, 12)]);
    }
}
