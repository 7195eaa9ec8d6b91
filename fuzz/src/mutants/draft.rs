//! A text that is a game: its tree, its checked rules, and the type of each of its expressions.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use astragal::machinery::pipeline::{
    Folder, NamedText, OpenedFile, Ruleset, check_without_compiling,
};
use astragal::machinery::rules::{Domain, Expr, ExprKind, KindId, Rules, Type};
use astragal::machinery::source::{Source, Sources, Span};
use astragal::machinery::syntax::ast::Ast;
use astragal::machinery::syntax::parse;

use super::dice::Dice;
use super::outline::{Outline, Scope};

/// A file that mutants are made of.
#[derive(Clone, Debug)]
pub struct Seed {
    /// Its path below the folder of the project.
    pub name: String,
    pub folder: Arc<Beside>,
    pub text: String,
}

/// The folder of a file, where those lie that it uses.
#[derive(Clone, Debug)]
pub struct Beside(pub PathBuf);

impl Folder for Beside {
    fn read(&self, path: &str) -> Result<NamedText, String> {
        let text = std::fs::read_to_string(self.0.join(Path::new(path)));
        let text = text.map_err(|_| "it is not there".to_owned())?;
        Ok(NamedText { name: path.to_owned(), text: text.replace("\r\n", "\n") })
    }
}

/// A stretch of the text and what replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

/// What the checker knows of a stretch of text.
#[derive(Clone, Debug)]
pub struct Known {
    pub ty: Type,
    /// Whether it draws, asks, or comes in an order of its own, so that it may stand only there.
    pub bound_to_place: bool,
}

pub struct Draft {
    pub seed: Seed,
    pub text: String,
    pub ast: Ast,
    pub ruleset: Ruleset,
    known: BTreeMap<Span, Known>,
    locals: BTreeMap<Span, Type>,
}

/// Parses and checks a text; nothing if it is no game.
pub fn open(seed: &Seed, text: String) -> Option<Draft> {
    let opened = OpenedFile { name: &seed.name, text: &text, folder: seed.folder.as_ref() };
    let ruleset = check_without_compiling(&mut Sources::default(), &opened).rules?;
    let (ast, _) = parse(&Source::new(seed.name.clone(), text.clone()));
    let (known, locals) = knowledge(&ruleset.rules, text.len());
    Some(Draft { seed: seed.clone(), text, ast, ruleset, known, locals })
}

/// What the checker found out about the expressions and names of the first file.
fn knowledge(rules: &Rules, end: usize) -> (BTreeMap<Span, Known>, BTreeMap<Span, Type>) {
    let (mut known, mut locals) = (BTreeMap::new(), BTreeMap::new());
    let mut see = |expr: &Expr| {
        if (expr.span.end as usize) <= end {
            // Of what the checker puts around an expression, the expression itself comes last; what
            // binds one of them to its place binds all.
            let mut of = know(expr);
            of.bound_to_place |= known.get(&expr.span).is_some_and(|it: &Known| it.bound_to_place);
            known.insert(expr.span, of);
        }
    };
    let measured = rules.measures.iter().map(|it| &it.rule);
    let promised = rules.always.iter().map(|it| &it.rule);
    for rule in rules.rules.iter().chain(measured).chain(promised) {
        rule.visit_exprs(&mut see);
        for local in rule.locals.iter().filter(|it| it.dims.is_empty()) {
            locals.insert(local.span, local.ty.clone());
        }
    }
    rules.vars.iter().for_each(|var| var.init.value.visit_tree(&mut see));
    rules.constants.iter().for_each(|it| it.value.visit_tree(&mut see));
    (known, locals)
}

fn know(expr: &Expr) -> Known {
    let bound = |it: &Expr| {
        matches!(it.kind, ExprKind::Random(_) | ExprKind::Roll(_) | ExprKind::Pick(_))
            || matches!(&it.kind, ExprKind::End(end) if end.draws)
    };
    let ordered = matches!(
        expr.kind,
        ExprKind::From(..)
            | ExprKind::Walk(_)
            | ExprKind::Backwards(_)
            | ExprKind::Subsets(..)
            | ExprKind::Lists(_)
            | ExprKind::Distinct(_)
            | ExprKind::End(_)
    );
    Known { ty: expr.ty.clone(), bound_to_place: ordered || expr.any(bound) }
}

impl Draft {
    pub fn rules(&self) -> &Rules {
        &self.ruleset.rules
    }

    pub fn known(&self, span: Span) -> Option<&Known> {
        self.known.get(&span)
    }

    pub fn ty(&self, span: Span) -> Option<&Type> {
        self.known(span).map(|it| &it.ty)
    }

    pub fn local_ty(&self, declared: Span) -> Option<&Type> {
        self.locals.get(&declared)
    }

    pub fn slice(&self, span: Span) -> &str {
        self.text.get(range(span)).unwrap_or("")
    }

    /// The text with some changes; nothing where two of them overlap.
    pub fn edited(&self, edits: &[Edit]) -> Option<String> {
        apply(&self.text, edits)
    }

