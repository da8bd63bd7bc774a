//! Requests that name themselves: sent again, they get the table they got before.

use quadrex_protocol::UserId;
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::user::UserView;
use quadrex_rules::Color;
use sha2::{Digest, Sha256};

use super::{Lobby, OpenError};
use crate::table::{Table, TableHandle};
use quadrex_store::{MadeTable, TableRequest};

/// A table for a request.
#[derive(Debug)]
pub struct OpenedTable {
    /// What the request is answered.
    pub created: TableCreated,
    /// The way to the table, if it was made just now.
    pub new: Option<TableHandle>,
}

impl Lobby {
    /// Returns the table that this user's request got before; `None` if it has no name, or is the first of its name.
    ///
    /// # Errors
    /// [`OpenError::CmdTaken`] if another request has that name, or the store could not say.
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

    /// Makes a table as [`open`](Self::open) does. Of requests with the same name, however many come at once, one makes
    /// a table, and all get it.
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

/// The name of a request, with what it asks for.
fn named(request: &CreateTable) -> Option<TableRequest> {
    let cmd = request.cmd.clone()?;
    let wish = CreateTable { cmd: None, ..request.clone() };
    let wish = serde_json::to_vec(&wish).expect("a request is plain JSON");
    Some(TableRequest { cmd, hash: Sha256::digest(wish).into() })
}

/// What a request is answered that was answered before.
fn same(made: MadeTable, named: &TableRequest) -> Result<TableCreated, OpenError> {
    if made.hash != named.hash {
        return Err(OpenError::CmdTaken);
    }
    Ok(TableCreated { table: made.table, match_id: made.match_id })
}
