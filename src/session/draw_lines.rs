//! Draws of chance in words for people: `rolled: cube 4`, `drawn from deck: ace`.

/// Draws, events with their outcomes, in few lines: dice together, and the cards of one pile.
pub(super) fn draw_lines(draws: &[(&str, &str)]) -> Vec<String> {
    let groups =
        draws.chunk_by(|(one, _), (other, _)| describe_event(one) == describe_event(other));
    groups.map(|group| format!("  {}: {}", describe_event(group[0].0), outcomes(group))).collect()
}

fn describe_event(event: &str) -> String {
    match event.split_once(' ') {
        Some(("roll", _)) => "rolled".to_owned(),
        Some(("draw", pile)) => format!("drawn from {}", plain(pile)),
        _ => "picked at random".to_owned(),
    }
}

fn outcomes(draws: &[(&str, &str)]) -> String {
    // Dice of one name differ by their indices.
    let same = |(one, _): &(&str, &str), (other, _): &(&str, &str)| {
        let name = |event: &'_ str| event.split_once('[').map(|(name, _)| name.len());
        one.starts_with("roll ") && name(one).is_some_and(|it| one.get(..=it) == other.get(..=it))
    };
    let words = draws.chunk_by(same).map(|alike| {
        let faces: Vec<String> = alike.iter().map(|(_, outcome)| plain(outcome)).collect();
        let which = alike.iter().filter_map(|(event, _)| event.split_once('[').map(|it| it.1));
        // Dice that are all rolled, in the order of their numbers, need no numbers.
        let all = (1..).zip(which.clone()).all(|(at, which)| which == format!("{at}]"));
        match alike {
            [(event, _)] => format!("{}{}", die_name(event), faces[0]),
            [(event, _), ..] if all => {
                let (name, _) = event.split_once('[').unwrap_or((event, ""));
                format!("{}{}", die_name(name), faces.join(" "))
            }
            [(event, _), ..] => {
                let rest = which.zip(&faces).skip(1);
                let rest = rest.map(|(which, face)| format!("{}{face}", numbered(&plain(which))));
                let first = format!("{}{}", die_name(event), faces[0]);
                [first].into_iter().chain(rest).collect::<Vec<_>>().join(", ")
            }
            [] => String::new(),
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The die of an event, before its face; nothing for other events.
fn die_name(event: &str) -> String {
    event.strip_prefix("roll ").map_or_else(String::new, |die| numbered(&plain(die)))
}

/// A die before its face: a number of its own stands apart from that.
fn numbered(die: &str) -> String {
    let has_number = die.ends_with(|it: char| it.is_ascii_digit());
    format!("{die}{} ", if has_number { ":" } else { "" })
}

/// A name of the rules as people read it: `Ann.dark_cube[2]` is `Ann's dark cube 2`.
fn plain(name: &str) -> String {
    name.replace('.', "'s ").replace(['_', '['], " ").replace(']', "")
}
