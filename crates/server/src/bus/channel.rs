//! A channel that publishes the same items in the same order to all of its listeners.
//!
//! The publisher calls the listeners directly, so that no task has to be woken for each listener.
//! Such calls deliver all items that the listener has not received yet. If there are many
//! listeners, the publisher calls only the listeners with priority. A separate task then calls the
//! other listeners in steps of limited size, and other tasks can run between two steps.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::yield_now;

/// The number of listeners that are called before other tasks may run.
const STEP: usize = 64;

/// A receiver of the items of a channel.
pub trait Listener<M>: fmt::Debug + Send + Sync {
    /// Receives the next item. The channel is locked during the call. The implementation must
    /// therefore not wait, and must not call the channel.
    fn notify(&self, item: &M);
}

/// A channel for items of the type `M`. Clones share the listeners and the items. Cheap to clone.
pub struct Channel<M> {
    state: Arc<Mutex<State<M>>>,
}

/// A listener's subscription to a channel. Dropping it ends the subscription.
pub struct Subscription<M> {
    /// The number by which the channel finds the listener.
    number: u64,
    channel: Channel<M>,
}

#[derive(Debug)]
struct State<M> {
    /// The listeners with priority, by the numbers of their subscriptions.
    prioritized: BTreeMap<u64, Subscriber<M>>,
    /// The listeners without priority, by the numbers of their subscriptions.
    unprioritized: BTreeMap<u64, Subscriber<M>>,
    /// The number that the next subscription gets.
    next_number: u64,
    /// The items that some listeners have not received yet.
    queue: VecDeque<M>,
    /// The number of items that all listeners have received. The first item of the queue is the
    /// next item after these.
    delivered_to_all: u64,
    /// True while a task runs that calls the listeners without priority in steps.
    is_stepping: bool,
}

/// A listener with the number of items that it has received.
#[derive(Debug)]
struct Subscriber<M> {
    listener: Arc<dyn Listener<M>>,
    /// The number of items that the listener has received, plus the number of items that were
    /// published before it subscribed.
    delivered: u64,
}

impl<M> Subscriber<M> {
    /// Delivers the items that the listener has not received yet. Returns whether there were any.
    fn catch_up(&mut self, queue: &VecDeque<M>, delivered_to_all: u64) -> bool {
        let received_count =
            usize::try_from(self.delivered - delivered_to_all).expect("the queue is in memory");
        for item in queue.range(received_count..) {
            self.listener.notify(item);
        }
        self.delivered = delivered_to_all + queue.len() as u64;
        received_count < queue.len()
    }
}

impl<M> State<M> {
    fn is_empty(&self) -> bool {
        self.prioritized.is_empty() && self.unprioritized.is_empty()
    }

    /// Returns the number of items that have been published.
    fn published(&self) -> u64 {
        self.delivered_to_all + self.queue.len() as u64
    }

    fn serve_prioritized(&mut self) {
        for subscriber in self.prioritized.values_mut() {
            subscriber.catch_up(&self.queue, self.delivered_to_all);
        }
    }

    /// Delivers items to at most [`STEP`] listeners without priority, beginning at the subscription
    /// `from`. If the step was full, returns the number of the last served subscription, because
    /// further listeners may have to be served.
    fn serve_others(&mut self, from: Bound<u64>) -> Option<u64> {
        let mut served = 0;
        for (&number, subscriber) in self.unprioritized.range_mut((from, Bound::Unbounded)) {
            served += usize::from(subscriber.catch_up(&self.queue, self.delivered_to_all));
            if served == STEP {
                return Some(number);
            }
        }
        None
    }

    /// Removes delivered items from the queue. All listeners must have received the first `count`
    /// published items.
    fn drop_delivered(&mut self, count: u64) {
        let dropped = count.saturating_sub(self.delivered_to_all);
        self.queue.drain(..usize::try_from(dropped).expect("the queue is in memory"));
        self.delivered_to_all = count;
    }
}

impl<M> Default for Channel<M> {
    /// A channel without listeners.
    fn default() -> Self {
        let state = State {
            prioritized: BTreeMap::new(),
            unprioritized: BTreeMap::new(),
            next_number: 0,
            queue: VecDeque::new(),
            delivered_to_all: 0,
            is_stepping: false,
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }
}

impl<M: Send + 'static> Channel<M> {
    /// Returns whether the channel has no listeners.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Returns the number of listeners.
    pub fn len(&self) -> usize {
        let state = self.lock();
        state.prioritized.len() + state.unprioritized.len()
    }

    /// Subscribes a listener to all items published from now on.
    pub fn subscribe(&self, listener: Arc<dyn Listener<M>>) -> Subscription<M> {
        let mut state = self.lock();
        let (number, delivered) = (state.next_number, state.published());
        state.next_number += 1;
        state.unprioritized.insert(number, Subscriber { listener, delivered });
        Subscription { number, channel: self.clone() }
    }

    /// Publishes an item to all listeners that the channel has now. Never waits. Must be called
    /// within a Tokio runtime, because it starts a task if there are many listeners without
    /// priority.
    pub fn publish(&self, item: M) {
        let mut state = self.lock();
        let state = &mut *state;
        if state.is_empty() {
            return;
        }
        state.queue.push_back(item);
        state.serve_prioritized();
        if state.is_stepping {
            return;
        }
        if state.unprioritized.len() <= STEP {
            state.serve_others(Bound::Unbounded);
            state.drop_delivered(state.published());
        } else {
            state.is_stepping = true;
            quadrex_runtime::spawn(self.clone().serve_others_in_steps());
        }
    }

