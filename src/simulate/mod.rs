//! Simulates many bot games and summarises the results.

mod batch;
mod fixed;
mod playout;
mod coverage;
mod tally;

pub use batch::{Batch, Broken, Difference, Played as Simulated, simulate};
pub use coverage::{Point, Points};
pub use fixed::{Moments, Number, Share};
pub use playout::{Played, Playouts};
pub use tally::{Histogram, Place, Tally, Use};
