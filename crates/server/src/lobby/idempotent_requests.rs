//! Idempotent requests for new tables. A request with a `cmd` (an id that the client chooses)
//! creates a table only once. When the client sends the request again, it gets the same table.

use quadrex_cluster::message::SeatOrigin;
use quadrex_protocol::UserId;
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::user::UserView;
use quadrex_rules::Color;
use sha2::{Digest, Sha256};

use super::table_draft::TableDraft;
use super::{Lobby, OpenError};
use crate::actor::{TableActor, TableHandle};
use crate::fair_play::NewSeat;
use quadrex_store::{RequestedTable, TableRequest};
use quadrex_table::Rejection;

/// The answer to a request for a new table.
#[derive(Debug)]
pub struct OpenedTable {
    /// The answer in its form on the wire.
    pub created: TableCreated,
    /// A handle to the table, if this request created it.
    pub new: Option<TableHandle>,
}

impl Lobby {
    /// Returns the table that this user's request has created before. Returns `None` if the request
    /// has no `cmd`, or if it is the first request with this `cmd`.
    ///
    /// # Errors
    /// Returns [`OpenError::CmdTaken`] if a different request had the same `cmd`, or a fault if the
    /// store fails.
    pub async fn requested(
        &self,
        request: &CreateTable,
        user: UserId,
    ) -> Result<Option<TableCreated>, OpenError> {
        let Some(table_request) = table_request(request) else { return Ok(None) };
        let now = self.deps.clock.now();
        let earlier = self.deps.store.requested_table(user, &table_request.command_id, now).await;
        let earlier = earlier.map_err(|error| self.fault("look up a request for a table", &error))?;
        earlier.map(|earlier| answer_of(earlier, &table_request)).transpose()
    }

    /// Creates a table like [`open`](Self::open). If several requests with the same `cmd` arrive at
    /// the same time, one of them creates a table, and all of them get this table. `network` is the
    /// network of the host's client, if it says anything about the user.
    ///
    /// # Errors
    /// Returns the errors of [`open`](Self::open), and [`OpenError::CmdTaken`].
    pub async fn open_once(
        &self,
        request: CreateTable,
        host: UserView,
        bots: Vec<(Option<Color>, UserView)>,
        network: Option<String>,
    ) -> Result<OpenedTable, OpenError> {
        let table_request = table_request(&request);
        let draft = self.prepare(request, host, bots)?;
        self.check_rated_seat(&draft).await?;
        let row = draft.row();
        let created = TableCreated { table: row.table, match_id: row.match_id };
        let Some(table_request) = table_request else {
            let opened = self.deps.store.open_table(&row).await;
            opened.map_err(|error| self.fault("create a table", &error))?;
            let table = self.start_table(draft, network).await?;
            return Ok(OpenedTable { created, new: Some(table) });
        };
        let earlier = self.deps.store.open_table_once(&row, &table_request).await;
        if let Some(earlier) = earlier.map_err(|error| self.fault("create a table once", &error))? {
            return Ok(OpenedTable { created: answer_of(earlier, &table_request)?, new: None });
        }
        let table = self.start_table(draft, network).await?;
        Ok(OpenedTable { created, new: Some(table) })
    }

    /// Refuses the host of a rated table who takes a seat and has to wait.
    async fn check_rated_seat(&self, draft: &TableDraft) -> Result<(), OpenError> {
        match draft.rated_host() {
            Some(host) => self.check_rated_wait(host).await,
            None => Ok(()),
        }
    }

    /// Refuses a user who has left rated matches and has to wait before the next one.
    pub(super) async fn check_rated_wait(&self, user: UserId) -> Result<(), OpenError> {
        let now = self.deps.clock.now();
        let wait = self.deps.fair_play.rated_wait(user, now).await;
        match wait.map_err(|error| self.fault("look up left matches", &error))? {
            Some(wait) => Err(Rejection::RatedWait { left_ms: wait.left_ms(now) }.into()),
            None => Ok(()),
        }
    }

    /// Starts the actor of a table that has just been stored. The network of the host is recorded
    /// before anybody else can sit down.
    async fn start_table(
        &self,
        draft: TableDraft,
        network: Option<String>,
    ) -> Result<TableHandle, OpenError> {
        if let Some(host) = draft.rated_host() {
            let row = draft.row();
            let origin = SeatOrigin { network, is_quick_join: false };
            let seat = NewSeat { match_id: row.match_id, user: host, origin: &origin, opened_at: row.at };
            let recorded = self.deps.fair_play.record_network(&seat, row.at).await;
            recorded.map_err(|error| self.fault("record the network of a seat", &error))?;
        }
        Ok(self.spawn_actor(TableActor::opened(self.deps.clone(), draft.history()), true).await?)
    }
}

/// Returns the `cmd` of a request with a hash of all its other fields. Returns `None` if it has no
/// `cmd`.
fn table_request(request: &CreateTable) -> Option<TableRequest> {
    let command_id = request.cmd.clone()?;
    let request = CreateTable { cmd: None, ..request.clone() };
    let request = serde_json::to_vec(&request).expect("a request is plain JSON");
    Some(TableRequest { command_id, hash: Sha256::digest(request).into() })
}

/// Returns the answer to a request that was answered before.
fn answer_of(earlier: RequestedTable, table_request: &TableRequest) -> Result<TableCreated, OpenError> {
    if earlier.hash != table_request.hash {
        return Err(OpenError::CmdTaken);
    }
    Ok(TableCreated { table: earlier.table, match_id: earlier.match_id })
}
