//! Appends to the logs of matches in a simulated database.

use std::collections::HashSet;
use std::time::Duration;

use quadrex_protocol::MatchId;
use sqlx::SqliteConnection;

use super::SimulatedDatabase;
use super::connection::block_on;
use super::faults::{Access, Answer, Fault, broken};
use super::transaction::run;
use crate::sqlite::append::{write, write_batch};
use crate::writer::{Commit, EncodedAppend, Failure};

/// The maximum time to wait for the answer to an append, as on Postgres.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// The access as the fault plan sees it.
const APPEND: &str = "append to matches";

impl Commit for SimulatedDatabase {
    async fn commit_batch(&self, entries: &[&EncodedAppend]) -> Result<HashSet<MatchId>, Failure> {
        let committed = |passed: &HashSet<MatchId>| {
            for entry in entries.iter().filter(|entry| passed.contains(&entry.match_id)) {
                self.record_commit(entry);
            }
        };
        self.append(|connection| block_on(write_batch(connection, entries)), committed).await
    }

    async fn commit_single(&self, entry: &EncodedAppend) -> Result<(), Failure> {
        let write =
            |connection: &mut SqliteConnection| block_on(write(connection, entry)).map_err(Failure::Refused);
        self.append(write, |()| self.record_commit(entry)).await
    }
}

impl SimulatedDatabase {
    /// Informs the fault plan of the events of an append that has been committed.
    fn record_commit(&self, entry: &EncodedAppend) {
        let last_seq = entry.head_seq + entry.events.len() as u64;
        self.shared.faults.committed(entry.match_id, last_seq);
    }

    /// Executes the statements of appends as one transaction and one access.
    async fn append<T>(
        &self,
        statements: impl FnOnce(&mut SqliteConnection) -> Result<T, Failure>,
        committed: impl FnOnce(&T),
    ) -> Result<T, Failure> {
        let fault = self.decide(Access::Commit, APPEND);
        let appended = async {
            let answer = fault.request().await.map_err(|error| match fault {
                Fault::Unavailable => Failure::Unreachable(error),
                _ => Failure::Lost(error),
            })?;
            let mut connection = self.shared.connection.lock().await;
            let result = transaction(&mut connection, statements);
            drop(connection);
            if let Ok(result) = &result {
                committed(result);
            }
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
