//! Reports draws of chance to people: `rolled: cube 4`, `drawn from deck: ash, oak`.

use std::collections::BTreeSet;
use std::io;

use super::console::DynIo;
use super::event::Event;
use super::play::Session;
use crate::game::Player;

/// How the line of a roll begins in a transcript.
const ROLL: &str = "* roll ";

/// A draw: what was decided, and how.
type Drawn<'a> = (&'a str, &'a str);

impl Session {
    /// Tells people at a screen what chance decided, each what that player sees. In the lines of a
    /// pipe it is left out.
    pub(super) fn tell_draws(&mut self, draws: &[&Event], io: &mut DynIo) -> io::Result<()> {
        if !io.console.is_lively() {
            return Ok(());
        }
        let people: Vec<Player> = self.humans().collect();
        let misses = |unseen: &[Player]| {
            let anybody = people.is_empty() && !unseen.is_empty();
            anybody || people.iter().any(|player| unseen.contains(player))
        };
        self.tell_drawn(None, draws, |unseen| !misses(unseen), io)?;
        for player in people.iter().copied() {
            let alone = |unseen: &[Player]| misses(unseen) && !unseen.contains(&player);
            self.tell_drawn(Some(player), draws, alone, io)?;
        }
        Ok(())
    }

    /// Tells one player, or all, of the draws that are for their eyes.
    fn tell_drawn(
        &mut self,
        to: Option<Player>,
        draws: &[&Event],
        is_for: impl Fn(&[Player]) -> bool,
        io: &mut DynIo,
    ) -> io::Result<()> {
        let seen = draws.iter().filter_map(|happening| match happening {
            Event::Drew { event, outcome, unseen_by, .. } if is_for(unseen_by) => {
                Some((event.as_str(), outcome.as_str()))
            }
            _ => None,
        });
        let lines = lines(&seen.collect::<Vec<_>>());
        lines.into_iter().try_for_each(|line| self.tell(to, line, io))
    }

    /// The dice that were rolled since the game began, as events name them: `cube`, `die[red]`.
    pub(super) fn rolled(&self) -> BTreeSet<String> {
        let lines = self.timeline.lines().iter();
        let die = |line: &String| Some(line.strip_prefix(ROLL)?.split_once(": ")?.0.to_owned());
        lines.filter_map(die).collect()
    }
}

/// Draws in as few lines as they need: dice together, and the cards of one pile.
fn lines(draws: &[Drawn]) -> Vec<String> {
    let alike = |(one, _): &Drawn, (other, _): &Drawn| heading(one) == heading(other);
    let line = |group: &[Drawn]| format!("  {}: {}", heading(group[0].0), outcomes(group));
    draws.chunk_by(alike).map(line).collect()
}

/// What happened, before its outcomes.
fn heading(event: &str) -> String {
    match event.split_once(' ') {
        Some(("roll", _)) => "rolled".to_owned(),
        Some(("draw", pile)) => format!("drawn from {}", plain(pile)),
        _ => "picked at random".to_owned(),
    }
}

fn outcomes(draws: &[Drawn]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut last = "";
    for (event, outcome) in draws {
        let outcome = plain(outcome);
        let Some(die) = event.strip_prefix("roll ") else {
            words.push(outcome);
            continue;
        };
        // Dice of one name are told apart by what stands behind it.
        let (name, which) = die.split_once('[').unwrap_or((die, ""));
        let die = if which.is_empty() || name != last { die } else { which };
        words.push(format!("{} {outcome}", plain(die)));
        last = name;
    }
    words.join(", ")
}

/// A name of the rules as people read it: `Ann.dark_cube[2]` is `Ann's dark cube 2`.
fn plain(name: &str) -> String {
    name.replace('.', "'s ").replace(['_', '['], " ").replace(']', "")
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn dice_share_a_line_and_so_do_the_cards_of_a_pile() {
        let draws = [
            ("random Player", "Ben"),
            ("roll cube", "4"),
            ("roll die[red]", "3"),
            ("roll die[dark_blue]", "five_eyes"),
            ("draw Ann.deck", "ash"),
            ("draw Ann.deck", "old_oak"),
            ("draw stock[cheap]", "elm"),
            ("roll Ann.cube[2]", "6"),
        ];
        let told = [
            "  picked at random: Ben",
            "  rolled: cube 4, die red 3, dark blue five eyes",
            "  drawn from Ann's deck: ash, old oak",
            "  drawn from stock cheap: elm",
            "  rolled: Ann's cube 2 6",
        ];
        assert_eq!(lines(&draws), told);
    }
}
