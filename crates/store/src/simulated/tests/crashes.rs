//! Tests of servers that crash: all their futures are dropped.

use std::time::Duration;

use super::super::{Access, Fault};
use super::{World, head, in_time, open};

const SOON: Duration = Duration::from_millis(1);

#[tokio::test(start_paused = true)]
async fn a_dropped_transaction_is_rolled_back_at_once() {
    let world = World::new().await;
    world.plan.set(Access::Commit, Fault::Slow(Duration::from_secs(60)));
    let mut opening = Box::pin(open(&world.cut_off, 1));
    assert!(in_time(SOON, &mut opening).await.is_none());
    let mut other = Box::pin(open(&world.other, 2));
    assert!(in_time(SOON, &mut other).await.is_none(), "a transaction has the database for itself");
    drop(opening);
    assert_eq!(in_time(SOON, other).await.expect("nobody has the database").unwrap(), 1);
    assert_eq!((head(&world.other, 1).await, head(&world.other, 2).await), (0, 1));
}

/// Transactions that wait have the database in the order of their arrival.
#[tokio::test(start_paused = true)]
async fn a_transaction_that_waits_may_be_dropped() {
    let world = World::new().await;
    world.plan.set(Access::Commit, Fault::Slow(Duration::from_secs(3)));
    let mut first = Box::pin(open(&world.cut_off, 1));
    assert!(in_time(SOON, &mut first).await.is_none());
    let mut second = Box::pin(open(&world.other, 2));
    assert!(in_time(SOON, &mut second).await.is_none());
    let mut third = Box::pin(open(&world.other, 3));
    assert!(in_time(SOON, &mut third).await.is_none());
    drop(second);
    assert_eq!(first.await.unwrap(), 1);
    assert_eq!(third.await.unwrap(), 1);
    assert_eq!((head(&world.other, 1).await, head(&world.other, 2).await), (1, 0));
}
