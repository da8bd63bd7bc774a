//! A match with one connection for each player, and optional watchers.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use anyhow::{Context, Result};
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::{Color, Move, Variant};

use crate::client::Client;
use crate::http::Http;
use crate::server::{Launch, Server};

/// A match with all its players.
pub struct Contest {
    /// The id of the table.
    pub table: TableId,
    /// The id of the match.
    pub match_id: MatchId,
    /// The connections of the players, which all watch the table.
    pub players: BTreeMap<Color, Client>,
    /// The connections of watchers without a seat.
    pub watchers: Vec<Client>,
}

/// Returns the request for a public table with default settings.
pub fn plain(variant: Variant) -> CreateTable {
    CreateTable::plain(variant, Privacy::Public)
}

impl Contest {
    /// Creates a table, seats a new guest on each seat and waits for the start of the match. At a
    /// rated table the players have accounts.
    ///
    /// # Errors
    /// If a request is refused, or the match does not start in time.
    pub async fn start(server: &Server, table: &CreateTable) -> Result<Self> {
        Self::start_at(server.address(), table).await
    }

    /// Like [`start`](Self::start), at the server with this address.
    ///
    /// # Errors
    /// If a request is refused, or the match does not start in time.
    pub async fn start_at(server: SocketAddr, table: &CreateTable) -> Result<Self> {
        Self::start_across(&[server], table).await
    }

    /// Like [`start`](Self::start), at the nodes of a cluster with these addresses: the table is
    /// created at the first one, and the players connect to one after the other.
    ///
    /// # Errors
    /// If there is no address, a request is refused, or the match does not start in time.
    pub async fn start_across(nodes: &[SocketAddr], table: &CreateTable) -> Result<Self> {
        Self::start_from(*nodes.first().context("there is no node")?, nodes, table).await
    }

    /// Like [`start`](Self::start), at the nodes of a cluster: the table is created at the node
    /// `first`, and the players connect to `nodes`, one after the other.
    ///
    /// # Errors
    /// If a request is refused, or the match does not start in time.
    pub async fn start_from(first: SocketAddr, nodes: &[SocketAddr], table: &CreateTable) -> Result<Self> {
        let http = Http::new(first);
        let mut guests = Vec::new();
        for color in table.variant.colors() {
            let name = format!("{color} player");
            let is_rated = table.rated == Some(true);
            guests
                .push((*color, if is_rated { http.account(&name).await? } else { http.guest(&name).await? }));
        }
        let (_, host) = guests.first().context("a variant has players")?;
        let TableCreated { table, match_id } = http.as_guest(host).create(table).await?;
        let mut contest = Self { table, match_id, players: BTreeMap::new(), watchers: Vec::new() };
        let mut seq = 0;
        for ((color, guest), node) in guests.iter().zip(nodes.iter().cycle()) {
            let mut client = Client::open(*node, Some(guest)).await?;
            client.watch(contest.table).await?;
            let sit = client.sit(contest.table, Some(*color), None);
            seq = client.accepted(&sit).await?;
            contest.players.insert(*color, client);
        }
        contest.until_seq(seq).await?;
        // The seats may have been drawn by lot at the start.
        for (_, client) in std::mem::take(&mut contest.players) {
            let yours = &client.table(contest.table)?.view().your_seats;
            let color = *yours.first().context("a seated user has a seat")?;
            contest.players.insert(color, client);
        }
        Ok(contest)
    }

    /// Returns all connections, players first.
    pub fn everybody(&mut self) -> impl Iterator<Item = &mut Client> {
        self.players.values_mut().chain(&mut self.watchers)
    }

    /// Waits until every connection has received event `seq`.
    ///
    /// # Errors
    /// If a connection does not receive it.
    pub async fn until_seq(&mut self, seq: u64) -> Result<()> {
        let table = self.table;
        for client in self.everybody() {
            client.until_seq(table, seq).await?;
        }
        Ok(())
    }

    /// Returns the color to move, according to the first player's mirror.
    ///
    /// # Errors
    /// If there is no player.
    pub fn turn(&self) -> Result<Option<Color>> {
        let first = self.players.values().next().context("there is no player")?;
        Ok(first.table(self.table)?.state().turn)
    }

    /// Returns the connection of a player.
    ///
    /// # Errors
    /// If there is no player of this color.
    pub fn player(&mut self, color: Color) -> Result<&mut Client> {
        self.players.get_mut(&color).with_context(|| format!("{color} does not play"))
    }

    /// Returns the connection of the player to move.
    ///
    /// # Errors
    /// If the match is not running.
    pub fn mover(&mut self) -> Result<&mut Client> {
        let turn = self.turn()?.context("no player is to move")?;
        self.player(turn)
    }

    /// Makes a move for the player to move and waits until every connection has received it.
    ///
    /// # Errors
    /// If the move is refused, or a connection does not receive it.
    pub async fn play(&mut self, mv: Move) -> Result<u64> {
        let table = self.table;
        let mover = self.mover()?;
        let command = mover.mv(table, mv)?;
        let seq = mover.accepted(&command).await?;
        self.until_seq(seq).await?;
        Ok(seq)
    }
}

/// Returns a server configuration without rate limits for clients.
pub fn without_rate_limits(launch: Launch) -> Launch {
    let limits = ["PLAYER", "WATCHER"].map(|who| [format!("{who}_PER_SECOND"), format!("{who}_BURST")]);
    let rates = ["GUESTS", "TABLES"].map(|what| [format!("{what}_PER_MINUTE"), format!("{what}_BURST")]);
    limits
        .into_iter()
        .chain(rates)
        .flatten()
        .chain(["BOT_MATCHES_PER_USER".to_owned()])
        .fold(launch, |launch, key| launch.with_env(&format!("QUADREX_LIMITS__{key}"), 1_000_000))
}
