use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::view::OutcomeView;
use quadrex_rules::{AbortCause, Reason, Variant};
use quadrex_store::{ArchivedMatch, FaultPlan};

use super::super::samples::{
    ANN, BEN, BLACK, CAT, Log, WHITE, aborted, appended, auditor, ended, match_id, moved, seat, seated,
    settings, started, table_id, user_id,
};
use super::super::stored::Stored;
use super::*;

/// Returns the log of a match of Ann against Ben with two moves, of which one is taken back.
fn running() -> Log {
    let log = Log::started().then(moved(WHITE, "e2e4")).then(moved(BLACK, "e7e5"));
    log.then(Event::TakenBack { plies: 1, left_ms: None, away_ms: 0 })
}

/// Returns the entry of [`running`] in the archive after Black has resigned.
fn archived() -> ArchivedMatch {
    let log = running().then(ended()).0;
    let account = |color, user| {
        let mut seat = seat(color, user);
        seat.user.as_mut().unwrap().account = true;
        seat
    };
    ArchivedMatch {
        phase: Phase::Ended,
        is_public: true,
        summary: MatchSummary {
            match_id: match_id(1),
            table: table_id(1),
            variant: Variant::Classic,
            time: TimeSetting::Fischer { base_ms: 300_000, increment_ms: 0 },
            move_limit_ms: None,
            rated: true,
            seats: vec![account(WHITE, ANN), account(BLACK, BEN)],
            started_at_ms: log[3].at.as_millis(),
            ended_at_ms: log.last().map(|row| row.at.as_millis()),
            plies: 1,
            outcome: Some(OutcomeView { reason: Reason::Resign, places: [(WHITE, 1), (BLACK, 2)].into() }),
            aborted: None,
        },
    }
}

/// Compares the archive with the log of table 1. Returns the numbers and the violations.
async fn compared(stored: &Stored) -> ((u64, u64), Vec<String>) {
    compared_by(&auditor(), stored).await
}

async fn compared_by(auditor: &Auditor, stored: &Stored) -> ((u64, u64), Vec<String>) {
    let tables = Auditor::read_tables(&stored.store, &stored.tables()).await.unwrap();
    let counts = auditor.check_archive(&stored.store, &tables).await.unwrap();
    (counts, auditor.violations())
}

/// Returns a database with this log, and with this entry in the archive.
async fn with(log: &Log, archived: ArchivedMatch) -> Stored {
    let stored = Stored::with(log).await;
    stored.add_accounts().await;
    stored.store.archive(&[archived.into()], &[]).await.unwrap();
    stored
}

/// Returns the violation that begins with the id of the match.
fn about_match(text: &str) -> String {
    format!("the archive: {}: {text}", match_id(1))
}

#[tokio::test(start_paused = true)]
async fn an_ended_match_is_archived_as_it_was_and_rated() {
    let stored = with(&running().then(ended()), archived()).await;
    assert_eq!(compared(&stored).await, ((1, 1), vec![]));
    let mut casual = archived();
    casual.summary.rated = false;
    let stored = with(&running().then(ended()), casual).await;
    assert_eq!(compared(&stored).await, ((1, 0), vec![]));
}

#[tokio::test(start_paused = true)]
async fn a_match_is_archived_if_it_has_started() {
    let open = Log::opened().then(seated(WHITE, ANN));
    assert_eq!(compared(&Stored::with(&open).await).await, ((0, 0), vec![]));
    let missing = about_match("it is not in the archive");
    for log in [running(), running().then(ended()), running().then(aborted())] {
        assert_eq!(compared(&Stored::with(&log).await).await, ((0, 0), vec![missing.clone()]));
    }
    let mut casual = archived();
    casual.summary.rated = false;
    let (_, violations) = compared(&with(&open, casual).await).await;
    assert_eq!(violations, [about_match("it is in the archive, and has never started")]);
}

