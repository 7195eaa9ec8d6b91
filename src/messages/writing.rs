//! The text that is being written: what is wrong with it, what its words mean, its rulebook, its scripts.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::findings::{objects, place};
use super::{Beside, MOST_BYTES};
use crate::budget::Budget;
use crate::compile::value_text;
use crate::diagnostic::Diagnostics;
use crate::editor::{Document, WordProposal};
use crate::game::Game;
use crate::pipeline::{self, GameOptions, Ruleset};
use crate::rulebook::{Edition, rulebook};
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
            let checked = pipeline::check_once(&mut sources, &opened);
            let sound = checked.rules.filter(|_| !checked.diagnostics.has_errors());
            sound.ok_or((sources, checked.diagnostics))
        })
    }

    pub(super) fn findings(&self) -> Value {
        let document = self.document();
        objects(document.sources(), &document.diagnostics()).into()
    }

    pub(super) fn check(&self) -> Value {
        let mut sources = Sources::default();
        let opened = self.beside.opened(&self.name, &self.text);
        let found = pipeline::check(&mut sources, &opened).diagnostics;
        objects(&sources, &found).into()
    }

    pub(super) fn hover(&self, line: usize, column: usize) -> Value {
        let document = self.document();
        let hover = document.hover(self.offset(line, column));
        hover.map_or(Value::Null, |it| {
            let at = place(document.sources(), Some(it.span));
            json!({ "at": at, "code": it.code, "more": it.more, "notes": it.notes })
        })
    }

    pub(super) fn complete(&self, line: usize, column: usize) -> Value {
        let document = self.document();
        let (span, proposals) = document.complete(self.offset(line, column));
        let proposal = |it: WordProposal| {
            let sort = format!("{:?}", it.sort).to_lowercase();
            json!({ "text": it.text, "sort": sort, "detail": it.detail, "notes": it.notes, "rank": it.rank })
        };
        let proposals: Vec<Value> = proposals.into_iter().map(proposal).collect();
        json!({ "at": place(document.sources(), Some(span)), "proposals": proposals })
    }

    pub(super) fn definition(&self, line: usize, column: usize) -> Value {
        let document = self.document();
        let found = document.definition(self.offset(line, column));
        found.map_or(Value::Null, |span| place(document.sources(), Some(span)))
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

    pub(super) fn facts(&self) -> Value {
        let rules = match self.checked() {
            Ok(ruleset) => &ruleset.rules,
            Err((sources, found)) => return json!({ "findings": objects(sources, found) }),
        };
        let choices = pipeline::choices(rules, rules.usual_players);
        let options = rules.options.iter().zip(&choices).map(|(option, choice)| {
            let words = |value| value_text(rules, &option.ty, value);
            json!({
                "name": option.name, "title": option.title, "notes": option.notes,
                "values": choice.values.iter().map(words).collect::<Vec<_>>(),
                "range": choice.range, "default": words(&choice.default),
            })
        });
        let strategies = rules.strategies.iter().map(|it| it.title.as_str());
        json!({
            "title": rules.title,
            "notes": rules.notes,
            "players": { "fewest": rules.players.0, "most": rules.players.1, "usual": rules.usual_players },
            "options": options.collect::<Vec<_>>(),
            "bots": BOTS.into_iter().chain(strategies).collect::<Vec<_>>(),
        })
    }

    pub(super) fn rules(&self) -> Value {
        let Ruleset { rules, sources } = match self.checked() {
            Ok(ruleset) => ruleset,
            Err((sources, found)) => return json!({ "findings": objects(sources, found) }),
        };
        let edition = Edition { rules, sources, setting: None, variants: &[] };
        match rulebook(&edition, &Budget::default()) {
            Ok(book) => {
                let parts = book
                    .parts
                    .iter()
                    .map(|it| json!({ "word": it.word, "heading": it.heading, "text": it.text }));
                let parts: Vec<Value> = parts.collect();
                json!({ "title": book.title, "opening": book.opening, "parts": parts })
            }
            Err(found) => json!({ "findings": objects(sources, &Diagnostics::of(found)) }),
        }
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
        let names: Vec<String> = names.iter().map(|name| transcript::fold(name)).collect();
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

    pub(super) fn run(&self, name: &str, text: &str) -> Value {
        let (source, cases) = match self.scripted(name, text) {
            Ok(loaded) => loaded,
            Err((sources, found)) => {
                return json!({ "passed": false, "findings": objects(&sources, &found) });
            }
        };
        let (mut sources, mut found, mut transcripts) = Default::default();
        for (script, game) in cases {
            sources = game.sources().clone();
            let ran = run(&script, &source, Running::new(game));
            Diagnostics::extend(&mut found, ran.verdict(&script));
            Vec::push(&mut transcripts, ran.transcript);
        }
        json!({
            "passed": !found.has_errors(),
            "findings": objects(&sources, &found),
            "transcript": transcripts.join("\n"),
        })
    }
}
