//! The source of a bot's matches.

use quadrex_client::TableAddress;
use quadrex_protocol::http::CreateTable;

use crate::lobby_filter::LobbyFilter;

/// The source of a bot's matches.
#[derive(Clone, Debug)]
pub enum Target {
    /// This table.
    At(TableAddress),
    /// Own tables with these settings.
    Open(Box<CreateTable>),
    /// Other people's public tables.
    Seek(LobbyFilter),
}
