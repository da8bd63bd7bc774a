//! A channel: tells all who listen to it the same things in the same order.
//!
//! Listeners are called, not woken: whoever tells something writes it out to them. Few are served at once. Of many,
//! those who come first are served at once, and the others in short steps, between which other tasks run.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::yield_now;

/// How many listeners are served without a break.
const STEP: usize = 64;

/// Who listens to a channel.
pub trait Listener<M>: fmt::Debug + Send + Sync {
    /// Takes in the next thing told. It must not wait, and must not come back to the channel.
    fn hear(&self, told: &M);
}

/// A channel. Cheap to clone; all clones are one channel.
pub struct Channel<M>(Arc<Mutex<State<M>>>);

/// A listener's place in a channel; it is left by dropping it.
pub struct Place<M> {
    number: u64,
    channel: Channel<M>,
}

#[derive(Debug)]
struct State<M> {
    /// Those who are served at once, by their places.
    first: BTreeMap<u64, Ear<M>>,
    /// Those who are served in steps when they are many.
    others: BTreeMap<u64, Ear<M>>,
    /// The place of the next who comes.
    next_place: u64,
    /// What not all have heard yet.
    told: VecDeque<M>,
    /// How many things were told before those.
    heard_by_all: u64,
    /// Whether a task serves the others.
    is_stepping: bool,
}

/// A listener, and how far it is.
#[derive(Debug)]
struct Ear<M> {
    listener: Arc<dyn Listener<M>>,
    /// How many things told it has heard, or were told before it came.
    heard: u64,
}

impl<M> Ear<M> {
    /// Has it hear what it has not heard yet; whether there was anything.
    fn catch_up(&mut self, told: &VecDeque<M>, heard_by_all: u64) -> bool {
        let known = usize::try_from(self.heard - heard_by_all).expect("the queue is in memory");
        for news in told.range(known..) {
            self.listener.hear(news);
        }
        self.heard = heard_by_all + told.len() as u64;
        known < told.len()
    }
}

impl<M> State<M> {
    fn is_empty(&self) -> bool {
        self.first.is_empty() && self.others.is_empty()
    }

    /// How many things were told in all.
    fn end(&self) -> u64 {
        self.heard_by_all + self.told.len() as u64
    }

    fn serve_first(&mut self) {
        for ear in self.first.values_mut() {
            ear.catch_up(&self.told, self.heard_by_all);
        }
    }

    /// Serves a step of the others from this place on; gives back the place to go on from, if it is not through.
    fn serve_others(&mut self, from: Bound<u64>) -> Option<u64> {
        let mut served = 0;
        for (&place, ear) in self.others.range_mut((from, Bound::Unbounded)) {
            served += usize::from(ear.catch_up(&self.told, self.heard_by_all));
            if served == STEP {
                return Some(place);
            }
        }
        None
    }

    /// Forgets what all have heard: everything up to this one.
    fn forget(&mut self, end: u64) {
        let count = end.saturating_sub(self.heard_by_all);
        self.told.drain(..usize::try_from(count).expect("the queue is in memory"));
        self.heard_by_all = end;
    }
}

impl<M> Default for Channel<M> {
    /// A channel that nobody listens to.
    fn default() -> Self {
        Self(Arc::new(Mutex::new(State {
            first: BTreeMap::new(),
            others: BTreeMap::new(),
            next_place: 0,
            told: VecDeque::new(),
            heard_by_all: 0,
            is_stepping: false,
        })))
    }
}

