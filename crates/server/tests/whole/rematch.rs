//! Another match at a table whose log somebody else writes meanwhile.

use quadrex_protocol::chat::{Room, Words};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, RefusalCode, RequestAct};
use quadrex_server::bus::Viewer;
use quadrex_server::clock::Clock;
use quadrex_server::entropy::Entropy;
use quadrex_server::table::{Action, ResumeFrom, TableHandle};

use crate::hall::{Hall, Watcher, ask, match_of, mv, nonce, sit};
use crate::tables::{done, refused};

fn rematch(act: RequestAct) -> Action {
    let next = MatchId(Entropy::system().uuid(Clock::system().now()));
    Action::Rematch { act, nonce: nonce(), next }
}

/// The match ends, and `asker` asks for another; the commands' names end with `round`.
async fn end_and_ask(table: &TableHandle, loser: &UserView, asker: &UserView, round: u32) {
    done(ask(table, loser, &format!("resign-{round}"), Action::Resign).await);
    done(ask(table, asker, &format!("ask-{round}"), rematch(RequestAct::Ask)).await);
}

/// The events and snapshots that a watcher is told next: the type, the match and the number of each.
async fn told(watcher: &mut Watcher, count: usize) -> Vec<(String, String, u64)> {
    let mut told = Vec::new();
    while told.len() < count {
        let frame = watcher.next_of_any().await;
        let kind = match frame["t"].as_str() {
            Some("event") => &frame["event"]["type"],
            Some("snapshot") => &frame["t"],
            _ => continue,
        };
        let match_id = frame["match"].as_str().unwrap().to_owned();
        told.push((kind.as_str().unwrap().to_owned(), match_id, frame["seq"].as_u64().unwrap()));
    }
    told
}

fn told_of(kind: &str, match_id: MatchId, seq: u64) -> (String, String, u64) {
    (kind.to_owned(), match_id.to_string(), seq)
}

/// The claim is taken by somebody else just before the last player agrees: the first owner takes it back, and the next
/// match begins once.
#[tokio::test]
async fn a_claim_lost_before_the_last_agreement_begins_one_match() {
    let hall = Hall::open().await;
    let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
    let table = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(ask(&table, &ben, "sit", sit()).await);
    end_and_ask(&table, &ann, &ann, 0).await;
    let first = match_of(&table);
    let mut watcher = Watcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    hall.store.claim(first).await.unwrap().unwrap();

    assert_eq!(done(ask(&table, &ben, "accept", rematch(RequestAct::Accept)).await), 8);
    let next = match_of(&table);
    assert_ne!(next, first);
    let expected =
        [told_of("rematch_agreed", first, 7), told_of("rematched", first, 8), told_of("snapshot", next, 4)];
    assert_eq!(told(&mut watcher, 3).await, expected);
    assert_eq!(done(ask(&table, &ben, "move", mv(4, "e2e4")).await), 5, "Ben has White now");
    assert_eq!(hall.store.events(first, 0).await.unwrap().len(), 8);
    assert_eq!(hall.store.events(next, 0).await.unwrap().len(), 5);
}

/// Another owner has carried out the last agreement, and perhaps a whole match and the next agreement too: the first
/// owner goes on to the newest match. Its watchers are told all of the match they know, and are shown each later one
/// before anything else of it.
#[tokio::test]
async fn an_owner_that_was_fenced_goes_on_to_the_newest_match() {
    for matches in [1, 2] {
        let hall = Hall::open().await;
        let (ann, ben) = (hall.user("Ann").await, hall.user("Ben").await);
        let table = hall.table(&ann, Privacy::Public, TimeSetting::None).await;
        done(ask(&table, &ben, "sit", sit()).await);
        end_and_ask(&table, &ann, &ann, 0).await;
        let first = match_of(&table);
        let mut watcher = Watcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;

        let other = hall.again().await;
        let elsewhere = other.find(table.table()).await;
        let mut nexts = Vec::new();
        for round in 1..=matches {
            done(ask(&elsewhere, &ben, &format!("accept-{round}"), rematch(RequestAct::Accept)).await);
            nexts.push(match_of(&elsewhere));
            if round < matches {
                end_and_ask(&elsewhere, &ann, &ann, round).await;
            }
        }
        let newest = nexts[matches as usize - 1];

        // Said at the first owner's table, which still shows the first match.
        assert_eq!(match_of(&table), first);
        let words = Words::Text("hello".to_owned());
        let say = Action::Chat { room: Room::Seated, words };
        assert_eq!(done(ask(&table, &ann, "say", say).await), 5);
        assert_eq!(match_of(&table), newest);
        let mut expected = vec![told_of("rematch_agreed", first, 7), told_of("rematched", first, 8)];
        expected.extend(nexts.iter().map(|next| {
            let head = if *next == newest { 4 } else { 8 };
            told_of("snapshot", *next, head)
        }));
        expected.push(told_of("said", newest, 5));
        assert_eq!(told(&mut watcher, expected.len()).await, expected);

        // The command that another owner carried out gets the same answer here while its match is the one before.
        let again = ask(&table, &ben, "accept-1", rematch(RequestAct::Accept)).await;
        if matches == 1 {
            assert_eq!(done(again), 8);
        } else {
            assert_eq!(refused(again), RefusalCode::AlreadyStarted);
        }
        // The other one notices in its turn.
        assert_eq!(done(ask(&elsewhere, &ann, "resign", Action::Resign).await), 6);
        assert_eq!(hall.store.events(first, 0).await.unwrap().len(), 8);
    }
}
