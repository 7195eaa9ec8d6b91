//! Phrases a single statement as a sentence.

use crate::rulebook::english::{
    capitalised, does, is, is_many, is_superlative, is_title, join_list, join_words, one, plural,
};
use crate::rulebook::naming::LocalWord;
use crate::rulebook::said::{is_sayable, without_parentheses};
use crate::rulebook::words::StepPhraser;
use crate::rulebook::{Book, title_or_name};
use crate::rules::{
    Array, BinaryOp, Binder, CardAction, CardSource, Expr, ExprKind, HistoryId, LocalId, PLAYER,
    ResetTarget, SetOp, Stmt, StmtKind, Type, VarForm, VarId,
};
use crate::syntax::Tightness;
use crate::syntax::ast::{PastVerb, Visibility};

impl Book<'_> {
    /// `add the position to *past*`
    fn phrase_past(&self, verb: PastVerb, id: HistoryId) -> String {
        let history = &self.rules.histories[id.index()];
        let name = title_or_name(&history.title, &history.name);
        match verb {
            PastVerb::Forget => format!("empty *{name}*"),
            PastVerb::Remember => format!("add the position to *{name}*"),
        }
    }

    /// Whether a statement only writes down what the file leaves undrawn.
    fn is_bookkeeping(&self, stmt: &Stmt) -> bool {
        let undrawn = |id: VarId| self.rules.vars[id.index()].undrawn && !self.kept.contains(&id);
        let is_undrawn = |place: &Expr| matches!(place.kind, ExprKind::Element(Array::Var(id), _) if undrawn(id));
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let acts = match &value.kind {
                    ExprKind::Roll(_) | ExprKind::Random(_) | ExprKind::Pick(_) => true,
                    ExprKind::Call(id, _) => !self.rules.rules[id.index()].effects.is_pure(),
                    _ => false,
                };
                is_undrawn(place) && !acts
            }
            StmtKind::Reset(targets) => targets.iter().all(|target| undrawn(target.var)),
            StmtKind::Past(_, id) => self.rules.histories[id.index()].undrawn,
            StmtKind::Roll { .. } => false,
            _ => {
                let places = stmt.changed_places();
                !places.is_empty() && places.into_iter().all(is_undrawn)
            }
        }
    }

    /// Whether cards come to a face-down pile from one that is shuffled, but that no line tells of.
    fn is_shuffled(&self, what: &CardSource, to: &Expr) -> bool {
        let var = |place: &Expr| match place.kind {
            ExprKind::Element(Array::Pile(id) | Array::Var(id), _) => {
                let var = &self.rules.vars[id.index()];
                matches!(&var.form, VarForm::Pile(pile) if pile.ordered).then_some(var)
            }
            _ => None,
        };
        let is_unseen = var(to).is_some_and(|it| it.sight == Visibility::Nobody);
        is_unseen
            && match what {
                CardSource::One(_) | CardSource::End(_) => false,
                // Cards that are moved as a set have no order.
                CardSource::Set(_) => true,
                CardSource::Pile(from) => from.any(|part| var(part).is_some_and(|it| it.undrawn)),
            }
    }
}

