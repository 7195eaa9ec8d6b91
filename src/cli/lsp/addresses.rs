//! Addresses of files, as editors write them, and paths.

use std::path::{Path, PathBuf};

use lsp_types::Uri;

pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file://")?;
    let path = decoded(path)?;
    // `/C:/games` is written for `C:/games`.
    let drive = path.get(2..3) == Some(":") && path.starts_with('/');
    Some(PathBuf::from(if drive { &path[1..] } else { &path }))
}

pub(super) fn address_of(path: &Path) -> Option<Uri> {
    let path = path.to_string_lossy().replace('\\', "/");
    let begin = if path.starts_with('/') { "file://" } else { "file:///" };
    let mut address = begin.to_owned();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte) {
            address.push(char::from(byte));
        } else {
            address.push_str(&format_byte(byte));
        }
    }
    address.parse().ok()
}

fn format_byte(byte: u8) -> String {
    format!("%{byte:02X}")
}

/// A text with its `%C3` taken for bytes.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?].map(|digit| char::from(digit).to_digit(16));
        let [Some(high), Some(low)] = digits else { return None };
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{address_of, path_of};

    #[test]
    fn paths_and_addresses_lead_to_each_other() {
        for path in ["/games/a b.game", "/spiele/für 2/ä.game", "/a%20b/c#d.game"] {
            let address = address_of(Path::new(path)).expect("every path has an address");
            assert_eq!(path_of(&address).as_deref(), Some(Path::new(path)), "{address:?}");
        }
        let drive = "file:///C%3A/games/a.game".parse().expect("it is an address");
        assert_eq!(path_of(&drive).as_deref(), Some(Path::new("C:/games/a.game")));
    }

    #[test]
    fn what_is_no_file_has_no_path() {
        for address in ["untitled:Untitled-1", "https://example.org/a.game", "file:///a%FF.game"] {
            let address = address.parse().expect("it is an address");
            assert_eq!(path_of(&address), None, "{address:?}");
        }
    }
}
