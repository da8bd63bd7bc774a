//! The reconciler gives every unfinished match an actor.

use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_server::app::{Count, Reconciler};
use quadrex_store::Epoch;

use crate::fixture::{Fixture, match_of};

#[tokio::test]
async fn a_match_without_an_actor_is_resumed_at_the_second_scan() {
    let fixture = Fixture::open().await;
    let mut reconciler = Reconciler::new(fixture.lobby.clone(), fixture.store.clone());
    let count = async |reconciler: &mut Reconciler| {
        let Count { unfinished, unowned, .. } = reconciler.reconcile().await.unwrap();
        (unfinished, unowned)
    };
    assert_eq!(count(&mut reconciler).await, (0, 0));

    let ann = fixture.user("Ann").await;
    let orphan = fixture.table(&ann, Privacy::Private, TimeSetting::None).await;
    let other = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    assert_eq!(count(&mut reconciler).await, (2, 0));

    // The lobby loses the actor, as after a panic.
    orphan.stop().await;
    while fixture.lobby.is_claimed(orphan.table()).await.unwrap() {
        tokio::task::yield_now().await;
    }
    assert_eq!(count(&mut reconciler).await, (2, 1));
    assert!(
        !fixture.lobby.is_claimed(orphan.table()).await.unwrap(),
        "it may be one that is just being created"
    );
    reconciler.reconcile().await.unwrap();
    assert!(fixture.lobby.is_claimed(orphan.table()).await.unwrap());
    assert_eq!(count(&mut reconciler).await, (2, 0));
    assert!(!other.is_gone());
}

/// An actor that only reads a match does not run it, so the second scan claims the match.
#[tokio::test]
async fn a_match_that_was_only_read_is_claimed_at_the_second_scan() {
    let fixture = Fixture::open().await;
    let ann = fixture.user("Ann").await;
    let orphan = fixture.orphan(&fixture.table(&ann, Privacy::Private, TimeSetting::None).await).await;
    assert!(!fixture.lobby.is_claimed(orphan.table()).await.unwrap());
    let mut reconciler = Reconciler::new(fixture.lobby.clone(), fixture.store.clone());
    for _ in 0..2 {
        let Count { unfinished, unowned, .. } = reconciler.reconcile().await.unwrap();
        assert_eq!((unfinished, unowned), (1, 1));
    }
    assert!(fixture.lobby.is_claimed(orphan.table()).await.unwrap());
    assert!(!orphan.is_gone(), "by its present actor");
    assert_eq!(fixture.store.claim(match_of(&orphan)).await.unwrap(), Some(Epoch(3)), "claimed once");
}

/// A log that cannot be read is read again at growing intervals.
#[tokio::test]
async fn a_match_that_cannot_be_resumed_stays_in_the_count() {
    let fixture = Fixture::open().await;
    let ann = fixture.user("Ann").await;
    let broken = fixture.unreadable_table(&ann).await;
    let mut reconciler = Reconciler::new(fixture.lobby.clone(), fixture.store.clone());
    for _ in 0..5 {
        let Count { unfinished, unowned, .. } = reconciler.reconcile().await.unwrap();
        assert_eq!((unfinished, unowned), (1, 1));
        assert!(!fixture.lobby.is_claimed(broken).await.unwrap());
    }
}