impl<M: Send + 'static> Channel<M> {
    /// Whether nobody listens.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// A place from where the listener hears all that is told from now on.
    pub fn subscribe(&self, listener: Arc<dyn Listener<M>>) -> Place<M> {
        let mut state = self.lock();
        let (number, heard) = (state.next_place, state.end());
        state.next_place += 1;
        state.others.insert(number, Ear { listener, heard });
        Place { number, channel: self.clone() }
    }

    /// Tells it to all who listen now. Never waits. Within a runtime only: many listeners are served by a task.
    pub fn tell(&self, news: M) {
        let mut state = self.lock();
        let state = &mut *state;
        if state.is_empty() {
            return;
        }
        state.told.push_back(news);
        state.serve_first();
        if state.is_stepping {
            return;
        }
        if state.others.len() <= STEP {
            state.serve_others(Bound::Unbounded);
            state.forget(state.end());
        } else {
            state.is_stepping = true;
            tokio::spawn(self.clone().step());
        }
    }

    /// Serves the others until all have heard everything.
    async fn step(self) {
        let (mut from, mut end) = (Bound::Unbounded, self.lock().end());
        loop {
            {
                let mut state = self.lock();
                match state.serve_others(from) {
                    Some(place) => from = Bound::Excluded(place),
                    None => {
                        // All of them know what was told before this round.
                        state.forget(end);
                        (from, end) = (Bound::Unbounded, state.end());
                        if state.told.is_empty() {
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M> Place<M> {
    /// From now on this listener is served at once, however many there are.
    pub fn come_first(&self) {
        let mut state = self.channel.lock();
        if let Some(mut ear) = state.others.remove(&self.number) {
            ear.catch_up(&state.told, state.heard_by_all);
            state.first.insert(self.number, ear);
        }
    }
}

impl<M> Drop for Place<M> {
    fn drop(&mut self) {
        let mut state = self.channel.lock();
        // A listener may hold anything: it goes when the channel is free again.
        let ear = state.others.remove(&self.number).or_else(|| state.first.remove(&self.number));
        drop(state);
        drop(ear);
    }
}

impl<M> Clone for Channel<M> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<M> fmt::Debug for Channel<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Channel")
    }
}

impl<M> fmt::Debug for Place<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Place").field("number", &self.number).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc;

    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

    /// Passes on what it hears, with its name.
    #[derive(Debug)]
    struct Note {
        name: usize,
        heard: mpsc::UnboundedSender<(usize, u32)>,
    }

    impl Listener<u32> for Note {
        fn hear(&self, told: &u32) {
            self.heard.send((self.name, *told)).unwrap();
        }
    }

    /// So many listeners, and what they hear.
    fn listeners(
        channel: &Channel<u32>,
        count: usize,
    ) -> (Vec<Place<u32>>, mpsc::UnboundedReceiver<(usize, u32)>) {
        let (heard, state) = mpsc::unbounded_channel();
        let place = |name| channel.subscribe(Arc::new(Note { name, heard: heard.clone() }));
        ((0..count).map(place).collect(), state)
    }

    async fn next(state: &mut mpsc::UnboundedReceiver<(usize, u32)>) -> (usize, u32) {
        tokio::time::timeout(PATIENCE, state.recv()).await.expect("it is heard in time").unwrap()
    }

    #[tokio::test]
    async fn a_few_have_heard_it_when_it_is_told() {
        let channel = Channel::default();
        channel.tell(1);
        let (places, mut state) = listeners(&channel, 2);
        channel.tell(2);
        channel.tell(3);
        drop(places);
        channel.tell(4);
        let heard: Vec<_> = std::iter::from_fn(|| state.try_recv().ok()).collect();
        assert_eq!(heard, [(0, 2), (1, 2), (0, 3), (1, 3)]);
        assert!(channel.is_empty());
    }

    /// Each of many hears everything told, once and in order, also who is put first while the steps are under way, and
    /// also when others go meanwhile.
    #[tokio::test]
    async fn each_of_many_hears_all_in_order() {
        const MANY: usize = 10 * STEP;
        let channel = Channel::default();
        let (mut places, mut state) = listeners(&channel, MANY);
        channel.tell(1);
        assert!(state.try_recv().is_err(), "many are served by a task");
        let mut heard = vec![vec![]; MANY];
        // The first step has been made, and no more.
        let (name, told) = next(&mut state).await;
        heard[name].push(told);
        channel.tell(2);
        places[MANY - 1].come_first();
        channel.tell(3);
        drop(places.remove(MANY - 2));
        while heard.iter().map(Vec::len).sum::<usize>() < 3 * (MANY - 1) {
            let (name, told) = next(&mut state).await;
            heard[name].push(told);
        }
        for (name, heard) in heard.iter().enumerate().filter(|(name, _)| *name != MANY - 2) {
            assert_eq!(*heard, [1, 2, 3], "listener {name}");
        }
    }

    /// Those who come first hear it before the steps begin.
    #[tokio::test]
    async fn who_comes_first_does_not_wait_for_the_many() {
        let channel = Channel::default();
        let (places, mut state) = listeners(&channel, 10 * STEP);
        places[500].come_first();
        channel.tell(1);
        assert_eq!(state.try_recv(), Ok((500, 1)));
        assert!(state.try_recv().is_err());
        assert_eq!(next(&mut state).await, (0, 1));
    }

    /// Other tasks run between two steps.
    #[tokio::test]
    async fn many_are_served_in_steps() {
        let channel = Channel::default();
        let (_places, mut state) = listeners(&channel, 3 * STEP);
        channel.tell(1);
        let mut steps = Vec::new();
        while steps.iter().sum::<usize>() < 3 * STEP {
            yield_now().await;
            steps.push(std::iter::from_fn(|| state.try_recv().ok()).count());
        }
        assert_eq!(steps, [STEP; 3]);
    }
}
