//! A page with plots: everything in one file, for a browser, a phone or a printer.

use std::collections::BTreeMap;

use crate::host::report::answers::answers;
use crate::host::report::compare::{
    compare_with_baseline, comparison_grids, describe_option_changes,
};
use crate::host::report::move_choices::{choice_rows, compare_choices};
use crate::host::report::output_formats::{move_rows, shared_rows};
use crate::host::report::results::{BoardCells, Located, Results, by_order};
use crate::host::{gate::html, progress, writing::FileForm};
use crate::simulate::{Histogram, Millionths, SeatWins, Share, Tally, never_run};

/// How wide plots are, in the units of their own drawing: bars over the whole page, small ones.
const WIDE: i128 = 480;
const SMALL: i128 = 240;

const MOST_BARS: i128 = 40;

/// Colours follow the reader's; settings differ in colour and in the place of their bars.
const STYLE: &str = ":root{color-scheme:light dark;--a:#2f6ca8;--b:#c4661f;--line:#8886;--ink:#1b1b1b;\
--page:#fff}@media (prefers-color-scheme:dark){:root{--a:#74aee6;--b:#f0a05c;--ink:#e6e6e6;\
--page:#161616}}body{font:15px/1.45 system-ui,sans-serif;max-width:72rem;margin:0 auto;\
padding:1rem;color:var(--ink);background:var(--page)}h1{font-size:1.5rem;margin:0}\
h2{font-size:1.1rem;margin:1.4rem 0 .4rem}h3{font-size:.9rem;margin:0}p{margin:.3rem 0}\
nav a{margin-right:1rem}svg{max-width:100%;height:auto;display:block}text{fill:var(--ink);\
font:12px system-ui,sans-serif}.n0{fill:var(--a);color:var(--a)}\
.n1{fill:var(--b);color:var(--b)}.n2{fill:#6a9a3d;color:#6a9a3d}.n3{fill:#8f6bb5;color:#8f6bb5}.axis{stroke:var(--line)}.parity{stroke:var(--ink);stroke-dasharray:4 3}\
.ends{stroke:var(--ink);stroke-width:2}.grid{display:grid;gap:.8rem 1rem;\
grid-template-columns:repeat(auto-fill,minmax(13rem,1fr))}.two{display:grid;gap:0 2rem;\
grid-template-columns:repeat(auto-fit,minmax(20rem,1fr))}table{border-collapse:collapse;\
width:100%;font-size:.85rem}td,th{padding:.15rem .4rem;text-align:right;white-space:nowrap;\
border-bottom:1px solid var(--line)}td:first-child,th:first-child{text-align:left}\
.wide{overflow-x:auto}ul{margin:.3rem 0;padding-left:1.2rem}pre{font-size:.8rem;margin:.4rem 0;white-space:pre-wrap}\
mark{background:#ffd9d0;color:#1b1b1b;text-decoration:underline}summary{cursor:pointer}\
@media print{section{break-inside:avoid}nav{display:none}}";

/// What a page begins with; no other program writes that.
pub(crate) const BEGIN: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
<meta name=\"generator\" content=\"astragal\">\n";

pub(crate) const FORM: FileForm =
    FileForm { called: "a page of this program", is: |text| text.starts_with(BEGIN) };

