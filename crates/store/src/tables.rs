//! Tables and their current matches.

use std::time::Duration;

use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, LotKey, MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::column;
use super::database::{Sql, Transaction, execute_in, fetch_all, fetch_optional};
use super::error::{StoreError, read_seq, unreadable};
use super::log::{Epoch, count_column, event_text};
use super::ownership::NodeId;
use super::seat_holders::SeatHolder;
use super::time_column::TimeColumn;

/// The time after which webhooks do not receive any more that a table was opened.
const OPENED_LIFETIME: Duration = Duration::from_secs(3_600);

/// A table to be created, with the first events of its match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTable {
    /// The table's id. The caller chooses it, so that the caller can check whether the table exists
    /// after a lost reply.
    pub table: TableId,
    /// The id of the table's first match.
    pub match_id: MatchId,
    /// The user who creates the table.
    pub host: UserId,
    /// The visibility of the table in the lobby.
    pub privacy: Privacy,
    /// The secret key for the lots of the table's matches. A lot is the verifiable draw of the
    /// first player.
    pub lot_key: LotKey,
    /// The time at which the table was created.
    pub at: Timestamp,
    /// The first events; never empty, the first is `opened`.
    pub events: Vec<Event>,
    /// The seat holders after the first events.
    pub holders: Vec<SeatHolder>,
}

/// A table and its current match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// The table.
    pub table: TableId,
    /// The user who created the table.
    pub host: UserId,
    /// The visibility of the table in the lobby.
    pub privacy: Privacy,
    /// The time at which the table was created.
    pub created_at: Timestamp,
    /// The table's newest match.
    pub match_id: MatchId,
    /// The sequence number of the match's last event.
    pub head_seq: u64,
    /// The phase of the match.
    pub phase: Phase,
}

/// A table joined with its match, as the databases return it.
#[derive(sqlx::FromRow)]
struct RawTable {
    table_id: Uuid,
    host: Uuid,
    privacy: String,
    created_at: TimeColumn,
    match_id: Uuid,
    head_seq: i64,
    status: String,
}

impl RawTable {
    fn read(self) -> Result<TableRow, StoreError> {
        Ok(TableRow {
            table: TableId(self.table_id),
            host: UserId(self.host),
            privacy: column::read_privacy(&self.privacy).ok_or(unreadable("tables.privacy", self.privacy))?,
            created_at: self.created_at.read("tables.created_at")?,
            match_id: MatchId(self.match_id),
            head_seq: read_seq("matches.head_seq", self.head_seq)?,
            phase: column::read_phase(&self.status).ok_or(unreadable("matches.status", self.status))?,
        })
    }
}

fn read_lot_key(bytes: Option<Vec<u8>>) -> Result<LotKey, StoreError> {
    let size = bytes.as_ref().map_or(0, Vec::len);
    let key = bytes.and_then(|bytes| bytes.try_into().ok());
    key.map(LotKey).ok_or_else(|| unreadable("tables.lot_key", format!("{size} bytes")))
}

/// Inserts the rows of a table, its first match and that match's first events.
pub(super) async fn insert_table(
    transaction: &mut Transaction,
    new: &NewTable,
    owner: Option<NodeId>,
) -> Result<(), sqlx::Error> {
    let insert_table = Sql {
        postgres: "insert into tables (id, host, privacy, created_at, lot_key) values ($1, $2, $3, $4, $5)",
        sqlite: "insert into tables (id, host, privacy, created_at_ms, lot_key) values ($1, $2, $3, $4, $5)",
    };
    execute_in!(
        &mut *transaction,
        insert_table,
        new.table.0,
        new.host.0,
        column::privacy(new.privacy),
        TimeColumn::from(new.at),
        new.lot_key.0.as_slice(),
    )?;
    if let Some(Event::Opened { settings, .. }) = new.events.first()
        && let Some(group) = settings.group
    {
        transaction.insert_group_table(new.table, group).await?;
    }
    let phase = column::phase_after(&new.events).unwrap_or(Phase::Open);
    let insert_match = Sql {
        postgres: "insert into matches (id, table_id, number, epoch, head_seq, status, created_at, owner)
                   values ($1, $2, 1, $3, $4, $5, $6, $7)",
        sqlite: "insert into matches (id, table_id, number, epoch, head_seq, status, created_at_ms, owner)
                 values ($1, $2, 1, $3, $4, $5, $6, $7)",
    };
    execute_in!(
        &mut *transaction,
        insert_match,
        new.match_id.0,
        new.table.0,
        count_column(Epoch::FIRST.0),
        count_column(new.events.len() as u64),
        column::phase(phase),
        TimeColumn::from(new.at),
        owner.map(|owner| owner.0),
    )?;
    let events: Vec<_> = new.events.iter().map(event_text).collect();
    transaction.insert_first_events(new.match_id, new.at, Some(new.host), &events).await?;
    transaction.insert_holders(new.match_id, &new.holders).await?;
    let expires = new.at + OPENED_LIFETIME;
    transaction.queue_opened(new.host, new.table, new.match_id, new.at, expires).await?;
    transaction.queue_for_archive(new.match_id, phase).await
}

