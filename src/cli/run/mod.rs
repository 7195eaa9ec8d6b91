//! `astragal run`: scripts, what they expect, and their transcripts.

mod collect;
mod games;
mod script;
mod tell;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{collections::BTreeMap, num::NonZero, path::PathBuf, sync::mpsc, thread};

use super::screen::{Exit, Failure, Screen};
use super::{args::Run, watch::Watched};
use collect::Script;
use games::Games;
use script::{Played, play};
use tell::Teller;

/// Rules call rules, so a thread that plays needs more room than threads usually have.
const STACK: usize = 16 << 20;

pub(super) fn run(command: &Run, screen: &mut Screen) -> Result<Exit, Failure> {
    let scripts = collect::scripts(command)?;
    let (exit, mut files) = run_all(command, &scripts, screen)?;
    if !command.watch {
        return Ok(exit);
    }
    let mut watched = Watched::default();
    loop {
        watched.look_at(files.values().flatten().cloned().collect());
        screen.flush()?;
        let changed = watched.wait();
        let concerned = |script: &Script| {
            files.get(script).is_none_or(|read| read.iter().any(|(file, _)| changed.contains(file)))
        };
        let scripts: Vec<Script> =
            collect::scripts(command)?.into_iter().filter(concerned).collect();
        screen.clear()?;
        files.extend(run_all(command, &scripts, screen)?.1);
    }
}

/// The files that each script was read from, with their texts as they were.
type Files = BTreeMap<Script, Vec<(PathBuf, String)>>;

/// Runs scripts on all cores and tells of them in their order.
fn run_all(
    command: &Run,
    scripts: &[Script],
    screen: &mut Screen,
) -> Result<(Exit, Files), Failure> {
    let (games, next, stop) = (Games::default(), AtomicUsize::new(0), AtomicBool::new(false));
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(scripts.len());
    let (sender, receiver) = mpsc::channel();
    let work = |sender: mpsc::Sender<(usize, Result<Played, Failure>)>| {
        while !stop.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(script) = scripts.get(at) else { return };
            // Nobody waits for it only where the others were broken off.
            let _ = sender.send((at, play(command, script, &games)));
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, work) = (sender.clone(), &work);
            let thread = thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, move || work(sender))?;
        }
        drop(sender);
        let mut teller = Teller::new(command, scripts.len(), screen)?;
        let (mut waiting, mut told) = (BTreeMap::new(), 0);
        let mut files = Files::new();
        for (at, played) in receiver {
            waiting.insert(at, played);
            while let Some(played) = waiting.remove(&told) {
                let script = &scripts[told];
                told += 1;
                let played = played.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                files.insert(script.clone(), played.files.clone());
                teller.tell(script, &played)?;
                if command.fail_fast && !played.passed() {
                    stop.store(true, Ordering::Relaxed);
                    return Ok((teller.conclude()?, files));
                }
            }
        }
        Ok((teller.conclude()?, files))
    })
}
