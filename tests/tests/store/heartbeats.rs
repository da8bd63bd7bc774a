//! Conformance tests of heartbeats and of stored turn absences.

use std::time::Duration;

use quadrex_store::TurnAbsence;

use crate::test_store::{NOW, TestStore, after};

pub(crate) async fn the_last_heartbeat_is_stored(test: TestStore) {
    assert_eq!(test.store.last_heartbeat().await.unwrap(), None, "no server has run yet");
    for at in [NOW, after(2_000), after(1_000)] {
        test.store.record_heartbeat(at).await.unwrap();
        assert_eq!(test.store.last_heartbeat().await.unwrap(), Some(at));
    }
}

pub(crate) async fn a_turn_absence_is_stored_until_a_later_one(test: TestStore) {
    let (store, match_id) = (&test.store, test.table().await.match_id);
    assert_eq!(store.turn_absence(match_id).await.unwrap(), None);
    let away = |basis, spent_ms, since| TurnAbsence { basis, spent: Duration::from_millis(spent_ms), since };
    for kept in [away(4, 0, Some(NOW)), away(4, 7_000, None), away(9, 1, Some(after(1)))] {
        store.set_turn_absence(match_id, &kept).await.unwrap();
        assert_eq!(store.turn_absence(match_id).await.unwrap(), Some(kept));
    }
    store.set_turn_absence(match_id, &away(8, 3, None)).await.unwrap();
    assert_eq!(
        store.turn_absence(match_id).await.unwrap(),
        Some(away(9, 1, Some(after(1)))),
        "an owner of before"
    );
    let nobodys = quadrex_protocol::MatchId(uuid::Uuid::from_u128(77));
    assert!(store.set_turn_absence(nobodys, &away(1, 1, None)).await.is_err());
}
