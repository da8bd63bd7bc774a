//! Conformance tests of mail addresses, and of the links that are sent to them.

use futures_util::future::join_all;
use quadrex_store::{
    AccountCreation, ConfirmedAddress, DueMailLink, MailLinkKind, NewAccount, NewConfirmation, PasswordReset,
    SecretHash, Session, SessionKind, User,
};
use uuid::Uuid;

use crate::test_store::{NOW, TestStore, after};

const HASH: &str = "$argon2id$v=19$m=64,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g";

impl TestStore {
    async fn account(&self, name: &str) -> User {
        let user = self.user(name).await;
        let account = NewAccount { user: user.id, name, name_key: name, password_hash: Some(HASH), at: NOW };
        assert!(matches!(self.store.create_account(account).await.unwrap(), AccountCreation::Created(_)));
        user
    }

    async fn choose(&self, user: &User, address: &str, at: u64) {
        let new = NewConfirmation {
            user: user.id,
            address,
            language: "en",
            notifies: true,
            at: after(at),
            expires: after(at + 100),
        };
        self.store.request_confirmation(new).await.unwrap();
    }

    async fn request_reset(&self, name: &str, at: u64) {
        self.store.request_reset(name, "en", after(at), after(at + 100)).await.unwrap();
    }

    /// Begins to send the links that are due.
    async fn claim(&self, at: u64) -> Vec<DueMailLink> {
        self.store.claim_mail_links(after(at), after(at + 20), 8).await.unwrap()
    }

    /// Sends the only link that is due. Returns its secret.
    async fn send(&self, at: u64) -> SecretHash {
        let due = self.claim(at).await;
        let [link] = due.as_slice() else { panic!("{due:?}") };
        let secret = self.secret();
        assert!(self.store.set_mail_link_secret(link, secret).await.unwrap());
        self.store.reschedule_mail_link(link, None).await.unwrap();
        secret
    }

    async fn confirm(&self, secret: SecretHash, at: u64) -> Option<quadrex_protocol::UserId> {
        let id = self.entropy.uuid(after(at));
        let address = ConfirmedAddress { id, unsubscribe_key: id.simple().to_string() };
        self.store.confirm_mail_address(secret, &address, after(at)).await.unwrap()
    }

    async fn reset(&self, secret: SecretHash, at: u64) -> Option<PasswordReset> {
        self.store.reset_password(secret, "$argon2id$new", after(at)).await.unwrap()
    }

    async fn address(&self, user: &User) -> Option<String> {
        self.store.mail_address_of(user.id).await.unwrap().map(|address| address.address)
    }

    /// Returns an account with an address.
    async fn reachable(&self, name: &str) -> User {
        let user = self.account(name).await;
        self.choose(&user, &format!("{name}@mail.example"), 0).await;
        let secret = self.send(0).await;
        assert_eq!(self.confirm(secret, 1).await, Some(user.id));
        user
    }
}

pub(crate) async fn an_address_is_confirmed_once_before_the_link_expires(test: TestStore) {
    let ada = test.account("ada").await;
    test.choose(&ada, "ada@one.example", 0).await;
    assert_eq!(test.address(&ada).await, None, "it waits");
    test.request_reset("ada", 1).await;
    let due = test.claim(1).await;
    assert_eq!(due.len(), 1, "a password is not set by mail to an address that waits: {due:?}");
    assert_eq!((due[0].user, due[0].kind, due[0].attempts), (ada.id, MailLinkKind::Confirm, 1));
    assert_eq!(test.claim(20).await, [], "one server sends it");
    let (first, second) = (test.secret(), test.secret());
    assert!(test.store.set_mail_link_secret(&due[0], first).await.unwrap());

    // A newer request replaces it, also while it is sent.
    test.choose(&ada, "ada@two.example", 30).await;
    assert!(!test.store.set_mail_link_secret(&due[0], second).await.unwrap());
    test.store.reschedule_mail_link(&due[0], None).await.unwrap();
    assert_eq!(test.confirm(first, 31).await, None);
    let second = test.send(31).await;
    assert_eq!(test.claim(60).await, [], "it was sent");
    assert_eq!(test.confirm(second, 130).await, None, "it has expired");
    assert_eq!(test.reset(second, 129).await, None, "it sets no password");
    assert_eq!(test.store.reset_user(second, after(129)).await.unwrap(), None);
    assert_eq!(test.confirm(second, 129).await, Some(ada.id));
    assert_eq!(test.confirm(second, 129).await, None, "it works once");
    assert_eq!(test.address(&ada).await.as_deref(), Some("ada@two.example"));
}

