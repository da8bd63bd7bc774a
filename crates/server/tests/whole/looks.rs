//! A look at an unfinished match that has no actor claims nothing and writes nothing; what is done there later does.

use quadrex_protocol::Event;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Phase;
use quadrex_server::bus::Viewer;
use quadrex_server::table::{ResumeFrom, TableHandle};
use quadrex_store::{Epoch, Logged};

use crate::hall::{Hall, Watcher, ask, match_of, mv, sit};
use crate::tables::done;

/// A match on the clock, two moves old.
async fn under_way(hall: &Hall, ann: &UserView, ben: &UserView, base_ms: u64) -> TableHandle {
    let time = TimeSetting::Fischer { base_ms, increment_ms: 0 };
    let table = hall.table(ann, Privacy::Public, time).await;
    done(ask(&table, ben, "b1", sit()).await);
    done(ask(&table, ann, "a1", mv(4, "e2e4")).await);
    done(ask(&table, ben, "b2", mv(5, "e7e5")).await);
    table
}

async fn log(hall: &Hall, table: &TableHandle) -> Vec<Logged> {
    hall.store.events(match_of(table), 0).await.unwrap()
}

#[tokio::test]
async fn a_look_at_a_running_match_leaves_epoch_and_log_as_they_are() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = under_way(&hall, &ann, &ben, 300_000).await;
    let before = log(&hall, &table).await;
    let table = hall.orphan(&table).await;
    assert_eq!(table.overview().phase(), Phase::Running);
    for viewer in [Viewer::Anonymous, Viewer::User(ann.id)] {
        let watcher = Watcher::new(&table, viewer, ResumeFrom::Nothing).await;
        assert_eq!(watcher.shown()[0]["view"]["state"]["clock"]["running"], "white");
    }
    assert!(hall.lobby.mine(ann.id, crate::tables::PAGE).await.unwrap().0.len() == 1);
    assert_eq!(log(&hall, &table).await, before);
    assert_eq!(hall.store.claim(match_of(&table)).await.unwrap(), Some(Epoch(2)), "nobody claimed it");
}

#[tokio::test]
async fn a_look_at_an_open_table_leaves_epoch_and_log_as_they_are() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    let before = log(&hall, &table).await;
    let table = hall.orphan(&table).await;
    Watcher::new(&table, Viewer::User(ann.id), ResumeFrom::Nothing).await;
    assert_eq!(log(&hall, &table).await, before);
    assert_eq!(hall.store.claim(match_of(&table)).await.unwrap(), Some(Epoch(2)), "nobody claimed it");
    assert_eq!(done(ask(&table, &ben, "b1", sit()).await), 4, "and who sits is seated");
}

/// The time in which nobody ran the match is charged to nobody; that since the look is charged, as it was shown.
#[tokio::test]
async fn a_command_after_a_look_claims_and_goes_on_with_the_clocks_shown() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = under_way(&hall, &ann, &ben, 300_000).await;
    let last = log(&hall, &table).await[5].at;
    let table = hall.orphan(&table).await;
    let mut ear = Watcher::new(&table, Viewer::User(ann.id), ResumeFrom::Nothing).await;
    // Some time goes by in which she could move.
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(done(ask(&table, &ann, "a2", mv(6, "d2d4")).await), 8);

    let log = log(&hall, &table).await;
    let Event::Interrupted { until_ms, resumes_ms, .. } = log[6].event else { panic!("{:?}", log[6]) };
    assert_eq!(until_ms, last.as_millis(), "nobody is known to have run it after its last event");
    assert_eq!(log[6].at.as_millis(), resumes_ms, "it ran again from the look on");
    let Event::Moved { left_ms: Some(left_ms), .. } = log[7].event else { panic!("{:?}", log[7]) };
    let thought = log[7].at.as_millis() - resumes_ms;
    assert!(thought >= 50, "{thought}");
    assert_eq!(300_000 - left_ms, thought);
    assert_eq!((log[6].epoch, log[7].epoch), (Epoch(2), Epoch(2)));
    assert_eq!(ear.next("event").await["event"]["type"], "interrupted");
    assert_eq!(ear.next("event").await["event"]["type"], "moved");
    assert!(table.overview().is_claimed);
}

/// A clock that runs out after a look ends the match: by its own deadline, not before.
#[tokio::test]
async fn a_flag_falls_at_a_match_that_was_only_looked_at() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = under_way(&hall, &ann, &ben, 1_000).await;
    let table = hall.orphan(&table).await;
    let mut ear = Watcher::new(&table, Viewer::User(ann.id), ResumeFrom::Nothing).await;
    while table.overview().phase() != Phase::Ended {
        ear.next("event").await;
    }
    let log = log(&hall, &table).await;
    let Event::Interrupted { resumes_ms, .. } = log[6].event else { panic!("{:?}", log[6]) };
    assert!(log.len() == 8 && log[7].at.as_millis() >= resumes_ms + 1_000, "{log:?}");
    assert_eq!(log[7].epoch, Epoch(2));
}
