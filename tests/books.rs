//! Books of games that newcomers could not play from: what they misstated, and sentences that nobody says.

use crate::commands::astragal;
use crate::support::{below, snapshots};

/// The whole book of each, the short one, and what `check --book` says.
#[test]
fn books_of_newcomers() {
    let _folder = snapshots("books");
    insta::glob!("", "books/*.game", |path| {
        let path = below(path);
        let book = astragal(&["rules", &path], "").output;
        let short = astragal(&["rules", &path, "--short"], "").output;
        let said = astragal(&["check", "--book", &path], "").errors;
        insta::assert_snapshot!(
            "book",
            format!("{book}----- in short -----\n{short}----- says -----\n{said}")
        );
    });
}
