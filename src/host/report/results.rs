//! The results of a simulation, and the files of counts that keep them, to be resumed or added up.

use std::{fs, path::Path};

use serde::{Deserialize, Serialize};

use crate::game::{BoardCell, Game, cells_of, fnv};
use crate::host::writing::{FileForm, OutputFile, Overwrite};
use crate::host::{command_line::command_line, disk, error::HostError, gate};
use crate::simulate::{Difference, Millionths, Point, Points, Share, Simulated, Tally, arguments};
use crate::source::{Sources, Span};
use crate::transcript::list_words;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ResultHead {
    pub(crate) word: String,
    pub(crate) title: String,
    /// A number for the rules as they are compiled, so that other rules are noticed.
    pub(crate) rules: String,
    pub(crate) seats: Vec<String>,
    pub(crate) names: Vec<String>,
    pub(crate) seed: u64,
    /// The words of the command line that set up the table.
    pub(crate) table: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) text: String,
    /// Where it stands there, in characters: the first, and one past the last.
    pub(crate) columns: (usize, usize),
    pub(crate) what: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ResultRun {
    pub(crate) options: Vec<(String, String)>,
    pub(crate) places: Vec<Point>,
    pub(crate) folded: Vec<Point>,
    /// Where `gains` may be cut off.
    pub(crate) gains: Vec<Point>,
    /// What must always hold.
    pub(crate) always: Vec<Point>,
    /// What the file measures, and whether each player has one.
    pub(crate) measures: Vec<(String, bool)>,
    /// The arguments of moves that are cells of a board.
    pub(crate) cells: Vec<BoardCells>,
}

/// An argument of a move that is a cell of a board, and where each cell lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BoardCells {
    pub(crate) of: String,
    pub(crate) position: usize,
    /// Title, and place from the left, in halves of a cell, and from the top.
    pub(crate) places: Vec<(String, usize, usize)>,
}

impl BoardCells {
    pub(crate) fn is_of(&self, (name, position): (&str, Option<usize>)) -> bool {
        self.of == name && Some(self.position) == position
    }
}

impl ResultRun {
    pub(crate) fn from_game(game: &Game) -> ResultRun {
        let points = Points::of_game(game);
        let gains = points.gains.into_iter().map(|span| Point { what: "gains".to_owned(), span });
        let always = game.rules().always.iter();
        let always = always.map(|it| Point { what: "always".to_owned(), span: it.span });
        let measures = game.program().measures.iter().map(|it| (it.name.clone(), it.of_player));
        ResultRun {
            options: game.info().options.clone(),
            places: points.points,
            folded: points.folded,
            gains: gains.collect(),
            always: always.collect(),
            measures: measures.collect(),
            cells: collect_board_cells(game),
        }
    }

    fn all_places(&self) -> impl Iterator<Item = &Point> {
        self.places.iter().chain(&self.folded).chain(&self.gains).chain(&self.always)
    }

