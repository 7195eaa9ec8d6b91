//! Checks a game for all its settings, on a thread of its own, when nothing changes for a moment.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{collections::BTreeMap, thread, time::Duration};

use lsp_server::{Message, Notification};
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{Diagnostic, PublishDiagnosticsParams, Uri};

use super::{addresses::FileLookup, findings::findings};
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
    pub(super) files: FileLookup,
    /// How many findings were told of it already.
    pub(super) found: usize,
}

pub(super) struct BackgroundCheck {
    jobs: Sender<Job>,
    publisher: Arc<Mutex<Publisher>>,
}

/// Tells only what is true of the newest text of a file.
struct Publisher {
    outlet: Outlet,
    newest: BTreeMap<String, i32>,
}

impl Publisher {
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

impl BackgroundCheck {
    /// Starts the thread. It ends when this is dropped.
    pub(super) fn start(outlet: Outlet) -> BackgroundCheck {
        let (jobs, inbox) = channel();
        let publisher = Arc::new(Mutex::new(Publisher { outlet, newest: BTreeMap::new() }));
        let told = Arc::clone(&publisher);
        // Where no thread can be had, findings of settings are not told.
        let _ = thread::Builder::new().name("thorough".into()).spawn(move || work(&inbox, &told));
        BackgroundCheck { jobs, publisher }
    }

    /// Remembers that a file has a newer text.
    pub(super) fn outdate(&self, uri: &Uri, version: i32) {
        locked(&self.publisher).newest.insert(uri.to_string(), version);
    }

    /// Takes back what was told of a file.
    pub(super) fn forget(&self, uri: &Uri, version: i32) {
        let mut publisher = locked(&self.publisher);
        publisher.tell(uri, version, Vec::new());
        publisher.newest.remove(uri.as_str());
    }

    pub(super) fn tell(&self, uri: &Uri, version: i32, diagnostics: Vec<Diagnostic>) {
        locked(&self.publisher).tell(uri, version, diagnostics);
    }

    pub(super) fn ask(&self, job: Job) {
        // A thread that could not be started looks at nothing.
        let _ = self.jobs.send(job);
    }
}

fn work(inbox: &Receiver<Job>, publisher: &Mutex<Publisher>) {
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
            let current = locked(publisher).is_newest(&job.uri, job.version);
            if current {
                look(&job, publisher);
            }
        }
    }
}

fn look(job: &Job, publisher: &Mutex<Publisher>) {
    let mut sources = Sources::default();
    let opened = Opened { name: &job.name, text: &job.text, folder: &job.files };
    let diagnostics = pipeline::check(&mut sources, &opened).diagnostics;
    if diagnostics.sorted().len() > job.found {
        let found = findings(&job.uri, &sources, &diagnostics);
        locked(publisher).tell(&job.uri, job.version, found);
    }
}

fn locked(publisher: &Mutex<Publisher>) -> MutexGuard<'_, Publisher> {
    // A panic while something was told leaves the versions as they were.
    publisher.lock().unwrap_or_else(PoisonError::into_inner)
}
