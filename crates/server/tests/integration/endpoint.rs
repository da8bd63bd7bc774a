//! Endpoints of tables: handles, messages and subscriptions outlive the actor that serves them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::FutureExt;
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, RequestAction};
use quadrex_rules::{Color, Variant};
use quadrex_server::actor::{ActorGone, BotRunner, ResumeFrom, TableHandle, WatchGuard, WatchRight};
use quadrex_server::bus::{Listener, Publication, PublicationKind};
use quadrex_server::lobby::TablePage;
use quadrex_table::{Action, BotTask, Viewer};
use tokio::sync::{mpsc, oneshot, watch};

use crate::fixture::{
    Fixture, PATIENCE, RecordingWatcher, listener, match_of, mv, nonce, request, send, sit, watcher_info,
};
use crate::tables::done;

/// A listener that panics at one publication. The actor of the table publishes, so it panics there.
struct Bomb {
    /// Returns whether the listener panics at a publication.
    is_target: fn(&Publication) -> bool,
    /// The number of panics that are left.
    left: AtomicU32,
    /// A signal for which the listener waits before it panics.
    release: Option<std::sync::Mutex<oneshot::Receiver<()>>>,
    /// Is notified when the listener has received its target.
    reached: mpsc::UnboundedSender<()>,
}

impl fmt::Debug for Bomb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bomb")
    }
}

impl Listener<Publication> for Bomb {
    fn notify(&self, item: &Publication) {
        if !(self.is_target)(item) || self.left.load(Ordering::SeqCst) == 0 {
            return;
        }
        self.left.fetch_sub(1, Ordering::SeqCst);
        self.reached.send(()).ok();
        if let Some(release) = &self.release {
            tokio::task::block_in_place(|| {
                let mut release = release.lock().unwrap();
                tokio::runtime::Handle::current().block_on(&mut *release).ok();
            });
        }
        panic!("a test wants the actor of a table to panic");
    }
}

/// Lets the actor of a table panic once when it publishes a target. Returns the subscription.
async fn plant(table: &TableHandle, is_target: fn(&Publication) -> bool) -> WatchGuard {
    let (reached, _) = mpsc::unbounded_channel();
    let bomb = Bomb { is_target, left: AtomicU32::new(1), release: None, reached };
    subscribe(table, bomb).await
}

async fn subscribe(table: &TableHandle, bomb: Bomb) -> WatchGuard {
    let watcher = watcher_info(Viewer::Anonymous, WatchRight::Unconditional);
    table.watch(watcher, ResumeFrom::Nothing, Arc::new(bomb)).await.expect("the table is there").0
}

fn is_event(publication: &Publication) -> bool {
    matches!(publication.kind, PublicationKind::Event { .. })
}

/// Returns the numbers of the events that a listener receives, up to the event `last`.
async fn events_until(last: u64, received: &mut mpsc::UnboundedReceiver<Publication>) -> Vec<u64> {
    let mut seqs = Vec::new();
    while seqs.last() != Some(&last) {
        let next = tokio::time::timeout(PATIENCE, received.recv()).await.expect("it comes in time");
        if let PublicationKind::Event { seq, .. } = next.expect("the listener is subscribed").kind {
            seqs.push(seq);
        }
    }
    seqs
}

async fn table_of(fixture: &Fixture, white: &UserView) -> TableHandle {
    fixture.table(white, Privacy::Public, TimeSetting::None).await
}

/// The command during which the actor panics is in the log. Sent again to the same handle, it gets
/// its answer from the next actor.
#[tokio::test]
async fn a_handle_outlives_the_actor_that_panicked() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = table_of(&fixture, &ann).await;
    let _bomb = plant(&table, is_event).await;
    assert_eq!(table.send_command(request(&ben, "sit", sit())).await, Err(ActorGone));
    assert_eq!(done(send(&table, &ben, "sit", sit()).await), 4);
    assert!(!table.is_gone());
    assert!(table.overview().is_claimed);
    let listed = fixture.lobby.list(TablePage { before: None, limit: 9 }).await.unwrap().tables;
    assert_eq!(listed.len(), 1);
}

/// Commands that wait in the mailbox when the actor panics are handled by the next actor.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn waiting_messages_are_handled_after_a_panic() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = table_of(&fixture, &ann).await;
    let (release, released) = oneshot::channel();
    let (reached, mut has_reached) = mpsc::unbounded_channel();
    let bomb = Bomb {
        is_target: is_event,
        left: AtomicU32::new(1),
        release: Some(std::sync::Mutex::new(released)),
        reached,
    };
    let _bomb = subscribe(&table, bomb).await;
    let panicking = tokio::spawn({
        let (table, ben) = (table.clone(), ben.clone());
        async move { table.send_command(request(&ben, "sit", sit())).await }
    });
    tokio::time::timeout(PATIENCE, has_reached.recv()).await.expect("the actor publishes the event");
    // The actor is busy, so this message waits in the mailbox.
    let mut waiting = Box::pin(table.send_command(request(&ann, "resign", Action::Resign)));
    assert_eq!((&mut waiting).now_or_never(), None);
    release.send(()).unwrap();
    assert_eq!(panicking.await.unwrap(), Err(ActorGone));
    let answer = tokio::time::timeout(PATIENCE, waiting).await.expect("the next actor answers");
    assert_eq!(done(answer.expect("the message was not lost")), 6, "after the start and an interruption");
}

