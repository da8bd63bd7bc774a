//! Chess engine: search and static evaluation over the rules, for two players and for four.
//!
//! An [`Engine`] keeps its transposition table from one [`SearchRequest`] to the next. It reads no
//! clock: a [`SearchControl`] returns the time used and whether to stop. With one thread and a node
//! limit, a cleared engine gives the same answer on every machine.
//!
//! ```
//! use quadrex_engine::{Engine, Limits, SearchRequest, Untimed};
//! use quadrex_rules::{AnyPosition, Setup, Variant};
//!
//! let position = AnyPosition::new(&Setup::parse(Variant::Classic, "6k1/5ppp/8/8/8/8/q7/R2QK3 w - - 0 1")?)?;
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let result = Engine::new(1).search(&SearchRequest::new(&position, limits), &Untimed, &mut |_| ());
//! assert_eq!(result.best.map(|mv| mv.to_string()), Some("d1d8".to_owned()));
//! # Ok::<(), quadrex_rules::SetupError>(())
//! ```

mod engine;
mod evaluation;
mod level;
mod request;
mod result;
mod rng;
mod search;
mod time_management;
mod transposition;
pub mod tuning;
mod win_probability;

pub use engine::Engine;
pub use level::Level;
pub use request::{Limits, SearchControl, SearchRequest, Strategy, Untimed};
pub use result::{Line, Report, Score, SearchResult};
pub use rng::Rng;
pub use time_management::TimeBudget;
