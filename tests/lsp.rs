//! An editor that follows a file of steps: what it asks, and what it is answered.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

use astragal::machinery::chance::{Chance, Seed};
use astragal::machinery::cli::serve;
use astragal::machinery::editor::{Document, find_word};
use astragal::machinery::load::OpenedFile;
use astragal::machinery::syntax::DECLARATIONS;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

use crate::commands::words;
use crate::support::{Beside, files, read, reserved_words, root, snapshots};

/// How long an answer may take before something is stuck.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn editors_are_answered() {
    let _guard = snapshots("lsp");
    insta::glob!("", "lsp/*.steps", |path| {
        let mut client = Client::start();
        let mut shown = String::new();
        for line in read(path).lines() {
            writeln!(shown, "{line}").expect("a string takes every text");
            if !line.is_empty() && !line.starts_with('#') {
                shown.push_str(&client.step(line));
            }
        }
        insta::assert_snapshot!(shown);
    });
}

/// A game with scripts in its folder offers to run them: the editor gets paths to pass on.
#[test]
fn a_game_offers_to_run_its_scripts() {
    let game = root().join("games/tice/tice.game");
    let uri = format!("file://{}", game.display());
    let mut client = Client::start();
    client.step("initialize");
    let it = json!({ "uri": uri, "languageId": "astragal", "version": 1, "text": read(&game) });
    client.tell("textDocument/didOpen", json!({ "textDocument": it }));
    client.findings();
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let scripts = files("games/tice/scripts", "script").len();
    assert!(scripts > 1, "the game has scripts");
    let command = |at: usize| lenses[at]["command"].clone();
    let folder = game.with_file_name("scripts");
    assert_eq!(
        [command(0), command(1)],
        [
            json!({ "title": "▶ play", "command": "astragal.play", "arguments": [game] }),
            json!({
                "title": format!("▶ run {scripts} scripts"),
                "command": "astragal.run", "arguments": [folder],
            }),
        ]
    );
    client.exit();
}

/// Edits at random places, also outside of the text, leave the text that the editor has: what is wrong
/// with it, and its tokens, are those of a file that is opened with the whole text.
#[test]
fn edits_leave_the_text_that_the_editor_has() {
    let mut stream = Seed(1).stream(0);
    let mut below =
        |count: usize| stream.below(u32::try_from(count).expect("it is small")) as usize;
    let pieces = ["", "a", "ä", "😀", "\n", "x\ny", "😀\n\n", "let n = 3", "–\n", "\r\n", "# ä"];
    let mut client = Client::start();
    client.step("initialize");
    client.open("edited.game", "game \"Ä😀\" {\n\nplay { }\n");
    for round in 0..400 {
        let text = client.texts["edited.game"].clone();
        let letters = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        // No editor sets a place between the two signs of a line end.
        let letters: Vec<usize> = letters.filter(|at| !text[..*at].ends_with('\r')).collect();
        let (a, b) = (below(letters.len()), below(letters.len()));
        // Most edits are short, as those of hands are.
        let b = if round % 4 == 0 { b } else { (a + 1).min(letters.len() - 1) };
        let (a, b) = (letters[a.min(b)], letters[a.max(b)]);
        let with = pieces[below(pieces.len())];
        let (mut start, mut end) = (position(&text, a), position(&text, b));
        if text[b..].lines().next().is_none_or(str::is_empty) {
            // What lies behind the end of a line is its end, and so is what lies below the last.
            end["character"] = 99.into();
            if b == text.len() {
                end["line"] = u32::MAX.into();
            }
        }
        if round % 3 == 0 {
            std::mem::swap(&mut start, &mut end);
        }
        let range = json!({ "start": start, "end": end });
        let mut change = json!({ "range": range, "text": with });
        let mut text = format!("{}{with}{}", &text[..a], &text[b..]);
        if text.len() > 300 {
            text = "a\n😀b\n".to_owned();
            change = json!({ "text": text });
        }
        let edited = client.send_change("edited.game", text.clone(), &change);
        let opened = client.open("opened.game", &text);
        assert_eq!(edited, opened, "round {round}: {range} becomes {with:?}");
        let tokens = ["edited", "opened"].map(|file| client.step(&format!("tokens {file}.game")));
        assert_eq!(tokens[0], tokens[1], "round {round}: {range} becomes {with:?}");
    }
    client.exit();
}

