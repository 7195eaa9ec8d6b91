//! The brackets that are open at a place, and how deep the tree below them is.

use std::mem;

use crate::syntax::MAX_NESTING;
use crate::syntax::tokens::is_part;

/// An open bracket or text.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// A bracket or a quote.
    pub(super) opener: char,
    /// Whether it is a `{` in a text.
    is_hole: bool,
    pub(super) at: usize,
    indent: usize,
    /// The word that its line begins with.
    owner: String,
    depth: Depth,
    /// Where what would close it is missing, if that is before the end of the declaration.
    pub(super) missing_at: Option<usize>,
}

impl Level {
    pub(super) fn closer(&self) -> char {
        match self.opener {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            quote => quote,
        }
    }

    fn is_text(&self) -> bool {
        self.opener == '"'
    }
}

/// How deep a level's tree may be: the operators of its deepest segment and what they hold. More
/// than the true depth, since operators beside each other are counted as if in each other.
#[derive(Clone, Copy, Debug, Default)]
struct Depth {
    operators: usize,
    deepest_child: usize,
    deepest_segment: usize,
}

impl Depth {
    fn next_segment(&mut self) {
        let segment = mem::take(&mut self.operators) + mem::take(&mut self.deepest_child);
        self.deepest_segment = self.deepest_segment.max(segment);
    }

    fn total(mut self) -> usize {
        self.next_segment();
        self.deepest_segment
    }
}

/// The open brackets, outermost first.
#[derive(Debug, Default)]
pub(super) struct Levels {
    open: Vec<Level>,
    /// How many of them are texts.
    texts: usize,
    outside: Depth,
    /// A brace that was closed by a `}` too far to the left: likely the one without a `}`.
    suspect: Option<Level>,
    /// Where a closed bracket turned out too deep.
    too_deep: Option<usize>,
}

impl Levels {
    /// Whether line ends do not count here.
    pub(super) fn inside_parentheses(&self) -> bool {
        self.open.last().is_some_and(|level| level.is_hole || "([".contains(level.opener))
    }

    pub(super) fn inside_text(&self) -> bool {
        self.open.last().is_some_and(Level::is_text)
    }

    /// The hole of a text that is open, where the words in it show its end: behind what it begins with.
    pub(super) fn open_hole(&self, text: &str) -> Option<Level> {
        let hole = self.open.iter().rev().find(|level| level.is_hole)?;
        let behind = &text[hole.at + 1..];
        let end = behind.find(|it: char| !is_part(it) && !".()[]".contains(it))?;
        Some(Level { missing_at: Some(hole.at + 1 + end), ..hole.clone() })
    }

    /// The word at the begin of the line that opened the innermost bracket.
    pub(super) fn innermost_owner(&self) -> Option<&str> {
        self.open.last().map(|level| level.owner.as_str())
    }

    /// Counts an operator, or a word that takes what follows into itself.
    pub(super) fn count_operator(&mut self) {
        self.innermost_depth().operators += 1;
    }

    /// A new statement, argument or row begins.
    pub(super) fn next_segment(&mut self) {
        self.innermost_depth().next_segment();
    }

    fn innermost_depth(&mut self) -> &mut Depth {
        self.open.last_mut().map_or(&mut self.outside, |level| &mut level.depth)
    }

    /// Opens a bracket or a text; answers whether it is not one too many.
    pub(super) fn open_level(
        &mut self,
        opener: char,
        at: usize,
        indent: usize,
        owner: String,
    ) -> bool {
        let is_hole = self.inside_text();
        self.count_operator();
        self.texts += usize::from(opener == '"');
        let (depth, missing_at) = (Depth::default(), None);
        self.open.push(Level { opener, is_hole, at, indent, owner, depth, missing_at });
        self.open.len() <= MAX_NESTING
    }

    /// Closes the innermost bracket of this kind with a closer at an offset. Returns a bracket inside
    /// of it that was never closed, or fails when nothing of the kind is open.
    pub(super) fn close_level(
        &mut self,
        closer: char,
        at: usize,
        indent: Option<usize>,
    ) -> Result<Option<Level>, ()> {
        // A search below more levels than may be open would take long and help nobody.
        let near = self.open.iter().rev().take(MAX_NESTING);
        let mut reachable = near.take_while(|level| !level.is_text());
        let above = reachable.position(|level| level.closer() == closer).ok_or(())?;
        let lost = (above > 0).then(|| self.open.last().cloned()).flatten();
        for _ in 0..=above {
            self.pop(indent);
        }
        let here = |level: Level| Level { missing_at: level.missing_at.or(Some(at)), ..level };
        self.suspect = self.suspect.take().map(here);
        Ok(lost.map(here))
    }

    /// Closes the innermost bracket or text; `indent` is that of a closer that begins its line.
    pub(super) fn pop(&mut self, indent: Option<usize>) {
        let Some(level) = self.open.pop() else { return };
        self.texts -= usize::from(level.is_text());
        let total = level.depth.total();
        if total > MAX_NESTING {
            self.too_deep.get_or_insert(level.at);
        }
        let depth = self.innermost_depth();
        depth.deepest_child = depth.deepest_child.max(total);
        let outdented = indent.is_some_and(|indent| indent < level.indent);
        if level.opener == '{' && !level.is_hole && outdented {
            self.suspect.get_or_insert(level);
        }
    }

    /// Closes the outermost text and all in it. Answers where it begins.
    pub(super) fn drop_texts(&mut self) -> Option<usize> {
        if self.texts == 0 {
            return None;
        }
        let outermost = self.open.iter().position(Level::is_text)?;
        let start = self.open[outermost].at;
        while self.open.len() > outermost {
            self.pop(None);
        }
        Some(start)
    }

    /// The bracket to blame when something is still open: one that indentation speaks against,
    /// else the innermost.
    pub(super) fn culprit(&self) -> Option<Level> {
        self.open.last().map(|innermost| self.suspect.as_ref().unwrap_or(innermost).clone())
    }

    /// Ends a declaration: everything is closed. Answers how deep it was, or fails, with a place
    /// if there is one, when it was too deep.
    pub(super) fn end_declaration(&mut self) -> Result<usize, Option<usize>> {
        while !self.open.is_empty() {
            self.pop(None);
        }
        let outside = mem::take(&mut self.outside).total();
        self.suspect = None;
        match self.too_deep.take() {
            Some(place) => Err(Some(place)),
            None if outside > MAX_NESTING => Err(None),
            None => Ok(outside),
        }
    }
}
