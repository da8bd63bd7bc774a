//! The acts of the players of a rated match against each other, for the statistics of pairs. They are
//! computed from the log.
//!
//! The expected number of captures of a player's pieces is its share of all pieces that the capturing
//! player could have captured at that moment: a player with more pieces loses more of them. For checks
//! and eliminations, all opponents who are still in the match have the same share.

use std::collections::BTreeMap;

use quadrex_protocol::settings::TableSettings;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::{AnyPosition, Color, Game, GameConfig, GameEvent, Setup, Timestamp};
use quadrex_store::{ActCount, Acts, LoggedEvent, PairActs};

/// Returns the acts of each player against each other player of a match. Empty for a casual match, for
/// a match of two, for one that has no result, and if a user has several seats.
pub(super) fn of(log: &[LoggedEvent]) -> Vec<PairActs> {
    let Some(Event::Opened { settings, .. }) = log.first().map(|first| &first.event) else {
        return Vec::new();
    };
    let has_ended = log.iter().any(|logged| matches!(logged.event, Event::Ended { .. }));
    if !settings.rated || !has_ended || settings.variant.player_count() < 3 {
        return Vec::new();
    }
    let Some((holders, mut tally)) = start(settings, log) else { return Vec::new() };
    for LoggedEvent { at, event, .. } in log {
        if let Some(event) = event.to_rules() {
            tally.apply(&event, *at);
        }
    }
    tally.pairs(settings.variant.colors(), &holders)
}

/// Returns the players and the game at the start of the match.
fn start(settings: &TableSettings, log: &[LoggedEvent]) -> Option<(BTreeMap<Color, UserId>, Tally)> {
    let mut holders: BTreeMap<Color, UserId> = BTreeMap::new();
    for LoggedEvent { at, event, .. } in log {
        match event {
            Event::Seated { color, user, .. } => drop(holders.insert(*color, user.id)),
            Event::Vacated { color, .. } => drop(holders.remove(color)),
            Event::Started { first_player, seats, .. } => {
                let reseated = |(color, user): (&Color, &UserView)| (*color, user.id);
                holders.extend(seats.iter().map(reseated));
                let config = GameConfig {
                    setup: Setup::start(settings.variant).with_turn(*first_player),
                    draws: settings.draws,
                    time: settings.time.to_rules(),
                };
                let game = Game::new(config, *at).ok()?;
                return Some((holders, Tally { game, acts: BTreeMap::new() }));
            }
            _ => {}
        }
    }
    None
}

/// A game with the acts of the players so far.
struct Tally {
    game: Game,
    acts: BTreeMap<(Color, Color), Acts>,
}

impl Tally {
    fn apply(&mut self, event: &GameEvent, at: Timestamp) {
        match event {
            GameEvent::Moved { color, .. } => {
                let before = self.game.position().clone();
                self.game.apply(event, at);
                self.count_move(*color, &before);
            }
            GameEvent::Eliminated { color, by, .. } => {
                for &attacker in by {
                    let shares = equal_shares(self.game.position(), attacker);
                    self.count(attacker, *color, &shares, |acts| &mut acts.eliminations);
                }
                self.game.apply(event, at);
            }
            _ => self.game.apply(event, at),
        }
    }

    /// Counts the captures and checks of a move that led from the position `before` to the present
    /// one.
    fn count_move(&mut self, mover: Color, before: &AnyPosition) {
        let after = self.game.position().clone();
        let opponents: Vec<Color> = before.active_players().filter(|color| *color != mover).collect();
        for &victim in &opponents {
            for _ in pieces(&after, victim)..pieces(before, victim) {
                let shares = piece_shares(before, &opponents);
                self.count(mover, victim, &shares, |acts| &mut acts.captures);
            }
            let gives_check = |position: &AnyPosition| position.checked_by(victim).any(|by| by == mover);
            if gives_check(&after) && !gives_check(before) {
                let shares = equal_shares(before, mover);
                self.count(mover, victim, &shares, |acts| &mut acts.checks);
            }
        }
    }

