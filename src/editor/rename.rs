//! Giving a thing another name, everywhere where it is named.

use crate::editor::Document;
use crate::load::Opened;
use crate::source::{Source, Span};

/// Why a thing cannot be called so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is nothing here that has a name of its own.
    #[error("there is no name here that is declared in this file")]
    NoName,
    /// The file has mistakes, so that nobody knows all places of the name.
    #[error("the file has errors: put them right first")]
    Broken,
    /// It is named in other files too, which may not be open.
    #[error("it is also named in {file}: give it another name there")]
    Elsewhere {
        /// The file.
        file: String,
    },
    /// With the other name something would be wrong.
    #[error("`{name}` cannot stand in its place: {reason}")]
    Clash {
        /// The other name.
        name: String,
        /// What would be said of it.
        reason: String,
    },
}

impl Document {
    /// All places that must be rewritten so that the thing at an offset has another name.
    ///
    /// # Errors
    ///
    /// Nothing has a name there, or the file would not be right with the other one.
    pub fn rename(&self, offset: usize, name: &str) -> Result<Vec<Span>, Refusal> {
        if self.diagnostics().has_errors() {
            return Err(Refusal::Broken);
        }
        let places = self.references(offset, true);
        if places.is_empty() || self.word_at(offset).is_none() {
            return Err(Refusal::NoName);
        }
        let other = places.iter().filter_map(|place| self.sources.find(*place));
        if let Some(other) = other.into_iter().find(|source| source.base != self.source.base) {
            return Err(Refusal::Elsewhere { file: other.name.clone() });
        }
        let text = rewritten(&self.source, &places, name);
        let opened = Opened { name: &self.source.name, text: &text, folder: &self.kept };
        let renamed = Document::read(&opened);
        let wrong = renamed.diagnostics();
        if wrong.has_errors() {
            let errors = wrong.sorted();
            let first = errors.iter().find(|one| one.is_error()).map(ToString::to_string);
            let reason = first.unwrap_or_default();
            return Err(Refusal::Clash { name: name.to_owned(), reason });
        }
        Ok(places)
    }
}

/// The text with another word at all the places, which are in order.
fn rewritten(source: &Source, places: &[Span], name: &str) -> String {
    let local = |offset: u32| (offset as usize).saturating_sub(source.base);
    let (mut text, mut at) = (String::new(), 0);
    for place in places {
        text.push_str(&source.text[at..local(place.start)]);
        text.push_str(name);
        at = local(place.end);
    }
    text.push_str(&source.text[at..]);
    text
}
