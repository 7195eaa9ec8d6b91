//! Runs a script: makes its steps, checks its expectations, writes its transcript.

mod expectations;
pub(super) mod pattern;

use std::collections::BTreeSet;

use self::pattern::Named;
use crate::bots::{self, Control};
use crate::chance::{Seed, Seeded};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::game::{Game, Player, Said, State, goods_in_order};
use crate::session::console::LoadedScript;
use crate::session::draws::{DrawLines, Luck};
use crate::session::error;
use crate::session::match_move::{advice, find_exactly};
use crate::session::merge::{
    Edit, MergedLine, Missed, compare_output, expected, lies_in, transcript_diff, weave,
};
use crate::session::running::Running;
use crate::session::steps::{Event, Moment, run_to_decision};
use crate::snippet::Reason;
use crate::source::{Source, Span};
use crate::suggest::nearest;
use crate::transcript::{self, Line, LineKind, Script, SpannedText};

#[derive(Clone, Debug)]
pub struct ScriptRun {
    /// The transcript, up to where the run had to stop.
    pub transcript: String,
    pub diagnostics: Diagnostics,
    /// What is still wrong once the edits are made in the script; nothing if they must not be made,
    /// because it does not run to its end.
    pub blessed: Option<Diagnostics>,
    /// What has to change in the script for it to expect what happened.
    pub(crate) edits: Vec<Edit>,
    /// The game, and the operations that it carried out in the first step that went wrong, where the
    /// script may be another game's.
    pub(crate) wrong: Option<(Game, Vec<bool>)>,
}

impl ScriptRun {
    /// The findings of a script; of one that is known to fail, only that it does not.
    pub fn verdict(&self, script: &Script) -> Diagnostics {
        match script.known() {
            None => self.diagnostics.clone(),
            Some(_) if self.diagnostics.has_errors() => Diagnostics::new(),
            Some(span) => Diagnostics::of(error::known_failure(span)),
        }
    }
}

/// Runs a script on a game at its start. The run goes on after an expectation that is not met and
/// stops at a step that cannot be made.
pub fn run(script: &Script, source: &Source, position: Running) -> ScriptRun {
    let mut runner = Runner::new(script, source, position);
    let made = runner.run_steps(script, &mut |_, _, _| {}).is_ok();
    // The result of a game that is not over has no place in the transcript.
    let mut whole = made && !runner.early_result;
    if made {
        // The transcript lacks lines that nothing requested; they are not to be lost.
        for error in runner.draws.unused() {
            whole = false;
            runner.report_error(error);
        }
        runner.write_result();
    }
    let last = script.lines.iter().rev().find(|line| !matches!(line.kind, LineKind::Blank));
    let last = last.filter(|line| made && lies_in(source, line.span));
    if let (true, Moment::Over, Some(last)) = (runner.is_draft, runner.moment, last) {
        let result = format!("= {}", runner.result_line());
        runner.edits.push(Edit::for_line(source, last.span, true, &result));
    }
    let (transcript, edits) = (runner.transcript(), std::mem::take(&mut runner.edits));
    let blessed = whole.then(|| runner.found.clone());
    runner.swap_marks();
    let wrong = runner.wrong_marks.take().filter(|marks| !marks.is_empty());
    let wrong = wrong.map(|marks| (runner.position.game.clone(), marks));
    // What a variant does otherwise does not belong into the scripts of its base.
    let whole = whole && script.other_seed.is_none();
    ScriptRun { transcript, diagnostics: runner.into_findings(whole), blessed, edits, wrong }
}

/// The game and its state where a script leaves it.
/// # Errors
/// Whatever is wrong with the script.
pub(crate) fn after(loaded: &LoadedScript) -> Result<(Game, State), Diagnostics> {
    let mut runner = Runner::new(&loaded.script, &loaded.source, loaded.start.clone());
    let made = runner.run_steps(&loaded.script, &mut |_, _, _| {}).is_ok();
    runner.draws.unused().into_iter().for_each(|error| runner.report_error(error));
    let (game, state) = (runner.position.game().clone(), runner.position.state().clone());
    let found = runner.into_findings(false);
    if made && !found.has_errors() { Ok((game, state)) } else { Err(found) }
}

