//! The Quadrex server as a library: HTTP, WebSockets, lobby, tables, bus, bots, identities.
//!
//! `ARCHITECTURE.md` describes the modules. `cargo xtask tidy` checks the allowed dependencies
//! between them.

pub mod actor;
pub mod app;
pub mod archive;
pub mod auth;
pub mod bots;
pub mod bus;
pub mod cluster;
pub mod config;
pub mod explore;
pub mod fair_play;
pub mod fault;
mod http;
pub mod lease;
mod limits;
pub mod lobby;
mod mail;
pub mod moderation;
pub mod network;
mod notifications;
pub mod outgoing;
mod people;
pub mod picture;
pub mod providers;
mod reviews;
mod stop;
pub mod telemetry;
mod ws;