    /// Counts an act, and adds the share of each opponent to the expected numbers.
    fn count(
        &mut self,
        by: Color,
        on: Color,
        shares: &[(Color, f64)],
        kind: impl Fn(&mut Acts) -> &mut ActCount,
    ) {
        kind(self.acts.entry((by, on)).or_default()).seen += 1;
        for (opponent, share) in shares {
            kind(self.acts.entry((by, *opponent)).or_default()).expected += share;
        }
    }

    /// Returns the acts of the users who have these seats.
    fn pairs(&self, colors: &[Color], holders: &BTreeMap<Color, UserId>) -> Vec<PairActs> {
        let mut pairs = Vec::new();
        for (from, by) in colors.iter().enumerate() {
            for (to, on) in colors.iter().enumerate().filter(|(to, _)| *to != from) {
                let (Some(&by_user), Some(&on_user)) = (holders.get(by), holders.get(on)) else {
                    return Vec::new();
                };
                if by_user == on_user {
                    return Vec::new();
                }
                let is_opposite = 2 * from.abs_diff(to) == colors.len();
                let acts = self.acts.get(&(*by, *on)).copied().unwrap_or_default();
                pairs.push(PairActs { by: by_user, on: on_user, is_opposite, acts });
            }
        }
        pairs
    }
}

fn pieces(position: &AnyPosition, color: Color) -> usize {
    position.pieces().filter(|(_, piece)| piece.color == color).count()
}

/// Returns the share of each opponent of a player who is still in the match.
fn equal_shares(position: &AnyPosition, player: Color) -> Vec<(Color, f64)> {
    let opponents: Vec<Color> = position.active_players().filter(|color| *color != player).collect();
    let share = 1.0 / precise(opponents.len());
    opponents.into_iter().map(|opponent| (opponent, share)).collect()
}

/// Returns the share of each of these opponents in the pieces that can be captured: all but the kings.
fn piece_shares(position: &AnyPosition, opponents: &[Color]) -> Vec<(Color, f64)> {
    let exposed = |opponent: Color| precise(pieces(position, opponent).saturating_sub(1));
    let all: f64 = opponents.iter().map(|opponent| exposed(*opponent)).sum();
    opponents.iter().map(|opponent| (*opponent, exposed(*opponent) / all)).collect()
}