/// An editor.
struct Client {
    connection: Connection,
    server: Option<thread::JoinHandle<std::io::Result<bool>>>,
    texts: BTreeMap<String, String>,
    /// How many messages were sent: the ids of requests and the versions of files.
    count: i32,
}

impl Client {
    fn start() -> Client {
        let (here, there) = Connection::memory();
        let server = thread::spawn(move || serve(&there));
        let (server, texts) = (Some(server), BTreeMap::new());
        Client { connection: here, server, texts, count: 0 }
    }

    fn step(&mut self, line: &str) -> String {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["initialize"] => {
                let answer = self.ask("initialize", json!({ "capabilities": {} }));
                self.tell("initialized", json!({}));
                pretty(&answer)
            }
            ["open", file, "from", path] => self.open(file, &read(&root().join(path))),
            ["change", file, from, "to", to] => self.change(file, from, to),
            ["type", file, from, "to", to] => self.edit(file, from, to),
            ["remove", file, from] => self.change(file, from, ""),
            ["close", file] => {
                let params = json!({ "textDocument": { "uri": uri(file) } });
                self.tell("textDocument/didClose", params);
                self.findings()
            }
            ["findings"] => self.findings(),
            ["complete", file, place] => {
                let place = self.place(file, place);
                completions(&self.ask("textDocument/completion", place))
            }
            ["rename", file, place, name] => {
                let mut params = self.place(file, place);
                params["newName"] = name.into();
                pretty(&self.ask("textDocument/rename", params))
            }
            ["references", file, place] => {
                let mut params = self.place(file, place);
                params["context"] = json!({ "includeDeclaration": true });
                pretty(&self.ask("textDocument/references", params))
            }
            [question @ ("hover" | "definition"), file, place] => {
                let place = self.place(file, place);
                pretty(&self.ask(&format!("textDocument/{question}"), place))
            }
            ["symbols", file] => {
                let params = json!({ "textDocument": { "uri": uri(file) } });
                let answer = self.ask("textDocument/documentSymbol", params);
                outline(&answer, 0)
            }
            ["format", file] => {
                let options = json!({ "tabSize": 2, "insertSpaces": true });
                let params = json!({ "textDocument": { "uri": uri(file) }, "options": options });
                pretty(&self.ask("textDocument/formatting", params))
            }
            ["ask", method @ "textDocument/completion", params] => {
                completions(&self.ask(method, json_of(params)))
            }
            ["ask", method, params] => pretty(&self.ask(method, json_of(params))),
            ["tell", method, params] => {
                self.tell(method, json_of(params));
                String::new()
            }
            ["exit"] => self.exit(),
            _ => self.look(&words).unwrap_or_else(|| panic!("`{line}` is no step")),
        }
    }

    /// What an editor asks to show more than the text.
    fn look(&mut self, words: &[&str]) -> Option<String> {
        Some(match *words {
            ["fixes", file, place] => {
                let mut params = self.place(file, place);
                let position = params["position"].take();
                params["range"] = json!({ "start": position, "end": position });
                params["context"] = json!({ "diagnostics": [] });
                actions(&self.ask("textDocument/codeAction", params))
            }
            ["tokens", file] => {
                let params = json!({ "textDocument": { "uri": uri(file) } });
                let answer = self.ask("textDocument/semanticTokens/full", params);
                tokens(&answer, &self.texts[file])
            }
            ["folds", file] => {
                let params = json!({ "textDocument": { "uri": uri(file) } });
                folds(&self.ask("textDocument/foldingRange", params))
            }
            ["lenses", file] => {
                let params = json!({ "textDocument": { "uri": uri(file) } });
                lenses(&self.ask("textDocument/codeLens", params))
            }
            ["signature", file, place] => {
                let place = self.place(file, place);
                signatures(&self.ask("textDocument/signatureHelp", place))
            }
            ["highlight", file, place] => {
                let place = self.place(file, place);
                pretty(&self.ask("textDocument/documentHighlight", place))
            }
            _ => return None,
        })
    }

    fn open(&mut self, file: &str, text: &str) -> String {
        self.texts.insert(file.to_owned(), text.to_owned());
        self.count += 1;
        let it = json!({
            "uri": uri(file), "languageId": "astragal", "version": self.count, "text": text,
        });
        self.tell("textDocument/didOpen", json!({ "textDocument": it }));
        self.findings()
    }

    fn change(&mut self, file: &str, from: &str, to: &str) -> String {
        let (text, from) = (&self.texts[file], &from.replace("\\n", "\n"));
        assert!(text.contains(from), "`{from}` does not stand in {file}");
        let text = text.replacen(from, &to.replace("\\n", "\n"), 1);
        let change = json!({ "text": text });
        self.send_change(file, text, &change)
    }

    fn send_change(&mut self, file: &str, text: String, change: &Value) -> String {
        self.texts.insert(file.to_owned(), text);
        self.count += 1;
        let it = json!({ "uri": uri(file), "version": self.count });
        let params = json!({ "textDocument": it, "contentChanges": [change] });
        self.tell("textDocument/didChange", params);
        self.findings()
    }

    /// Sends what changed, and not the whole text.
    fn edit(&mut self, file: &str, from: &str, to: &str) -> String {
        let text = &self.texts[file];
        let (from, to) = (from.replace("\\n", "\n"), to.replace("\\n", "\n"));
        let at = text.find(&from).unwrap_or_else(|| panic!("`{from}` does not stand in {file}"));
        let range = json!({ "start": position(text, at), "end": position(text, at + from.len()) });
        let change = json!({ "range": range, "text": to });
        self.send_change(file, text.replacen(&from, &to, 1), &change)
    }

    /// The place of the `|` in a piece of the text.
    fn place(&self, file: &str, piece: &str) -> Value {
        let text = &self.texts[file];
        let (before, after) = piece.split_once('|').expect("the piece marks a place");
        let found = text.find(&format!("{before}{after}"));
        let at = found.unwrap_or_else(|| panic!("`{piece}` does not stand in {file}"));
        let position = position(text, at + before.len());
        json!({ "textDocument": { "uri": uri(file) }, "position": position })
    }

    fn tell(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(notification.into()).expect("the server listens");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.count += 1;
        let id = RequestId::from(self.count);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).expect("the server listens");
        match self.receive() {
            Message::Response(response) if response.id == id => match response.response_result {
                Ok(value) => value,
                Err(error) => json!({ "error": error.code, "message": error.message }),
            },
            other => panic!("`{method}` was answered by {other:?}"),
        }
    }

    fn findings(&mut self) -> String {
        match self.receive() {
            Message::Notification(it) if it.method == "textDocument/publishDiagnostics" => {
                pretty(&it.params["diagnostics"])
            }
            other => panic!("findings were expected, and {other:?} came"),
        }
    }

    fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(PATIENCE).expect("the server answers")
    }

    fn exit(&mut self) -> String {
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("the server ends once");
        let asked = server.join().expect("the server does not panic").expect("nothing is lost");
        format!("  the end was asked for before: {asked}\n")
    }
}

