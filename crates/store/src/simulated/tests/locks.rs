//! Tests of the server lock and of the sessions of nodes.

use std::time::Duration;

use uuid::Uuid;

use super::super::{Access, Fault, SimulatedDatabase};
use super::{CUT_OFF, NOW, World, in_time};
use crate::{
    DEAD_AFTER, LEASE_DURATION, Location, LockAttempt, LockClaim, NodeId, NodeSession, Outcome, ServerLock,
    Statement,
};

const SOON: Duration = Duration::from_millis(1);

/// The description of the first server.
const FIRST: &str = "first, since 2026-09-21 14:13:20 UTC";

fn node(number: u64) -> NodeId {
    NodeId(Uuid::from_u64_pair(0, number))
}

async fn attempt(database: &SimulatedDatabase, number: u64, claim: LockClaim) -> LockAttempt {
    ServerLock::attempt(&Location::Simulated(database.clone()), node(number), claim).await.unwrap()
}

fn acquired(attempt: LockAttempt) -> ServerLock {
    match attempt {
        LockAttempt::Acquired(lock) => lock,
        LockAttempt::Held(holder) => panic!("held by {holder:?}"),
    }
}

fn holder(attempt: LockAttempt) -> String {
    match attempt {
        LockAttempt::Held(holder) => holder.map(|holder| holder.to_string()).unwrap_or_default(),
        LockAttempt::Acquired(_) => panic!("it was acquired"),
    }
}

/// A server that hangs keeps its session. A standby takes over when the lease has expired.
#[tokio::test(start_paused = true)]
async fn a_standby_takes_over_when_the_lease_has_expired() {
    let world = World::new().await;
    let (first, second) = (world.database.for_server("a"), world.database.for_server("b"));
    let mut lock = acquired(attempt(&first, 1, LockClaim::Free).await);
    assert_eq!(holder(attempt(&second, 2, LockClaim::FreeOrExpired).await), "", "it has no row yet");
    lock.register(&world.cut_off, "first").await.unwrap();
    tokio::time::sleep(LEASE_DURATION / 2).await;
    assert!(lock.renew(&world.cut_off, NOW).await.unwrap());
    assert_eq!(world.other.last_heartbeat().await.unwrap(), Some(NOW));

    tokio::time::sleep(LEASE_DURATION).await;
    assert_eq!(holder(attempt(&second, 2, LockClaim::FreeOrExpired).await), FIRST);
    tokio::time::sleep(SOON).await;
    assert_eq!(holder(attempt(&second, 2, LockClaim::Free).await), FIRST);
    let mut taken = acquired(attempt(&second, 2, LockClaim::FreeOrExpired).await);
    taken.register(&world.other, "second").await.unwrap();

    world.plan.take_renewed();
    assert!(lock.renew(&world.cut_off, NOW).await.is_err(), "its session was ended");
    assert!(!lock.renew(&world.cut_off, NOW).await.unwrap(), "its row is missing");
    assert_eq!(world.plan.take_renewed(), []);
    assert!(taken.renew(&world.other, NOW).await.unwrap());
    assert_eq!(world.plan.take_renewed(), [("b".to_owned(), LEASE_DURATION)]);
}

/// The lock of a server that crashes is free at once, but its lease protects what it may still do.
#[tokio::test(start_paused = true)]
async fn the_lock_of_a_crashed_server_is_free() {
    let world = World::new().await;
    let second = world.database.for_server("b");
    let mut lock = acquired(attempt(&world.database.for_server("a"), 1, LockClaim::Free).await);
    lock.register(&world.cut_off, "first").await.unwrap();
    drop(lock);
    assert!(in_time(LEASE_DURATION, attempt(&second, 2, LockClaim::FreeOrExpired)).await.is_none());
    acquired(attempt(&second, 2, LockClaim::Free).await);
}

#[tokio::test(start_paused = true)]
async fn a_lock_whose_session_is_ended_is_acquired_again() {
    let world = World::new().await;
    let first = world.database.for_server("a");
    let mut lock = acquired(attempt(&first, 1, LockClaim::Free).await);
    lock.register(&world.cut_off, "first").await.unwrap();
    world.database.for_server("b").end_sessions();
    assert!(lock.renew(&world.cut_off, NOW).await.unwrap(), "another server's sessions have ended");
    first.end_sessions();
    assert!(lock.renew(&world.cut_off, NOW).await.is_err());
    assert!(lock.renew(&world.cut_off, NOW).await.unwrap());
    assert_eq!(holder(attempt(&world.database.for_server("b"), 2, LockClaim::Free).await), FIRST);
}

