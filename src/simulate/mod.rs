//! Many playouts: games by programs, from start to end, and what they come to.

mod batch;
mod fixed;
mod playout;
mod coverage;
mod reach;
mod text_only;
mod table;
mod tally;

pub use batch::{Batch, Broken, Difference, Played as Simulated, simulate};
pub use coverage::{Point, Points};
pub use fixed::{Moments, Number, Share};
pub use playout::{Played, Playouts};
pub use tally::{Histogram, Place, Tally, Use};
