//! Appends to the logs of matches in a simulated database.

use std::collections::HashSet;
use std::time::Duration;

use quadrex_protocol::MatchId;
use sqlx::SqliteConnection;
use uuid::Uuid;

use super::SimulatedDatabase;
use super::connection::block_on;
use super::faults::{Access, Answer, Appended, Fault, broken};
use super::transaction::run;
use crate::log::Epoch;
use crate::ownership::NodeId;
use crate::sqlite::append::{write, write_batch};
use crate::writer::{Commit, EncodedAppend, Failure};

/// The maximum time to wait for the answer to an append, as on Postgres.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// The access as the fault plan sees it.
const APPEND: &str = "append to matches";

impl Commit for SimulatedDatabase {
    async fn commit_batch(&self, entries: &[&EncodedAppend]) -> Result<HashSet<MatchId>, Failure> {
        let committed = |passed: &HashSet<MatchId>, connection: &mut SqliteConnection| {
            for entry in entries.iter().filter(|entry| passed.contains(&entry.match_id)) {
                self.record_commit(entry, connection);
            }
        };
        self.append(|connection| block_on(write_batch(connection, entries)), committed).await
    }

    async fn commit_single(&self, entry: &EncodedAppend) -> Result<(), Failure> {
        let write =
            |connection: &mut SqliteConnection| block_on(write(connection, entry)).map_err(Failure::Refused);
        self.append(write, |(), connection| self.record_commit(entry, connection)).await
    }
}

impl SimulatedDatabase {
    /// Informs the fault plan of the events of an append that has been committed.
    fn record_commit(&self, entry: &EncodedAppend, connection: &mut SqliteConnection) {
        let owner = sqlx::query_as("select owner, epoch from matches where id = $1").bind(entry.match_id.0);
        let (owner, owner_epoch): (Option<Uuid>, i64) =
            block_on(owner.fetch_one(connection)).expect("a match with events has a row");
        self.shared.faults.committed(&Appended {
            match_id: entry.match_id,
            last_seq: entry.new_head(),
            events: &entry.events,
            epoch: entry.epoch,
            server: self.server.as_deref(),
            owner: owner.map(NodeId),
            owner_epoch: Epoch(u64::try_from(owner_epoch).expect("epochs are positive")),
        });
    }

    /// Executes the statements of appends as one transaction and one access.
    async fn append<T>(
        &self,
        statements: impl FnOnce(&mut SqliteConnection) -> Result<T, Failure>,
        committed: impl FnOnce(&T, &mut SqliteConnection),
    ) -> Result<T, Failure> {
        let fault = self.decide(Access::Commit, APPEND);
        let appended = async {
            let answer = fault.request().await.map_err(|error| match fault {
                Fault::Unavailable => Failure::Unreachable(error),
                _ => Failure::Lost(error),
            })?;
            let mut connection = self.shared.connection.lock().await;
            let result = transaction(&mut connection, statements);
            if let Ok(result) = &result {
                committed(result, &mut connection);
            }
            drop(connection);
            match answer {
                Answer::Arrives => result,
                Answer::IsLost => Err(Failure::Lost(broken())),
                Answer::NeverComes => std::future::pending().await,
            }
        };
        tokio::time::timeout(ANSWER_TIMEOUT, appended).await.unwrap_or_else(|_| {
            let text = format!("no answer within {} s", ANSWER_TIMEOUT.as_secs());
            let error = std::io::Error::new(std::io::ErrorKind::TimedOut, text);
            Err(Failure::Silent(sqlx::Error::Io(error)))
        })
    }
}

fn transaction<T>(
    connection: &mut SqliteConnection,
    statements: impl FnOnce(&mut SqliteConnection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    run(connection, "begin immediate").map_err(Failure::Unreachable)?;
    let written = statements(connection);
    let committed = match written {
        Ok(result) => run(connection, "commit").map(|()| result).map_err(Failure::Lost),
        Err(failure) => Err(failure),
    };
    if committed.is_err() {
        run(connection, "rollback").expect("an open transaction in memory can be rolled back");
    }
    committed
}
