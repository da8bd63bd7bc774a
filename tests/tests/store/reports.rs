//! Conformance tests of reports about users.

use quadrex_protocol::MatchId;
use quadrex_protocol::http::{OwnReport, ReportMoment, ReportOutcome, ReportReason};
use quadrex_store::{
    NewName, NewReport, ReportClosing, ReportCounts, ReportQuery, StoredReportClosure, User,
};

use crate::test_store::{NOW, TestStore, after};

fn report(reporter: &User, reported: &User, match_id: Option<MatchId>) -> NewReport {
    NewReport {
        reporter: reporter.id,
        reported: reported.id,
        reported_name: reported.name.clone(),
        reason: ReportReason::Other,
        text: None,
        moment: match_id.map(|match_id| ReportMoment { match_id, at: 1, message: None }),
        at: NOW,
    }
}

fn closing(operator: &User) -> ReportClosing<'_> {
    ReportClosing {
        by: operator.id,
        outcome: ReportOutcome::Warned,
        note: Some("the first time"),
        at: after(9),
    }
}

pub(crate) async fn a_user_has_one_open_report_about_another_in_a_match(test: TestStore) {
    let (ada, ben, olga) = (test.user("Ada").await, test.user("Ben").await, test.user("Olga").await);
    let (first, second) = (test.table().await, test.table().await);
    let store = &test.store;
    let mut numbers = Vec::new();
    for match_id in [Some(first.match_id), Some(second.match_id), None] {
        let number = store.add_report(&report(&ada, &ben, match_id)).await.unwrap().unwrap();
        let again = NewReport { text: Some("again".into()), ..report(&ada, &ben, match_id) };
        assert_eq!(store.add_report(&again).await.unwrap(), None, "{match_id:?}");
        numbers.push(number);
    }
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert!(store.add_report(&report(&ada, &olga, None)).await.unwrap().is_some(), "about another user");
    assert!(store.add_report(&report(&olga, &ben, None)).await.unwrap().is_some(), "by another user");
    assert_eq!(store.report_counts(ben.id).await.unwrap(), ReportCounts { all: 4, open: 4 });
    assert_eq!(store.report_counts(ada.id).await.unwrap(), ReportCounts::default());

    assert!(store.close_report(numbers[0], closing(&olga)).await.unwrap());
    assert_eq!(store.report_counts(ben.id).await.unwrap(), ReportCounts { all: 4, open: 3 });
    let again = store.add_report(&report(&ada, &ben, Some(first.match_id))).await.unwrap();
    assert!(again.is_some_and(|number| number > numbers[2]), "{again:?}");
}

pub(crate) async fn reports_are_listed_in_pages_until_they_are_closed(test: TestStore) {
    let (ada, ben, olga) = (test.user("Ada").await, test.user("Ben").await, test.user("Olga").await);
    let table = test.table().await;
    let store = &test.store;
    let moment = ReportMoment { match_id: table.match_id, at: 2, message: Some(1) };
    let chat = NewReport {
        reason: ReportReason::Chat,
        text: Some("He\ninsulted me".into()),
        moment: Some(moment),
        ..report(&ada, &ben, None)
    };
    let number = store.add_report(&chat).await.unwrap().unwrap();
    let mut others = Vec::new();
    for reporter in [&ben, &olga] {
        let at = after(others.len() as u64 + 1);
        let new = NewReport { at, ..report(reporter, &ada, None) };
        others.push(store.add_report(&new).await.unwrap().unwrap());
    }
    let interval = std::time::Duration::ZERO;
    let renamed = NewName { user: ben.id, name: "Bert", name_key: Some("bert"), interval, at: after(5) };
    store.rename_user(renamed).await.unwrap();

    let listed = async |is_open, before, limit| {
        let found = store.reports(ReportQuery { is_open, before, limit }).await.unwrap();
        found.into_iter().map(|report| report.number).collect::<Vec<_>>()
    };
    let newest_first = [others[1], others[0], number];
    assert_eq!(listed(Some(true), None, 9).await, newest_first);
    assert_eq!(listed(Some(true), None, 2).await, newest_first[..2]);
    assert_eq!(listed(Some(true), Some(others[0]), 2).await, [number]);
    assert_eq!(listed(Some(false), None, 9).await, [0; 0]);

    let found = store.report(number).await.unwrap().unwrap();
    assert_eq!((found.reporter.name.as_str(), found.reported.name.as_str()), ("Ada", "Bert"));
    assert_eq!((found.reported_name.as_str(), found.reason), ("Ben", ReportReason::Chat));
    assert_eq!(found.text.as_deref(), Some("He\ninsulted me"));
    assert_eq!((found.moment, found.at, found.closure), (Some((table.table, moment)), NOW, None));
    let without_match = store.report(others[0]).await.unwrap().unwrap();
    assert_eq!((without_match.moment, without_match.at), (None, after(1)));
    assert_eq!(store.report(others[1] + 1).await.unwrap(), None);
    assert_eq!(store.report(u64::MAX).await.unwrap(), None);

    assert!(store.close_report(number, closing(&olga)).await.unwrap());
    assert!(!store.close_report(number, closing(&ada)).await.unwrap(), "it is closed");
    assert!(!store.close_report(others[1] + 1, closing(&olga)).await.unwrap(), "there is none");
    let closure = StoredReportClosure {
        at: after(9),
        by: quadrex_protocol::user::UserView { account: true, ..olga.view() },
        outcome: ReportOutcome::Warned,
        note: Some("the first time".into()),
    };
    assert_eq!(store.report(number).await.unwrap().unwrap().closure, Some(closure));
    assert_eq!(listed(Some(true), None, 9).await, newest_first[..2]);
    assert_eq!(listed(Some(false), None, 9).await, [number]);
    assert_eq!(listed(None, None, 9).await, newest_first);

    let own = OwnReport {
        user: ben.id,
        name: "Ben".into(),
        reason: ReportReason::Chat,
        text: Some("He\ninsulted me".into()),
        moment: Some(moment),
        created_at_ms: NOW.as_millis(),
        open: false,
    };
    assert_eq!(store.reports_by(ada.id).await.unwrap(), [own]);
    assert!(store.reports_by(ben.id).await.unwrap()[0].open);
}

pub(crate) async fn invalid_reports_are_refused(test: TestStore) {
    let (ada, ben) = (test.user("Ada").await, test.user("Ben").await);
    let store = &test.store;
    let nobody = test.stranger("Nobody");
    let absent = MatchId(nobody.id.0);
    let valid = report(&ada, &ben, None);
    for invalid in [
        report(&ada, &ada, None),
        report(&ada, &nobody, None),
        report(&nobody, &ada, None),
        report(&ada, &ben, Some(absent)),
        NewReport { text: Some(String::new()), ..valid.clone() },
        NewReport { text: Some("x".repeat(1_001)), ..valid.clone() },
    ] {
        assert!(store.add_report(&invalid).await.is_err(), "{invalid:?}");
    }
    let longest = NewReport { text: Some("é".repeat(1_000)), ..valid };
    let number = store.add_report(&longest).await.unwrap().unwrap();
    assert!(store.close_report(number, ReportClosing { note: Some(""), ..closing(&ada) }).await.is_err());
    assert!(store.close_report(number, closing(&nobody)).await.is_err());
    assert_eq!(store.report_counts(ben.id).await.unwrap(), ReportCounts { all: 1, open: 1 });
}
