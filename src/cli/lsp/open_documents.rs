//! The files that are open in the editor, their paths, and their diagnostics. What only shows when a game is
//! compiled for all its settings is found on a thread of its own, when nothing changes for a moment.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{thread, time::Duration};

use lsp_server::{Message, Notification};
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{Diagnostic, PublishDiagnosticsParams, TextDocumentContentChangeEvent, Uri};

use crate::cli::lsp::diagnostics::OpenPage;
use crate::cli::lsp::positions::{LineIndex, replace};
use crate::diagnostic::{Diagnostics, hidden_signs_in};
use crate::editor::Document;
use crate::host::game_files;
use crate::load::{BUNDLED, Folder, NamedText, OpenedFile};
use crate::pipeline;
use crate::source::{Source, Sources};
use crate::transcript;

/// How long nothing must change before a game is checked for all its settings.
const QUIET: Duration = Duration::from_millis(250);

pub(super) struct OpenDocuments {
    open: BTreeMap<String, Open>,
    jobs: Sender<Job>,
    publisher: Arc<Mutex<Publisher>>,
}

pub(super) struct Open {
    pub(super) uri: Uri,
    /// Its number of changes, as the editor counts them.
    version: i32,
    /// Whether the editor has its diagnostics.
    is_published: bool,
    pub(super) text: LineIndex,
    /// What is known of it, computed when it is needed.
    document: OnceCell<Document>,
}

impl OpenDocuments {
    pub(super) fn new(outlet: Outlet) -> OpenDocuments {
        let (jobs, inbox) = channel();
        let publisher = Arc::new(Mutex::new(Publisher { outlet, newest: BTreeMap::new() }));
        let shared = Arc::clone(&publisher);
        // It ends when `jobs` is dropped. Where no thread can be had, diagnostics of settings are not
        // published.
        let _ = thread::Builder::new().name("check".into()).spawn(move || work(&inbox, &shared));
        OpenDocuments { open: BTreeMap::new(), jobs, publisher }
    }

    /// Takes a file, or another text for it.
    pub(super) fn put_text(&mut self, uri: Uri, version: i32, text: String) {
        // The meaning of files that name others may depend on this one.
        for open in self.open.values_mut() {
            if open.document.get().is_some_and(Document::names_others) {
                open.document = OnceCell::new();
                open.is_published = false;
            }
        }
        locked(&self.publisher).newest.insert(uri.to_string(), version);
        // Messages call a file by its path, or by its address where it has none.
        let name = path_of(&uri).map_or_else(|| uri.to_string(), |path| path.display().to_string());
        let text = LineIndex::new(Source::new(name, text));
        let document = OnceCell::new();
        let address = uri.to_string();
        self.open.insert(address, Open { uri, version, is_published: false, text, document });
    }

    /// Changes parts of a file, one after the other. A part of a file that is not open is unknown.
    pub(super) fn apply_changes(
        &mut self,
        uri: Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        let mut text = self.open.get(uri.as_str()).map(|open| open.text.source.text.clone());
        for change in changes {
            match (change.range, &mut text) {
                (None, _) => text = Some(change.text),
                (Some(range), Some(text)) => replace(text, range, &change.text),
                (Some(_), None) => {}
            }
        }
        if let Some(text) = text {
            self.put_text(uri, version, text);
        }
    }

    /// Puts a file away, and its diagnostics with it.
    pub(super) fn close_file(&mut self, uri: &Uri) {
        if let Some(open) = self.open.remove(uri.as_str()) {
            let mut publisher = locked(&self.publisher);
            publisher.send_diagnostics(uri, open.version, Vec::new());
            publisher.newest.remove(uri.as_str());
        }
    }

    pub(super) fn find_document(&self, uri: &Uri) -> Option<(&Open, &Document)> {
        let open = self.open.get(uri.as_str()).filter(|_| !is_script(uri))?;
        Some((open, self.parse_document(open)))
    }

    /// A game or a script in its canonical layout, if it can be read.
    pub(super) fn formatted_text(&self, uri: &Uri) -> Option<(&Open, String)> {
        if is_script(uri) {
            let open = self.open.get(uri.as_str())?;
            return Some((open, transcript::tidy(&open.text.source).ok()?));
        }
        let (open, document) = self.find_document(uri)?;
        Some((open, document.formatted_text()?))
    }

