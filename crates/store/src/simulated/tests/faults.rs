//! Tests of the faults of single accesses.

use std::time::Duration;

use super::super::{Access, Fault};
use super::{CUT_OFF, World, append, head, in_time, new_table, open, user};
use crate::{AppendError, ConnectError, Location, Store};

/// A time that is longer than each limit of the store.
const LONG: Duration = Duration::from_secs(60);

/// The faults with which the database does not answer within [`LONG`], and those with which an
/// access is executed.
const SILENT: [Fault; 2] = [Fault::Hang, Fault::HangAfter];
const EXECUTED: [Fault; 2] = [Fault::LostAnswer, Fault::HangAfter];

const FAULTS: [Fault; 5] =
    [Fault::Unavailable, Fault::LostAnswer, Fault::LostRequest, Fault::Hang, Fault::HangAfter];

#[tokio::test(start_paused = true)]
async fn a_connection_to_a_silent_database_fails() {
    for fault in SILENT {
        let world = World::new().await;
        world.plan.set(Access::Read, fault);
        let location = Location::Simulated(world.database.for_server(CUT_OFF));
        let connected = in_time(LONG, Store::connect(&location, 1)).await.expect("a connection has a limit");
        assert!(matches!(connected, Err(ConnectError::Unreachable { .. })), "{fault:?}: {connected:?}");
        Store::connect(&location, 1).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn the_outcome_of_an_append_is_known_only_if_the_database_was_not_reached() {
    for fault in FAULTS {
        let world = World::new().await;
        world.other.open_table(&new_table(1)).await.unwrap();
        world.plan.set(Access::Commit, fault);
        let appended = in_time(LONG, world.cut_off.append(&append(1))).await.expect("an append has a limit");
        match fault {
            Fault::Unavailable => assert!(matches!(appended, Err(AppendError::Fault(_))), "{appended:?}"),
            _ => assert!(matches!(appended, Err(AppendError::Unknown(_))), "{fault:?}: {appended:?}"),
        }
        let is_written = EXECUTED.contains(&fault);
        assert_eq!(head(&world.other, 1).await, if is_written { 2 } else { 1 }, "{fault:?}");
        let again = world.cut_off.append(&append(1)).await;
        if is_written {
            assert!(matches!(again, Err(AppendError::Fenced)), "{fault:?}: {again:?}");
        } else {
            assert_eq!(again.unwrap(), 2, "{fault:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn appends_in_a_group_share_a_fault() {
    let world = World::new().await;
    // A store has two groups: the matches with odd numbers, and those with even numbers.
    let numbers = [2, 4, 6];
    for number in numbers {
        open(&world.other, number).await.unwrap();
    }
    world.plan.set(Access::Commit, Fault::LostAnswer);
    let appends = numbers.map(append);
    let results = futures_util::future::join_all(appends.iter().map(|append| world.cut_off.append(append)));
    for (number, result) in numbers.into_iter().zip(results.await) {
        assert!(matches!(result, Err(AppendError::Unknown(_))), "{result:?}");
        assert_eq!(head(&world.other, number).await, 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_statement_that_writes_may_be_executed_without_an_answer() {
    for fault in FAULTS {
        let world = World::new().await;
        world.plan.set(Access::Write, fault);
        let added = in_time(LONG, world.cut_off.add_user(&user(2))).await;
        assert!(added.expect("a statement has a limit").is_err(), "{fault:?}");
        let found = world.other.user(user(2).id).await.unwrap();
        assert_eq!(found.is_some(), EXECUTED.contains(&fault), "{fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_statement_that_reads_fails() {
    for fault in FAULTS {
        let world = World::new().await;
        world.plan.set(Access::Read, fault);
        let found = in_time(LONG, world.cut_off.user(user(1).id)).await;
        assert!(found.expect("a statement has a limit").is_err(), "{fault:?}");
        assert!(world.cut_off.user(user(1).id).await.unwrap().is_some(), "{fault:?} is over");
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_access_takes_its_time_and_succeeds() {
    let (delay, less) = (Duration::from_secs(3), Duration::from_millis(2_999));
    for access in [Access::Write, Access::Commit] {
        let world = World::new().await;
        world.plan.set(access, Fault::Slow(delay));
        let mut open = Box::pin(async { world.cut_off.open_table(&new_table(1)).await.unwrap() });
        assert_eq!(in_time(less, &mut open).await, None, "{access:?}");
        assert_eq!(in_time(Duration::from_millis(1), open).await, Some(1), "{access:?}");
    }
}

/// The database breaks the connection of a transaction in which a fault occurs.
#[tokio::test(start_paused = true)]
async fn a_fault_ends_a_transaction_and_others_go_on() {
    for access in [Access::Write, Access::Commit] {
        for fault in FAULTS {
            let world = World::new().await;
            world.plan.set(access, fault);
            let mut opening = Box::pin(open(&world.cut_off, 1));
            let opened = in_time(Duration::from_millis(1), &mut opening).await;
            assert_eq!(opened.is_none(), SILENT.contains(&fault), "{access:?} {fault:?}");
            assert!(opened.is_none_or(|opened| opened.is_err()), "{access:?} {fault:?}");
            // The first server still waits for the answer.
            let other = in_time(Duration::from_millis(1), world.other.open_table(&new_table(2))).await;
            assert_eq!(other.expect("it need not wait").unwrap(), 1);
            let is_committed = access == Access::Commit && EXECUTED.contains(&fault);
            assert_eq!(head(&world.other, 1).await, u64::from(is_committed), "{access:?} {fault:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_cannot_be_opened_on_an_unreachable_database() {
    let world = World::new().await;
    world.plan.set(Access::Read, Fault::Unavailable);
    let location = Location::Simulated(world.database.for_server("a"));
    let refusal = Store::connect(&location, 1).await.expect_err("it opened").to_string();
    let expected = "simulated database for a cannot be opened: error communicating with database: ";
    assert!(refusal.starts_with(expected), "{refusal}");
}
