//! The files that are open in the editor, and what is known of each.

use std::{cell::OnceCell, collections::BTreeMap};

use lsp_types::{TextDocumentContentChangeEvent, Uri};

use super::background_check::{BackgroundCheck, Job, Outlet};
use super::lines::{Lines, replace};
use super::{addresses::FileLookup, addresses::path_of, findings::findings};
use crate::diagnostic::{Diagnostics, hidden_signs_in};
use crate::editor::Document;
use crate::load::Opened;
use crate::source::{Source, Sources};
use crate::transcript;

pub(super) struct OpenDocuments {
    open: BTreeMap<String, Open>,
    background: BackgroundCheck,
}

pub(super) struct Open {
    pub(super) uri: Uri,
    /// Its number of changes, as the editor counts them.
    version: i32,
    /// Whether its findings were told.
    told: bool,
    pub(super) source: Source,
    pub(super) lines: Lines,
    /// What is known of it, once somebody asks.
    document: OnceCell<Document>,
}

impl OpenDocuments {
    pub(super) fn new(outlet: Outlet) -> OpenDocuments {
        OpenDocuments { open: BTreeMap::new(), background: BackgroundCheck::start(outlet) }
    }

    /// Takes a file, or another text for it.
    pub(super) fn put(&mut self, uri: Uri, version: i32, text: String) {
        let source = Source::new(name_of(&uri), text);
        // What other files say may hang on this one.
        self.open.values_mut().filter(|open| open.names_others()).for_each(Open::forget);
        let lines = Lines::of(&source.text);
        self.background.outdate(&uri, version);
        let document = OnceCell::new();
        let address = uri.to_string();
        self.open.insert(address, Open { uri, version, told: false, source, lines, document });
    }

    /// Changes parts of a file, one after the other. A part of a file that is not open is unknown.
    pub(super) fn change(
        &mut self,
        uri: Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        let mut text = self.open.get(uri.as_str()).map(|open| open.source.text.clone());
        for change in changes {
            match (change.range, &mut text) {
                (None, _) => text = Some(change.text),
                (Some(range), Some(text)) => replace(text, range, &change.text),
                (Some(_), None) => {}
            }
        }
        if let Some(text) = text {
            self.put(uri, version, text);
        }
    }

    /// Puts a file away, and its findings with it.
    pub(super) fn close(&mut self, uri: &Uri) {
        if let Some(open) = self.open.remove(uri.as_str()) {
            self.background.forget(uri, open.version);
        }
    }

    pub(super) fn game(&self, uri: &Uri) -> Option<(&Open, &Document)> {
        let open = self.open.get(uri.as_str()).filter(|_| !is_script(uri))?;
        Some((open, self.read(open)))
    }

    pub(super) fn found(&self, uri: &Uri) -> Option<(&Open, Diagnostics, Sources)> {
        let open = self.open.get(uri.as_str())?;
        let (found, sources, _) = self.diagnostics(open);
        Some((open, found, sources))
    }

    /// A game or a script in its canonical layout, if it can be read.
    pub(super) fn laid_out(&self, uri: &Uri) -> Option<(&Open, String)> {
        if is_script(uri) {
            let open = self.open.get(uri.as_str())?;
            return Some((open, transcript::tidy(&open.source).ok()?));
        }
        let (open, document) = self.game(uri)?;
        Some((open, document.laid_out()?))
    }

    fn read<'d>(&self, open: &'d Open) -> &'d Document {
        open.document.get_or_init(|| {
            let folder = &self.lookup(&open.uri);
            let Source { name, text, .. } = &open.source;
            Document::read(&Opened { name, text, folder })
        })
    }

    /// The folder that a file lies in, with what is open.
    fn lookup(&self, uri: &Uri) -> FileLookup {
        let folder = path_of(uri).and_then(|path| Some(path.parent()?.to_owned()));
        let text = |open: &Open| Some((path_of(&open.uri)?, open.source.text.clone()));
        FileLookup { folder, open: self.open.values().filter_map(text).collect() }
    }

    /// What is wrong with a file, and whether a background look may find more.
    fn diagnostics(&self, open: &Open) -> (Diagnostics, Sources, bool) {
        if is_script(&open.uri) {
            let found = transcript::parse(&open.source).err();
            let found = found.unwrap_or_else(|| hidden_signs_in(&open.source));
            let mut sources = Sources::default();
            sources.add(&open.source.name, &open.source.text);
            return (found, sources, false);
        }
        let document = self.read(open);
        let found = document.diagnostics();
        let sound = !found.has_errors();
        (found, document.sources().clone(), sound)
    }

    /// Tells the findings of what changed. What only shows when a game is compiled for all its
    /// settings takes longer, and is told when nothing changes for a moment.
    pub(super) fn publish(&mut self) {
        for open in self.open.values().filter(|open| !open.told) {
            let (diagnostics, sources, sound) = self.diagnostics(open);
            let found = findings(&open.uri, &sources, &diagnostics);
            self.background.tell(&open.uri, open.version, found);
            if sound {
                self.background.ask(Job {
                    uri: open.uri.clone(),
                    version: open.version,
                    name: open.source.name.clone(),
                    text: open.source.text.clone(),
                    files: self.lookup(&open.uri),
                    found: diagnostics.sorted().len(),
                });
            }
        }
        self.open.values_mut().for_each(|open| open.told = true);
    }
}

impl Open {
    /// Whether what is known of it comes from other files too.
    fn names_others(&self) -> bool {
        self.document.get().is_some_and(Document::names_others)
    }

    /// Forgets what is known of it, and that it was told.
    fn forget(&mut self) {
        self.document = OnceCell::new();
        self.told = false;
    }
}

pub(super) fn is_script(uri: &Uri) -> bool {
    uri.as_str().ends_with(".script")
}

/// What messages call a file: its path, or its address where it has none.
fn name_of(uri: &Uri) -> String {
    path_of(uri).map_or_else(|| uri.to_string(), |path| path.display().to_string())
}
