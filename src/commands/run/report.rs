//! Reports the results of scripts, for people and for programs.

use std::collections::BTreeSet;
use std::io;

use serde_json::json;

use crate::diagnostic::Diagnostic;
use crate::transcript::list_words;

use crate::commands::args::{RunArgs, RunFormat};
use crate::commands::run::script::PlayedScript;
use crate::host::{exit::Exit, findings, gate, screen::Screen};

const SLOWEST: usize = 3;

/// From how many milliseconds on the slowest scripts of a run are listed.
const LONG: u64 = 1000;

pub(super) struct Reporter<'a> {
    command: &'a RunArgs,
    screen: &'a mut Screen,
    scripts: usize,
    passed: usize,
    failed: usize,
    /// Those of a base that its variant cannot play.
    unfit: usize,
    /// What was drawn already: a broken game is shown once.
    drawn: BTreeSet<String>,
    times: Vec<(u64, String)>,
    /// The elements of a report for `JUnit`.
    cases: String,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(
        command: &'a RunArgs,
        scripts: usize,
        screen: &'a mut Screen,
    ) -> io::Result<Reporter<'a>> {
        if command.format == RunFormat::Tap {
            screen.print_line(&format!("TAP version 14\n1..{scripts}"))?;
        }
        let (times, cases, drawn) = (Vec::new(), String::new(), BTreeSet::new());
        let (passed, failed, unfit) = (0, 0, 0);
        Ok(Reporter { command, screen, scripts, passed, failed, unfit, drawn, times, cases })
    }

    pub(super) fn report_script(&mut self, name: &str, played: &PlayedScript) -> io::Result<()> {
        let count = match (played.passed(), &played.cannot) {
            (true, _) => &mut self.passed,
            (_, Some(_)) if !played.found.has_errors() => &mut self.unfit,
            _ => &mut self.failed,
        };
        *count += 1;
        match self.command.format {
            RunFormat::Human => self.human(name, played)?,
            RunFormat::Tap => self.tap(name, played)?,
            RunFormat::Json => self.print_json(name, played)?,
            RunFormat::Junit => self.cases.push_str(&junit(name, played)),
        }
        for note in &played.notes {
            self.screen.print_note(note)?;
        }
        self.times.push((played.time, name.to_owned()));
        self.screen.flush()
    }

    pub(super) fn conclude(mut self) -> io::Result<Exit> {
        let (passed, failed) = (self.passed, self.failed);
        match self.command.format {
            RunFormat::Human if self.scripts > 1 => {
                let unfit = match self.command.game {
                    Some(_) => format!(", {} cannot apply", self.unfit),
                    None => String::new(),
                };
                self.screen.print_line(&format!("{passed} passed, {failed} failed{unfit}"))?;
                self.slowest()?;
            }
            RunFormat::Json if self.scripts > 1 => {
                let mut counts = json!({"passed": passed, "failed": failed});
                if self.command.game.is_some() {
                    counts["cannot_apply"] = self.unfit.into();
                }
                self.screen.print_json(&format!("{counts}\n"))?;
            }
            RunFormat::Tap if passed + failed + self.unfit < self.scripts => {
                self.screen.print_line("Bail out! a script failed")?;
            }
            RunFormat::Junit => {
                let time: u64 = self.times.iter().map(|(time, _)| *time).sum();
                self.screen.print_text(&format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n\
                     <testsuite name=\"astragal\" tests=\"{}\" failures=\"{failed}\" time=\"{}\">\n\
                     {}</testsuite>\n</testsuites>\n",
                    passed + failed,
                    seconds(time),
                    self.cases
                ))?;
            }
            _ => {}
        }
        Ok(if failed == 0 { Exit::Fine } else { Exit::No })
    }

    /// Transcripts where they are wanted, what was found, and a line where there are several.
    fn human(&mut self, name: &str, played: &PlayedScript) -> io::Result<()> {
        let RunArgs { quiet, print, .. } = *self.command;
        if print || self.scripts == 1 && !quiet {
            self.screen.print_text(&played.transcript)?;
        }
        let line = format!("{name}: {}", describe_verdict(self.command, played));
        let outputs_only = |found: &crate::diagnostic::Diagnostics| {
            let mut errors = found.sorted().into_iter().filter(Diagnostic::is_error);
            errors.all(|it| it.code == Some("script::output"))
        };
        if self.command.review && played.is_whole && outputs_only(&played.found) {
            return self.screen.print_line(&line);
        }
        // The scripts of a base fail on its variant in many ways: one line says where each does.
        let is_played = !played.transcript.is_empty() || played.cannot.is_some();
        let in_short = self.command.game.is_some() && self.scripts > 1 && !print && is_played;
        if !in_short && (played.passed() || self.drawn.insert(render_failure(played))) {
            self.screen.report_findings(&played.sources, &played.found)?;
        } else if !in_short {
            return self.screen.print_line(&format!("{line}, as above"));
        }
        match quiet || self.scripts > 1 {
            true => self.screen.print_line(&line),
            // A transcript alone is for programs; people learn that it holds.
            false if Screen::is_watched() || played.cannot.is_some() => {
                self.screen.print_note(&line)
            }
            false => Ok(()),
        }
    }

    fn tap(&mut self, name: &str, played: &PlayedScript) -> io::Result<()> {
        let (number, millis) = (self.passed + self.failed + self.unfit, played.time);
        let skips = played.cannot.as_ref().filter(|_| !played.found.has_errors());
        let ok = if played.passed() || skips.is_some() { "ok" } else { "not ok" };
        // A `#` would begin a directive.
        let name = name.replace('\\', "\\\\").replace('#', "\\#");
        let end = skips.map_or(format!("time={millis}ms"), |why| format!("SKIP {why}"));
        self.screen.print_line(&format!("{ok} {number} - {name} # {end}"))?;
        for line in render_failure(played).lines() {
            self.screen.print_line(format!("# {line}").trim_end())?;
        }
        Ok(())
    }

    fn print_json(&mut self, name: &str, played: &PlayedScript) -> io::Result<()> {
        let transcript = self.command.print.then_some(&played.transcript);
        let mut line = json!({
            "script": name,
            "passed": played.passed(),
            "milliseconds": played.time,
            "findings": findings::diagnostic_records(&played.sources, &played.found),
            "transcript": transcript,
        });
        if self.command.game.is_some() {
            line["cannot_apply"] = played.cannot.clone().into();
            line["changed"] = played.changed.iter().cloned().collect();
        }
        self.screen.print_json(&format!("{line}\n"))
    }

    /// Says on a terminal which scripts took longest, where that is worth knowing.
    fn slowest(&mut self) -> io::Result<()> {
        let all: u64 = self.times.iter().map(|(time, _)| *time).sum();
        if all < LONG || !Screen::is_watched() {
            return Ok(());
        }
        self.times.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
        let slowest = self.times.iter().take(SLOWEST);
        let slowest = slowest.map(|(time, name)| format!("{name} {} s", seconds(*time)));
        self.screen.print_note(&format!("slowest: {}", slowest.collect::<Vec<_>>().join(", ")))
    }
}

