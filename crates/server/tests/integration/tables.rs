//! Tables and the lobby: storage, publication, restarts and changes of ownership.

use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_protocol::event::VacateReason;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, RefusalCode};
use quadrex_rules::Color;
use quadrex_server::actor::{AccessLink, Answer, ResumeFrom, WatchRight, Watcher};
use quadrex_server::bus::{Publication, PublicationKind};
use quadrex_server::lobby::TablePage;
use quadrex_store::{Append, Epoch, SecretHash};
use quadrex_table::{Action, Viewer};

use crate::fixture::{
    Fixture, PATIENCE, RecordingWatcher, json_of, listener, match_of, mv, nonce, send, sit, watcher_info,
};

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
        Answer::Refused { code, .. } => code,
        other => panic!("{other:?}"),
    }
}

/// An answer is final: its event is in the log, and every watcher receives it.
#[tokio::test]
async fn an_answered_command_is_in_the_log_and_published() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    let mut watcher = RecordingWatcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    let mut player = RecordingWatcher::new(&table, Viewer::User(ann.id), ResumeFrom::Nothing).await;
    assert_eq!(watcher.shown()[0]["t"], "snapshot");
    assert_eq!(player.shown()[0]["view"]["your_seats"], serde_json::json!(["white"]));

    assert_eq!(done(send(&table, &ben, "b1", sit()).await), 4);
    let log = fixture.store.events(match_of(&table), 0).await.unwrap();
    assert_eq!(log.len(), 4);
    assert_eq!(
        (log[3].by, log[3].command_id.as_ref().map(ToString::to_string)),
        (Some(ben.id), Some("b1".into()))
    );
    assert_eq!(watcher.next("event").await["event"]["type"], "seated");
    assert!(watcher.next("event").await.get("legal_moves").is_none());
    assert!(player.next("event").await.get("legal_moves").is_none(), "another event of the command follows");
    assert_eq!(player.next("event").await["legal_moves"].as_array().unwrap().len(), 20);
    let presence = watcher.next("presence").await;
    assert_eq!(players(&presence), "white=connected black=reconnecting");
    assert_eq!(presence["spectators"], 1);
}

/// A watcher who sits down is present as a player from that moment.
#[tokio::test]
async fn presence_follows_the_seats() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    let mut watcher = RecordingWatcher::new(&table, Viewer::User(ben.id), ResumeFrom::Nothing).await;
    let presence = watcher.next("presence").await;
    assert_eq!((players(&presence), &presence["spectators"]), ("white=gone".to_owned(), &1.into()));
    done(send(&table, &ben, "b1", sit()).await);
    let presence = watcher.next("presence").await;
    assert_eq!(players(&presence), "white=reconnecting black=connected");
    assert_eq!(presence["spectators"], 0);
}

/// A watcher admitted as a player is removed with the seat, and cannot watch again by that right.
/// The host can.
#[tokio::test]
async fn a_watcher_admitted_as_a_player_is_removed_with_the_seat() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(send(&table, &ann, "leave", Action::Leave).await);
    done(send(&table, &ben, "sit", sit()).await);
    let enter = |id| {
        table.watch(
            watcher_info(Viewer::User(id), WatchRight::MembersOnly),
            ResumeFrom::Nothing,
            listener().0,
        )
    };
    let mut watcher = RecordingWatcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    let _of_ben = enter(ben.id).await.expect("he sits");
    done(send(&table, &ben, "leave", Action::Leave).await);
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

/// Formats the presence of the players in a presence frame.
fn players(presence: &serde_json::Value) -> String {
    let word = |player: &serde_json::Value| {
        format!("{}={}", player["color"].as_str().unwrap(), player["presence"].as_str().unwrap())
    };
    presence["players"].as_array().unwrap().iter().map(word).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn a_repeated_command_gets_the_same_answer_even_after_a_restart() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(send(&table, &ben, "x", sit()).await);
    let first = send(&table, &ann, "x", mv(4, "e2e4")).await;
    assert_eq!(send(&table, &ann, "x", mv(4, "e2e4")).await, first);
    done(send(&table, &ben, "y", mv(5, "e7e5")).await);
    assert_eq!(send(&table, &ann, "x", mv(4, "e2e4")).await, first);

    fixture.lobby.stop().await;
    let fixture = fixture.again().await;
    let table = fixture.find(table.table()).await;
    assert_eq!(table.overview().head.seq, 7, "the limit for a move ran: the log has the interruption");
    assert_eq!(send(&table, &ann, "x", mv(4, "e2e4")).await, first);
    assert_eq!(refused(send(&table, &ann, "z", mv(4, "d2d4")).await), RefusalCode::Stale);
    assert_eq!(done(send(&table, &ann, "z", mv(6, "d2d4")).await), 8);
}