    fn parse_document<'d>(&self, open: &'d Open) -> &'d Document {
        open.document.get_or_init(|| {
            let folder = &self.folder_of(open);
            let Source { name, text, .. } = &open.text.source;
            Document::read(&OpenedFile { name, text, folder })
        })
    }

    fn folder_of(&self, open: &Open) -> OpenFolder {
        let folder = path_of(&open.uri).and_then(|path| Some(path.parent()?.to_owned()));
        let text = |open: &Open| Some((path_of(&open.uri)?, open.text.source.text.clone()));
        OpenFolder { folder, open: self.open.values().filter_map(text).collect() }
    }

    pub(super) fn find_diagnostics(&self, uri: &Uri) -> Option<(&Open, Diagnostics, Sources)> {
        let open = self.open.get(uri.as_str())?;
        if is_script(uri) {
            let source = &open.text.source;
            let found = transcript::parse(source).err().unwrap_or_else(|| hidden_signs_in(source));
            let mut sources = Sources::default();
            sources.add(&source.name, &source.text);
            return Some((open, found, sources));
        }
        let document = self.parse_document(open);
        Some((open, document.diagnostics(), document.sources().clone()))
    }

    /// Publishes the diagnostics of what changed.
    pub(super) fn publish_changed(&mut self) {
        for open in self.open.values().filter(|open| !open.is_published) {
            let (_, found, sources) = self.find_diagnostics(&open.uri).expect("the file is open");
            let page = OpenPage { uri: &open.uri, sources: &sources, text: &open.text };
            let shown = page.to_lsp(&found);
            locked(&self.publisher).send_diagnostics(&open.uri, open.version, shown);
            if !is_script(&open.uri) && !found.has_errors() {
                // A thread that could not be started checks nothing.
                let _ = self.jobs.send(Job {
                    uri: open.uri.clone(),
                    version: open.version,
                    text: open.text.clone(),
                    folder: self.folder_of(open),
                    found: found.sorted().len(),
                });
            }
        }
        self.open.values_mut().for_each(|open| open.is_published = true);
    }
}

pub(super) type Outlet = Box<dyn Fn(Message) + Send>;

struct Job {
    uri: Uri,
    version: i32,
    text: LineIndex,
    folder: OpenFolder,
    /// How many diagnostics of it were published already.
    found: usize,
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

    fn send_diagnostics(&self, uri: &Uri, version: i32, diagnostics: Vec<Diagnostic>) {
        if self.is_newest(uri, version) {
            let uri = uri.clone();
            let params = PublishDiagnosticsParams { uri, diagnostics, version: Some(version) };
            let method = PublishDiagnostics::METHOD.to_owned();
            (self.outlet)(Message::Notification(Notification::new(method, params)));
        }
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
            let opened = OpenedFile { name, text: opened, folder: &folder };
            let diagnostics = pipeline::check_typed(&mut sources, &opened).diagnostics;
            if diagnostics.sorted().len() > found {
                let page = OpenPage { uri: &uri, sources: &sources, text: &text };
                locked(publisher).send_diagnostics(&uri, version, page.to_lsp(&diagnostics));
            }
        }
    }
}

fn locked(publisher: &Mutex<Publisher>) -> MutexGuard<'_, Publisher> {
    // A panic while something was published leaves the versions as they were.
    publisher.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn is_script(uri: &Uri) -> bool {
    uri.as_str().ends_with(".script")
}

/// The folder of an open file; a file in it that is open too has the text that the editor has.
struct OpenFolder {
    folder: Option<PathBuf>,
    open: BTreeMap<PathBuf, String>,
}

impl Folder for OpenFolder {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        if path.starts_with(BUNDLED) {
            return game_files::disk_folder(Path::new("")).read(path);
        }
        let Some(folder) = &self.folder else {
            return Err("this file was not saved yet, so it lies in no folder".to_owned());
        };
        let file = folder.join(path);
        match self.open.get(&file) {
            Some(text) => Ok(NamedText { name: file.display().to_string(), text: text.clone() }),
            None => game_files::disk_folder(folder).read(path),
        }
    }
}

pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    uri.as_str().strip_prefix("file://")?;
    let path = uri.path().as_estr().decode().into_string().ok()?;
    // `/C:/games` is written for `C:/games`.
    let drive = path.get(2..3) == Some(":") && path.starts_with('/');
    Some(PathBuf::from(if drive { &path[1..] } else { &path }))
}

pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let path = path.to_string_lossy().replace('\\', "/");
    let mut address = format!("file://{}", if path.starts_with('/') { "" } else { "/" });
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte) {
            address.push(char::from(byte));
        } else {
            address.extend([format!("%{byte:02X}")]);
        }
    }
    address.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{path_of, uri_of};

    #[test]
    fn paths_and_addresses_lead_to_each_other() {
        for path in ["/games/a b.game", "/spiele/für 2/ä.game", "/a%20b/c#d.game"] {
            let address = uri_of(Path::new(path)).expect("every path has an address");
            assert_eq!(path_of(&address).as_deref(), Some(Path::new(path)), "{address:?}");
        }
        let drive = "file:///C%3A/games/a.game".parse().expect("it is an address");
        assert_eq!(path_of(&drive).as_deref(), Some(Path::new("C:/games/a.game")));
        for address in ["untitled:Untitled-1", "https://example.org/a.game", "file:///a%FF.game"] {
            let address = address.parse().expect("it is an address");
            assert_eq!(path_of(&address), None, "{address:?}");
        }
    }
}
