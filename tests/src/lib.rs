//! What the end-to-end tests share: the real server as a process, real databases, clients over real sockets, and
//! the rules as referee over everything the clients are told.

pub mod browser;
pub mod checker;
pub mod client;
pub mod commit_line;
pub mod contest;
pub mod crowd;
pub mod database;
pub mod endless;
pub mod http;
pub mod inner;
pub mod ledger;
mod log;
pub mod ordeal;
pub mod page;
pub mod player;
pub mod policy;
pub mod postgres;
pub mod program;
pub mod proxy;
pub mod raw;
pub mod recorded;
pub mod referee;
pub mod script;
pub mod server;
pub mod signal;
pub mod socket;
pub mod swarm;
pub mod terminal;
pub mod tls;
pub mod watched;

pub use browser::Browser;
pub use client::{Answer, Client, Received};
pub use crowd::Crowd;
pub use database::Database;
pub use http::{Guest, Http};
pub use inner::Inner;
pub use ledger::Ledger;
pub use player::{Player, PlayerLaunch};
pub use postgres::Postgres;
pub use raw::Raw;
pub use referee::Referee;
pub use script::Script;
pub use server::{Launch, Server};
pub use tls::Tls;
pub use watched::Watched;

use std::time::Duration;

/// How long a test waits for something that must come before it calls it lost.
pub const PATIENCE: Duration = Duration::from_secs(30);