pub(crate) async fn an_address_stays_until_another_one_is_confirmed(test: TestStore) {
    let ada = test.reachable("ada").await;
    test.request_reset("ada", 2).await;
    let reset = test.send(2).await;
    test.choose(&ada, "ada@other.example", 3).await;
    assert_eq!(test.address(&ada).await.as_deref(), Some("ada@mail.example"));
    let before = test.store.mail_address_of(ada.id).await.unwrap().unwrap();
    let secret = test.send(3).await;
    assert_eq!(test.confirm(secret, 4).await, Some(ada.id));
    let address = test.store.mail_address_of(ada.id).await.unwrap().unwrap();
    assert_eq!(address.address, "ada@other.example");
    assert!(address.id != before.id && address.unsubscribe_key != before.unsubscribe_key);
    assert_eq!(test.reset(reset, 5).await, None, "it was sent to the previous address");

    let notified = async |id: Uuid| test.store.notified_mail_address(id).await.unwrap().is_some();
    assert!(notified(address.id).await && !notified(before.id).await);
    assert!(!test.store.unsubscribe_mail_address(&before.unsubscribe_key).await.unwrap());
    assert!(notified(address.id).await);
    assert!(test.store.unsubscribe_mail_address(&address.unsubscribe_key).await.unwrap());
    assert!(!notified(address.id).await);
    test.request_reset("ada", 6).await;
    let secret = test.send(6).await;
    test.store.remove_mail_address(ada.id).await.unwrap();
    assert_eq!((test.address(&ada).await, test.reset(secret, 7).await), (None, None));
}

pub(crate) async fn a_link_sets_a_password_once_and_ends_all_sessions(test: TestStore) {
    let (ada, ben) = (test.reachable("ada").await, test.reachable("ben").await);
    let session = |user: &User, token| Session {
        token,
        user: user.id,
        kind: SessionKind::Bearer,
        created_at: NOW,
        expires_at: None,
        seen_at: None,
        client: None,
    };
    let (of_ada, of_ben) = (test.secret(), test.secret());
    for (user, token) in [(&ada, of_ada), (&ben, of_ben)] {
        test.store.add_session(&session(user, token)).await.unwrap();
    }
    let hash = async |user: &User| {
        let account = test.store.account_of(user.id).await.unwrap();
        account.and_then(|account| account.password_hash)
    };
    test.request_reset("nobody", 2).await;
    assert_eq!(test.claim(2).await, []);
    test.request_reset("ada", 2).await;
    let secret = test.send(2).await;
    assert_eq!(test.confirm(secret, 3).await, None, "it confirms no address");
    assert_eq!(test.store.reset_user(secret, after(102)).await.unwrap(), None, "it has expired");
    assert_eq!(test.reset(secret, 102).await, None, "it has expired");
    assert_eq!(hash(&ada).await.as_deref(), Some(HASH));
    assert_eq!(test.store.reset_user(secret, after(101)).await.unwrap(), Some(ada.id));
    assert_eq!(test.reset(secret, 101).await, Some(PasswordReset { user: ada.id, ended: vec![of_ada] }));
    assert_eq!(hash(&ada).await.as_deref(), Some("$argon2id$new"));
    assert_eq!(hash(&ben).await.as_deref(), Some(HASH));
    assert_eq!(test.store.session_hashes_of(ada.id).await.unwrap(), []);
    assert_eq!(test.store.session_hashes_of(ben.id).await.unwrap(), [of_ben]);
    assert_eq!(
        (test.reset(secret, 101).await, test.store.reset_user(secret, after(101)).await.unwrap()),
        (None, None)
    );

    // A new password makes the link invalid.
    test.request_reset("ada", 110).await;
    let secret = test.send(110).await;
    let account = test.store.account_of(ada.id).await.unwrap().unwrap();
    assert!(test.store.change_password(&account, HASH).await.unwrap());
    assert_eq!(test.reset(secret, 111).await, None);

    test.request_reset("ada", 120).await;
    let secret = test.send(120).await;
    let tasks = (0..8).map(|_| {
        let test = test.clone();
        tokio::spawn(async move { test.reset(secret, 121).await })
    });
    let set = join_all(tasks).await.into_iter().filter(|reset| reset.as_ref().unwrap().is_some()).count();
    assert_eq!(set, 1);
}