    /// Where `gains` was cut off, and how often.
    pub(crate) fn gains_cut_off<'a>(
        &'a self,
        tally: &'a Tally,
    ) -> impl Iterator<Item = (&'a Point, u64)> {
        let times = tally.cut_off.iter().copied();
        self.gains.iter().zip(times).filter(|(_, times)| *times > 0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Results {
    pub(crate) head: ResultHead,
    /// Which options differ between the runs.
    pub(crate) varied: Vec<String>,
    pub(crate) runs: Vec<ResultRun>,
    /// The texts of the rules, to draw places on them.
    pub(crate) sources: Sources,
    /// The requested playouts: first, and one past the last. Several, if parts were added.
    pub(crate) ranges: Vec<(u64, u64)>,
    /// What was counted; a tally for each run.
    pub(crate) played: Simulated,
    /// How long it took, in milliseconds.
    pub(crate) took: u64,
    /// How far from parity rates may be that are called fair.
    pub(crate) margin: Millionths,
    /// The name of a file of counts, and what it holds, to compare with.
    pub(crate) baseline: Option<(String, Box<Results>)>,
    /// How good the players are, in sentences.
    pub(crate) strengths: Vec<String>,
}

impl Results {
    pub(crate) fn locate(&self, place: &Point) -> Located {
        let source = self.sources.find(place.span).expect("a place stands in a text");
        let start = source.place(place.span.start);
        let text = source.text.lines().nth(start.line - 1).unwrap_or_default().to_owned();
        let (from, long) = (start.column - 1, source.slice(place.span).chars().count());
        let columns = (from, (from + long).min(text.chars().count()));
        let (file, line, what) = (source.name.clone(), start.line, place.what.clone());
        Located { file, line, text, columns, what }
    }

    /// The names of the seats whose team has this first seat.
    pub(crate) fn team_names(&self, teams: &[usize], first: usize) -> Vec<&str> {
        let seats = self.head.names.iter().enumerate();
        let is_of = |seat: &usize| teams.get(*seat).unwrap_or(seat) == &first;
        seats.filter(|(seat, _)| is_of(seat)).map(|(_, name)| name.as_str()).collect()
    }

    /// The names of the seats of a team as a list.
    pub(crate) fn team_name(&self, tally: &Tally, first: usize) -> String {
        list_words(&self.team_names(&tally.teams.teams, first))
    }

    /// The values of the options that differ between the runs.
    pub(crate) fn option_values(&self, run: usize) -> Vec<&str> {
        let options = &self.runs[run].options;
        let value = |varied| options.iter().find(|(name, _)| name == varied);
        self.varied.iter().map(|varied| value(varied).map_or("", |(_, value)| value)).collect()
    }

    /// The varied values of a run as one text.
    pub(crate) fn setting_text(&self, run: usize) -> String {
        self.option_values(run).join(", ")
    }

    /// `target = 50, first = yes`; nothing if there is only one setting.
    pub(crate) fn setting(&self, run: usize) -> String {
        let pairs = self.varied.iter().zip(self.option_values(run));
        pairs.map(|(option, value)| format!("{option} = {value}")).collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn playouts(&self) -> u64 {
        self.played.tallies.first().map_or(0, |tally| tally.playouts)
    }

    /// The command that plays these games again.
    pub(crate) fn replay_command(&self) -> String {
        let Results { head, ranges, .. } = self;
        let last = ranges.last().map_or(0, |(_, last)| *last);
        let mut words = vec!["simulate".to_owned(), head.word.clone()];
        words.extend(["-n".to_owned(), last.to_string()]);
        words.extend(["--seed".to_owned(), head.seed.to_string()]);
        let same = head.seats.windows(2).all(|pair| pair[0] == pair[1]);
        let seats = if same { head.seats[..1].join("") } else { head.seats.join(",") };
        words.extend(["--seats".to_owned(), seats]);
        words.extend(head.table.iter().cloned());
        command_line(words)
    }

    /// The playouts that are done: only the last range may have been broken off.
    pub(crate) fn finished_ranges(&self) -> Vec<(u64, u64)> {
        let next = self.played.next;
        let done = self.ranges.iter().map(|(first, last)| (*first, (*last).min(next.max(*first))));
        done.filter(|(first, last)| first < last).collect()
    }

    /// Playouts per second of each run.
    pub(crate) fn rate(&self) -> u64 {
        self.playouts().saturating_mul(1000) / self.took.max(1)
    }
}

/// How often those won who began, decided second and so on, where that is not the order of seats.
pub(crate) fn by_order(tally: &Tally) -> impl Iterator<Item = (String, Share)> {
    let places = tally.places.iter().filter(|place| tally.reordered > 0 && place.games > 0);
    places.enumerate().map(|(at, place)| {
        let phrase = turn_phrase(tally, at);
        let is_sample = place.games < tally.playouts;
        let phrase = if is_sample { format!("{phrase} ({} games)", place.games) } else { phrase };
        (phrase, place.share())
    })
}

/// What distinguishes who comes at some place in the order of turns: `begins`, `decides second`.
pub(crate) fn turn_phrase(tally: &Tally, at: usize) -> String {
    match at {
        0 if tally.begun().games > 0 => "begins".to_owned(),
        _ => format!("decides {}", ordinal_word(at)),
    }
}

/// The arguments of moves over the cells of a board.
fn collect_board_cells(game: &Game) -> Vec<BoardCells> {
    let place = |cell: BoardCell| (cell.title, cell.x, cell.y);
    let cells = arguments(game).into_iter().filter_map(|(of, position, kind)| {
        let places = cells_of(&game.rules().kinds[kind])?.into_iter().map(place).collect();
        Some(BoardCells { of, position, places })
    });
    cells.collect()
}

/// `first`, for 0.
fn ordinal_word(at: usize) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth"];
    words.get(at).map_or_else(|| format!("{}th", at + 1), |word| (*word).to_owned())
}

/// A number that differs for programs that differ.
pub(crate) fn fingerprint(games: &[Game]) -> String {
    let programs: Vec<String> = games.iter().map(|it| format!("{:?}", it.program())).collect();
    format!("{:016x}", fnv(programs.concat().as_bytes()))
}

/// What such a file is called inside, with the version of its form.
const FORM: &str = "astragal counts 7";

/// Two points: who wins between 48 and 52 % of the games of two has no advantage that people notice.
const MARGIN: Millionths = Millionths(20_000);

const COUNTS: FileForm = FileForm { called: "a file of counts", is: is_counts };

fn is_counts(text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|heading: Heading| heading.form == FORM)
}

/// Opens the file for counts. It refuses to overwrite counts that the new ones do not include.
pub(crate) fn open_counts(
    path: &Path,
    counts: &Results,
    overwrite: &Overwrite,
) -> Result<OutputFile, HostError> {
    let out = OutputFile::open_named(path, COUNTS, overwrite)?;
    let old = match fs::metadata(path) {
        Ok(there) if there.len() > 0 && *overwrite != Overwrite::Yes => read_counts(path)?,
        _ => return Ok(out),
    };
    let ranges = old.finished_ranges();
    let covers = |range: &(u64, u64)| {
        counts.ranges.iter().any(|(first, last)| *first <= range.0 && range.1 <= *last)
    };
    let part = (!ranges.iter().all(covers)).then_some("other playouts");
    if let Some(what) = find_difference(counts, &old).or(part).filter(|_| !ranges.is_empty()) {
        overwrite.refuse_replacing(path, format!("holds counts of another run, with {what}"))?;
    }
    Ok(out)
}

pub(crate) fn reopen(
    path: &Path,
    overwrite: &Overwrite,
) -> Result<(OutputFile, Results), HostError> {
    // Whether it holds counts is seen when they are read.
    let out = OutputFile::open_named(path, FileForm { is: |_| true, ..COUNTS }, overwrite)?;
    Ok((out, read_counts(path)?))
}

/// Writes the counts. The file is whole at every moment.
pub(crate) fn write_counts(out: &mut OutputFile, results: &Results) -> Result<(), HostError> {
    let text = serde_json::to_string_pretty(&StoredResults::from_results(results))
        .expect("counts are plain data");
    out.write_whole(&gate::escape_json(&format!("{text}\n")))
}

pub(crate) fn read_counts(path: &Path) -> Result<Results, HostError> {
    let text = disk::read_text(path)?;
    let bad = |reason| HostError::NoCounts { path: path.display().to_string(), reason };
    if serde_json::from_str::<Heading>(&text).is_ok_and(|heading| heading.form == FORM) {
        let kept = serde_json::from_str::<StoredResults>(&text)
            .map_err(|error| bad(format!(": line {} is changed", error.line())))?;
        if let Some(part) = kept.tallies.iter().find_map(Tally::untrue) {
            return Err(bad(format!(": `{part}` does not add up")));
        }
        return kept.results().ok_or_else(|| bad(": something in it is missing or changed".into()));
    }
    Err(bad(String::new()))
}

pub(crate) fn require_same(path: &Path, one: &Results, other: &Results) -> Result<(), HostError> {
    let path = path.display().to_string();
    find_difference(one, other).map_or(Ok(()), |what| Err(HostError::OtherCounts { path, what }))
}

fn find_difference(one: &Results, other: &Results) -> Option<&'static str> {
    let (a, b) = (&one.head, &other.head);
    let is_alike = |(first, second): (&ResultRun, &ResultRun)| {
        let places = first.all_places().map(|place| one.locate(place));
        first.options == second.options
            && places.eq(second.all_places().map(|place| other.locate(place)))
    };
    let has_same_runs =
        one.runs.len() == other.runs.len() && one.runs.iter().zip(&other.runs).all(is_alike);
    Some(if a.title != b.title || a.rules != b.rules || !has_same_runs {
        "another game"
    } else if a.seats != b.seats {
        "other bots"
    } else if a.seed != b.seed {
        "another seed"
    } else if one.varied != other.varied {
        "another varied option"
    } else {
        return None;
    })
}

