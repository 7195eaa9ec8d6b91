//! What a word of the rules means, as the rules say it: their notes, forms, tables and conditions.

use std::collections::BTreeSet;

use crate::check::rules::{
    Choose, Clause, Column, GameOption, Kind, LocalId, Member, MoveOption, PLAYER, Rule, Shape,
    Type, Value,
};
use crate::check::visit::visit_choices;
use crate::compile::value_text;
use crate::game::Game;
use crate::source::Span;

/// A piece of help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A line of text.
    Line(String),
    /// Rows of cells.
    Grid(Vec<Vec<String>>),
}

/// What a word means: everything that is called so; nothing if nothing is.
pub fn about(game: &Game, word: &str) -> Vec<Block> {
    let (about, mut blocks) = (About { game }, Vec::new());
    about.moves(word, &mut blocks);
    about.kinds(word, &mut blocks);
    about.members(word, &mut blocks);
    about.others(word, &mut blocks);
    blocks
}

/// Everything that help can be asked about: names of moves, kinds and their members, rules,
/// options, variables, tables, constants.
pub fn topics(game: &Game) -> Vec<String> {
    let rules = game.rules();
    let mut topics: Vec<String> = Vec::new();
    for rule in &rules.rules {
        visit_choices(&rule.body, &mut |choose| {
            topics.extend(choose.options.iter().map(|option| option.name.clone()));
            topics.extend(choose.decline.iter().map(|decline| decline.name.clone()));
        });
    }
    for kind in rules.kinds.iter().filter(|kind| is_named(kind)) {
        topics.push(kind.name.clone());
        topics.extend(kind.members.iter().map(|member| member.name.clone()));
    }
    topics.extend(rules.rules.iter().filter(|rule| is_ordinary(rule)).map(|r| r.name.clone()));
    topics.extend(rules.options.iter().map(|option| option.name.clone()));
    topics.extend(rules.vars.iter().map(|var| var.name.clone()));
    let tables = rules.tables.iter().filter(|table| !table.is_computed());
    topics.extend(tables.map(|table| table.name.clone()));
    topics.extend(rules.constants.iter().map(|constant| constant.name.clone()));
    topics.sort();
    topics.dedup();
    topics
}

fn is_named(kind: &Kind) -> bool {
    kind.name.starts_with(char::is_alphabetic) && !matches!(kind.shape, Shape::Lines(_))
}

/// Whether a rule has a name of its own, unlike the flows.
fn is_ordinary(rule: &Rule) -> bool {
    !matches!(rule.name.as_str(), "setup" | "play" | "limit")
}

struct About<'a> {
    game: &'a Game,
}

