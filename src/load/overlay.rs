//! Overlays the declarations of a variant on those of its base, and adds to groups and rules.

use super::error;
use crate::diagnostic::{Diagnostic, Diagnostics, Help};
use crate::source::Span;
use crate::suggest::{Guesses, nearest};
use crate::syntax::ast::{
    Arm, Arms, Block, CellKind, Expr, ExprKind, Game, Has, Item, ItemKind, KindBody, MoreBranches,
    MoveLine, Moves, Name, OptionItem, Owner, Phase, Rule, RuleBody, Stmt, StmtKind, Text,
    TextPart, Var, Variant,
};
use crate::syntax::print_param;

/// The declarations of a file that is no variant, those that go on with others put after them.
pub(super) fn alone(own: Vec<Item>, diagnostics: &mut Diagnostics) -> Vec<Item> {
    let (mut items, mut more) = (Vec::new(), Vec::new());
    for item in own {
        match &item.kind {
            ItemKind::Replace(_) => {
                let span = first_word(item.span, "replace");
                diagnostics.push(error::no_base(span));
            }
            ItemKind::MoreMoves(_) | ItemKind::MoreBranches(_) => more.push(item),
            _ => items.push(item),
        }
    }
    more.into_iter().for_each(|item| extend(&mut items, item, diagnostics));
    items
}

/// The base of a variant, as far as it is changed.
#[derive(Default)]
pub(super) struct Layer {
    /// Where the base is named.
    header: Span,
    pub(super) items: Vec<Item>,
    /// Names and places of what the variant replaces or extends.
    pub(super) changes: Vec<(String, Span)>,
    replaced: Vec<(String, Span)>,
    guesses: Guesses,
    pub(super) diagnostics: Diagnostics,
}

impl Layer {
    /// The base, called as the variant is.
    pub(super) fn new(item: &Item, variant: &Variant, mut items: Vec<Item>) -> Layer {
        for base in &mut items {
            if let ItemKind::Game(game) = &mut base.kind {
                game.title = game.title.as_ref().map(|title| joined(title, &variant.title));
                base.notes.splice(..0, item.notes.iter().cloned());
            }
        }
        Layer { header: item.span, items, ..Layer::default() }
    }

    /// Puts the variant's own declarations over the base.
    pub(super) fn put(&mut self, own: Vec<Item>) {
        let mut more = Vec::new();
        for item in own {
            match &item.kind {
                ItemKind::Variant(_) => {}
                ItemKind::MoreMoves(_) | ItemKind::MoreBranches(_) => more.push(item),
                ItemKind::Replace(_) => self.replace(item),
                _ => self.add(item),
            }
        }
        for item in more {
            self.changes.extend(head(&item.kind).1.map(|it| (it.text.clone(), it.span)));
            extend(&mut self.items, item, &mut self.diagnostics);
        }
    }

    /// A new declaration, or a new default of an option.
    fn add(&mut self, mut item: Item) {
        match &mut item.kind {
            ItemKind::Has(has) => self.without_known(has),
            ItemKind::Option(own) if let Some(option) = self.option(&own.name.text) => {
                option.default = own.default.clone();
                option.ty = own.ty.take().or(option.ty.take());
                option.title = own.title.take().or(option.title.take());
                return self.changes.push((own.name.text.clone(), own.name.span));
            }
            ItemKind::Extend(kind) => {
                let (name, span) = (kind.name.text.clone(), kind.name.span);
                self.changes.push((name, span));
                self.changes.extend(members(&item.kind).map(|(name, ..)| (name.to_owned(), span)));
            }
            kind => {
                if let Some(own) = identity(kind, item.span)
                    && let Some(at) = self.find(&own)
                {
                    let (earlier, span) = (shown(&self.items[at]), shown(&item));
                    let (what, help) = (own.spoken(), replacement(&own));
                    let error = error::declared_again(what, help, span, earlier);
                    return self.diagnostics.push(error);
                }
            }
        }
        self.items.push(item);
    }

    fn option(&mut self, name: &str) -> Option<&mut OptionItem> {
        self.items.iter_mut().find_map(|item| match &mut item.kind {
            ItemKind::Option(option) if option.name.text == name => Some(option),
            _ => None,
        })
    }