/// Checks a line that only looks at a game: `? …` or `! …`.
pub(super) fn check_line(line: &Line, source: &Source, position: Running) -> Diagnostics {
    let script = Script::default();
    let mut runner = Runner::new(&script, source, position);
    match &line.kind {
        LineKind::Holds(words) => runner.check_condition(words),
        LineKind::Refused { words, because } => runner.check_refused(words, because.as_ref()),
        _ => {}
    }
    runner.into_findings(false)
}

/// Runs a script as [`run`] does; the transcript holds what one player saw of the game.
pub(crate) fn run_as(
    script: &Script,
    source: &Source,
    position: Running,
    player: Player,
) -> ScriptRun {
    let mut runner = Runner::new(script, source, position);
    runner.viewer = Some(player);
    let whole = runner.run_steps(script, &mut |_, _, _| {}).is_ok();
    // While others are still to decide, a player knows the own decision.
    let begin = transcript::format_decision(&runner.position.names()[player.index()], "");
    let own = runner.withheld.drain(..).filter(|line| line.starts_with(begin.trim_end()));
    runner.lines.extend(own);
    if whole {
        runner.write_result();
    }
    let (transcript, withholds) = (runner.transcript(), runner.withholds());
    let promises = std::mem::take(&mut runner.promises);
    let mut diagnostics = runner.into_findings(false);
    if withholds && diagnostics.has_errors() {
        // Whatever is said of a line of the script shows the line.
        diagnostics = Diagnostics::of(error::withheld());
    }
    diagnostics.extend(promises);
    ScriptRun { transcript, diagnostics, blessed: None, edits: Vec::new(), wrong: None }
}

/// The run cannot go on; what stopped it was reported.
pub(super) struct ScriptStop;

/// Looks at each step that was made: at its line and at what happened.
pub(super) type Watch<'w, 'a> = dyn FnMut(&Runner<'a>, Option<&Line>, Vec<Event>) + 'w;

#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(super) struct Runner<'a> {
    source: &'a Source,
    pub(super) position: Running,
    pub(super) draws: DrawLines<'a>,
    /// The streams of the seats; none where there is no seed.
    bots: Vec<Seeded>,
    pub(super) moment: Moment,
    lines: Vec<String>,
    /// The trailing comment of the result line.
    result_tail: &'a str,
    found: Diagnostics,
    /// What the transcript has otherwise than the script.
    differences: Vec<Diagnostic>,
    missed: Vec<Missed>,
    edits: Vec<Edit>,
    /// Whether the script has steps alone, so that it is to learn what they do.
    is_draft: bool,
    /// The words that `{name}` stands for in the output.
    named: Named,
    /// The operations of the step before.
    marks: Vec<bool>,
    /// Those of the first step that went wrong, once there is one; empty from the beginning where nobody asks.
    wrong_marks: Option<Vec<bool>>,
    /// Whether a line gives the result of a game that is not over.
    early_result: bool,
    /// The `set` lines that are one change with the step that is made.
    pub(super) sets: Vec<&'a Line>,
    /// Whether the next step is a `set` too, with nothing to happen before it.
    sets_on: bool,
    /// Whose transcript is written, if it is not that of the whole table.
    viewer: Option<Player>,
    /// What the viewer does not see yet.
    withheld: Vec<String>,
    /// What must always hold and did not before: it is reported when it breaks, not as long as it
    /// does.
    unkept: BTreeSet<usize>,
    /// The move that the step made, the first if bots made several.
    pub(super) chosen: Option<usize>,
    /// Whether what looks like a comment after the last decision is one, and no part of it.
    pub(super) has_comment: bool,
    /// What is said to the viewer of what must always hold.
    promises: Diagnostics,
}

