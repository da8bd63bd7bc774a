//! The time budget of a bot for one move.

use std::time::Duration;

use quadrex_clock::Entropy;
use quadrex_engine::Limits;
use quadrex_rules::{Game, Timestamp};

use crate::config::BotsConfig;

/// The largest number of positions that are searched for a move. Bots below the highest level
/// search fewer ([`Level`](quadrex_engine::Level)).
const MAX_NODES: u64 = 1_000_000;

/// The divisor for the longest search: a search takes at most the bot's remaining time divided by
/// this.
const SEARCH_DIVISOR: u32 = 20;

/// The divisor for the longest artificial delay of a move: the delay is at most the bot's remaining
/// time divided by this. The delay begins with the search.
const MOVE_DIVISOR: u32 = 30;

/// The budget of a bot for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// The limits of the search.
    pub(super) limits: Limits,
    /// The shortest time before the bot moves. The bot waits if the search takes less time.
    pub(super) delay: Duration,
}

impl Budget {
    /// Returns the budget of the bot whose turn it is, at `now`.
    pub(super) fn of(game: &Game, config: &BotsConfig, entropy: &Entropy, now: Timestamp) -> Self {
        let time_left = time_to_spend(game, now);
        let hard_limit =
            time_left.map_or(config.think, |time_left| config.think.min(time_left / SEARCH_DIVISOR));
        let limits = Limits {
            nodes: Some(MAX_NODES),
            soft: Some(hard_limit / 2),
            hard: Some(hard_limit),
            ..Limits::default()
        };
        let has_choice = game.position().legal_moves().len() > 1;
        let delay = if has_choice { random_delay(config, entropy) } else { config.min_delay };
        Self { limits, delay: time_left.map_or(delay, |time_left| delay.min(time_left / MOVE_DIVISOR)) }
    }
}

/// Returns the time that the player to move can spend on all its coming moves. Returns `None` if
/// the player has no clock.
fn time_to_spend(game: &Game, now: Timestamp) -> Option<Duration> {
    let clock = game.clock();
    if !clock.keeps_time() {
        return None;
    }
    let time_left = clock.remaining(game.position().turn(), now)?;
    Some(time_left + clock.free(now) * (SEARCH_DIVISOR / 2))
}

/// Returns a random delay between the minimum and the maximum in the settings. Short delays are
/// more frequent than long delays.
fn random_delay(config: &BotsConfig, entropy: &Entropy) -> Duration {
    let span = config.max_delay.saturating_sub(config.min_delay);
    let [first, second] = entropy.bytes::<2>().map(u32::from);
    config.min_delay + span * first * second / (255 * 255)
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{Color, GameCommand, GameConfig, Setup, TimeControl, Variant};

    use super::*;
    use crate::bots::default_config;

    const START: Timestamp = Timestamp::from_millis(1_000_000);

    fn game(time: TimeControl) -> Game {
        let setup = Setup::start(Variant::Classic);
        let mut game = Game::new(GameConfig { setup, draws: Default::default(), time }, START).unwrap();
        // The first move of each player costs no time.
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
        let config = default_config();
        Budget::of(game, &config, &Entropy::seeded(1), START)
    }

    #[test]
    fn without_clocks_a_bot_uses_the_configured_time() {
        let config = default_config();
        let entropy = Entropy::seeded(7);
        let game = game(TimeControl::None);
        let delays: Vec<_> = (0..200).map(|_| Budget::of(&game, &config, &entropy, START).delay).collect();
        assert!(delays.iter().all(|delay| (config.min_delay..=config.max_delay).contains(delay)));
        let middle = (config.min_delay + config.max_delay) / 2;
        assert!(delays.iter().filter(|delay| **delay < middle).count() > 120, "{delays:?}");
        assert!(delays.iter().any(|delay| *delay > middle));
        assert_eq!(budget(&game).limits.hard, Some(config.think));
    }

    #[test]
    fn a_bot_with_little_time_moves_fast() {
        let Budget { limits, delay } = budget(&fischer(1_000));
        assert!(limits.hard.unwrap() <= Duration::from_millis(50), "{limits:?}");
        assert!(delay <= Duration::from_millis(34), "{delay:?}");
        let ample = budget(&fischer(3_600_000));
        assert_eq!(ample.limits.hard, Some(default_config().think));
    }
}
