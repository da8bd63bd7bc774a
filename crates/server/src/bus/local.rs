//! The bus of a single process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::TableId;

use super::channel::{Channel, Listener, Subscription};
use super::frame::Publication;

type Channels = HashMap<TableId, Channel<Publication>>;

/// A bus within one process: a channel for each table. Cheap to clone; all clones are one bus.
#[derive(Clone, Debug, Default)]
pub struct LocalBus {
    /// The channels of tables with subscribers; other tables have none.
    channels: Arc<Mutex<Channels>>,
}

impl LocalBus {
    /// Publishes it to the present subscribers of its table. Never waits.
    pub fn publish(&self, publication: Publication) {
        let channel = self.lock().get(&publication.table).cloned();
        if let Some(channel) = channel {
            channel.publish(publication);
        }
    }

    /// Subscribes a listener to all that is published about a table from now on.
    pub fn subscribe(&self, table: TableId, listener: Arc<dyn Listener<Publication>>) -> TableSubscription {
        let subscription = self.lock().entry(table).or_default().subscribe(listener);
        TableSubscription { table, subscription: Some(subscription), bus: self.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, Channels> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A subscription to one table; dropping it ends it.
#[derive(Debug)]
pub struct TableSubscription {
    table: TableId,
    /// `None` only while it is dropped.
    subscription: Option<Subscription<Publication>>,
    bus: LocalBus,
}

impl TableSubscription {
    /// Serves this subscriber before those without priority from now on.
    pub fn prioritize(&self) {
        if let Some(subscription) = &self.subscription {
            subscription.prioritize();
        }
    }
}

impl Drop for TableSubscription {
    /// Removes the table's channel with its last subscription.
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

    /// A listener that keeps the numbers of the events it receives.
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
        let frames = Frames::general(Frame::from(format!("event {seq}")));
        Publication {
            table,
            match_id: MatchId(Uuid::from_u128(9)),
            kind: PublicationKind::Event { seq, frames },
        }
    }

    const HERE: TableId = TableId(Uuid::from_u128(1));
    const THERE: TableId = TableId(Uuid::from_u128(2));

    #[tokio::test]
    async fn a_subscriber_receives_its_own_table_s_events_in_order_from_its_subscription_on() {
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
