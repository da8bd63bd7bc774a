//! The bus within one server process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::TableId;

use super::channel::{Channel, Listener, Subscription};
use super::frame::Publication;

type Channels = HashMap<TableId, Channel<Publication>>;

/// A bus within one process, with a channel for each watched table. Clones share the channels.
/// Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct LocalBus {
    /// The channels by table. A table has a channel only while it has subscribers.
    channels: Arc<Mutex<Channels>>,
}

impl LocalBus {
    /// Publishes to the subscribers that the table has now. Never waits.
    pub fn publish(&self, publication: Publication) {
        let channel = self.lock().get(&publication.table).cloned();
        if let Some(channel) = channel {
            channel.publish(publication);
        }
    }

    /// Subscribes a listener to all publications of a table from now on.
    pub fn subscribe(&self, table: TableId, listener: Arc<dyn Listener<Publication>>) -> TableSubscription {
        let subscription = self.lock().entry(table).or_default().subscribe(listener);
        TableSubscription { table, subscription: Some(subscription), bus: self.clone() }
    }

    /// Returns the number of subscriptions to all tables.
    #[must_use]
    pub fn subscription_count(&self) -> usize {
        self.lock().values().map(Channel::len).sum()
    }

    fn lock(&self) -> MutexGuard<'_, Channels> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A subscription to one table. Dropping it ends the subscription.
#[derive(Debug)]
pub struct TableSubscription {
    table: TableId,
    /// The subscription to the table's channel; `None` only during the drop.
    subscription: Option<Subscription<Publication>>,
    bus: LocalBus,
}

impl TableSubscription {
    /// From now on publications reach this subscriber before the subscribers without priority.
    pub fn prioritize(&self) {
        if let Some(subscription) = &self.subscription {
            subscription.prioritize();
        }
    }
}

impl Drop for TableSubscription {
    /// Ends the subscription. Removes the table's channel if this was its last subscription.
    fn drop(&mut self) {
        let mut channels = self.bus.lock();
        self.subscription = None;
        if channels.get(&self.table).is_some_and(Channel::is_empty) {
            channels.remove(&self.table);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::{Frame, Frames, PublicationKind};
    use super::*;
    use quadrex_protocol::MatchId;
    use uuid::Uuid;

    /// A listener that records the numbers of received events.
    #[derive(Debug, Default)]
    struct Notes(Mutex<Vec<u64>>);

    impl Listener<Publication> for Notes {
        fn notify(&self, item: &Publication) {
            let PublicationKind::Event { seq, .. } = item.kind else {
                panic!("only events are published here")
            };
            self.0.lock().unwrap().push(seq);
        }
    }

    fn published(table: TableId, seq: u64) -> Publication {
        let frames = Frames::same_for_all(Frame::from(format!("event {seq}")));
        Publication {
            table,
            match_id: MatchId(Uuid::from_u128(9)),
            kind: PublicationKind::Event { seq, frames },
        }
    }

    const HERE: TableId = TableId(Uuid::from_u128(1));
    const THERE: TableId = TableId(Uuid::from_u128(2));

    #[tokio::test]
    async fn a_subscriber_receives_only_later_events_of_its_table_in_order() {
        let bus = LocalBus::default();
        let (first, second) = (Arc::new(Notes::default()), Arc::new(Notes::default()));
        let _first = bus.subscribe(HERE, first.clone());
        bus.publish(published(HERE, 1));
        let _second = bus.subscribe(HERE, second.clone());
        bus.publish(published(THERE, 7));
        bus.publish(published(HERE, 2));
        assert_eq!(*first.0.lock().unwrap(), [1, 2]);
        assert_eq!(*second.0.lock().unwrap(), [2]);
    }

    #[tokio::test]
    async fn a_table_without_subscribers_has_no_channel() {
        let bus = LocalBus::default();
        let subscribe = || bus.subscribe(HERE, Arc::new(Notes::default()));
        let (first, second) = (subscribe(), subscribe());
        drop(first);
        assert_eq!(bus.lock().len(), 1);
        drop(second);
        assert_eq!(bus.lock().len(), 0);
        bus.publish(published(HERE, 1));
        assert_eq!(bus.lock().len(), 0);
    }
}
