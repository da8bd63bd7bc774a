//! The bus of a single process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::TableId;
use tokio::sync::broadcast;

use super::frame::Published;

type Senders = HashMap<TableId, broadcast::Sender<Arc<Published>>>;

/// A bus within one process. Cheap to clone; all clones are one bus.
#[derive(Clone, Debug)]
pub struct LocalBus {
    /// How much a subscriber may be behind before it loses frames.
    backlog: usize,
    /// Only tables that somebody watches have a sender.
    senders: Arc<Mutex<Senders>>,
}

impl LocalBus {
    /// A bus without subscribers, of whom each may be `backlog` frames behind before it loses some.
    ///
    /// # Panics
    /// If `backlog` is zero.
    pub fn new(backlog: usize) -> Self {
        assert!(backlog > 0, "a subscriber must be able to wait for one frame");
        Self { backlog, senders: Arc::default() }
    }

    /// Tells it to all who are subscribed to its table now. Never waits.
    pub fn publish(&self, published: Published) {
        if let Some(sender) = self.lock().get(&published.table) {
            // An error says that the last subscriber is just leaving.
            sender.send(Arc::new(published)).ok();
        }
    }

    /// All that is published about a table from now on.
    pub fn subscribe(&self, table: TableId) -> Subscription {
        let receiver =
            self.lock().entry(table).or_insert_with(|| broadcast::Sender::new(self.backlog)).subscribe();
        Subscription { table, receiver: Some(receiver), bus: self.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, Senders> {
        self.senders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the audience of one table; it is left by dropping it.
#[derive(Debug)]
pub struct Subscription {
    table: TableId,
    /// There until it is dropped.
    receiver: Option<broadcast::Receiver<Arc<Published>>>,
    bus: LocalBus,
}

/// What a subscriber gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The next thing published.
    Published(Arc<Published>),
    /// The subscriber was too slow, and this many were lost. It goes on with the oldest that is left; to have the
    /// lost ones it reads the log.
    Lagged(u64),
}

impl Subscription {
    /// Which table.
    pub fn table(&self) -> TableId {
        self.table
    }

    /// Waits for the next delivery. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Delivery {
        let receiver = self.receiver.as_mut().expect("the receiver is there until the drop");
        match receiver.recv().await {
            Ok(published) => Delivery::Published(published),
            Err(broadcast::error::RecvError::Lagged(lost)) => Delivery::Lagged(lost),
            // The bus keeps the sender while a receiver lives.
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}

impl Drop for Subscription {
    /// The last one to leave takes the table off the bus.
    fn drop(&mut self) {
        let mut senders = self.bus.lock();
        self.receiver = None;
        if senders.get(&self.table).is_some_and(|sender| sender.receiver_count() == 0) {
            senders.remove(&self.table);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::{Frame, Frames, News};
    use super::*;
    use quadrex_protocol::MatchId;
    use uuid::Uuid;

    fn published(table: TableId, seq: u64) -> Published {
        let to = Frames::general(Frame::from(format!("event {seq}")));
        Published { table, match_id: MatchId(Uuid::from_u128(9)), news: News::Event { seq, to } }
    }

    fn seq(delivery: Delivery) -> Option<u64> {
        match delivery {
            Delivery::Published(published) => match published.news {
                News::Event { seq, .. } => Some(seq),
                News::Next { .. } | News::Presence { .. } | News::Parted { .. } => None,
            },
            Delivery::Lagged(_) => None,
        }
    }

    const BACKLOG: usize = 256;
    const HERE: TableId = TableId(Uuid::from_u128(1));
    const THERE: TableId = TableId(Uuid::from_u128(2));

    #[tokio::test]
    async fn a_subscriber_hears_its_own_table_in_order_from_the_time_it_came() {
        let bus = LocalBus::new(BACKLOG);
        let mut first = bus.subscribe(HERE);
        bus.publish(published(HERE, 1));
        let mut second = bus.subscribe(HERE);
        bus.publish(published(THERE, 7));
        bus.publish(published(HERE, 2));
        assert_eq!(seq(first.next().await), Some(1));
        assert_eq!(seq(first.next().await), Some(2));
        assert_eq!(seq(second.next().await), Some(2));
    }

    #[tokio::test]
    async fn a_subscriber_that_lagged_is_told_and_goes_on() {
        let bus = LocalBus::new(BACKLOG);
        let mut slow = bus.subscribe(HERE);
        for seq in 1..=BACKLOG as u64 + 10 {
            bus.publish(published(HERE, seq));
        }
        assert_eq!(slow.next().await, Delivery::Lagged(10));
        assert_eq!(seq(slow.next().await), Some(11));
    }

    #[tokio::test]
    async fn a_table_that_nobody_watches_takes_no_room() {
        let bus = LocalBus::new(BACKLOG);
        let (first, second) = (bus.subscribe(HERE), bus.subscribe(HERE));
        drop(first);
        assert_eq!(bus.lock().len(), 1);
        drop(second);
        assert_eq!(bus.lock().len(), 0);
        bus.publish(published(HERE, 1));
        assert_eq!(bus.lock().len(), 0);
    }
}
