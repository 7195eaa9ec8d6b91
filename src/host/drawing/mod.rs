//! Draws the view of a table as styled lines: boards, seats, moves, whole screens.

pub(crate) mod board_view;
mod lattice_view;
pub(crate) mod line;
pub(crate) mod screen_moves;
pub(crate) mod seat_table;
pub(crate) mod table_screen;
pub(crate) mod table_view;
