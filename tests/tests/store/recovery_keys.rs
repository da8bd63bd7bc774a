//! Conformance tests of recovery keys.

use crate::test_store::{NOW, TestStore, after};

pub(crate) async fn a_recovery_key_is_valid_until_it_is_replaced_or_removed(test: TestStore) {
    let (ada, ben) = (test.user("Ada").await, test.user("Ben").await);
    let (first, second, other) = (test.secret(), test.secret(), test.secret());
    let store = &test.store;
    let user_of = async |key| store.recovery_key_user(key).await.unwrap();
    assert_eq!(user_of(first).await, None);
    assert!(!store.has_recovery_key(ada.id).await.unwrap());

    store.set_recovery_key(ada.id, first, NOW).await.unwrap();
    store.set_recovery_key(ben.id, other, NOW).await.unwrap();
    assert_eq!(user_of(first).await, Some(ada.id));
    assert_eq!(user_of(first).await, Some(ada.id), "it can be used again");
    assert!(store.has_recovery_key(ada.id).await.unwrap());
    assert!(store.set_recovery_key(ben.id, first, NOW).await.is_err(), "it belongs to Ada");

    store.set_recovery_key(ada.id, second, after(1)).await.unwrap();
    assert_eq!(user_of(first).await, None, "it was replaced");
    assert_eq!(user_of(second).await, Some(ada.id));

    assert!(store.remove_recovery_key(ada.id).await.unwrap());
    assert!(!store.remove_recovery_key(ada.id).await.unwrap());
    assert_eq!(user_of(second).await, None, "it was removed");
    assert_eq!(user_of(other).await, Some(ben.id), "it is Ben's");
    assert!(store.set_recovery_key(test.stranger("nobody").id, second, NOW).await.is_err());
}
