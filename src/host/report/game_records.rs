//! The file of `--games`: a line for each game, for spreadsheets and notebooks.

use std::path::Path;

use serde_json::{Value, json};

use crate::host::report::results::Results;
use crate::host::writing::{self, FileForm, Overwrite};
use crate::host::{error::HostError, gate::escape_csv_cell};
use crate::simulate::Record;

/// What such a file begins with: a table, or lines of JSON, whose keys are sorted.
const BEGIN: [&str; 2] = ["setting,playout,seed,order,winner,", "{\"decisions\":"];

pub(crate) const FORM: FileForm = FileForm {
    called: "a file of games",
    is: |text| BEGIN.iter().any(|begin| text.starts_with(begin)),
};

/// Writes a line for each game, in the order of their numbers.
pub(crate) fn write_records(
    path: &Path,
    results: &Results,
    overwrite: &Overwrite,
) -> Result<(), HostError> {
    let mut records: Vec<&Record> = results.played.records.iter().collect();
    records.sort_by_key(|record| (record.game, record.number));
    let is_json = path.extension().is_some_and(|it| it == "jsonl");
    let text =
        if is_json { format_json_lines(results, &records) } else { format_csv(results, &records) };
    writing::write_file(path, &text, FORM, overwrite)
}

/// Who won, alone or as a team.
fn winner(results: &Results, record: &Record) -> Option<String> {
    let names = results.head.names.iter().zip(&record.returns);
    let winners: Vec<&str> =
        names.filter(|(_, value)| **value == 1).map(|(name, _)| name.as_str()).collect();
    (!winners.is_empty()).then(|| winners.join(" "))
}

fn seat_names<'a>(results: &'a Results, record: &Record) -> Vec<&'a str> {
    record.order.iter().map(|seat| results.head.names[*seat].as_str()).collect()
}

fn format_json_lines(results: &Results, records: &[&Record]) -> String {
    let mut text = String::new();
    for record in records {
        let measures = results.runs[record.game].measures.iter().zip(&record.measures);
        let measures = measures.map(|((name, of_player), values)| {
            let value = if *of_player { json!(values) } else { json!(values.first()) };
            (name.clone(), value)
        });
        let mut line = json!({
            "setting": results.setting_text(record.game), "playout": record.number,
            "seed": results.head.seed, "order": seat_names(results, record),
            "winner": winner(results, record), "returns": record.returns,
            "scores": record.scores, "places": record.places, "decisions": record.decisions, "draws": record.draws,
            "stopped": record.stopped,
            "measures": measures.collect::<serde_json::Map<String, Value>>(),
        });
        if !record.teams.is_empty() {
            let first = (0..record.teams.len()).filter(|seat| record.teams[*seat] == *seat);
            line["teams"] = first.map(|seat| results.team_names(&record.teams, seat)).collect();
        }
        text.extend([format!("{line}\n")]);
    }
    text
}

fn format_csv(results: &Results, records: &[&Record]) -> String {
    let names = &results.head.names;
    let scored = records.iter().any(|record| !record.scores.is_empty());
    let mut heads: Vec<String> = Vec::new();
    heads.extend(["decisions", "draws", "stopped"].map(str::to_owned));
    for what in ["score", "place"].into_iter().filter(|_| scored) {
        heads.extend(names.iter().map(|name| format!("{what} {name}")));
    }
    for (name, of_player) in &results.runs[0].measures {
        match of_player {
            true => heads.extend(names.iter().map(|player| format!("{name} {player}"))),
            false => heads.push(name.clone()),
        }
    }
    let heads: Vec<String> = heads.iter().map(|head| escape_csv_cell(head)).collect();
    let mut text = format!("{}{}\n", BEGIN[0], heads.join(","));
    for record in records {
        let number = |number: &i64| number.to_string();
        let setting = escape_csv_cell(&results.setting_text(record.game));
        let (order, winner) = (seat_names(results, record), winner(results, record));
        let mut cells = vec![setting, record.number.to_string(), results.head.seed.to_string()];
        cells.extend([
            escape_csv_cell(&order.join(" ")),
            escape_csv_cell(&winner.unwrap_or_default()),
        ]);
        cells.extend([&record.decisions, &record.draws].map(number));
        cells.push(if record.stopped { "yes" } else { "no" }.to_owned());
        if scored {
            let each = (0..names.len()).map(|seat| record.scores.get(seat));
            cells.extend(each.map(|score| score.map(number).unwrap_or_default()));
            let each = (0..names.len()).map(|seat| record.places.get(seat));
            cells.extend(each.map(|place| place.map(usize::to_string).unwrap_or_default()));
        }
        cells.extend(record.measures.iter().flatten().map(number));
        text.extend([&cells.join(","), "\n"]);
    }
    text
}
