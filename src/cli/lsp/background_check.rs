//! The thorough look, on a thread of its own: a game compiled for all its settings.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{collections::BTreeMap, thread, time::Duration};

use lsp_server::{Message, Notification};
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{Diagnostic, PublishDiagnosticsParams, Uri};

use super::{file_lookup::Shelf, findings::findings};
use crate::load::Opened;
use crate::pipeline;
use crate::source::Sources;

/// How long nothing must change before a thorough look begins.
const QUIET: Duration = Duration::from_millis(250);

pub(super) type Outlet = Box<dyn Fn(Message) + Send>;

pub(super) struct Job {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) shelf: Shelf,
    /// How many findings were told of it already.
    pub(super) found: usize,
}

pub(super) struct Thorough {
    jobs: Sender<Job>,
    mouth: Arc<Mutex<Mouth>>,
}

/// Tells only what is true of the newest text of a file.
struct Mouth {
    outlet: Outlet,
    newest: BTreeMap<String, i32>,
}

impl Mouth {
    fn is_newest(&self, uri: &Uri, version: i32) -> bool {
        self.newest.get(uri.as_str()) == Some(&version)
    }

    fn tell(&self, uri: &Uri, version: i32, diagnostics: Vec<Diagnostic>) {
        if !self.is_newest(uri, version) {
            return;
        }
        let uri = uri.clone();
        let params = PublishDiagnosticsParams { uri, diagnostics, version: Some(version) };
        let method = PublishDiagnostics::METHOD.to_owned();
        (self.outlet)(Message::Notification(Notification::new(method, params)));
    }
}

impl Thorough {
    /// Starts the thread. It ends when this is dropped.
    pub(super) fn start(outlet: Outlet) -> Thorough {
        let (jobs, inbox) = channel();
        let mouth = Arc::new(Mutex::new(Mouth { outlet, newest: BTreeMap::new() }));
        let told = Arc::clone(&mouth);
        // Where no thread can be had, findings of settings are not told.
        let _ = thread::Builder::new().name("thorough".into()).spawn(move || work(&inbox, &told));
        Thorough { jobs, mouth }
    }

    /// Remembers that a file has a newer text.
    pub(super) fn outdate(&self, uri: &Uri, version: i32) {
        locked(&self.mouth).newest.insert(uri.to_string(), version);
    }

    /// Takes back what was told of a file.
    pub(super) fn forget(&self, uri: &Uri, version: i32) {
        let mut mouth = locked(&self.mouth);
        mouth.tell(uri, version, Vec::new());
        mouth.newest.remove(uri.as_str());
    }

    pub(super) fn tell(&self, uri: &Uri, version: i32, diagnostics: Vec<Diagnostic>) {
        locked(&self.mouth).tell(uri, version, diagnostics);
    }

    pub(super) fn ask(&self, job: Job) {
        // A thread that could not be started looks at nothing.
        let _ = self.jobs.send(job);
    }
}

fn work(inbox: &Receiver<Job>, mouth: &Mutex<Mouth>) {
    while let Ok(job) = inbox.recv() {
        let mut waiting = BTreeMap::from([(job.uri.to_string(), job)]);
        loop {
            match inbox.recv_timeout(QUIET) {
                Ok(job) => drop(waiting.insert(job.uri.to_string(), job)),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        for job in waiting.into_values() {
            let current = locked(mouth).is_newest(&job.uri, job.version);
            if current {
                look(&job, mouth);
            }
        }
    }
}

fn look(job: &Job, mouth: &Mutex<Mouth>) {
    let mut sources = Sources::default();
    let opened = Opened { name: &job.name, text: &job.text, folder: &job.shelf };
    let diagnostics = pipeline::check(&mut sources, &opened).diagnostics;
    if diagnostics.sorted().len() > job.found {
        let found = findings(&job.uri, &sources, &diagnostics);
        locked(mouth).tell(&job.uri, job.version, found);
    }
}

fn locked(mouth: &Mutex<Mouth>) -> MutexGuard<'_, Mouth> {
    // A panic while something was told leaves the versions as they were.
    mouth.lock().unwrap_or_else(PoisonError::into_inner)
}
