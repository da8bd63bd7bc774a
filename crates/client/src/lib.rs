//! A client of the Quadrex wire protocol.
//!
//! A [`Client`] is a connection that reconnects by itself. Its [`ClientState`] contains copies of
//! the watched tables, and the commands that have not been answered yet. The state does no input or
//! output, so tests and programs with their own connection can use it alone. A [`Connection`] is
//! one WebSocket that does not reconnect. An [`HttpClient`] calls the HTTP API.
//!
//! ```no_run
//! use quadrex_client::{Client, ClientEvent, Credentials, TableAddress, Update};
//! use quadrex_clock::{Clock, Entropy};
//!
//! # async fn watch() -> Result<(), Box<dyn std::error::Error>> {
//! let link = TableAddress::parse("https://chess.example.org/t/0192f0c1-2345-7000-8000-000000000001")?;
//! let server = link.server.ok_or("the link has no server")?;
//! let mut client: Client<()> =
//!     Client::connect(server, Credentials::default(), Clock::system(), Entropy::system()).await?;
//! client.state_mut().watch(link.table, link.invite);
//! loop {
//!     if let ClientEvent::Update(Update::Event { entry, .. }) = client.next().await? {
//!         println!("event {}: {:?}", entry.seq, entry.event);
//!     }
//! }
//! # }
//! ```

mod address;
mod backoff;
mod client;
mod connection;
mod http;
mod live_connection;
mod lobby;
mod pending_commands;
mod state;
mod stream;
mod successor;
mod table_mirror;

pub use address::{Address, AddressError, TableAddress};
pub use client::{Client, ClientError, ClientEvent, Credentials};
pub use connection::{Connection, ConnectionError};
pub use http::{HttpClient, HttpError, Refusal, is_transient};
pub use lobby::LobbyMirror;
pub use pending_commands::PendingCommand;
pub use state::{ClientState, SyncError, Update};
pub use table_mirror::{MirrorError, TableMirror};
