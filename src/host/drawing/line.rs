//! A line of the screen in styled pieces, and text wrapped and cut to columns: wide letters take two.

use anstyle::{Ansi256Color, AnsiColor, Color, Effects, RgbColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::game::Paint;
use crate::host::gate;
use crate::printed::paint_channels;

/// What matters less: numbers, hints.
pub(crate) const FAINT: Style = AnsiColor::BrightBlack.on_default();

pub(crate) const STRONG: Style = Style::new().bold();

/// The question before the line that is typed.
pub(crate) const PROMPT: Style = AnsiColor::Green.on_default().bold();

/// The space between two drawings, or two things in a line.
pub(crate) const BETWEEN: usize = 3;

pub(crate) type ScreenBlock = Vec<StyledLine>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StyledLine {
    pieces: Vec<(String, Style)>,
}

impl StyledLine {
    pub(crate) fn from_text(text: &str) -> StyledLine {
        StyledLine::styled(text, Style::new())
    }

    pub(crate) fn styled(text: &str, style: Style) -> StyledLine {
        let mut line = StyledLine::default();
        line.push_text(text, style);
        line
    }

    /// A text whose words have colours, each its own or all the same.
    pub(crate) fn inked(text: &str, inks: &[Paint]) -> StyledLine {
        match inks {
            [] => StyledLine::from_text(text),
            [paint] => StyledLine::styled(text, ink(*paint)),
            inks => {
                let mut line = StyledLine::default();
                for (at, word) in text.split(' ').enumerate() {
                    line.push_text(if at == 0 { "" } else { " " }, Style::new());
                    line.push_text(word, inks.get(at).map_or(Style::new(), |paint| ink(*paint)));
                }
                line
            }
        }
    }

    pub(crate) fn push_text(&mut self, text: &str, style: Style) {
        if !text.is_empty() {
            self.pieces.push((gate::sanitize_text(text).into_owned(), style));
        }
    }

    pub(crate) fn append_line(&mut self, other: StyledLine) {
        self.pieces.extend(other.pieces);
    }

    pub(crate) fn pad(&mut self, width: usize) {
        let missing = width.saturating_sub(self.display_width());
        self.push_text(&" ".repeat(missing), Style::new());
    }

    pub(crate) fn display_width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text_width(text)).sum()
    }

    pub(crate) fn cut(self, width: usize) -> StyledLine {
        if self.display_width() <= width {
            return self;
        }
        let mut kept = StyledLine::default();
        for (text, style) in self.pieces {
            let room = width.saturating_sub(kept.display_width());
            let fits = text_width(&text) < room;
            kept.push_text(&if fits { text } else { cut(&text, room) }, style);
            if !fits {
                break;
            }
        }
        kept
    }

    pub(crate) fn letters(&self) -> String {
        let text: String = self.pieces.iter().map(|(text, _)| text.as_str()).collect();
        text.trim_end().to_owned()
    }

    /// The line for a page, its colours made as dark or light as the page needs them.
    pub(crate) fn html(&self) -> String {
        let piece = |(text, style): &(String, Style)| {
            let text = gate::html(text);
            let bold = if style.get_effects().contains(Effects::BOLD) { " strong" } else { "" };
            match style.get_fg_color() {
                _ if *style == FAINT => format!("<span class=\"faint\">{text}</span>"),
                Some(color) => format!(
                    "<span class=\"ink{bold}\" style=\"--ink:{}\">{text}</span>",
                    rgb(color)
                ),
                None if bold.is_empty() => text,
                None => format!("<b>{text}</b>"),
            }
        };
        self.pieces.iter().map(piece).collect()
    }

    pub(crate) fn coloured(&self) -> String {
        let piece = |(text, style): &(String, Style)| {
            let plain = *style == Style::new();
            if plain { text.clone() } else { format!("{style}{text}{style:#}") }
        };
        self.pieces.iter().map(piece).collect()
    }
}

/// How many columns of the screen a text takes, as it is shown.
pub(crate) fn text_width(text: &str) -> usize {
    gate::sanitize_text(text).width()
}

pub(crate) fn breadth<'a>(lines: impl IntoIterator<Item = &'a StyledLine>) -> usize {
    lines.into_iter().map(StyledLine::display_width).max().unwrap_or(0)
}

pub(crate) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    texts.into_iter().map(text_width).max().unwrap_or(0)
}

pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text_width(text))))
}

/// A text that is cut off where there is no room, which shows.
fn cut(text: &str, width: usize) -> String {
    let mut kept = String::new();
    for letter in text.chars() {
        if text_width(&kept) + letter.width().unwrap_or(0) + 1 > width {
            break;
        }
        kept.push(letter);
    }
    if width > 0 { format!("{kept}…") } else { kept }
}

/// Breaks a text between words, and inside a word that is too long for a line.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line) + 1 + text_width(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => {
                lines.push(String::new());
                for letter in word.chars() {
                    let line = lines.last_mut().expect("a line was begun");
                    // A letter may be wider than a line.
                    if line.is_empty() || text_width(line) + letter.width().unwrap_or(0) <= width {
                        line.push(letter);
                    } else {
                        lines.push(letter.to_string());
                    }
                }
            }
        }
    }
    lines
}

pub(crate) fn ink(paint: Paint) -> Style {
    let style = Style::new().fg_color(Some(color(paint)));
    // On a screen of the same colour letters would not be seen.
    match paint {
        Paint::Black => style.bg_color(Some(AnsiColor::White.into())),
        Paint::White => style.bg_color(Some(Ansi256Color(240).into())),
        _ => style,
    }
}

pub(crate) fn ground(paint: Paint) -> Style {
    let letters = if paint == Paint::Black { AnsiColor::White } else { AnsiColor::Black };
    Style::new().bg_color(Some(color(paint))).fg_color(Some(letters.into()))
}

fn rgb(color: Color) -> String {
    let [red, green, blue] = channels(color);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// How much red, green and blue a colour has.
fn channels(color: Color) -> [u8; 3] {
    match color {
        Color::Rgb(RgbColor(red, green, blue)) => [red, green, blue],
        Color::Ansi(AnsiColor::BrightWhite) => [255; 3],
        Color::Ansi(AnsiColor::Black) => [32; 3],
        Color::Ansi(_) => [128; 3],
        Color::Ansi256(Ansi256Color(number)) => match number.checked_sub(16) {
            // A cube of six by six by six colours, then shades of grey.
            Some(place @ ..216) => {
                let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
                [level(place / 36), level(place / 6 % 6), level(place % 6)]
            }
            Some(shade) => [8 + 10 * (shade - 216); 3],
            None => [128; 3],
        },
    }
}

/// The colour of pages among those that every terminal has.
fn color(paint: Paint) -> Color {
    match paint {
        Paint::Grey => Ansi256Color(245).into(),
        Paint::White => AnsiColor::BrightWhite.into(),
        Paint::Black => AnsiColor::Black.into(),
        Paint::Rgb(red, green, blue) => RgbColor(red, green, blue).into(),
        named => {
            let step = |part: u8| if part == 0 { 0 } else { (part - 55) / 40 };
            let [red, green, blue] = paint_channels(named).map(step);
            Ansi256Color(16 + 36 * red + 6 * green + blue).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{StyledLine, text_width};

    #[test]
    fn what_stands_for_a_hidden_sign_takes_room() {
        let mut line = StyledLine::from_text("a\u{200b}\u{202e}");
        assert_eq!(text_width("a\u{200b}\u{202e}"), line.display_width());
        line.pad(4);
        assert_eq!(line.coloured(), "a\u{fffd}\u{fffd} ");
    }
}
