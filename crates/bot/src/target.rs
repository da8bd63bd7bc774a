//! The choice of the tables at which a bot plays.

use quadrex_client::TableAddress;
use quadrex_protocol::http::CreateTable;

use crate::lobby_filter::LobbyFilter;

/// The tables at which a bot plays.
#[derive(Clone, Debug)]
pub enum Target {
    /// The bot plays at this table.
    At(TableAddress),
    /// The bot opens tables with these settings.
    Open(Box<CreateTable>),
    /// The bot joins public tables of other users.
    Seek(LobbyFilter),
}
