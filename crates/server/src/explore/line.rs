//! The view of an explored line of moves, in its form on the wire.

use quadrex_protocol::explore::{Exploration, ExploredElimination, ExploredPly};
use quadrex_protocol::position_view::{
    attacks, changed_squares, eliminated, outcome, pieces, reserves, stalemated,
};
use quadrex_protocol::view::{BoardView, Phase, SeatView, StateView};
use quadrex_rules::notation::{Notation, Tags, pgn, pgn4};
use quadrex_rules::{AnyPosition, Color, Game, GameConfig, GameEvent, Timestamp};

use super::text::ParsedText;

/// The time of all events in a line. Its value does not matter, because no clock runs.
const NO_TIME: Timestamp = Timestamp::from_millis(0);

pub(super) fn exploration_of(source: ParsedText) -> Exploration {
    let ParsedText { playback, tags, result, warnings, stopped, more_games } = source;
    let config = playback.game().config();
    let variant = config.setup.variant;
    let replay = Replay::through(config, playback.events());
    let game = playback.game();
    Exploration {
        variant,
        board: BoardView::of(variant),
        seats: seats(variant.colors()),
        start: pieces(replay.start.position()),
        start_fen: replay.start.setup().to_string(),
        start_eliminated: eliminated(&replay.start),
        line: replay.plies,
        state: state(game),
        legal_moves: if game.is_over() { Vec::new() } else { game.position().legal_moves() },
        fen: game.setup().to_string(),
        notation: notation(config, playback.events(), &tags),
        players: players(variant.colors(), &tags),
        result,
        warnings,
        stopped,
        more_games,
    }
}

/// A replay of a game. It collects the changes of each move.
struct Replay {
    /// The game before the first move. Players may have been eliminated already.
    start: Game,
    plies: Vec<ExploredPly>,
    game: Game,
    /// The position before the last move.
    before: AnyPosition,
}

impl Replay {
    fn through(config: &GameConfig, events: &[GameEvent]) -> Self {
        let game = Game::load(config.clone(), NO_TIME).expect("it was played from there");
        let before = game.position().clone();
        let mut replay = Self { start: game.clone(), plies: Vec::new(), game, before };
        for event in events {
            replay.step(event);
        }
        replay
    }

    fn step(&mut self, event: &GameEvent) {
        if let GameEvent::Moved { color, mv, .. } = event {
            self.before = self.game.position().clone();
            self.plies.push(ExploredPly {
                color: *color,
                mv: *mv,
                notation: quadrex_rules::notation::move_text(&self.before, *mv),
                squares: Default::default(),
                checks: Vec::new(),
                attacks: Vec::new(),
                eliminated: Vec::new(),
            });
        }
        self.game.apply(event, NO_TIME);
        let Some(ply) = self.plies.last_mut() else {
            self.start = self.game.clone();
            return;
        };
        if let GameEvent::Eliminated { color, cause, by } = event {
            ply.eliminated.push(ExploredElimination { color: *color, cause: *cause, by: by.clone() });
        }
        ply.squares = changed_squares(&self.before, self.game.position());
        ply.checks = self.game.position().checks().collect();
        ply.attacks = attacks(self.game.position(), &ply.checks);
    }
}

fn seats(colors: &[Color]) -> Vec<SeatView> {
    let view = |&color: &Color| SeatView { color, side: color.side().into(), user: None, substitute: None };
    colors.iter().map(view).collect()
}

fn state(game: &Game) -> StateView {
    let position = game.position();
    let is_over = game.is_over();
    StateView {
        phase: if is_over { Phase::Ended } else { Phase::Running },
        turn: (!is_over).then(|| position.turn()),
        active_players: position.active_players().collect(),
        eliminated: eliminated(game),
        checks: position.checks().collect(),
        facing_mate: if is_over { Vec::new() } else { position.facing_mate() },
        reserves: reserves(position),
        clock: None,
        requests: Vec::new(),
        can_claim_draw: game.may_claim_draw(NO_TIME),
        move_left_ms: None,
        suspension: None,
        vacations: Vec::new(),
        outcome: outcome(game),
        stalemated: stalemated(game),
        aborted: None,
        rematch: None,
        closed: false,
    }
}

/// Returns the line as PGN or PGN4 with these tags.
fn notation(config: &GameConfig, events: &[GameEvent], tags: &Tags) -> String {
    let played = "the events were just played in this order";
    let mut text = String::new();
    match config.setup.variant.notation() {
        Notation::Pgn => pgn::write(config, events, tags).expect(played).write_pgn(&mut text),
        Notation::Pgn4 => pgn4::write(config, events, tags).expect(played).write_pgn4(&mut text),
    }
    .expect("writing to a string does not fail");
    text
}

/// Returns the players' names from the tags. A name that is missing or `?` is left out.
fn players(colors: &[Color], tags: &Tags) -> std::collections::BTreeMap<Color, String> {
    let name = |color: &Color| {
        let (first, rest) = color.name().split_at(1);
        let name = tags.get(&(first.to_ascii_uppercase() + rest))?;
        (!matches!(name, "" | "?")).then(|| (*color, name.to_owned()))
    };
    colors.iter().filter_map(name).collect()
}
