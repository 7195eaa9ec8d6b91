//! Paths in `use` and `variant`: down from the opened folder, and never out of it.

use std::ffi::OsStr;
use std::path::Path;

type Wrong = (&'static str, &'static str);

const STAY: &str = "a file reads only files in and below the folder of the file that was opened";

/// The path from the folder to a file that is named in the file at `from`.
pub(super) fn below(from: &str, named: &str) -> Result<String, Wrong> {
    if named.contains(['\\', ':', '\0']) || named.starts_with('/') {
        return Err(("this path does not begin in the folder of this file", STAY));
    }
    if Path::new(named).extension() != Some(OsStr::new("game")) {
        return Err(("this is not the name of a `.game` file", "names of files end with `.game`"));
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in named.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or(("this path leads out of the folder", STAY))?;
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn paths_are_seen_from_the_file_that_names_them() {
        assert_eq!(below("a.game", "b.game").as_deref(), Ok("b.game"));
        assert_eq!(below("lib/a.game", "b.game").as_deref(), Ok("lib/b.game"));
        assert_eq!(below("lib/a.game", "../b.game").as_deref(), Ok("b.game"));
        assert_eq!(below("a.game", "./x//b.game").as_deref(), Ok("x/b.game"));
        assert_eq!(below("a.game", "x/../b.game").as_deref(), Ok("b.game"));
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        for path in ["../b.game", "/b.game", "C:\\b.game", "x/../../b.game", "b.txt", "", "\0.game"]
        {
            assert!(below("a.game", path).is_err(), "{path:?}");
        }
        assert!(below("lib/a.game", "../../b.game").is_err());
    }
}
