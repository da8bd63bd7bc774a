//! Faults for tests: the process aborts at the worst moment, between a COMMIT and everything that
//! follows from it; and the disk is full.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::SqliteConnection;

/// The variable with the number of successful appends, from 1, after which the process aborts.
pub const ABORT_AFTER_COMMIT: &str = "QUADREX_ABORT_AFTER_COMMIT";

/// The variable that names a file: while that exists, the SQLite file may not grow.
pub const FULL_WHILE: &str = "QUADREX_FULL_WHILE";

/// More pages than a SQLite file can have (sqlite.org/limits.html, "Maximum Number Of Pages In A
/// Database File").
const ANY_PAGES: u32 = u32::MAX - 1;

static ABORT_AT: LazyLock<Option<u64>> =
    LazyLock::new(|| std::env::var(ABORT_AFTER_COMMIT).ok().and_then(|count| count.parse().ok()));

static MARKER: LazyLock<Option<PathBuf>> = LazyLock::new(|| std::env::var_os(FULL_WHILE).map(PathBuf::from));

static COMMITS: AtomicU64 = AtomicU64::new(0);

/// Counts one committed append, and aborts the process if it is the chosen one.
pub(super) fn after_commit() {
    let count = COMMITS.fetch_add(1, Ordering::SeqCst) + 1;
    if *ABORT_AT == Some(count) {
        std::process::abort();
    }
}

/// Returns true if the marker of a full disk exists.
pub(super) fn is_full() -> bool {
    MARKER.as_ref().is_some_and(|marker| marker.exists())
}

/// Keeps the file of this connection from growing while the marker exists.
pub(super) async fn limit_pages(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    if let Some(marker) = &*MARKER {
        // SQLite raises a limit below the file's size to its size.
        let pages = if marker.exists() { 1 } else { ANY_PAGES };
        let limit = format!("pragma max_page_count = {pages}");
        sqlx::query(sqlx::AssertSqlSafe(limit)).execute(connection).await?;
    }
    Ok(true)
}