fn precise(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use quadrex_protocol::http::CreateTable;
    use quadrex_protocol::settings::{Privacy, TimeSetting};
    use quadrex_rules::{GameCommand, Variant};
    use quadrex_store::Epoch;
    use quadrex_table::validate_settings;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    const AT: Timestamp = Timestamp::from_millis(0);

    fn user(number: u128) -> UserView {
        let name = format!("user {number}");
        UserView { id: UserId(Uuid::from_u128(number)), name, account: true, bot: None, anonymous: false }
    }

    fn logged(seq: u64, event: Event) -> LoggedEvent {
        LoggedEvent { seq, epoch: Epoch::FIRST, at: AT, by: None, command_id: None, event }
    }

    /// Returns the log of a match of random moves that Red begins, with the number of pieces that each
    /// color has at the end. The seats are held by the users with the numbers of `holders`.
    fn random_match(rated: bool, moves: u64, holders: [u128; 4]) -> (Vec<LoggedEvent>, Vec<(Color, usize)>) {
        let request = CreateTable {
            rated: Some(rated),
            time: Some(TimeSetting::Correspondence { days: 1 }),
            ..CreateTable::plain(Variant::Dilkel, Privacy::Public)
        };
        let settings = validate_settings(request).unwrap();
        let secret = "0".repeat(64);
        let event = |value: serde_json::Value| serde_json::from_value::<Event>(value).unwrap();
        let mut events = vec![event(
            json!({"type": "opened", "settings": settings, "host": user(1), "commitment": secret}),
        )];
        for (color, number) in settings.variant.colors().iter().zip(holders) {
            let seat = json!({"type": "seated", "color": color.name(), "user": user(number), "nonce": "n"});
            events.push(event(seat));
        }
        events.push(event(json!({"type": "started", "first_player": "red", "secret": secret})));
        let config = GameConfig {
            setup: Setup::start(Variant::Dilkel).with_turn(Color::Red),
            draws: settings.draws,
            time: settings.time.to_rules(),
        };
        let mut game = Game::new(config, AT).unwrap();
        let mut random = 1_u64;
        for _ in 0..moves {
            // The numbers of Knuth's linear congruential generator MMIX.
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let legal = game.position().legal_moves();
            // Captures are preferred, so that there are many.
            let before = game.position().pieces().count();
            let captures = |mv: &quadrex_rules::Move| {
                let mut after = game.position().clone();
                after.play(*mv);
                after.pieces().count() < before
            };
            let taking: Vec<_> = legal.iter().copied().filter(captures).collect();
            let choice = if taking.is_empty() { legal } else { taking };
            let mv = choice[usize::try_from(random >> 33).unwrap() % choice.len()];
            let command = GameCommand::Move { color: game.position().turn(), mv, claim_draw: false };
            for decided in game.decide(&command, AT).unwrap() {
                game.apply(&decided, AT);
                events.push(Event::from_rules(decided));
            }
            if game.is_over() {
                break;
            }
        }
        if !game.is_over() {
            let places = json!({"red": 1, "blue": 1, "yellow": 1, "green": 1});
            events.push(event(json!({"type": "ended", "reason": "agreement", "places": places})));
        }
        let left = settings.variant.colors().iter().map(|color| (*color, pieces(game.position(), *color)));
        let left = left.collect();
        ((1..).zip(events).map(|(seq, event)| logged(seq, event)).collect(), left)
    }

    #[test]
    fn each_capture_is_counted_and_its_expectation_is_spread_over_the_opponents() {
        let (log, left) = random_match(true, 60, [1, 2, 3, 4]);
        let acts = of(&log);
        assert_eq!(acts.len(), 12);
        let start = pieces(&AnyPosition::new(&Setup::start(Variant::Dilkel)).unwrap(), Color::Red);
        let mut captured = 0;
        for (number, (color, left)) in (1..).zip(left) {
            let on = UserId(Uuid::from_u128(number));
            let lost: u32 =
                acts.iter().filter(|pair| pair.on == on).map(|pair| pair.acts.captures.seen).sum();
            assert_eq!(lost as usize, start - left, "{color}");
            captured += lost;
        }
        assert!(captured > 20, "{captured}");
        for number in 1..=4 {
            let by = UserId(Uuid::from_u128(number));
            let own: Vec<_> = acts.iter().filter(|pair| pair.by == by).collect();
            for count in
                [|acts: &Acts| acts.captures, |acts: &Acts| acts.checks, |acts: &Acts| acts.eliminations]
            {
                let seen: f64 = own.iter().map(|pair| f64::from(count(&pair.acts).seen)).sum();
                let expected: f64 = own.iter().map(|pair| count(&pair.acts).expected).sum();
                assert!((seen - expected).abs() < 1e-9, "{own:?}");
            }
        }
        let opposite = |one: u128, other: u128| {
            let (by, on) = (UserId(Uuid::from_u128(one)), UserId(Uuid::from_u128(other)));
            acts.iter().find(|pair| (pair.by, pair.on) == (by, on)).unwrap().is_opposite
        };
        assert!(opposite(1, 3) && opposite(4, 2) && !opposite(1, 2) && !opposite(4, 1));
    }

    #[test]
    fn only_rated_matches_with_a_result_between_four_users_count() {
        let (log, _) = random_match(false, 8, [1, 2, 3, 4]);
        assert_eq!(of(&log), [], "casual");
        let (mut log, _) = random_match(true, 8, [1, 2, 3, 3]);
        assert_eq!(of(&log), [], "a user has two seats");
        (log, _) = random_match(true, 8, [1, 2, 3, 4]);
        assert_eq!(of(&log).len(), 12);
        log.pop();
        assert_eq!(of(&log), [], "no result");
    }
}
