//! Draws any value as an indented tree for people, from what its `Debug` says.
//!
//! Places in the text, absent fields and empty lists are left out, and an id is shown by the name
//! of what it stands for. A node that fits is one line.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write};

/// How long a line may be before its parts get lines of their own.
const WIDTH: usize = 100;

/// The tree of a value: the same for two values that differ only in their places.
pub fn dump(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    let mut tree = DumpReader { rest: &text }.node();
    let mut lists = tree.parts.iter().map(|(field, list)| (*field, list.part_names())).collect();
    tree.name_ids(&mut lists);
    let mut out = String::new();
    tree.write_lines("", 0, &mut out);
    out
}

/// What only wraps a word, a number or a text.
const WRAPPERS: [&str; 4] = ["Name", "Number", "Int", "Words"];

/// How the parts of a node are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeForm {
    Leaf,
    /// `Name(part, field: part)`
    Node,
    /// `[part, part]`
    List,
}

type FieldNames<'a> = Vec<Option<&'a str>>;

#[derive(Debug)]
struct DumpNode<'a> {
    name: &'a str,
    form: NodeForm,
    /// The parts; those of a tuple or a list have no field.
    parts: Vec<(&'a str, DumpNode<'a>)>,
}

impl<'a> DumpNode<'a> {
    fn leaf(name: &'a str) -> DumpNode<'a> {
        DumpNode { name, form: NodeForm::Leaf, parts: Vec::new() }
    }

    fn is_place(&self) -> bool {
        self.name == "Span"
    }

    /// True for values that are not shown: absent or empty.
    fn is_empty(&self) -> bool {
        match self.form {
            NodeForm::Leaf => ["None", "false", "\"\""].contains(&self.name),
            NodeForm::List => self.parts.is_empty(),
            NodeForm::Node => false,
        }
    }

    /// A node without what says nothing, and without wrappers.
    fn simplify(mut self) -> DumpNode<'a> {
        if self.name == "Some" {
            // A place is left out, not that there is one.
            return self.parts.pop().map_or_else(|| DumpNode::leaf("yes"), |(_, inner)| inner);
        }
        let idle = |(field, part): &(&str, DumpNode)| {
            part.is_place() || !["", "kind"].contains(field) && part.is_empty()
        };
        self.parts.retain(|part| !idle(part));
        // Such a field says what its node is: `Expr { kind: Number(3), … }`.
        let is_kind = |(field, part): &(&str, DumpNode)| {
            *field == "kind" && part.form != NodeForm::List && !part.name.ends_with("Id")
        };
        if let Some(kind) = self.parts.iter().position(is_kind) {
            let (_, mut kind) = self.parts.remove(kind);
            kind.parts.append(&mut self.parts);
            let form = if kind.parts.is_empty() { kind.form } else { NodeForm::Node };
            return DumpNode { form, ..kind };
        }
        if let [("" | "text", part)] = self.parts.as_slice() {
            let wraps = part.form == NodeForm::Leaf && WRAPPERS.contains(&self.name);
            if wraps || part.name.strip_suffix("Decl").unwrap_or(part.name) == self.name {
                let (_, mut inner) = self.parts.remove(0);
                inner.name = if wraps { inner.name } else { self.name };
                let bare = inner.form == NodeForm::Leaf && self.name == "Name";
                return if bare { DumpNode::leaf(inner.name.trim_matches('"')) } else { inner };
            }
        }
        self
    }

    /// Puts names in the place of ids: `KindId(2)` is the third of the `kinds`.
    fn name_ids(&mut self, lists: &mut BTreeMap<&'a str, FieldNames<'a>>) {
        let id = self.name.strip_suffix("Id").filter(|_| self.form == NodeForm::Node);
        if let (Some(word), [(_, number)]) = (id, self.parts.as_slice()) {
            let list = lists.get(format!("{}s", word.to_lowercase()).as_str());
            let at = number.name.parse::<usize>().ok();
            if let Some(Some(name)) = list.zip(at).and_then(|(list, at)| list.get(at)) {
                *self = DumpNode::leaf(name);
            }
            return;
        }
        let locals = self.parts.iter().find(|(field, _)| *field == "locals");
        let outer = locals.map(|(field, list)| lists.insert(field, list.part_names()));
        self.parts.iter_mut().for_each(|(_, part)| part.name_ids(lists));
        if let Some(outer) = outer {
            lists.insert("locals", outer.unwrap_or_default());
        }
    }

