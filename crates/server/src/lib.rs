//! The Quadrex server as a library: transport, lobby, tables, bus, bots, identities.
//!
//! `ARCHITECTURE.md` is the map; `cargo xtask tidy` holds the edges between the modules.

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
pub mod table;
pub mod telemetry;
pub mod transport;
