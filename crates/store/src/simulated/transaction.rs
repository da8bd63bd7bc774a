//! A transaction of a simulated database.

use sqlx::SqliteConnection;
use tokio::sync::OwnedMutexGuard;

use super::SimulatedDatabase;
use super::connection::block_on;
use super::faults::{Access, Answer, broken};

/// An open transaction, which has the database for itself. It is rolled back when it is dropped.
pub(crate) struct SimulatedTransaction {
    database: SimulatedDatabase,
    /// The connection, or `None` if the transaction was rolled back because of a fault.
    connection: Option<OwnedMutexGuard<SqliteConnection>>,
}

impl SimulatedTransaction {
    pub(super) fn begin(
        database: SimulatedDatabase,
        mut connection: OwnedMutexGuard<SqliteConnection>,
    ) -> Result<Self, sqlx::Error> {
        run(&mut connection, "begin immediate")?;
        Ok(Self { database, connection: Some(connection) })
    }

    /// Executes a statement, unless the fault plan prevents it.
    pub(crate) async fn write<T>(
        &mut self,
        statement: &'static str,
        run: impl FnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, sqlx::Error> {
        let fault = self.database.decide(Access::Write, statement);
        if fault.prevents_execution() {
            self.roll_back_now();
        }
        let answer = fault.request().await?;
        let result = run(self.connection.as_mut().ok_or_else(broken)?);
        if answer != Answer::Arrives {
            self.roll_back_now();
        }
        answer.pass(result).await
    }

    pub(crate) async fn commit(mut self) -> Result<(), sqlx::Error> {
        let fault = self.database.decide(Access::Commit, "commit");
        if fault.prevents_execution() {
            self.roll_back_now();
        }
        let answer = fault.request().await?;
        let connection = self.connection.as_mut().ok_or_else(broken)?;
        let committed = run(connection, "commit");
        if committed.is_ok() {
            self.connection = None;
        } else {
            self.roll_back_now();
        }
        answer.pass(committed).await
    }

    pub(crate) fn roll_back(mut self) {
        self.roll_back_now();
    }

    /// Rolls back, and lets other transactions begin.
    fn roll_back_now(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            run(&mut connection, "rollback").expect("an open transaction in memory can be rolled back");
        }
    }
}

impl Drop for SimulatedTransaction {
    fn drop(&mut self) {
        self.roll_back_now();
    }
}

/// Executes a statement for the control of transactions.
pub(super) fn run(connection: &mut SqliteConnection, statement: &'static str) -> Result<(), sqlx::Error> {
    block_on(sqlx::query(statement).execute(connection)).map(drop)
}

/// Executes statements as one transaction, within one access.
pub(super) fn atomically<T>(
    connection: &mut SqliteConnection,
    statements: impl FnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error>,
) -> Result<T, sqlx::Error> {
    run(connection, "begin immediate")?;
    match statements(connection).and_then(|result| run(connection, "commit").map(|()| result)) {
        Ok(result) => Ok(result),
        Err(error) => {
            run(connection, "rollback")?;
            Err(error)
        }
    }
}
