//! The files whose cost docs/limits.md lists: each family as large as a file may be and, where that is refused,
//! as large as `check` accepts; and the strange files.

use std::path::Path;

use astragal::machinery::pipeline::{self, OpenedFile};
use astragal::machinery::source::Sources;
use astragal::machinery::syntax::MAX_BYTES;

use super::families::{Family, families};
use super::strange::strange;

/// The largest size from `low` on for which something holds that holds for smaller ones; it holds for `low`.
fn largest(low: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (low, 2 * low.max(1));
    while holds(high) {
        (low, high) = (high, 2 * high);
    }
    while high - low > 1.max(low / 64) {
        let middle = low.midpoint(high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

fn is_accepted(text: &str) -> bool {
    let opened = OpenedFile::alone("it.game", text);
    !pipeline::check(&mut Sources::default(), &opened).diagnostics.has_errors()
}

/// The largest file of a family; behind it the largest that is accepted, if that is another one.
fn extremes(family: &Family) -> Vec<(String, String)> {
    // Some families do not grow for ever.
    let fits = |size: usize| size < 1 << 22 && family.file(size).len() <= MAX_BYTES;
    let size = largest(1, fits);
    let mut files = vec![(family.name.clone(), family.file(size))];
    if !is_accepted(&files[0].1) && is_accepted(&family.file(1)) {
        let accepted = |size: usize| is_accepted(&family.file(size));
        files.push((format!("{}, accepted", family.name), family.file(largest(1, accepted))));
    }
    files
}

#[test]
#[ignore = "writes the files that docs/limits.md measures into the folder ASTRAGAL_HOSTILE"]
fn files_to_measure() {
    let folder = std::env::var("ASTRAGAL_HOSTILE").expect("ASTRAGAL_HOSTILE names a folder");
    let strange = strange().into_iter().map(|(name, text)| (format!("strange: {name}"), text));
    for (name, text) in families().iter().flat_map(extremes).chain(strange) {
        let file = Path::new(&folder).join(format!("{name}.game"));
        std::fs::write(file, text).expect("the folder can be written");
    }
}