#[derive(Serialize, Deserialize)]
struct StoredResults {
    form: String,
    head: ResultHead,
    varied: Vec<String>,
    /// The texts of the rules by their names.
    files: Vec<(String, String)>,
    runs: Vec<ResultRun>,
    ranges: Vec<(u64, u64)>,
    next: u64,
    milliseconds: u64,
    tallies: Vec<Tally>,
    differences: Vec<((usize, usize), Difference)>,
}

/// The beginning of every form.
#[derive(Deserialize)]
struct Heading {
    form: String,
}

impl StoredResults {
    fn from_results(results: &Results) -> StoredResults {
        let Results { head, varied, runs, sources, ranges, played, took, .. } = results.clone();
        StoredResults {
            form: FORM.to_owned(),
            head,
            varied,
            files: sources.iter().map(|it| (it.name.clone(), it.text.clone())).collect(),
            runs,
            ranges,
            next: played.next,
            milliseconds: took,
            tallies: played.tallies,
            differences: played.differences.into_iter().collect(),
        }
    }

    /// The results; none where a place lies in no text or the lists are of other lengths, as in a changed file.
    fn results(self) -> Option<Results> {
        let mut sources = Sources::default();
        for (name, text) in self.files {
            sources.add(name, text);
        }
        let lies_in_text = |span: Span| {
            let source = sources.find(span);
            source.is_some_and(|it| span.is_empty() || !it.slice(span).is_empty())
        };
        let seats = self.head.names.len();
        let is_of_runs = self.tallies.is_empty() || self.tallies.len() == self.runs.len();
        let is_of_seats = self.tallies.iter().all(|tally| tally.wins.len() == seats);
        let places = self.runs.iter().flat_map(ResultRun::all_places).map(|it| it.span);
        let errors = self.tallies.iter().flat_map(|tally| tally.line_errors.all());
        let of_errors = errors.flat_map(|it| [it.error.line, it.error.trap.span()]);
        let all_lie = places.chain(of_errors).all(lies_in_text);
        if !is_of_runs || !is_of_seats || !all_lie {
            return None;
        }
        let differences = self.differences.into_iter().collect();
        Some(Results {
            head: self.head,
            varied: self.varied,
            runs: self.runs,
            ranges: self.ranges,
            played: Simulated {
                next: self.next,
                tallies: self.tallies,
                differences,
                records: Vec::new(),
            },
            took: self.milliseconds,
            sources,
            margin: MARGIN,
            baseline: None,
            strengths: Vec::new(),
        })
    }
}
