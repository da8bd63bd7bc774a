//! Conformance tests of accounts and their names.

use std::time::Duration;

use futures_util::future::join_all;
use quadrex_store::{
    AccountCreation, NameChange, NewAccount, NewName, Session, SessionKind, StoredAccount, User,
};

use crate::test_store::{NOW, TestStore, after};

const INTERVAL: Duration = Duration::from_secs(30);
const HASH: &str = "$argon2id$v=19$m=64,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g";
const OTHER_HASH: &str = "$argon2id$v=19$m=64,t=2,p=1$c2FsdHNhbHQ$b3RoZXJvdGhlcg";

async fn create(test: &TestStore, user: &User, name: &str) -> AccountCreation {
    let key = name.to_lowercase();
    let account = NewAccount { user: user.id, name, name_key: &key, password_hash: Some(HASH), at: NOW };
    test.store.create_account(account).await.unwrap()
}

async fn rename(test: &TestStore, user: &User, name: &str, at_ms: u64) -> NameChange {
    let key = name.to_lowercase();
    let name_key = Some(key.as_str()).filter(|key| !key.is_empty());
    let new_name = NewName { user: user.id, name, name_key, interval: INTERVAL, at: after(at_ms) };
    test.store.rename_user(new_name).await.unwrap()
}

fn account(user: &User, name: &str) -> User {
    User { name: name.to_owned(), account: true, ..user.clone() }
}

pub(crate) async fn a_guest_becomes_an_account_with_a_name_of_its_own(test: TestStore) {
    let (ada, ben) = (test.user("Quiet Otter").await, test.user("Brave Heron").await);
    let store = &test.store;
    assert_eq!(store.owner_of_name("ada").await.unwrap(), None);
    assert_eq!(create(&test, &ada, "Ada").await, AccountCreation::Created(account(&ada, "Ada")));
    assert_eq!(store.user(ada.id).await.unwrap(), Some(account(&ada, "Ada")));
    assert_eq!(store.owner_of_name("ada").await.unwrap(), Some(ada.id));
    let stored = StoredAccount { user: ada.id, password_hash: Some(HASH.to_owned()) };
    assert_eq!(store.account_by_name("ada").await.unwrap(), Some(stored.clone()));
    assert_eq!(store.account_of(ada.id).await.unwrap(), Some(stored));

    assert_eq!(create(&test, &ben, "ADA").await, AccountCreation::NameTaken);
    assert_eq!(store.user(ben.id).await.unwrap(), Some(ben.clone()), "Ben is still a guest");
    assert_eq!(store.account_of(ben.id).await.unwrap(), None);
    for name in ["Ada", "Eva", "ada"] {
        assert_eq!(create(&test, &ada, name).await, AccountCreation::HasAccount, "{name}");
    }
    assert_eq!(store.owner_of_name("eva").await.unwrap(), None, "a refused account takes no name");
    assert!(matches!(create(&test, &ben, "Ben").await, AccountCreation::Created(_)));

    let nobody = test.stranger("nobody");
    let failing =
        NewAccount { user: nobody.id, name: "N", name_key: "n", password_hash: Some(HASH), at: NOW };
    assert!(store.create_account(failing).await.is_err());
    let eva = test.user("Eva").await;
    let failing =
        NewAccount { user: eva.id, name: "Eva", name_key: "eva", password_hash: Some("secret"), at: NOW };
    assert!(store.create_account(failing).await.is_err(), "it is no hash");
    assert_eq!(store.owner_of_name("eva").await.unwrap(), None);
}

pub(crate) async fn of_parallel_accounts_with_one_name_exactly_one_is_created(test: TestStore) {
    let guests = join_all((0..200).map(|_| test.user("Quiet Otter"))).await;
    let outcomes = join_all(guests.iter().map(|guest| create(&test, guest, "Ada"))).await;
    let created = outcomes.iter().filter(|outcome| matches!(outcome, AccountCreation::Created(_))).count();
    let taken = outcomes.iter().filter(|outcome| **outcome == AccountCreation::NameTaken).count();
    assert_eq!((created, taken), (1, 199));
    let owner = test.store.owner_of_name("ada").await.unwrap();
    let winner = outcomes.iter().position(|outcome| matches!(outcome, AccountCreation::Created(_)));
    assert_eq!(owner, winner.map(|winner| guests[winner].id));

    // A user who sends the request twice gets one account, and takes one name.
    let eva = test.user("Eva").await;
    let outcomes = join_all(["Eva", "Evi", "Eve"].map(|name| create(&test, &eva, name))).await;
    let created = outcomes.iter().filter(|outcome| matches!(outcome, AccountCreation::Created(_))).count();
    assert_eq!(created, 1, "{outcomes:?}");
    let mut names = 0;
    for key in ["eva", "evi", "eve"] {
        names += usize::from(test.store.owner_of_name(key).await.unwrap().is_some());
    }
    assert_eq!(names, 1);
}

