//! Conformance tests of the tokens that users create for programs.

use quadrex_protocol::http::TokenScope;
use quadrex_store::{AccessToken, Session, SessionKind, User};

use crate::test_store::{NOW, TestStore, after};

pub(crate) async fn tokens_are_listed_with_their_scopes_and_end(test: TestStore) {
    let (ada, ben) = (test.user("Ada").await, test.user("Ben").await);
    let store = &test.store;
    let token = |user: &User, name: &str, scopes: &[TokenScope], created_ms, expires_at| AccessToken {
        token: test.secret(),
        user: user.id,
        name: name.to_owned(),
        scopes: scopes.to_vec(),
        created_at: after(created_ms),
        expires_at,
        seen_at: None,
    };
    let mut first = token(&ada, "my bot", &[TokenScope::Host, TokenScope::Bot], 1, None);
    let second = token(&ada, "statistics", &[TokenScope::Read], 2, Some(after(1_000)));
    let other = token(&ben, "Ben's", &TokenScope::ALL, 3, None);
    for token in [&first, &second, &other] {
        store.add_access_token(token).await.unwrap();
    }
    let session = Session {
        token: test.secret(),
        user: ada.id,
        kind: SessionKind::Bearer,
        created_at: NOW,
        expires_at: None,
        seen_at: None,
        client: None,
    };
    store.add_session(&session).await.unwrap();
    let whole = session.token;

    let listed = async |now| store.access_tokens_of(ada.id, now, 9).await.unwrap();
    assert_eq!(listed(NOW).await, [second.clone(), first.clone()]);
    assert_eq!(listed(after(1_000)).await, [first.clone()], "the other one has expired");
    assert_eq!(store.access_tokens_of(ada.id, NOW, 1).await.unwrap().len(), 1, "there are more");
    assert_eq!(store.sessions_of(ada.id, NOW, 9).await.unwrap(), [session], "tokens are not sessions");

    let known = async |token, now| store.session_user(token, SessionKind::Bearer, now).await.unwrap();
    let scopes = known(first.token, NOW).await.unwrap().scopes;
    assert_eq!(scopes, Some(vec![TokenScope::Host, TokenScope::Bot]));
    assert_eq!(known(whole, NOW).await.unwrap().scopes, None);
    assert_eq!(known(second.token, after(1_000)).await, None);
    assert_eq!(store.session_user(first.token, SessionKind::Cookie, NOW).await.unwrap(), None);
    store.record_session_use(first.token, after(50)).await.unwrap();
    first.seen_at = Some(after(50));
    assert_eq!(listed(after(1_000)).await, [first.clone()]);

    let ended = store.revoke_sessions(ada.id, &[first.token, other.token], NOW).await.unwrap();
    assert_eq!(ended, [first.token], "the other one is Ben's");
    assert_eq!(known(first.token, NOW).await, None);
    let nameless = token(&ada, "", &[TokenScope::Read], 4, None);
    assert!(store.add_access_token(&nameless).await.is_err());
    let useless = token(&ada, "nothing", &[], 4, None);
    assert!(store.add_access_token(&useless).await.is_err());
}
