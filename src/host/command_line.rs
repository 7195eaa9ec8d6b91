//! Commands as people would type them again.

/// A command with these words, as a shell takes it.
pub(crate) fn command_line(words: impl IntoIterator<Item = String>) -> String {
    words.into_iter().fold("astragal".to_owned(), |line, word| line + " " + &quote(&word))
}

pub(crate) fn quote(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./,=:+@".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
