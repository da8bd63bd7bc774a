//! Faults for tests: an abort of the process directly after a COMMIT, and a full disk.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::SqliteConnection;

/// The environment variable that makes the process abort directly after it has committed an append.
/// Its value is the number of this append, counted from 1.
pub const ABORT_AFTER_COMMIT: &str = "QUADREX_ABORT_AFTER_COMMIT";

/// The environment variable with the path of a marker file. While the marker file exists, the
/// SQLite file cannot grow.
pub const FULL_WHILE: &str = "QUADREX_FULL_WHILE";

/// A number of pages that is greater than SQLite's maximum (sqlite.org/limits.html, "Maximum Number
/// Of Pages In A Database File").
const NO_PAGE_LIMIT: u32 = u32::MAX - 1;

static ABORT_AT: LazyLock<Option<u64>> =
    LazyLock::new(|| std::env::var(ABORT_AFTER_COMMIT).ok().and_then(|count| count.parse().ok()));

static MARKER: LazyLock<Option<PathBuf>> = LazyLock::new(|| std::env::var_os(FULL_WHILE).map(PathBuf::from));

static COMMITS: AtomicU64 = AtomicU64::new(0);

/// Counts a committed append, and aborts the process if [`ABORT_AFTER_COMMIT`] contains its number.
pub(super) fn after_commit() {
    let count = COMMITS.fetch_add(1, Ordering::SeqCst) + 1;
    if *ABORT_AT == Some(count) {
        std::process::abort();
    }
}

/// Returns true if the marker file of [`FULL_WHILE`] exists.
pub(super) fn is_disk_full() -> bool {
    MARKER.as_ref().is_some_and(|marker| marker.exists())
}

/// Prevents the database file of a connection from growing while the marker file of [`FULL_WHILE`]
/// exists. Always returns true, so that the pool uses the connection.
pub(super) async fn limit_pages(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    if let Some(marker) = &*MARKER {
        // If the limit is less than the current size, SQLite uses the current size as the limit.
        let pages = if marker.exists() { 1 } else { NO_PAGE_LIMIT };
        let limit = format!("pragma max_page_count = {pages}");
        sqlx::query(sqlx::AssertSqlSafe(limit)).execute(connection).await?;
    }
    Ok(true)
}