impl StepPhraser<'_> {
    /// What a single statement does; nothing for what is only said.
    pub(super) fn action(self, stmt: &Stmt) -> Option<String> {
        let words = self.words;
        if self.book.is_bookkeeping(stmt) {
            return None;
        }
        Some(match &stmt.kind {
            StmtKind::Let(local, _) if words.is_unnamed(*local) => return None,
            StmtKind::Let(local, value) => self.phrase_let(*local, value),
            StmtKind::LetArray { local, binders, value } => {
                let good = binders.last().copied().flatten();
                let goods = good.and_then(|good| words.goods(value, good));
                let each = || format!("{} each", words.phrase_value(value));
                format!("{} {}", self.phrase_noting(*local), goods.unwrap_or_else(each))
            }
            StmtKind::Assign(place, value) => self.phrase_assignment(place, value),
            StmtKind::Change { place, add, value } => self.phrase_change(place, *add, value),
            StmtKind::Swap(a, b) => {
                format!("swap {} and {}", words.phrase_operand(a), words.phrase_operand(b))
            }
            StmtKind::Reset(targets) => {
                let places = self.targets(targets);
                if !self.book.keeps_names {
                    return Some(self.phrase_reset(targets));
                }
                let is_one = targets.len() == 1 && !is_many(&places);
                let were = if is_one { "it was" } else { "they were" };
                format!("set {places} back to what {were} at the start")
            }
            StmtKind::For { binder, body, .. } => return words.moved_goods(binder, body),
            StmtKind::Transfer { place, verb, amount } => {
                self.phrase_transfer(place, *verb, amount)
            }
            StmtKind::Roll { place, binder } => self.phrase_roll(place, binder.as_ref()),
            StmtKind::Break => "this is over".to_owned(),
            StmtKind::Continue => "go on with the next".to_owned(),
            StmtKind::Return(value) => self.phrase_return(value.as_ref()),
            // Cards are shown by a statement of their own, which stands before.
            StmtKind::Show { targets, .. } if targets.is_empty() => return None,
            StmtKind::Show { targets, to } => {
                let to =
                    to.as_ref().map_or_else(|| "all players".into(), |to| words.phrase_operand(to));
                format!("show {} to {to}", self.targets(targets))
            }
            StmtKind::Cards(action) => self.phrase_cards(action),
            StmtKind::Past(verb, id) => self.book.phrase_past(*verb, *id),
            StmtKind::FinishDraw => "the game ends in a draw".to_owned(),
            StmtKind::Call(call) => self.done(call),
            // What is no end has steps of its own.
            end => format!("the game ends: {}", self.result(end)?),
        })
    }

    fn phrase_return(self, value: Option<&Expr>) -> String {
        match value {
            None => "nothing more happens".to_owned(),
            Some(value) if value.ty == Type::Bool => match self.book.truth(value) {
                Some(true) => "it succeeds".to_owned(),
                Some(false) => "it fails".to_owned(),
                None => format!("it succeeds if {}", self.words.phrase_condition(value)),
            },
            Some(value) => format!("the result is {}", self.words.phrase_value(value)),
        }
    }

    /// `that player is no longer *out*`: `reset`.
    pub(super) fn phrase_reset(self, targets: &[ResetTarget]) -> String {
        let words = self.words;
        let line = |target: &ResetTarget| {
            let var = &self.book.rules.vars[target.var.index()];
            let first = &var.init.value;
            match self.book.truth(first).filter(|_| var.ty == Type::Bool) {
                Some(truth) => words.marked(
                    target.var,
                    &target.indices,
                    if truth { " again" } else { " no longer" },
                ),
                None => {
                    let place = words.phrase_var(target.var, &target.indices);
                    match self.book.describe_amount(first).as_deref() {
                        Some("none") => format!("clear {place}"),
                        Some("nothing") => format!("empty {place}"),
                        Some(amount) if amount.split(' ').count() == 1 => {
                            format!("set {place} to {amount}")
                        }
                        _ => format!("bring {place} back to the start"),
                    }
                }
            }
        };
        join_words(targets.iter().map(line), "; ")
    }

    /// A rule that is followed: `**Draw** for that player and 2`.
    pub(super) fn done(self, call: &Expr) -> String {
        let ExprKind::Call(id, args) = &call.kind else { return self.words.phrase_value(call) };
        let rule = &self.book.rules.rules[id.index()];
        let name = capitalised(&title_or_name(&rule.title, &rule.name));
        if self.book.keeps_names {
            return match self.words.phrase_arguments(args).as_str() {
                "" | "you" => format!("follow **{name}**"),
                args => format!("follow **{name}** ({args})"),
            };
        }
        let args = self.words.phrase_arguments_but_you(rule, args);
        if args.is_empty() || args.starts_with('(') {
            format!("**{name}** {args}").trim_end().to_owned()
        } else {
            let whole = format!("**{name}** for {args}");
            // Nobody says so much of what the rule itself tells.
            if is_sayable(&whole) { whole } else { format!("**{name}**") }
        }
    }

    /// The words before a value that a local holds.
    pub(super) fn phrase_noting(self, local: LocalId) -> String {
        if self.book.keeps_names {
            return format!("note {}:", self.words.phrase_local(local));
        }
        match self.words.called.get(local.index()) {
            Some(LocalWord::Called { name, own: true }) => format!("remember {name}:"),
            Some(LocalWord::Answer(_)) => "remember the answer:".to_owned(),
            _ => format!("remember this {}:", self.words.noun_of(local)),
        }
    }

    fn phrase_let(self, local: LocalId, value: &Expr) -> String {
        let words = self.words;
        let name = words.phrase_local(local);
        match &value.kind {
            ExprKind::Roll(_) | ExprKind::Random(_) | ExprKind::Pick(_) => {
                self.phrase_found(&name, &words.phrase_introduced(local), value)
            }
            ExprKind::Call(id, _) if !self.book.rules.rules[id.index()].effects.is_pure() => {
                match words.called.get(local.index()) {
                    Some(LocalWord::Answer(_)) => self.done(value),
                    _ => format!("{}; its result is {name}", self.done(value)),
                }
            }
            _ if value.ty == Type::Bool && self.book.truth(value).is_none() => {
                format!("{} whether {}", self.phrase_noting(local), words.phrase_condition(value))
            }
            _ => format!("{} {}", self.phrase_noting(local), words.phrase_value(value)),
        }
    }

    /// What chance or a player finds for a name.
    fn phrase_found(self, name: &str, introduced: &str, value: &Expr) -> String {
        let words = self.words;
        let drawn = name.strip_prefix("that ").map_or_else(|| name.to_owned(), one);
        match &value.kind {
            ExprKind::Roll(die) if self.book.keeps_names || !introduced.is_empty() => {
                format!("roll {}; what it shows is {name}", words.phrase_value(die))
            }
            ExprKind::Roll(die) => format!("roll {}", words.phrase_value(die)),
            ExprKind::Random(set) => match &set.kind {
                ExprKind::Whole(domain) if !introduced.is_empty() => {
                    format!("draw a {}{introduced} at random", self.book.noun(*domain))
                }
                ExprKind::Whole(_) => format!("draw {drawn} at random"),
                ExprKind::Binary(BinaryOp::Set(SetOp::Minus), all, known)
                    if matches!(all.kind, ExprKind::Whole(_)) && introduced.is_empty() =>
                {
                    let known = words.placed(known, Tightness::Range);
                    format!("draw {drawn} at random that is not in {known}")
                }
                _ => format!("draw {drawn} at random from {}", words.phrase_value(set)),
            },
            ExprKind::Pick(pick) => {
                let chooses = does(&words.phrase_value(&pick.chooser), "choose");
                format!("{chooses} {name} from {}", words.phrase_value(&pick.set))
            }
            _ => format!("set {name} to {}", words.phrase_value(value)),
        }
    }

    fn phrase_assignment(self, place: &Expr, value: &Expr) -> String {
        let words = self.words;
        if let (ExprKind::Element(Array::Var(id), of), Some(truth)) =
            (&place.kind, self.book.truth(value))
        {
            return words.marked(*id, of, if truth { " now" } else { " no longer" });
        }
        let name = words.phrase_value(place);
        match &value.kind {
            ExprKind::Roll(_) | ExprKind::Random(_) | ExprKind::Pick(_) => {
                self.phrase_found(&name, "", value)
            }
            ExprKind::Call(id, _) if !self.book.rules.rules[id.index()].effects.is_pure() => {
                format!("{}; its result is {name}", self.done(value))
            }
            _ if value.ty == Type::Bool && self.book.truth(value).is_none() => {
                format!("set {name} to yes if {}, otherwise to no", words.phrase_condition(value))
            }
            _ => match words.phrase_value(value).as_str() {
                "none" => format!("clear {name}"),
                "nothing" => format!("empty {name}"),
                owner if self.book.is_owner_of_cell(place) => {
                    let cell = words.cell_of(place).unwrap_or(name);
                    format!("{cell} now belongs to {owner}")
                }
                player if let Some(title) = self.title_of_player(place) => {
                    let verb = if is_superlative(title.trim_start_matches("the ")) {
                        does(player, "have").replacen(" ha", " now ha", 1)
                    } else {
                        format!("{} now", is(player))
                    };
                    format!("{verb} {title}")
                }
                value => match self.moved_piece(place) {
                    Some(piece) => format!("put {piece} on {value}"),
                    None => format!("set {name} to {value}"),
                },
            },
        }
    }

    /// What a player is called of whom a variable of the table holds one: `the starter`.
    fn title_of_player(self, place: &Expr) -> Option<String> {
        let ExprKind::Element(Array::Var(id), of) = &place.kind else { return None };
        let is_player = match &place.ty {
            Type::Maybe(inner) => **inner == Type::Kind(PLAYER),
            ty => *ty == Type::Kind(PLAYER),
        };
        let name = (of.is_empty() && is_player).then(|| self.words.phrase_var(*id, &[]))?;
        let is_title = name.strip_prefix("the ").is_some_and(is_title);
        (is_title && !self.book.keeps_names).then_some(name)
    }

    /// The pawn of a player whose place is set: `your pawn`.
    fn moved_piece(self, place: &Expr) -> Option<String> {
        let ExprKind::Element(Array::Var(id), of) = &place.kind else { return None };
        let var = &self.book.rules.vars[id.index()];
        self.book.place_of_piece(var).filter(|_| !self.book.keeps_names)?;
        let [owner] = of.as_slice() else { return None };
        Some(match self.words.phrase_operand(owner).as_str() {
            "you" => "your pawn".to_owned(),
            owner => format!("the pawn of {owner}"),
        })
    }

    pub(super) fn phrase_change(self, place: &Expr, add: bool, value: &Expr) -> String {
        let (name, is_set) = (self.words.phrase_value(place), matches!(place.ty, Type::Set(_)));
        let value =
            self.words.placed(value, if is_set { Tightness::Sets } else { Tightness::Open });
        let (verb, to) = match (is_set, add) {
            (_, true) if matches!(place.ty, Type::List(..)) => ("add", "to the end of"),
            (_, true) => ("add", "to"),
            (true, false) => ("remove", "from"),
            (false, false) => ("subtract", "from"),
        };
        let text = format!("{verb} {value} {to} {name}");
        if self.book.keeps_names || is_sayable(&text) {
            return text;
        }
        format!("{verb} this {to} {name}: {}", without_parentheses(&value))
    }

    fn phrase_roll(self, die: &Expr, binder: Option<&Binder>) -> String {
        let words = self.words;
        let Some(binder) = binder else { return format!("roll {}", words.phrase_value(die)) };
        let each = words.phrase_each(binder, "each");
        let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Local(it) if it == binder.local);
        let (die, dim) = match &die.kind {
            ExprKind::Element(Array::Var(id), of) if of.last().is_some_and(is_it) => {
                let dim = self.book.rules.vars[id.index()].dims.last();
                (words.phrase_var(*id, &of[..of.len() - 1]), dim)
            }
            _ => (words.phrase_value(die), None),
        };
        let all = dim.and_then(|dim| self.book.count_members(*dim));
        if all.is_some()
            && all == self.book.set_length(&binder.set)
            && !self.book.is_filtered(binder)
        {
            let (die, of) =
                die.split_once(" of ").map_or((die.as_str(), None), |it| (it.0, Some(it.1)));
            let of = of.map_or_else(String::new, |of| format!(" of {of}"));
            return format!("roll all {}{of}", plural(die));
        }
        format!("roll {die} for {each}")
    }

    pub(super) fn targets(self, targets: &[ResetTarget]) -> String {
        let places = targets.iter().map(|it| self.words.phrase_var(it.var, &it.indices));
        join_list(places, "and")
    }

    fn phrase_cards(self, action: &CardAction) -> String {
        match action {
            CardAction::Move { what, to, bottom } => {
                let way = if *bottom { "below all others in" } else { "to" };
                let way = if self.book.is_shuffled(what, to) { ", shuffled, to" } else { way };
                let way = if way.starts_with(',') { way.to_owned() } else { format!(" {way}") };
                let (what, to) = (self.some_cards(what), self.words.phrase_value(to));
                match what.split_once(", as many as ") {
                    Some((cards, count)) if !is_sayable(&format!("move {what} to {to}")) => {
                        let count = without_parentheses(count);
                        format!("move {cards}{way} {to}. Move as many as {count}")
                    }
                    Some(_) => format!("move {what},{way} {to}"),
                    None => format!("move {what}{way} {to}"),
                }
            }
            CardAction::Shuffle(pile) => format!("shuffle {}", self.words.phrase_value(pile)),
            CardAction::Learn { what, by: None } => {
                format!("show {} to all players", self.phrase_shown_cards(what))
            }
            CardAction::Learn { what, by: Some(by) } => {
                let looks = does(&self.words.phrase_operand(by), "look");
                format!("{looks} at {}", self.phrase_shown_cards(what))
            }
        }
    }

    fn phrase_shown_cards(self, cards: &CardSource) -> String {
        match cards {
            CardSource::Pile(pile) => self.words.phrase_operand(pile),
            cards => self.some_cards(cards),
        }
    }

    fn some_cards(self, cards: &CardSource) -> String {
        match cards {
            CardSource::One(expr) | CardSource::Set(expr) => {
                let cards = self.words.placed(expr, Tightness::Sets);
                // Cards of a sort need no parentheses where they are all that is moved.
                if self.book.keeps_names { cards } else { without_parentheses(&cards).to_owned() }
            }
            CardSource::Pile(pile) => match self.words.phrase_operand(pile) {
                pile if is_many(&pile) => format!("all of {pile}"),
                pile => format!("all cards of {pile}"),
            },
            CardSource::End(end) => self.words.phrase_pile_end(end),
        }
    }
}
