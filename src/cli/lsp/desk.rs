//! The files that are open in the editor, and what is known of each.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use lsp_types::Uri;

use super::findings::findings;
use super::lines::Lines;
use super::thorough::{Job, Outlet, Thorough};
use crate::diagnostic::Diagnostics;
use crate::editor::Document;
use crate::source::Source;
use crate::transcript;

/// The files that are open.
pub(super) struct Desk {
    /// By their addresses.
    open: BTreeMap<String, Open>,
    thorough: Thorough,
}

/// A file that is open.
pub(super) struct Open {
    uri: Uri,
    /// Its number of changes, as the editor counts them.
    version: i32,
    /// Whether its findings were told.
    told: bool,
    /// Its text.
    pub(super) source: Source,
    /// Its lines.
    pub(super) lines: Lines,
    /// What is known of it, once somebody asks.
    document: OnceCell<Document>,
}

impl Desk {
    /// A desk with nothing on it; findings go to the outlet.
    pub(super) fn new(outlet: Outlet) -> Desk {
        Desk { open: BTreeMap::new(), thorough: Thorough::start(outlet) }
    }

    /// Takes a file, or another text for it.
    pub(super) fn put(&mut self, uri: Uri, version: i32, text: String) {
        let source = Source::new(name_of(&uri), text);
        let lines = Lines::of(&source.text);
        self.thorough.outdate(&uri, version);
        let document = OnceCell::new();
        let address = uri.to_string();
        self.open.insert(address, Open { uri, version, told: false, source, lines, document });
    }

    /// Puts a file away, and its findings with it.
    pub(super) fn close(&mut self, uri: &Uri) {
        if let Some(open) = self.open.remove(uri.as_str()) {
            self.thorough.forget(uri, open.version);
        }
    }

    /// A game that is open.
    pub(super) fn game(&self, uri: &Uri) -> Option<(&Open, &Document)> {
        let open = self.open.get(uri.as_str()).filter(|_| !is_script(uri))?;
        Some((open, open.document()))
    }

    /// Tells the findings of what changed. What only shows when a game is compiled for all its
    /// settings takes longer, and is told when nothing changes for a moment.
    pub(super) fn publish(&mut self) {
        for open in self.open.values_mut().filter(|open| !open.told) {
            open.told = true;
            let (diagnostics, sound) = open.diagnostics();
            let found = findings(&open.uri, &open.source, &open.lines, &diagnostics);
            self.thorough.tell(&open.uri, open.version, found);
            if sound {
                let (uri, text) = (open.uri.clone(), open.source.text.clone());
                let found = diagnostics.sorted().len();
                let name = open.source.name.clone();
                self.thorough.ask(Job { uri, version: open.version, name, text, found });
            }
        }
    }
}

impl Open {
    fn document(&self) -> &Document {
        self.document.get_or_init(|| Document::read(self.source.clone()))
    }

    /// What is wrong, and whether a thorough look may find more.
    fn diagnostics(&self) -> (Diagnostics, bool) {
        if is_script(&self.uri) {
            let found = transcript::parse(&self.source).err();
            return (found.unwrap_or_default(), false);
        }
        let found = self.document().diagnostics();
        let sound = !found.has_errors();
        (found, sound)
    }
}

fn is_script(uri: &Uri) -> bool {
    uri.as_str().ends_with(".script")
}

/// The last part of the path of a file.
fn name_of(uri: &Uri) -> String {
    let path = uri.as_str();
    path.rsplit('/').next().unwrap_or(path).to_owned()
}
