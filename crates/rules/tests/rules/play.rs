//! A short notation for playing games in tests.

use std::time::Duration;

use quadrex_rules::{
    AnyPosition, ByColor, CastlingRights, Cause, Color, DrawPolicy, Game, GameCommand, GameConfig, GameEvent,
    Move, Piece, Reason, Rejection, Role, Setup, Square, TimeControl, Timestamp, Variant,
};

/// A game and the time of day, in milliseconds.
pub(crate) struct Play {
    pub(crate) game: Game,
    pub(crate) now: u64,
}

/// A position from pieces such as `rKg1 bRa11`: the colors without a king are eliminated. No
/// castling rights, nothing pending.
pub(crate) fn pieces(variant: Variant, turn: Color, words: &str) -> Setup {
    let mut setup = Setup::start(variant).with_turn(turn);
    setup.castling = ByColor::from_fn(|_| CastlingRights::default());
    setup.pieces = words
        .split_whitespace()
        .map(|word| {
            let (piece, square) = word.split_at(2);
            (at(square), Piece::parse(variant, piece).expect("a piece's two letters"))
        })
        .collect();
    let has_king = |color| setup.pieces.values().any(|piece| *piece == Piece { color, role: Role::King });
    setup.eliminated = variant
        .colors()
        .iter()
        .filter(|color| !has_king(**color))
        .map(|color| (*color, Cause::Resign))
        .collect();
    setup
}

/// The same on the Dilkel board.
pub(crate) fn dilkel(turn: Color, words: &str) -> Setup {
    pieces(Variant::Dilkel, turn, words)
}

/// A FEN.
pub(crate) fn fen(text: &str) -> Setup {
    Setup::parse(Variant::Classic, text).expect("the FEN can be read")
}

pub(crate) fn at(square: &str) -> Square {
    square.parse().expect("a square's name")
}

pub(crate) fn mv(text: &str) -> Move {
    text.parse().expect("a move's text")
}

pub(crate) fn position(setup: &Setup) -> AnyPosition {
    AnyPosition::new(setup).expect("the set-up is a position")
}

/// Returns the squares that the piece on one square may move to, sorted by name.
pub(crate) fn targets(position: &AnyPosition, from: &str) -> Vec<String> {
    let mut targets: Vec<String> = position.moves_from(at(from)).iter().map(|mv| mv.to.to_string()).collect();
    targets.sort();
    targets
}

impl Play {
    pub(crate) fn new(setup: Setup) -> Self {
        Self::with(setup, DrawPolicy::Claim, TimeControl::None)
    }

    pub(crate) fn with(setup: Setup, draws: DrawPolicy, time: TimeControl) -> Self {
        let config = GameConfig { setup, draws, time };
        let game = Game::load(config, Timestamp::from_millis(0)).expect("the set-up is a position");
        Self { game, now: 0 }
    }

    pub(crate) fn start(variant: Variant) -> Self {
        Self::new(Setup::start(variant))
    }

    /// Runs a command that must be accepted.
    pub(crate) fn accept(&mut self, command: &GameCommand) -> Vec<GameEvent> {
        let now = Timestamp::from_millis(self.now);
        let events = self.game.decide(command, now).expect("the command is accepted");
        for event in &events {
            self.game.apply(event, now);
        }
        events
    }

    /// Returns the reason why a command is refused.
    pub(crate) fn refuse(&self, command: &GameCommand) -> Rejection {
        self.game.decide(command, Timestamp::from_millis(self.now)).expect_err("the command is refused")
    }

    /// Makes moves, each of the player to move. Returns the events of the last.
    pub(crate) fn moves(&mut self, moves: &str) -> Vec<GameEvent> {
        let mut events = Vec::new();
        for text in moves.split_whitespace() {
            events = self.accept(&self.command(text, false));
        }
        events
    }

    /// Returns the command of a move of the player to move.
    pub(crate) fn command(&self, text: &str, claim_draw: bool) -> GameCommand {
        GameCommand::Move { color: self.game.position().turn(), mv: mv(text), claim_draw }
    }

    pub(crate) fn resign(&mut self, color: Color) -> Vec<GameEvent> {
        self.accept(&GameCommand::Resign { color })
    }

    /// Returns the colors in check, in turn order.
    pub(crate) fn checks(&self) -> Vec<Color> {
        self.game.position().checks().collect()
    }

    pub(crate) fn reason(&self) -> Option<Reason> {
        self.game.outcome().map(|outcome| outcome.reason)
    }

    /// Returns the places in turn order; empty while the match runs.
    pub(crate) fn places(&self) -> Vec<u8> {
        self.game
            .outcome()
            .into_iter()
            .flat_map(|outcome| outcome.places.iter().map(|(_, place)| place))
            .collect()
    }
}

/// Returns the eliminations, as `color=cause`, in order.
pub(crate) fn gone(events: &[GameEvent]) -> Vec<String> {
    events
        .iter()
        .filter_map(|event| match event {
            GameEvent::Eliminated { color, cause, .. } => Some(format!("{color}={cause}")),
            _ => None,
        })
        .collect()
}

/// A budget of whole seconds with an increment of seconds.
pub(crate) fn fischer(base: u64, increment: u64) -> TimeControl {
    TimeControl::Fischer { base: Duration::from_secs(base), increment: Duration::from_secs(increment) }
}
