//! Conformance tests of the invitations of users to tables.

use quadrex_protocol::http::Uses;
use quadrex_rules::Color;
use quadrex_store::{
    InvitationAccepted, InvitationAdded, Link, LinkPurpose, NewInvitation, RelationKind, SecretHash,
};

use crate::test_store::{TestStore, TestTable, after, started};

use InvitationAdded::{Added, Full, Gone, Known};

fn invitation(table: &TestTable, user: &quadrex_store::User, at: u64) -> NewInvitation {
    NewInvitation {
        table: table.table,
        user: user.id,
        by: table.host.id,
        seat: Some(Color::Black),
        at: after(at),
        expires_at: after(at + 100),
    }
}

fn link(table: &TestTable, secret: SecretHash) -> Link {
    Link {
        secret,
        table: table.table,
        purpose: LinkPurpose::Invite { seat: Some(Color::Black), uses: Uses::Single },
        created_at: after(5),
        expires_at: after(500),
        used_by: None,
    }
}

pub(crate) async fn an_invitation_waits_for_one_answer(test: TestStore) {
    let table = test.table().await;
    let [ben, cleo, dora] = [test.user("Ben").await, test.user("Cleo").await, test.user("Dora").await];
    let store = &test.store;
    let add = async |user, at| store.add_invitation(&invitation(&table, user, at), 2).await.unwrap();
    let waiting = async |at| {
        let users = [ben.id, cleo.id, dora.id];
        let received = store.invitations_of(&users, after(at)).await.unwrap();
        received.into_iter().map(|received| received.user).collect::<Vec<_>>()
    };
    assert_eq!([add(&ben, 1).await, add(&cleo, 2).await, add(&dora, 3).await], [Added, Added, Full]);
    assert_eq!(add(&ben, 4).await, Known);
    assert_eq!(waiting(5).await, [cleo.id, ben.id], "newest first");
    let received = store.invitations_of(&[ben.id], after(5)).await.unwrap();
    assert_eq!((received[0].from.id, received[0].seat), (table.host.id, Some(Color::Black)));
    assert_eq!((received[0].unstarted.table, received[0].unstarted.match_id), (table.table, table.match_id));
    assert_eq!((received[0].at, received[0].expires_at), (after(1), after(101)));

    assert!(store.decline_invitation(table.table, ben.id).await.unwrap());
    assert!(!store.decline_invitation(table.table, ben.id).await.unwrap());
    assert_eq!([add(&ben, 5).await, add(&dora, 5).await], [Known, Added], "a declined one does not count");
    assert_eq!(store.acceptable_invitation(table.table, ben.id, after(6)).await.unwrap(), None);
    assert_eq!(
        store.accept_invitation(ben.id, &link(&table, test.secret()), 9).await.unwrap(),
        InvitationAccepted::Gone
    );
    let sent = store.invitations_to(table.table, after(6)).await.unwrap();
    let sent: Vec<_> = sent.iter().map(|sent| (sent.user.id, sent.declined)).collect();
    assert_eq!(sent, [(dora.id, false), (cleo.id, false), (ben.id, true)]);

    assert_eq!(waiting(103).await, [dora.id], "the others have expired");
    assert!(store.remove_invitation(table.table, dora.id).await.unwrap());
    assert!(!store.remove_invitation(table.table, dora.id).await.unwrap());
    assert_eq!(waiting(6).await, [cleo.id]);
    assert!(store.delete_user(cleo.id, after(7)).await.unwrap().is_some());
    assert_eq!(waiting(6).await, []);
    assert_eq!(add(&cleo, 8).await, Gone);
}

pub(crate) async fn an_accepted_invitation_has_one_link(test: TestStore) {
    let table = test.table().await;
    let ben = test.user("Ben").await;
    let store = &test.store;
    let accept =
        async |secret, max| store.accept_invitation(ben.id, &link(&table, secret), max).await.unwrap();
    let secrets = async || {
        let links = store.links(table.table, after(6)).await.unwrap();
        links.into_iter().map(|link| link.secret).collect::<Vec<_>>()
    };
    let [first, second] = [test.secret(), test.secret()];
    assert_eq!(accept(first, 1).await, InvitationAccepted::Gone);
    store.add_invitation(&invitation(&table, &ben, 1), 9).await.unwrap();
    let acceptable = async |at| store.acceptable_invitation(table.table, ben.id, after(at)).await.unwrap();
    assert_eq!(acceptable(5).await, Some(Some(Color::Black)));
    assert_eq!(acceptable(101).await, None, "it has expired");
    assert_eq!(accept(first, 0).await, InvitationAccepted::TooManyLinks);
    assert_eq!((secrets().await.len(), acceptable(5).await), (0, Some(Some(Color::Black))));
    assert_eq!(accept(first, 1).await, InvitationAccepted::Accepted);
    assert_eq!((secrets().await, acceptable(5).await), (vec![first], Some(Some(Color::Black))));
    assert_eq!(accept(second, 1).await, InvitationAccepted::Accepted, "the first link is replaced");
    assert_eq!(secrets().await, [second]);
    assert!(store.invitations_of(&[ben.id], after(6)).await.unwrap().is_empty());
    let again = store.add_invitation(&invitation(&table, &ben, 6), 9).await.unwrap();
    assert_eq!((again, secrets().await), (Added, vec![second]), "a user who has accepted is invited again");
    assert_eq!(accept(first, 2).await, InvitationAccepted::Accepted);
    assert!(store.remove_invitation(table.table, ben.id).await.unwrap());
    assert_eq!(secrets().await, [second], "the invite goes with the invitation");
}

pub(crate) async fn invitations_are_hidden_by_blocks_and_end_with_the_start(test: TestStore) {
    let table = test.table().await;
    let (ben, host) = (test.user("Ben").await, table.host.id);
    let store = &test.store;
    store.add_invitation(&invitation(&table, &ben, 1), 9).await.unwrap();
    let count = async || store.invitations_of(&[ben.id], after(2)).await.unwrap().len();
    let is_acceptable =
        async || store.acceptable_invitation(table.table, ben.id, after(2)).await.unwrap().is_some();
    for (user, other) in [(ben.id, host), (host, ben.id)] {
        store.add_relation(user, RelationKind::Block, other, after(2), 9).await.unwrap();
        assert_eq!((count().await, is_acceptable().await), (0, false));
        store.remove_relation(user, RelationKind::Block, other).await.unwrap();
        assert_eq!((count().await, is_acceptable().await), (1, true));
    }
    assert_eq!(store.invitations_to(table.table, after(2)).await.unwrap().len(), 1);
    store.append(&table.append(vec![started(Color::White)])).await.unwrap();
    assert_eq!((count().await, is_acceptable().await), (0, false), "the match has started");
}

pub(crate) async fn users_are_acquainted_who_follow_each_other(test: TestStore) {
    let [ada, ben, cleo] = [test.user("Ada").await.id, test.user("Ben").await.id, test.user("Cleo").await.id];
    let store = &test.store;
    let are_acquainted = async |user, other| store.are_acquainted(user, other, 50).await.unwrap();
    assert!(!are_acquainted(ada, ben).await);
    store.add_relation(ada, RelationKind::Follow, ben, after(1), 9).await.unwrap();
    assert!(are_acquainted(ada, ben).await && are_acquainted(ben, ada).await);
    assert!(!are_acquainted(ada, cleo).await && !are_acquainted(cleo, ben).await);
}
