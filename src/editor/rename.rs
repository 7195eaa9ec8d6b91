//! Renaming: all places of a name, if the file is right with the other one.

use crate::editor::Document;
use crate::load::Opened;
use crate::source::Span;

/// Why something cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("there is no name here that is declared in this file")]
    NoName,
    /// The file has mistakes, so that nobody knows all places of the name.
    #[error("the file has errors: put them right first")]
    Broken,
    /// It is named in other files too, which may not be open.
    #[error("it is also named in {file}: give it another name there")]
    Elsewhere { file: String },
    /// With the other name something would be wrong.
    #[error("`{name}` cannot stand in its place: {reason}")]
    Clash { name: String, reason: String },
}

impl Document {
    /// All places that must be rewritten so that what stands at an offset has another name.
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
        let mut files = places.iter().filter_map(|place| self.sources.find(*place));
        if let Some(other) = files.find(|source| source.base != self.source.base) {
            return Err(Refusal::Elsewhere { file: other.name.clone() });
        }
        let mut text = self.source.text.clone();
        for place in places.iter().rev() {
            text.replace_range(self.local(place.start)..self.local(place.end), name);
        }
        let opened = Opened { name: &self.source.name, text: &text, folder: &self.kept };
        let found = Document::read(&opened).diagnostics().sorted();
        match found.iter().find(|finding| finding.is_error()) {
            Some(error) => Err(Refusal::Clash { name: name.to_owned(), reason: error.to_string() }),
            None => Ok(places),
        }
    }
}