    fn part_names(&self) -> FieldNames<'a> {
        let name = |of: &DumpNode<'a>| {
            let name = of.parts.iter().find(|(field, _)| *field == "name");
            name.map(|(_, name)| name.name.trim_matches('"'))
        };
        self.parts.iter().map(|(_, part)| name(part)).collect()
    }

    fn write_lines(&self, field: &str, depth: usize, out: &mut String) {
        let mut line = format!("{:1$}", "", depth * 2);
        if !field.is_empty() {
            let _ = write!(line, "{field}: ");
        }
        let head = line.len();
        self.flat(&mut line);
        if line.chars().count() <= WIDTH || self.parts.is_empty() {
            out.push_str(&line);
            out.push('\n');
            return;
        }
        line.truncate(head);
        line.push_str(self.name);
        // The first words of a node are on its line: `Binary And`.
        let words = self.parts.iter().take_while(|(field, part)| {
            part.form == NodeForm::Leaf
                && ["", "name"].contains(field)
                && self.form == NodeForm::Node
        });
        let words: Vec<&str> = words.map(|(_, part)| part.name).collect();
        words.iter().for_each(|word| line.extend([" ", word]));
        let headed = !line.trim().is_empty();
        if headed {
            out.push_str(line.trim_end());
            out.push('\n');
        }
        for (field, part) in &self.parts[words.len()..] {
            part.write_lines(field, depth + usize::from(headed), out);
        }
    }

    /// Writes it on the line, or as much as shows that it does not fit.
    fn flat(&self, line: &mut String) {
        let (open, close) = match self.form {
            NodeForm::List => ("[", "]"),
            _ if self.parts.is_empty() => ("", ""),
            _ => ("(", ")"),
        };
        line.push_str(self.name);
        line.push_str(open);
        for (at, (field, part)) in self.parts.iter().enumerate() {
            // So much does not fit, however it goes on.
            if line.len() > 4 * WIDTH {
                break;
            }
            line.push_str(if at == 0 { "" } else { ", " });
            if !field.is_empty() {
                let _ = write!(line, "{field}: ");
            }
            part.flat(line);
        }
        line.push_str(close);
    }
}

struct DumpReader<'a> {
    rest: &'a str,
}

impl<'a> DumpReader<'a> {
    fn node(&mut self) -> DumpNode<'a> {
        let name = self.read_word();
        match self.rest.as_bytes().first() {
            Some(b'[' | b'{') if name.is_empty() => {
                DumpNode { name, form: NodeForm::List, parts: self.read_parts() }
            }
            Some(b'(' | b'{') => {
                DumpNode { name, form: NodeForm::Node, parts: self.read_parts() }.simplify()
            }
            _ => DumpNode::leaf(name),
        }
    }

    /// A word up to a sign, or a text in quotes.
    fn read_word(&mut self) -> &'a str {
        let end = match self.rest.strip_prefix('"') {
            Some(text) => {
                let mut escaped = false;
                let end = text.find(|letter| {
                    let ends = letter == '"' && !escaped;
                    escaped = letter == '\\' && !escaped;
                    ends
                });
                end.map_or(self.rest.len(), |end| end + 2)
            }
            None => {
                let end = self.rest.find([',', ':', '(', ')', '[', ']', '{', '}', ' ']);
                end.unwrap_or(self.rest.len())
            }
        };
        let (word, rest) = self.rest.split_at(end);
        self.rest = if rest.starts_with(" {") { &rest[1..] } else { rest };
        word
    }

    fn read_parts(&mut self) -> Vec<(&'a str, DumpNode<'a>)> {
        let mut parts = Vec::new();
        loop {
            self.rest = self.rest[1..].trim_start();
            if self.rest.starts_with([')', ']', '}']) || self.rest.is_empty() {
                self.rest = self.rest.get(1..).unwrap_or_default();
                return parts;
            }
            let mut part = ("", self.node());
            if let Some(rest) = self.rest.strip_prefix(": ") {
                self.rest = rest;
                part = (part.1.name, self.node());
            }
            // Whole lists of places say nothing either.
            if !part.1.is_place() || !part.0.is_empty() {
                parts.push(part);
            }
            self.rest = self.rest.trim_start();
            if self.rest.starts_with([')', ']', '}']) {
                self.rest = &self.rest[1..];
                return parts;
            }
        }
    }
}
