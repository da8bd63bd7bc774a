//! Conformance tests of warnings of users.

use quadrex_store::{NewWarning, UserWarning};

use crate::test_store::{NOW, TestStore, after};

pub(crate) async fn a_warning_is_listed_and_acknowledged_once(test: TestStore) {
    let (ada, olga) = (test.user("Ada").await.id, test.user("Olga").await.id);
    let store = &test.store;
    assert_eq!(store.warnings_of(ada).await.unwrap(), []);
    let before = store.last_revocation().await.unwrap();
    for (text, at) in [("first", NOW), ("second", after(5))] {
        store.warn_user(&NewWarning { user: ada, text, by: olga, at }).await.unwrap();
    }
    assert_eq!(store.revocations_after(before).await.unwrap().users, [ada, ada]);
    let listed = store.warnings_of(ada).await.unwrap();
    let [second, first] = listed.as_slice() else { panic!("{listed:?}") };
    assert!(second.number > first.number);
    let expected =
        UserWarning { number: first.number, text: "first".into(), at: NOW, by: olga, acknowledged_at: None };
    assert_eq!(*first, expected);

    assert!(!store.acknowledge_warning(olga, first.number, after(6)).await.unwrap(), "of another user");
    assert!(!store.acknowledge_warning(ada, second.number + 1, after(6)).await.unwrap());
    assert!(!store.acknowledge_warning(ada, u64::MAX, after(6)).await.unwrap());
    for at in [after(7), after(8)] {
        assert!(store.acknowledge_warning(ada, first.number, at).await.unwrap());
    }
    let listed = store.warnings_of(ada).await.unwrap();
    assert_eq!(listed[1], UserWarning { acknowledged_at: Some(after(7)), ..expected });
    assert_eq!(listed[0].acknowledged_at, None);
}

pub(crate) async fn an_invalid_warning_is_refused(test: TestStore) {
    let (ada, olga) = (test.user("Ada").await.id, test.user("Olga").await.id);
    let nobody = test.stranger("Nobody").id;
    let store = &test.store;
    let long = "x".repeat(501);
    for (user, text, by) in
        [(nobody, "text", olga), (ada, "text", nobody), (ada, "", olga), (ada, &long, olga)]
    {
        assert!(store.warn_user(&NewWarning { user, text, by, at: NOW }).await.is_err(), "{text}");
    }
    assert_eq!(store.warnings_of(ada).await.unwrap(), []);
    assert_eq!(store.last_revocation().await.unwrap(), 0, "nothing is reported");
}
