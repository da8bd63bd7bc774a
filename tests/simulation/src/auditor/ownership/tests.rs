use super::super::samples::{Log, auditor, match_id};
use super::super::stored::Stored;
use super::*;
use crate::trace::virtual_now;

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

#[tokio::test(start_paused = true)]
async fn a_server_whose_lease_has_expired_only_closes_connections() {
    let auditor = auditor();
    let (begin, lease) = (virtual_now(), Duration::from_secs(2));
    auditor.0.commits.leases(|leases| leases.renew("server 1", begin, lease));
    let pong = ServerFrame::Pong { heads: BTreeMap::new() };
    let closing = ServerFrame::Closing { retry_after_ms: 1, open_for_ms: None };
    let just_before = begin + lease - Duration::from_millis(1);
    for (server, frame, at) in [
        ("server 1", &pong, just_before),
        ("server 1", &closing, begin + lease),
        ("server 2", &pong, begin + lease),
    ] {
        auditor.frame_sent("ann", server, frame, at);
        assert!(auditor.violations().is_empty(), "{server} {frame:?}");
    }
    auditor.frame_sent("ann", "server 1", &pong, begin + 2 * lease);
    assert_eq!(auditor.violations(), ["ann: server 1 sends a frame, although its lease expired 2s ago"]);
}