    /// Reports the variables that the base has, and takes them out.
    fn without_known(&mut self, has: &mut Has) {
        let who = owner(has.owner);
        has.vars.retain(|var| {
            let known =
                variables(&mut self.items, has.owner).find(|it| it.name.text == var.name.text);
            let Some(base) = known else { return true };
            self.diagnostics.push(error::declared_again(
                format!("`{}`", var.name.text),
                in_its_place(&format!("replace {who} {{ {} … }}", var.name.text)),
                var.name.span,
                base.name.span,
            ));
            false
        });
    }

    /// Where the base declares something.
    fn find(&self, own: &Identity) -> Option<usize> {
        let mut ids = self.items.iter().map(|item| identity(&item.kind, item.span));
        ids.position(|id| id.is_some_and(|id| id.word == own.word && id.name == own.name))
    }

    fn replace(&mut self, item: Item) {
        let Item { notes, kind: ItemKind::Replace(kind), span } = item else {
            unreachable!("only what replaces comes here")
        };
        match *kind {
            ItemKind::Has(has) => {
                has.vars.into_iter().for_each(|var| self.replace_var(has.owner, var));
            }
            ItemKind::Game(game) => self.replace_game(game, notes, span),
            kind => self.replace_named(Item { notes, kind, span }),
        }
    }

    fn replace_named(&mut self, item: Item) {
        let own = identity(&item.kind, item.span).expect("what can be replaced has a name");
        let has_name = !own.name.is_empty();
        let place = if has_name { own.span } else { first_word(item.span, "replace") };
        if self.is_second(own.spoken(), place) {
            return;
        }
        if let Some(at) = self.find(&own) {
            let base = self.put_at(at, item);
            let lost = members(&base.kind).map(|(name, ..)| (name.to_owned(), place));
            self.changes.extend(lost);
            return self.changes.push((own.name, place));
        }
        let guess = self.guesses.are_left();
        let ids = self.items.iter().filter(|_| guess);
        let ids: Vec<Identity> = ids.filter_map(|it| identity(&it.kind, it.span)).collect();
        let elsewhere = ids.iter().find(|id| id.name == own.name && has_name).map(|id| {
            format!("the base has a {}: write `replace {} …`", id.spoken(), id.word).into()
        });
        let alike = ids.iter().filter(|id| id.word == own.word).map(|id| id.name.as_str());
        let near = self.guesses.nearest(&own.name, alike).map(Help::did_you_mean);
        self.nothing_to_replace(own.spoken(), elsewhere.or(near), place);
    }

    /// Puts a declaration in the place of another. A rule that is called by the one in its place stays,
    /// under a name that nobody can write.
    fn put_at(&mut self, at: usize, mut item: Item) -> Item {
        let mut base = self.items[at].clone();
        let is_rule = |it: &Item, name: &str| matches!(&it.kind, ItemKind::Rule(rule) if rule.name.text == name);
        if let (ItemKind::Rule(own), ItemKind::Rule(old)) = (&mut item.kind, &mut base.kind)
            && own.base.is_some()
            && !self.items.iter().any(|it| is_rule(it, "base"))
        {
            let name = |number| match number {
                1 => format!("{} of the base", old.name.text),
                number => format!("{} of base {number}", old.name.text),
            };
            let mut names = (1..).map(name);
            let free = names.find(|name| !self.items.iter().any(|it| is_rule(it, name)));
            let name = free.expect("a file has fewer rules than there are numbers");
            (old.name.text, old.title) = (name.clone(), None);
            own.base = Some(name);
            self.items.push(base.clone());
        } else if item.notes.is_empty() {
            // Without new notes the old ones stay.
            item.notes = std::mem::take(&mut base.notes);
        }
        self.items[at] = item;
        base
    }

    /// Whether the variant replaces the same a second time.
    fn is_second(&mut self, spoken: String, span: Span) -> bool {
        if let Some((_, earlier)) = self.replaced.iter().find(|(known, _)| *known == spoken) {
            let earlier = *earlier;
            self.diagnostics.push(error::replaced_twice(spoken, span, earlier));
            return true;
        }
        self.replaced.push((spoken, span));
        false
    }

