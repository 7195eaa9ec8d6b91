//! The picture in the README shows what the program draws. `ASTRAGAL_PICTURE=1` draws it anew.

use crate::commands::astragal;
use crate::support::{read, root};

#[test]
fn the_picture_of_the_readme_is_what_the_program_draws() {
    let play = ["play", "elemento", "--seed", "1", "--names", "Ann,Ben", "--color", "always"];
    let ran = astragal(&play, "place light fire c1\nplace dark water a4\nplace light fire c1\n");
    // The last line is the prompt at which the input ends.
    let lines: Vec<&str> = ran.output.lines().collect();
    let from = lines.iter().rposition(|line| line.contains("upper")).expect("the table is drawn");
    let screen = lines[from..lines.len() - 1].join("\n");
    let drawn = anstyle_svg::Term::new().render_svg(&screen);
    let path = root().join("docs/picture.svg");
    if std::env::var_os("ASTRAGAL_PICTURE").is_some() {
        std::fs::write(&path, drawn).expect("the picture can be written");
    } else {
        assert_eq!(drawn, read(&path), "ASTRAGAL_PICTURE=1 draws it anew");
    }
}
