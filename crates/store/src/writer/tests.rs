//! What the writer does, shown with a database that commits when it is told to and ends as it is told.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Mutex;

use futures_util::FutureExt;
use quadrex_protocol::{MatchId, UserId};
use quadrex_rules::Timestamp;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::*;
use crate::{Author, Epoch, SecretHash};

/// How a transaction ends.
enum End {
    /// All pass but the appends of this match, if one is named.
    AllBut(Option<u128>),
    Refused,
    Unreachable,
    Lost,
    Silent,
    Panic,
}

/// A database of which the test holds both ends.
#[derive(Clone)]
struct Fake(Arc<Ends>);

struct Ends {
    /// The matches of each transaction, in the order they were asked.
    asked: Mutex<Vec<Vec<u128>>>,
    /// Tells of each transaction that begins.
    began: Semaphore,
    /// Lets a transaction end.
    may_end: Semaphore,
    /// How the next ones end; well if nothing is said.
    ends: Mutex<VecDeque<End>>,
}

impl Fake {
    async fn transaction(&self, matches: Vec<u128>) -> Result<Option<u128>, Failure> {
        self.0.asked.lock().unwrap().push(matches);
        self.0.began.add_permits(1);
        self.0.may_end.acquire().await.unwrap().forget();
        let error = || sqlx::Error::Io(std::io::Error::other("as told"));
        let end = self.0.ends.lock().unwrap().pop_front();
        match end {
            None => Ok(None),
            Some(End::AllBut(refused)) => Ok(refused),
            Some(End::Refused) => Err(Failure::Refused(AppendError::Fault(fault("as told")))),
            Some(End::Unreachable) => Err(Failure::Unreachable(error())),
            Some(End::Lost) => Err(Failure::Lost(error())),
            Some(End::Silent) => Err(Failure::Silent(error())),
            Some(End::Panic) => panic!("as told"),
        }
    }
}

impl Commit for Fake {
    async fn together(&self, entries: &[&Entry]) -> Result<std::collections::HashSet<MatchId>, Failure> {
        let matches: Vec<_> = entries.iter().map(|entry| entry.match_id.0.as_u128()).collect();
        let refused = self.transaction(matches.clone()).await?;
        let passed = matches.into_iter().filter(|&number| Some(number) != refused);
        Ok(passed.map(|number| MatchId(Uuid::from_u128(number))).collect())
    }

    async fn alone(&self, entry: &Entry) -> Result<(), Failure> {
        let number = entry.match_id.0.as_u128();
        match self.transaction(vec![number]).await? {
            Some(refused) if refused == number => Err(Failure::Refused(AppendError::Fenced)),
            _ => Ok(()),
        }
    }
}

type Outcome = Result<u64, AppendError>;
type Asked = Pin<Box<dyn Future<Output = Outcome>>>;

/// A writer over such a database.
struct Desk {
    writers: Writers,
    fake: Fake,
}

impl Desk {
    fn new(events_at_once: usize, ends: impl IntoIterator<Item = End>) -> Self {
        Self::with_places(events_at_once, ends, MAILBOX)
    }

    fn with_places(events_at_once: usize, ends: impl IntoIterator<Item = End>, mailbox: usize) -> Self {
        let fake = Fake(Arc::new(Ends {
            asked: Mutex::default(),
            began: Semaphore::new(0),
            may_end: Semaphore::new(0),
            ends: Mutex::new([End::AllBut(None)].into_iter().chain(ends).collect()),
        }));
        let grouping = Grouping { connections: 1, events_at_once };
        let writers = Writers::start_within(&fake, grouping, mailbox, Duration::from_millis(5));
        Self { writers, fake }
    }

    /// Has an append of match 0 be under way, so that all that comes now must wait.
    async fn hold(&self) -> Asked {
        let held = self.ask(entry(0, 1));
        self.fake.0.began.acquire().await.unwrap().forget();
        held
    }

    /// Puts an append into the mailbox.
    fn ask(&self, entry: Entry) -> Asked {
        let writers = self.writers.clone();
        let mut asked: Asked = Box::pin(async move { writers.append(entry).await });
        assert!((&mut asked).now_or_never().is_none(), "it was answered before anything was written");
        asked
    }

    fn release(&self) {
        self.fake.0.may_end.add_permits(1_000);
    }

    fn asked(&self) -> Vec<Vec<u128>> {
        self.fake.0.asked.lock().unwrap().clone()
    }
}

