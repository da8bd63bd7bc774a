//! Tests of the delays.

use quadrex_store::FaultPlan;

use super::super::samples::{appended, auditor, match_id};
use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// Lets virtual time pass.
async fn pass(time: Duration) {
    tokio::time::advance(time).await;
}

#[tokio::test(start_paused = true)]
async fn only_a_long_wait_while_nothing_fails_is_wrong() {
    let auditor = auditor();
    let began = virtual_now();
    pass(10 * SECOND).await;
    auditor.waits("Ann", "the answer", began);
    auditor.set_calm(true);
    auditor.waits("Ann", "the answer", began);
    let began = virtual_now();
    pass(LONGEST).await;
    auditor.waits("Ann", "the answer", began);
    assert_eq!(auditor.violations(), Vec::<String>::new());
    pass(SECOND).await;
    auditor.waits("Ann", "the answer", began);
    assert_eq!(auditor.violations(), ["Ann: the answer takes 6s although nothing fails"]);
    auditor.set_calm(false);
    auditor.waits("Ann", "the answer", began);
    assert_eq!(auditor.violations().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_event_is_late_if_the_client_watched_when_it_was_committed() {
    let auditor = auditor();
    auditor.set_calm(true);
    let before = virtual_now();
    pass(SECOND).await;
    auditor.0.commits.committed(&appended(match_id(1), 3));
    pass(SECOND).await;
    let after = virtual_now();
    auditor.0.commits.committed(&appended(match_id(1), 5));
    pass(LONGEST).await;
    auditor.waits_for_event("Ann", match_id(1), 3, after);
    auditor.waits_for_event("Ann", match_id(1), 5, before);
    auditor.waits_for_event("Ann", match_id(1), 6, before);
    auditor.waits_for_event("Ann", match_id(2), 1, before);
    assert_eq!(auditor.violations(), Vec::<String>::new());
    auditor.waits_for_event("Ann", match_id(1), 2, before);
    assert_eq!(auditor.violations().len(), 1, "event 2 was committed with event 3");
}