impl<'a> Runner<'a> {
    pub(super) fn new(script: &Script, source: &'a Source, position: Running) -> Runner<'a> {
        let players = position.names().len();
        let luck = script.seed().map(|seed| Luck::new(Seed(seed), 0, players));
        let (seeded, bots) = luck.map(|luck| (luck.table, luck.seats)).unzip();
        Runner {
            source,
            draws: DrawLines { seeded, ..DrawLines::default() },
            bots: bots.unwrap_or_default(),
            position,
            moment: Moment::Over,
            lines: Vec::new(),
            result_tail: "",
            found: Diagnostics::new(),
            differences: Vec::new(),
            missed: Vec::new(),
            edits: Vec::new(),
            is_draft: !script.lines.iter().any(|line| line.kind.is_expectation()),
            named: Named::new(),
            marks: Vec::new(),
            wrong_marks: script.other_seed.is_none().then(Vec::new),
            early_result: false,
            sets: Vec::new(),
            sets_on: false,
            viewer: None,
            withheld: Vec::new(),
            unkept: BTreeSet::new(),
            chosen: None,
            has_comment: true,
            promises: Diagnostics::new(),
        }
    }

    /// Makes all steps, each under the eyes of `watch`.
    pub(super) fn run_steps(
        &mut self,
        script: &'a Script,
        watch: &mut Watch<'_, 'a>,
    ) -> Result<(), ScriptStop> {
        let numbered: Vec<(usize, &Line)> = script.lines.iter().enumerate().collect();
        let after_header = numbered.iter().rposition(|(_, line)| line.kind.is_header());
        let (header, mut rest) = numbered.split_at(after_header.map_or(0, |last| last + 1));
        // From the seed anybody can deal the game again.
        let withholds = self.withholds();
        let header = header.iter().map(|(_, line)| line);
        let told = header.filter(|line| !(withholds && matches!(line.kind, LineKind::Seed(_))));
        self.lines.extend(told.map(|line| line.text.clone()));
        let mut head = None;
        loop {
            let next = rest.iter().position(|(_, line)| line.kind.is_action());
            let (below, others) = rest.split_at(next.unwrap_or(rest.len()));
            let is_set = |line: &Line| matches!(line.kind, LineKind::Set(_));
            self.sets_on = others.first().is_some_and(|(_, line)| is_set(line))
                && below
                    .iter()
                    .all(|(_, line)| matches!(line.kind, LineKind::Comment | LineKind::Blank));
            let is_look =
                |line: &Line| matches!(line.kind, LineKind::Holds(_)) || !line.kind.is_action();
            self.draws.is_last = others.iter().all(|(_, line)| is_look(line));
            let events = self.make_step(head, below, script.header())?;
            match head {
                Some(line) if is_set(line) && self.sets_on => self.sets.push(line),
                _ => {
                    watch(self, head, events);
                    self.sets.clear();
                }
            }
            let Some(((_, line), others)) = others.split_first() else { return Ok(()) };
            (head, rest) = (Some(*line), others);
        }
    }

    /// Makes one step, or the first run up to a decision, with the lines of the script below it.
    fn make_step(
        &mut self,
        head: Option<&'a Line>,
        below: &[(usize, &'a Line)],
        header: Span,
    ) -> Result<Vec<Event>, ScriptStop> {
        for (number, line) in below {
            if let LineKind::Chance(words) = &line.kind {
                self.draws.lines.push_back((*number, line, words));
            }
        }
        self.swap_marks();
        self.draws.step = head.map_or(header, |line| line.span);
        self.chosen = None;
        let mut events = Vec::new();
        let outcome = match head {
            Some(line) => self.perform(line, &mut events),
            None => self.run_on(&mut events, header),
        };
        let entries = MergedLine::from_events(&events, self.position.names(), self.viewer, below);
        if self.viewer.is_some() {
            // While several decide together, a viewer sees nothing of what they picked.
            self.withheld.extend(entries.into_iter().map(|entry| entry.text));
            if self.position.picked_unseen() == 0 {
                self.lines.append(&mut self.withheld);
            }
            return outcome.map(|()| events);
        }
        let known = self.named.clone();
        let differs =
            if outcome.is_ok() { compare_output(&entries, below, &mut self.named) } else { None };
        let woven = weave(&entries, below);
        let is_new = self.is_draft && outcome.is_ok() && head.is_none_or(|it| it.kind.speaks());
        let place = head.map_or(header, |line| line.span);
        let mut places = below.iter().map(|(_, line)| line.span).chain([place]);
        // What another file includes is not to be changed for this one.
        if (is_new || differs.is_some()) && places.all(|it| lies_in(self.source, it)) {
            self.edits.push(Edit::of_step(self.source, place, &entries, below, &known));
        }
        if let Some(span) = differs {
            self.report_error(error::output(String::new(), "", span));
            let found = self.lines.len()..self.lines.len() + woven.len();
            let expected = expected(&entries, below, &woven, &known);
            self.missed.push(Missed { found, expected, line: self.source.place(span.start).line });
        }
        self.lines.extend(woven);
        outcome.map(|()| events)
    }

    /// Keeps what the last step carried out, and marks what the next one does, until something is wrong.
    fn swap_marks(&mut self) {
        if self.wrong_marks.is_none() {
            let none = vec![false; self.position.game.program().code.len()];
            let marks = std::mem::replace(&mut self.position.legal.marks, none);
            let is_wrong = !self.found.is_empty() || !self.differences.is_empty();
            // A move that is refused was listed by the step before it.
            let marks = if marks.contains(&true) || !is_wrong {
                marks
            } else {
                std::mem::take(&mut self.marks)
            };
            if is_wrong { self.wrong_marks = Some(marks) } else { self.marks = marks }
        }
    }

    fn perform(&mut self, line: &'a Line, events: &mut Vec<Event>) -> Result<(), ScriptStop> {
        if !matches!(line.kind, LineKind::Result(_) | LineKind::Bot(..)) && self.viewer.is_none() {
            self.lines.push(line.text.clone());
        }
        self.check_moment(line)?;
        match &line.kind {
            LineKind::Decision { name, words } => {
                return self.perform_decision(line, name, words, events);
            }
            LineKind::Set(words) => return self.apply_change(words, events),
            LineKind::Do(words) => {
                let started = self.position.start_rule(&self.snippet(words));
                started.or_else(|found| self.stop_all(found, words.span))?;
                return self.run_on(events, words.span);
            }
            LineKind::Bot(decisions, who) => {
                return self.play_on(*decisions, who.as_ref(), line.span, events);
            }
            LineKind::Holds(words) => self.check_condition(words),
            LineKind::Refused { words, because } => self.check_refused(words, because.as_ref()),
            LineKind::Moves if self.viewer.is_some() => {}
            LineKind::Moves => {
                let said = |text| Event::Said(Said { to: None, text, declines: false });
                events.extend(self.position.legal_labels().into_iter().map(said));
            }
            LineKind::Result(words) => self.check_result(words, line),
            _ => unreachable!("only these lines ask for a step"),
        }
        Ok(())
    }

    /// Checks that the line may stand here: after the end, and after a rule run by `do`, only some
    /// may.
    fn check_moment(&mut self, line: &Line) -> Result<(), ScriptStop> {
        let span = line.span;
        match (self.moment, &line.kind) {
            (Moment::Decision(_), _)
            | (_, LineKind::Holds(_))
            | (Moment::Over, LineKind::Result(_) | LineKind::Do(_))
            | (Moment::Returned, LineKind::Set(_) | LineKind::Do(_)) => Ok(()),
            (Moment::Returned | Moment::Broken, _) => self.stop_with(error::after_rule(span)),
            (Moment::Over, _) => self.stop_with(error::after_end(self.result_line(), span)),
        }
    }

    // Steps.

    fn perform_decision(
        &mut self,
        line: &Line,
        name: &SpannedText,
        words: &SpannedText,
        events: &mut Vec<Event>,
    ) -> Result<(), ScriptStop> {
        self.check_player(name)?;
        let labels = self.position.legal_labels();
        // A `#` may belong to the move, so the line is tried with its comment first.
        let whole = line.text.split_once('>').map_or("", |(_, rest)| rest);
        let whole = find_exactly(&labels, whole);
        self.has_comment = whole.is_none();
        let in_order = || goods_in_order(self.position.game().rules(), &words.text);
        let found = whole.or_else(|| find_exactly(&labels, &words.text));
        let Some(index) = found.or_else(|| find_exactly(&labels, &in_order())) else {
            let written = transcript::fold_case(&words.text);
            let Reason { message: reason, help, span: rule, .. } =
                self.position.why_not(&written, false);
            let help = advice(&labels, &written, rule.is_some()).or(help);
            let (words, span) = (written, words.span);
            return self.stop_with(error::illegal_move(words, reason, help, span, rule));
        };
        if self.viewer.is_some() {
            return self.perform_move(index, line.span, events);
        }
        self.chosen = Some(index);
        self.position.make_move(index);
        self.run_on(events, line.span)
    }

    /// Makes a move and adds its line, in the words that the viewer hears.
    fn perform_move(
        &mut self,
        index: usize,
        span: Span,
        events: &mut Vec<Event>,
    ) -> Result<(), ScriptStop> {
        let (name, label) = (self.to_move(), self.position.label_move(index));
        let heard = self.viewer.filter(|viewer| self.moment != Moment::Decision(*viewer));
        let heard = heard.map(|viewer| (self.position.mask_move(index), viewer));
        self.chosen.get_or_insert(index);
        let at = events.len();
        self.position.make_move(index);
        let outcome = self.run_on(events, span);
        let label = heard.map_or(label, |(heard, viewer)| match self.position.picked_unseen() {
            0 => self.position.game.label_for(&heard, &self.position.state, viewer),
            // Which cards lie where is told when all have picked.
            _ => heard.hidden(),
        });
        events.insert(at, Event::Acted(transcript::format_decision(&name, &label)));
        outcome
    }

    fn check_player(&mut self, name: &SpannedText) -> Result<(), ScriptStop> {
        let (to_move, span) = (self.to_move(), name.span);
        let name = transcript::fold_case(&name.text);
        let names = self.position.names();
        if name == to_move {
            return Ok(());
        }
        if names.contains(&name) {
            return self.stop_with(error::wrong_player(name, to_move, span));
        }
        let help = match nearest(&name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the players are {}", transcript::list_words(names)),
        };
        self.stop_with(error::unknown_player(name, help, span))
    }

    fn apply_change(
        &mut self,
        words: &SpannedText,
        events: &mut Vec<Event>,
    ) -> Result<(), ScriptStop> {
        let applied = self.position.apply_statements(&self.snippet(words));
        applied.or_else(|found| self.stop_all(found, words.span))?;
        // A person who changes a position knows what it lacks; only what the game breaks is reported.
        self.unkept = self.position.unkept(&[]).into_iter().map(|(number, _)| number).collect();
        // Between two changes nothing happens: a position that is half made may have no legal move.
        if self.moment == Moment::Returned || self.sets_on {
            return Ok(());
        }
        // The moves are listed anew; where nothing is legal any more, the game goes on.
        self.run_on(events, words.span)
    }

    fn play_on(
        &mut self,
        times: u32,
        who: Option<&SpannedText>,
        span: Span,
        events: &mut Vec<Event>,
    ) -> Result<(), ScriptStop> {
        if self.bots.is_empty() {
            return self.stop_with(error::no_seed(span));
        }
        let game = self.position.game();
        let named = who.map(|who| (who, bots::BotKind::from_word(&who.text, game)));
        let kind = match named {
            None => bots::BotKind::Random,
            // What thinks by the clock plays otherwise on another machine.
            Some((_, Some(kind))) if kind.is_repeatable() => kind,
            Some((who, _)) => {
                let known = bots::BotKind::words_where(game, bots::BotKind::is_repeatable);
                let bot = who.text.clone();
                return self.stop_with(error::unknown_bot(bot, known, who.span));
            }
        };
        for _ in 0..times {
            let Moment::Decision(player) = self.moment else { break };
            let stream = &mut self.bots[player.index()];
            let control = Control::timed(|| 0);
            let advice = self.position.consult(player, kind, control, stream);
            if let Some(ran_out) = advice.ran_out {
                return self.stop_with(Diagnostic::from(&ran_out));
            }
            self.perform_move(advice.index, span, events)?;
        }
        Ok(())
    }

    /// Runs on to the next decision and adds what happens on the way.
    fn run_on(&mut self, events: &mut Vec<Event>, span: Span) -> Result<(), ScriptStop> {
        let draws = &mut self.draws;
        let mut last = None;
        let moment = run_to_decision(&mut self.position, events, |position, outcomes| {
            let answer = draws.read_outcome(position, outcomes, last.as_deref());
            last = Some(position.event());
            answer
        });
        self.moment = match moment {
            Err(_) if self.draws.ended => Moment::Returned,
            moment => moment.or_else(|found| self.stop_all(found, span))?,
        };
        if self.moment != Moment::Returned {
            self.check_promises(span);
        }
        Ok(())
    }

    // What is written and reported.

    fn transcript(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }

    fn write_result(&mut self) {
        if self.moment == Moment::Over {
            self.lines.push(format!("= {}{}", self.result_line(), self.result_tail));
        }
    }

    /// Whether there are lines of the script that the viewer must not see.
    fn withholds(&self) -> bool {
        self.viewer.is_some() && self.position.has_secrets()
    }

    /// All findings, misread lines at once; those of a `whole` transcript can be fixed in the script.
    pub(super) fn into_findings(self, whole: bool) -> Diagnostics {
        let mut found = self.found;
        let mut shown = None;
        for error in self.differences {
            if error.code == Some("script::output") {
                shown.get_or_insert(error.place());
                continue;
            }
            let bless = "if that is right, `run --bless` writes it into the script";
            found.push(if whole { error.with_help(bless) } else { error });
        }
        if let Some(span) = shown {
            let diff = transcript_diff(&self.lines, &self.missed);
            let bless = "\nif what was found is right, `run --bless` writes it into the script";
            found.push(error::output(diff, if whole { bless } else { "" }, span));
        }
        found
    }

    fn to_move(&self) -> String {
        match self.moment {
            Moment::Decision(player) => self.position.names()[player.index()].clone(),
            _ => "nobody".to_owned(),
        }
    }

    fn result_line(&self) -> String {
        let outcome = self.position.final_outcome().expect("the game is over");
        transcript::format_result(&outcome, self.position.names())
    }

    /// The words as a text of their own, at their place in the script.
    fn snippet(&self, words: &SpannedText) -> Source {
        let (name, base) = (self.source.name.clone(), words.span.start as usize);
        Source { name, text: words.text.clone(), base }
    }

    fn report_error(&mut self, error: Diagnostic) {
        // Writing what was found into the script repairs these.
        if matches!(error.code, Some("script::output" | "script::result")) {
            self.differences.push(error);
        } else {
            self.found.push(error);
        }
    }

    fn stop_with(&mut self, error: Diagnostic) -> Result<(), ScriptStop> {
        self.report_error(error);
        Err(ScriptStop)
    }

    fn stop_all<T>(&mut self, diagnostics: Diagnostics, span: Span) -> Result<T, ScriptStop> {
        let elsewhere =
            diagnostics.sorted().iter().all(|found| !self.source.contains(found.place()));
        self.found.extend(diagnostics);
        if elsewhere {
            self.found.push(error::stopped(span));
        }
        Err(ScriptStop)
    }
}