/// An append of so many events after the tenth.
fn entry(number: u128, events: usize) -> Entry {
    Entry {
        match_id: MatchId(Uuid::from_u128(number)),
        epoch: Epoch::FIRST,
        head_seq: 10,
        at: Timestamp::from_millis(1),
        events: vec!["{}".to_owned(); events],
        phase: None,
        by: None,
        next: None,
    }
}

/// An append that does more than append.
fn compound(number: u128) -> Entry {
    let (user, cmd) = (UserId(Uuid::from_u128(1)), "sit".parse().unwrap());
    Entry { by: Some(Author { user, cmd, redeem: Some(SecretHash([1; 32])) }), ..entry(number, 1) }
}

async fn outcomes(asked: Vec<Asked>) -> Vec<String> {
    let told = |outcome: Outcome| match outcome {
        Ok(head) => head.to_string(),
        Err(AppendError::Fenced) => "fenced".to_owned(),
        Err(AppendError::Unknown(_)) => "unknown".to_owned(),
        Err(AppendError::Fault(_)) => "fault".to_owned(),
        Err(other) => other.to_string(),
    };
    futures_util::future::join_all(asked).await.into_iter().map(told).collect()
}

#[tokio::test]
async fn all_that_came_during_a_commit_share_the_next() {
    let desk = Desk::new(100, []);
    let held = desk.hold().await;
    let asked = (1..=5).map(|number| desk.ask(entry(number, number as usize))).collect();
    desk.release();
    assert_eq!(outcomes(vec![held]).await, ["11"]);
    assert_eq!(outcomes(asked).await, ["11", "12", "13", "14", "15"]);
    assert_eq!(desk.asked(), [vec![0], vec![1, 2, 3, 4, 5]]);
}

#[tokio::test]
async fn a_commit_takes_no_more_than_its_bounds() {
    let desk = Desk::new(4, []);
    let large = Entry { events: vec!["x".repeat(2 * 1024 * 1024)], ..entry(5, 1) };
    let held = desk.hold().await;
    let asked = [entry(1, 2), entry(2, 3), entry(3, 2), entry(4, 9), large, entry(6, 1)];
    let asked = asked.into_iter().map(|entry| desk.ask(entry)).collect();
    desk.release();
    assert_eq!(outcomes(asked).await, ["12", "13", "12", "19", "11", "11"]);
    assert_eq!(desk.asked(), [vec![0], vec![1, 3], vec![2, 6], vec![4], vec![5]]);
    drop(held);
}

/// The second append of a match waits for the first, and so does what comes after a compound one, which goes alone.
#[tokio::test]
async fn appends_of_a_match_keep_their_order() {
    let desk = Desk::new(100, []);
    let held = desk.hold().await;
    let asked = [entry(1, 1), entry(2, 1), entry(1, 2), compound(3), entry(3, 4), entry(4, 1)];
    let asked = asked.into_iter().map(|entry| desk.ask(entry)).collect();
    desk.release();
    assert_eq!(outcomes(asked).await, ["11", "11", "12", "11", "14", "11"]);
    assert_eq!(desk.asked(), [vec![0], vec![1, 2, 4], vec![1], vec![3], vec![3]]);
    drop(held);
}

#[tokio::test]
async fn who_is_refused_is_told_alone() {
    let desk = Desk::new(100, [End::AllBut(Some(2)), End::AllBut(Some(2))]);
    let held = desk.hold().await;
    let asked = (1..=3).map(|number| desk.ask(entry(number, 1))).collect();
    desk.release();
    assert_eq!(outcomes(asked).await, ["11", "fenced", "11"]);
    assert_eq!(desk.asked(), [vec![0], vec![1, 2, 3], vec![2]]);
    drop(held);
}

#[tokio::test]
async fn a_batch_that_is_refused_is_tried_one_by_one() {
    let desk = Desk::new(100, [End::Refused, End::AllBut(None), End::Refused]);
    let held = desk.hold().await;
    let asked = (1..=3).map(|number| desk.ask(entry(number, 1))).collect();
    desk.release();
    assert_eq!(outcomes(asked).await, ["11", "fault", "11"]);
    assert_eq!(desk.asked(), [vec![0], vec![1, 2, 3], vec![1], vec![2], vec![3]]);
    drop(held);
}

/// A broken line leaves its own batch in doubt and no other; so does a bug.
#[tokio::test]
async fn a_batch_of_unknown_outcome_is_told_so_and_the_next_goes_on() {
    for end in [End::Lost, End::Panic] {
        let desk = Desk::new(2, [end]);
        let held = desk.hold().await;
        let asked = (1..=3).map(|number| desk.ask(entry(number, 1))).collect();
        desk.release();
        assert_eq!(outcomes(asked).await, ["unknown", "unknown", "11"]);
        assert_eq!(desk.asked(), [vec![0], vec![1, 2], vec![3]]);
        assert_eq!(outcomes(vec![held, desk.ask(entry(4, 1))]).await, ["11", "11"]);
    }
}

