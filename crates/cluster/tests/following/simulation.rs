//! A simulated cluster with its faults and checks.

use std::time::Duration;

use quadrex_cluster::{Chaos, ChaosNetwork, NodeId};
use quadrex_rules::Timestamp;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use crate::database::{Database, user};
use crate::follower::Follower;
use crate::owner::Owner;

const START: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// The simulated time in which things happen.
const RUN: Duration = Duration::from_secs(20);

/// The simulated time after which everything must be repaired.
const REPAIR: Duration = Duration::from_secs(15);

/// The time that a look-up of the owner takes.
const LOOK_UP: Duration = Duration::from_millis(3);

/// The time after which the table of a dead owner is claimed.
const CLAIM: Duration = Duration::from_secs(2);

/// The kinds of faults.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faults {
    /// Messages are lost, doubled and reordered.
    pub(crate) network: bool,
    /// All messages from one node to another are lost for a while.
    pub(crate) cuts: bool,
    /// Owners die, and hand the table over.
    pub(crate) owners: bool,
}

/// The numbers of a run.
#[derive(Debug)]
pub(crate) struct Counts {
    pub(crate) events: u64,
    pub(crate) published: u64,
    pub(crate) follows: u64,
    pub(crate) followers: u64,
}

/// A simulated cluster.
#[derive(Debug)]
pub(crate) struct Simulation {
    rng: StdRng,
    faults: Faults,
    now: Timestamp,
    network: ChaosNetwork,
    database: Database,
    /// The nodes that can own the table; `None` for dead ones.
    owners: Vec<Option<Owner>>,
    followers: Vec<Follower>,
    cuts: Vec<(NodeId, NodeId, Timestamp)>,
    /// The time at which a survivor claims the table.
    claim_at: Option<Timestamp>,
    /// The events that were published before this number are not counted.
    first_event: u64,
}

fn node(number: u128) -> NodeId {
    NodeId(Uuid::from_u128(number))
}

impl Simulation {
    pub(crate) fn new(seed: u64, faults: Faults) -> Self {
        let chaos = if faults.network {
            Chaos { loss: 0.1, duplication: 0.1, reordering: 0.2, delay_ms: 1..=60 }
        } else {
            Chaos::NONE
        };
        let network = ChaosNetwork::new(seed, chaos, START);
        let mut owners: Vec<Owner> = (1..=3)
            .map(|number| {
                let (messenger, inbox) = network.join(node(number));
                Owner::new(messenger, inbox)
            })
            .collect();
        owners[0].take_over(&[], START);
        let nodes: Vec<NodeId> = (1..=6).map(node).collect();
        let followers = (4..=6).map(|number| {
            let (messenger, inbox) = network.join(node(number));
            Follower::new(messenger, inbox, &nodes[..3], node(1), START)
        });
        let followers = followers.collect();
        for owner in &mut owners {
            owner.heartbeats.set_peers(nodes[3..].iter().copied());
        }
        Self {
            rng: StdRng::seed_from_u64(seed),
            faults,
            now: START,
            network,
            database: Database::new(node(1), START),
            owners: owners.into_iter().map(Some).collect(),
            followers,
            cuts: Vec::new(),
            claim_at: None,
            first_event: 1,
        }
    }

    /// Runs the simulation, and checks it at its end.
    pub(crate) fn run(mut self) -> Counts {
        // All nodes follow before the first event, so that messages can be counted.
        self.run_until(START + Duration::from_millis(50), false);
        let end = START + RUN;
        self.run_until(end, true);
        for (from, to, _) in std::mem::take(&mut self.cuts) {
            self.network.restore(from, to);
        }
        self.run_until(end + CLAIM + REPAIR, false);
        self.check()
    }

    fn run_until(&mut self, end: Timestamp, with_actions: bool) {
        let mut next_action = self.now;
        while self.now < end {
            let deadlines = self.owners.iter().flatten().filter_map(Owner::next_deadline);
            let deadlines = deadlines.chain(self.followers.iter().filter_map(Follower::next_deadline));
            let look_ups =
                self.followers.iter().filter_map(|follower| Some(follower.looks_up_since? + LOOK_UP));
            let ends_of_cuts = self.cuts.iter().map(|(_, _, until)| *until);
            let own = self.network.next_delivery().into_iter().chain(self.claim_at);
            let action = with_actions.then_some(next_action);
            let next = deadlines.chain(look_ups).chain(ends_of_cuts).chain(own).chain(action).min();
            self.now = next.unwrap_or(end).clamp(self.now, end);
            self.step();
            if with_actions && self.now >= next_action {
                self.act();
                next_action = self.now + Duration::from_millis(self.rng.random_range(1..=120));
            }
        }
    }

    fn step(&mut self) {
        let now = self.now;
        self.network.advance(now);
        let network = &self.network;
        self.cuts.retain(|(from, to, until)| {
            if *until <= now {
                network.restore(*from, *to);
            }
            *until > now
        });
        if self.claim_at.is_some_and(|at| at <= now) {
            self.claim_at = None;
            self.claim(&[]);
        }
        for owner in self.owners.iter_mut().flatten() {
            owner.step(&mut self.database, now);
        }
        let owner = self.database.owner;
        for follower in &mut self.followers {
            if follower.looks_up_since.is_some_and(|since| now.since(since) >= LOOK_UP) {
                follower.set_owner(owner, now);
            }
            follower.step(now);
        }
    }

