//! Conformance tests of users and their tokens.

use quadrex_rules::Timestamp;
use quadrex_store::{Handover, NameChange, NewName, Session, SessionKind, User};

use crate::test_store::{NOW, TestStore, after};

pub(crate) async fn a_token_identifies_its_user_only_as_its_kind_and_until_it_ends(test: TestStore) {
    let user = test.user("Ольга 王").await;
    let other = test.user("Quiet Otter").await;
    let (cookie, bearer) = (test.secret(), test.secret());
    let session = |token, user: &User, kind, expires_at| Session {
        token,
        user: user.id,
        kind,
        created_at: NOW,
        expires_at,
        seen_at: None,
        client: None,
    };
    let store = &test.store;
    store.add_session(&session(cookie, &user, SessionKind::Cookie, Some(after(1_000)))).await.unwrap();
    store.add_session(&session(bearer, &other, SessionKind::Bearer, None)).await.unwrap();

    let named =
        async |token, kind, now| store.session_user(token, kind, now).await.unwrap().map(|known| known.user);
    assert_eq!(named(cookie, SessionKind::Cookie, NOW).await, Some(user.clone()));
    assert_eq!(named(cookie, SessionKind::Cookie, after(999)).await, Some(user));
    assert_eq!(named(cookie, SessionKind::Cookie, after(1_000)).await, None, "it has ended");
    assert_eq!(named(cookie, SessionKind::Bearer, NOW).await, None, "a cookie is not a bearer token");
    assert_eq!(named(bearer, SessionKind::Cookie, NOW).await, None, "a bearer token is not a cookie");
    let far = Timestamp::from_millis(2 * NOW.as_millis());
    assert_eq!(named(bearer, SessionKind::Bearer, far).await, Some(other));
    assert_eq!(named(test.secret(), SessionKind::Cookie, NOW).await, None);
}

pub(crate) async fn the_sessions_of_a_user_are_listed_and_end(test: TestStore) {
    let (ada, ben) = (test.user("Ada").await, test.user("Ben").await);
    let store = &test.store;
    let session = |user: &User, created_ms, expires_at, client: Option<&str>| Session {
        token: test.secret(),
        user: user.id,
        kind: SessionKind::Cookie,
        created_at: after(created_ms),
        expires_at,
        seen_at: None,
        client: client.map(str::to_owned),
    };
    let mut first = session(&ada, 1, None, Some("Firefox, Linux"));
    let second = session(&ada, 2, Some(after(1_000)), None);
    let other = session(&ben, 3, None, None);
    for session in [&first, &second, &other] {
        store.add_session(session).await.unwrap();
    }
    let listed = async |now| store.sessions_of(ada.id, now, 9).await.unwrap();
    assert_eq!(listed(NOW).await, [second.clone(), first.clone()]);
    assert_eq!(store.sessions_of(ada.id, NOW, 1).await.unwrap().len(), 1, "there are more");
    assert_eq!(listed(after(1_000)).await, [first.clone()], "the other one has ended");
    store.record_session_use(first.token, after(50)).await.unwrap();
    first.seen_at = Some(after(50));
    let known = store.session_user(first.token, SessionKind::Cookie, NOW).await.unwrap().unwrap();
    assert_eq!((known.user.id, known.seen_at), (ada.id, Some(after(50))));

    let recorded = async |seq| {
        let revocations = store.revocations_after(seq).await.unwrap();
        (revocations.sessions, revocations.last)
    };
    let before = store.last_revocation().await.unwrap();
    let ended = store.revoke_sessions(ada.id, &[second.token, other.token], after(60)).await.unwrap();
    assert_eq!(ended, [second.token], "the other one is Ben's");
    assert_eq!(listed(NOW).await, [first.clone()]);
    assert_eq!(store.session_user(second.token, SessionKind::Cookie, NOW).await.unwrap(), None);
    assert!(store.session_user(other.token, SessionKind::Cookie, NOW).await.unwrap().is_some());
    assert_eq!(recorded(before).await, (vec![second.token], before + 1));
    assert_eq!(store.revoke_sessions(ada.id, &[second.token], after(61)).await.unwrap(), []);

    // Old rows are removed, but the numbers go on.
    let later = after(7_200_000);
    assert_eq!(store.revoke_sessions(ben.id, &[other.token], later).await.unwrap(), [other.token]);
    assert_eq!(recorded(0).await, (vec![other.token], before + 2));
    assert_eq!(store.last_revocation().await.unwrap(), before + 2);
}

