//! Tests of the writer with a fake database. The test decides the end of each transaction.

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

/// The end of a transaction.
enum End {
    /// All appends succeed, except those of this match, if given.
    AllBut(Option<u128>),
    Refused,
    Unreachable,
    Lost,
    Silent,
    Panic,
}

/// A database under the control of the test.
#[derive(Clone)]
struct Fake(Arc<Ends>);

struct Ends {
    /// The matches of each transaction, in order.
    transactions: Mutex<Vec<Vec<u128>>>,
    /// A permit for each transaction that has begun.
    began: Semaphore,
    /// A permit for each transaction that may end.
    may_end: Semaphore,
    /// The ends of the next transactions. Later transactions succeed.
    ends: Mutex<VecDeque<End>>,
}

impl Fake {
    async fn transaction(&self, matches: Vec<u128>) -> Result<Option<u128>, Failure> {
        self.0.transactions.lock().unwrap().push(matches);
        self.0.began.add_permits(1);
        self.0.may_end.acquire().await.unwrap().forget();
        let error = || sqlx::Error::Io(std::io::Error::other("simulated"));
        let end = self.0.ends.lock().unwrap().pop_front();
        match end {
            None => Ok(None),
            Some(End::AllBut(refused)) => Ok(refused),
            Some(End::Refused) => Err(Failure::Refused(AppendError::Fault(fault("simulated")))),
            Some(End::Unreachable) => Err(Failure::Unreachable(error())),
            Some(End::Lost) => Err(Failure::Lost(error())),
            Some(End::Silent) => Err(Failure::Silent(error())),
            Some(End::Panic) => panic!("simulated"),
        }
    }
}

impl Commit for Fake {
    async fn commit_batch(
        &self,
        entries: &[&EncodedAppend],
    ) -> Result<std::collections::HashSet<MatchId>, Failure> {
        let matches: Vec<_> = entries.iter().map(|entry| entry.match_id.0.as_u128()).collect();
        let refused = self.transaction(matches.clone()).await?;
        let passed = matches.into_iter().filter(|&number| Some(number) != refused);
        Ok(passed.map(|number| MatchId(Uuid::from_u128(number))).collect())
    }

    async fn commit_single(&self, entry: &EncodedAppend) -> Result<(), Failure> {
        let number = entry.match_id.0.as_u128();
        match self.transaction(vec![number]).await? {
            Some(refused) if refused == number => Err(Failure::Refused(AppendError::Fenced)),
            _ => Ok(()),
        }
    }
}

type Outcome = Result<u64, AppendError>;
type Pending = Pin<Box<dyn Future<Output = Outcome>>>;

/// A writer with a fake database.
struct Fixture {
    writers: Writers,
    fake: Fake,
}

impl Fixture {
    fn new(max_events: usize, ends: impl IntoIterator<Item = End>) -> Self {
        Self::with_mailbox(max_events, ends, MAILBOX_CAPACITY)
    }

    fn with_mailbox(max_events: usize, ends: impl IntoIterator<Item = End>, mailbox: usize) -> Self {
        let fake = Fake(Arc::new(Ends {
            transactions: Mutex::default(),
            began: Semaphore::new(0),
            may_end: Semaphore::new(0),
            ends: Mutex::new([End::AllBut(None)].into_iter().chain(ends).collect()),
        }));
        let grouping = CommitGrouping { connections: 1, max_events };
        let writers = Writers::start_with(&fake, grouping, mailbox, Duration::from_millis(5));
        Self { writers, fake }
    }

    /// Starts an append of match 0 that does not finish yet, so that all later appends wait.
    async fn block(&self) -> Pending {
        let blocked = self.send(entry(0, 1));
        self.fake.0.began.acquire().await.unwrap().forget();
        blocked
    }

    /// Puts an append into the mailbox.
    fn send(&self, entry: EncodedAppend) -> Pending {
        let writers = self.writers.clone();
        let mut pending: Pending = Box::pin(async move { writers.append(entry).await });
        assert!((&mut pending).now_or_never().is_none(), "it was answered before anything was written");
        pending
    }

    fn release(&self) {
        self.fake.0.may_end.add_permits(1_000);
    }

    fn transactions(&self) -> Vec<Vec<u128>> {
        self.fake.0.transactions.lock().unwrap().clone()
    }
}

/// Returns an append of this number of events after the tenth.
fn entry(number: u128, events: usize) -> EncodedAppend {
    EncodedAppend {
        match_id: MatchId(Uuid::from_u128(number)),
        epoch: Epoch::FIRST,
        head_seq: 10,
        at: Timestamp::from_millis(1),
        events: vec!["{}".to_owned(); events],
        phase: None,
        holders: None,
        by: None,
        next: None,
    }
}

