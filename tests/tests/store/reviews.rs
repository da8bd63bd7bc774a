//! Conformance tests of the queue of reviews. It is bounded and ordered, and each review is made
//! once.

use std::collections::BTreeMap;

use quadrex_protocol::review::{Review, Swing, SwingKind};
use quadrex_rules::Color;
use quadrex_store::{Store, StoredReview};

use crate::test_store::{TestStore, after};

fn review(nodes: u32) -> Review {
    let best = Vec::new();
    let swing = Swing { ply: 1, color: Color::Red, kind: SwingKind::Mistake, loss: 100, best };
    Review { nodes, chances: vec![BTreeMap::from([(Color::Red, 1_000)])], swings: vec![swing] }
}

pub(crate) async fn reviews_wait_in_order_and_are_stored_when_done(test: TestStore) {
    let tables = test.tables(3).await;
    let [first, second, third] = [0, 1, 2].map(|index| tables[index].match_id);
    let store = &test.store;
    assert_eq!(store.waiting_reviews(9).await.unwrap(), []);
    assert_eq!(store.review(first).await.unwrap(), None);
    assert!(store.request_review(second, after(7), 2).await.unwrap());
    assert!(store.request_review(first, after(5), 2).await.unwrap());
    assert!(!store.request_review(third, after(9), 2).await.unwrap(), "two reviews wait already");
    assert_eq!(
        store.review(first).await.unwrap(),
        Some(StoredReview::Waiting { ahead: 0, automatic: false })
    );
    assert_eq!(
        store.review(second).await.unwrap(),
        Some(StoredReview::Waiting { ahead: 1, automatic: false })
    );

    // Another process on the database finds the waiting reviews, oldest first.
    let other = Store::connect(&test.location, 2).await.unwrap();
    assert_eq!(other.waiting_reviews(9).await.unwrap(), [first, second]);
    assert_eq!(other.waiting_reviews(1).await.unwrap(), [first]);
    assert!(other.finish_review(first, &review(1)).await.unwrap());
    assert!(!store.finish_review(first, &review(2)).await.unwrap(), "it is done");
    assert!(!store.finish_review(third, &review(3)).await.unwrap(), "it was not requested");
    assert!(!store.request_review(first, after(11), 2).await.unwrap(), "it is done");
    store.remove_review_request(first).await.unwrap();
    assert_eq!(store.review(first).await.unwrap(), Some(StoredReview::Done(review(1))));
    assert_eq!(
        store.review(second).await.unwrap(),
        Some(StoredReview::Waiting { ahead: 0, automatic: false })
    );
    assert_eq!(store.waiting_reviews(9).await.unwrap(), [second]);
    other.close().await;

    store.remove_review_request(second).await.unwrap();
    assert_eq!(store.review(second).await.unwrap(), None);
    assert_eq!(store.waiting_reviews(9).await.unwrap(), []);
    assert!(store.request_review(second, after(12), 2).await.unwrap(), "it may be requested again");
    assert!(store.request_review(third, after(12), 2).await.unwrap(), "the queue has room again");
}

pub(crate) async fn automatic_reviews_wait_after_the_requested_ones(test: TestStore) {
    let tables = test.tables(4).await;
    let [first, second, third, requested] = [0, 1, 2, 3].map(|index| tables[index].match_id);
    let store = &test.store;
    let waiting = |ahead, automatic| Some(StoredReview::Waiting { ahead, automatic });
    assert!(store.queue_automatic_review(second, after(2), 2).await.unwrap());
    assert!(store.queue_automatic_review(first, after(1), 2).await.unwrap());
    assert!(!store.queue_automatic_review(first, after(1), 9).await.unwrap(), "it waits");
    assert!(!store.queue_automatic_review(third, after(3), 2).await.unwrap(), "two wait already");
    assert!(store.request_review(requested, after(9), 1).await.unwrap(), "they have a limit of their own");
    assert_eq!(store.waiting_reviews(9).await.unwrap(), [requested, first, second]);
    assert_eq!(store.review(requested).await.unwrap(), waiting(0, false));
    assert_eq!(store.review(first).await.unwrap(), waiting(1, true));
    assert_eq!(store.review(second).await.unwrap(), waiting(2, true));

    // Somebody requests a review that is in the automatic queue. It moves to the requested queue,
    // if there is room.
    assert!(!store.request_review(second, after(10), 1).await.unwrap());
    assert_eq!(store.review(second).await.unwrap(), waiting(2, true));
    assert!(store.request_review(second, after(10), 2).await.unwrap());
    assert!(!store.request_review(second, after(11), 9).await.unwrap(), "it is requested");
    assert_eq!(store.review(second).await.unwrap(), waiting(1, false));
    assert_eq!(store.review(first).await.unwrap(), waiting(2, true));
    assert!(!store.queue_automatic_review(requested, after(12), 9).await.unwrap(), "it is requested");
    assert_eq!(store.review(requested).await.unwrap(), waiting(0, false));
    assert!(store.finish_review(first, &review(1)).await.unwrap());
    assert!(!store.queue_automatic_review(first, after(13), 9).await.unwrap(), "it is made");
    assert!(!store.request_review(first, after(13), 9).await.unwrap(), "it is made");
}

pub(crate) async fn an_unknown_match_gets_no_review(test: TestStore) {
    let table = test.table().await;
    let missing = quadrex_protocol::MatchId(test.entropy.uuid(after(1)));
    assert!(test.store.request_review(missing, after(1), 9).await.is_err());
    assert!(test.store.request_review(table.match_id, after(1), 9).await.unwrap());
    assert!(
        !test.store.request_review(table.match_id, after(2), 9).await.unwrap(),
        "a second decline is refused"
    );
}
