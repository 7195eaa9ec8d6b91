//! Reports the results of scripts, for people and for programs.

use std::io;

use serde_json::json;

use super::script::Played;
use crate::cli::args::{Run, RunFormat};
use crate::cli::screen::{Exit, Screen};
use crate::cli::{gate, report};

const SLOWEST: usize = 3;

/// From how many milliseconds on the slowest scripts of a run are listed.
const LONG: u64 = 1000;

pub(super) struct Reporter<'a> {
    command: &'a Run,
    screen: &'a mut Screen,
    scripts: usize,
    passed: usize,
    failed: usize,
    times: Vec<(u64, String)>,
    /// The elements of a report for `JUnit`.
    cases: String,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(
        command: &'a Run,
        scripts: usize,
        screen: &'a mut Screen,
    ) -> io::Result<Reporter<'a>> {
        if command.format == RunFormat::Tap {
            screen.line(&format!("TAP version 14\n1..{scripts}"))?;
        }
        let (times, cases) = (Vec::new(), String::new());
        Ok(Reporter { command, screen, scripts, passed: 0, failed: 0, times, cases })
    }

    pub(super) fn report(&mut self, name: &str, played: &Played) -> io::Result<()> {
        *(if played.passed() { &mut self.passed } else { &mut self.failed }) += 1;
        match self.command.format {
            RunFormat::Human => self.human(name, played)?,
            RunFormat::Tap => self.tap(name, played)?,
            RunFormat::Json => self.json(name, played)?,
            RunFormat::Junit => self.cases.push_str(&junit(name, played)),
        }
        for note in &played.notes {
            self.screen.note(note)?;
        }
        self.times.push((played.time, name.to_owned()));
        self.screen.flush()
    }

    pub(super) fn conclude(mut self) -> io::Result<Exit> {
        let (passed, failed) = (self.passed, self.failed);
        match self.command.format {
            RunFormat::Human if self.scripts > 1 => {
                self.screen.line(&format!("{passed} passed, {failed} failed"))?;
                self.slowest()?;
            }
            RunFormat::Json if self.scripts > 1 => {
                self.screen.json(&format!("{}\n", json!({"passed": passed, "failed": failed})))?;
            }
            RunFormat::Tap if passed + failed < self.scripts => {
                self.screen.line("Bail out! a script failed")?;
            }
            RunFormat::Junit => {
                let time: u64 = self.times.iter().map(|(time, _)| *time).sum();
                self.screen.text(&format!(
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
    fn human(&mut self, name: &str, played: &Played) -> io::Result<()> {
        let Run { quiet, print, .. } = *self.command;
        if print || self.scripts == 1 && !quiet {
            self.screen.text(&played.transcript)?;
        }
        self.screen.report(&played.sources, &played.found)?;
        let verdict = if played.passed() { "passed" } else { "failed" };
        let line = format!("{name}: {verdict}");
        match quiet || self.scripts > 1 {
            true => self.screen.line(&line),
            // A transcript alone is for programs; people learn that it holds.
            false if Screen::is_watched() => self.screen.note(&line),
            false => Ok(()),
        }
    }

    fn tap(&mut self, name: &str, played: &Played) -> io::Result<()> {
        let (number, millis) = (self.passed + self.failed, played.time);
        let ok = if played.passed() { "ok" } else { "not ok" };
        // A `#` would begin a directive.
        let name = name.replace('\\', "\\\\").replace('#', "\\#");
        self.screen.line(&format!("{ok} {number} - {name} # time={millis}ms"))?;
        for line in drawn(played).lines() {
            self.screen.line(format!("# {line}").trim_end())?;
        }
        Ok(())
    }

    fn json(&mut self, name: &str, played: &Played) -> io::Result<()> {
        let transcript = self.command.print.then_some(&played.transcript);
        let line = json!({
            "script": name,
            "passed": played.passed(),
            "milliseconds": played.time,
            "findings": report::objects(&played.sources, &played.found),
            "transcript": transcript,
        });
        self.screen.json(&format!("{line}\n"))
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
        self.screen.note(&format!("slowest: {}", slowest.collect::<Vec<_>>().join(", ")))
    }
}

/// A script as an element of a report in XML, which needs the same escapes as HTML.
fn junit(name: &str, played: &Played) -> String {
    let time = seconds(played.time);
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let (folder, file) = (gate::html(folder), gate::html(file));
    let case = format!("<testcase classname=\"{folder}\" name=\"{file}\" time=\"{time}\"");
    if played.passed() {
        return case + "/>\n";
    }
    let code = report::first_code(&played.found).unwrap_or_default();
    let (code, text) = (gate::html(code), gate::html(&drawn(played)));
    format!("{case}>\n<failure message=\"{code}\">{text}</failure>\n</testcase>\n")
}

fn seconds(time: u64) -> String {
    format!("{}.{:03}", time / 1000, time % 1000)
}

fn drawn(played: &Played) -> String {
    report::draw(&played.sources, &played.found, false, report::WIDE)
}
