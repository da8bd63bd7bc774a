//! Tables and the lobby: what is kept, what is told, and what a restart or another owner changes.

use std::time::Duration;

use quadrex_protocol::event::Vacating;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, RefusalCode};
use quadrex_rules::Color;
use quadrex_server::bus::{News, Published, Viewer};
use quadrex_server::clock::Clock;
use quadrex_server::lobby::TablePage;
use quadrex_server::table::{Action, Answer, LinkRight, ResumeFrom, WatchRight, WatcherInfo};
use quadrex_store::{Append, Epoch, SecretHash};

use crate::hall::{Hall, PATIENCE, Watcher, ask, ear, match_of, mv, nonce, said, sit, visitor};

/// The first page of a list.
pub(crate) const PAGE: TablePage = TablePage { before: None, limit: 100 };

pub(crate) fn done(answer: Answer) -> u64 {
    match answer {
        Answer::Done { seq, .. } => seq,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn refused(answer: Answer) -> RefusalCode {
    match answer {
        Answer::Refused { rejection, .. } => rejection.code(),
        other => panic!("{other:?}"),
    }
}

/// Who was answered may rely on it: the event is in the log, and every watcher is told.
#[tokio::test]
async fn what_is_answered_is_in_the_log_and_told() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    let mut watcher = Watcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    let mut player = Watcher::new(&table, Viewer::User(ann.id), ResumeFrom::Nothing).await;
    assert_eq!(watcher.shown()[0]["t"], "snapshot");
    assert_eq!(player.shown()[0]["view"]["yours"], serde_json::json!(["white"]));

    assert_eq!(done(ask(&table, &ben, "b1", sit()).await), 4);
    let log = hall.store.events(match_of(&table), 0).await.unwrap();
    assert_eq!(log.len(), 4);
    assert_eq!((log[3].by, log[3].cmd.as_ref().map(ToString::to_string)), (Some(ben.id), Some("b1".into())));
    assert_eq!(watcher.next("event").await["event"]["type"], "seated");
    assert!(watcher.next("event").await.get("legal").is_none());
    assert!(player.next("event").await.get("legal").is_none(), "another event of the command follows");
    assert_eq!(player.next("event").await["legal"].as_array().unwrap().len(), 20);
    let presence = watcher.next("presence").await;
    assert_eq!(players(&presence), "white=connected black=reconnecting");
    assert_eq!(presence["spectators"], 1);
}

/// Who watches and then sits is present as a player from then on.
#[tokio::test]
async fn presence_follows_the_seats() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    let mut watcher = Watcher::new(&table, Viewer::User(ben.id), ResumeFrom::Nothing).await;
    let presence = watcher.next("presence").await;
    assert_eq!((players(&presence), &presence["spectators"]), ("white=gone".to_owned(), &1.into()));
    done(ask(&table, &ben, "b1", sit()).await);
    let presence = watcher.next("presence").await;
    assert_eq!(players(&presence), "white=reconnecting black=connected");
    assert_eq!(presence["spectators"], 0);
}

/// A line that watches only as a player's is not counted once the seat is gone, and cannot come in again so; the host's
/// can.
#[tokio::test]
async fn who_watches_as_a_player_is_forgotten_with_the_seat() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(ask(&table, &ann, "leave", Action::Leave).await);
    done(ask(&table, &ben, "sit", sit()).await);
    let enter =
        |id| table.watch(visitor(Viewer::User(id), WatchRight::OfParty), ResumeFrom::Nothing, ear().0);
    let mut watcher = Watcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    let _of_ben = enter(ben.id).await.expect("he sits");
    done(ask(&table, &ben, "leave", Action::Leave).await);
    let empty = loop {
        let presence = watcher.next("presence").await;
        if players(&presence).is_empty() {
            break presence;
        }
    };
    assert_eq!(empty["spectators"], 1);
    assert!(enter(ben.id).await.is_err());
    assert!(enter(ann.id).await.is_ok());
}