/// Another owner has claimed the match and written to it. This owner notices at its next write,
/// reads the log again, and publishes the events that its watchers have missed. The clock continues
/// from the last event of the log.
#[tokio::test]
async fn a_fenced_owner_reads_the_log_again() {
    let fixture = Fixture::open().await;
    let (ann, ben, cat) = (fixture.user("Ann").await, fixture.user("Ben").await, fixture.user("Cat").await);
    let time = TimeSetting::Fischer { base_ms: 60_000, increment_ms: 0 };
    let table = fixture.table(&ann, Privacy::Public, time).await;
    let mut watcher = RecordingWatcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    let match_id = match_of(&table);
    let epoch = fixture.store.claim(match_id).await.unwrap().unwrap();
    assert!(epoch > Epoch::FIRST);
    let secret = fixture.store.lot_key(table.table()).await.unwrap().unwrap().secret(match_id);
    let events = vec![
        Event::Seated { color: Color::Black, user: cat.clone(), nonce: nonce() },
        Event::Started { first_player: Color::White, secret, seats: Default::default() },
    ];
    // The other owner's clock is ahead of ours.
    let at = Clock::system().now() + Duration::from_secs(30);
    let foreign = Append { match_id, epoch, head_seq: 2, at, events, holders: None, by: None, next: None };
    fixture.store.append(&foreign).await.unwrap();

    assert_eq!(refused(send(&table, &ben, "b1", sit()).await), RefusalCode::TableFull);
    assert_eq!(watcher.next("event").await["event"]["user"]["name"], "Cat");
    assert_eq!(watcher.next("event").await["event"]["type"], "started");
    assert_eq!(done(send(&table, &ann, "a1", mv(4, "e2e4")).await), 5);
    let moved = watcher.next("event").await;
    assert_eq!((&moved["seq"], &moved["event"]["left_ms"]), (&5.into(), &60_000.into()));
    assert_eq!(fixture.store.events(match_id, 0).await.unwrap().len(), 5);
}

/// A command that cannot be stored has no effect.
#[tokio::test]
async fn a_command_that_cannot_be_stored_changes_nothing() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    let before = table.overview();
    fixture.store.close().await;
    let answer = send(&table, &ben, "b1", sit()).await;
    assert!(matches!(answer, Answer::Fault(_)), "{answer:?}");
    assert_eq!(table.overview(), before);
}

/// G12: the table's own timer flags a player whose time is up, without an incoming frame.
#[tokio::test]
async fn a_flag_falls_by_itself() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let time = TimeSetting::Fischer { base_ms: 50, increment_ms: 0 };
    let table = fixture.table(&ann, Privacy::Public, time).await;
    let mut watcher = RecordingWatcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    done(send(&table, &ben, "b1", sit()).await);
    done(send(&table, &ann, "a1", mv(4, "e2e4")).await);
    done(send(&table, &ben, "b2", mv(5, "e7e5")).await);
    for kind in ["seated", "started", "moved", "moved", "ended"] {
        assert_eq!(watcher.next("event").await["event"]["type"], kind);
    }
    let log = fixture.store.events(match_of(&table), 0).await.unwrap();
    assert_eq!(log.last().unwrap().by, None, "no user's command");
    assert_eq!(refused(send(&table, &ann, "a2", mv(6, "d2d4")).await), RefusalCode::Ended);
}