/// A script as an element of a report in XML, which needs the same escapes as HTML.
fn junit(name: &str, played: &PlayedScript) -> String {
    let time = seconds(played.time);
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let (folder, file) = (gate::html(folder), gate::html(file));
    let case = format!("<testcase classname=\"{folder}\" name=\"{file}\" time=\"{time}\"");
    if played.passed() {
        return case + "/>\n";
    }
    if let Some(why) = played.cannot.as_ref().filter(|_| !played.found.has_errors()) {
        return format!("{case}>\n<skipped message=\"{}\"/>\n</testcase>\n", gate::html(why));
    }
    let code = findings::first_code(&played.found).unwrap_or_default();
    let (code, text) = (gate::html(code), gate::html(&render_failure(played)));
    let message = gate::html(&first_problem(played)).replace('\n', " ");
    format!(
        "{case}>\n<failure type=\"{code}\" message=\"{message}\">{text}</failure>\n</testcase>\n"
    )
}

/// What became of a script, in words.
fn describe_verdict(command: &RunArgs, played: &PlayedScript) -> String {
    match (&played.cannot, command.game.is_some()) {
        _ if played.passed() => "passed".to_owned(),
        (Some(why), _) if !played.found.has_errors() => format!("cannot apply: {why}"),
        (_, true) if !played.transcript.is_empty() => {
            let changed: Vec<&str> = played.changed.iter().map(String::as_str).collect();
            let changed = match changed.as_slice() {
                [] => "what the variant declares".to_owned(),
                some => list_words(some),
            };
            let mut errors = played.found.sorted().into_iter().filter(Diagnostic::is_error);
            let speaks = errors.all(|it| it.code == Some("script::output"));
            let failed = if speaks { "failed in its output alone" } else { "failed" };
            format!("{failed}: {}; changed: {changed}", first_problem(played))
        }
        _ => "failed".to_owned(),
    }
}

/// The first error in one line: where it is, and what was expected and found.
fn first_problem(played: &PlayedScript) -> String {
    let sorted = played.found.sorted();
    let Some(first) = sorted.iter().find(|it| it.is_error()) else { return String::new() };
    let source = played.sources.find(first.place());
    let line = source.map(|it| format!("line {}: ", it.place(first.place().start).line));
    let help = first.help.as_deref().unwrap_or_default();
    let marked = |sign: &str| help.lines().find_map(|line| line.strip_prefix(sign)).map(str::trim);
    let differs = match (marked("-"), marked("+")) {
        (Some(expected), Some(found)) => format!(": expected \"{expected}\", found \"{found}\""),
        (Some(expected), None) => format!(": \"{expected}\" is missing"),
        (None, Some(found)) => format!(": \"{found}\" is too much"),
        (None, None) => String::new(),
    };
    format!("{}{first}{differs}", line.unwrap_or_default())
}

fn seconds(time: u64) -> String {
    format!("{}.{:03}", time / 1000, time % 1000)
}

fn render_failure(played: &PlayedScript) -> String {
    findings::render_findings(&played.sources, &played.found, false, findings::WIDE)
}
