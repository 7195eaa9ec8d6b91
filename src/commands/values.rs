//! Parses the values of options: margins, probabilities, sizes, parts.

use std::path::PathBuf;

use crate::bots::ONE;

pub(super) fn number_of_players(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|_| {
        let names = if text.contains(char::is_alphabetic) { text } else { "Ann,Ben" };
        format!(
            "expected how many play, as in `2`; what they are called belongs to `--names {names}`"
        )
    })
}

pub(super) fn name_of_file(text: &str) -> Result<PathBuf, String> {
    match text.parse::<u64>() {
        Ok(number) => {
            Err(format!("expected the name of a file; to play {number} games write `-n {number}`"))
        }
        Err(_) => Ok(text.into()),
    }
}

/// A share in millionths.
pub(super) fn parse_margin(text: &str) -> Result<u64, String> {
    let number = text.trim_start_matches('±').trim_end_matches('%').trim();
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{part:0<4}");
    let millionths = whole.parse::<u64>().ok().zip(digits.parse::<u64>().ok());
    let millionths = millionths.filter(|(whole, _)| digits.len() == 4 && *whole < 100);
    millionths
        .map(|(whole, part)| whole * 10_000 + part)
        .filter(|margin| *margin > 0)
        .ok_or_else(|| "expected a margin in percent, such as `1%`".to_owned())
}

/// A probability in parts of [`ONE`].
pub(super) fn probability(text: &str) -> Result<u128, String> {
    let (number, power) = text.split_once("e-").unwrap_or((text, "0"));
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{part}").parse::<u128>().ok();
    let places = power.parse::<usize>().ok().and_then(|it| u32::try_from(it + part.len()).ok());
    let parts = digits.zip(places).and_then(|(digits, places)| {
        digits.checked_mul(ONE)?.checked_div(10_u128.checked_pow(places)?)
    });
    // What is left is computed to about thirty places.
    let is_known = |parts: &u128| digits == Some(0) || (ONE >> 80..ONE).contains(parts);
    parts.filter(is_known).ok_or_else(|| "expected 0, or a probability such as `1e-9`".to_owned())
}

/// A time in milliseconds: `500ms`, `60s`, `10m`.
pub(super) fn duration(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|it: char| !it.is_ascii_digit());
    let unit = match &text[digits.len()..] {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        _ => None,
    };
    let time = unit.zip(digits.parse::<u64>().ok());
    let time = time.and_then(|(unit, number)| number.checked_mul(unit)).filter(|time| *time > 0);
    time.ok_or_else(|| "write a time with its unit, as in `60s` or `10m`".to_owned())
}

/// A number of bytes: `500MB`, `2GB`.
pub(super) fn parse_byte_size(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|it: char| !it.is_ascii_digit());
    let factor = match text[digits.len()..].trim().to_lowercase().as_str() {
        "gb" | "g" => 1_000_000_000,
        "mb" | "m" => 1_000_000,
        _ => return Err("write a size with its unit, as in `500MB` or `2GB`".to_owned()),
    };
    let number = digits.parse::<usize>().ok().filter(|it| *it > 0);
    let bytes = number.and_then(|number| number.checked_mul(factor));
    bytes.ok_or_else(|| "write a whole number of MB or GB, as in `2GB`".to_owned())
}

pub(super) fn shard(text: &str) -> Result<(u64, u64), String> {
    let numbers = text.split_once('/');
    let numbers = numbers.and_then(|(at, of)| Some((at.parse().ok()?, of.parse().ok()?)));
    numbers
        .filter(|(at, of)| (1..=*of).contains(at))
        .ok_or_else(|| "expected a part such as `2/4`".to_owned())
}

pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected two words with `=` between them".to_owned()),
    }
}
