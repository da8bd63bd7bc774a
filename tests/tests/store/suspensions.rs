//! Conformance tests of suspensions, and of the search for users by operators.

use quadrex_protocol::UserId;
use quadrex_store::{AccessToken, NewAccount, Session, SessionKind, UserFacts, UserSuspension};

use crate::test_store::{NOW, TestStore, after};

fn suspension(user: UserId, by: UserId, until_ms: Option<u64>) -> UserSuspension {
    UserSuspension { user, reason: "abuse".to_owned(), since: NOW, until: until_ms.map(after), by }
}

pub(crate) async fn a_suspension_holds_until_it_ends_or_is_lifted(test: TestStore) {
    let (ada, olga) = (test.user("Ada").await.id, test.user("Olga").await.id);
    let store = &test.store;
    let token = test.secret();
    let session = Session {
        token,
        user: ada,
        kind: SessionKind::Bearer,
        created_at: NOW,
        expires_at: None,
        seen_at: None,
        client: None,
    };
    store.add_session(&session).await.unwrap();
    let of_session =
        async |now| store.session_user(token, SessionKind::Bearer, now).await.unwrap().unwrap().suspension;
    assert_eq!(of_session(NOW).await, None);

    let before = store.last_revocation().await.unwrap();
    let first = suspension(ada, olga, Some(1_000));
    store.suspend(&first).await.unwrap();
    let recorded = store.revocations_after(before).await.unwrap();
    assert_eq!((recorded.users, recorded.sessions, recorded.last), (vec![ada], vec![], before + 1));
    assert_eq!(store.suspension_of(ada, after(999)).await.unwrap(), Some(first.clone()));
    assert_eq!(of_session(after(999)).await, Some(first));
    assert_eq!(store.suspension_of(ada, after(1_000)).await.unwrap(), None);
    assert_eq!(of_session(after(1_000)).await, None);
    assert_eq!(store.suspension_of(olga, NOW).await.unwrap(), None);

    let second = UserSuspension { reason: "more abuse".to_owned(), ..suspension(ada, olga, None) };
    store.suspend(&second).await.unwrap();
    assert_eq!(of_session(after(1_000_000)).await, Some(second));
    assert!(store.end_suspension(ada, after(10)).await.unwrap());
    assert_eq!(store.suspension_of(ada, after(10)).await.unwrap(), None);
    assert!(!store.end_suspension(ada, after(10)).await.unwrap(), "it has ended");
    assert_eq!(store.revocations_after(before).await.unwrap().users, [ada, ada, ada]);

    let nobody = test.stranger("Nobody").id;
    assert!(store.suspend(&suspension(nobody, olga, None)).await.is_err());
    assert!(store.suspend(&suspension(ada, olga, Some(0))).await.is_err(), "it ends before it begins");
    let silent = UserSuspension { reason: String::new(), ..suspension(ada, olga, None) };
    assert!(store.suspend(&silent).await.is_err());
}

pub(crate) async fn users_are_found_by_the_beginning_of_their_name(test: TestStore) {
    let store = &test.store;
    let mut users = Vec::new();
    for name in ["Anna", "anNABEL", "Ann", "Bert", "An_na", "Ольга"] {
        users.push(test.user(name).await);
    }
    let found = async |prefix: &str, max| {
        let found = store.users_by_name(prefix, NOW, max).await.unwrap();
        let mut names: Vec<String> = found.into_iter().map(|found| found.user.name).collect();
        names.sort();
        names
    };
    assert_eq!(found("ANNA", 9).await, ["Anna", "anNABEL"]);
    assert_eq!(found("ann", 9).await, ["Ann", "Anna", "anNABEL"]);
    assert_eq!(found("an", 9).await.len(), 4);
    assert_eq!(found("an", 2).await.len(), 2);
    assert_eq!(found("Оль", 9).await, ["Ольга"]);
    assert_eq!(found("%", 9).await, Vec::<String>::new());

    let (anna, bert) = (&users[0], &users[3]);
    store.suspend(&suspension(anna.id, bert.id, Some(1_000))).await.unwrap();
    store.suspend(&UserSuspension { since: after(1), ..suspension(bert.id, anna.id, None) }).await.unwrap();
    let listed = async |now| {
        let suspended = store.suspended_users(now, 9).await.unwrap();
        suspended.into_iter().map(|found| (found.user.name, found.suspension.is_some())).collect::<Vec<_>>()
    };
    assert_eq!(listed(NOW).await, [("Bert".to_owned(), true), ("Anna".to_owned(), true)]);
    assert_eq!(listed(after(1_000)).await, [("Bert".to_owned(), true)]);
    let found = store.users_by_name("anna", NOW, 9).await.unwrap();
    let is_suspended =
        |name| found.iter().find(|found| found.user.name == name).unwrap().suspension.is_some();
    assert!(is_suspended("Anna") && !is_suspended("anNABEL"));
}

pub(crate) async fn the_facts_about_a_user_count_sessions_and_tokens(test: TestStore) {
    let ada = test.user("Ada").await;
    let store = &test.store;
    let nothing = UserFacts { sessions: 0, tokens: 0, seen_at: None, account_created_at: None };
    assert_eq!(store.facts_of(ada.id, NOW).await.unwrap(), nothing);
    for (expires_at, seen_at) in [(None, Some(after(7))), (Some(after(5)), Some(after(3)))] {
        let (token, kind) = (test.secret(), SessionKind::Cookie);
        let (user, created_at, client) = (ada.id, NOW, None);
        let session = Session { token, user, kind, created_at, expires_at, seen_at, client };
        store.add_session(&session).await.unwrap();
    }
    let token = AccessToken {
        token: test.secret(),
        user: ada.id,
        name: "tool".to_owned(),
        scopes: vec![quadrex_protocol::http::TokenScope::Read],
        created_at: NOW,
        expires_at: None,
        seen_at: None,
    };
    store.add_access_token(&token).await.unwrap();
    let (user, password_hash) = (ada.id, Some("$argon2id$unknown"));
    let account = NewAccount { user, name: "Ada", name_key: "ada", password_hash, at: after(4) };
    store.create_account(account).await.unwrap();
    let (seen_at, account_created_at) = (Some(after(7)), Some(after(4)));
    let both = UserFacts { sessions: 2, tokens: 1, seen_at, account_created_at };
    assert_eq!(store.facts_of(ada.id, NOW).await.unwrap(), both);
    assert_eq!(store.facts_of(ada.id, after(5)).await.unwrap(), UserFacts { sessions: 1, ..both });
}
