//! Requests for tables with a `cmd`: sent again, they get the table they got before.

use quadrex_protocol::UserId;
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::user::UserView;
use quadrex_rules::Color;
use sha2::{Digest, Sha256};

use super::{Lobby, OpenError};
use crate::table::{Table, TableHandle};
use quadrex_store::{MadeTable, TableRequest};

/// The table that a request gets.
#[derive(Debug)]
pub struct OpenedTable {
    /// The answer to the request.
    pub created: TableCreated,
    /// A handle to the table, if it is new.
    pub new: Option<TableHandle>,
}

impl Lobby {
    /// Returns the table that this user's request got before; `None` if it has no `cmd`, or is the first with its `cmd`.
    ///
    /// # Errors
    /// [`OpenError::CmdTaken`] if another request had that `cmd`, or a fault if the store fails.
    pub async fn requested(
        &self,
        request: &CreateTable,
        user: UserId,
    ) -> Result<Option<TableCreated>, OpenError> {
        let Some(named) = named(request) else { return Ok(None) };
        let now = self.tools.clock.now();
        let made = self.tools.store.requested_table(user, &named.cmd, now).await;
        let made = made.map_err(|error| self.fault("look up a request for a table", &error))?;
        made.map(|made| same(made, &named)).transpose()
    }

    /// Makes a table as [`open`](Self::open) does. Of concurrent requests with the same `cmd`, one makes a table and all get
    /// it.
    ///
    /// # Errors
    /// As [`open`](Self::open), and [`OpenError::CmdTaken`].
    pub async fn open_once(
        &self,
        request: CreateTable,
        host: UserView,
        bots: Vec<(Option<Color>, UserView)>,
    ) -> Result<OpenedTable, OpenError> {
        let named = named(&request);
        let opening = self.prepare(request, host, bots)?;
        let row = opening.row();
        let created = TableCreated { table: row.table, match_id: row.match_id };
        let Some(named) = named else {
            return Ok(OpenedTable { created, new: Some(self.keep(opening).await?) });
        };
        let made = self.tools.store.open_table_once(&row, &named).await;
        if let Some(made) = made.map_err(|error| self.fault("make a table once", &error))? {
            return Ok(OpenedTable { created: same(made, &named)?, new: None });
        }
        let table = self.adopt(Table::opened(self.tools.clone(), opening.history())).await?;
        Ok(OpenedTable { created, new: Some(table) })
    }
}

/// Returns the `cmd` of a request, with a hash of everything else in it.
fn named(request: &CreateTable) -> Option<TableRequest> {
    let cmd = request.cmd.clone()?;
    let wish = CreateTable { cmd: None, ..request.clone() };
    let wish = serde_json::to_vec(&wish).expect("a request is plain JSON");
    Some(TableRequest { cmd, hash: Sha256::digest(wish).into() })
}

/// Returns the answer to a request that was answered before.
fn same(made: MadeTable, named: &TableRequest) -> Result<TableCreated, OpenError> {
    if made.hash != named.hash {
        return Err(OpenError::CmdTaken);
    }
    Ok(TableCreated { table: made.table, match_id: made.match_id })
}