fn uri(file: &str) -> String {
    format!("file:///games/{file}")
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let character = before[start..].encode_utf16().count();
    json!({ "line": before.matches('\n').count(), "character": character })
}

/// Items of an answer, one a line.
fn lines(answer: &Value, line: impl FnMut(&Value) -> String) -> String {
    let items = answer.as_array().into_iter().flatten().map(line);
    items.fold(String::new(), |out, line| out + "  " + line.trim_end() + "\n")
}

fn actions(answer: &Value) -> String {
    lines(answer, |action| {
        let edits = &action["edit"]["documentChanges"][0];
        let (file, edit) = (&edits["textDocument"]["uri"], &edits["edits"][0]);
        let range = short(&edit["range"]);
        format!("{}: {range} of {file} becomes {}", action["title"], edit["newText"])
    })
}

fn folds(answer: &Value) -> String {
    lines(answer, |fold| {
        let kind = fold["kind"].as_str().unwrap_or_default();
        format!("{} to {} {kind}", fold["startLine"], fold["endLine"])
    })
}

fn lenses(answer: &Value) -> String {
    lines(answer, |lens| {
        let command = &lens["command"];
        let line = &lens["range"]["start"]["line"];
        format!("{line}: {} {} {}", command["title"], command["command"], command["arguments"])
    })
}