/// After an interrupted renewal the server resets its lock, and renews it in another session.
#[tokio::test(start_paused = true)]
async fn a_renewal_without_an_answer_is_repeated() {
    let world = World::new().await;
    let mut lock = acquired(attempt(&world.database.for_server("a"), 1, LockClaim::Free).await);
    lock.register(&world.cut_off, "first").await.unwrap();
    for fault in [Fault::Hang, Fault::HangAfter] {
        world.plan.set(Access::Write, fault);
        assert!(in_time(SOON, lock.renew(&world.cut_off, NOW)).await.is_none(), "{fault:?}");
        lock.reset();
        assert!(lock.renew(&world.cut_off, NOW).await.unwrap(), "{fault:?}");
    }
    lock.unregister(&world.cut_off).await;
    acquired(attempt(&world.database.for_server("b"), 2, LockClaim::FreeOrExpired).await);
}

/// A statement of a node's session without an answer does not keep the next ones waiting.
#[tokio::test(start_paused = true)]
async fn a_node_gives_up_a_renewal_without_an_answer() {
    let world = World::new().await;
    let location = Location::Simulated(world.database.for_server("a"));
    let session = NodeSession::new(&location, &world.cut_off).unwrap();
    let register = Statement::Register { node: node(1), name: "a".into(), engines: Vec::new() };
    session.execute(&register).await.unwrap();
    let renew = Statement::Renew { node: node(1), alive_at: None, is_connected: true, is_draining: false };
    for fault in [Fault::Hang, Fault::HangAfter] {
        world.plan.set(Access::Write, fault);
        let reset = async {
            tokio::time::sleep(SOON).await;
            session.reset();
        };
        let both = async { tokio::join!(session.execute(&renew), reset).0 };
        let given_up = in_time(2 * SOON, both).await.expect("it still waits");
        assert!(given_up.is_err(), "{fault:?}: {given_up:?}");
        let renewed = in_time(SOON, session.execute(&renew)).await.expect("it waits");
        assert!(matches!(renewed, Ok(Outcome::Renewed { .. })), "{fault:?}: {renewed:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn only_a_living_node_renews_its_lease() {
    let world = World::new().await;
    let location = Location::Simulated(world.database.for_server("a"));
    let session = NodeSession::new(&location, &world.cut_off).unwrap();
    let register = Statement::Register { node: node(1), name: "a".into(), engines: Vec::new() };
    let renew = Statement::Renew { node: node(1), alive_at: None, is_connected: true, is_draining: false };
    for statement in [&register, &renew] {
        session.execute(statement).await.unwrap();
        assert_eq!(world.plan.take_renewed(), [("a".to_owned(), DEAD_AFTER)], "{statement:?}");
    }
    let kill = "update nodes set state = 'dead'";
    world
        .database
        .run_unchecked(async |connection| sqlx::query(kill).execute(connection).await)
        .await
        .unwrap();
    assert!(matches!(session.execute(&renew).await, Ok(Outcome::Dead)));
    assert_eq!(world.plan.take_renewed(), []);
}

/// A server whose start gets no answer fails, and can be started again.
#[tokio::test(start_paused = true)]
async fn an_attempt_without_an_answer_fails() {
    const LONG: Duration = Duration::from_secs(31);
    let world = World::new().await;
    let database = world.database.for_server(CUT_OFF);
    world.plan.set(Access::Read, Fault::Hang);
    let location = Location::Simulated(database.clone());
    let attempt = ServerLock::attempt(&location, node(1), LockClaim::Free);
    let attempted = in_time(LONG, attempt).await.expect("it waits for the session");
    assert!(attempted.is_err(), "{attempted:?}");

    let mut lock = acquired(self::attempt(&database, 1, LockClaim::Free).await);
    world.plan.set(Access::Write, Fault::HangAfter);
    let registered =
        in_time(LONG, lock.register(&world.cut_off, "first")).await.expect("it waits for the row");
    assert!(registered.is_err());
}
