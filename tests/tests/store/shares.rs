//! The share links of matches. Each player has at most one link of a match, which is valid until it
//! is removed or replaced.

use crate::test_store::{TestStore, after};

pub(crate) async fn a_share_link_is_valid_for_its_match_until_it_is_removed_or_replaced(test: TestStore) {
    let tables = test.tables(2).await;
    let [shared, other] = [0, 1].map(|index| tables[index].match_id);
    let (ada, ben) = (test.user("Ada").await, test.user("Ben").await);
    let [first, second, bens] = [(); 3].map(|()| test.secret());
    let store = &test.store;
    assert_eq!(store.share_created_at(shared, ada.id).await.unwrap(), None);
    store.share_match(shared, ada.id, first, after(5)).await.unwrap();
    store.share_match(shared, ben.id, bens, after(6)).await.unwrap();
    assert_eq!(store.share_created_at(shared, ada.id).await.unwrap(), Some(after(5)));
    assert!(store.is_match_shared(shared, first).await.unwrap());
    assert!(store.is_match_shared(shared, bens).await.unwrap());
    assert!(!store.is_match_shared(other, first).await.unwrap(), "it is of another match");
    assert!(!store.is_match_shared(shared, second).await.unwrap());

    // A new link replaces the player's earlier link, but not another player's link.
    store.share_match(shared, ada.id, second, after(7)).await.unwrap();
    assert_eq!(store.share_created_at(shared, ada.id).await.unwrap(), Some(after(7)));
    assert!(!store.is_match_shared(shared, first).await.unwrap());
    assert!(store.is_match_shared(shared, second).await.unwrap());
    assert!(store.remove_share(shared, ada.id).await.unwrap());
    assert!(!store.remove_share(shared, ada.id).await.unwrap(), "it is gone");
    assert!(!store.is_match_shared(shared, second).await.unwrap());
    assert!(store.is_match_shared(shared, bens).await.unwrap());

    let stranger = test.stranger("Eve");
    assert!(store.share_match(shared, stranger.id, second, after(8)).await.is_err());
}
