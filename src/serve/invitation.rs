//! The address of the room as a picture that a phone reads.

use qrcodegen::{QrCode, QrCodeEcc};

/// So many empty points have to lie around the picture.
const MARGIN: i32 = 2;

/// The points of the picture, row by row: `1` is dark.
pub(super) fn picture_rows(address: &str) -> Option<Vec<String>> {
    let code = QrCode::encode_text(address, QrCodeEcc::Low).ok()?;
    let points = -MARGIN..code.size() + MARGIN;
    let row = |y| points.clone().map(|x| if code.get_module(x, y) { '1' } else { '0' }).collect();
    Some(points.clone().map(row).collect())
}

/// The picture for a terminal, two points in a character: light on dark grounds, which phones read as well.
pub(super) fn terminal_picture(address: &str) -> Option<String> {
    let rows = picture_rows(address)?;
    let line = |pair: &[String]| {
        let below = pair.get(1).map_or_else(|| "0".repeat(pair[0].len()), Clone::clone);
        let points = pair[0].chars().zip(below.chars());
        points.map(half_blocks).collect::<String>()
    };
    Some(rows.chunks(2).map(line).collect::<Vec<_>>().join("\n"))
}

/// Two points, one above the other; what is light is printed.
fn half_blocks(pair: (char, char)) -> char {
    match pair {
        ('0', '0') => '█',
        ('0', _) => '▀',
        (_, '0') => '▄',
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::{picture_rows, terminal_picture};

    #[test]
    fn a_picture_is_a_square_with_three_marks() {
        let rows = picture_rows("http://192.168.1.20:7117/#table=bakotimu").expect("it fits");
        assert!(rows.iter().all(|row| row.len() == rows.len()));
        let (mark, end) = ("1111111", rows.len() - 2);
        assert_eq!([&rows[2][2..9], &rows[2][end - 7..end], &rows[end - 1][2..9]], [mark; 3]);
        let picture =
            terminal_picture("http://192.168.1.20:7117/#table=bakotimu").expect("it fits");
        assert_eq!(picture.lines().count(), rows.len().div_ceil(2));
    }
}