impl About<'_> {
    /// A text of the rules, on one line.
    fn text(&self, span: Span) -> String {
        let source = self.game.sources().find(span);
        let text = source.map_or("", |source| source.slice(span));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The line on which something is declared, without the brace at its end.
    fn declared(&self, span: Span) -> String {
        let Some(source) = self.game.sources().find(span) else { return String::new() };
        let at = (span.start as usize).saturating_sub(source.base).min(source.text.len());
        let start = source.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = source.text[start..].lines().next().unwrap_or_default();
        line.trim().trim_end_matches('{').trim_end().to_owned()
    }

    fn moves(&self, word: &str, blocks: &mut Vec<Block>) {
        // An option of a group is told once, wherever it is offered.
        let mut told = BTreeSet::new();
        for rule in &self.game.rules().rules {
            visit_choices(&rule.body, &mut |choose| {
                for option in choose.options.iter().filter(|option| option.name == word) {
                    if told.insert(option.span) {
                        self.option_of(rule, option, blocks);
                    }
                }
                self.decline(choose, word, blocks);
            });
        }
    }

    fn option_of(&self, rule: &Rule, option: &MoveOption, blocks: &mut Vec<Block>) {
        blocks.push(Block::Line(format!("move `{}`", form(rule, option))));
        blocks.extend(notes(&option.notes));
        let own = option.clauses.iter().filter(|clause| !is_given(clause, option.span));
        let clauses = own.map(|clause| self.clause(rule, clause));
        blocks.extend(clauses.map(|clause| Block::Line(format!("  {clause}"))));
    }

    fn decline(&self, choose: &Choose, word: &str, blocks: &mut Vec<Block>) {
        for decline in choose.decline.iter().filter(|decline| decline.name == word) {
            blocks.push(Block::Line(format!("move `{word}`: none of the others")));
            if let Some(condition) = &decline.condition {
                blocks.push(Block::Line(format!("  when {}", self.text(condition.span))));
            }
        }
    }

    fn clause(&self, rule: &Rule, clause: &Clause) -> String {
        let binder = |word: &str, binder: &crate::check::rules::Binder| {
            let set = self.text(binder.set.span);
            let name = local(rule, binder.local);
            match &binder.condition {
                Some(condition) => {
                    format!("{word} {name} in {set} where {}", self.text(condition.span))
                }
                None => format!("{word} {name} in {set}"),
            }
        };
        match clause {
            Clause::For(of) => binder("for", of),
            Clause::Maybe(of) => binder("maybe", of),
            Clause::Let(id, value) => {
                format!("let {} = {}", local(rule, *id), self.text(value.span))
            }
            Clause::When(condition) => format!("when {}", self.text(condition.span)),
        }
    }

    fn kinds(&self, word: &str, blocks: &mut Vec<Block>) {
        let kinds = &self.game.rules().kinds;
        for (at, kind) in kinds.iter().enumerate().filter(|(_, kind)| kind.name == word) {
            if at == PLAYER.index() {
                let names = self.game.names().join(", ");
                blocks.push(Block::Line(format!("kind `Player`: {names}")));
                continue;
            }
            if let Shape::Cards(face) = kind.shape {
                let (face, count) = (&kinds[face.index()].name, kind.members.len());
                let (name, title) = (&kind.name, titled(kind));
                blocks.push(Block::Line(format!("cards `{name}`{title} of `{face}`: {count}")));
                blocks.extend(notes(&kind.notes));
                continue;
            }
            blocks.push(Block::Line(format!("kind `{}`{}", kind.name, titled(kind))));
            blocks.extend(notes(&kind.notes));
            match kind.shape {
                Shape::Grid { columns, .. } => self.board(kind, columns, blocks),
                _ => blocks.push(Block::Grid(self.members_of(kind))),
            }
        }
    }

    /// The cells of a grid as they lie, then each of its attributes in the same way.
    fn board(&self, kind: &Kind, columns: usize, blocks: &mut Vec<Block>) {
        let rows_of = |words: Vec<String>| {
            let row = |row: &[String]| {
                let indented = row.iter().enumerate();
                indented
                    .map(|(at, it)| if at == 0 { format!("  {it}") } else { it.clone() })
                    .collect()
            };
            Block::Grid(words.chunks(columns.max(1)).map(row).collect())
        };
        let names = kind.members.iter().map(|member| member.name.clone());
        blocks.push(rows_of(names.collect()));
        // The numbers of the row and the column are told by the names of the cells.
        let places = ["column", "row"];
        for column in kind.named_columns().filter(|it| !places.contains(&it.name.as_str())) {
            blocks.push(Block::Line(format!("  {}", column.name)));
            let cells = (0..kind.members.len()).map(|at| self.cell(column, at));
            blocks.push(rows_of(cells.collect()));
        }
    }

    /// A heading, then a row for each member: its name, its cells, and its title if it says more.
    fn members_of(&self, kind: &Kind) -> Vec<Vec<String>> {
        let with_titles = kind.members.iter().any(says_more);
        let mut heading = vec![String::new()];
        heading.extend(kind.named_columns().map(|column| column.name.clone()));
        let own = kind.own().into_iter();
        let rows = own.map(|at| (at, &kind.members[at])).map(|(at, member)| {
            let mut row = vec![format!("  {}", member.name)];
            row.extend(kind.named_columns().map(|column| self.cell(column, at)));
            if with_titles {
                row.push(format!("\"{}\"", member.title));
            }
            row
        });
        let mut rows: Vec<Vec<String>> = rows.collect();
        if kind.named_columns().next().is_some() {
            rows.insert(0, heading);
        }
        rows
    }

    fn cell(&self, column: &Column, member: usize) -> String {
        match column.cells.get(member) {
            None | Some(Value::None) => "-".to_owned(),
            Some(value) => value_text(self.game.rules(), &column.ty, value),
        }
    }

    fn members(&self, word: &str, blocks: &mut Vec<Block>) {
        let kinds = self.game.rules().kinds.iter();
        let own = kinds.filter(|kind| is_named(kind) && !matches!(kind.shape, Shape::Cards(_)));
        for kind in own {
            let Some(at) = kind.members.iter().position(|member| member.name == word) else {
                continue;
            };
            let (texts, columns): (Vec<&Column>, Vec<&Column>) =
                kind.named_columns().partition(|column| column.ty == Type::Text);
            let cells: Vec<String> =
                columns.iter().map(|c| format!("{} {}", c.name, self.cell(c, at))).collect();
            let cells =
                if cells.is_empty() { String::new() } else { format!(": {}", cells.join(", ")) };
            let kind_name = &kind.name;
            blocks.push(Block::Line(format!("member `{word}` of `{kind_name}`{cells}")));
            let texts = texts.iter().filter(|column| column.cells.get(at) != Some(&Value::None));
            blocks.extend(texts.map(|it| Block::Line(format!("  {}", self.cell(it, at)))));
            blocks.extend(notes(&kind.members[at].notes));
        }
    }

    /// Rules, options, variables, tables and constants: as they are declared, with their notes.
    fn others(&self, word: &str, blocks: &mut Vec<Block>) {
        let rules = self.game.rules();
        for rule in rules.rules.iter().filter(|rule| is_ordinary(rule) && rule.name == word) {
            blocks.push(Block::Line(self.declared(rule.span)));
            blocks.extend(notes(&rule.notes));
        }
        for option in rules.options.iter().filter(|option| option.name == word) {
            self.option(option, blocks);
        }
        let vars = rules.vars.iter().map(|var| (&var.name, var.span, &var.title, &var.notes));
        let tables = rules.tables.iter().map(|t| (&t.name, t.span, &t.title, &t.notes));
        for (_, span, title, lines) in vars.chain(tables).filter(|(name, ..)| *name == word) {
            let declared = self.declared(span);
            let shown = if declared.contains(title.as_str()) || *title == word.replace('_', " ") {
                declared
            } else {
                format!("{declared}  \"{title}\"")
            };
            blocks.push(Block::Line(shown));
            blocks.extend(notes(lines));
        }
        for constant in rules.constants.iter().filter(|constant| constant.name == word) {
            blocks.push(Block::Line(self.declared(constant.span)));
        }
    }

    fn option(&self, option: &GameOption, blocks: &mut Vec<Block>) {
        blocks.push(Block::Line(self.declared(option.span)));
        blocks.extend(notes(&option.notes));
        let values = self.game.info().options.iter();
        if let Some((_, value)) = values.into_iter().find(|(name, _)| *name == option.name) {
            blocks.push(Block::Line(format!("  in this game it is {value}")));
        }
    }
}

