//! Choosing moves: search and evaluation over the rules, for two players and for four.
//!
//! An [`Engine`] keeps what it has learned from one [`Task`] to the next. It reads no clock: a [`Watch`] tells how
//! much time has passed and whether to stop. With one thread and a limit of nodes the same engine, freshly cleared,
//! gives the same answer on every machine.
//!
//! ```
//! use quadrex_engine::{Engine, Limits, Task, Untimed};
//! use quadrex_rules::{AnyPosition, Setup, Variant};
//!
//! let position = AnyPosition::new(&Setup::parse(Variant::Classic, "6k1/5ppp/8/8/8/8/q7/R2QK3 w - - 0 1")?)?;
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let found = Engine::new(1).search(&Task::new(&position, limits), &Untimed, &mut |_| ());
//! assert_eq!(found.best.map(|mv| mv.to_string()), Some("d1d8".to_owned()));
//! # Ok::<(), quadrex_rules::SetupError>(())
//! ```

mod chances;
mod engine;
mod evaluation;
pub mod fit;
mod level;
mod report;
mod search;
mod table;
mod task;
mod time;

pub use engine::Engine;
pub use level::Level;
pub use report::{Found, Line, Report, Score};
pub use task::{Limits, Strategy, Task, Untimed, Watch};
pub use time::Clock;