/// The actor panics after it has appended two events and published one of them.
#[tokio::test]
async fn watchers_receive_every_event_once_across_a_panic() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = table_of(&fixture, &ann).await;
    let watch = async |viewer| {
        let (subscriber, received) = listener();
        let watcher = watcher_info(viewer, WatchRight::Unconditional);
        let (guard, _) = table.watch(watcher, ResumeFrom::Nothing, subscriber).await.unwrap();
        (guard, received)
    };
    let (_first, mut first) = watch(Viewer::User(ann.id)).await;
    let _bomb = plant(&table, is_event).await;
    let (_last, mut last) = watch(Viewer::Anonymous).await;
    assert_eq!(table.send_command(request(&ben, "sit", sit())).await, Err(ActorGone));
    assert_eq!(done(send(&table, &ann, "move", mv(5, "e2e4")).await), 6);
    assert_eq!(events_until(6, &mut first).await, [3, 4, 5, 6]);
    assert_eq!(events_until(6, &mut last).await, [3, 4, 5, 6]);
    assert_eq!(*table.overview().connected, [ann.id], "her connection counts as before");
}

/// The actor panics between the agreement to a rematch and the start of the next match.
#[tokio::test]
async fn the_next_match_is_published_after_a_panic() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = table_of(&fixture, &ann).await;
    done(send(&table, &ben, "sit", sit()).await);
    done(send(&table, &ann, "resign", Action::Resign).await);
    let rematch = |action| {
        let next = MatchId(Entropy::system().uuid(Clock::system().now()));
        Action::Rematch { action, nonce: nonce(), next }
    };
    done(send(&table, &ann, "ask", rematch(RequestAction::Ask)).await);
    let first_match = match_of(&table);
    let mut watcher = RecordingWatcher::new(&table, Viewer::Anonymous, ResumeFrom::Nothing).await;
    let _bomb = plant(&table, is_event).await;
    let accepted = table.send_command(request(&ben, "accept", rematch(RequestAction::Accept))).await;
    assert_eq!(accepted, Err(ActorGone));
    assert_eq!(watcher.next("event").await["event"]["type"], "rematch_agreed");
    assert_eq!(watcher.next("event").await["event"]["type"], "rematched");
    let snapshot = watcher.next("snapshot").await;
    assert_ne!(snapshot["match"], first_match.to_string());
    assert_eq!(snapshot["match"], match_of(&table).to_string());
    assert_eq!(done(send(&table, &ben, "move", mv(4, "e2e4")).await), 5, "Ben has White now");
}

/// The actor panics after it has appended that a user was kicked, and before it has ended the
/// user's subscription.
#[tokio::test]
async fn a_kicked_user_loses_the_subscription_after_a_panic() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let new_table = CreateTable::plain(Variant::Classic, Privacy::Public);
    let table = fixture.lobby.open(new_table, ann.clone(), Vec::new()).await.unwrap();
    done(send(&table, &ben, "sit", sit()).await);
    let (subscriber, mut received) = listener();
    let watcher = quadrex_server::actor::Watcher {
        may_stay_when_kicked: false,
        ..watcher_info(Viewer::User(ben.id), WatchRight::Unconditional)
    };
    let _watching = table.watch(watcher, ResumeFrom::Nothing, subscriber).await.unwrap();
    let _bomb = plant(&table, is_event).await;
    let kick = Action::Kick { color: Color::White };
    assert_eq!(table.send_command(request(&ann, "kick", kick)).await, Err(ActorGone));
    let kicked = async {
        loop {
            if let PublicationKind::Kicked { users } = received.recv().await.unwrap().kind {
                break users;
            }
        }
    };
    let kicked = tokio::time::timeout(PATIENCE, kicked).await.expect("the next actor notices the kick");
    assert_eq!(kicked, [ben.id]);
}

/// A runner of bots that panics whenever it is called.
#[derive(Debug, Default)]
struct PanickingRunner {
    panics: AtomicU32,
}

impl BotRunner for PanickingRunner {
    fn run_bots(&self, _: TableHandle, _: watch::Receiver<Option<Arc<BotTask>>>) {
        self.panics.fetch_add(1, Ordering::SeqCst);
        panic!("a test wants the actor of a table to panic");
    }
}

/// A table whose actors panic again and again gets another actor only after a pause, in which it
/// answers nothing. The server can stop in the pause.
#[tokio::test]
async fn a_table_whose_actors_always_panic_does_not_hold_up_the_stop() {
    let runner = Arc::new(PanickingRunner::default());
    let fixture = Fixture::open_with(runner.clone()).await;
    let ann = fixture.user("Ann").await;
    let bot = fixture.bot().await;
    let new_table =
        CreateTable { seat: Some(Color::White), ..CreateTable::plain(Variant::Classic, Privacy::Public) };
    let table = fixture.lobby.open(new_table, ann.clone(), vec![(None, bot)]).await.unwrap();
    done(send(&table, &ann, "move", mv(table.overview().head.seq, "e2e4")).await);
    let panicked_twice = async {
        while runner.panics.load(Ordering::SeqCst) < 2 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, panicked_twice).await.expect("the second actor panics too");
    let resign = table.send_command(request(&ann, "resign", Action::Resign)).await;
    assert_eq!(resign, Err(ActorGone), "a request does not wait for the end of the pause");
    tokio::time::timeout(PATIENCE, fixture.lobby.stop()).await.expect("the lobby stops");
    assert!(table.is_gone());
}