/// A clock that ran when the server stopped continues with the same time, after an outage of any
/// length.
#[tokio::test]
async fn down_time_is_not_charged() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let time = TimeSetting::Fischer { base_ms: 3_000, increment_ms: 0 };
    let table = fixture.table(&ann, Privacy::Public, time).await;
    done(send(&table, &ben, "b1", sit()).await);
    done(send(&table, &ann, "a1", mv(4, "e2e4")).await);
    done(send(&table, &ben, "b2", mv(5, "e7e5")).await);
    let started = fixture.store.events(match_of(&table), 0).await.unwrap()[5].at;
    fixture.lobby.stop().await;

    let fixture = fixture.again().await;
    let table = fixture.find(table.table()).await;
    let white = RecordingWatcher::new(&table, Viewer::User(ann.id), ResumeFrom::Nothing).await;
    let shown = &white.shown()[0];
    assert_eq!(shown["view"]["state"]["clock"]["running"], "white");
    done(send(&table, &ann, "a2", mv(6, "d2d4")).await);
    let log = fixture.store.events(match_of(&table), 6).await.unwrap();
    assert!(matches!(log[0].event, Event::Interrupted { .. }), "{:?}", log[0]);
    let Event::Moved { left_ms: Some(left_ms), .. } = log[1].event else { panic!("{:?}", log[1]) };
    let charged = 3_000 - left_ms;
    let passed = u64::try_from(log[1].at.since(started).as_millis()).unwrap();
    assert!(charged <= passed, "{charged} ms charged, {passed} ms passed");
}

#[tokio::test]
async fn an_ended_match_can_still_be_watched_but_not_played() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(send(&table, &ben, "b1", sit()).await);
    assert_eq!(done(send(&table, &ann, "a1", Action::Resign).await), 5);
    fixture.lobby.stop().await;

    let fixture = fixture.again().await;
    assert!(fixture.lobby.list(PAGE).await.unwrap().tables.is_empty(), "the match is over");
    let table = fixture.find(table.table()).await;
    assert_eq!(table.overview().phase(), Phase::Ended);
    let watcher = RecordingWatcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    assert_eq!(watcher.shown()[0]["view"]["state"]["outcome"]["places"]["black"], 1);
    assert_eq!(refused(send(&table, &ben, "b2", Action::Resign).await), RefusalCode::Ended);
    assert_eq!(done(send(&table, &ann, "a1", Action::Resign).await), 5, "the old answer");
}

/// A client that knows the events up to a number receives the later ones, or a snapshot if they are
/// too many.
#[tokio::test]
async fn a_returning_watcher_gets_what_it_missed() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(send(&table, &ben, "b1", sit()).await);
    done(send(&table, &ann, "a1", mv(4, "e2e4")).await);
    let match_id = match_of(&table);
    let kinds = async |from| {
        let watcher = RecordingWatcher::new(&table, Viewer::Anonymous, from).await;
        let words = |frame: &serde_json::Value| format!("{} {}", frame["t"].as_str().unwrap(), frame["seq"]);
        watcher.shown().iter().map(words).collect::<Vec<_>>()
    };
    assert_eq!(kinds(ResumeFrom::After(match_id, 5)).await, ["watching 5", "presence null"]);
    assert_eq!(
        kinds(ResumeFrom::After(match_id, 3)).await,
        ["watching 5", "event 4", "event 5", "presence null"]
    );
    let all = ["watching 5", "event 3", "event 4", "event 5", "presence null"];
    assert_eq!(kinds(ResumeFrom::After(match_id, 2)).await, all);
    assert_eq!(kinds(ResumeFrom::After(match_id, 1)).await, ["snapshot 5"], "more than max_resync_events");
    assert_eq!(kinds(ResumeFrom::After(match_id, 6)).await, ["snapshot 5"], "the number does not exist yet");
    assert_eq!(
        kinds(ResumeFrom::After(quadrex_protocol::MatchId(ann.id.0), 4)).await,
        ["snapshot 5"],
        "another match"
    );
}