/// How the players are there, by a presence frame.
fn players(presence: &serde_json::Value) -> String {
    let word = |player: &serde_json::Value| {
        format!("{}={}", player["color"].as_str().unwrap(), player["presence"].as_str().unwrap())
    };
    presence["players"].as_array().unwrap().iter().map(word).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn the_same_command_again_is_answered_the_same_even_after_a_restart() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(ask(&table, &ben, "x", sit()).await);
    let first = ask(&table, &ann, "x", mv(4, "e2e4")).await;
    assert_eq!(ask(&table, &ann, "x", mv(4, "e2e4")).await, first);
    done(ask(&table, &ben, "y", mv(5, "e7e5")).await);
    assert_eq!(ask(&table, &ann, "x", mv(4, "e2e4")).await, first);

    hall.lobby.stop().await;
    let hall = hall.again().await;
    let table = hall.find(table.table()).await;
    assert_eq!(table.overview().head.seq, 7, "the limit for a move ran: the log tells of the interruption");
    assert_eq!(ask(&table, &ann, "x", mv(4, "e2e4")).await, first);
    assert_eq!(refused(ask(&table, &ann, "z", mv(4, "d2d4")).await), RefusalCode::Stale);
    assert_eq!(done(ask(&table, &ann, "z", mv(6, "d2d4")).await), 8);
}

/// Somebody else claimed the match and wrote to it: our owner notices when it writes, reads again, and tells its
/// watchers what they have not heard. The clock runs from the last event that the log has.
#[tokio::test]
async fn an_owner_that_was_fenced_reads_the_log_again() {
    let hall = Hall::open().await;
    let (ann, ben, cat) = (hall.user("Ann").await, hall.user("Ben").await, hall.user("Cat").await);
    let time = TimeSetting::Fischer { base_ms: 60_000, increment_ms: 0 };
    let table = hall.table(&ann, Privacy::Public, time).await;
    let mut watcher = Watcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    let match_id = match_of(&table);
    let epoch = hall.store.claim(match_id).await.unwrap().unwrap();
    assert!(epoch > Epoch::FIRST);
    let secret = hall.store.lot_key(table.table()).await.unwrap().unwrap().secret(match_id);
    let events = vec![
        Event::Seated { color: Color::Black, user: cat.clone(), nonce: nonce() },
        Event::Started { beginner: Color::White, secret, seats: Default::default() },
    ];
    // By its own clock, which goes ahead of ours.
    let at = Clock::system().now() + Duration::from_secs(30);
    let foreign = Append { match_id, epoch, head_seq: 2, at, events, by: None, next: None };
    hall.store.append(&foreign).await.unwrap();

    assert_eq!(refused(ask(&table, &ben, "b1", sit()).await), RefusalCode::TableFull);
    assert_eq!(watcher.next("event").await["event"]["user"]["name"], "Cat");
    assert_eq!(watcher.next("event").await["event"]["type"], "started");
    assert_eq!(done(ask(&table, &ann, "a1", mv(4, "e2e4")).await), 5);
    let moved = watcher.next("event").await;
    assert_eq!((&moved["seq"], &moved["event"]["left_ms"]), (&5.into(), &60_000.into()));
    assert_eq!(hall.store.events(match_id, 0).await.unwrap().len(), 5);
}

/// What the store cannot keep has not happened.
#[tokio::test]
async fn a_command_that_cannot_be_kept_changes_nothing() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    let before = table.overview();
    hall.store.close().await;
    let answer = ask(&table, &ben, "b1", sit()).await;
    assert!(matches!(answer, Answer::Fault(_)), "{answer:?}");
    assert_eq!(table.overview(), before);
}

/// G12: the table's own timer puts out who thinks too long, without any frame coming in.
#[tokio::test]
async fn a_flag_falls_by_itself() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let time = TimeSetting::Fischer { base_ms: 50, increment_ms: 0 };
    let table = hall.table(&ann, Privacy::Public, time).await;
    let mut watcher = Watcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    done(ask(&table, &ben, "b1", sit()).await);
    done(ask(&table, &ann, "a1", mv(4, "e2e4")).await);
    done(ask(&table, &ben, "b2", mv(5, "e7e5")).await);
    for kind in ["seated", "started", "moved", "moved", "ended"] {
        assert_eq!(watcher.next("event").await["event"]["type"], kind);
    }
    let log = hall.store.events(match_of(&table), 0).await.unwrap();
    assert_eq!(log.last().unwrap().by, None, "nobody's command");
    assert_eq!(refused(ask(&table, &ann, "a2", mv(6, "d2d4")).await), RefusalCode::Ended);
}

