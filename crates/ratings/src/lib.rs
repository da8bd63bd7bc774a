//! Ratings: estimates of the strength of players from the results of their matches.
//!
//! Matches of two players are rated with [Glicko-2] and matches of more players with the
//! Bradley-Terry model of [Weng and Lin]. Both systems use the same scale: players begin at 1500,
//! and a difference of 400 is about ten to one. The crate [`skillratings`] computes both.
//!
//! The calculation uses nothing but its arguments, so the same matches in the same order always
//! have the same ratings.
//!
//! ```
//! use quadrex_ratings::{Placed, Rating, rate};
//!
//! let beginner = Rating::INITIAL;
//! let places = [1, 2, 3, 4].map(|place| Placed { rating: beginner, place });
//! let after = rate(&places);
//! assert!(after[0].value > after[1].value && after[1].value > 1500.0);
//! assert!(after[2].value < 1500.0 && after[3].value < after[2].value);
//! ```
//!
//! [Glicko-2]: http://www.glicko.net/glicko/glicko2.pdf
//! [Weng and Lin]: https://jmlr.org/papers/v12/weng11a.html

mod expectation;
mod rating;
mod systems;

pub use expectation::expected_places;
pub use rating::{GROWTH_PER_DAY, PROVISIONAL_DEVIATION, Rating};
pub use systems::{Placed, rate};
