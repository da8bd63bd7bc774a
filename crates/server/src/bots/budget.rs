//! How much a bot may look at for a move, and how long it takes before it makes one.

use std::time::Duration;

use quadrex_clock::Entropy;
use quadrex_engine::Limits;
use quadrex_rules::{Game, Timestamp};

use crate::config::BotsConfig;

/// Positions that the highest level looks at for a move, at most; lower ones look at fewer by themselves ([`Level`](quadrex_engine::Level)).
const MOST_NODES: u64 = 1_000_000;

/// Of the time it has left, a bot looks for a move no longer than this part.
const PART_TO_SEARCH: u32 = 20;

/// And takes no longer than this part, the search included, before it moves.
const PART_TO_TAKE: u32 = 30;

/// What a bot may spend on one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// For the search.
    pub(super) limits: Limits,
    /// How long it takes for the move at least.
    pub(super) pace: Duration,
}

impl Budget {
    /// For the player to move at `now`.
    pub(super) fn of(game: &Game, config: &BotsConfig, entropy: &Entropy, now: Timestamp) -> Self {
        let left = spendable(game, now);
        let hard = left.map_or(config.think, |left| config.think.min(left / PART_TO_SEARCH));
        let limits =
            Limits { nodes: Some(MOST_NODES), soft: Some(hard / 2), hard: Some(hard), ..Limits::default() };
        let pace =
            if game.position().legal_moves().len() > 1 { draw(config, entropy) } else { config.pace_least };
        Self { limits, pace: left.map_or(pace, |left| pace.min(left / PART_TO_TAKE)) }
    }
}

/// The time that can be spent on the moves to come; `None` without clocks that matter.
fn spendable(game: &Game, now: Timestamp) -> Option<Duration> {
    let clock = game.clock();
    if !clock.keeps_time() {
        return None;
    }
    let left = clock.remaining(game.position().turn(), now)?;
    Some(left + clock.free(now) * (PART_TO_SEARCH / 2))
}

/// A time between the least and the most, a short one more often than a long one.
fn draw(config: &BotsConfig, entropy: &Entropy) -> Duration {
    let span = config.pace_most.saturating_sub(config.pace_least);
    let [first, second] = entropy.bytes::<2>().map(u32::from);
    config.pace_least + span * first * second / (255 * 255)
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{Color, GameCommand, GameConfig, Setup, TimeControl, Variant};

    use super::*;
    use crate::bots::usual;

    const START: Timestamp = Timestamp::from_millis(1_000_000);

    fn game(time: TimeControl) -> Game {
        let setup = Setup::start(Variant::Classic);
        let mut game = Game::new(GameConfig { setup, draws: Default::default(), time }, START).unwrap();
        // What each player's first move costs is no measure.
        for (color, mv) in [(Color::White, "e2e4"), (Color::Black, "e7e5")] {
            let command = GameCommand::Move { color, mv: mv.parse().unwrap(), claim_draw: false };
            let events = game.decide(&command, START).unwrap();
            events.iter().for_each(|event| game.apply(event, START));
        }
        game
    }

    fn fischer(base_ms: u64) -> Game {
        let (base, increment) = (Duration::from_millis(base_ms), Duration::ZERO);
        game(TimeControl::Fischer { base, increment })
    }

    fn budget(game: &Game) -> Budget {
        let config = usual();
        Budget::of(game, &config, &Entropy::seeded(1), START)
    }

    #[test]
    fn without_clocks_a_bot_takes_what_the_settings_say() {
        let config = usual();
        let entropy = Entropy::seeded(7);
        let game = game(TimeControl::None);
        let paces: Vec<_> = (0..200).map(|_| Budget::of(&game, &config, &entropy, START).pace).collect();
        assert!(paces.iter().all(|pace| (config.pace_least..=config.pace_most).contains(pace)));
        let middle = (config.pace_least + config.pace_most) / 2;
        assert!(paces.iter().filter(|pace| **pace < middle).count() > 120, "{paces:?}");
        assert!(paces.iter().any(|pace| *pace > middle));
        assert_eq!(budget(&game).limits.hard, Some(config.think));
    }

    #[test]
    fn a_bot_that_is_short_of_time_hurries() {
        let Budget { limits, pace } = budget(&fischer(1_000));
        assert!(limits.hard.unwrap() <= Duration::from_millis(50), "{limits:?}");
        assert!(pace <= Duration::from_millis(34), "{pace:?}");
        let ample = budget(&fischer(3_600_000));
        assert_eq!(ample.limits.hard, Some(usual().think));
    }
}
