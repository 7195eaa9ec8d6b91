//! Writes cards, player sheets, boards and tokens of a game in HTML, to print and cut out.

mod cards;
mod sheets;

pub(crate) use cards::{card_faces, printed_body};

use crate::rules::Paint;

/// A colour as pages write it: `#d70000`.
pub(crate) fn hex(paint: Paint) -> String {
    let [red, green, blue] = paint_channels(paint);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Whether dark letters are read better on some colours.
fn is_light(paints: &[Paint]) -> bool {
    paints.iter().any(|paint| paint_channels(*paint).map(u16::from).iter().sum::<u16>() > 480)
}

/// How much red, green and blue a colour has. All can be read on dark and on light screens, and colour-blind people can
/// distinguish them.
pub(crate) fn paint_channels(paint: Paint) -> [u8; 3] {
    match paint {
        Paint::Red => [215, 0, 0],
        Paint::Orange => [255, 135, 0],
        Paint::Brown => [135, 95, 0],
        Paint::Yellow => [215, 175, 0],
        Paint::Green => [0, 175, 95],
        Paint::Cyan => [95, 175, 215],
        Paint::Blue => [0, 135, 215],
        Paint::Magenta => [215, 95, 175],
        Paint::Pink => [255, 135, 175],
        Paint::Grey => [138; 3],
        Paint::White => [255; 3],
        Paint::Black => [32; 3],
        Paint::Rgb(red, green, blue) => [red, green, blue],
    }
}
