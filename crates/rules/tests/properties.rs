//! What holds at every ply of random games, on every variant.

use quadrex_rules::{
    AnyPosition, Color, DrawPolicy, Game, GameCommand, GameConfig, GameEvent, Move, Role, Setup, Square,
    TimeControl, Timestamp, Variant,
};

/// Numbers that look random and are the same each run (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 33) as usize % bound
    }
}

fn config(variant: Variant, random: &mut Random) -> GameConfig {
    let beginner = if variant == Variant::Classic { 0 } else { random.below(4) };
    let second = std::time::Duration::from_secs(1);
    GameConfig {
        setup: Setup::start(variant).with_turn(variant.colors()[beginner]),
        draws: [DrawPolicy::Claim, DrawPolicy::Automatic][random.below(2)],
        time: [
            TimeControl::None,
            TimeControl::Fischer { base: 300 * second, increment: 2 * second },
            TimeControl::Delay { base: 60 * second, delay: 5 * second },
        ][random.below(3)],
    }
}

/// A command that may well be refused; mostly a legal move.
fn some_command(game: &Game, random: &mut Random) -> GameCommand {
    let colors = game.position().variant().colors();
    let color = colors[random.below(colors.len())];
    match random.below(100) {
        0 => GameCommand::Resign { color },
        1 => GameCommand::Remove { color },
        2 | 3 => GameCommand::Flag,
        4..7 => GameCommand::OfferDraw { color },
        7..10 => GameCommand::AcceptDraw { color },
        10 => GameCommand::DeclineDraw { color },
        11 => GameCommand::ClaimDraw { color },
        12..15 => GameCommand::RequestTakeback { color },
        15..25 => GameCommand::AcceptTakeback { color },
        25 => GameCommand::DeclineTakeback { color },
        kind => {
            let moves = game.position().legal_moves();
            let mv = if moves.is_empty() { any_move(random) } else { moves[random.below(moves.len())] };
            GameCommand::Move { color: game.position().turn(), mv, claim_draw: kind == 26 }
        }
    }
}

fn any_move(random: &mut Random) -> Move {
    let mut square = || loop {
        if let Some(square) = Square::new(random.below(14) as u8, random.below(14) as u8) {
            return square;
        }
    };
    Move::new(square(), square())
}

/// Plays random games, checking all that must hold after each command.
fn play(variant: Variant, games: u64, commands: u32) {
    let mut ended = 0;
    for seed in 0..games {
        let mut random = Random(seed);
        let config = config(variant, &mut random);
        let mut game = Game::new(config.clone(), Timestamp::default()).expect("the start is no end");
        let mut record: Vec<(GameEvent, Timestamp)> = Vec::new();
        let mut now = Timestamp::default();
        for _ in 0..commands {
            now = now + std::time::Duration::from_millis(random.below(9_000) as u64);
            let command = some_command(&game, &mut random);
            let before = game.clone();
            let decision = game.decide(&command, now);
            assert_eq!(game, before, "deciding changes nothing");
            let Ok(events) = decision else { continue };
            assert!(!events.is_empty(), "{command:?} brought nothing about");
            for event in events {
                game.apply(&event, now);
                record.push((event, now));
            }
            check_position(game.position(), &mut random);
            check_game(&game);
        }
        let mut rebuilt = Game::new(config, Timestamp::default()).expect("the start is no end");
        for (event, at) in &record {
            rebuilt.apply(event, *at);
        }
        assert_eq!(rebuilt, game, "game {seed} is rebuilt from its record");
        assert_eq!(rebuilt.setup(), game.setup());
        ended += u32::from(game.outcome().is_some());
    }
    assert!(ended > 0, "no game came to its end");
}

fn check_position(position: &AnyPosition, random: &mut Random) {
    let setup = position.setup();
    let text = setup.to_string();
    let read = Setup::parse(position.variant(), &text).expect("what is written can be read");
    assert_eq!(read, setup, "{text}");
    let again = AnyPosition::new(&read).expect("a position's text is a position");
    assert_eq!(&again, position, "{text}");
    assert_eq!(again.hash(), position.hash(), "the key kept up to date is the key from nothing: {text}");
    for color in position.variant().colors() {
        let kings = position.pieces().filter(|(_, piece)| piece.color == *color && piece.role == Role::King);
        assert_eq!(kings.count(), usize::from(position.is_in(*color)), "{text}");
    }
    let moves = position.legal_moves();
    for mv in &moves {
        assert!(position.is_legal(*mv), "{mv} in {text}");
        assert_eq!(mv.to_string().parse(), Ok(*mv));
        let taken = position.piece_at(mv.to).map(|piece| piece.role);
        assert_ne!(taken, Some(Role::King), "G5: {mv} in {text}");
        let mut after = position.clone();
        after.play(*mv);
        assert!(!after.checks().any(|color| color == position.turn()), "G6: {mv} in {text}");
    }
    for _ in 0..10 {
        let mv = any_move(random);
        assert_eq!(position.is_legal(mv), moves.contains(&mv), "{mv} in {text}");
    }
}

/// Until somebody goes out, everything captured is either in a reserve or still on the board.
fn check_game(game: &Game) {
    let position = game.position();
    if position.variant() == Variant::Classic {
        assert!(game.eliminated().is_empty());
        return;
    }
    for color in position.players_in() {
        for role in [Role::Knight, Role::Bishop, Role::Rook] {
            let on_board = position.pieces().filter(|(_, piece)| piece.color == color && piece.role == role);
            let in_reserve = usize::from(position.reserve(color).count(role));
            assert_eq!(on_board.count() + in_reserve, 2, "D5: {color}'s {role}s in {}", game.setup());
        }
    }
    for elimination in game.eliminated() {
        assert!(!position.is_in(elimination.color));
    }
    let left = position.players_in().count() + game.eliminated().len();
    assert_eq!(left, position.variant().colors().len());
}

/// G5, G6, G10, D5, D11: positions stay sound, texts and keys agree, records rebuild their games.
#[test]
fn random_games_of_classic_keep_every_promise() {
    play(Variant::Classic, 60, 300);
}

/// G5, G6, G10, D5, D11: the same on the cross.
#[test]
fn random_games_of_dilkel_keep_every_promise() {
    play(Variant::Dilkel, 40, 400);
}

/// S5: the same on the compact cross.
#[test]
fn random_games_of_dilkel_compact_keep_every_promise() {
    play(Variant::DilkelCompact, 40, 400);
}

/// G6: every legal move of one player leaves the others' turn order alone.
#[test]
fn the_turn_always_passes_to_a_player_who_is_in() {
    let mut random = Random(7);
    let mut position = AnyPosition::new(&Setup::start(Variant::Dilkel)).expect("the start is a position");
    let mut last: Option<Color> = None;
    for _ in 0..500 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        assert!(position.is_in(position.turn()) && last != Some(position.turn()));
        last = Some(position.turn());
        position.play(moves[random.below(moves.len())]);
    }
}