    /// Calls the listeners without priority until all of them have received all items.
    async fn serve_others_in_steps(self) {
        let (mut from, mut published) = (Bound::Unbounded, self.lock().published());
        loop {
            {
                let mut state = self.lock();
                match state.serve_others(from) {
                    Some(number) => from = Bound::Excluded(number),
                    None => {
                        // All listeners have received the items that were published before this
                        // round.
                        state.drop_delivered(published);
                        (from, published) = (Bound::Unbounded, state.published());
                        if state.queue.is_empty() {
                            state.is_stepping = false;
                            return;
                        }
                    }
                }
            }
            yield_now().await;
        }
    }
}

impl<M> Channel<M> {
    fn lock(&self) -> MutexGuard<'_, State<M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M> Subscription<M> {
    /// Gives the listener priority: from now on every item is delivered to it at once.
    pub fn prioritize(&self) {
        let mut state = self.channel.lock();
        if let Some(mut subscriber) = state.unprioritized.remove(&self.number) {
            subscriber.catch_up(&state.queue, state.delivered_to_all);
            state.prioritized.insert(self.number, subscriber);
        }
    }
}

impl<M> Drop for Subscription<M> {
    fn drop(&mut self) {
        let mut state = self.channel.lock();
        // Dropping the listener may run any code, so the channel is unlocked first.
        let subscriber =
            state.unprioritized.remove(&self.number).or_else(|| state.prioritized.remove(&self.number));
        drop(state);
        drop(subscriber);
    }
}

impl<M> Clone for Channel<M> {
    fn clone(&self) -> Self {
        Self { state: Arc::clone(&self.state) }
    }
}

impl<M> fmt::Debug for Channel<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Channel")
    }
}

impl<M> fmt::Debug for Subscription<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").field("number", &self.number).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc;

    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

    /// A listener that sends its name and each received item to the test.
    #[derive(Debug)]
    struct Forward {
        name: usize,
        received: mpsc::UnboundedSender<(usize, u32)>,
    }

    impl Listener<u32> for Forward {
        fn notify(&self, item: &u32) {
            self.received.send((self.name, *item)).unwrap();
        }
    }

    /// Subscribes several listeners, and returns their subscriptions and the receiver of their
    /// items.
    fn listeners(
        channel: &Channel<u32>,
        count: usize,
    ) -> (Vec<Subscription<u32>>, mpsc::UnboundedReceiver<(usize, u32)>) {
        let (sender, received) = mpsc::unbounded_channel();
        let subscribe = |name| channel.subscribe(Arc::new(Forward { name, received: sender.clone() }));
        ((0..count).map(subscribe).collect(), received)
    }

    async fn next(received: &mut mpsc::UnboundedReceiver<(usize, u32)>) -> (usize, u32) {
        tokio::time::timeout(PATIENCE, received.recv()).await.expect("it comes in time").unwrap()
    }

    #[tokio::test]
    async fn publish_returns_after_a_few_listeners_have_received_the_item() {
        let channel = Channel::default();
        channel.publish(1);
        let (subscriptions, mut received) = listeners(&channel, 2);
        channel.publish(2);
        channel.publish(3);
        drop(subscriptions);
        channel.publish(4);
        let items: Vec<_> = std::iter::from_fn(|| received.try_recv().ok()).collect();
        assert_eq!(items, [(0, 2), (1, 2), (0, 3), (1, 3)]);
        assert!(channel.is_empty());
    }

    /// With many listeners, each of them receives every item once and in order, even if it gets
    /// priority between two steps, or if another listener unsubscribes there.
    #[tokio::test]
    async fn many_listeners_receive_all_items_in_order() {
        const MANY: usize = 10 * STEP;
        let channel = Channel::default();
        let (mut subscriptions, mut received) = listeners(&channel, MANY);
        channel.publish(1);
        assert!(received.try_recv().is_err(), "many are served by a task");
        let mut items = vec![vec![]; MANY];
        // Exactly one step has run.
        let (name, item) = next(&mut received).await;
        items[name].push(item);
        channel.publish(2);
        subscriptions[MANY - 1].prioritize();
        channel.publish(3);
        drop(subscriptions.remove(MANY - 2));
        while items.iter().map(Vec::len).sum::<usize>() < 3 * (MANY - 1) {
            let (name, item) = next(&mut received).await;
            items[name].push(item);
        }
        for (name, items) in items.iter().enumerate().filter(|(name, _)| *name != MANY - 2) {
            assert_eq!(*items, [1, 2, 3], "listener {name}");
        }
    }

    /// Listeners with priority receive an item before the first step.
    #[tokio::test]
    async fn a_listener_with_priority_does_not_wait_for_the_others() {
        let channel = Channel::default();
        let (subscriptions, mut received) = listeners(&channel, 10 * STEP);
        subscriptions[500].prioritize();
        channel.publish(1);
        assert_eq!(received.try_recv(), Ok((500, 1)));
        assert!(received.try_recv().is_err());
        assert_eq!(next(&mut received).await, (0, 1));
    }

    /// Other tasks run between two steps.
    #[tokio::test]
    async fn many_listeners_are_served_in_steps() {
        let channel = Channel::default();
        let (_subscriptions, mut received) = listeners(&channel, 3 * STEP);
        channel.publish(1);
        let mut steps = Vec::new();
        while steps.iter().sum::<usize>() < 3 * STEP {
            yield_now().await;
            steps.push(std::iter::from_fn(|| received.try_recv().ok()).count());
        }
        assert_eq!(steps, [STEP; 3]);
    }
}
