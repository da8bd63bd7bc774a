//! Databases with logs that were made by hand, for the tests of the auditor.

use std::collections::BTreeMap;
use std::sync::Arc;

use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::Variant;
use quadrex_store::{
    Append, Author, Epoch, Location, LotKey, NewAccount, NewTable, NoFaults, SeatHolder, SimulatedDatabase,
    Store, User,
};
use sqlx::SqliteConnection;

use super::outline::apply_seats;
use super::samples::{ANN, BEN, BOT, CAT, Log, match_id, table_id, user, user_id};
use crate::trace::{BEGIN, Trace};

/// A database with tables of one match each. Ann is the host of them all.
pub(super) struct Stored {
    pub(super) store: Store,
    database: SimulatedDatabase,
    logs: BTreeMap<u128, Log>,
}

impl Stored {
    /// Returns a database with users and without tables.
    pub(super) async fn empty() -> Self {
        let trace = Trace::new(false);
        let database = SimulatedDatabase::new(move || trace.time_of_day(), Arc::new(NoFaults));
        let store = Store::connect(&Location::Simulated(database.clone()), 1).await.unwrap();
        for number in [ANN, BEN, CAT, BOT] {
            let view = user(number);
            let (name, bot) = (view.name, view.bot);
            let user = User { id: view.id, name, created_at: BEGIN, account: false, bot };
            store.add_user(&user).await.unwrap();
        }
        Self { store, database, logs: BTreeMap::new() }
    }

    /// Returns a database in which table 1 has this log.
    pub(super) async fn with(log: &Log) -> Self {
        let mut stored = Self::empty().await;
        stored.write(1, log).await;
        stored
    }

    /// Returns the tables with their matches, as the auditor gets them.
    pub(super) fn tables(&self) -> Vec<(TableId, Vec<MatchId>)> {
        self.logs.keys().map(|number| (table_id(*number), vec![match_id(*number)])).collect()
    }

    /// Makes Ann and Ben accounts, whose matches are rated.
    pub(super) async fn add_accounts(&self) {
        for (number, name) in [(ANN, "ann"), (BEN, "ben")] {
            let user = user_id(number);
            let account = NewAccount { user, name, name_key: name, password_hash: None, at: BEGIN };
            self.store.create_account(account).await.unwrap();
        }
    }

    /// Runs a statement.
    pub(super) async fn run(&self, sql: &'static str) {
        self.unchecked(async |connection| sqlx::query(sql).execute(connection).await.map(drop).unwrap())
            .await;
    }

    /// Runs statements on the database.
    pub(super) async fn unchecked<T>(&self, run: impl AsyncFnOnce(&mut SqliteConnection) -> T) -> T {
        self.database.run_unchecked(run).await
    }

    /// Writes the log of a table, or the events that it has more than before.
    pub(super) async fn write(&mut self, table: u128, log: &Log) {
        let known = self.logs.insert(table, log.clone()).map_or(0, |before| before.0.len());
        for (index, row) in log.0.iter().enumerate().skip(known) {
            let holders = holders(&log.0[..=index].iter().map(|row| &row.event).collect::<Vec<_>>());
            if index == 0 {
                let new = NewTable {
                    table: table_id(table),
                    match_id: match_id(table),
                    host: user_id(ANN),
                    privacy: Privacy::Public,
                    lot_key: LotKey([7; 32]),
                    at: row.at,
                    events: vec![row.event.clone()],
                    holders,
                };
                self.store.open_table(&new).await.unwrap();
                continue;
            }
            let by = row.by.zip(row.command_id.clone());
            let append = Append {
                match_id: match_id(table),
                epoch: Epoch::FIRST,
                head_seq: index as u64,
                at: row.at,
                events: vec![row.event.clone()],
                holders: Some(holders),
                by: by.map(|(user, command_id)| Author { user, command_id, redeem: None }),
                next: None,
            };
            self.store.append(&append).await.unwrap();
        }
    }
}

/// Returns the holders of seats and the host after these events.
fn holders(events: &[&Event]) -> Vec<SeatHolder> {
    let (mut seats, mut is_playing) = (BTreeMap::new(), false);
    for event in events {
        apply_seats(&mut seats, event);
        match event {
            Event::Started { .. } => is_playing = true,
            Event::Ended { .. } | Event::Aborted { .. } | Event::Closed { .. } => return Vec::new(),
            _ => {}
        }
    }
    let holder = |user, is_playing| SeatHolder { user, variant: Variant::Classic, is_playing };
    let mut holders: BTreeMap<_, _> = [(user_id(ANN), holder(user_id(ANN), false))].into();
    holders.extend(seats.into_values().map(|user| (user.id, holder(user.id, is_playing))));
    holders.into_values().collect()
}
