//! Conformance tests of identities at sign-in providers.

use futures_util::future::join_all;
use quadrex_protocol::UserId;
use quadrex_store::{
    AccountCreation, IdentityConnection, IdentityDisconnection, NewAccount, ProviderAccountCreation,
    ProviderIdentity, ProviderSignIn, SecretHash, User,
};

use crate::test_store::{NOW, TestStore, after};

const HASH: &str = "$argon2id$v=19$m=64,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g";

fn identity(provider: &str, subject: &str) -> ProviderIdentity {
    ProviderIdentity { provider: provider.to_owned(), subject: subject.to_owned(), name: "Name".to_owned() }
}

async fn owner(test: &TestStore, provider: &str, subject: &str) -> Option<UserId> {
    test.store.user_of_identity(provider, subject).await.unwrap()
}

async fn create_account(test: &TestStore, user: &User, name: &str) {
    let account = NewAccount { user: user.id, name, name_key: name, password_hash: Some(HASH), at: NOW };
    assert!(matches!(test.store.create_account(account).await.unwrap(), AccountCreation::Created(_)));
}

async fn complete(test: &TestStore, key: SecretHash, user: &User, name: &str) -> ProviderAccountCreation {
    let account = NewAccount { user: user.id, name, name_key: name, password_hash: None, at: after(10) };
    test.store.create_provider_account(key, account).await.unwrap()
}

pub(crate) async fn identities_belong_to_one_account_each(test: TestStore) {
    use IdentityConnection::{Connected, HasOther, NoAccount, Taken};
    use IdentityDisconnection::{Disconnected, NotConnected};
    let (ada, ben, guest) = (test.user("Ada").await, test.user("Ben").await, test.user("Guest").await);
    create_account(&test, &ada, "ada").await;
    create_account(&test, &ben, "ben").await;
    let connect = async |user: &User, provider, subject| {
        test.store.connect_identity(user.id, &identity(provider, subject), after(1)).await.unwrap()
    };
    assert_eq!(connect(&guest, "one", "g").await, NoAccount);
    assert_eq!(connect(&ada, "one", "a").await, Connected);
    assert_eq!(connect(&ada, "one", "a").await, Connected, "nothing changes");
    assert_eq!(connect(&ada, "one", "b").await, HasOther);
    assert_eq!(connect(&ben, "one", "a").await, Taken);
    assert_eq!(connect(&ben, "two", "a").await, Connected, "another provider's identity");
    assert_eq!(connect(&ada, "two", "b").await, Connected);
    assert_eq!(owner(&test, "one", "a").await, Some(ada.id));
    assert_eq!(owner(&test, "two", "a").await, Some(ben.id));
    assert_eq!(owner(&test, "one", "g").await, None);

    let listed = test.store.identities_of(ada.id).await.unwrap();
    let providers: Vec<_> = listed.iter().map(|known| known.identity.provider.as_str()).collect();
    assert_eq!(providers, ["one", "two"]);
    assert!(listed.iter().all(|known| known.connected_at == after(1) && known.identity.name == "Name"));

    let disconnect =
        async |user: &User, provider| test.store.disconnect_identity(user.id, provider).await.unwrap();
    assert_eq!(disconnect(&ben, "one").await, NotConnected);
    assert_eq!(disconnect(&ada, "one").await, Disconnected);
    assert_eq!(disconnect(&ada, "one").await, NotConnected);
    assert_eq!(disconnect(&ada, "two").await, Disconnected, "the password remains");
    assert_eq!(owner(&test, "one", "a").await, None);
    assert_eq!(connect(&ben, "one", "a").await, Connected, "it is free again");

    test.store.delete_user(ben.id, after(2)).await.unwrap();
    assert_eq!((owner(&test, "one", "a").await, owner(&test, "two", "a").await), (None, None));
}

