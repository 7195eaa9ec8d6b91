//! Pages for a browser, a phone or a printer: each is one file, and all share one stylesheet.

mod board;
mod book;
mod cards;
mod replay;
mod table;

pub(super) use book::book_page;
pub(super) use cards::cards;
pub(super) use replay::replay;

use crate::commands::args::PageFile;
use crate::host::exit::{Exit, Failure};
use crate::host::report::html_report::{BEGIN, FORM};
use crate::host::writing::{self, Overwrite};
use crate::host::{gate::html, screen::Screen};

const STYLE: &str = include_str!("page.css");

/// Puts a page together; `class` is what its stylesheet tells pages apart by.
pub(super) fn html_page(title: &str, class: &str, body: &str) -> String {
    let title = html(title);
    format!(
        "{BEGIN}<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body class=\"{class}\">\n{body}</body>\n</html>\n"
    )
}

/// Prints a page, or writes it into a file.
fn output_page(page: &str, out: &PageFile, screen: &mut Screen) -> Result<Exit, Failure> {
    let Some(path) = &out.html else {
        screen.print_text(page)?;
        return Ok(Exit::Fine);
    };
    writing::write_file(path, page, FORM, &Overwrite::flag(out.force))?;
    screen.print_line(&path.display().to_string())?;
    Ok(Exit::Fine)
}
