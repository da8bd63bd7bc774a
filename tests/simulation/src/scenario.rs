//! The outlines of simulations.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::chance::Chance;

/// The outline of a simulation. A failing one is shrunk by making its numbers smaller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenario {
    /// The number from which all decisions follow.
    pub seed: u64,
    /// The number of servers. Several form a cluster.
    pub servers: usize,
    /// The number of tables.
    pub tables: u64,
    /// The number of watchers at each table.
    pub watchers: u64,
    /// The time for which clients play and faults happen.
    pub duration: Duration,
    /// The pace at which people play.
    pub pace: Pace,
    /// The kinds of faults that happen.
    pub faults: FaultKinds,
}

/// The pace at which people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pace {
    /// Minutes for a match, seconds for a move.
    Quick,
    /// Hours for a match, minutes for a move.
    Slow,
    /// A day for a move. Players come only for a visit, and tables hibernate meanwhile.
    Daily,
}

impl Pace {
    /// Returns the longest time between two faults.
    #[must_use]
    pub fn between_faults(self) -> Duration {
        match self {
            Self::Quick => Duration::from_mins(1),
            Self::Slow => Duration::from_mins(10),
            Self::Daily => Duration::from_mins(60),
        }
    }

    /// Returns the number of tables to which one person comes who does not play. These people come again
    /// and again, so long simulations with many tables have few of them.
    #[must_use]
    pub fn tables_per_visitor(self) -> u64 {
        match self {
            Self::Quick | Self::Slow => 1,
            Self::Daily => 8,
        }
    }

    /// Returns the longest time for a move of a player, who has it in mind.
    #[must_use]
    pub fn longest_thought(self) -> Duration {
        match self {
            Self::Quick | Self::Daily => Duration::from_secs(40),
            Self::Slow => Duration::from_mins(8),
        }
    }
}

/// The kinds of faults that happen in a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultKinds {
    /// Connections of clients break.
    pub connections: bool,
    /// Servers are killed and started again.
    pub crashes: bool,
    /// Servers are stopped for a while.
    pub stalls: bool,
    /// Servers leave in an orderly way and start again.
    pub restarts: bool,
    /// Accesses to the database fail.
    pub database: bool,
    /// The clocks of servers drift and step.
    pub clocks: bool,
    /// Messages between servers are lost, doubled, late or reordered, and servers lose each other.
    pub messages: bool,
    /// A server is started twice.
    pub doubles: bool,
}

impl FaultKinds {
    /// No faults.
    pub const NONE: Self = Self {
        connections: false,
        crashes: false,
        stalls: false,
        restarts: false,
        database: false,
        clocks: false,
        messages: false,
        doubles: false,
    };
}

impl Scenario {
    /// Returns the scenario of a seed.
    #[must_use]
    pub fn of_seed(seed: u64) -> Self {
        let chance = Chance::new(seed ^ 0x5ce7_a210);
        let faults = FaultKinds {
            connections: chance.percent(70),
            crashes: chance.percent(50),
            stalls: chance.percent(30),
            restarts: chance.percent(30),
            database: chance.percent(40),
            clocks: chance.percent(30),
            ..FaultKinds::NONE
        };
        let pace = match chance.below(24) {
            0 | 1 => Pace::Daily,
            2 | 3 => Pace::Slow,
            _ => Pace::Quick,
        };
        let (tables, watchers, duration) = match pace {
            Pace::Quick => {
                let duration = chance.time(Duration::from_mins(2), Duration::from_mins(30));
                (1 + chance.below(3), chance.below(3), duration)
            }
            Pace::Slow => (2 + chance.below(7), chance.below(2), Duration::from_mins(60 + chance.below(60))),
            Pace::Daily => (20 + chance.below(21), 0, Duration::from_hours(4 + chance.below(5))),
        };
        let servers = match pace {
            _ if chance.one_in(2) => 1,
            Pace::Quick => 2 + chance.below(4) as usize,
            Pace::Slow => 2,
            Pace::Daily => 1 + usize::from(chance.one_in(4)),
        };
        let messages = servers > 1 && chance.percent(60);
        let faults = FaultKinds { messages, doubles: chance.percent(20), ..faults };
        Self { seed, servers, tables, watchers, duration, pace, faults }
    }

    /// Returns smaller scenarios, the smallest ones first.
    #[must_use]
    pub fn smaller(&self) -> Vec<Self> {
        let mut smaller = Vec::new();
        let mut add = |change: &dyn Fn(&mut Self)| {
            let mut changed = self.clone();
            change(&mut changed);
            if changed != *self {
                smaller.push(changed);
            }
        };
        add(&|scenario| scenario.servers = 1);
        add(&|scenario| scenario.servers = (scenario.servers - 1).max(1));
        add(&|scenario| scenario.faults.messages = false);
        add(&|scenario| scenario.faults.doubles = false);
        add(&|scenario| scenario.faults.clocks = false);
        add(&|scenario| scenario.faults.database = false);
        add(&|scenario| scenario.faults.stalls = false);
        add(&|scenario| scenario.faults.restarts = false);
        add(&|scenario| scenario.faults.crashes = false);
        add(&|scenario| scenario.faults.connections = false);
        add(&|scenario| scenario.tables = (scenario.tables / 2).max(1));
        add(&|scenario| scenario.watchers /= 2);
        add(&|scenario| scenario.duration = scenario.duration / 2 + Duration::from_secs(5));
        smaller
    }
}