/// The forms of a call, with the parameter that is being written in front.
fn signatures(answer: &Value) -> String {
    let active = &answer["activeParameter"];
    lines(&answer["signatures"], |form| {
        let at = usize::try_from(active.as_u64().unwrap_or_default()).expect("there are few");
        let label = form["label"].as_str().expect("a form has a label");
        let now = &form["parameters"][at]["label"];
        let now = |end: usize| usize::try_from(now[end].as_u64().unwrap_or_default());
        let (from, to) = (now(0).expect("it is short"), now(1).expect("it is short"));
        format!("{} of {label} {}", &label[from..to], form["documentation"]["value"])
    })
}

/// The tokens of each line: the word, its type and its modifiers.
fn tokens(answer: &Value, text: &str) -> String {
    const TYPES: [&str; 10] = [
        "comment", "string", "number", "keyword", "enum", "member", "function", "method",
        "property", "variable",
    ];
    let lines: Vec<&str> = text.lines().collect();
    let data: Vec<usize> =
        serde_json::from_value(answer["data"].clone()).expect("tokens are numbers");
    let (mut line, mut start, mut out) = (0, 0, String::new());
    for token in data.chunks(5) {
        if token[0] > 0 || out.is_empty() {
            write!(out, "\n  {}:", line + token[0]).expect("a string takes every text");
        }
        start = if token[0] > 0 { token[1] } else { start + token[1] };
        line += token[0];
        let units: Vec<u16> = lines[line].encode_utf16().skip(start).take(token[2]).collect();
        let word = String::from_utf16(&units).expect("a token is made of whole letters");
        let marks = ["", "!", "=", "!="][token[4]];
        write!(out, " {word}/{}{marks}", TYPES[token[3]]).expect("a string takes every text");
    }
    out.trim_start_matches('\n').to_owned() + "\n"
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("the step holds JSON")
}

fn pretty(value: &Value) -> String {
    let text = serde_json::to_string_pretty(&short(value)).expect("a value can be written");
    text.lines().fold(String::new(), |out, line| out + "  " + line + "\n")
}

/// A value with its ranges on one line each: line and column from 0, as editors count.
fn short(value: &Value) -> Value {
    match value {
        Value::Object(fields) if fields.contains_key("start") && fields.contains_key("end") => {
            let place = |end: &str| format!("{}:{}", fields[end]["line"], fields[end]["character"]);
            format!("{} to {}", place("start"), place("end")).into()
        }
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), short(field))).collect()
        }
        Value::Array(items) => items.iter().map(short).collect(),
        other => other.clone(),
    }
}