/// Whether a clause is what the group of the option was given, not a part of the option.
fn is_given(clause: &Clause, option: Span) -> bool {
    let Clause::Let(_, value) = clause else { return false };
    value.span.start < option.start || option.end < value.span.end
}

fn notes(lines: &[String]) -> Vec<Block> {
    lines.iter().map(|line| Block::Line(format!("  {line}"))).collect()
}

fn titled(kind: &Kind) -> String {
    let plain = kind.title.is_empty() || kind.title == kind.name;
    if plain { String::new() } else { format!(" \"{}\"", kind.title) }
}

fn says_more(member: &Member) -> bool {
    !member.title.is_empty() && member.title != member.name.replace('_', " ")
}

/// How a move is typed: `raid ship harbour [crew]`.
fn form(rule: &Rule, option: &MoveOption) -> String {
    let mut form = option.name.clone();
    for param in &option.params {
        let optional = option
            .clauses
            .iter()
            .any(|clause| matches!(clause, Clause::Maybe(binder) if binder.local == *param));
        let (open, close) = if optional { ("[", "]") } else { ("", "") };
        form.extend([" ", open, local(rule, *param), close]);
    }
    form
}

fn local(rule: &Rule, id: LocalId) -> &str {
    rule.locals.get(id.index()).map_or("?", |local| local.name.as_str())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Block, about, topics};
    use crate::check::check;
    use crate::check::rules::Value;
    use crate::compile::{Specialisation, compile};
    use crate::game::Game;
    use crate::source::Sources;
    use crate::syntax::parse;

    const RULES: &str = r#"game "Trees" {
  players 2
}
option goal = 3 "rings that win"
kind Tree {
       rings  big
  oak  5      yes
  elm  -      no
}
board Field 3 by 2 {
  wet { yes no yes
        no  no yes }
}
each player has { wood: 0.. = 0 }
## Grows a little.
rule grow(p: Player, t: Tree) { p.wood += 1 }
play {
  turns me from Player.first {
    choose me {
      ## Cuts it down.
      cut(t) for t in Tree where t.big when me.wood < goal {
        grow(me, t)
        if me.wood >= goal { finish win me }
      }
    }
    or rest { }
  }
}
"#;

    fn game() -> Game {
        let mut sources = Sources::default();
        let (ast, _) = parse(sources.add("trees.game", RULES));
        let rules = Arc::new(check(&ast).rules.unwrap());
        let setting = Specialisation { players: 2, options: vec![Value::Int(3)] };
        let compiled = compile(&rules, &setting, &sources).unwrap();
        Game::new(rules, Arc::new(sources), setting, compiled)
    }

    fn lines(word: &str) -> Vec<String> {
        let blocks = about(&game(), word);
        let line = |block: &Block| match block {
            Block::Line(line) => vec![line.clone()],
            Block::Grid(rows) => rows.iter().map(|row| row.join("|")).collect(),
        };
        blocks.iter().flat_map(line).collect()
    }

    #[test]
    fn a_move_comes_with_its_form_notes_and_conditions() {
        assert_eq!(
            lines("cut"),
            [
                "move `cut t`",
                "  Cuts it down.",
                "  for t in Tree where t.big",
                "  when me.wood < goal"
            ]
        );
        assert_eq!(lines("rest"), ["move `rest`: none of the others"]);
    }

    #[test]
    fn a_kind_is_a_table() {
        assert_eq!(lines("Tree"), ["kind `Tree`", "|rings|big", "  oak|5|yes", "  elm|-|no"]);
        assert_eq!(lines("oak"), ["member `oak` of `Tree`: rings 5, big yes"]);
        assert_eq!(lines("Player"), ["kind `Player`: P1, P2"]);
    }

    #[test]
    fn a_grid_is_drawn_as_its_cells_lie() {
        assert_eq!(
            lines("Field"),
            ["kind `Field`", "  a1|b1|c1", "  a2|b2|c2", "  wet", "  yes|no|yes", "  no|no|yes"]
        );
    }

    #[test]
    fn everything_else_is_shown_as_it_is_declared() {
        assert_eq!(
            lines("grow"),
            ["rule grow(p: Player, t: Tree) { p.wood += 1 }", "  Grows a little."]
        );
        assert_eq!(lines("goal"), ["option goal = 3 \"rings that win\"", "  in this game it is 3"]);
        assert!(lines("wood")[0].contains("wood: 0.. = 0"));
    }

    #[test]
    fn strangers_are_nothing() {
        assert!(topics(&game()).contains(&"cut".to_owned()));
        assert!(lines("dragonfly").is_empty());
    }
}
