//! Rematches at a table whose log another owner writes at the same time.

use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, RefusalCode, RequestAction};
use quadrex_server::actor::{ResumeFrom, TableHandle};
use quadrex_table::{Action, Viewer};

use crate::fixture::{Fixture, RecordingWatcher, match_of, mv, nonce, send, sit};
use crate::tables::{done, refused};

fn rematch(action: RequestAction) -> Action {
    let next = MatchId(Entropy::system().uuid(Clock::system().now()));
    Action::Rematch { action, nonce: nonce(), next }
}

/// Ends the match, and requests a rematch as `asker`. The command ids end with `round`.
async fn end_and_ask(table: &TableHandle, loser: &UserView, asker: &UserView, round: u32) {
    done(send(table, loser, &format!("resign-{round}"), Action::Resign).await);
    done(send(table, asker, &format!("ask-{round}"), rematch(RequestAction::Ask)).await);
}

/// Returns the next events and snapshots of a watcher: the type, the match and the number of each.
async fn receive(watcher: &mut RecordingWatcher, count: usize) -> Vec<(String, String, u64)> {
    let mut received = Vec::new();
    while received.len() < count {
        let frame = watcher.next_of_any().await;
        let kind = match frame["t"].as_str() {
            Some("event") => &frame["event"]["type"],
            Some("snapshot") => &frame["t"],
            _ => continue,
        };
        let match_id = frame["match"].as_str().unwrap().to_owned();
        received.push((kind.as_str().unwrap().to_owned(), match_id, frame["seq"].as_u64().unwrap()));
    }
    received
}

fn frame_of(kind: &str, match_id: MatchId, seq: u64) -> (String, String, u64) {
    (kind.to_owned(), match_id.to_string(), seq)
}

/// Another owner claims the match just before the last player agrees. The first owner claims it
/// again, and the next match begins once.
#[tokio::test]
async fn a_claim_lost_before_the_last_agreement_begins_one_match() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(send(&table, &ben, "sit", sit()).await);
    end_and_ask(&table, &ann, &ann, 0).await;
    let first = match_of(&table);
    let mut watcher = RecordingWatcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    fixture.store.claim(first).await.unwrap().unwrap();

    assert_eq!(done(send(&table, &ben, "accept", rematch(RequestAction::Accept)).await), 8);
    let next = match_of(&table);
    assert_ne!(next, first);
    let expected = [
        frame_of("rematch_agreed", first, 7),
        frame_of("rematched", first, 8),
        frame_of("snapshot", next, 4),
    ];
    assert_eq!(receive(&mut watcher, 3).await, expected);
    assert_eq!(done(send(&table, &ben, "move", mv(4, "e2e4")).await), 5, "Ben has White now");
    assert_eq!(fixture.store.events(first, 0).await.unwrap().len(), 8);
    assert_eq!(fixture.store.events(next, 0).await.unwrap().len(), 5);
}

/// Another owner has committed the last agreement, and in some cases a whole match and the next
/// agreement. The first owner continues with the newest match. Its watchers receive the rest of the
/// match they know, and then a snapshot of each later match before its events.
#[tokio::test]
async fn a_fenced_owner_continues_with_the_newest_match() {
    for matches in [1, 2] {
        let fixture = Fixture::open().await;
        let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
        let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
        done(send(&table, &ben, "sit", sit()).await);
        end_and_ask(&table, &ann, &ann, 0).await;
        let first = match_of(&table);
        let mut watcher = RecordingWatcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;

        let other = fixture.again().await;
        let other_table = other.find(table.table()).await;
        let mut nexts = Vec::new();
        for round in 1..=matches {
            done(send(&other_table, &ben, &format!("accept-{round}"), rematch(RequestAction::Accept)).await);
            nexts.push(match_of(&other_table));
            if round < matches {
                end_and_ask(&other_table, &ann, &ann, round).await;
            }
        }
        let newest = nexts[matches as usize - 1];

        // This goes to the table of the first owner, which still shows the first match.
        assert_eq!(match_of(&table), first);
        let message = ChatMessage::Text("hello".to_owned());
        let say = Action::Chat { room: Room::Seated, message };
        assert_eq!(done(send(&table, &ann, "say", say).await), 5);
        assert_eq!(match_of(&table), newest);
        let mut expected = vec![frame_of("rematch_agreed", first, 7), frame_of("rematched", first, 8)];
        expected.extend(nexts.iter().map(|next| {
            let head = if *next == newest { 4 } else { 8 };
            frame_of("snapshot", *next, head)
        }));
        expected.push(frame_of("message_sent", newest, 5));
        assert_eq!(receive(&mut watcher, expected.len()).await, expected);

        // A command that the other owner committed gets the same answer here while its match is the
        // previous match.
        let again = send(&table, &ben, "accept-1", rematch(RequestAction::Accept)).await;
        if matches == 1 {
            assert_eq!(done(again), 8);
        } else {
            assert_eq!(refused(again), RefusalCode::AlreadyStarted);
        }
        // The other owner is fenced in turn.
        assert_eq!(done(send(&other_table, &ann, "resign", Action::Resign).await), 6);
        assert_eq!(fixture.store.events(first, 0).await.unwrap().len(), 8);
    }
}
