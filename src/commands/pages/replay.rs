//! `astragal replay`: a whole game as a page with a slider, its table and its log.

use crate::commands::args::Replay;
use crate::commands::pages::table::render_table;
use crate::commands::pages::{html_page, output_page};
use crate::game::{LogEntry, Player, TableView, What};
use crate::host::drawing::line::{StyledLine, ink};
use crate::host::exit::{Exit, Failure};
use crate::host::{error::HostError, files, gate::html, saves, screen::Screen};
use crate::session::views;
use crate::transcript::fold_case;

const SCRIPT: &str = include_str!("replay.js");

pub(in crate::commands) fn replay(command: &Replay, screen: &mut Screen) -> Result<Exit, Failure> {
    let (_, loaded) = saves::open_script(&command.script, None)?;
    let names = loaded.start.names().to_vec();
    let viewer = match &command.seen_by {
        None => None,
        Some(name) => {
            let seat = (0..).map(Player).zip(&names).find(|(_, known)| **known == fold_case(name));
            let unknown = || HostError::NoPlayer { name: name.clone(), names: names.join(", ") };
            Some(seat.ok_or_else(unknown)?.0)
        }
    };
    let title = loaded.start.game().info().title.clone();
    let secrets = loaded.start.game().has_secrets();
    let sources = loaded.sources.clone();
    let steps = views(loaded, viewer).map_err(|found| files::refuse_findings(&sources, found))?;
    if secrets && viewer.is_none() {
        screen.print_note(
            "the page shows what every player has; `--as NAME` shows what one player saw",
        )?;
    }
    output_page(&html_page(&title, "replay", &render_replay(&steps)), &command.out, screen)
}

fn render_replay(steps: &[TableView]) -> String {
    let Some(first) = steps.first() else { return String::new() };
    let title = &first.head.title;
    let last = steps.len() - 1;
    let options = first.head.options.iter().map(|it| format!("{} {}", it.title, it.value));
    let players = first.seats.iter().map(|seat| seat.name.clone()).collect::<Vec<_>>().join(", ");
    let seen = first.head.viewer.and_then(|seat| first.seats.get(seat));
    let seen = seen.map(|seat| format!("as {} saw it", seat.name));
    let about: Vec<String> = [players].into_iter().chain(options).chain(seen).collect();
    let mut body = format!(
        "<header><h1>{}</h1><p class=\"faint\">{}</p></header>\n\
         <div class=\"slider\"><button id=\"back\" aria-label=\"one step back\">◀</button>\
         <input id=\"at\" type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"step\">\
         <button id=\"on\" aria-label=\"one step on\">▶</button>\
         <output id=\"number\">0 / {last}</output></div>\n<main>\n<div class=\"steps\">\n",
        html(title),
        html(&about.join(" · "))
    );
    for (at, view) in steps.iter().enumerate() {
        let hidden = if at == 0 { "" } else { " hidden" };
        let head = view.head.turn.map_or_else(String::new, |turn| format!("turn {turn}"));
        body.extend([format!(
            "<section class=\"step\" id=\"step{at}\"{hidden}>\n<p \
             class=\"happened\"><span>{}</span><span \
             class=\"faint\">{}</span></p>\n{}{}</section>\n",
            happened(view),
            html(&head),
            render_table(view),
            render_question(view)
        )]);
    }
    body.push_str("</div>\n<ol class=\"log\" start=\"0\">\n");
    for (at, view) in steps.iter().enumerate() {
        let words = match happened(view) {
            words if words.is_empty() && at == 0 => "the beginning".to_owned(),
            words => words,
        };
        let result = view.head.result.as_ref();
        let result = result.map_or_else(String::new, |it| format!(" <b>= {}</b>", html(it)));
        body.extend([format!("<li><a href=\"#s{at}\">{words}{result}</a></li>\n")]);
    }
    body + "</ol>\n</main>\n<script>\n" + SCRIPT + "</script>\n"
}

/// What happened in a step, the decision first.
fn happened(view: &TableView) -> String {
    let entry = |entry: &LogEntry| {
        let seat = entry.seat.and_then(|seat| view.seats.get(seat));
        let name = seat.map_or_else(String::new, |seat| {
            let mut line = StyledLine::styled(&seat.name, ink(seat.colour).bold());
            line.push_text(": ", anstyle::Style::new());
            line.html()
        });
        let class = if entry.what == What::Draw { "event faint" } else { "event" };
        format!("<span class=\"{class}\">{name}{}</span> ", html(&entry.text))
    };
    view.log.iter().map(entry).collect()
}

/// The question, or how the game ended.
fn render_question(view: &TableView) -> String {
    let result = view.head.result.as_ref().map(|result| format!("= {result}"));
    let words = result.or_else(|| view.question.clone());
    words.map_or_else(String::new, |it| format!("<p class=\"question\">{}</p>\n", html(&it)))
}