impl Store {
    /// Creates a table, its first match and the first events of that match atomically. Returns the
    /// match's head, which is the number of these events. The caller owns the first epoch,
    /// [`Epoch::FIRST`].
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails. If the connection broke during the COMMIT, the
    /// table may exist anyway; check with [`Store::table`].
    pub async fn open_table(&self, table: &NewTable) -> Result<u64, StoreError> {
        let failed = || StoreError::database("open a table");
        let mut transaction = self.database.begin().await.map_err(failed())?;
        insert_table(&mut transaction, table, self.owner).await.map_err(failed())?;
        transaction.commit().await.map_err(failed())?;
        self.queue_if_started(table);
        Ok(table.events.len() as u64)
    }

    /// Adds a new match to the archive queue if it has started already, because all seats were
    /// taken from the beginning. The archive also lists running matches.
    pub(super) fn queue_if_started(&self, table: &NewTable) {
        if column::phase_after(&table.events) == Some(Phase::Running) {
            self.unarchived.add([table.match_id]);
        }
    }

    /// Returns the secret key of a table's lots; `None` if there is no such table.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn lot_key(&self, table: TableId) -> Result<Option<LotKey>, StoreError> {
        let sql = Sql::both("select lot_key from tables where id = $1");
        let row = fetch_optional!(self, (Option<Vec<u8>>,), sql, table.0);
        let row = row.map_err(StoreError::database("look up a table's key"))?;
        row.map(|(key,)| read_lot_key(key)).transpose()
    }

    /// Returns the table of a match; `None` if there is no such match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn table_of(&self, match_id: MatchId) -> Result<Option<TableId>, StoreError> {
        let sql = Sql::both("select table_id from matches where id = $1");
        let row = fetch_optional!(self, (Uuid,), sql, match_id.0);
        Ok(row.map_err(StoreError::database("look up a match"))?.map(|(table,)| TableId(table)))
    }

    /// Returns a table with its newest match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn table(&self, table: TableId) -> Result<Option<TableRow>, StoreError> {
        let sql = Sql {
            postgres: "select tables.id as table_id, host, privacy, tables.created_at as created_at,
                              matches.id as match_id, head_seq, status
                       from tables join matches on matches.table_id = tables.id
                       where tables.id = $1
                       order by number desc limit 1",
            sqlite: "select tables.id as table_id, host, privacy, tables.created_at_ms as created_at,
                            matches.id as match_id, head_seq, status
                     from tables join matches on matches.table_id = tables.id
                     where tables.id = $1
                     order by number desc limit 1",
        };
        let row = fetch_optional!(self, RawTable, sql, table.0);
        row.map_err(StoreError::database("look up a table"))?.map(RawTable::read).transpose()
    }

    /// Returns all tables whose newest match is open or running, oldest first, public and private.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn unfinished(&self) -> Result<Vec<TableRow>, StoreError> {
        let sql = Sql {
            postgres: "select tables.id as table_id, host, privacy, tables.created_at as created_at,
                              matches.id as match_id, head_seq, status
                       from matches join tables on tables.id = matches.table_id
                       where status <> 'ended'
                       order by tables.created_at, tables.id",
            sqlite: "select tables.id as table_id, host, privacy, tables.created_at_ms as created_at,
                            matches.id as match_id, head_seq, status
                     from matches join tables on tables.id = matches.table_id
                     where status <> 'ended'
                     order by tables.created_at_ms, tables.id",
        };
        let rows = fetch_all!(self, RawTable, sql);
        let rows = rows.map_err(StoreError::database("list unfinished matches"))?;
        rows.into_iter().map(RawTable::read).collect()
    }

    /// Returns the tables whose newest match is unfinished and does not hibernate, oldest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn awake(&self) -> Result<Vec<TableRow>, StoreError> {
        let sql = Sql {
            postgres: "select tables.id as table_id, host, privacy, tables.created_at as created_at,
                              matches.id as match_id, head_seq, status
                       from matches join tables on tables.id = matches.table_id
                       where status <> 'ended' and hibernated_epoch is distinct from epoch
                       order by tables.created_at, tables.id",
            sqlite: "select tables.id as table_id, host, privacy, tables.created_at_ms as created_at,
                            matches.id as match_id, head_seq, status
                     from matches join tables on tables.id = matches.table_id
                     where status <> 'ended' and hibernated_epoch is not epoch
                     order by tables.created_at_ms, tables.id",
        };
        let rows = fetch_all!(self, RawTable, sql);
        let rows = rows.map_err(StoreError::database("list unfinished matches"))?;
        rows.into_iter().map(RawTable::read).collect()
    }
}
