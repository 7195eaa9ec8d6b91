//! The text that is being written: what is wrong with it, what its words mean, its rulebook, its scripts.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::compile::value_text;
use crate::diagnostic::Diagnostics;
use crate::editor::{Document, WordProposal};
use crate::game::{Board, Game};
use crate::gate::html;
use crate::messages::findings::{Finding, OrFindings, TextPlace, findings, place};
use crate::messages::{Beside, MOST_BYTES};
use crate::pipeline::{self, GameOptions, Ruleset};
use crate::printed::printed_body;
use crate::rulebook::{Edition, Rulebook, rulebook};
use crate::session::{Running, run};
use crate::source::{Source, Sources};
use crate::transcript::{self, Script};

/// The bots that every game has, the quickest first.
const BOTS: [&str; 4] = ["random", "greedy", "rollout:100", "mcts:1000"];

/// A text with what was found out about it, each when it is first needed.
#[derive(Debug, Default)]
pub(super) struct AnalysedText {
    pub(super) name: String,
    text: String,
    beside: Beside,
    document: OnceCell<Document>,
    checked: OnceCell<CheckedText>,
}

/// A script, and each of its cases with the game that it is played on.
type Scripted = (Source, Vec<(Script, Game)>);

type CheckedText = Result<Ruleset, (Sources, Diagnostics)>;

answer_types! {
    /// What a word means.
    pub(super) struct HoverAnswer { at: TextPlace, code: String, more: Vec<String>, notes: Vec<String> }
    /// What may stand at a place.
    pub(super) struct Completion { at: TextPlace, proposals: Vec<WordProposal> }

    /// What a game can be played with.
    pub(super) struct Facts {
        title: String, notes: Vec<String>, players: PlayerCounts, options: Vec<OptionFacts>, bots: Vec<String>,
    }
    struct PlayerCounts { fewest: usize, most: usize, usual: usize, counts: Vec<usize> }
    struct OptionFacts {
        name: String, title: String, notes: Vec<String>, values: Vec<String>, range: Option<(i64, Option<i64>)>,
        default: String,
    }

    /// What is printed of a game beside its rulebook, if anything is.
    pub(super) struct PrintedGame { html: Option<String> }

    /// What a script comes to.
    #[cfg_attr(test, ts(optional_fields))]
    pub(super) struct Ran {
        passed: bool, findings: Vec<Finding>,
        #[serde(skip_serializing_if = "Option::is_none")] transcript: Option<String>,
    }
}

impl AnalysedText {
    pub(super) fn new(name: String, text: String, files: BTreeMap<String, String>) -> AnalysedText {
        AnalysedText { name, text, beside: Beside(files), ..AnalysedText::default() }
    }

    pub(super) fn document(&self) -> &Document {
        self.document.get_or_init(|| Document::read(&self.beside.opened(&self.name, &self.text)))
    }

    /// The rules, with room before them for a script.
    pub(super) fn checked(&self) -> &CheckedText {
        self.checked.get_or_init(|| {
            let mut sources = Sources::with_room(MOST_BYTES);
            let opened = self.beside.opened(&self.name, &self.text);
            let checked = pipeline::check_without_compiling(&mut sources, &opened);
            checked.rules.ok_or((sources, checked.diagnostics))
        })
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        let document = self.document();
        findings(document.sources(), &document.diagnostics())
    }

    pub(super) fn check_text(&self) -> Vec<Finding> {
        let mut sources = Sources::default();
        let opened = self.beside.opened(&self.name, &self.text);
        let found = pipeline::check_typed(&mut sources, &opened).diagnostics;
        findings(&sources, &found)
    }

    pub(super) fn hover(&self, line: usize, column: usize) -> Option<HoverAnswer> {
        let document = self.document();
        let hover = document.hover(self.offset(line, column))?;
        let at = place(document.sources(), hover.span);
        Some(HoverAnswer { at, code: hover.code, more: hover.more, notes: hover.notes })
    }

    pub(super) fn completion_at(&self, line: usize, column: usize) -> Completion {
        let document = self.document();
        let (span, proposals) = document.complete(self.offset(line, column));
        Completion { at: place(document.sources(), span), proposals }
    }

    pub(super) fn definition(&self, line: usize, column: usize) -> Option<TextPlace> {
        let document = self.document();
        let span = document.definition(self.offset(line, column))?;
        Some(place(document.sources(), span))
    }

    /// The offset of a place; the end of its line, or of the text, if it lies after that.
    fn offset(&self, line: usize, column: usize) -> usize {
        let mut start = 0;
        for (number, text) in (1..).zip(self.text.split_inclusive('\n')) {
            if number == line {
                let letters = text.trim_end_matches(['\n', '\r']).char_indices();
                let ends = letters.map(|(at, letter)| at + letter.len_utf8());
                return start + [0].into_iter().chain(ends).take(column.max(1)).last().unwrap_or(0);
            }
            start += text.len();
        }
        start
    }

