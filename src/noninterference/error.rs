//! The finding that a seat can tell two games apart.

use crate::diagnostic::{Diagnostic, diagnostics};
use crate::game::Game;
use crate::noninterference::Leak;

/// How many of the differences that the seat may not see are told.
const MOST_SECRETS: usize = 3;

diagnostics! {
    play::leak => leak_in_play(seat, help; span),
        "{seat} can tell two games apart that differ only in what {seat} may not see",
        span: "here they stand", help: help;
}

/// The report of a leak, with the command that shows it again.
pub fn leaks(found: &Leak, game: &Game, command: &str) -> Diagnostic {
    let seat = &game.names()[found.seat.index()];
    let mut lines = vec!["one game, and the other, of which the seat may not see:".to_owned()];
    let secrets = found.secrets.iter().rev().take(MOST_SECRETS).rev();
    lines.extend(secrets.flat_map(|it| it.iter()).map(|event| format!("  {event}")));
    let received = different_lines(&found.received);
    lines.extend(["what the seat receives:".to_owned()]);
    lines.extend(received.map(|it| format!("  {it}")));
    lines.push("keep what follows from a secret where its owner alone sees it, or tell it on purpose: `say`, `show`, a".to_owned());
    lines.push(format!("public variable; to see it again: {command}"));
    leak_in_play(seat, lines.join("\n"), found.span)
}

/// The first line of each text in which they differ.
fn different_lines(texts: &[String; 2]) -> [String; 2] {
    let [mut a, mut b] = [texts[0].lines(), texts[1].lines()];
    loop {
        match (a.next(), b.next()) {
            (one, other) if one == other && one.is_some() => {}
            (one, other) => return [one, other].map(|it| it.unwrap_or_default().trim().to_owned()),
        }
    }
}
