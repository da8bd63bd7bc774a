use super::super::samples::{Log, match_id};
use super::super::stored::Stored;
use super::*;

/// The time at which the leases are checked.
const NOW: i64 = 1_000_000;

/// Returns the matches without an owner in a database with a running match, after this statement.
async fn unowned_after(sql: &'static str) -> Vec<MatchId> {
    let stored = Stored::with(&Log::started()).await;
    let node = "insert into nodes (id, name, since_ms, renewed_at_ms, lease_until_ms)
                values (zeroblob(16), 'a', 0, 0, 1000001)";
    stored.run(node).await;
    stored.run("update matches set owner = zeroblob(16)").await;
    stored.run(sql).await;
    stored.unchecked(async |connection| unowned(connection, NOW).await.unwrap()).await
}

#[tokio::test(start_paused = true)]
async fn a_running_match_needs_an_owner_with_a_lease() {
    assert_eq!(unowned_after("select 1").await, []);
    let wrong = [
        "update matches set owner = null",
        "update matches set owner = randomblob(16)",
        "update nodes set lease_until_ms = 1000000",
        "update nodes set state = 'dead'",
        "delete from nodes",
        "update matches set hibernated_epoch = epoch - 1, owner = null",
    ];
    for sql in wrong {
        assert_eq!(unowned_after(sql).await, [match_id(1)], "{sql}");
    }
    let right = [
        "update nodes set state = 'draining'",
        "update matches set hibernated_epoch = epoch, owner = null",
        "update matches set status = 'ended', owner = null",
        "update matches set status = 'open', owner = null",
    ];
    for sql in right {
        assert_eq!(unowned_after(sql).await, [], "{sql}");
    }
}