pub(crate) async fn sessions_that_end_at_the_same_time_are_all_recorded(test: TestStore) {
    let user = test.user("Ada").await;
    let mut tokens = Vec::new();
    for _ in 0..20 {
        let (token, kind) = (test.secret(), SessionKind::Bearer);
        let (user, created_at) = (user.id, NOW);
        let session =
            Session { token, user, kind, created_at, expires_at: None, seen_at: None, client: None };
        test.store.add_session(&session).await.unwrap();
        tokens.push(token);
    }
    let ending =
        tokens.iter().map(|token| test.store.revoke_sessions(user.id, std::slice::from_ref(token), NOW));
    let ended = futures_util::future::try_join_all(ending).await.unwrap();
    assert_eq!(ended.concat(), tokens);
    let recorded = test.store.revocations_after(0).await.unwrap();
    assert_eq!((recorded.sessions.len(), recorded.last), (20, 20));
}

pub(crate) async fn a_user_with_an_invalid_name_or_an_existing_id_is_refused(test: TestStore) {
    assert!(test.store.add_user(&test.stranger("")).await.is_err());
    assert!(test.store.add_user(&test.stranger("1234567890123456789012345")).await.is_err());
    let user = test.user("1234567890123456789012ßö").await;
    assert!(test.store.add_user(&user).await.is_err());
}

pub(crate) async fn a_user_cannot_be_given_an_invalid_name(test: TestStore) {
    let (user, other) = (test.user("Quiet Otter").await, test.user("Brave Heron").await);
    let rename = async |user: &User, name| {
        let interval = std::time::Duration::ZERO;
        test.store.rename_user(NewName { user: user.id, name, name_key: None, interval, at: NOW }).await
    };
    let renamed = User { name: "Zoë".to_owned(), ..user.clone() };
    assert_eq!(rename(&user, "Zoë").await.unwrap(), NameChange::Changed(renamed));
    assert_eq!(test.store.user(user.id).await.unwrap().unwrap().name, "Zoë");
    assert_eq!(test.store.user(other.id).await.unwrap(), Some(other));
    assert!(rename(&user, "").await.is_err());
    assert_eq!(test.store.user(user.id).await.unwrap().unwrap().name, "Zoë");
    assert_eq!(rename(&test.stranger("Zoë"), "Ada").await.unwrap(), NameChange::NoUser);
}

pub(crate) async fn a_session_of_an_unknown_user_is_refused(test: TestStore) {
    let stranger = test.stranger("Quiet Otter");
    let token = test.secret();
    let session = Session {
        token,
        user: stranger.id,
        kind: SessionKind::Bearer,
        created_at: NOW,
        expires_at: None,
        seen_at: None,
        client: None,
    };
    assert!(test.store.add_session(&session).await.is_err());
    assert_eq!(test.store.session_user(token, SessionKind::Bearer, NOW).await.unwrap(), None);
}

pub(crate) async fn a_handover_can_be_used_once_before_it_expires(test: TestStore) {
    let (user, other) = (test.user("Quiet Otter").await, test.user("Brave Heron").await);
    let (first, second, late) = (test.secret(), test.secret(), test.secret());
    let store = &test.store;
    let add = async |secret, user: &User, created_at, expires_at| {
        store.add_handover(&Handover { secret, user: user.id, created_at, expires_at }).await
    };
    add(first, &user, NOW, after(1_000)).await.unwrap();
    add(second, &other, NOW, after(1_000)).await.unwrap();
    add(late, &user, NOW, after(1_000)).await.unwrap();
    add(first, &other, NOW, after(1_000)).await.unwrap_err();
    add(test.secret(), &test.stranger("nobody"), NOW, after(1_000)).await.unwrap_err();

    let named = async |secret, now| store.handover_user(secret, now).await.unwrap();
    assert_eq!(named(test.secret(), NOW).await, None, "it does not exist");
    assert_eq!(named(first, after(999)).await, Some(user.id));
    assert_eq!(named(first, after(999)).await, Some(user.id), "reading does not use it");
    assert_eq!(named(first, after(1_000)).await, None, "it has expired");

    let used = async |secret, now| store.use_handover(secret, now).await.unwrap();
    assert_eq!(used(test.secret(), NOW).await, None, "it does not exist");
    assert_eq!(used(first, after(999)).await, Some(user.id));
    assert_eq!(used(first, after(999)).await, None, "it was used");
    assert_eq!(named(first, after(999)).await, None, "it was used");
    assert_eq!(used(late, after(1_000)).await, None, "it has expired");
    assert_eq!(used(second, NOW).await, Some(other.id), "each is used separately");

    add(test.secret(), &other, after(1_000), after(2_000)).await.unwrap();
    assert_eq!(used(late, NOW).await, None, "adding one removes expired ones");
}
