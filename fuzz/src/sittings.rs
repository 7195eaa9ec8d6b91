//! Remembers which ranges of mutants were played, so that a long run takes several sittings.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::mutants::{Limits, Seed};

/// The ranges that this program played with these files.
pub struct Sittings {
    file: PathBuf,
    /// Stands for the program, the files and the limits.
    mark: String,
}

impl Sittings {
    /// The ranges that are recorded in a folder.
    pub fn of(folder: &Path, seeds: &[Seed], limits: Limits) -> Sittings {
        let program = std::env::current_exe().ok().and_then(|path| fs::read(path).ok());
        let mut words = program.unwrap_or_default();
        for seed in seeds {
            words.extend(seed.name.bytes().chain(seed.text.bytes()));
        }
        words.extend(format!("{limits:?}").bytes());
        let mark = words.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let _ = fs::create_dir_all(folder);
        let mark = format!("{:?} {} files {mark:016x}", limits.engine, seeds.len());
        Sittings { file: folder.join("ranges.txt"), mark }
    }

    /// Whether all of a range was played.
    pub fn has(&self, range: &Range<u64>) -> bool {
        let line = format!("{} {}..{}:", self.mark, range.start, range.end);
        let known = fs::read_to_string(&self.file).unwrap_or_default();
        known.lines().any(|it| it.starts_with(&line))
    }

    /// Records a range.
    pub fn add(&self, range: &Range<u64>, wrong: usize) {
        let known = OpenOptions::new().create(true).append(true).open(&self.file);
        if let Ok(mut known) = known {
            let _ = writeln!(known, "{} {}..{}: {wrong} wrong", self.mark, range.start, range.end);
        }
    }
}
