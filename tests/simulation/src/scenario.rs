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
    /// Returns the longest time between two faults of a long simulation.
    fn between_faults(self) -> Duration {
        match self {
            Self::Quick => Duration::from_mins(1),
            Self::Slow => Duration::from_mins(10),
            Self::Daily => Duration::from_mins(60),
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
            0..3 => Pace::Daily,
            3 | 4 => Pace::Slow,
            _ => Pace::Quick,
        };
        let servers = match pace {
            _ if chance.one_in(2) => 1,
            Pace::Quick => 2 + chance.below(4) as usize,
            Pace::Slow => 2,
            Pace::Daily => 1 + usize::from(!chance.one_in(3)),
        };
        let (tables, watchers, duration) = match pace {
            Pace::Quick => {
                // Short times are more frequent than long ones.
                let longest = Duration::from_mins(1 << chance.below(6));
                let duration = chance.time(Duration::from_secs(30), longest);
                (1 + chance.below(3), chance.below(3), duration)
            }
            Pace::Slow => (2 + chance.below(7), chance.below(2), Duration::from_mins(60 + chance.below(60))),
            // The leases of a cluster cost much in a long time.
            Pace::Daily if servers > 1 => {
                (6 + chance.below(7), 0, Duration::from_mins(20 + chance.below(40)))
            }
            // Players who vanish at first use up the day for a move while nobody is there.
            Pace::Daily if chance.one_in(4) => {
                (8 + chance.below(9), 0, Duration::from_hours(26 + chance.below(9)))
            }
            Pace::Daily => (40 + chance.below(41), 0, Duration::from_hours(4 + chance.below(5))),
        };
        let messages = servers > 1 && chance.percent(60);
        let faults = FaultKinds { messages, doubles: chance.percent(20), ..faults };
        Self { seed, servers, tables, watchers, duration, pace, faults }
    }

    /// Returns the longest time between two faults. Brief simulations have some faults, too.
    #[must_use]
    pub fn between_faults(&self) -> Duration {
        self.pace.between_faults().min(self.duration / 6)
    }

    /// Returns the longest time between two visits of a player; `None` if players stay at their tables.
    #[must_use]
    pub fn between_visits(&self) -> Option<Duration> {
        (self.pace == Pace::Daily).then(|| Duration::from_hours(8).min(self.duration))
    }

    /// Returns the number of tables to which one person comes who does not play. These people come again
    /// and again, so simulations with many tables have few of them.
    #[must_use]
    pub fn tables_per_visitor(&self) -> u64 {
        (self.tables / 4).max(1)
    }

    /// Returns a brief scenario of the same pace with the same kinds of faults, but with fewer servers
    /// and clients.
    #[must_use]
    pub fn brief(&self) -> Self {
        let (tables, longest) = match self.pace {
            Pace::Quick => (2, Duration::from_secs(90)),
            Pace::Slow => (2, Duration::from_mins(10)),
            Pace::Daily => (4, Duration::from_mins(7)),
        };
        let mut brief = self.clone();
        brief.servers = brief.servers.min(3);
        brief.tables = brief.tables.min(tables);
        brief.watchers = brief.watchers.min(1);
        brief.duration = brief.duration.min(longest);
        brief
    }

    /// Returns smaller scenarios. The first one is the brief one, unless this is brief. Each of the others
    /// is smaller in one thing.
    #[must_use]
    pub fn smaller(&self) -> Vec<Self> {
        let mut smaller: Vec<_> = [self.brief()].into_iter().filter(|brief| brief != self).collect();
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
        add(&|scenario| scenario.duration = Duration::from_secs(scenario.duration.as_secs() / 2 + 5));
        smaller
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers and kinds of a scenario, all of which shrinking may only make smaller.
    fn size(scenario: &Scenario) -> [u128; 12] {
        let Scenario { servers, tables, watchers, duration, faults, .. } = scenario;
        let kinds = [
            faults.connections,
            faults.crashes,
            faults.stalls,
            faults.restarts,
            faults.database,
            faults.clocks,
            faults.messages,
            faults.doubles,
        ];
        let numbers = [*servers as u128, (*tables).into(), (*watchers).into(), duration.as_millis()];
        let kinds = kinds.map(u128::from);
        std::array::from_fn(|index| if index < 4 { numbers[index] } else { kinds[index - 4] })
    }

    #[test]
    fn a_seed_always_has_the_same_scenario() {
        for seed in 0..50 {
            assert_eq!(Scenario::of_seed(seed), Scenario::of_seed(seed));
            assert_eq!(Scenario::of_seed(seed).seed, seed);
        }
    }

    #[test]
    fn the_scenarios_of_many_seeds_differ_in_everything() {
        let scenarios: Vec<Scenario> = (0..300).map(Scenario::of_seed).collect();
        for index in 0..12 {
            let least = scenarios.iter().map(|scenario| size(scenario)[index]).min();
            let most = scenarios.iter().map(|scenario| size(scenario)[index]).max();
            assert!(least < most, "all scenarios have {most:?} at {index}");
        }
        for pace in [Pace::Quick, Pace::Slow, Pace::Daily] {
            assert!(scenarios.iter().any(|scenario| scenario.pace == pace), "{pace:?}");
        }
        let outlasts_a_move = |scenario: &&Scenario| {
            scenario.pace == Pace::Daily && scenario.duration > Duration::from_hours(24)
        };
        assert!((1..20).contains(&scenarios.iter().filter(outlasts_a_move).count()));
        for scenario in &scenarios {
            assert!((1..=5).contains(&scenario.servers) && scenario.tables > 0, "{scenario:?}");
            assert!(scenario.servers > 1 || !scenario.faults.messages, "{scenario:?}");
        }
    }

    #[test]
    fn a_brief_scenario_has_the_same_pace_and_faults() {
        let all: Vec<Scenario> = (0..300).map(Scenario::of_seed).collect();
        for scenario in &all {
            let brief = scenario.brief();
            assert_eq!(
                (brief.seed, brief.pace, brief.faults),
                (scenario.seed, scenario.pace, scenario.faults)
            );
            assert_eq!(brief.servers > 1, scenario.servers > 1);
            assert!(size(&brief).iter().zip(&size(scenario)).all(|(brief, whole)| brief <= whole));
            assert!(brief.duration <= Duration::from_hours(1) && brief.tables <= 4, "{brief:?}");
            assert_eq!(brief.brief(), brief);
        }
        assert!(all.iter().any(|scenario| scenario.brief() == *scenario));
        assert!(all.iter().any(|scenario| scenario.brief() != *scenario));
    }

    #[test]
    fn each_smaller_scenario_is_brief_or_smaller_in_one_thing_and_larger_in_none() {
        for seed in 0..300 {
            let scenario = Scenario::of_seed(seed);
            for (index, smaller) in scenario.smaller().into_iter().enumerate() {
                let (before, after) = (size(&scenario), size(&smaller));
                let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
                if index == 0 && scenario != scenario.brief() {
                    assert_eq!(smaller, scenario.brief());
                } else {
                    assert_eq!(changed, 1, "{scenario:?} becomes {smaller:?}");
                }
                assert!(before.iter().zip(&after).all(|(before, after)| after <= before), "{smaller:?}");
                assert_eq!((smaller.seed, smaller.pace), (scenario.seed, scenario.pace));
            }
        }
    }

    #[test]
    fn shrinking_ends_at_the_smallest_scenario() {
        for seed in 0..300 {
            let mut scenario = Scenario::of_seed(seed);
            let mut steps = 0;
            while let Some(smaller) = scenario.smaller().pop() {
                scenario = smaller;
                steps += 1;
                assert!(steps < 100, "seed {seed} is still {scenario:?}");
            }
            assert_eq!((scenario.servers, scenario.tables, scenario.watchers), (1, 1, 0));
            assert_eq!(scenario.faults, FaultKinds::NONE);
            assert!(scenario.duration <= Duration::from_secs(11), "{:?}", scenario.duration);
        }
    }
}
