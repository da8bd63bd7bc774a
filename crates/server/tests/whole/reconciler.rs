//! No match stands still because nobody runs it.

use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_server::app::{Count, Reconciler};
use quadrex_store::Epoch;

use crate::hall::{Hall, match_of};

#[tokio::test]
async fn a_match_that_nobody_runs_is_taken_up_at_the_second_count() {
    let hall = Hall::open().await;
    let mut reconciler = Reconciler::new(hall.lobby.clone(), hall.store.clone());
    let count = async |reconciler: &mut Reconciler| {
        let Count { unfinished, unowned, .. } = reconciler.take().await.unwrap();
        (unfinished, unowned)
    };
    assert_eq!(count(&mut reconciler).await, (0, 0));

    let ann = hall.user("Ann").await;
    let orphan = hall.table(&ann, Privacy::Private, TimeSetting::None).await;
    let other = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    assert_eq!(count(&mut reconciler).await, (2, 0));

    // As if its actor had broken: the lobby has none for it any more.
    orphan.stop().await;
    while hall.lobby.runs(orphan.table()).await.unwrap() {
        tokio::task::yield_now().await;
    }
    assert_eq!(count(&mut reconciler).await, (2, 1));
    assert!(!hall.lobby.runs(orphan.table()).await.unwrap(), "it may be one that is just being made");
    reconciler.take().await.unwrap();
    assert!(hall.lobby.runs(orphan.table()).await.unwrap());
    assert_eq!(count(&mut reconciler).await, (2, 0));
    assert!(!other.is_gone());
}

/// An actor that only read a match does not run it: the count claims it all the same.
#[tokio::test]
async fn a_match_that_was_only_looked_at_is_claimed_at_the_second_count() {
    let hall = Hall::open().await;
    let ann = hall.user("Ann").await;
    let orphan = hall.orphan(&hall.table(&ann, Privacy::Private, TimeSetting::None).await).await;
    assert!(!hall.lobby.runs(orphan.table()).await.unwrap());
    let mut reconciler = Reconciler::new(hall.lobby.clone(), hall.store.clone());
    for _ in 0..2 {
        let Count { unfinished, unowned, .. } = reconciler.take().await.unwrap();
        assert_eq!((unfinished, unowned), (1, 1));
    }
    assert!(hall.lobby.runs(orphan.table()).await.unwrap());
    assert!(!orphan.is_gone(), "by the actor it has");
    assert_eq!(hall.store.claim(match_of(&orphan)).await.unwrap(), Some(Epoch(3)), "claimed once");
}

/// A log that cannot be read is tried again, and more and more seldom.
#[tokio::test]
async fn a_match_that_cannot_be_taken_up_stays_counted() {
    let hall = Hall::open().await;
    let ann = hall.user("Ann").await;
    let broken = hall.unreadable_table(&ann).await;
    let mut reconciler = Reconciler::new(hall.lobby.clone(), hall.store.clone());
    for _ in 0..5 {
        let Count { unfinished, unowned, .. } = reconciler.take().await.unwrap();
        assert_eq!((unfinished, unowned), (1, 1));
        assert!(!hall.lobby.runs(broken).await.unwrap());
    }
}