/// Returns an append whose author redeems a link, which changes other rows too.
fn compound(number: u128) -> EncodedAppend {
    let (user, command_id) = (UserId(Uuid::from_u128(1)), "sit".parse().unwrap());
    EncodedAppend {
        by: Some(Author { user, command_id, redeem: Some(SecretHash([1; 32])) }),
        ..entry(number, 1)
    }
}

async fn outcomes(pending: Vec<Pending>) -> Vec<String> {
    let name = |outcome: Outcome| match outcome {
        Ok(head) => head.to_string(),
        Err(AppendError::Fenced) => "fenced".to_owned(),
        Err(AppendError::Unknown(_)) => "unknown".to_owned(),
        Err(AppendError::Fault(_)) => "fault".to_owned(),
        Err(other) => other.to_string(),
    };
    futures_util::future::join_all(pending).await.into_iter().map(name).collect()
}

#[tokio::test]
async fn appends_that_arrive_during_a_commit_share_the_next() {
    let fixture = Fixture::new(100, []);
    let blocked = fixture.block().await;
    let pending = (1..=5).map(|number| fixture.send(entry(number, number as usize))).collect();
    fixture.release();
    assert_eq!(outcomes(vec![blocked]).await, ["11"]);
    assert_eq!(outcomes(pending).await, ["11", "12", "13", "14", "15"]);
    assert_eq!(fixture.transactions(), [vec![0], vec![1, 2, 3, 4, 5]]);
}

#[tokio::test]
async fn a_commit_stays_within_its_limits() {
    let fixture = Fixture::new(4, []);
    let large = EncodedAppend { events: vec!["x".repeat(2 * 1024 * 1024)], ..entry(5, 1) };
    let blocked = fixture.block().await;
    let pending = [entry(1, 2), entry(2, 3), entry(3, 2), entry(4, 9), large, entry(6, 1)];
    let pending = pending.into_iter().map(|entry| fixture.send(entry)).collect();
    fixture.release();
    assert_eq!(outcomes(pending).await, ["12", "13", "12", "19", "11", "11"]);
    assert_eq!(fixture.transactions(), [vec![0], vec![1, 3], vec![2, 6], vec![4], vec![5]]);
    drop(blocked);
}

/// The second append of a match waits for the first. A compound append is committed alone, and an
/// append after it waits for it.
#[tokio::test]
async fn appends_of_a_match_keep_their_order() {
    let fixture = Fixture::new(100, []);
    let blocked = fixture.block().await;
    let pending = [entry(1, 1), entry(2, 1), entry(1, 2), compound(3), entry(3, 4), entry(4, 1)];
    let pending = pending.into_iter().map(|entry| fixture.send(entry)).collect();
    fixture.release();
    assert_eq!(outcomes(pending).await, ["11", "11", "12", "11", "14", "11"]);
    assert_eq!(fixture.transactions(), [vec![0], vec![1, 2, 4], vec![1], vec![3], vec![3]]);
    drop(blocked);
}

#[tokio::test]
async fn a_refused_append_fails_alone() {
    let fixture = Fixture::new(100, [End::AllBut(Some(2)), End::AllBut(Some(2))]);
    let blocked = fixture.block().await;
    let pending = (1..=3).map(|number| fixture.send(entry(number, 1))).collect();
    fixture.release();
    assert_eq!(outcomes(pending).await, ["11", "fenced", "11"]);
    assert_eq!(fixture.transactions(), [vec![0], vec![1, 2, 3], vec![2]]);
    drop(blocked);
}

#[tokio::test]
async fn appends_of_a_refused_batch_are_retried_one_by_one() {
    let fixture = Fixture::new(100, [End::Refused, End::AllBut(None), End::Refused]);
    let blocked = fixture.block().await;
    let pending = (1..=3).map(|number| fixture.send(entry(number, 1))).collect();
    fixture.release();
    assert_eq!(outcomes(pending).await, ["11", "fault", "11"]);
    assert_eq!(fixture.transactions(), [vec![0], vec![1, 2, 3], vec![1], vec![2], vec![3]]);
    drop(blocked);
}