/// The likeliest proposals, one a line, and how many more there are.
fn completions(answer: &Value) -> String {
    const SHOWN: usize = 12;
    let items = answer.as_array().expect("proposals are a list");
    let mut out = String::new();
    for item in items.iter().take(SHOWN) {
        let (label, detail) = (&item["label"], &item["detail"]);
        let detail = detail.as_str().map(|it| format!("  {it}")).unwrap_or_default();
        let notes = item["documentation"]["value"].as_str().unwrap_or_default();
        let notes = notes.lines().next().map(|it| format!("  ({it})")).unwrap_or_default();
        let label = label.as_str().expect("a proposal has a label");
        writeln!(out, "  {label}{detail}{notes}").expect("a string takes every text");
    }
    if items.len() > SHOWN {
        writeln!(out, "  and {} more", items.len() - SHOWN).expect("a string takes every text");
    }
    out
}

fn outline(symbols: &Value, depth: usize) -> String {
    let mut out = String::new();
    for symbol in symbols.as_array().into_iter().flatten() {
        let name = symbol["name"].as_str().expect("a symbol has a name");
        let (kind, line) = (&symbol["kind"], &symbol["selectionRange"]["start"]["line"]);
        let indent = "  ".repeat(depth + 1);
        writeln!(out, "{indent}{name}  kind {kind}, line {line}").expect("a string takes it");
        out += &outline(&symbol["children"], depth + 1);
    }
    out
}

/// The names in a text, comments and texts in quotes aside, with their offsets.
fn names(text: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut quoted = false;
        let mut begun = None;
        for (at, letter) in line.char_indices() {
            let part = letter.is_ascii_alphanumeric() || letter == '_';
            if !part && let Some(from) = begun.take() {
                names.push((start + from, &line[from..at]));
            }
            match letter {
                '"' => quoted = !quoted,
                '#' if !quoted => break,
                _ if part && !quoted && begun.is_none() => begun = Some(at),
                _ => {}
            }
        }
        start += line.len();
    }
    names.retain(|(_, name)| !name.starts_with(|letter: char| letter.is_ascii_digit()));
    names
}

fn games() -> Vec<std::path::PathBuf> {
    let folders = ["games", "examples", "tests/games"];
    let found = folders.iter().flat_map(|folder| files(folder, "game"));
    // What games share is no game.
    found.filter(|path| !path.iter().any(|part| part == "lib")).collect()
}

fn document(path: &Path) -> Document {
    let (name, text) = (path.display().to_string(), read(path));
    Document::read(&OpenedFile { name: &name, text: &text, folder: &Beside(&name) })
}

#[test]
fn every_name_of_every_game_is_known() {
    for path in games() {
        let text = read(&path);
        let document = document(&path);
        assert!(!document.diagnostics().has_errors(), "{} is wrong", path.display());
        for (at, name) in names(&text) {
            if find_word(name).is_some() || is_told_elsewhere(&text, at, name) {
                continue;
            }
            let known = document.hover(at + 1).is_some();
            let line = text[..at].matches('\n').count() + 1;
            assert!(known, "{}:{line}: nothing is known of `{name}`", path.display());
        }
    }
}

/// Names that mean nothing but themselves: those of moves and measures, headings of titles.
fn is_told_elsewhere(text: &str, at: usize, name: &str) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..at].trim();
    let move_name = line.is_empty() || line.ends_with(['{', ';', '}']);
    let named = ["or", "measure"].iter().any(|word| line.ends_with(word));
    let picked = line.contains("choose") && text[at + name.len()..].starts_with(" from ");
    let named = named || line.starts_with("extend moves");
    // Quotes in the holes of a text hide where it ends.
    let colour = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
    let shown = ["title", "_"].contains(&name) || colour.contains(&name);
    move_name || named || picked || shown || line.contains("{if ")
}

