//! The wire protocol between a Quadrex server and its clients.
//!
//! A client sends [`ClientFrame`]s over one WebSocket and receives [`ServerFrame`]s. All other
//! requests use HTTP ([`http`]). Every change of a match is an [`Event`]. The server's log, the
//! frames and exported records contain this same type. `docs/PROTOCOL.md` describes the protocol
//! with worked examples. [`schema`] generates TypeScript types and JSON Schemas from the types of
//! this crate.
//!

pub mod analysis;
pub mod archive;
pub mod bot;
pub mod chat;
pub mod client;
pub mod conditional;
pub mod event;
pub mod explore;
pub mod hex;
pub mod http;
pub mod id;
pub mod lot;
mod lot_key;
mod people;
mod piece_code;
pub mod position_view;
pub mod rating;
pub mod record;
pub mod refusal;
pub mod review;
mod rules_conversion;
pub mod schema;
pub mod server;
pub mod settings;
pub mod state_patch;
mod turn_absence;
pub mod user;
mod variant_facts;
pub mod view;
mod vocabulary;

pub use client::{ClientFrame, RequestAction};
pub use event::Event;
pub use id::{CommandId, GroupId, InvalidCommandId, MatchId, TableId, UserId};
pub use lot_key::LotKey;
pub use piece_code::{InvalidPieceCode, PieceCode};
pub use record::MatchRecord;
pub use refusal::RefusalCode;
pub use server::ServerFrame;
pub use settings::TableSettings;
pub use state_patch::StatePatch;
pub use turn_absence::TurnAbsence;

/// The WebSocket subprotocol that a client must request and the server confirms.
pub const SUBPROTOCOL: &str = "quadrex.v1";
