//! Shared parts of the end-to-end tests: the real server as a process, real databases, clients over
//! real sockets, and the rules as referee over everything that clients receive.

pub mod bot_process;
pub mod browser;
pub mod checker;
pub mod client;
pub mod cluster_tap;
pub mod commit_proxy;
pub mod contest;
pub mod crowd;
pub mod database;
pub mod fault_injection;
pub mod haproxy;
pub mod http;
pub mod identity_provider;
pub mod in_process;
pub mod later_schema;
pub mod ledger;
mod log;
pub mod metrics;
pub mod nats;
pub mod nodes;
pub mod notification_queue;
pub mod operator;
pub mod pebble;
pub mod postgres;
pub mod processes;
pub mod program;
pub mod protocol_page;
pub mod proxy;
pub mod push_browser;
pub mod raw_sql;
pub mod receiver;
pub mod recorded_games;
pub mod referee;
pub mod rng;
pub mod rolling;
pub mod script;
pub mod server;
pub mod signal;
pub mod smtp;
pub mod socket;
pub mod stuck_matches;
pub mod swarm;
pub mod table_mirror;
pub mod terminal;
pub mod tls;
pub mod visitor;

pub use bot_process::{BotLaunch, BotProcess};
pub use browser::Browser;
pub use client::{Answer, Client, Received};
pub use cluster_tap::ClusterTap;
pub use crowd::Crowd;
pub use database::Database;
pub use haproxy::HaProxy;
pub use http::{Guest, Http};
pub use in_process::InProcessServer;
pub use ledger::Ledger;
pub use nats::Nats;
pub use nodes::Nodes;
pub use postgres::Postgres;
pub use raw_sql::RawSql;
pub use referee::Referee;
pub use script::Script;
pub use server::{Launch, Server};
pub use table_mirror::TableMirror;
pub use tls::Tls;
pub use visitor::Visitor;

use std::time::Duration;

/// The maximum time for which a test waits for something that must happen.
pub const PATIENCE: Duration = Duration::from_secs(30);