    pub(super) fn game_facts(&self) -> OrFindings<Facts> {
        let rules = match self.checked() {
            Ok(ruleset) => &ruleset.rules,
            Err((sources, found)) => return OrFindings::wrong(sources, found),
        };
        let choices = pipeline::choices(rules, rules.usual_players);
        let options = rules.options.iter().zip(&choices).map(|(option, choice)| {
            let words = |value| value_text(rules, &option.ty, value);
            OptionFacts {
                name: option.name.clone(),
                title: option.title.clone(),
                notes: option.notes.clone(),
                values: choice.values.iter().map(words).collect(),
                range: choice.range,
                default: words(&choice.default),
            }
        });
        let ((fewest, most), usual) = (rules.players, rules.usual_players);
        let strategies = rules.strategies.iter().map(|it| it.title.clone());
        OrFindings::Sound(Facts {
            title: rules.title.clone(),
            notes: rules.notes.clone(),
            players: PlayerCounts { fewest, most, usual, counts: rules.player_counts().collect() },
            options: options.collect(),
            bots: BOTS.map(str::to_owned).into_iter().chain(strategies).collect(),
        })
    }

    pub(super) fn rules(&self) -> OrFindings<Rulebook> {
        let Ruleset { rules, sources } = match self.checked() {
            Ok(ruleset) => ruleset,
            Err((sources, found)) => return OrFindings::wrong(sources, found),
        };
        let edition = Edition { rules, sources, settings: &[], variants: &[] };
        match rulebook(&edition, &Budget::default()) {
            Ok(book) => OrFindings::Sound(book),
            Err(found) => OrFindings::wrong(sources, &Diagnostics::of(found)),
        }
    }

    pub(super) fn cards(&self) -> OrFindings<PrintedGame> {
        let game = match self.load(&GameOptions::default(), &[], None) {
            Ok(game) => game,
            Err((sources, found)) => return OrFindings::wrong(&sources, &found),
        };
        let figure =
            |board: &Board| format!("<figure data-board=\"{}\"></figure>", html(&board.name));
        OrFindings::Sound(PrintedGame { html: printed_body(&game, (false, false), figure) })
    }

    /// The game under a setting, with the texts that its findings point into; a script is the first of them.
    pub(super) fn load(
        &self,
        options: &GameOptions,
        names: &[String],
        script: Option<Sources>,
    ) -> Result<Game, (Sources, Diagnostics)> {
        let ruleset = self.checked().as_ref().map_err(Clone::clone)?;
        let mut sources = Sources::clone(&ruleset.sources);
        if let Some(script) = script {
            sources.add_first(script);
        }
        let game = pipeline::load(ruleset, options).map_err(|found| (sources.clone(), found))?;
        let game = game.with_sources(sources);
        let names: Vec<String> = names.iter().map(|name| transcript::fold_case(name)).collect();
        Ok(if names.is_empty() { game } else { game.with_names(names) })
    }

    /// Reads a script and loads the game that it plays, for each of its cases.
    pub(super) fn scripted(
        &self,
        name: &str,
        text: &str,
    ) -> Result<Scripted, (Sources, Diagnostics)> {
        let mut alone = Sources::default();
        let source = alone.add(name, text).clone();
        let parsed = transcript::parse(&source).and_then(|mut script| {
            transcript::include(&mut script, &source, |path| {
                let text = self.beside.0.get(path).ok_or("it is not one of the files")?;
                Ok(alone.add(path, text).clone())
            })?;
            Ok(script)
        });
        let script = parsed.map_err(|found| (alone.clone(), found))?;
        let load = |(_, script): (String, Script)| {
            let names = script.players().unwrap_or_default();
            let players = (!names.is_empty()).then_some(names.len());
            let setting = GameOptions { players, options: script.options() };
            Ok((script, self.load(&setting, &names, Some(alone.clone()))?))
        };
        Ok((source, script.cases().into_iter().map(load).collect::<Result<_, _>>()?))
    }

    pub(super) fn run(&self, name: &str, text: &str) -> Ran {
        let (source, cases) = match self.scripted(name, text) {
            Ok(loaded) => loaded,
            Err((sources, found)) => {
                let findings = findings(&sources, &found);
                return Ran { passed: false, findings, transcript: None };
            }
        };
        let (mut sources, mut found, mut transcripts) = Default::default();
        for (script, game) in cases {
            sources = game.sources().clone();
            let ran = run(&script, &source, Running::new(game));
            Diagnostics::extend(&mut found, ran.verdict(&script));
            Vec::push(&mut transcripts, ran.transcript);
        }
        Ran {
            passed: !found.has_errors(),
            findings: findings(&sources, &found),
            transcript: Some(transcripts.join("\n")),
        }
    }
}