/// A private table is in no list and in no published change. Its host and its players find it in
/// their own lists.
#[tokio::test]
async fn the_lobby_lists_public_tables_and_publishes_changes() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let (subscriber, mut received) = listener();
    let _subscription = fixture.lobby.watch(subscriber).await.unwrap();
    let private = fixture.table(&ann, Privacy::Private, TimeSetting::None).await;
    let public = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    let listed: Vec<_> =
        fixture.lobby.list(PAGE).await.unwrap().tables.into_iter().map(|summary| summary.table).collect();
    assert_eq!(listed, [public.table()]);
    let mine = |tables: Vec<quadrex_protocol::http::TableSummary>| {
        tables.into_iter().map(|summary| summary.table).collect::<Vec<_>>()
    };
    assert_eq!(
        mine(fixture.lobby.tables_of(ann.id, PAGE).await.unwrap().0),
        [public.table(), private.table()]
    );
    assert_eq!(mine(fixture.lobby.tables_of(ben.id, PAGE).await.unwrap().0), []);

    let mut changes = Vec::new();
    let mut until = async |kind: &str| {
        while changes.last().is_none_or(|change: &serde_json::Value| change["t"] != kind) {
            let change = tokio::time::timeout(PATIENCE, received.recv()).await.expect("it comes in time");
            changes.push(json_of(&change.unwrap()));
        }
    };
    until("lobby_table").await;
    done(send(&public, &ben, "b1", sit()).await);
    done(send(&public, &ben, "b2", Action::Resign).await);
    until("lobby_removed").await;
    let text = serde_json::to_string(&changes).unwrap();
    assert!(text.contains(&public.table().to_string()));
    assert!(!text.contains(&private.table().to_string()), "{text}");
}

/// A corrupt log is not changed, and the other matches are resumed. A request for its table is
/// answered with a fault.
#[tokio::test]
async fn a_corrupt_match_does_not_block_the_others() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let broken = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    let sound = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    let match_id = match_of(&broken);
    let epoch = fixture.store.claim(match_id).await.unwrap().unwrap();
    let nonsense = vec![Event::Vacated { color: Color::Black, reason: VacateReason::Left }];
    let append = Append {
        match_id,
        epoch,
        head_seq: 2,
        at: Clock::system().now(),
        events: nonsense,
        holders: None,
        by: None,
        next: None,
    };
    fixture.store.append(&append).await.unwrap();
    fixture.lobby.stop().await;

    let fixture = fixture.again().await;
    assert!(fixture.lobby.find(broken.table()).await.is_err());
    let sound = fixture.find(sound.table()).await;
    assert_eq!(done(send(&sound, &ben, "b1", sit()).await), 4);
}

/// An expired link ends its subscriptions, without a message that would wake the table.
#[tokio::test]
async fn an_expired_link_ends_the_subscriptions_by_it() {
    let fixture = Fixture::open().await;
    let ada = fixture.user("Ada").await;
    let table = fixture.table(&ada, Privacy::Private, TimeSetting::None).await;
    let expires_at = Clock::system().now() + Duration::from_millis(300);
    let secret_hash = SecretHash([7; 32]);
    let link = Some(AccessLink { secret_hash, expires_at });
    let watcher = |viewer| Watcher { link, ..watcher_info(viewer, WatchRight::Unconditional) };
    let (host_listener, mut host_received) = listener();
    let host = table.watch(watcher(Viewer::User(ada.id)), ResumeFrom::Nothing, host_listener).await.unwrap();
    let (stranger_listener, _received) = listener();
    let stranger =
        table.watch(watcher(Viewer::Anonymous), ResumeFrom::Nothing, stranger_listener).await.unwrap();
    let ended = async {
        loop {
            let publication: Publication = host_received.recv().await.unwrap();
            if let PublicationKind::LinksEnded { links, members } = publication.kind {
                break (links, members);
            }
        }
    };
    let ended = tokio::time::timeout(PATIENCE, ended).await;
    let (links, members) = ended.expect("the table wakes at the expiry");
    assert_eq!(links, [secret_hash]);
    assert!(members.contains(&ada.id), "the host keeps watching");
    assert!(Clock::system().now() >= expires_at, "the link has not expired yet");
    let spectators = async {
        while table.overview().status.spectators > 0 {
            host_received.recv().await.unwrap();
        }
    };
    tokio::time::timeout(PATIENCE, spectators).await.expect("only the host is there");
    drop((host, stranger));
}