pub(crate) fn render_report(results: &Results) -> String {
    let title = html(&results.head.title);
    let strengths = results.strengths.iter().map(|told| format!("<p>{}</p>\n", html(told)));
    let strengths: String = strengths.collect();
    let answers =
        strengths + &per_run(results, |run, tally| html_list(&answers(results, run, tally)));
    let moves = per_run(results, |run, tally| {
        let (cells, all) =
            (&results.runs[run].cells, html_details("All moves", &html_table(move_rows(tally))));
        let boards = cells.iter().map(|cells| render_heatmap(cells, tally)).collect::<String>();
        html_table(choice_rows(&compare_choices(tally), cells)) + &boards + &all
    });
    let never = per_run(results, |run, tally| {
        html_details("The places in the rules", &render_never_run(results, run, tally))
    });
    // What links call each section, its heading, and what stands in it.
    let mut sections = vec![
        ("changes", "Changes", "What changes", render_changes(results)),
        ("answers", "In short", "In short", answers),
        ("wins", "Who wins", "Who wins", wins(results)),
        ("spreads", "How long", "How long, and what comes of it", spreads(results)),
        ("choices", "Moves", "What is offered and taken", moves),
        ("never", "Never ran", "What never ran", never),
    ];
    sections.retain(|(.., body)| !body.is_empty());
    let (mut links, mut text) = (String::new(), String::new());
    for (id, words, title, body) in sections {
        links.extend([format!("<a href=\"#{id}\">{words}</a>")]);
        text.extend([format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{body}</section>\n")]);
    }
    format!(
        "{BEGIN}<meta \
         name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{}<nav>{links}</nav>\n\
         {text}</body>\n</html>\n",
        render_summary(results)
    )
}

/// What was played, and by which command.
fn render_summary(results: &Results) -> String {
    let (playouts, version) = (results.playouts(), env!("CARGO_PKG_VERSION"));
    let (seats, command) = (html(&results.head.seats.join(", ")), html(&results.replay_command()));
    format!(
        "<p>{playouts} games · seats: {seats} · seed {} · {} · astragal {version}</p>\n\
         <pre>{command}</pre>\n",
        results.head.seed,
        progress::today()
    )
}

/// The name of a setting, with the colour that it has in plots; nothing if there is only one.
fn setting(results: &Results, run: usize) -> String {
    let words = html(&results.setting(run));
    if words.is_empty() {
        return words;
    }
    format!("<p><span class=\"{}\">■</span> {words}</p>\n", class(run))
}

/// What differs from earlier games and between the settings.
fn render_changes(results: &Results) -> String {
    let sentences = [compare_with_baseline(results), describe_option_changes(results)].concat();
    let sentences = if sentences.is_empty() { String::new() } else { html_list(&sentences) };
    sentences + &comparison_grids(results).into_iter().map(html_table).collect::<String>()
}

fn class(run: usize) -> String {
    format!("n{}", run % 4)
}

/// What each setting has, side by side.
fn per_run(results: &Results, part: impl Fn(usize, &Tally) -> String) -> String {
    let tallies = results.played.tallies.iter().enumerate();
    let parts = tallies
        .map(|(run, tally)| format!("<div>{}{}</div>\n", setting(results, run), part(run, tally)));
    format!("<div class=\"two\">{}</div>\n", parts.collect::<String>())
}

fn html_details(title: &str, body: &str) -> String {
    format!("<details><summary>{}</summary>\n{body}</details>\n", html(title))
}

fn html_list(sentences: &[String]) -> String {
    let items = sentences.iter().map(|sentence| format!("<li>{}</li>\n", with_code(sentence)));
    format!("<ul>\n{}</ul>\n", items.collect::<String>())
}

/// A sentence whose words between backticks are code.
fn with_code(sentence: &str) -> String {
    let mut parts = html(sentence);
    while let Some((before, code, behind)) = split_code(&parts) {
        parts = format!("{before}<code>{code}</code>{behind}");
    }
    parts
}

fn split_code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (code, behind) = rest.split_once('`')?;
    Some((before, code, behind))
}

/// A bar for each seat and place in the order of turns, those of all settings below each other,
/// with intervals, an axis in percent and a line at parity.
fn wins(results: &Results) -> String {
    let rows = |tally: &Tally| {
        let seats = results.head.names.iter().zip(&results.head.seats);
        let seats = seats
            .map(|(name, bot)| format!("{name} ({bot})"))
            .zip(tally.parts_by(false).into_iter().map(SeatWins::share));
        seats.chain(by_order(tally)).chain(shared_rows(tally)).collect::<Vec<_>>()
    };
    let mut names: Vec<String> = Vec::new();
    let mut shares: BTreeMap<(String, usize), Share> = BTreeMap::new();
    for (run, tally) in results.played.tallies.iter().enumerate() {
        for (name, share) in rows(tally) {
            if !names.contains(&name) {
                names.push(name.clone());
            }
            shares.insert((name, run), share);
        }
    }
    let runs = results.played.tallies.len();
    let row = 8 + 14 * i128::try_from(runs).expect("settings are few");
    let height = row * i128::try_from(names.len()).expect("seats are few") + 20;
    let (left, width) = (130, WIDE - 130 - 150);
    let x = |number: Millionths| left + number.0 * width / 1_000_000;
    let mut text = svg(WIDE, height, "Who wins, in percent of the games");
    percent_axis(&mut text, (left, width), height, x(equal_share(results)));
    for (number, name) in (0..).zip(&names) {
        let top = row * number;
        text.extend([format!("<text x=\"0\" y=\"{}\">{}</text>\n", top + 13, html(name))]);
        for run in 0..runs {
            let Some(share) = shares.get(&(name.clone(), run)) else { continue };
            let y = top + 3 + 14 * i128::try_from(run).expect("settings are few");
            let (rate, low, high) = (x(share.rate), x(share.low), x(share.high));
            let percent = share.spoken();
            text.extend([format!(
                "<rect class=\"{}\" x=\"{left}\" y=\"{y}\" width=\"{}\" height=\"11\"/><line \
                 class=\"ends\" x1=\"{low}\" x2=\"{high}\" y1=\"{m}\" y2=\"{m}\"/><text \
                 x=\"{WIDE}\" y=\"{}\" text-anchor=\"end\">{percent}</text>\n",
                class(run),
                rate - left,
                y + 10,
                m = y + 5,
            )]);
        }
    }
    text.push_str(
        "</svg>\n<p>Percent of all games, with 95 % intervals; dashed: parity, \
         an equal share of the games that were won.</p>\n",
    );
    text
}

/// What each seat would win of all games, of all settings, if all won equally often.
fn equal_share(results: &Results) -> Millionths {
    let parts = results.played.tallies.iter().flat_map(|tally| tally.parts_by(false));
    let (won, played) =
        parts.fold((0, 0), |(won, played), part| (won + part.wins, played + part.games));
    Millionths::ratio(won.into(), i128::from(played.max(1)))
}

/// Lines at every quarter with their percents, and one at parity.
fn percent_axis(text: &mut String, (left, width): (i128, i128), height: i128, parity: i128) {
    let (end, foot) = (height - 18, height - 4);
    for percent in [0, 25, 50, 75, 100] {
        let at = left + width * percent / 100;
        text.extend([format!(
            "<line class=\"axis\" x1=\"{at}\" x2=\"{at}\" y1=\"0\" y2=\"{end}\"/><text x=\"{at}\" \
             y=\"{foot}\" text-anchor=\"middle\">{percent} %</text>\n"
        )]);
    }
    text.extend([format!(
        "<line class=\"parity\" x1=\"{parity}\" x2=\"{parity}\" y1=\"0\" y2=\"{end}\"><title>parity\
         </title></line>\n"
    )]);
}

/// Small plots of everything that has a spread: decisions, scores, measures.
fn spreads(results: &Results) -> String {
    let tallies = &results.played.tallies;
    let mut plots: Vec<(String, Vec<Option<&Histogram>>)> = Vec::new();
    let decisions = tallies.iter().map(|it| Some(&it.decisions)).collect();
    plots.push(("decisions in a game".to_owned(), decisions));
    for (seat, name) in results.head.names.iter().enumerate() {
        let scores = tallies.iter().map(|it| it.scores.get(seat).filter(|it| it.count() > 0));
        let scores: Vec<_> = scores.collect();
        if scores.iter().any(Option::is_some) {
            plots.push((format!("score of {name}"), scores));
        }
    }
    let measures = tallies.first().into_iter().flat_map(|tally| &tally.measures);
    for (name, seats) in measures {
        for seat in 0..seats.len() {
            let of = if seats.len() > 1 { results.head.names[seat].as_str() } else { "" };
            let title = format!("{} {of}", name.replace('_', " "));
            let kept = tallies.iter().map(|it| it.measures.get(name).and_then(|it| it.get(seat)));
            plots.push((title.trim_end().to_owned(), kept.collect()));
        }
    }
    let plots = plots.iter().map(|(title, kept)| plot(title, kept));
    format!("<div class=\"grid\">\n{}</div>\n", plots.collect::<String>())
}

/// A plot of one spread under all settings: bars beside each other, and an axis of numbers.
fn plot(title: &str, kept: &[Option<&Histogram>]) -> String {
    let there = || kept.iter().flatten().filter(|it| it.count() > 0);
    let least = there().map(|it| it.least()).min().unwrap_or(0);
    let most = there().map(|it| it.most()).max().unwrap_or(0);
    let means = there().map(|it| it.mean().places(2)).collect::<Vec<_>>().join(" and ");
    let title = html(title);
    if (least, most) == (0, 1) {
        return format!("<div><h3>{title}</h3>\n{}</div>\n", yes(&title, kept));
    }
    if least == most {
        return format!("<div><h3>{title}</h3>\n<p>Always {least}.</p></div>\n");
    }
    // A few games that went far would press all others into a corner.
    let usual = there().map(|it| it.percentile(99)).max().unwrap_or(0);
    let is_cut = most - least > 2 * (usual - least) && usual > least;
    let (low, high) = (i128::from(least), i128::from(if is_cut { usual } else { most }));
    let stretch = (high - low) / MOST_BARS + 1;
    let count = (high - low) / stretch + 1;
    let runs = i128::try_from(kept.len()).expect("settings are few").max(1);
    let mut heights: Vec<(usize, i128, u64, u64)> = Vec::new();
    for (run, histogram) in kept.iter().enumerate() {
        let Some(histogram) = histogram else { continue };
        let mut bars: BTreeMap<i128, u64> = BTreeMap::new();
        for (number, times) in &histogram.counts {
            *bars.entry((i128::from(*number).min(high) - low) / stretch).or_default() += times;
        }
        let games = histogram.count();
        heights.extend(bars.into_iter().map(|(at, times)| (run, at, times, games)));
    }
    let part = |times: u64, games: u64| Millionths::ratio(times.into(), games.max(1).into()).0;
    let highest = heights.iter().map(|(.., times, games)| part(*times, *games)).max();
    let highest = highest.unwrap_or(1).max(1);
    let mut text = svg(SMALL, 108, &title);
    for (run, at, times, games) in heights {
        let height = part(times, games) * 74 / highest;
        let width = (SMALL / count / runs).max(1);
        let x = SMALL * at / count + width * i128::try_from(run).expect("settings are few");
        text.extend([format!(
            "<rect class=\"{}\" x=\"{x}\" y=\"{}\" width=\"{width}\" \
             height=\"{height}\"><title>{}: {times}</title></rect>\n",
            class(run),
            90 - height,
            low + stretch * at
        )]);
    }
    let top = Millionths(highest).percent();
    let end = if is_cut { format!("{usual} to {most}") } else { most.to_string() };
    text.extend([format!(
        "<line class=\"axis\" x1=\"0\" x2=\"{SMALL}\" y1=\"90\" y2=\"90\"/><text x=\"0\" \
         y=\"104\">{least}</text><text x=\"{SMALL}\" y=\"104\" text-anchor=\"end\">{end}</text>\
         <text x=\"{SMALL}\" y=\"10\" text-anchor=\"end\">{top} % of games</text></svg>\n"
    )]);
    format!("<div><h3>{title}</h3>\n{text}<p>Mean {means}.</p></div>\n")
}

/// Bars of a measure that is yes or no.
fn yes(title: &str, kept: &[Option<&Histogram>]) -> String {
    let height = 16 * i128::try_from(kept.len()).expect("settings are few") + 18;
    let mut text = svg(SMALL, height, title);
    let width = SMALL - 100;
    for (run, histogram) in kept.iter().enumerate() {
        let Some(histogram) = histogram else { continue };
        let yes = histogram.counts.get(&1).copied().unwrap_or(0);
        let share = Share::of(yes, histogram.count());
        let y = 16 * i128::try_from(run).expect("settings are few");
        text.extend([format!(
            "<rect class=\"{}\" x=\"0\" y=\"{y}\" width=\"{}\" height=\"12\"/><text x=\"{SMALL}\" \
             y=\"{}\" text-anchor=\"end\">{}</text>\n",
            class(run),
            share.rate.0 * width / 1_000_000,
            y + 10,
            share.spoken()
        )]);
    }
    text.extend([format!(
        "<line class=\"axis\" x1=\"{width}\" x2=\"{width}\" y1=\"0\" y2=\"{0}\"/><text x=\"0\" \
         y=\"{1}\">0 %</text><text x=\"{width}\" y=\"{1}\" text-anchor=\"end\">100 % of \
         games</text></svg>\n",
        height - 16,
        height - 4
    )]);
    text
}

/// How large half a cell of a drawn board is.
const HALF: i128 = 14;

/// A board on which each cell is as dark as it is often taken where it is legal.
fn render_heatmap(cells: &BoardCells, tally: &Tally) -> String {
    let used = tally.choices.get(&cells.of).and_then(|arguments| arguments.get(cells.position));
    let Some(used) = used.filter(|used| !used.is_empty()) else { return String::new() };
    let share = |title: &String| used.get(title).map(|used| Share::of(used.taken, used.offered));
    let shares = cells.places.iter().filter_map(|(title, ..)| share(title));
    let most = shares.map(|share| share.rate.0).max().unwrap_or(0).max(1);
    let whole = |number: usize| i128::try_from(number).expect("boards are small");
    let (right, below) =
        cells.places.iter().fold((0, 0), |far, (_, x, y)| (far.0.max(*x), far.1.max(*y)));
    let title =
        format!("{} …: how often each cell is taken where it is legal", cells.of.replace('_', " "));
    let mut text = svg((whole(right) + 2) * HALF, (whole(below) + 1) * 2 * HALF, &title);
    for (name, x, y) in &cells.places {
        let (x, y, name_in_html) = (whole(*x) * HALF, whole(*y) * 2 * HALF, html(name));
        let taken = share(name);
        let dark = taken.map_or(0, |share| share.rate.0 * 100 / most);
        let taken = taken.map_or_else(|| "never legal".to_owned(), Share::spoken);
        text.extend([format!(
            "<rect class=\"n0\" x=\"{x}\" y=\"{y}\" width=\"{0}\" height=\"{0}\" fill-opacity=\"{dark}%\" \
             stroke=\"currentColor\"><title>{name_in_html}: {taken}</title></rect>\n",
            2 * HALF - 1
        )]);
    }
    format!("<h3>{}</h3>\n{text}</svg>\n", html(&title))
}

fn html_table(rows: Vec<Vec<String>>) -> String {
    if rows.len() < 2 {
        return String::new();
    }
    let row = |(at, row): (usize, Vec<String>)| {
        let mark = if at == 0 { "th" } else { "td" };
        let cells = row.iter().map(|cell| format!("<{mark}>{}</{mark}>", html(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = rows.into_iter().enumerate().map(row).collect();
    format!("<div class=\"wide\"><table>\n{rows}</table></div>\n")
}

/// What never ran, drawn on the lines of the files where it stands.
fn render_never_run(results: &Results, run: usize, tally: &Tally) -> String {
    let mut text = String::new();
    let mut last: Option<Located> = None;
    for place in never_run(&results.runs[run].places, tally).map(|place| results.locate(place)) {
        match &last {
            Some(last) if last.file == place.file => {
                if place.line > last.line + 1 {
                    text.push_str("   ⋮\n");
                }
            }
            _ => {
                let close = if last.is_some() { "</pre></div>\n" } else { "" };
                let file = html(&place.file);
                text.extend([format!("{close}<p>{file}</p>\n<div class=\"wide\"><pre>")]);
            }
        }
        let (from, to) = place.columns;
        let part = |from: usize, to: usize| {
            html(&place.text.chars().skip(from).take(to.saturating_sub(from)).collect::<String>())
        };
        let (before, it, behind) = (part(0, from), part(from, to), part(to, usize::MAX));
        let what = html(&place.what);
        text.extend([format!(
            "{:>4}  {before}<mark title=\"{what} never ran\">{it}</mark>{behind}\n",
            place.line
        )]);
        last = Some(place);
    }
    match last {
        None => "<p>Every rule, move and case ran.</p>\n".to_owned(),
        Some(_) => format!("{text}</pre></div>\n"),
    }
}

fn svg(width: i128, height: i128, title: &str) -> String {
    let title = html(title);
    format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title>\n"
    )
}