    fn nothing_to_replace(&mut self, what: String, help: Option<Help>, span: Span) {
        let help = help.unwrap_or_else(|| "leave out `replace` if it is new".into());
        let error = error::nothing_to_replace(what, help, span, self.header);
        self.diagnostics.push(error);
    }

    fn replace_var(&mut self, who: Owner, var: Var) {
        let (name, span) = (var.name.text.clone(), var.name.span);
        if self.is_second(format!("`{name}`"), span) {
            return;
        }
        if let Some(base) = variables(&mut self.items, who).find(|it| it.name.text == name) {
            let notes = if var.notes.is_empty() { base.notes.clone() } else { var.notes.clone() };
            *base = Var { notes, ..var };
            return self.changes.push((name, span));
        }
        let names = variables(&mut self.items, who).map(|it| it.name.text.as_str());
        let near = self.guesses.nearest(&name, names).map(Help::did_you_mean);
        self.nothing_to_replace(format!("`{}` with `{name}`", owner(who)), near, span);
    }

    /// The clauses that are given take the place of their likes; the others stay.
    fn replace_game(&mut self, own: Game, notes: Vec<String>, span: Span) {
        let place = first_word(span, "replace");
        if self.is_second("`game`".to_owned(), place) {
            return;
        }
        let game = self.items.iter_mut().find_map(|item| match &mut item.kind {
            ItemKind::Game(game) => Some((game, &mut item.notes)),
            _ => None,
        });
        let Some((game, base)) = game else { return };
        base.splice(..0, notes);
        game.title = own.title.or(game.title.take());
        for clause in &own.clauses {
            let like = std::mem::discriminant(clause);
            game.clauses.retain(|it| std::mem::discriminant(it) != like);
        }
        game.clauses.extend(own.clauses);
        self.changes.push((String::new(), place));
    }
}

fn variables(items: &mut [Item], who: Owner) -> impl Iterator<Item = &mut Var> {
    let blocks = items.iter_mut().filter_map(move |item| match &mut item.kind {
        ItemKind::Has(has) if has.owner == who => Some(&mut has.vars),
        _ => None,
    });
    blocks.flatten()
}

/// `Base: Variant`
fn joined(base: &Text, variant: &Text) -> Text {
    let between = vec![TextPart::Words(": ".to_owned())];
    Text {
        parts: [base.parts.clone(), between, variant.parts.clone()].concat(),
        span: variant.span,
    }
}

/// What to do with a declaration that the base has too.
fn replacement(own: &Identity) -> String {
    match (own.word, own.name.as_str()) {
        ("game", _) => "a variant has the game of its base; write `replace game { … }` to change \
                        how many play, the limit or the title"
            .to_owned(),
        (word, "") => format!("write `replace {word} {{ … }}` to put this one in its place"),
        (word, name) => in_its_place(&format!("replace {word} {name} …")),
    }
}

fn in_its_place(replacement: &str) -> String {
    format!("write `{replacement}` to put this one in its place, or take another name")
}

/// What is underlined of a declaration: its name, or its first word.
fn shown(item: &Item) -> Span {
    match head(&item.kind) {
        (_, Some(name)) => name.span,
        (word, None) => first_word(item.span, word),
    }
}

// Extensions: more options of a group, more cases of a rule.

/// Adds more options or cases to the declaration that they extend.
fn extend(items: &mut [Item], item: Item, diagnostics: &mut Diagnostics) {
    let (word, name) = match &item.kind {
        ItemKind::MoreMoves(more) => ("moves", &more.name),
        ItemKind::MoreBranches(more) => ("rule", &more.name),
        _ => return,
    };
    let extended = items.iter().position(
        |it| matches!(head(&it.kind), (known, Some(it)) if known == word && it.text == name.text),
    );
    let Some(at) = extended else {
        return diagnostics.push(unknown(word, name, items));
    };
    let done = match (&mut items[at].kind, item.kind) {
        (ItemKind::Moves(group), ItemKind::MoreMoves(more)) => more_moves(group, more),
        (ItemKind::Rule(rule), ItemKind::MoreBranches(more)) => more_branches(rule, more),
        _ => unreachable!("declarations were looked for by their first word"),
    };
    if let Err(error) = done {
        diagnostics.push(error);
    }
}

