//! A table with all its players: seated, playing, each with a connection of its own, and perhaps watchers.

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
    /// The table.
    pub table: TableId,
    /// Its match.
    pub match_id: MatchId,
    /// The players, each on a line of its own, watching.
    pub players: BTreeMap<Color, Client>,
    /// Others who watch.
    pub watchers: Vec<Client>,
}

/// A public table with nothing special.
pub fn plain(variant: Variant) -> CreateTable {
    CreateTable::plain(variant, Privacy::Public)
}

impl Contest {
    /// Makes the table, seats a new guest on each seat and sees the match start.
    ///
    /// # Errors
    /// If it does not come so far.
    pub async fn start(server: &Server, table: &CreateTable) -> Result<Self> {
        Self::start_at(server.address(), table).await
    }

    /// The same at the server of this address.
    ///
    /// # Errors
    /// If it does not come so far.
    pub async fn start_at(server: SocketAddr, table: &CreateTable) -> Result<Self> {
        let http = Http::new(server);
        let mut guests = Vec::new();
        for color in table.variant.colors() {
            guests.push((*color, http.guest(&format!("{color} player")).await?));
        }
        let (_, host) = guests.first().context("a variant has players")?;
        let TableCreated { table, match_id } = http.as_guest(host).create(table).await?;
        let mut contest = Self { table, match_id, players: BTreeMap::new(), watchers: Vec::new() };
        let mut seq = 0;
        for (color, guest) in &guests {
            let mut client = Client::open(server, Some(guest)).await?;
            client.watch(contest.table).await?;
            let sit = client.sit(contest.table, Some(*color), None);
            seq = client.done(&sit).await?;
            contest.players.insert(*color, client);
        }
        contest.until_seq(seq).await?;
        // At the start the seats may have been drawn.
        for (_, client) in std::mem::take(&mut contest.players) {
            let yours = &client.table(contest.table)?.view().your_seats;
            let color = *yours.first().context("who sat down sits")?;
            contest.players.insert(color, client);
        }
        Ok(contest)
    }

    /// All who watch, players first.
    pub fn everybody(&mut self) -> impl Iterator<Item = &mut Client> {
        self.players.values_mut().chain(&mut self.watchers)
    }

    /// Waits until everybody has event `seq`.
    ///
    /// # Errors
    /// If somebody does not get it.
    pub async fn until_seq(&mut self, seq: u64) -> Result<()> {
        let table = self.table;
        for client in self.everybody() {
            client.until_seq(table, seq).await?;
        }
        Ok(())
    }

    /// Returns the color to move, by the first player's copy of the table.
    ///
    /// # Errors
    /// If nobody plays.
    pub fn turn(&self) -> Result<Option<Color>> {
        let first = self.players.values().next().context("nobody plays")?;
        Ok(first.table(self.table)?.state().turn)
    }

    /// The player's connection.
    ///
    /// # Errors
    /// If there is none.
    pub fn player(&mut self, color: Color) -> Result<&mut Client> {
        self.players.get_mut(&color).with_context(|| format!("{color} does not play"))
    }

    /// The connection of the player to move.
    ///
    /// # Errors
    /// If the match does not run.
    pub fn mover(&mut self) -> Result<&mut Client> {
        let turn = self.turn()?.context("nobody is to move")?;
        self.player(turn)
    }

    /// The player to move makes this move, and everybody sees it.
    ///
    /// # Errors
    /// If it is refused, or somebody does not see it.
    pub async fn play(&mut self, mv: Move) -> Result<u64> {
        let table = self.table;
        let mover = self.mover()?;
        let command = mover.mv(table, mv)?;
        let seq = mover.done(&command).await?;
        self.until_seq(seq).await?;
        Ok(seq)
    }
}

/// A server that lets its clients send as fast as they can, and come in any number.
pub fn unhurried(launch: Launch) -> Launch {
    let limits = ["PLAYER", "WATCHER"].map(|who| [format!("{who}_PER_SECOND"), format!("{who}_BURST")]);
    let rates = ["GUESTS", "TABLES"].map(|what| [format!("{what}_PER_MINUTE"), format!("{what}_BURST")]);
    limits
        .into_iter()
        .chain(rates)
        .flatten()
        .chain(["BOT_MATCHES_PER_USER".to_owned()])
        .fold(launch, |launch, key| launch.with_env(&format!("QUADREX_LIMITS__{key}"), 1_000_000))
}
