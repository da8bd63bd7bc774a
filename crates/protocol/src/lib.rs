//! What crosses the wire between a Quadrex server and its clients.
//!
//! A client sends [`ClientFrame`]s over one WebSocket and reads [`ServerFrame`]s; what is not live goes over
//! HTTP ([`http`]). Everything that changes a match is an [`Event`]: the same type stands in the server's log,
//! in the frames and in exported records. `docs/PROTOCOL.md` tells it in prose with worked examples;
//! [`schema`] gives the TypeScript types and the JSON Schemas made from these types.
//!
//! Direction is seen from the server: a `ClientFrame` comes in, a `ServerFrame` goes out.

pub mod analysis;
pub mod archive;
pub mod bot;
pub mod chat;
pub mod client;
pub mod event;
pub mod explore;
pub mod http;
pub mod id;
pub mod lot;
mod of_rules;
mod piece_code;
pub mod record;
pub mod refusal;
pub mod schema;
pub mod server;
pub mod settings;
pub mod state_patch;
pub mod view;
mod vocabulary;

pub use client::{ClientFrame, RequestAct};
pub use event::Event;
pub use id::{CmdId, InvalidCmdId, MatchId, TableId, UserId};
pub use piece_code::{InvalidPieceCode, PieceCode};
pub use record::MatchRecord;
pub use refusal::RefusalCode;
pub use server::ServerFrame;
pub use settings::TableSettings;
pub use state_patch::StatePatch;

/// The WebSocket subprotocol: a client must ask for it, and the server answers with it.
pub const SUBPROTOCOL: &str = "quadrex.v1";