pub(crate) async fn a_sign_in_with_a_provider_is_taken_once_before_it_expires(test: TestStore) {
    let ada = test.user("Ada").await;
    let sign_in = |state, connect| ProviderSignIn {
        state,
        provider: "one".to_owned(),
        verifier: "v".repeat(43),
        connect,
        return_to: "/settings".to_owned(),
        expires_at: after(100),
    };
    let (first, second, third) = (test.secret(), test.secret(), test.secret());
    let take = async |state, at| test.store.take_provider_sign_in(state, after(at)).await.unwrap();
    let add = async |state, connect, at| {
        test.store.add_provider_sign_in(&sign_in(state, connect), after(at)).await.unwrap();
    };
    add(first, None, 0).await;
    add(second, Some(ada.id), 0).await;
    assert_eq!(take(third, 1).await, None);
    assert_eq!(take(first, 100).await, None, "it has expired");
    assert_eq!(take(second, 99).await, Some(sign_in(second, Some(ada.id))));
    assert_eq!(take(second, 99).await, None, "it was taken");
    assert_eq!(take(first, 99).await, Some(sign_in(first, None)), "an attempt after the end removes nothing");

    // A later one removes those that have expired.
    add(first, None, 0).await;
    add(third, None, 101).await;
    assert_eq!(take(first, 1).await, None);

    add(second, None, 0).await;
    let tasks = (0..8).map(|_| {
        let store = test.store.clone();
        tokio::spawn(async move { store.take_provider_sign_in(second, NOW).await.unwrap() })
    });
    let taken = join_all(tasks).await.into_iter().filter(|taken| taken.as_ref().unwrap().is_some()).count();
    assert_eq!(taken, 1);

    let shown = format!("{:?}", sign_in(first, None));
    assert!(!shown.contains("vvv") && shown.contains("one"), "{shown}");
}

pub(crate) async fn a_sign_up_with_a_provider_creates_one_account(test: TestStore) {
    use ProviderAccountCreation::{Account, IdentityTaken, NoSignUp};
    let (ada, ben, eva) = (test.user("Ada").await, test.user("Ben").await, test.user("Eva").await);
    let key = test.secret();
    let offer = async |key, subject, at| {
        let (identity, at, end) = (identity("one", subject), after(at), after(at + 100));
        test.store.add_provider_sign_up(key, &identity, at, end).await.unwrap();
    };
    offer(key, "a", 0).await;
    let shown = async |at| test.store.provider_sign_up(key, after(at)).await.unwrap();
    assert_eq!(shown(99).await, Some(identity("one", "a")));
    assert_eq!(shown(100).await, None, "it has expired");

    create_account(&test, &ben, "ben").await;
    assert_eq!(complete(&test, test.secret(), &ada, "ada").await, NoSignUp);
    assert_eq!(complete(&test, key, &ada, "ben").await, Account(AccountCreation::NameTaken));
    assert_eq!(complete(&test, key, &ben, "bea").await, Account(AccountCreation::HasAccount));
    assert_eq!(test.store.owner_of_name("bea").await.unwrap(), None, "a refused account takes no name");
    assert_eq!(shown(1).await, Some(identity("one", "a")), "a refused account does not use it up");
    let created = User { name: "ada".to_owned(), account: true, ..ada.clone() };
    assert_eq!(complete(&test, key, &ada, "ada").await, Account(AccountCreation::Created(created)));
    assert_eq!(owner(&test, "one", "a").await, Some(ada.id));
    assert_eq!(complete(&test, key, &eva, "eva").await, NoSignUp, "it is used up");
    assert_eq!(test.store.account_of(ada.id).await.unwrap().unwrap().password_hash, None);
    let last = test.store.disconnect_identity(ada.id, "one").await.unwrap();
    assert_eq!(last, IdentityDisconnection::LastSignIn);
    assert_eq!(owner(&test, "one", "a").await, Some(ada.id), "it stays connected");

    // The identity was connected in another browser meanwhile.
    let key = test.secret();
    offer(key, "a", 0).await;
    assert_eq!(complete(&test, key, &eva, "eva").await, IdentityTaken);
    assert_eq!(test.store.account_of(eva.id).await.unwrap(), None);

    // With a password, the account needs no identity.
    let account = test.store.account_of(ada.id).await.unwrap().unwrap();
    assert!(test.store.change_password(&account, HASH).await.unwrap());
    assert!(!test.store.change_password(&account, HASH).await.unwrap(), "it has a password by now");
    let disconnected = test.store.disconnect_identity(ada.id, "one").await.unwrap();
    assert_eq!(disconnected, IdentityDisconnection::Disconnected);

    let key = test.secret();
    offer(key, "c", 0).await;
    let users = join_all((0..8).map(|_| test.user("Guest"))).await;
    let tasks = users.into_iter().enumerate().map(|(number, user)| {
        let store = test.store.clone();
        tokio::spawn(async move {
            let name = format!("name{number}");
            let account =
                NewAccount { user: user.id, name: &name, name_key: &name, password_hash: None, at: NOW };
            store.create_provider_account(key, account).await.unwrap()
        })
    });
    let outcomes = join_all(tasks).await;
    let created =
        outcomes.iter().filter(|outcome| matches!(outcome, Ok(Account(AccountCreation::Created(_)))));
    assert_eq!(created.count(), 1, "{outcomes:?}");
}
