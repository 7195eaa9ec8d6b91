//! What a run found, and how often each change took part.

use std::collections::BTreeMap;
use std::fmt;

use astragal::machinery::compile::Pass;

use super::changes::CHANGES;
use super::draft::{Edit, apply, open};
use super::made::Mutant;
use super::play::{BEFORE, Limits, Played, Wrong, pass_at_fault, play};
use super::shrink::shrunk;

/// How much of what was tried came to something.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub mutants: usize,
    pub whole: usize,
    /// How many came to a decision.
    pub compared: usize,
    pub compared_with_before: usize,
    pub decisions: u64,
    pub wrong: usize,
    /// Why games were not played to the end.
    pub cut: BTreeMap<String, usize>,
    /// For each change how often it was made, and how often it found no place.
    pub made: Vec<(usize, usize)>,
    /// For each pass of the compiler in how many programs it did something.
    pub passes: Vec<usize>,
}

impl Counts {
    pub fn new() -> Counts {
        let (made, passes) = (vec![(0, 0); CHANGES.len()], vec![0; Pass::ALL.len()]);
        Counts { made, passes, ..Counts::default() }
    }

    pub fn add(&mut self, mutant: &Mutant, played: &Result<Played, Box<Wrong>>) {
        self.mutants += 1;
        self.compared_with_before += usize::from(!mutant.before.is_empty());
        mutant.changes.iter().for_each(|at| self.made[*at].0 += 1);
        mutant.refused.iter().for_each(|at| self.made[*at].1 += 1);
        match played {
            Err(_) => self.wrong += 1,
            Ok(Played { decisions, passes, cut }) => {
                self.decisions += decisions;
                self.compared += usize::from(*decisions > 0);
                for (count, pass) in self.passes.iter_mut().zip(Pass::ALL) {
                    *count += usize::from(passes.has(pass));
                }
                match cut {
                    Some(why) => *self.cut.entry(why.clone()).or_default() += 1,
                    None => self.whole += 1,
                }
            }
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { mutants, whole, compared, compared_with_before, decisions, wrong, .. } = self;
        writeln!(
            f,
            "{mutants} mutants, {compared} with decisions ({decisions}), {whole} to the end,"
        )?;
        writeln!(
            f,
            "{compared_with_before} beside the same game written otherwise; {wrong} wrong"
        )?;
        for (why, count) in &self.cut {
            writeln!(f, "  {count:6} not played to the end: {why}")?;
        }
        writeln!(f, "changes (made, found no place):")?;
        for (change, (made, refused)) in CHANGES.iter().zip(&self.made) {
            writeln!(f, "  {made:6} {refused:6}  {}", change.name)?;
        }
        writeln!(f, "passes of the compiler, by the programs in which they did something:")?;
        let passes = Pass::ALL.iter().zip(&self.passes);
        let passes: Vec<_> = passes.map(|(pass, it)| format!("{} {it}", pass.name())).collect();
        passes.chunks(8).try_for_each(|line| writeln!(f, "  {}", line.join(", ")))
    }
}

/// The file that is kept of a fault: what is wrong, then the text, as small as it becomes if that is wanted.
pub fn file_of(mutant: &Mutant, wrong: &Wrong, limits: Limits, shrink: bool) -> String {
    let (mut text, mut edits) = at_fault(mutant, wrong, limits);
    if shrink {
        (text, edits) = shrunk(&mutant.draft.seed, &text, &edits, &mut |draft, edits| {
            again(mutant, &draft.text, edits, wrong, limits).is_some()
        });
    }
    let now = again(mutant, &text, &edits, wrong, limits);
    let now = now.as_deref().unwrap_or(wrong);
    let mut file = String::new();
    let mut comment = |words: &str| {
        words.lines().for_each(|line| file.extend(["# ", line, "\n"]));
    };
    comment(&format!(
        "Mutant {} of {}, {:?}.",
        mutant.number, mutant.draft.seed.name, limits.engine
    ));
    let names: Vec<_> = mutant.changes.iter().map(|at| CHANGES[*at].name).collect();
    comment(&format!("Changes: {}.", names.join("; ")));
    comment(&format!("Setting: {:?}.", now.setting));
    comment(&now.story);
    let draft = open(&mutant.draft.seed, text.clone()).filter(|_| edits.is_empty());
    if let Some(pass) = draft.and_then(|it| pass_at_fault(&it.ruleset, mutant.number, limits)) {
        comment(&format!("Without the pass `{pass}` both agree."));
    }
    if !edits.is_empty() {
        comment(&format!("Before:\n{text}"));
    }
    file + &apply(&text, &edits).unwrap_or_default()
}

/// The text in which a fault is; if it is that a change does not keep the game, the text before that change, which is
/// one of several in a row, and the change.
fn at_fault(mutant: &Mutant, wrong: &Wrong, limits: Limits) -> (String, Vec<Edit>) {
    if !wrong.sort.starts_with(BEFORE) {
        return (mutant.draft.text.clone(), Vec::new());
    }
    let mut steps = mutant.before.iter();
    let fault = steps.find(|(text, edits)| again(mutant, text, edits, wrong, limits).is_some());
    fault.or(mutant.before.last()).cloned().unwrap_or_default()
}

/// What is still wrong with a text after some edits, if it is of the same sort.
fn again(
    mutant: &Mutant,
    text: &str,
    edits: &[Edit],
    wrong: &Wrong,
    limits: Limits,
) -> Option<Box<Wrong>> {
    let opened = |text: String| Some(open(&mutant.draft.seed, text)?.ruleset);
    let before = if edits.is_empty() { None } else { Some(opened(text.to_owned())?) };
    let after = opened(apply(text, edits)?)?;
    let found = play(&after, before.as_ref(), mutant.number, limits).err()?;
    (found.sort == wrong.sort).then_some(found)
}