/// After a broken connection or a bug, the outcome of a batch is unknown; other batches are not
/// affected.
#[tokio::test]
async fn a_batch_with_an_unknown_outcome_does_not_affect_the_next() {
    for end in [End::Lost, End::Panic] {
        let fixture = Fixture::new(2, [end]);
        let blocked = fixture.block().await;
        let pending = (1..=3).map(|number| fixture.send(entry(number, 1))).collect();
        fixture.release();
        assert_eq!(outcomes(pending).await, ["unknown", "unknown", "11"]);
        assert_eq!(fixture.transactions(), [vec![0], vec![1, 2], vec![3]]);
        assert_eq!(outcomes(vec![blocked, fixture.send(entry(4, 1))]).await, ["11", "11"]);
    }
}

/// After a timeout, the appends that wait behind it fail at once and are not written.
#[tokio::test]
async fn waiting_appends_fail_when_the_database_is_unavailable() {
    for (end, outcome) in [(End::Silent, "unknown"), (End::Unreachable, "fault")] {
        let fixture = Fixture::new(2, [end]);
        let blocked = fixture.block().await;
        let pending = (1..=4).map(|number| fixture.send(entry(number, 1))).collect();
        fixture.release();
        assert_eq!(outcomes(pending).await, [outcome, outcome, "fault", "fault"]);
        assert_eq!(fixture.transactions(), [vec![0], vec![1, 2]]);
        assert_eq!(outcomes(vec![blocked, fixture.send(entry(4, 1))]).await, ["11", "11"]);
    }
}

/// After a timeout of an append that is retried alone, the other appends of its batch fail at once
/// too.
#[tokio::test]
async fn appends_after_an_unavailable_database_are_not_retried() {
    let fixture = Fixture::new(100, [End::Refused, End::AllBut(None), End::Silent]);
    let blocked = fixture.block().await;
    let pending = (1..=4).map(|number| fixture.send(entry(number, 1))).collect();
    fixture.release();
    assert_eq!(outcomes(pending).await, ["11", "unknown", "fault", "fault"]);
    assert_eq!(fixture.transactions(), [vec![0], vec![1, 2, 3, 4], vec![1], vec![2]]);
    drop(blocked);
}

#[tokio::test]
async fn only_an_append_without_a_receiver_is_dropped() {
    let fixture = Fixture::new(100, []);
    drop(fixture.block().await);
    let gone = fixture.send(entry(1, 1));
    let pending = (2..=4).map(|number| fixture.send(entry(number, 1))).collect();
    drop(gone);
    fixture.release();
    assert_eq!(outcomes(pending).await, ["11", "11", "11"]);
    assert_eq!(fixture.transactions(), [vec![0], vec![2, 3, 4]]);
}

#[tokio::test]
async fn an_append_to_a_full_mailbox_fails_after_a_timeout() {
    let fixture = Fixture::with_mailbox(100, [], 2);
    let blocked = fixture.block().await;
    let pending = vec![fixture.send(entry(1, 1)), fixture.send(entry(2, 1))];
    let refused = fixture.send(entry(3, 1)).await.unwrap_err();
    assert!(matches!(refused, AppendError::Fault(_)), "{refused:?}");
    let text = crate::error_chain::chain(&refused);
    assert!(
        text.ends_with("append to a match: 2 appends wait for the database, and no place came free in 5ms"),
        "{text}"
    );
    fixture.release();
    assert_eq!(outcomes(vec![blocked]).await, ["11"]);
    assert_eq!(outcomes(pending).await, ["11", "11"]);
    assert_eq!(fixture.transactions(), [vec![0], vec![1, 2]], "the refused one was not written");
}

#[tokio::test]
async fn closing_waits_for_all_accepted_appends_and_accepts_no_more() {
    let fixture = Fixture::new(2, []);
    let blocked = fixture.block().await;
    let pending = (1..=4).map(|number| fixture.send(entry(number, 1))).collect();
    let mut closing = Box::pin(fixture.writers.close());
    assert!((&mut closing).now_or_never().is_none(), "it closed before all was written");
    fixture.release();
    closing.await;
    assert_eq!(fixture.transactions(), [vec![0], vec![1, 2], vec![3, 4]]);
    assert_eq!(outcomes(vec![blocked]).await, ["11"]);
    assert_eq!(outcomes(pending).await, ["11"; 4]);
    let late = fixture.writers.append(entry(5, 1)).await.unwrap_err();
    assert!(crate::error_chain::chain(&late).ends_with("the store is closed"), "{late:?}");
    fixture.writers.close().await;
}

#[tokio::test]
async fn each_match_always_uses_the_same_connection() {
    let fake = Fixture::new(1, []).fake;
    let writers = Writers::start(&fake, CommitGrouping { connections: 3, max_events: 1 });
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
