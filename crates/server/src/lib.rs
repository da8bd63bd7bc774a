//! The Quadrex server as a library: transport, lobby, tables, store, bus, identities.
//!
//! `ARCHITECTURE.md` is the map. Within the crate `transport` uses `lobby`, `table`, `auth`,
//! `archive`, `explore` and `picture`; `picture` uses `table`; `lobby` uses `table` and `store`; `table` uses `store` and `bus`; `auth` and `archive` use
//! `store`; nothing points the other way.

pub mod archive;
pub mod auth;
pub mod bots;
pub mod bus;
pub mod clock;
pub mod config;
pub mod entropy;
pub mod explore;
pub mod fault;
pub mod lease;
pub mod lobby;
pub mod picture;
pub mod position_view;
pub mod server;
pub mod store;
pub mod table;
pub mod telemetry;
pub mod transport;
