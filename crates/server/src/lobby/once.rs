//! Requests for tables with a `cmd`: sent again, they get the table they got before.

use quadrex_protocol::UserId;
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::user::UserView;
use quadrex_rules::Color;
use sha2::{Digest, Sha256};

use super::{Lobby, OpenError};
use crate::actor::{TableActor, TableHandle};
use quadrex_store::{RequestedTable, TableRequest};

/// The table that a request gets.
#[derive(Debug)]
pub struct OpenedTable {
    /// The answer to the request.
    pub created: TableCreated,
    /// A handle to the table, if it is new.
    pub new: Option<TableHandle>,
}

impl Lobby {
    /// Returns the table that this user's request got before; `None` if it has no `cmd`, or is the
    /// first with its `cmd`.
    ///
    /// # Errors
    /// [`OpenError::CmdTaken`] if another request had that `cmd`, or a fault if the store fails.
    pub async fn requested(
        &self,
        request: &CreateTable,
        user: UserId,
    ) -> Result<Option<TableCreated>, OpenError> {
        let Some(table_request) = table_request(request) else { return Ok(None) };
        let now = self.tools.clock.now();
        let earlier = self.tools.store.requested_table(user, &table_request.command_id, now).await;
        let earlier = earlier.map_err(|error| self.fault("look up a request for a table", &error))?;
        earlier.map(|earlier| answer_of(earlier, &table_request)).transpose()
    }

    /// Creates a table like [`open`](Self::open). Of concurrent requests with the answer_of `cmd`,
    /// one creates a table and all get it.
    ///
    /// # Errors
    /// As [`open`](Self::open), and [`OpenError::CmdTaken`].
    pub async fn open_once(
        &self,
        request: CreateTable,
        host: UserView,
        bots: Vec<(Option<Color>, UserView)>,
    ) -> Result<OpenedTable, OpenError> {
        let table_request = table_request(&request);
        let opening = self.prepare(request, host, bots)?;
        let row = opening.row();
        let created = TableCreated { table: row.table, match_id: row.match_id };
        let Some(table_request) = table_request else {
            return Ok(OpenedTable { created, new: Some(self.create(opening).await?) });
        };
        let earlier = self.tools.store.open_table_once(&row, &table_request).await;
        if let Some(earlier) = earlier.map_err(|error| self.fault("create a table once", &error))? {
            return Ok(OpenedTable { created: answer_of(earlier, &table_request)?, new: None });
        }
        let table = self.spawn(TableActor::opened(self.tools.clone(), opening.history()), true).await?;
        Ok(OpenedTable { created, new: Some(table) })
    }
}

/// Returns the `cmd` of a request, with a hash of everything else in it.
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
