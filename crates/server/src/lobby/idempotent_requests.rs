//! Idempotent requests for new tables. A request with a `cmd` (an id that the client chooses)
//! creates a table only once. When the client sends the request again, it gets the same table.

use quadrex_protocol::UserId;
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::user::UserView;
use quadrex_rules::Color;
use sha2::{Digest, Sha256};

use super::{Lobby, OpenError};
use crate::actor::{TableActor, TableHandle};
use quadrex_store::{RequestedTable, TableRequest};

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
    /// the same time, one of them creates a table, and all of them get this table.
    ///
    /// # Errors
    /// Returns the errors of [`open`](Self::open), and [`OpenError::CmdTaken`].
    pub async fn open_once(
        &self,
        request: CreateTable,
        host: UserView,
        bots: Vec<(Option<Color>, UserView)>,
    ) -> Result<OpenedTable, OpenError> {
        let table_request = table_request(&request);
        let draft = self.prepare(request, host, bots)?;
        let row = draft.row();
        let created = TableCreated { table: row.table, match_id: row.match_id };
        let Some(table_request) = table_request else {
            return Ok(OpenedTable { created, new: Some(self.create(draft).await?) });
        };
        let earlier = self.deps.store.open_table_once(&row, &table_request).await;
        if let Some(earlier) = earlier.map_err(|error| self.fault("create a table once", &error))? {
            return Ok(OpenedTable { created: answer_of(earlier, &table_request)?, new: None });
        }
        let table = self.spawn_actor(TableActor::opened(self.deps.clone(), draft.history()), true).await?;
        Ok(OpenedTable { created, new: Some(table) })
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