#[tokio::test(start_paused = true)]
async fn a_running_match_is_archived_as_running() {
    let change = |change: &dyn Fn(&mut MatchSummary)| {
        let mut archived = archived();
        (archived.summary.outcome, archived.summary.ended_at_ms) = (None, None);
        change(&mut archived.summary);
        ArchivedMatch { phase: Phase::Running, ..archived }
    };
    let begun = change(&|summary| summary.plies = 0);
    assert_eq!(compared(&with(&running(), begun).await).await, ((1, 0), vec![]));
    for (log, archived) in [(running(), archived()), (running().then(ended()), change(&|_| ()))] {
        let (_, violations) = compared(&with(&log, archived).await).await;
        let is_wrong = |text: &String| text.starts_with(&about_match("the archive has "));
        assert!(violations.iter().any(is_wrong), "{violations:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_is_in_the_archive_a_few_seconds_after_the_end() {
    let mut archived = archived();
    (archived.summary.outcome, archived.summary.ended_at_ms) = (None, None);
    let running_yet = ArchivedMatch { phase: Phase::Running, ..archived };
    let log = running().then(ended());
    let (stored, auditor) = (with(&log, running_yet).await, auditor());
    auditor.0.commits.committed(&appended(match_id(1), log.0.len() as u64));
    assert_eq!(compared_by(&auditor, &stored).await, ((1, 0), vec![]));
    tokio::time::advance(ARCHIVING).await;
    let (_, violations) = compared_by(&auditor, &stored).await;
    assert!(violations[0].starts_with(&about_match("the archive has ")), "{violations:?}");
}

#[tokio::test(start_paused = true)]
async fn a_match_is_in_the_archive_a_few_seconds_after_its_beginning() {
    let (stored, auditor) = (Stored::with(&running()).await, auditor());
    auditor.0.commits.committed(&appended(match_id(1), running().0.len() as u64));
    assert_eq!(compared_by(&auditor, &stored).await, ((0, 0), vec![]));
    tokio::time::advance(ARCHIVING).await;
    let (_, violations) = compared_by(&auditor, &stored).await;
    assert_eq!(violations, [about_match("it is not in the archive")]);
}

#[tokio::test(start_paused = true)]
async fn the_archive_has_what_is_in_the_log() {
    let changes: [&dyn Fn(&mut MatchSummary); 6] = [
        &|summary| summary.seats[1] = seat(BLACK, CAT),
        &|summary| summary.plies = 2,
        &|summary| summary.started_at_ms += 1,
        &|summary| *summary.ended_at_ms.as_mut().unwrap() += 1,
        &|summary| summary.outcome.as_mut().unwrap().places = [(WHITE, 2), (BLACK, 1)].into(),
        &|summary| summary.aborted = Some(AbortCause::Agreement),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut archived = archived();
        archived.summary.rated = false;
        change(&mut archived.summary);
        let found = Record::of_summary(&archived.summary);
        let log = running().then(ended());
        let expected = Record::of_log(&log.0);
        let (_, violations) = compared(&with(&log, archived).await).await;
        let text = format!("the archive has {found:?}, not {expected:?}");
        assert_eq!(violations, [about_match(&text)], "{number}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_aborted_match_is_archived_without_a_result() {
    let mut archived = archived();
    (archived.summary.outcome, archived.summary.aborted) = (None, Some(AbortCause::Agreement));
    let stored = with(&running().then(aborted()), archived).await;
    assert_eq!(compared(&stored).await, ((1, 0), vec![]));
}

/// Returns the violations after this statement, in a database with a rated match.
async fn violations_after(sql: &'static str) -> Vec<String> {
    let stored = with(&running().then(ended()), archived()).await;
    stored.run(sql).await;
    compared(&stored).await.1
}

#[tokio::test(start_paused = true)]
async fn the_ratings_follow_from_the_archive() {
    let changed = |number: u64| about_match(&format!("2 ratings must change, and {number} did"));
    let found = violations_after("delete from rating_changes where color = 'white'").await;
    assert_eq!(found[0], changed(1), "{found:?}");
    let found = violations_after("delete from rating_changes").await;
    assert_eq!(found[0], changed(0), "{found:?}");
    assert!(found[1].starts_with("the archive: 1 matches are rated, but"), "{found:?}");
    for sql in ["update ratings set value = value + 1", "update rating_changes set value = value + 1"] {
        let found = violations_after(sql).await;
        assert!(found.len() == 1 && found[0].starts_with("the archive: 1 matches are rated"), "{found:?}");
    }
}

#[test]
fn the_result_of_a_match_follows_from_its_log() {
    let log = Log::opened_with(settings(Privacy::Public), None).then(seated(WHITE, ANN));
    assert_eq!(Record::of_log(&log.0), Record { seats: [(WHITE, user_id(ANN))].into(), ..Record::default() });
    let log = log.then(seated(BLACK, BEN)).then(started());
    let started_at_ms = log.0.last().map(|row| row.at.as_millis());
    let seats: BTreeMap<_, _> = [(WHITE, user_id(ANN)), (BLACK, user_id(BEN))].into();
    let running = Record { seats, started_at_ms, ..Record::default() };
    assert_eq!(Record::of_log(&log.0), running);
    let log = log.then(aborted());
    let ended_at_ms = log.0.last().map(|row| row.at.as_millis());
    assert_eq!(Record::of_log(&log.0), Record { ended_at_ms, is_aborted: true, ..running });
}
