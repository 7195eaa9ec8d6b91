//! A script played again at the table: every step that it makes, up to the first that cannot be
//! made.

use super::timeline::Moment;
use crate::chance::Seeded;
use crate::diagnostic::Diagnostics;
use crate::session::merge::Entry;
use crate::session::playable::Playable;
use crate::session::script::{Moment as ScriptMoment, Runner};
use crate::source::Source;
use crate::transcript::{Kind, Line, Script};

/// What a line of a script did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::session) enum Act {
    /// It let the game run to its first decision.
    Begin,
    /// It decided, or let programs decide.
    Decide,
    /// It changed the position.
    Set,
}

/// A step of a script.
#[derive(Clone, Debug)]
pub(in crate::session) struct Again<P> {
    /// What its line did.
    pub(in crate::session) act: Act,
    /// Its lines in the transcript.
    pub(in crate::session) lines: Vec<String>,
    /// Which of them say that a player declined without being asked.
    pub(in crate::session) declined: Vec<usize>,
    /// The position behind it.
    pub(in crate::session) after: P,
    /// What waits there.
    pub(in crate::session) moment: Moment,
    /// The stream that answers the draws that follow.
    pub(in crate::session) chance: Option<Seeded>,
}

/// A script that was played again.
#[derive(Clone, Debug)]
pub(in crate::session) struct Replayed<P> {
    /// Its steps; none if the game could not even begin.
    pub(in crate::session) steps: Vec<Again<P>>,
    /// What went wrong.
    pub(in crate::session) found: Diagnostics,
    /// Whether all steps could be made.
    pub(in crate::session) complete: bool,
}

/// Plays a script again. Draws that no line answers are answered by `chance`.
pub(in crate::session) fn replay<P: Playable + Clone>(
    script: &Script,
    source: &Source,
    start: P,
    chance: Seeded,
) -> Replayed<P> {
    let mut runner = Runner::new(script, source, start);
    runner.events.chance_follows(chance);
    let mut steps = Vec::new();
    let played = runner.run_watched(script, &mut |runner, head, entries| {
        steps.extend(step(runner, head, entries));
    });
    Replayed { steps, complete: played.is_ok(), found: runner.into_findings(false) }
}

fn step<P: Playable + Clone>(
    runner: &Runner<P>,
    head: Option<&Line>,
    entries: &[Entry],
) -> Option<Again<P>> {
    let (act, first) = match head.map(|line| (&line.kind, line)) {
        None => (Act::Begin, None),
        Some((Kind::Decision { .. }, line)) if runner.has_comment => {
            (Act::Decide, Some(bare(line)))
        }
        Some((Kind::Decision { .. }, line)) => (Act::Decide, Some(line.text.clone())),
        Some((Kind::Bot(_), _)) => (Act::Decide, None),
        Some((Kind::Set(_), line)) => (Act::Set, Some(bare(line))),
        Some(_) => return None,
    };
    let earlier = runner.earlier_sets().iter().map(|line| bare(line));
    let mut lines: Vec<String> = earlier.chain(first).collect();
    let is_one = |(_, entry): &(usize, &Entry)| entry.declines;
    let declined = (lines.len()..).zip(entries).filter(is_one).map(|(at, _)| at).collect();
    lines.extend(entries.iter().map(|entry| entry.text.clone()));
    let moment = match runner.moment {
        ScriptMoment::Decision(player) => Moment::Decision(player),
        ScriptMoment::Over => {
            lines.push(format!("= {}", runner.result()));
            Moment::Over
        }
        ScriptMoment::Returned => return None,
    };
    let (after, chance) = (runner.position.clone(), runner.events.stream());
    Some(Again { act, lines, declined, after, moment, chance })
}

/// A line without the comment behind it.
fn bare(line: &Line) -> String {
    line.text.strip_suffix(line.tail.as_str()).unwrap_or(&line.text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Act, Replayed, replay};
    use crate::chance::{Chance, Seed};
    use crate::session::repl::timeline::Moment;
    use crate::session::test_game::Fake;
    use crate::source::Source;
    use crate::transcript::parse;

    fn play(body: &str) -> Replayed<Fake> {
        let text = format!("game rolling\nplayers Ann, Ben\n{body}");
        let source = Source::new("a.script", text);
        replay(&parse(&source).unwrap(), &source, Fake::new(), Seed(5).stream(0))
    }

    #[test]
    fn every_step_is_made_again() {
        let body = "* random Player: Ben\n# Why not.\nset total = 4\nBen> roll # now\n* roll die: 2\n? total == 6\nAnn> stop\n";
        let played = play(body);
        let acts: Vec<Act> = played.steps.iter().map(|step| step.act).collect();
        assert_eq!(acts, [Act::Begin, Act::Set, Act::Decide, Act::Decide]);
        assert_eq!(played.steps[2].lines, ["Ben> roll", "* roll die: 2", "  Ben rolls 2."]);
        assert_eq!(played.steps[3].moment, Moment::Over);
        assert!(played.complete && played.found.is_empty());
    }

    #[test]
    fn the_steps_before_a_mistake_stay() {
        let played = play("* random Player: Ben\nBen> pass\nAnn> fly\n");
        assert_eq!(played.steps.len(), 2);
        assert!(!played.complete && played.found.has_errors());
    }

    #[test]
    fn what_no_line_answers_is_drawn_from_the_stream() {
        let played = play("Ann> roll\n");
        let mut stream = Seed(5).stream(0);
        let first = ["Ann", "Ben"][stream.below(2) as usize];
        assert_eq!(played.steps[0].lines[0], format!("* random Player: {first}"));
    }
}
