//! Tournaments between engines and levels, with the rules as referee.
//!
//! A [`Contest`] consists of many games of two contestants, several of them at the same time. A
//! [`Player`] chooses the moves of one seat: [`BuiltInPlayer`] is the engine of this build,
//! [`UciPlayer`] any UCI engine. A [`Summary`] gives the scores of the rounds with their
//! [`statistics`].
//!
//! ```
//! use quadrex_arena::{BuiltInPlayer, Contest, Contestant, Seats, Summary};
//! use quadrex_engine::Level;
//! use quadrex_rules::Variant;
//!
//! let contest = Contest {
//!     variant: Variant::Classic,
//!     seats: Seats::Half,
//!     games: 2,
//!     concurrency: 2,
//!     max_plies: 20,
//!     seed: 1,
//! };
//! let start = |contestant| {
//!     let level = if contestant == Contestant::A { Level::FULL } else { Level::LOWEST };
//!     Ok(BuiltInPlayer::with_nodes(level, 200))
//! };
//! let rounds = contest.play(start, |_, _| true)?;
//! assert_eq!(Summary::of(&rounds).games, 2);
//! # anyhow::Ok(())
//! ```

mod contest;
mod game;
pub mod mates;
pub mod opening;
mod player;
pub mod statistics;
mod stopwatch;
mod summary;

pub use contest::{Contest, Contestant, Round, Seats};
pub use game::{Ending, GameResult, Player, play};
pub use player::{BuiltInPlayer, UciLaunch, UciPlayer};
pub use stopwatch::{StopSwitch, Stopwatch};
pub use summary::Summary;