fn more_moves(group: &mut Moves, more: Moves) -> Result<(), Diagnostic> {
    let written =
        |moves: &Moves| moves.params.iter().map(print_param).collect::<Vec<_>>().join(", ");
    if written(group) != written(&more) {
        let (parameters, earlier) = (written(group), group.name.span);
        let Name { text: name, span } = more.name;
        return Err(error::parameters(name, parameters, span, earlier));
    }
    group.options.extend(more.options);
    Ok(())
}

fn more_branches(rule: &mut Rule, more: MoreBranches) -> Result<(), Diagnostic> {
    let (Name { text: name, span }, earlier) = (more.name, rule.name.span);
    let mut cases = Vec::new();
    match &mut rule.body {
        RuleBody::Value(value) => cases.extend(value_cases(value)),
        RuleBody::Block(block) => outermost_cases(block, &mut cases),
    }
    if cases.len() > 1 {
        return Err(error::several_matches(name, cases.len(), span, earlier));
    }
    match (cases.pop(), more.arms) {
        (Some(Cases::Values(arms)), Arms::Values(more)) => before_else(arms, more),
        (Some(Cases::Statements(arms)), Arms::Statements(more)) => before_else(arms, more),
        (Some(Cases::Statements(arms)), Arms::Values(more)) => {
            before_else(arms, more.into_iter().map(as_statement).collect());
        }
        (Some(Cases::Values(_)), Arms::Statements(_)) => {
            return Err(error::values_wanted(name, span, earlier));
        }
        (None, _) => return Err(error::no_match(name, span, earlier)),
    }
    Ok(())
}

enum Cases<'a> {
    Statements(&'a mut Vec<Arm<Block>>),
    Values(&'a mut Vec<Arm<Expr>>),
}

fn value_cases(value: &mut Expr) -> Option<Cases<'_>> {
    match &mut value.kind {
        ExprKind::Match(_, arms) => Some(Cases::Values(arms)),
        _ => None,
    }
}

/// Each `match` of a block that stands in no other one: a statement, or a whole right side.
fn outermost_cases<'a>(block: &'a mut Block, found: &mut Vec<Cases<'a>>) {
    for stmt in &mut block.stmts {
        match &mut stmt.kind {
            StmtKind::Match { arms, .. } => found.push(Cases::Statements(arms)),
            StmtKind::Let { value, .. }
            | StmtKind::Var { value, .. }
            | StmtKind::Assign { value, .. }
            | StmtKind::Return(Some(value)) => found.extend(value_cases(value)),
            StmtKind::If { then, otherwise, .. } => {
                outermost_cases(then, found);
                otherwise.iter_mut().for_each(|block| outermost_cases(block, found));
            }
            StmtKind::For { body, .. }
            | StmtKind::Repeat { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::Turns { body, .. } => outermost_cases(body, found),
            StmtKind::Choose(choose) => {
                for line in &mut choose.options {
                    if let MoveLine::Option(option) = line {
                        outermost_cases(&mut option.body, found);
                    }
                }
                let decline = choose.decline.iter_mut().map(|decline| &mut decline.body);
                decline.chain(&mut choose.otherwise).for_each(|it| outermost_cases(it, found));
            }
            _ => {}
        }
    }
}

/// `else` stays the last.
fn before_else<T>(arms: &mut Vec<Arm<T>>, more: Vec<Arm<T>>) {
    let last = arms.last().is_some_and(|arm| arm.patterns.is_empty());
    let at = arms.len() - usize::from(last);
    arms.splice(at..at, more);
}

/// A case that reads like a value, `freeze: chill(p)`, as one that does something.
fn as_statement(arm: Arm<Expr>) -> Arm<Block> {
    let span = arm.body.span;
    let (notes, kind) = (Vec::new(), StmtKind::Call(arm.body));
    let stmts = vec![Stmt { notes, kind, span }];
    Arm { patterns: arm.patterns, body: Block { stmts, span }, span: arm.span }
}

fn unknown(word: &str, name: &Name, items: &[Item]) -> Diagnostic {
    let known = items.iter().map(|it| head(&it.kind)).filter(|(known, _)| *known == word);
    let near = nearest(&name.text, known.filter_map(|(_, it)| it).map(|it| it.text.as_str()));
    let help = near.map_or_else(
        || format!("leave out `extend` and write `{word} {} …` if it is new", name.text).into(),
        Help::did_you_mean,
    );
    let what = format!("`{word} {}`", name.text);
    error::nothing_to_extend(what, help, name.span)
}