pub(crate) async fn a_name_of_an_account_is_never_free_again(test: TestStore) {
    let (ada, ben) = (test.user("Quiet Otter").await, test.user("Brave Heron").await);
    create(&test, &ada, "Ada").await;
    create(&test, &ben, "Ben").await;
    let guest = test.user("Guest").await;
    assert_eq!(rename(&test, &guest, "ADA", 0).await, NameChange::NameTaken);
    assert_eq!(
        rename(&test, &guest, "Eva", 0).await,
        NameChange::Changed(User { name: "Eva".into(), ..guest.clone() })
    );
    assert_eq!(
        rename(&test, &guest, "Evi", 1).await,
        NameChange::Changed(User { name: "Evi".into(), ..guest.clone() })
    );
    assert_eq!(rename(&test, &ben, "Ada", 0).await, NameChange::NameTaken);

    // The first change is free, the next one must wait. Another spelling is no change.
    assert_eq!(rename(&test, &ada, "Lovelace", 1).await, NameChange::Changed(account(&ada, "Lovelace")));
    assert_eq!(rename(&test, &ada, "LoveLace", 2).await, NameChange::Changed(account(&ada, "LoveLace")));
    assert_eq!(rename(&test, &ada, "Eva", 30_000).await, NameChange::TooSoon { until: after(30_001) });
    for other in [&guest, &ben] {
        assert_eq!(rename(&test, other, "Ada", 3).await, NameChange::NameTaken, "an old name");
        assert_eq!(rename(&test, other, "Lovelace", 3).await, NameChange::NameTaken);
    }
    assert_eq!(create(&test, &guest, "Ada").await, AccountCreation::NameTaken);
    assert_eq!(test.store.account_by_name("ada").await.unwrap(), None, "nobody signs in by an old name");
    assert!(test.store.account_by_name("lovelace").await.unwrap().is_some());
    // Only its user returns to an old name.
    assert_eq!(rename(&test, &ada, "Ada", 30_001).await, NameChange::Changed(account(&ada, "Ada")));
    assert_eq!(rename(&test, &guest, "Lovelace", 30_002).await, NameChange::NameTaken);
    assert_eq!(rename(&test, &ada, "", 90_000).await, NameChange::NameTaken, "it has no key");
    assert_eq!(rename(&test, &test.stranger("nobody"), "Zoë", 0).await, NameChange::NoUser);
}

pub(crate) async fn a_password_changes_once_and_ends_the_sign_ins_with_the_old_one(test: TestStore) {
    let ada = test.user("Ada").await;
    create(&test, &ada, "Ada").await;
    let store = &test.store;
    let old = store.account_of(ada.id).await.unwrap().unwrap();
    let session = |account: &StoredAccount| Session {
        token: test.secret(),
        user: account.user,
        kind: SessionKind::Cookie,
        created_at: NOW,
        expires_at: None,
        seen_at: None,
        client: None,
    };
    assert!(store.add_account_session(&session(&old), &old).await.unwrap());
    assert!(store.change_password(&old, OTHER_HASH).await.unwrap());
    assert!(!store.change_password(&old, HASH).await.unwrap(), "the password has changed");
    let new = store.account_of(ada.id).await.unwrap().unwrap();
    assert_eq!(new.password_hash.as_deref(), Some(OTHER_HASH));
    assert!(!store.add_account_session(&session(&old), &old).await.unwrap(), "it was verified too early");
    assert!(store.add_account_session(&session(&new), &new).await.unwrap());
    assert_eq!(store.sessions_of(ada.id, NOW, 9).await.unwrap().len(), 2);
}
