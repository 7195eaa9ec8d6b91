//! What a run found, and how often each change took part.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::changes::CHANGES;
use super::made::Mutant;
use super::play::{Engine, Played, Wrong};

/// How much of what was tried came to something.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub mutants: usize,
    pub whole: usize,
    pub compared_with_before: usize,
    pub decisions: u64,
    pub wrong: usize,
    /// Why games were not played to the end.
    pub cut: BTreeMap<String, usize>,
    /// For each change how often it was made, and how often it found no place.
    pub made: Vec<(usize, usize)>,
    /// By name of a pass or an operation the programs that it took part in.
    pub touched: BTreeMap<String, usize>,
}

impl Counts {
    pub fn new() -> Counts {
        Counts { made: vec![(0, 0); CHANGES.len()], ..Counts::default() }
    }

    pub fn add(&mut self, mutant: &Mutant, played: &Result<Played, Box<Wrong>>) {
        self.mutants += 1;
        self.compared_with_before += usize::from(!mutant.before.is_empty());
        mutant.changes.iter().for_each(|at| self.made[*at].0 += 1);
        mutant.refused.iter().for_each(|at| self.made[*at].1 += 1);
        match played {
            Err(_) => self.wrong += 1,
            Ok(Played { decisions, cut, .. }) => {
                self.decisions += decisions;
                match cut {
                    Some(why) => *self.cut.entry(why.clone()).or_default() += 1,
                    None => self.whole += 1,
                }
            }
        }
    }

    pub fn merge(&mut self, other: &Counts) {
        self.mutants += other.mutants;
        self.whole += other.whole;
        self.compared_with_before += other.compared_with_before;
        self.decisions += other.decisions;
        self.wrong += other.wrong;
        for (all, more) in [(&mut self.cut, &other.cut), (&mut self.touched, &other.touched)] {
            more.iter().for_each(|(name, count)| *all.entry(name.clone()).or_default() += count);
        }
        for (all, more) in self.made.iter_mut().zip(&other.made) {
            *all = (all.0 + more.0, all.1 + more.1);
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} mutants, {} played to the end, {} beside the same game written otherwise, {} decisions; {} wrong",
            self.mutants, self.whole, self.compared_with_before, self.decisions, self.wrong
        )?;
        for (why, count) in &self.cut {
            writeln!(f, "  {count:6} not played to the end: {why}")?;
        }
        writeln!(f, "changes (made, found no place):")?;
        for (change, (made, refused)) in CHANGES.iter().zip(&self.made) {
            writeln!(f, "  {made:6} {refused:6}  {}", change.name)?;
        }
        for (name, count) in &self.touched {
            writeln!(f, "  {count:6}  {name}")?;
        }
        Ok(())
    }
}

/// The file that is kept of a fault: what is wrong, then the smaller text.
pub fn file_of(mutant: &Mutant, wrong: &Wrong, engine: Engine, before: Option<&str>, text: &str) -> String {
    let mut file = String::new();
    let mut comment = |words: &str| {
        for line in words.lines() {
            let _ = writeln!(file, "# {line}");
        }
    };
    comment(&format!("Mutant {} of {}, {engine:?}.", mutant.number, mutant.draft.seed.name));
    let names: Vec<_> = mutant.changes.iter().map(|at| CHANGES[*at].name).collect();
    comment(&format!("Changes: {}.", names.join("; ")));
    comment(&format!("Setting: {:?}.", wrong.setting));
    comment(&wrong.story);
    if let Some(before) = before {
        comment("Before:");
        comment(before);
    }
    file + text
}