#[test]
fn everything_that_is_declared_can_be_renamed() {
    for name in ["games/glasshouse.game", "games/mirrored_isles.game"] {
        let path = root().join("tests").join(name);
        let text = read(&path);
        let document = document(&path);
        let mut renamed = 0;
        for (at, name) in names(&text) {
            let declared = document.definition(at + 1);
            if declared.is_none_or(|span| span.start as usize != at) {
                continue;
            }
            let capital = name.starts_with(|letter: char| letter.is_ascii_uppercase());
            let other = if capital { "Otherwise" } else { "called_otherwise" };
            let places = document.rename(at + 1, other);
            assert!(places.is_ok(), "{}: `{name}`: {places:?}", path.display());
            renamed += 1;
        }
        assert!(renamed > 20, "{} declares only {renamed} names", path.display());
    }
}

#[test]
fn the_words_of_the_grammar_are_known() {
    for name in keywords() {
        assert!(find_word(&name).is_some(), "src/editor/words.rs does not know `{name}`");
    }
}

#[test]
fn the_grammar_for_editors_has_the_same_words() {
    let drawn = coloured_words();
    let known = keywords();
    let lacking: Vec<&String> = known.iter().filter(|word| !drawn.contains(word)).collect();
    assert!(lacking.is_empty(), "the grammar for editors lacks {lacking:?}");
    let idle: Vec<&String> = drawn.iter().filter(|name| find_word(name).is_none()).collect();
    assert!(idle.is_empty(), "the grammar for editors has {idle:?}, which the language has not");
    let mut once = drawn.clone();
    once.dedup();
    assert_eq!(once, drawn, "a word stands twice in the grammar for editors");
}

/// The tree-sitter grammars take their words from the `TextMate` grammar when they are generated; the generated
/// files are those of today's words, and the scanner knows the words that begin a declaration.
#[test]
fn the_tree_sitter_grammars_have_the_same_words() {
    let folder = root().join("docs/editor/tree-sitter-astragal");
    for name in ["astragal", "astragal_script"] {
        let text = read(&folder.join(name).join("src/grammar.json"));
        let grammar: Value = serde_json::from_str(&text).expect("the generated grammar is JSON");
        let rules = grammar["rules"].as_object().expect("named rules");
        let of = |ending: &str| -> Vec<String> {
            let groups = rules.iter().filter(|(name, _)| name.ends_with(ending));
            let mut words: Vec<String> = groups.flat_map(|(_, rule)| strings(rule)).collect();
            words.sort();
            words
        };
        let reserved = of("_reserved");
        assert_eq!(reserved, reserved_words(), "{name}: `npm run grammar` generates it anew");
        let mut all = of("_contextual");
        all.extend(reserved);
        all.sort();
        assert_eq!(all, coloured_words(), "{name}: `npm run grammar` generates it anew");
    }
    let scanner = read(&folder.join("astragal/src/scanner.c"));
    let list = scanner.split("} DECLARATIONS[]").nth(1).expect("the words of declarations");
    let list = list.split("};").next().expect("their end");
    let begins: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(begins, DECLARATIONS.iter().copied().collect());
}

/// The words of the language that the `TextMate` grammar colours, with those that stand twice.
fn coloured_words() -> Vec<String> {
    let text = read(&root().join("docs/editor/syntaxes/astragal.tmLanguage.json"));
    let grammar: Value = serde_json::from_str(&text).expect("the grammar for editors is JSON");
    let mut words: Vec<String> = Vec::new();
    for rule in grammar["repository"]["words"]["patterns"].as_array().expect("a list of patterns") {
        let pattern = rule["match"].as_str().expect("a pattern");
        let list = pattern.trim_start_matches("\\b(").trim_end_matches(")\\b");
        words.extend(list.split('|').map(str::to_owned));
    }
    words.sort();
    words
}

