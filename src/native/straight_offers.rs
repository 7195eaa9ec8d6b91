//! Offers of which each is made once at most before a decision: so the code knows where each of them lies.

use astragal_native::{Local, Word, Writer};

use crate::bytecode::engine::{OFFERED, OFFERS};
use crate::bytecode::{Op, Program, Role, Site, Wait};
use crate::native::Translator;
use crate::native::picks::is_bound;

/// A straight listing has at most so many offers.
const MOST_LISTED: usize = 12;

/// An offer of a straight listing.
struct Listed {
    at: usize,
    option: u16,
    /// How many choices it stands for.
    count: Local,
    /// Where its words are in the list of offers.
    place: Local,
}

/// The operations before a decision, where each of them is carried out once at most: so each of the offers has
/// a place of its own, and none has to be looked for.
pub(super) struct Listing {
    begin: usize,
    /// The operation of the decision.
    pub(super) end: usize,
    /// Holds 1 after a run came by the beginning, where one can begin behind it.
    pub(super) whole: Option<Local>,
    offers: Vec<Listed>,
}

impl Listing {
    /// All straight listings of a program.
    pub(super) fn find_listings(
        program: &Program,
        entries: &[bool],
        writer: &mut Writer,
    ) -> Vec<Listing> {
        let mut all = Vec::new();
        for (end, op) in program.code.iter().enumerate() {
            let Op::Decide { site } = *op else { continue };
            let begin = usize::from(program.sites[usize::from(site)].to);
            if !is_straight(program, begin, end) {
                continue;
            }
            let offers = (begin..end).filter_map(|at| Some((at, offered(&program.code[at])?)));
            let offers = offers.map(|(at, option)| {
                let (count, place) = (writer.new_local(), writer.new_local());
                Listed { at, option, count, place }
            });
            let offers: Vec<Listed> = offers.collect();
            let fits = |it: &Listed| is_bound(&program.options[usize::from(it.option)].binds);
            if (1..=MOST_LISTED).contains(&offers.len()) && offers.iter().all(fits) {
                let enters = entries[begin + 1..=end].contains(&true);
                let whole = enters.then(|| writer.new_local());
                all.push(Listing { begin, end, whole, offers });
            }
        }
        all
    }

    /// Emits zero counts of offers where the listing begins.
    pub(super) fn clear_counts(&self, writer: &mut Writer, at: usize) {
        if at != self.begin {
            return;
        }
        self.offers.iter().for_each(|it| writer.set_local(it.count, 0));
        self.whole.into_iter().for_each(|whole| writer.set_local(whole, 1));
    }
}

impl Translator<'_, '_> {
    /// Keeps what the choice of a straight listing needs: how many choices an offer stands for, and where
    /// its words are.
    pub(super) fn note_offered(&mut self, count: Word) {
        let Some(listed) =
            self.listings.iter().flat_map(|it| &it.offers).find(|it| it.at == self.at)
        else {
            return;
        };
        let (counted, place) = (listed.count, listed.place);
        self.writer.set_local(counted, count);
        let begin = self.writer.register(OFFERED);
        self.writer.set_local(place, begin);
    }

    /// Binds the choice with so many others before it, where each offer is in a place of its own.
    pub(super) fn bind_listed(&mut self, Listing { offers, .. }: &Listing, index: Word) {
        let mut left = index;
        for (nth, Listed { option, count, place, .. }) in offers.iter().enumerate() {
            let count = self.writer.get_local(*count);
            let is_last = nth + 1 == offers.len();
            let is_it = self.writer.less(left, count);
            let branch = (!is_last).then(|| self.writer.begin_if(is_it));
            let binds = &self.program.options[usize::from(*option)].binds;
            let width = binds.parts().map(|(_, width)| usize::from(width)).sum();
            let words = if width == 0 {
                Vec::new()
            } else {
                let place = self.writer.get_local(*place);
                let begin = self.writer.add(place, 1);
                let spot = self.writer.in_list(OFFERS, begin, width, self.at);
                (0..width).map(|word| self.writer.get_at(spot, word)).collect()
            };
            self.emit_binds(*option, &words, left);
            if let Some(branch) = branch {
                self.writer.end_if(branch);
                left = self.writer.subtract(left, count);
            }
        }
    }
}

/// The option that an operation offers.
pub(super) fn offered(op: &Op) -> Option<u16> {
    match *op {
        Op::Offer { option }
        | Op::OfferDecline { option }
        | Op::OfferDeclineAnyway { option }
        | Op::OfferDeclineAlone { option } => Some(option),
        _ => None,
    }
}

/// Whether code goes from its beginning to its end without coming back, and nothing else leads into it.
fn is_straight(program: &Program, begin: usize, end: usize) -> bool {
    let inside = |at: u16| (begin + 1..=end).contains(&usize::from(at));
    let leads_there = |(at, op): (usize, &Op)| {
        let mut to = op.operands().filter(|operand| operand.role == Role::To);
        let forward = at >= begin && at < end;
        to.any(|to| inside(to.value) && !(forward && usize::from(to.value) > at))
    };
    let otherwise = |site: &Site| match site.wait {
        Wait::Decision { otherwise, .. } => otherwise,
        _ => None,
    };
    let calls = |op: &Op| matches!(op, Op::Call { .. } | Op::Return { .. } | Op::Decide { .. });
    begin < end
        && !program.code[begin..end].iter().any(calls)
        && !program.code.iter().enumerate().any(leads_there)
        && !program.sites.iter().any(|site| inside(site.to) || otherwise(site).is_some_and(inside))
        && !program.proposals.iter().any(|it| inside(it.test))
}
