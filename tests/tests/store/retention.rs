//! Conformance tests of the removal of old data.

use std::time::Duration;

use quadrex_protocol::http::{ReportOutcome, ReportReason, Uses};
use quadrex_store::{
    Link, LinkPurpose, NewAccount, NewReport, NewWarning, REMOVED_GUEST, ReportClosing, Session, SessionKind,
    User,
};

use crate::test_store::{NOW, TestStore, after};

const DAY_MS: u64 = 86_400_000;

async fn session(test: &TestStore, user: &User, seen_ms: u64) -> Session {
    let session = Session {
        token: test.secret(),
        user: user.id,
        kind: SessionKind::Cookie,
        created_at: NOW,
        expires_at: None,
        seen_at: Some(after(seen_ms)),
        client: None,
    };
    test.store.add_session(&session).await.unwrap();
    session
}

pub(crate) async fn guests_who_do_not_come_back_are_removed(test: TestStore) {
    let store = &test.store;
    let now = after(400 * DAY_MS);
    let unused_since = after(35 * DAY_MS);
    let gone = test.user("Gone").await;
    let old = session(&test, &gone, DAY_MS).await;
    store.set_recovery_key(gone.id, test.secret(), after(2)).await.unwrap();
    let olga = test.user("Olga").await;
    let warning = NewWarning { user: gone.id, text: "stop", by: olga.id, at: NOW };
    store.warn_user(&warning).await.unwrap();
    let never_used = test.user("Never").await;

    let recent = test.user("Recent").await;
    session(&test, &recent, 1).await;
    session(&test, &recent, 36 * DAY_MS).await;
    session(&test, &olga, 36 * DAY_MS).await;
    let new = User { created_at: after(36 * DAY_MS), ..test.stranger("New") };
    store.add_user(&new).await.unwrap();
    let key = test.user("Key").await;
    store.set_recovery_key(key.id, test.secret(), after(36 * DAY_MS)).await.unwrap();
    let account = test.user("Account").await;
    let (user, password_hash) = (account.id, Some("$argon2id$unknown"));
    let new_account = NewAccount { user, name: "Account", name_key: "account", password_hash, at: after(1) };
    store.create_account(new_account).await.unwrap();
    let table = test.table().await;
    let bot = quadrex_table::built_in(8.try_into().unwrap());
    let bot = User { bot: bot.bot, id: bot.id, name: bot.name, ..test.stranger("Bot") };
    store.add_user(&bot).await.unwrap();
    let stay = [&recent, &new, &key, &account, &table.host, &bot, &olga];

    let before = store.last_revocation().await.unwrap();
    assert_eq!(store.remove_guests(unused_since, now, 1).await.unwrap(), 1, "a batch");
    assert_eq!(store.remove_guests(unused_since, now, 9).await.unwrap(), 1);
    assert_eq!(store.remove_guests(unused_since, now, 9).await.unwrap(), 0, "they are removed once");
    for removed in [&gone, &never_used] {
        assert_eq!(store.user(removed.id).await.unwrap().unwrap().name, REMOVED_GUEST);
    }
    assert_eq!(store.session_user(old.token, SessionKind::Cookie, now).await.unwrap(), None);
    assert!(!store.has_recovery_key(gone.id).await.unwrap());
    assert_eq!(store.warnings_of(gone.id).await.unwrap(), []);
    assert_eq!(store.revocations_after(before).await.unwrap().sessions, [old.token]);
    for user in stay {
        assert_eq!(store.user(user.id).await.unwrap().unwrap().name, user.name);
    }
}

pub(crate) async fn old_links_and_reports_are_removed(test: TestStore) {
    let (ada, ben) = (test.user("Ada").await, test.user("Ben").await);
    let table = test.table().await;
    let store = &test.store;
    let mut numbers = Vec::new();
    for closed_at in [Some(after(10)), Some(after(20)), None] {
        let report = NewReport {
            reporter: ada.id,
            reported: ben.id,
            reported_name: "Ben".into(),
            reason: ReportReason::Name,
            text: None,
            moment: None,
            at: NOW,
        };
        let number = store.add_report(&report).await.unwrap().unwrap();
        if let Some(at) = closed_at {
            let closing = ReportClosing { by: ben.id, outcome: ReportOutcome::NoAction, note: None, at };
            assert!(store.close_report(number, closing).await.unwrap());
        }
        numbers.push(number);
    }
    assert_eq!(store.remove_closed_reports(after(10), 9).await.unwrap(), 0);
    assert_eq!(store.remove_closed_reports(after(1_000), 1).await.unwrap(), 1, "a batch");
    assert_eq!(store.report(numbers[0]).await.unwrap(), None, "the one that was closed first");
    assert_eq!(store.remove_closed_reports(after(1_000), 9).await.unwrap(), 1);
    assert!(store.report(numbers[2]).await.unwrap().is_some(), "an open report stays");

    let link = |expires_ms| Link {
        secret: test.secret(),
        table: table.table,
        purpose: LinkPurpose::Invite { seat: None, uses: Uses::Open },
        created_at: NOW,
        expires_at: after(expires_ms),
        used_by: None,
    };
    let (ended, open) = (link(5), link(50));
    for link in [&ended, &open] {
        assert!(store.add_link(link, 9).await.unwrap());
    }
    assert_eq!(store.remove_expired(after(5)).await.unwrap(), 1);
    assert_eq!(store.link(ended.secret).await.unwrap(), None);
    assert_eq!(store.link(open.secret).await.unwrap(), Some(open));
}

pub(crate) async fn one_server_at_a_time_removes_old_data(test: TestStore) {
    let store = &test.store;
    let day = Duration::from_millis(DAY_MS);
    let other = quadrex_store::Store::connect(&test.location, 1).await.unwrap();
    assert!(store.claim_retention(NOW, NOW + day).await.unwrap());
    assert!(!other.claim_retention(after(1), after(1) + day).await.unwrap());
    assert!(other.claim_retention(NOW + day, NOW + day * 2).await.unwrap());
    assert!(!store.claim_retention(NOW + day, NOW + day * 2).await.unwrap());
}
