//! Checks a game for all its settings, on a thread of its own, when nothing changes for a moment.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{collections::BTreeMap, thread, time::Duration};

use lsp_server::{Message, Notification};
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{Diagnostic, PublishDiagnosticsParams, Uri};

use super::diagnostics::Page;
use super::{open_documents::OpenFolder, positions::LineIndex};
use crate::load::Opened;
use crate::pipeline;
use crate::source::Sources;

const QUIET: Duration = Duration::from_millis(250);

pub(super) type Outlet = Box<dyn Fn(Message) + Send>;

pub(super) struct Job {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: LineIndex,
    pub(super) folder: OpenFolder,
    /// How many diagnostics of it were published already.
    pub(super) found: usize,
}

pub(super) struct BackgroundCheck {
    jobs: Sender<Job>,
    publisher: Arc<Mutex<Publisher>>,
}

/// Publishes only what is true of the newest text of a file.
struct Publisher {
    outlet: Outlet,
    newest: BTreeMap<String, i32>,
}

impl Publisher {
    fn is_newest(&self, uri: &Uri, version: i32) -> bool {
        self.newest.get(uri.as_str()) == Some(&version)
    }

    fn publish(&self, uri: &Uri, version: i32, diagnostics: Vec<Diagnostic>) {
        if self.is_newest(uri, version) {
            let uri = uri.clone();
            let params = PublishDiagnosticsParams { uri, diagnostics, version: Some(version) };
            let method = PublishDiagnostics::METHOD.to_owned();
            (self.outlet)(Message::Notification(Notification::new(method, params)));
        }
    }
}

impl BackgroundCheck {
    /// Starts the thread. It ends when this is dropped.
    pub(super) fn start(outlet: Outlet) -> BackgroundCheck {
        let (jobs, inbox) = channel();
        let publisher = Arc::new(Mutex::new(Publisher { outlet, newest: BTreeMap::new() }));
        let shared = Arc::clone(&publisher);
        // Where no thread can be had, diagnostics of settings are not published.
        let _ = thread::Builder::new().name("check".into()).spawn(move || work(&inbox, &shared));
        BackgroundCheck { jobs, publisher }
    }

    pub(super) fn outdate(&self, uri: &Uri, version: i32) {
        locked(&self.publisher).newest.insert(uri.to_string(), version);
    }

    pub(super) fn forget(&self, uri: &Uri, version: i32) {
        let mut publisher = locked(&self.publisher);
        publisher.publish(uri, version, Vec::new());
        publisher.newest.remove(uri.as_str());
    }

    pub(super) fn publish(&self, uri: &Uri, version: i32, diagnostics: Vec<Diagnostic>) {
        locked(&self.publisher).publish(uri, version, diagnostics);
    }

    pub(super) fn request(&self, job: Job) {
        // A thread that could not be started checks nothing.
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
        for Job { uri, version, text, folder, found } in waiting.into_values() {
            let is_newest = locked(publisher).is_newest(&uri, version);
            if !is_newest {
                continue;
            }
            let mut sources = Sources::default();
            let (name, opened) = (&text.source.name, &text.source.text);
            let opened = Opened { name, text: opened, folder: &folder };
            let diagnostics = pipeline::check(&mut sources, &opened).diagnostics;
            if diagnostics.sorted().len() > found {
                let page = Page { uri: &uri, sources: &sources, text: &text };
                locked(publisher).publish(&uri, version, page.diagnostics(&diagnostics));
            }
        }
    }
}

fn locked(publisher: &Mutex<Publisher>) -> MutexGuard<'_, Publisher> {
    // A panic while something was published leaves the versions as they were.
    publisher.lock().unwrap_or_else(PoisonError::into_inner)
}
