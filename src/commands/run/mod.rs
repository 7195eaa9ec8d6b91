//! `astragal run`: scripts, what they expect, and their transcripts.

mod report;
mod review;
mod script;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{num::NonZero, sync::mpsc, thread};

use crate::commands::args::RunArgs;
use crate::host::exit::{Exit, Failure};
use crate::host::{disk, error::HostError, files, screen::Screen, watch::WatchedFiles};
use crate::source::Source;
use crate::transcript;

use report::Reporter;
use review::ScriptChanges;
use script::{GameCache, PlayedScript, play_script};

/// Rules call rules, so a thread that plays needs more room than threads usually have.
const STACK: usize = 16 << 20;

pub(super) fn run_scripts(command: &RunArgs, screen: &mut Screen) -> Result<Exit, Failure> {
    let scripts = collect(command)?;
    let (exit, mut files) = run_all(command, &scripts, screen)?;
    if !command.watch {
        return Ok(exit);
    }
    let mut watched = WatchedFiles::default();
    loop {
        watched.look_at(files.values().flatten().cloned().collect());
        screen.flush()?;
        let changed = watched.wait_for_changes();
        let concerned = |script: &PathBuf| {
            files.get(script).is_none_or(|read| read.iter().any(|(file, _)| changed.contains(file)))
        };
        let scripts: Vec<PathBuf> = collect(command)?.into_iter().filter(concerned).collect();
        screen.clear_watched()?;
        files.extend(run_all(command, &scripts, screen)?.1);
    }
}

/// The files that each script was read from, with their texts as they were.
type ScriptFiles = BTreeMap<PathBuf, Vec<(PathBuf, String)>>;

/// Runs scripts on all cores and reports them in their order.
fn run_all(
    command: &RunArgs,
    scripts: &[PathBuf],
    screen: &mut Screen,
) -> Result<(Exit, ScriptFiles), Failure> {
    let (games, next, stop) = (GameCache::default(), AtomicUsize::new(0), AtomicBool::new(false));
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(scripts.len());
    let (sender, receiver) = mpsc::channel();
    let work = |sender: mpsc::Sender<(usize, Result<PlayedScript, Failure>)>| {
        while !stop.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(script) = scripts.get(at) else { return };
            // Nobody waits for it only where the others were broken off.
            let _ = sender.send((at, play_script(command, script, &games)));
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, work) = (sender.clone(), &work);
            let thread = thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, move || work(sender))?;
        }
        drop(sender);
        let mut reporter = Reporter::new(command, scripts.len(), screen)?;
        let (mut waiting, mut files) = (BTreeMap::new(), ScriptFiles::new());
        let mut in_order = scripts.iter().enumerate().peekable();
        let mut changes = Vec::new();
        for (at, played) in receiver {
            waiting.insert(at, played);
            while let Some((at, script)) = in_order.peek()
                && let Some(played) = waiting.remove(at)
            {
                let played = played.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                reporter.report_script(&disk::display_path(script), &played)?;
                let has_failed = !played.passed();
                if command.review && played.is_whole && !disk::is_input(script) {
                    let (path, text, edits) = ((*script).clone(), played.text, played.edits);
                    changes.push(ScriptChanges { path, text, edits });
                }
                files.insert((*script).clone(), played.files);
                in_order.next();
                if command.fail_fast && has_failed {
                    stop.store(true, Ordering::Relaxed);
                    return Ok((reporter.conclude()?, files));
                }
            }
        }
        let exit = reporter.conclude()?;
        if command.review {
            review::review(&changes, screen)?;
        }
        Ok((exit, files))
    })
}

/// The scripts that the command names, each once; those in this folder and below if it names none.
fn collect(command: &RunArgs) -> Result<Vec<PathBuf>, HostError> {
    let mut found = Vec::new();
    if command.scripts.is_empty() {
        found.extend(in_folder(Path::new("."))?);
    }
    for word in &command.scripts {
        match word.to_str() {
            _ if word.is_dir() => found.extend(in_folder(word)?),
            Some(pattern) if pattern.contains(['*', '?', '[']) && !word.exists() => {
                found.extend(matching(pattern)?);
            }
            _ => found.push(word.clone()),
        }
    }
    let mut known = BTreeSet::new();
    let filter = command.filter.as_deref().unwrap_or_default();
    // What cannot be read is reported when it runs.
    let tagged = |path: &PathBuf, tag: &str| {
        let text = if disk::is_input(path) { None } else { disk::read_text(path).ok() };
        let script = text.and_then(|text| transcript::parse(&Source::new("", text)).ok());
        script.is_none_or(|script| script.has_tag(tag))
    };
    if let Some(tag) = &command.tag {
        found.retain(|path| tagged(path, tag));
    }
    found.retain(|path| disk::display_path(path).contains(filter) && known.insert(path.clone()));
    if found.is_empty() {
        let words = command.scripts.iter().map(|word| format!("`{}`", word.display()));
        let place = words.collect::<Vec<_>>().join(", ");
        let place = if place.is_empty() { "this folder".to_owned() } else { place };
        let path = command.filter.iter().map(|text| format!(" whose path holds `{text}`"));
        let tag = command.tag.iter().map(|tag| format!(" with the tag `{tag}`"));
        return Err(HostError::NoScripts { place, which: path.chain(tag).collect() });
    }
    Ok(found)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, HostError> {
    let mut files = files::list_game_files(folder)?;
    files.retain(|path| is_script(path));
    Ok(files)
}

/// The files that a pattern names, in the order of their names.
fn matching(pattern: &str) -> Result<Vec<PathBuf>, HostError> {
    let bad = |reason: &str| HostError::Unreadable {
        path: pattern.to_owned(),
        reason: reason.to_owned(),
    };
    let mut found = Vec::new();
    for path in glob::glob(pattern).map_err(|error| bad(error.msg))? {
        let path = path.map_err(|error| disk::unreadable(error.path(), error.error()))?;
        if path.is_dir() {
            found.extend(in_folder(&path)?);
        } else if is_script(&path) {
            found.push(path);
        }
    }
    Ok(found)
}

fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "script")
}