    /// Does something at random.
    fn act(&mut self) {
        let now = self.now;
        let follower = self.rng.random_range(0..self.followers.len());
        let user = user(self.rng.random_range(0..u128::from(u32::MAX)));
        match self.rng.random_range(0..100) {
            0..40 => self.followers[follower].send_command(user, now),
            40..60 => self.with_owner(|owner, database| _ = owner.append(database, now)),
            60..75 => {
                let user = self.rng.random_bool(0.6).then_some(user);
                self.followers[follower].add_client(user, now);
            }
            75..85 => {
                let clients = &self.followers[follower].clients;
                if let Some(client) = clients.keys().nth(self.rng.random_range(0..=clients.len())).copied() {
                    self.followers[follower].remove_client(client, now);
                }
            }
            85..87 => self.with_owner(|owner, database| owner.begin_next_match(database, now)),
            87..90 if self.faults.network => {
                self.with_owner(|owner, database| owner.publish_overview(database));
            }
            90..94 if self.faults.cuts => self.cut(follower),
            94..96 if self.faults.owners => self.hand_over(),
            96..97 if self.faults.owners => self.kill_owner(),
            _ => {}
        }
    }

    fn with_owner(&mut self, action: impl FnOnce(&mut Owner, &mut Database)) {
        let owner = self.database.owner;
        let mut owners = self.owners.iter_mut().flatten();
        if let Some(owner) = owners.find(|candidate| Some(candidate.node()) == owner) {
            action(owner, &mut self.database);
        }
    }

    /// Cuts the messages between a follower and the owner in one direction, or in both.
    fn cut(&mut self, follower: usize) {
        let Some(owner) = self.database.owner else { return };
        let follower = self.followers[follower].node();
        let until = self.now + Duration::from_millis(self.rng.random_range(100..8_000));
        let pairs = [(owner, follower), (follower, owner)];
        let chosen = self.rng.random_range(1..4);
        for (index, (from, to)) in pairs.into_iter().enumerate() {
            if chosen & (1 << index) != 0 {
                self.network.cut(from, to);
                self.cuts.push((from, to, until));
            }
        }
    }

    /// Lets the owner hand the table over to another node.
    fn hand_over(&mut self) {
        if self.owners.iter().flatten().count() < 2 || self.database.owner.is_none() {
            return;
        }
        let mut taken = Vec::new();
        self.with_owner(|owner, _| taken = owner.release());
        self.claim(&taken);
    }

    /// Kills the owner. Sometimes it dies after a commit, before anybody learns of the event.
    fn kill_owner(&mut self) {
        let living = self.owners.iter().flatten().count();
        let Some(owner) = self.database.owner.filter(|_| living >= 2) else { return };
        if self.rng.random_bool(0.5) {
            self.database.append(self.now);
        }
        self.network.leave(owner);
        for slot in &mut self.owners {
            slot.take_if(|candidate| candidate.node() == owner);
        }
        self.database.owner = None;
        self.claim_at = Some(self.now + CLAIM);
    }

    /// Gives the table to a living node that does not own it.
    fn claim(&mut self, taken: &[quadrex_cluster::message::TakenFollower]) {
        let before = self.database.owner;
        let owners = self.owners.iter_mut().flatten();
        let mut others: Vec<_> = owners.filter(|owner| Some(owner.node()) != before).collect();
        let index = self.rng.random_range(0..others.len());
        others[index].take_over(taken, self.now);
        self.database.owner = Some(others[index].node());
    }

    fn check(self) -> Counts {
        let head = self.database.head();
        let mut answered = 0;
        for follower in &self.followers {
            let node = follower.node();
            assert_eq!(follower.proxy.head(), Some(head), "{node} has all events");
            assert!(follower.is_idle(), "all requests of {node} are answered");
            for (number, client) in &follower.clients {
                assert_eq!(client.head, Some(head), "client {number} of {node} has all events");
            }
            for (command, head) in &follower.done {
                assert_eq!(self.database.answer(command), Some(*head), "the answer of {command:?}");
            }
            if !self.faults.cuts {
                assert_eq!(follower.timed_out, [], "all commands of {node} are answered in time");
            }
            answered += follower.done.len() + follower.timed_out.len();
        }
        assert!(
            self.database.commands() <= answered,
            "each command was answered, and at most once in the log"
        );
        let owner =
            self.owners.iter().flatten().find(|owner| Some(owner.node()) == self.database.owner).unwrap();
        let followers = owner.followers.as_ref().unwrap();
        let presences: Vec<_> = self.followers.iter().map(Follower::presence).collect();
        let mut users: Vec<_> = presences.iter().flat_map(|(users, _)| users.iter().copied()).collect();
        users.sort_unstable();
        users.dedup();
        assert_eq!(followers.users().into_keys().collect::<Vec<_>>(), users, "the owner knows all users");
        let spectators: u32 = presences.iter().map(|(_, spectators)| spectators).sum();
        assert_eq!(followers.spectators(), spectators, "the owner knows the number of spectators");
        let owners = || self.owners.iter().flatten();
        Counts {
            events: self.database.count - self.first_event,
            published: owners().map(|owner| owner.published).sum(),
            follows: owners().map(|owner| owner.follows).sum(),
            followers: self.followers.len() as u64,
        }
    }
}
