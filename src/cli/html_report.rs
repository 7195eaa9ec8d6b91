//! A page with plots: everything in one file, for a browser, a phone or a printer.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::results::{Located, Results, by_order};
use super::{gate::html, output_formats::move_rows, output_formats::sentences, writing::Form};
use crate::simulate::{Histogram, Number, Share, Tally};

const STRING: &str = "a string takes every text";

/// How wide plots are, in the units of their own drawing.
const WIDTH: i128 = 640;

const MOST_BARS: i128 = 60;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:0 auto;\
padding:1rem;color:#1b1b1b;background:#fff}h1{font-size:1.6rem}h2{font-size:1.2rem;\
margin-top:2rem}svg{width:100%;height:auto;display:block}table{border-collapse:collapse;\
width:100%}td,th{padding:.2rem .5rem;text-align:right;border-bottom:1px solid #ddd}\
td:first-child,th:first-child{text-align:left}.wide{overflow-x:auto}\
.ends{display:flex;justify-content:space-between;color:#555}.bar{margin:.6rem 0 0}\
h3{font-size:1.05rem;margin:1.6rem 0 .4rem}pre{font-size:.85rem;line-height:1.4;margin:.4rem 0}\
mark{background:#ffd9d0;padding:0 .1rem;text-decoration:underline}\
@media print{section{break-inside:avoid}pre{white-space:pre-wrap}}";

/// What a page begins with; no other program writes that.
const BEGIN: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
<meta name=\"generator\" content=\"astragal\">\n";

pub(super) const FORM: Form =
    Form { called: "a page of this program", is: |text| text.starts_with(BEGIN) };

pub(super) fn page(results: &Results) -> String {
    let title = html(&results.head.title);
    let mut text = format!(
        "{BEGIN}<meta \
         name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    let seats = results.head.seats.join(", ");
    let (playouts, seed) =
        (results.played.tallies.first().map_or(0, |it| it.playouts), results.head.seed);
    let head = format!("{playouts} playouts. Seats: {}. Seed {seed}.", html(&seats));
    writeln!(text, "<p>{head}</p>").expect(STRING);
    for sentence in sentences(results) {
        writeln!(text, "<p>{}</p>", html(&sentence)).expect(STRING);
    }
    for (run, tally) in results.played.tallies.iter().enumerate() {
        text.push_str(&of_run(results, run, tally));
    }
    text.push_str("</body>\n</html>\n");
    text
}

fn of_run(results: &Results, run: usize, tally: &Tally) -> String {
    let mut text = String::new();
    if let Some(option) = &results.varied {
        let value = results.value(run);
        writeln!(text, "<h2>{} = {}</h2>", html(option), html(value)).expect(STRING);
    }
    section(&mut text, "Who wins", &wins(results, tally));
    let decisions = bars(&tally.decisions, "Decisions in a game");
    section(&mut text, "How long a game is", &decisions);
    for (seat, scores) in tally.scores.iter().enumerate().filter(|(_, it)| it.count() > 0) {
        let name = &results.head.names[seat];
        section(&mut text, &format!("Scores of {name}"), &bars(scores, "Score"));
    }
    for (name, list) in &tally.measures {
        let spoken = name.replace('_', " ");
        for (seat, histogram) in list.iter().enumerate() {
            let title = match list.as_slice() {
                [_] => spoken.clone(),
                _ => format!("{spoken}, {}", results.head.names[seat]),
            };
            section(&mut text, &title, &bars(histogram, &title));
        }
    }
    section(&mut text, "What is offered and taken", &moves(tally));
    section(&mut text, "What never ran", &never(results, run, tally));
    text
}

fn section(text: &mut String, title: &str, body: &str) {
    writeln!(text, "<section>\n<h3>{}</h3>\n{body}</section>", html(title)).expect(STRING);
}

fn wins(results: &Results, tally: &Tally) -> String {
    let seats = results.head.names.iter().zip(&results.head.seats).zip(&tally.wins);
    let seats = seats.map(|((name, bot), wins)| (format!("{name} ({bot})"), wins));
    let rows = seats.chain([("shared or drawn".to_owned(), &tally.shared)]);
    let rows = rows.map(|(name, games)| (name, Share::of(*games, tally.playouts)));
    let mut text = String::new();
    for (name, share) in rows.chain(by_order(tally)) {
        let x = |number: Number| number.0 * WIDTH / 1_000_000;
        let (rate, low, high) = (x(share.rate), x(share.low), x(share.high));
        let words = format!(
            "{name}: {} % ({} to {} %)",
            share.rate.percent(),
            share.low.percent(),
            share.high.percent()
        );
        writeln!(
            text,
            "<p class=\"bar\">{words}</p>\n{}<rect x=\"0\" y=\"0\" width=\"{rate}\" height=\"14\" \
             fill=\"#3b6ea5\"/><line x1=\"{low}\" x2=\"{high}\" y1=\"7\" y2=\"7\" stroke=\"#000\" \
             stroke-width=\"4\"/></svg>",
            svg(14, &words),
            words = html(&words),
        )
        .expect(STRING);
    }
    text
}

/// A bar for each number, or for each stretch of numbers.
fn bars(histogram: &Histogram, what: &str) -> String {
    let (least, most) = (histogram.least(), histogram.most());
    if least == most {
        return format!("<p>Always {least}.</p>\n");
    }
    let (low, high) = (i128::from(least), i128::from(most));
    let stretch = (high - low) / MOST_BARS + 1;
    let count = (high - low) / stretch + 1;
    let mut heights: BTreeMap<i128, u64> = (0..count).map(|at| (at, 0)).collect();
    for (number, times) in &histogram.counts {
        *heights.entry((i128::from(*number) - low) / stretch).or_default() += times;
    }
    let highest = heights.values().max().copied().unwrap_or(1).max(1);
    let mut text = svg(150, what);
    for (at, times) in heights {
        let height = i128::from(times) * 140 / i128::from(highest);
        let (x, y) = (WIDTH * at / count, 150 - height);
        let (width, from) = ((WIDTH / count - 1).max(1), low + stretch * at);
        writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"#3b6ea5\">\
             <title>{from}: {times}</title></rect>"
        )
        .expect(STRING);
    }
    let moments = histogram.moments();
    let (mean, deviation) = (moments.mean().places(2), moments.deviation().places(2));
    let [fifth, median, last_fifth] = [5, 50, 95].map(|part| histogram.percentile(part));
    writeln!(
        text,
        "</svg>\n<div class=\"ends\"><span>{least}</span><span>{most}</span></div>\n<p>Mean {mean}, standard \
         deviation {deviation}, median {median}; 90 % lie from {fifth} to {last_fifth}.</p>"
    )
    .expect(STRING);
    text
}

fn moves(tally: &Tally) -> String {
    let row = |(at, row): (usize, Vec<String>)| {
        let mark = if at == 0 { "th" } else { "td" };
        let cells = row.iter().map(|cell| format!("<{mark}>{}</{mark}>", html(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = move_rows(tally).into_iter().enumerate().map(row).collect();
    format!("<div class=\"wide\"><table>\n{rows}</table></div>\n")
}

/// What never ran, drawn on the lines of the files where it stands.
fn never(results: &Results, run: usize, tally: &Tally) -> String {
    let mut text = String::new();
    let mut last: Option<Located> = None;
    for place in results.runs[run].never_run(tally).map(|place| results.locate(place)) {
        match &last {
            Some(last) if last.file == place.file => {
                if place.line > last.line + 1 {
                    text.push_str("   ⋮\n");
                }
            }
            _ => {
                let close = if last.is_some() { "</pre></div>\n" } else { "" };
                let file = html(&place.file);
                write!(text, "{close}<p>{file}</p>\n<div class=\"wide\"><pre>").expect(STRING);
            }
        }
        let (from, to) = place.columns;
        let part = |from: usize, to: usize| {
            html(&place.text.chars().skip(from).take(to.saturating_sub(from)).collect::<String>())
        };
        let (before, it, behind) = (part(0, from), part(from, to), part(to, usize::MAX));
        let what = html(&place.what);
        writeln!(
            text,
            "{:>4}  {before}<mark title=\"{what} never ran\">{it}</mark>{behind}",
            place.line
        )
        .expect(STRING);
        last = Some(place);
    }
    match last {
        None => "<p>Every rule, move and case ran.</p>\n".to_owned(),
        Some(_) => format!("{text}</pre></div>\n"),
    }
}

fn svg(height: usize, title: &str) -> String {
    let title = html(title);
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title>\n"
    )
}