/// A clock that ran when the server went down goes on where it stood, whatever time has passed.
#[tokio::test]
async fn down_time_is_not_charged() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let time = TimeSetting::Fischer { base_ms: 3_000, increment_ms: 0 };
    let table = hall.table(&ann, Privacy::Public, time).await;
    done(ask(&table, &ben, "b1", sit()).await);
    done(ask(&table, &ann, "a1", mv(4, "e2e4")).await);
    done(ask(&table, &ben, "b2", mv(5, "e7e5")).await);
    let started = hall.store.events(match_of(&table), 0).await.unwrap()[5].at;
    hall.lobby.stop().await;

    let hall = hall.again().await;
    let table = hall.find(table.table()).await;
    let white = Watcher::new(&table, Viewer::User(ann.id), ResumeFrom::Nothing).await;
    let shown = &white.shown()[0];
    assert_eq!(shown["view"]["state"]["clock"]["running"], "white");
    done(ask(&table, &ann, "a2", mv(6, "d2d4")).await);
    let log = hall.store.events(match_of(&table), 6).await.unwrap();
    assert!(matches!(log[0].event, Event::Interrupted { .. }), "{:?}", log[0]);
    let Event::Moved { left_ms: Some(left_ms), .. } = log[1].event else { panic!("{:?}", log[1]) };
    let charged = 3_000 - left_ms;
    let passed = u64::try_from(log[1].at.since(started).as_millis()).unwrap();
    assert!(charged <= passed, "{charged} ms charged, {passed} ms passed");
}

#[tokio::test]
async fn an_ended_match_can_still_be_watched_but_not_played() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(ask(&table, &ben, "b1", sit()).await);
    assert_eq!(done(ask(&table, &ann, "a1", Action::Resign).await), 5);
    hall.lobby.stop().await;

    let hall = hall.again().await;
    assert!(hall.lobby.list(PAGE).await.unwrap().tables.is_empty(), "it is over");
    let table = hall.find(table.table()).await;
    assert_eq!(table.overview().phase(), Phase::Ended);
    let watcher = Watcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    assert_eq!(watcher.shown()[0]["view"]["state"]["outcome"]["places"]["black"], 1);
    assert_eq!(refused(ask(&table, &ben, "b2", Action::Resign).await), RefusalCode::Ended);
    assert_eq!(done(ask(&table, &ann, "a1", Action::Resign).await), 5, "the old answer");
}

/// Who has the events up to a number gets those after it, or the whole table when they are too many.
#[tokio::test]
async fn a_returning_watcher_gets_what_it_missed() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(ask(&table, &ben, "b1", sit()).await);
    done(ask(&table, &ann, "a1", mv(4, "e2e4")).await);
    let match_id = match_of(&table);
    let kinds = async |from| {
        let watcher = Watcher::new(&table, Viewer::Anonymous, from).await;
        let words = |frame: &serde_json::Value| format!("{} {}", frame["t"].as_str().unwrap(), frame["seq"]);
        watcher.shown().iter().map(words).collect::<Vec<_>>()
    };
    assert_eq!(kinds(ResumeFrom::After(match_id, 5)).await, ["watching 5"]);
    assert_eq!(kinds(ResumeFrom::After(match_id, 3)).await, ["watching 5", "event 4", "event 5"]);
    assert_eq!(kinds(ResumeFrom::After(match_id, 2)).await, ["watching 5", "event 3", "event 4", "event 5"]);
    assert_eq!(kinds(ResumeFrom::After(match_id, 1)).await, ["snapshot 5"], "more than resync_events");
    assert_eq!(kinds(ResumeFrom::After(match_id, 6)).await, ["snapshot 5"], "it cannot have that");
    assert_eq!(
        kinds(ResumeFrom::After(quadrex_protocol::MatchId(ann.id.0), 4)).await,
        ["snapshot 5"],
        "another match"
    );
}

