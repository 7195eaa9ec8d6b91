//! Phrases folds: counts, sums and searches among several things.

use crate::rulebook::english::{is_many, join_words, plural};
use crate::rulebook::results::of_them;
use crate::rulebook::words::{Phraser, TightPhrase};
use crate::rules::{Binder, Expr, ExprKind, Type, UnaryOp};
use crate::syntax::Tightness;
use crate::syntax::ast::FoldWord;

impl Phraser<'_> {
    /// `the players *p* for whom …`
    pub(super) fn phrase_filtered_set(self, binder: &Binder) -> String {
        let local = self.phrase_introduced(binder.local);
        let over = match &binder.set.kind {
            ExprKind::Whole(domain) => format!("the {}{local}", self.book.nouns(*domain)),
            _ => {
                let set = self.placed(&binder.set, self.book.before_filter(binder));
                match &binder.set.ty {
                    Type::Set(domain) if !self.book.keeps_names => {
                        format!("the {}{local} in {set}", self.book.nouns(*domain))
                    }
                    _ => format!("those{local} in {set}"),
                }
            }
        };
        format!("{over}{}", self.of_many(binder, self.phrase_filter(binder)))
    }

    pub(super) fn phrase_fold(self, word: FoldWord, binder: &Binder, body: &[Expr]) -> TightPhrase {
        let counted = (word == FoldWord::Sum).then(|| self.counted_goods(binder, body));
        if let Some(goods) = counted.flatten() {
            let is_one = ["(", " and ", " or ", " less "].iter().all(|it| !goods.contains(it));
            return (goods, if is_one { Tightness::Operand } else { Tightness::Open });
        }
        let extreme =
            |word| body.first().map_or_else(String::new, |it| self.phrase_extreme(word, it));
        let text = match word {
            FoldWord::Any | FoldWord::All => {
                format!("whether {}", self.phrase_quantifier(word, binder, body, true))
            }
            FoldWord::Count => return self.phrase_count(binder, body),
            FoldWord::Sum => {
                let value = body.first().map(|it| self.placed(it, Tightness::Sum));
                let value = value.unwrap_or_default();
                format!("the sum of {value} for {}", self.phrase_each(binder, "each"))
            }
            FoldWord::Min => {
                format!("{} for {}", extreme("lowest"), self.phrase_each(binder, "any"))
            }
            FoldWord::Max => {
                format!("{} for {}", extreme("highest"), self.phrase_each(binder, "any"))
            }
            FoldWord::First | FoldWord::Last | FoldWord::Only => {
                let word = format!("the {}", word.word());
                let asked = self.of_one(binder, self.phrase_asked_of(binder, body));
                self.phrase_over(binder, &word) + &asked
            }
            FoldWord::Highest => {
                return (self.phrase_best("highest", binder, body), Tightness::From);
            }
            FoldWord::Lowest => return (self.phrase_best("lowest", binder, body), Tightness::From),
        };
        (text, Tightness::Open)
    }

    /// What a member has to be, also for what follows its binder: ` for which …`.
    fn phrase_asked_of(self, binder: &Binder, body: &[Expr]) -> String {
        let own = binder.condition.iter().map(AsRef::as_ref);
        self.phrase_conditions(binder, own.chain(body.first()).map(|it| (it, true)))
    }

    /// `whoever, of the players *p* for whom …, has the highest …, then the highest …`
    fn phrase_best(self, word: &str, binder: &Binder, keys: &[Expr]) -> String {
        let of = if self.book.is_filtered(binder) {
            format!(", of {},", self.phrase_filtered_set(binder))
        } else if matches!(binder.set.kind, ExprKind::Whole(_)) {
            String::new()
        } else {
            format!(", of {},", self.placed(&binder.set, Tightness::Open))
        };
        let over = match self.noun_of(binder.local).as_str() {
            "player" => format!("whoever{of} has"),
            noun => format!("the {noun}{}{of} with", self.phrase_introduced(binder.local)),
        };
        let name = self.phrase_local(binder.local);
        let own = |key: String| {
            let is_own = over.starts_with("whoever") && !self.book.keeps_names;
            if is_own { of_them(&key, &name) } else { key }
        };
        let keys = keys.iter().map(|key| match &key.kind {
            ExprKind::Unary(UnaryOp::Reverse, of) => {
                let word = if word == "highest" { "lowest" } else { "highest" };
                own(self.phrase_extreme(word, of))
            }
            _ => own(self.phrase_extreme(word, key)),
        });
        format!("{over} {}", join_words(keys, ", then "))
    }

    fn phrase_count(self, binder: &Binder, body: &[Expr]) -> TightPhrase {
        let plain = body.is_empty() && binder.condition.is_none();
        if plain && let ExprKind::Filter(inner) = &binder.set.kind {
            return (self.phrase_count(inner, &[]).0, Tightness::Open);
        }
        let nouns = match &binder.set.ty {
            Type::Set(domain) | Type::List(domain, _) => self.book.nouns(*domain),
            Type::Lists(domain, _) => format!("lists of {}", self.book.nouns(*domain)),
            _ => plural(&self.noun_of(binder.local)),
        };
        // `the number of cards in S` ends where S does; with a condition it goes as far as it can.
        if plain {
            let set = self.phrase_operand(&binder.set);
            let all = set == format!("all {nouns}");
            if set.starts_with('*') && set.trim_start_matches('*').starts_with(&nouns) {
                return (format!("the number of {set}"), Tightness::Operand);
            }
            let of = if all { String::new() } else { format!(" in {set}") };
            // `the number of your kept cards`
            let is_place = matches!(
                binder.set.kind,
                ExprKind::Element(..) | ExprKind::Unary(UnaryOp::PileCards, _)
            );
            if is_place && nouns == "cards" && is_many(&set) && !self.book.keeps_names {
                let bare = set.strip_prefix("the ").unwrap_or(&set);
                return (format!("the number of {bare}"), Tightness::Operand);
            }
            if nouns == "numbers" && is_many(&set) {
                return (format!("the number of {set}"), Tightness::Operand);
            }
            return (format!("the number of {nouns}{of}"), Tightness::Operand);
        }
        let place = match &binder.set.kind {
            ExprKind::Whole(_) => String::new(),
            _ => format!(" in {}", self.placed(&binder.set, Tightness::Sets)),
        };
        let filter = self.of_many(binder, self.phrase_asked_of(binder, body));
        let is_equal = self.named_equal(binder, body).is_some();
        let local = if is_equal { String::new() } else { self.phrase_introduced(binder.local) };
        (format!("the number of {nouns}{local}{place}{filter}"), Tightness::Open)
    }
}
