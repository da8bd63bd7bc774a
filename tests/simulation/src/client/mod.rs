//! Simulated clients.

mod connection;
mod http;
mod list_watcher;
mod player;
#[cfg(test)]
mod scene;
mod session;
mod stranger;
mod watcher;

use std::io;
use std::ops::Range;
use std::time::Duration;

use quadrex_protocol::TableId;
use quadrex_protocol::http::{
    CreateTable, GuestCreated, LinkCreated, NewAccount, NewGuest, NewInvite, QuickJoin, QuickJoined,
    TableCreated, Uses,
};
use quadrex_runtime::simulation::SimulatedSocket;
use quadrex_tests::Guest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use crate::auditor::Auditor;
use crate::chance::Chance;
use crate::network::Network;
use crate::server::server_name;
use crate::trace::Trace;

pub(crate) use list_watcher::ListWatcher;
pub(crate) use player::{Habits, Player};
pub(crate) use session::Ticket;
pub(crate) use stranger::Stranger;
pub(crate) use watcher::Watcher;

/// The pause of a client before it tries again.
const PAUSE: Duration = Duration::from_millis(500);

/// The stage of a simulation, as clients know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Faults happen, and clients play as they like.
    Playing,
    /// There are no more faults, and clients end their matches.
    Finishing,
    /// Clients leave.
    Over,
}

/// The place of a client: its name, its network, and the rest of the world as far as it knows it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) name: String,
    /// The number of the client, from which its network address follows.
    pub(crate) number: u16,
    pub(crate) network: Network,
    /// The servers to which the client connects.
    pub(crate) servers: Range<usize>,
    pub(crate) chance: Chance,
    pub(crate) trace: Trace,
    pub(crate) auditor: Auditor,
    pub(crate) stage: watch::Receiver<Stage>,
}

impl Place {
    /// Connects to a server. Returns the name of the server with the socket.
    fn connect(&self) -> io::Result<(SimulatedSocket, String)> {
        let choice = usize::try_from(self.chance.below(self.servers.len() as u64)).unwrap_or_default();
        let server = self.servers.start + choice;
        let socket = self.network.connect(&self.name, self.number, server)?;
        Ok((socket, server_name(server)))
    }

    fn stage(&self) -> Stage {
        *self.stage.borrow()
    }

    /// Waits a moment before the next attempt.
    async fn pause(&self) {
        tokio::time::sleep(self.chance.time(PAUSE, 10 * PAUSE)).await;
    }

    /// Creates a guest. Tries again until it succeeds. Returns `None` when the simulation is over.
    pub(crate) async fn guest(&self) -> Option<Guest> {
        let body = NewGuest { name: Some(self.name.clone()), bot: false };
        let GuestCreated { user, token } = self.insist("/api/guests", None, &body).await?;
        Some(Guest { user, token })
    }

    /// Creates a table. Tries again until it succeeds. Returns `None` when the simulation is over.
    pub(crate) async fn create(&self, guest: &Guest, table: &CreateTable) -> Option<TableCreated> {
        self.insist("/api/tables", Some(&guest.token), table).await
    }

    /// Makes a guest an account. Tries again until it succeeds.
    pub(crate) async fn become_account(&self, guest: &Guest) {
        let name: String = self.name.chars().filter(char::is_ascii_alphanumeric).collect();
        let body = NewAccount { name, password: "a long password of a simulation".to_owned() };
        while self.stage() != Stage::Over {
            match http::post(self, "/api/account", Some(&guest.token), &body).await {
                // The answer to an earlier attempt may have been lost.
                Ok(answer) if matches!(answer.status, 201 | 409) => return,
                Ok(answer) => self.trace.add(&self.name, format_args!("no account: {}", answer.body)),
                Err(error) => self.trace.add(&self.name, format_args!("no account: {error:#}")),
            }
            self.pause().await;
        }
    }

    /// Creates an invite of a table that any number of users can use. Returns its secret.
    pub(crate) async fn invite(&self, host: &Guest, table: TableId) -> Option<String> {
        let body = NewInvite { seat: None, uses: Uses::Open };
        let path = format!("/api/tables/{table}/invites");
        let created: LinkCreated = self.insist(&path, Some(&host.token), &body).await?;
        Some(created.secret)
    }

    /// Creates a watch link of a table. Returns its secret.
    pub(crate) async fn watch_link(&self, host: &Guest, table: TableId) -> Option<String> {
        let path = format!("/api/tables/{table}/watch-links");
        let created: LinkCreated = self.insist(&path, Some(&host.token), &()).await?;
        Some(created.secret)
    }

    /// Takes a seat by a quick join.
    pub(crate) async fn quick_join(&self, guest: &Guest, request: &QuickJoin) -> Option<QuickJoined> {
        while self.stage() != Stage::Over {
            let answer = http::post(self, "/api/quick-join", Some(&guest.token), request).await;
            match answer.and_then(|answer| serde_json::from_str(&answer.body).map_err(Into::into)) {
                Ok(joined) => return Some(joined),
                Err(error) => self.trace.add(&self.name, format_args!("no quick join: {error:#}")),
            }
            self.pause().await;
        }
        None
    }

    /// Sends a request until it is answered with the status 201.
    async fn insist<T: DeserializeOwned>(
        &self,
        path: &str,
        token: Option<&str>,
        body: &(impl Serialize + Sync),
    ) -> Option<T> {
        while self.stage() != Stage::Over {
            let created = http::post(self, path, token, body).await.and_then(|answer| answer.json(201));
            match created {
                Ok(created) => return Some(created),
                Err(error) => self.trace.add(&self.name, format_args!("cannot post to {path}: {error:#}")),
            }
            self.pause().await;
        }
        None
    }
}

#[cfg(test)]
mod tests;
