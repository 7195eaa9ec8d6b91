//! The page's types of messages and answers, `web/src/model.ts`, follow from those here. `ASTRAGAL_MODEL=1` writes
//! them anew.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};

use regex_lite::Regex;
use similar::TextDiff;
use ts_rs::{Config, TS, TypeVisitor};

use super::{Ask, Engine, MessageRefusal};
use crate::game::Player;

const HEAD: &str = "\
// What the engine is asked and answers, by the types in Rust: `ASTRAGAL_MODEL=1 cargo test --lib messages` writes
// this file. docs/view.md describes the `TableView`.
";

/// Declarations in TypeScript by their names, with all that they are made of.
pub(super) struct PageTypes {
    config: Config,
    seen: BTreeSet<TypeId>,
    declared: BTreeMap<String, String>,
    answers: Vec<String>,
}

impl TypeVisitor for PageTypes {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        if T::output_path().is_some() {
            let (name, text) = (T::ident(&self.config), laid_out(&T::decl(&self.config)));
            let earlier = self.declared.insert(name, text.clone());
            assert!(earlier.is_none_or(|it| it == text), "two types have one name: {text}");
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

impl PageTypes {
    /// Notes the type of an answer; the function is not called.
    pub(super) fn answer<T: TS + 'static>(
        &mut self,
        ask: &str,
        _: impl FnOnce(Ask) -> Result<T, MessageRefusal>,
    ) {
        self.visit::<T>();
        self.answers.push(format!("{}: {}", ask.to_lowercase(), T::name(&self.config)));
    }

    fn declare_answers(&mut self, name: &str) {
        let fields = std::mem::take(&mut self.answers).join(", ");
        self.declared.insert(name.to_owned(), laid_out(&format!("type {name} = {{ {fields}, }};")));
    }
}

/// A declaration without comments, with a line for each field, or for each alternative.
fn laid_out(declaration: &str) -> String {
    let pattern = |text| Regex::new(text).expect("a regular expression");
    let code = pattern(r"(?s)\n/\*\*.*?\*/\n").replace_all(declaration, "");
    let code = if code.contains(" | {") || code.contains("} | ") {
        code.replace(" | {", "\n  | {")
    } else {
        pattern(r"([{,]) (\w+\??: )").replace_all(&code, "$1\n  $2").replace(", };", ",\n};")
    };
    format!("\nexport {}\n", code.trim_end_matches(';'))
}

#[test]
fn the_page_has_the_types_of_all_messages_and_answers() {
    let mut types = PageTypes {
        config: Config::new().with_large_int("number"),
        seen: BTreeSet::new(),
        declared: BTreeMap::new(),
        answers: Vec::new(),
    };
    let mut engine = Engine::new(|| 0);
    types.visit::<Ask>();
    super::dispatch_types(&mut engine, &mut types);
    types.declare_answers("Answers");
    super::dispatch_seat_types(&mut engine, Some(Player(0)), &mut types);
    types.declare_answers("SeatAnswers");
    let text = format!("{HEAD}{}", types.declared.into_values().collect::<String>());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/web/src/model.ts");
    if std::env::var_os("ASTRAGAL_MODEL").is_some() {
        std::fs::write(path, text).expect("the types can be written");
    } else {
        let kept = std::fs::read(path).expect("the types can be read");
        let kept = String::from_utf8_lossy(&kept).replace("\r\n", "\n");
        let changes = TextDiff::from_lines(kept.as_str(), &text).unified_diff().to_string();
        assert!(
            kept == text,
            "`ASTRAGAL_MODEL=1 cargo test --lib messages` writes it anew:\n{changes}"
        );
    }
}
