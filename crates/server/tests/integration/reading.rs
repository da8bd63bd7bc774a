//! Reading an unfinished match without an actor claims and writes nothing; a later command does.

use quadrex_protocol::Event;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Phase;
use quadrex_server::actor::{ResumeFrom, TableHandle};
use quadrex_store::{Epoch, LoggedEvent};
use quadrex_table::Viewer;

use crate::fixture::{Fixture, RecordingWatcher, match_of, mv, send, sit};
use crate::tables::done;

/// Starts a match with clocks and makes two moves.
async fn started_match(fixture: &Fixture, ann: &UserView, ben: &UserView, base_ms: u64) -> TableHandle {
    let time = TimeSetting::Fischer { base_ms, increment_ms: 0 };
    let table = fixture.table(ann, Privacy::Public, time).await;
    done(send(&table, ben, "b1", sit()).await);
    done(send(&table, ann, "a1", mv(4, "e2e4")).await);
    done(send(&table, ben, "b2", mv(5, "e7e5")).await);
    table
}

async fn log(fixture: &Fixture, table: &TableHandle) -> Vec<LoggedEvent> {
    fixture.store.events(match_of(table), 0).await.unwrap()
}

#[tokio::test]
async fn reading_a_running_match_changes_neither_epoch_nor_log() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = started_match(&fixture, &ann, &ben, 300_000).await;
    let before = log(&fixture, &table).await;
    let table = fixture.orphan(&table).await;
    assert_eq!(table.overview().phase(), Phase::Running);
    for viewer in [Viewer::Anonymous, Viewer::User(ann.id)] {
        let watcher = RecordingWatcher::new(&table, viewer, ResumeFrom::Nothing).await;
        assert_eq!(watcher.shown()[0]["view"]["state"]["clock"]["running"], "white");
    }
    assert!(fixture.lobby.tables_of(ann.id, crate::tables::PAGE).await.unwrap().0.len() == 1);
    assert_eq!(log(&fixture, &table).await, before);
    assert_eq!(
        fixture.store.claim(match_of(&table)).await.unwrap(),
        Some(Epoch(2)),
        "the epoch has not changed"
    );
}

#[tokio::test]
async fn reading_an_open_table_changes_neither_epoch_nor_log() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    let before = log(&fixture, &table).await;
    let table = fixture.orphan(&table).await;
    RecordingWatcher::new(&table, Viewer::User(ann.id), ResumeFrom::Nothing).await;
    assert_eq!(log(&fixture, &table).await, before);
    assert_eq!(
        fixture.store.claim(match_of(&table)).await.unwrap(),
        Some(Epoch(2)),
        "the epoch has not changed"
    );
    assert_eq!(done(send(&table, &ben, "b1", sit()).await), 4, "and a user who sits down is seated");
}

/// Nobody is charged for the time without an actor. The time since the match was read is charged,
/// as the clients saw it.
#[tokio::test]
async fn a_command_after_reading_claims_and_continues_with_the_displayed_clocks() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = started_match(&fixture, &ann, &ben, 300_000).await;
    let last = log(&fixture, &table).await[5].at;
    let table = fixture.orphan(&table).await;
    let mut watcher = RecordingWatcher::new(&table, Viewer::User(ann.id), ResumeFrom::Nothing).await;
    // Some time passes in which she could move.
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(done(send(&table, &ann, "a2", mv(6, "d2d4")).await), 8);

    let log = log(&fixture, &table).await;
    let Event::Interrupted { until_ms, resumes_ms, .. } = log[6].event else { panic!("{:?}", log[6]) };
    assert_eq!(until_ms, last.as_millis(), "no actor is known after its last event");
    assert_eq!(log[6].at.as_millis(), resumes_ms, "it ran again from the time it was read");
    let Event::Moved { left_ms: Some(left_ms), .. } = log[7].event else { panic!("{:?}", log[7]) };
    let thought = log[7].at.as_millis() - resumes_ms;
    assert!(thought >= 50, "{thought}");
    assert_eq!(300_000 - left_ms, thought);
    assert_eq!((log[6].epoch, log[7].epoch), (Epoch(2), Epoch(2)));
    assert_eq!(watcher.next("event").await["event"]["type"], "interrupted");
    assert_eq!(watcher.next("event").await["event"]["type"], "moved");
    assert!(table.overview().is_claimed);
}

/// A clock that runs out after the match was read ends the match at its own deadline.
#[tokio::test]
async fn a_flag_falls_in_a_match_that_was_only_read() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = started_match(&fixture, &ann, &ben, 1_000).await;
    let table = fixture.orphan(&table).await;
    let mut watcher = RecordingWatcher::new(&table, Viewer::User(ann.id), ResumeFrom::Nothing).await;
    while table.overview().phase() != Phase::Ended {
        watcher.next("event").await;
    }
    let log = log(&fixture, &table).await;
    let Event::Interrupted { resumes_ms, .. } = log[6].event else { panic!("{:?}", log[6]) };
    assert!(log.len() == 8 && log[7].at.as_millis() >= resumes_ms + 1_000, "{log:?}");
    assert_eq!(log[7].epoch, Epoch(2));
}