    /// A name that the text does not use.
    pub fn fresh(&self, like: &str) -> String {
        let free = |name: &String| !self.text.contains(name.as_str());
        (1..).map(|at| format!("{like}_{at}")).find(free).expect("numbers do not end")
    }

    /// A type as the language writes it, where it has a name.
    pub fn written(&self, ty: &Type) -> Option<String> {
        Some(match ty {
            Type::Number => "number".to_owned(),
            Type::Bool => "yes/no".to_owned(),
            Type::Text => "text".to_owned(),
            Type::Kind(kind) => self.kind(*kind),
            Type::Pile(kind) => format!("cards of {}", self.kind(*kind)),
            Type::Set(domain) => format!("set of {}", self.domain(*domain)?),
            Type::List(domain, most) => format!("list of {} up to {most}", self.domain(*domain)?),
            Type::Maybe(inner) => format!("maybe {}", self.written(inner)?),
            _ => return None,
        })
    }

    fn kind(&self, kind: KindId) -> String {
        self.rules().kinds[kind.index()].name.clone()
    }

    pub fn domain(&self, domain: Domain) -> Option<String> {
        match domain {
            Domain::Kind(kind) => Some(self.kind(kind)),
            Domain::Range(range) => {
                let range = &self.rules().ranges[range.index()];
                let high = range.high.as_ref()?;
                let written = |expr: &Expr| match &expr.kind {
                    ExprKind::Value(astragal::machinery::rules::Value::Int(number)) => {
                        number.to_string()
                    }
                    _ => self.slice(expr.span).to_owned(),
                };
                Some(format!("{}..{}", written(&range.low), written(high)))
            }
        }
    }

    /// Whether a value of this type holds cards, of which those alike are offered once.
    pub fn are_cards(&self, ty: &Type) -> bool {
        let kind = match ty {
            Type::Kind(kind) | Type::Set(Domain::Kind(kind)) | Type::Pile(kind) => *kind,
            Type::Subsets(Domain::Kind(kind)) => *kind,
            Type::Maybe(inner) => return self.are_cards(inner),
            _ => return false,
        };
        matches!(
            self.rules().kinds[kind.index()].shape,
            astragal::machinery::rules::KindShape::Cards(_)
        )
    }

    /// A part of the text, with the names that it reads as they are called where it shall stand:
    /// another name of the same type where there is none of the same name.
    pub fn adapted(
        &self,
        outline: &Outline,
        span: Span,
        scope: &Scope,
        dice: &mut Dice,
    ) -> Option<String> {
        self.adapted_with(outline, span, scope, None, dice)
    }

    /// The same, where one of the names is called as `renamed` says.
    pub fn adapted_with(
        &self,
        outline: &Outline,
        span: Span,
        scope: &Scope,
        renamed: Option<(Span, &str)>,
        dice: &mut Dice,
    ) -> Option<String> {
        let inside = |it: Span| span.start <= it.start && it.end <= span.end;
        let mut names: BTreeMap<Span, String> = BTreeMap::new();
        names.extend(renamed.map(|(declared, name)| (declared, name.to_owned())));
        let mut edits = Vec::new();
        let uses: Vec<_> = outline.uses.iter().filter(|it| inside(it.span)).collect();
        let declared = |of: Span| uses.iter().map(|it| it.declared).find(|it| *it == of);
        for used in &uses {
            let name = used.name.as_str();
            let known = scope.iter().find(|it| it.name == name);
            let called = match names.get(&used.declared) {
                Some(called) => called.clone(),
                None if inside(used.declared) => {
                    let fresh = format!("{name}_{}", dice.below(1000));
                    if known.is_some() { fresh } else { name.to_owned() }
                }
                None => {
                    let wanted = self.local_ty(used.declared)?;
                    let fits = |declared: Span| self.local_ty(declared) == Some(wanted);
                    match known.filter(|it| fits(it.declared)) {
                        Some(same) => same.name.clone(),
                        None => {
                            let others = scope.iter().filter(|it| fits(it.declared));
                            dice.pick(&others.collect::<Vec<_>>())?.name.clone()
                        }
                    }
                }
            };
            names.insert(used.declared, called.clone());
            edits.push((used.span, called));
        }
        // What declares a name that was changed is changed too.
        for (of, called) in &names {
            if inside(*of) && declared(*of).is_some() {
                edits.push((*of, called.clone()));
            }
        }
        edits.sort();
        edits.dedup();
        let start = span.start as usize;
        let shifted = edits.into_iter().map(|(span, text)| {
            let range = range(span);
            Edit { range: range.start - start..range.end - start, text }
        });
        apply(self.slice(span), &shifted.collect::<Vec<_>>())
    }
}

pub fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// A text with some changes; nothing where two of them overlap.
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|it| (it.range.start, it.range.end));
    let mut changed = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in edits {
        changed += text.get(at..edit.range.start)?;
        changed += &edit.text;
        at = edit.range.end;
    }
    changed += text.get(at..)?;
    Some(changed)
}

pub fn replace(span: Span, text: impl Into<String>) -> Edit {
    Edit { range: range(span), text: text.into() }
}

pub fn insert(at: usize, text: impl Into<String>) -> Edit {
    Edit { range: at..at, text: text.into() }
}
