//! Ways out of mistakes that say in other words what the language says in its own.

/// What to do where `found` stands behind the rest of a line, if it looks like something known.
pub(super) fn hint(line: &str, found: &str) -> Option<&'static str> {
    let line = line.trim_start();
    let line = line.rsplit(['{', ';']).next().unwrap_or(line).trim();
    about_variants(line)
        .or_else(|| about_moving(line, found))
        .or_else(|| about_seeing(line, found))
        .or_else(|| about_sets(line, found))
}

/// Files over files.
fn about_variants(line: &str) -> Option<&'static str> {
    match line {
        "replace" => Some("say what it is: `replace rule name …`, `replace table name …`"),
        "extend" => Some("say what it is: `extend kind Name …`, `extend moves name(…) …`"),
        _ if line.starts_with("variant \"") && !line.contains(" of ") => {
            Some("say what it is a variant of: `variant \"Name\" of \"base.game\"`")
        }
        _ => None,
    }
}

/// Drawing and dealing, which are moves of cards.
fn about_moving(line: &str, found: &str) -> Option<&'static str> {
    let from_top = "cards are moved from the top of a pile: `move top 3 of deck to me.hand`";
    match line {
        "draw" | "deal" | "take" | "put" | "discard" | "give" => Some(from_top),
        _ if line.starts_with("move ") && ["of", "from", "card", "cards"].contains(&found) => {
            Some(from_top)
        }
        _ => None,
    }
}

/// Who sees something.
fn about_seeing(line: &str, found: &str) -> Option<&'static str> {
    let sight = "who sees it stands behind the first value, `bid: 0..9 = 0 seen by owner`, or behind \
                 `cards`: `seen by owner`, `hidden` for nobody, and nothing where all see it";
    if ["private", "secret", "public", "open", "visible"].contains(&found)
        || line.ends_with("seen by")
        || line.ends_with("hidden") && ["from", "to", "for", "by"].contains(&found)
    {
        return Some(sight);
    }
    let looks = line.starts_with("look at ") && found != "for";
    looks.then_some("say who looks: `look at top 2 of deck for me`")
}

fn about_sets(line: &str, found: &str) -> Option<&'static str> {
    if found == "is" {
        return Some("`==` compares, and `{}` is the empty set: `deck == {}`");
    }
    if found == "of" && line.ends_with("count") {
        return Some("what is counted stands in parentheses: `count(deck)`");
    }
    if line.starts_with("cards ") && line.ends_with("copies") {
        return Some("say how many of each: `copies { ant: 3 }`, or the column that tells it");
    }
    let faceless = line.starts_with("cards ") && !line.contains(" of");
    faceless.then_some("say which kind has the faces: `cards Card of Face`")
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn what_other_rulebooks_say_is_known() {
        let known = |line, found, help: &str| {
            assert!(hint(line, found).is_some_and(|hint| hint.contains(help)), "{line} {found}");
        };
        known("  draw", "3", "move top 3 of deck");
        known("if deck == {} { deal", "2", "move top 3 of deck");
        known("  move 2", "of", "move top 3 of deck");
        known("  hand: cards", "private", "seen by owner");
        known("each player has { hand: cards hidden", "from", "seen by owner");
        known("  look at top of deck", "\n", "for me");
        known("  if deck", "is", "deck == {}");
        known("cards Card", "\n", "of Face");
        assert_eq!(hint("  let n = 3", "4"), None);
    }
}