/// The texts that a rule of a generated tree-sitter grammar holds.
fn strings(rule: &Value) -> Vec<String> {
    match rule {
        Value::Object(fields) if fields.get("type") == Some(&json!("STRING")) => {
            vec![fields["value"].as_str().expect("a text").to_owned()]
        }
        Value::Object(fields) => fields.values().flat_map(strings).collect(),
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

/// Every line of a script has its colour: the grammar for editors knows the words and signs that lines
/// begin with, as the page about scripts lists them.
#[test]
fn the_grammar_of_scripts_has_every_line() {
    let text = read(&root().join("docs/editor/syntaxes/astragal-script.tmLanguage.json"));
    let grammar: Value = serde_json::from_str(&text).expect("the grammar of scripts is JSON");
    let named = grammar["repository"].as_object().expect("named patterns");
    let top = grammar["patterns"].as_array().expect("a list of patterns");
    let used: Vec<&str> = top.iter().filter_map(|it| it["include"].as_str()).collect();
    assert_eq!(used.len(), named.len(), "each named pattern is used once");
    let mut starts = String::new();
    for include in used {
        for pattern in named[&include[1..]]["patterns"].as_array().expect("a list of patterns") {
            let start = pattern["match"].as_str().or(pattern["begin"].as_str());
            starts.push_str(start.expect("a pattern has a start"));
            starts.push('\n');
        }
    }
    let text =
        read(&root().join("docs/editor/tree-sitter-astragal/astragal_script/src/grammar.json"));
    let generated: Value = serde_json::from_str(&text).expect("the generated grammar is JSON");
    let rules = generated["rules"].as_object().expect("named rules");
    let lines = rules.iter().filter(|(name, _)| !name.ends_with("_contextual"));
    let first_words: BTreeSet<String> = lines.flat_map(|(_, rule)| strings(rule)).collect();
    let page = read(&root().join("docs/scripts.md"));
    let table = page.split("## The lines").nth(1).expect("a part about the lines");
    let table = table.split("\n## ").next().expect("its text");
    let lines = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut count = 0;
    for line in lines {
        let word = line.split([' ', '`']).next().expect("a first word");
        // `NAME> move` is any name.
        let word = word.strip_prefix("NAME").unwrap_or(word);
        let escaped = word.replace('*', "\\*").replace('?', "\\?");
        assert!(starts.contains(&escaped), "no colour for lines with `{word}`:\n{starts}");
        let is_word = word.starts_with(|letter: char| letter.is_ascii_lowercase());
        assert!(!is_word || first_words.contains(word), "no node for lines with `{word}`");
        count += 1;
    }
    assert!(count > 10, "only {count} lines were found");
}

/// What the manifest of the extension names lies in the folder, or is built into it; and each language
/// has its colours.
#[test]
fn the_extension_has_what_its_manifest_names() {
    let folder = root().join("docs/editor");
    let manifest: Value = serde_json::from_str(&read(&folder.join("package.json"))).expect("JSON");
    let (maker, ignored) = (read(&folder.join("build.js")), read(&folder.join(".gitignore")));
    let words = |list: &Value| -> Vec<String> {
        let words = list.as_array().expect("a list").iter();
        words.map(|word| word.as_str().expect("a word").to_owned()).collect()
    };
    let packed = words(&manifest["files"]);
    let is_packed = |path: &str| {
        let path = path.trim_start_matches("./");
        packed.iter().any(|name| match name.split_once('*') {
            Some((before, behind)) => path.starts_with(before) && path.ends_with(behind),
            None => name == path,
        })
    };
    for name in packed.iter().filter(|name| !name.contains('*')) {
        let built = maker.contains(&format!("\"{name}\""))
            && ignored.contains(name.split('/').next().expect("a name"));
        assert!(built || folder.join(name).exists(), "nothing makes `{name}`");
    }
    let contributes = &manifest["contributes"];
    let grammars = contributes["grammars"].as_array().expect("a list of grammars");
    for language in contributes["languages"].as_array().expect("a list of languages") {
        let colours = grammars.iter().find(|grammar| grammar["language"] == language["id"]);
        let colours = colours.unwrap_or_else(|| panic!("no colours for {}", language["id"]));
        for path in [&language["configuration"], &colours["path"]] {
            let path = path.as_str().expect("a path");
            assert!(
                folder.join(path).exists() && is_packed(path),
                "`{path}` is not in the package"
            );
        }
        let grammar = read(&folder.join(colours["path"].as_str().expect("a path")));
        let grammar: Value = serde_json::from_str(&grammar).expect("a grammar is JSON");
        assert_eq!(grammar["scopeName"], colours["scopeName"]);
    }
    let main = manifest["main"].as_str().expect("the code");
    assert!(is_packed(main), "`{main}` is not in the package");
    // It is bundled, so nothing else is needed when it runs.
    assert!(manifest["dependencies"].is_null(), "the package would hold these too");
    // Pages are read where the package is, without the project around it.
    assert!(!read(&folder.join("README.md")).contains("](../"), "a link leads out of the package");
}

/// The words of the language, from its grammar.
fn keywords() -> Vec<String> {
    let mut keywords = Vec::new();
    for path in files("grammar", "pest") {
        let text = read(&path);
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let quoted = line.split('"').skip(1).step_by(2);
            let is_word = |word: &&str| {
                word.len() > 1 && word.chars().all(|letter| letter.is_ascii_lowercase())
            };
            keywords.extend(quoted.filter(is_word).map(str::to_owned));
        }
    }
    keywords.sort();
    keywords.dedup();
    assert!(keywords.len() > 80, "only {keywords:?} were found");
    keywords
}

/// What the program says to bytes from an editor, and how it ends.
fn told(bytes: &[u8]) -> (String, Option<i32>) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_astragal"));
    command.arg("lsp").stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the program can be started");
    let mut input = child.stdin.take().expect("it was piped");
    let bytes = bytes.to_owned();
    thread::spawn(move || drop(std::io::Write::write_all(&mut input, &bytes)));
    let ran = child.wait_with_output().expect("the program ends");
    (String::from_utf8_lossy(&ran.stdout).into_owned(), ran.status.code())
}

