//! Small inputs made large: what the corpus holds, repeated and put into itself.

/// How long an input becomes at most.
const LONGEST: usize = 64 * 1024;

/// A text whose lines are repeated, and whose blocks stand in each other, as its first bytes say.
pub fn swell(data: &[u8]) -> String {
    let (head, rest) = data.split_at(data.len().min(3));
    let text = crate::text(rest).into_owned();
    let [from, count, times] = [0, 1, 2].map(|at| usize::from(head.get(at).copied().unwrap_or(0)));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_empty() || times == 0 {
        return text;
    }
    let from = from % lines.len();
    let to = (from + 1 + count % 8).min(lines.len());
    let chunk = lines[from..to].concat();
    let most = LONGEST.saturating_sub(text.len()) / chunk.len().max(1);
    let middle = if count % 2 == 0 {
        numbered(&chunk, times * times, most)
    } else {
        nested(&chunk, times, most)
    };
    lines[..from].concat() + &middle + &lines[to..].concat()
}

/// The lines again and again, with other numbers behind their names.
fn numbered(chunk: &str, times: usize, most: usize) -> String {
    let number = |at: usize| chunk.replace('0', &at.to_string());
    let mut all = String::new();
    for at in 0..times.min(most) {
        all.push_str(&number(at));
        if all.len() > LONGEST {
            break;
        }
    }
    all
}

/// The lines inside of themselves: behind their first brace, or else in parentheses.
fn nested(chunk: &str, times: usize, most: usize) -> String {
    let (open, close) = chunk.split_once('{').unwrap_or((chunk, ""));
    let times = times.min(most);
    format!("{}{chunk}{}", format!("{open}{{").repeat(times), format!("}}{close}").repeat(times))
}