/// A private table is in no list and in no change of one; its host and those who sit find it among their own.
#[tokio::test]
async fn the_list_is_of_public_tables_and_told_by_changes() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let (ear, mut heard) = ear();
    let _place = hall.lobby.watch(ear).await.unwrap();
    let private = hall.table(&ann, Privacy::Private, TimeSetting::None).await;
    let public = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    let listed: Vec<_> =
        hall.lobby.list(PAGE).await.unwrap().tables.into_iter().map(|summary| summary.table).collect();
    assert_eq!(listed, [public.table()]);
    let mine = |tables: Vec<quadrex_protocol::http::TableSummary>| {
        tables.into_iter().map(|summary| summary.table).collect::<Vec<_>>()
    };
    assert_eq!(mine(hall.lobby.mine(ann.id, PAGE).await.unwrap().0), [public.table(), private.table()]);
    assert_eq!(mine(hall.lobby.mine(ben.id, PAGE).await.unwrap().0), []);

    let mut changes = Vec::new();
    let mut until = async |kind: &str| {
        while changes.last().is_none_or(|change: &serde_json::Value| change["t"] != kind) {
            let change = tokio::time::timeout(PATIENCE, heard.recv()).await.expect("it comes in time");
            changes.push(said(&change.unwrap()));
        }
    };
    until("lobby_table").await;
    done(ask(&public, &ben, "b1", sit()).await);
    done(ask(&public, &ben, "b2", Action::Resign).await);
    until("lobby_gone").await;
    let text = serde_json::to_string(&changes).unwrap();
    assert!(text.contains(&public.table().to_string()));
    assert!(!text.contains(&private.table().to_string()), "{text}");
}

/// A log that makes no sense is left alone; the matches beside it are taken up, and it is a fault to ask for it.
#[tokio::test]
async fn a_match_that_cannot_be_read_back_does_not_hold_up_the_others() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let broken = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    let sound = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    let match_id = match_of(&broken);
    let epoch = hall.store.claim(match_id).await.unwrap().unwrap();
    let nonsense = vec![Event::Vacated { color: Color::Black, why: Vacating::Left }];
    let append = Append {
        match_id,
        epoch,
        head_seq: 2,
        at: Clock::system().now(),
        events: nonsense,
        by: None,
        next: None,
    };
    hall.store.append(&append).await.unwrap();
    hall.lobby.stop().await;

    let hall = hall.again().await;
    assert!(hall.lobby.find(broken.table()).await.is_err());
    let sound = hall.find(sound.table()).await;
    assert_eq!(done(ask(&sound, &ben, "b1", sit()).await), 4);
}

/// A link that expires ends what is watched by it, with no message that would wake the table.
#[tokio::test]
async fn an_expired_link_ends_what_is_watched_by_it() {
    let hall = Hall::open().await;
    let ada = hall.user("Ada").await;
    let table = hall.table(&ada, Privacy::Private, TimeSetting::None).await;
    let expires_at = Clock::system().now() + Duration::from_millis(300);
    let secret = SecretHash([7; 32]);
    let link = Some(LinkRight { secret, expires_at });
    let watcher = |viewer| WatcherInfo { link, ..visitor(viewer, WatchRight::Lasting) };
    let (host_ear, mut host_heard) = ear();
    let host = table.watch(watcher(Viewer::User(ada.id)), ResumeFrom::Nothing, host_ear).await.unwrap();
    let (stranger_ear, _heard) = ear();
    let stranger = table.watch(watcher(Viewer::Anonymous), ResumeFrom::Nothing, stranger_ear).await.unwrap();
    let ended = async {
        loop {
            let told: Published = host_heard.recv().await.unwrap();
            if let News::LinksEnded { links, party } = told.news {
                break (links, party);
            }
        }
    };
    let ended = tokio::time::timeout(PATIENCE, ended).await;
    let (links, party) = ended.expect("the table wakes at the expiry");
    assert_eq!(links, [secret]);
    assert!(party.contains(&ada.id), "the host watches on");
    assert!(Clock::system().now() >= expires_at, "not before");
    let spectators = async {
        while table.overview().status.spectators > 0 {
            host_heard.recv().await.unwrap();
        }
    };
    tokio::time::timeout(PATIENCE, spectators).await.expect("only the host is there");
    drop((host, stranger));
}