/// A message as it is sent.
fn framed(text: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
}

#[test]
fn a_bad_message_harms_no_other() {
    let first =
        framed(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
    let rest = [
        framed(r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#),
        framed(r#"{"jsonrpc":"2.0","id":7,"method":"shutdown"}"#),
        framed(r#"{"jsonrpc":"2.0","method":"exit"}"#),
    ];
    let rest = rest.concat();
    let long = vec![b'x'; 70 << 20];
    let bad: [(&str, Vec<u8>); 7] = [
        ("no JSON", framed("{ nonsense")),
        ("no text", [b"Content-Length: 2\r\n\r\n".as_slice(), &[0xff, 0xfe]].concat()),
        ("no message", framed("[1, 2]")),
        ("no length", b"Content-Type: x\r\n\r\n".to_vec()),
        ("no number", b"Content-Length: many\r\n\r\n".to_vec()),
        ("no header", b"nonsense\r\n\r\n".to_vec()),
        (
            "too long",
            [format!("Content-Length: {}\r\n\r\n", long.len()).as_bytes(), &long].concat(),
        ),
    ];
    for (what, bytes) in bad {
        let (output, exit) = told(&[first.as_slice(), &bytes, &rest].concat());
        assert!(
            output.contains(r#""id":null"#) && output.contains("\"error\""),
            "{what}: {output}"
        );
        assert!(output.contains(r#""id":7"#), "{what}: {output}");
        assert_eq!(exit, Some(0), "{what}: {output}");
    }
}

#[test]
fn nothing_is_set_aside_for_what_a_header_says() {
    for length in ["18446744073709551615", "99999999999999999999999", "1099511627776"] {
        let bytes = format!("Content-Length: {length}\r\n\r\n{{}}");
        let (output, exit) = told(bytes.as_bytes());
        assert!(output.contains("\"error\""), "{length}: {output}");
        assert_eq!(exit, Some(1), "{length}");
    }
    let (output, exit) = told(&vec![b'x'; 1 << 20]);
    assert!(exit == Some(1) && output.len() < 1000, "{output}");
}
