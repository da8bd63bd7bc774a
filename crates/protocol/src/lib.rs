//! The wire protocol between a Quadrex server and its clients.
//!
//! A client sends [`ClientFrame`]s over one WebSocket and receives [`ServerFrame`]s; everything
//! that is not live uses HTTP ([`http`]). Everything that changes a match is an [`Event`]: the
//! server's log, the frames and exported records hold the same type. `docs/PROTOCOL.md` describes
//! the protocol in prose, with worked examples; [`schema`] returns the TypeScript types and the
//! JSON Schemas generated from these types.
//!
//! Directions are those of the server: a `ClientFrame` is received, a `ServerFrame` is sent.

pub mod analysis;
pub mod archive;
pub mod bot;
pub mod chat;
pub mod client;
pub mod event;
pub mod explore;
pub mod hex;
pub mod http;
pub mod id;
pub mod lot;
mod lot_key;
mod of_rules;
mod piece_code;
pub mod position_view;
pub mod record;
pub mod refusal;
pub mod schema;
pub mod server;
pub mod settings;
pub mod state_patch;
mod turn_away;
pub mod user;
pub mod view;
mod vocabulary;

pub use client::{ClientFrame, RequestAction};
pub use event::Event;
pub use id::{CmdId, InvalidCmdId, MatchId, TableId, UserId};
pub use lot_key::LotKey;
pub use piece_code::{InvalidPieceCode, PieceCode};
pub use record::MatchRecord;
pub use refusal::RefusalCode;
pub use server::ServerFrame;
pub use settings::TableSettings;
pub use state_patch::StatePatch;
pub use turn_away::TurnAway;

/// The WebSocket subprotocol that a client must request and the server confirms.
pub const SUBPROTOCOL: &str = "quadrex.v1";