// Names of declarations, so that one can be found again in another file.

/// A declaration's sort and name; there is one of each in a file.
struct Identity {
    /// The word or words that it begins with.
    word: &'static str,
    /// Its name; empty where there is only one.
    name: String,
    span: Span,
}

impl Identity {
    /// The declaration as messages call it.
    fn spoken(&self) -> String {
        match self.name.as_str() {
            "" => format!("`{}`", self.word),
            name => format!("`{} {name}`", self.word),
        }
    }
}

/// The word or words that a declaration begins with, and its name if it has one.
pub(crate) fn head(kind: &ItemKind) -> (&'static str, Option<&Name>) {
    match kind {
        ItemKind::Game(_) => ("game", None),
        ItemKind::Variant(_) => ("variant", None),
        ItemKind::Use(_) => ("use", None),
        ItemKind::Replace(_) => ("replace", None),
        ItemKind::Option(it) => ("option", Some(&it.name)),
        ItemKind::Let(it) => ("let", Some(&it.name)),
        ItemKind::Kind(it) => ("kind", Some(&it.name)),
        ItemKind::Extend(it) => ("extend", Some(&it.name)),
        ItemKind::Cards(it) => ("cards", Some(&it.name)),
        ItemKind::Board(it) => ("board", Some(&it.name)),
        ItemKind::Table(it) => ("table", Some(&it.name)),
        ItemKind::Has(it) => (owner(it.owner), None),
        ItemKind::Rule(it) => ("rule", Some(&it.name)),
        ItemKind::MoreBranches(it) => ("extend", Some(&it.name)),
        ItemKind::Moves(it) => ("moves", Some(&it.name)),
        ItemKind::MoreMoves(it) => ("extend", Some(&it.name)),
        ItemKind::Measure(it) => ("measure", Some(&it.name)),
        ItemKind::Always(_) => ("always", None),
        ItemKind::Strategy(_) => ("strategy", None),
        ItemKind::Flow(it) if it.phase == Phase::Setup => ("setup", None),
        ItemKind::Flow(_) => ("play", None),
    }
}

/// What a declaration is called; none where a file may have several that are called alike.
fn identity(kind: &ItemKind, span: Span) -> Option<Identity> {
    let is_one = |word| matches!(word, "game" | "setup" | "play");
    match head(kind) {
        ("extend", _) => None,
        (word, Some(it)) => Some(Identity { word, name: it.text.clone(), span: it.span }),
        (word, None) => is_one(word).then(|| Identity { word, name: String::new(), span }),
    }
}

/// Who has a variable, as it is written.
fn owner(owner: Owner) -> &'static str {
    match owner {
        Owner::Player => "each player has",
        Owner::Table => "the table has",
    }
}

/// The words of a text without holes.
pub(super) fn plain(text: &Text) -> Option<String> {
    let words = text.parts.iter().map(|part| match part {
        TextPart::Words(words) => Some(words.as_str()),
        TextPart::Hole(_) => None,
    });
    words.collect()
}

/// The first word of a declaration.
pub(super) fn first_word(whole: Span, word: &str) -> Span {
    Span::new(whole.start as usize, whole.start as usize + word.len())
}

/// The names that a declaration gives to its members, with their places and those of the rows.
pub(crate) fn members(kind: &ItemKind) -> impl Iterator<Item = (&str, Span, Span)> {
    let (plain, drawn) = match kind {
        ItemKind::Kind(kind) | ItemKind::Extend(kind) => match &kind.body {
            KindBody::Members(members) => (members.as_slice(), [].as_slice()),
            KindBody::Drawn(drawn) => ([].as_slice(), drawn.rows.as_slice()),
            KindBody::Product(_) => ([].as_slice(), [].as_slice()),
        },
        _ => ([].as_slice(), [].as_slice()),
    };
    let rows = drawn.iter().filter_map(|row| match &row.label.kind {
        CellKind::Name(name) => Some((name.as_str(), row.label.span, row.span)),
        _ => None,
    });
    let plain = plain.iter().map(|it| (it.name.text.as_str(), it.name.span, it.name.span));
    plain.chain(rows)
}
