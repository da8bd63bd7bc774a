//! The bus of a single process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::TableId;

use super::channel::{Channel, Listener, Place};
use super::frame::Published;

type Channels = HashMap<TableId, Channel<Published>>;

/// A bus within one process: a channel for each table. Cheap to clone; all clones are one bus.
#[derive(Clone, Debug, Default)]
pub struct LocalBus {
    /// Only tables that somebody watches have one.
    channels: Arc<Mutex<Channels>>,
}

impl LocalBus {
    /// Tells it to all who are subscribed to its table now. Never waits.
    pub fn publish(&self, published: Published) {
        let channel = self.lock().get(&published.table).cloned();
        if let Some(channel) = channel {
            channel.tell(published);
        }
    }

    /// Has a listener hear all that is published about a table from now on.
    pub fn subscribe(&self, table: TableId, listener: Arc<dyn Listener<Published>>) -> Subscription {
        let place = self.lock().entry(table).or_default().subscribe(listener);
        Subscription { table, place: Some(place), bus: self.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, Channels> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the audience of one table; it is left by dropping it.
#[derive(Debug)]
pub struct Subscription {
    table: TableId,
    /// There until it is dropped.
    place: Option<Place<Published>>,
    bus: LocalBus,
}

impl Subscription {
    /// From now on this one is told before those who only watch.
    pub fn come_first(&self) {
        if let Some(place) = &self.place {
            place.come_first();
        }
    }
}

impl Drop for Subscription {
    /// The last one to leave takes the table off the bus.
    fn drop(&mut self) {
        let mut channels = self.bus.lock();
        self.place = None;
        if channels.get(&self.table).is_some_and(Channel::is_empty) {
            channels.remove(&self.table);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::{Frame, Frames, News};
    use super::*;
    use quadrex_protocol::MatchId;
    use uuid::Uuid;

    /// Keeps the numbers of the events it hears.
    #[derive(Debug, Default)]
    struct Notes(Mutex<Vec<u64>>);

    impl Listener<Published> for Notes {
        fn hear(&self, told: &Published) {
            let News::Event { seq, .. } = told.news else { panic!("only events are told here") };
            self.0.lock().unwrap().push(seq);
        }
    }

    fn published(table: TableId, seq: u64) -> Published {
        let to = Frames::general(Frame::from(format!("event {seq}")));
        Published { table, match_id: MatchId(Uuid::from_u128(9)), news: News::Event { seq, to } }
    }

    const HERE: TableId = TableId(Uuid::from_u128(1));
    const THERE: TableId = TableId(Uuid::from_u128(2));

    #[tokio::test]
    async fn a_subscriber_hears_its_own_table_in_order_from_the_time_it_came() {
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
    async fn a_table_that_nobody_watches_takes_no_room() {
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
