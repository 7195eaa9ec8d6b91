//! What the targets do with an input: each function panics where something does not hold.

pub mod editor;
pub mod grow;
#[expect(missing_docs, reason = "the project's tests hold it, too, where nothing is public")]
pub mod mutants;
pub mod rules;
pub mod scripts;
pub mod sittings;
pub mod swell;
pub mod table;

/// An input as a text: what is no UTF-8 in it is replaced, since another test looks at that.
pub fn text(data: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(data)
}