/// Who waits behind an answer that did not come in time does not wait as long again, and is not written.
#[tokio::test]
async fn a_database_that_is_gone_is_not_waited_for_again() {
    for (end, told) in [(End::Silent, "unknown"), (End::Unreachable, "fault")] {
        let desk = Desk::new(2, [end]);
        let held = desk.hold().await;
        let asked = (1..=4).map(|number| desk.ask(entry(number, 1))).collect();
        desk.release();
        assert_eq!(outcomes(asked).await, [told, told, "fault", "fault"]);
        assert_eq!(desk.asked(), [vec![0], vec![1, 2]]);
        assert_eq!(outcomes(vec![held, desk.ask(entry(4, 1))]).await, ["11", "11"]);
    }
}

/// Of those that are tried one by one too.
#[tokio::test]
async fn a_database_that_goes_while_single_ones_are_tried_leaves_the_rest_unwritten() {
    let desk = Desk::new(100, [End::Refused, End::AllBut(None), End::Silent]);
    let held = desk.hold().await;
    let asked = (1..=4).map(|number| desk.ask(entry(number, 1))).collect();
    desk.release();
    assert_eq!(outcomes(asked).await, ["11", "unknown", "fault", "fault"]);
    assert_eq!(desk.asked(), [vec![0], vec![1, 2, 3, 4], vec![1], vec![2]]);
    drop(held);
}

#[tokio::test]
async fn who_does_not_wait_any_more_is_not_written_and_nobody_else_is_lost() {
    let desk = Desk::new(100, []);
    drop(desk.hold().await);
    let gone = desk.ask(entry(1, 1));
    let asked = (2..=4).map(|number| desk.ask(entry(number, 1))).collect();
    drop(gone);
    desk.release();
    assert_eq!(outcomes(asked).await, ["11", "11", "11"]);
    assert_eq!(desk.asked(), [vec![0], vec![2, 3, 4]]);
}

#[tokio::test]
async fn a_full_mailbox_is_a_fault_after_a_while_and_not_a_loss() {
    let desk = Desk::with_places(100, [], 2);
    let held = desk.hold().await;
    let asked = vec![desk.ask(entry(1, 1)), desk.ask(entry(2, 1))];
    let refused = desk.ask(entry(3, 1)).await.unwrap_err();
    assert!(matches!(refused, AppendError::Fault(_)), "{refused:?}");
    let text = crate::error_chain::chain(&refused);
    assert!(
        text.ends_with("append to a match: 2 appends wait for the database, and no place came free in 5ms"),
        "{text}"
    );
    desk.release();
    assert_eq!(outcomes(vec![held]).await, ["11"]);
    assert_eq!(outcomes(asked).await, ["11", "11"]);
    assert_eq!(desk.asked(), [vec![0], vec![1, 2]], "the refused one was not written");
}

#[tokio::test]
async fn closing_waits_for_all_that_was_taken_and_lets_nothing_more_in() {
    let desk = Desk::new(2, []);
    let held = desk.hold().await;
    let asked = (1..=4).map(|number| desk.ask(entry(number, 1))).collect();
    let mut closing = Box::pin(desk.writers.close());
    assert!((&mut closing).now_or_never().is_none(), "it closed before all was written");
    desk.release();
    closing.await;
    assert_eq!(desk.asked(), [vec![0], vec![1, 2], vec![3, 4]]);
    assert_eq!(outcomes(vec![held]).await, ["11"]);
    assert_eq!(outcomes(asked).await, ["11"; 4]);
    let late = desk.writers.append(entry(5, 1)).await.unwrap_err();
    assert!(crate::error_chain::chain(&late).ends_with("the store is closed"), "{late:?}");
    desk.writers.close().await;
}

#[tokio::test]
async fn matches_are_spread_over_all_connections_and_each_stays_at_its_own() {
    let fake = Desk::new(1, []).fake;
    let writers = Writers::start(&fake, Grouping { connections: 3, events_at_once: 1 });
    let place = |number| {
        let mailbox = writers.mailbox(MatchId(Uuid::from_u128(number)));
        writers.mailboxes.iter().position(|other| other.same_channel(mailbox)).unwrap()
    };
    let places: Vec<_> = (0..300).map(place).collect();
    assert_eq!(places, (0..300).map(place).collect::<Vec<_>>());
    for connection in 0..3 {
        assert_eq!(places.iter().filter(|&&place| place == connection).count(), 100);
    }
}
