//! Properties at every ply of random games, on every variant.

mod random;

use std::collections::BTreeSet;

use quadrex_rules::bits::Bits;
use quadrex_rules::movegen::{InternalMove, InternalMoveList, MoveKind};
use quadrex_rules::{
    AnyPosition, ByColor, CastlingRights, Cause, Color, Dilkel, DoubleStep, DrawPolicy, Game, GameCommand,
    GameConfig, GameEvent, Move, Piece, Position, Request, Reserve, Role, Setup, Square, TimeControl,
    Timestamp, Variant, VariantRules, for_each_variant, with_position,
};
use random::Random;

fn config(variant: Variant, random: &mut Random) -> GameConfig {
    let beginner = if variant == Variant::Classic { 0 } else { random.below(4) };
    let second = std::time::Duration::from_secs(1);
    GameConfig {
        setup: Setup::start(variant).with_turn(variant.colors()[beginner]),
        draws: [DrawPolicy::Claim, DrawPolicy::Automatic][random.below(2)],
        time: [
            TimeControl::None,
            TimeControl::Fischer { base: 40 * second, increment: 2 * second },
            TimeControl::Delay { base: 20 * second, delay: 2 * second },
            TimeControl::Correspondence { per_turn: 86_400 * second },
        ][random.below(4)],
    }
}

/// Returns a command that may be refused; mostly a legal move.
fn some_command(game: &Game, random: &mut Random) -> GameCommand {
    let colors = game.position().variant().colors();
    let color = colors[random.below(colors.len())];
    match random.below(150) {
        0 => GameCommand::Resign { color },
        1 => GameCommand::Remove { color },
        2 | 3 => GameCommand::Flag,
        4..7 => GameCommand::Ask { request: Request::Draw, color },
        7..10 => GameCommand::Agree { request: Request::Draw, color },
        10 => GameCommand::Decline { request: Request::Draw, color },
        11 => GameCommand::ClaimDraw { color },
        12..15 => GameCommand::Ask { request: Request::Takeback, color },
        15..25 => GameCommand::Agree { request: Request::Takeback, color },
        25 => GameCommand::Decline { request: Request::Takeback, color },
        kind => {
            let moves = game.position().legal_moves();
            let mv = if moves.is_empty() { any_move(random) } else { some_move(game, &moves, random) };
            GameCommand::Move { color: game.position().turn(), mv, claim_draw: kind == 26 }
        }
    }
}

/// Returns a legal move; every other time one that checkmates or promotes or moves a pawn, if there
/// is one.
fn some_move(game: &Game, moves: &[Move], random: &mut Random) -> Move {
    let position = game.position();
    let mates = |mv: &&Move| {
        let mut after = position.clone();
        after.play(**mv);
        after.active_players().count() < position.active_players().count()
    };
    let is_pawn = |mv: &&Move| position.piece_at(mv.from).is_some_and(|piece| piece.role == Role::Pawn);
    let sought: [Vec<&Move>; 3] = [
        moves.iter().filter(mates).collect(),
        moves.iter().filter(|mv| mv.promotion.is_some()).collect(),
        moves.iter().filter(is_pawn).collect(),
    ];
    match sought.into_iter().find(|moves| !moves.is_empty()) {
        Some(sought) if random.below(2) == 0 => *sought[random.below(sought.len())],
        _ => moves[random.below(moves.len())],
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

/// Plays random games, checking all properties after each command.
fn play(variant: Variant, games: u64, commands: u32) {
    let mut ended = 0;
    let mut seen = BTreeSet::new();
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
            let claim = GameCommand::ClaimDraw { color: game.position().turn() };
            assert_eq!(game.may_claim_draw(now), game.decide(&claim, now).is_ok(), "G11: {}", game.setup());
            let Ok(events) = decision else { continue };
            assert!(!events.is_empty(), "{command:?} brought nothing about");
            for event in events {
                let previous = game.position().clone();
                game.apply(&event, now);
                check_changes(&previous, game.position());
                check_position(game.position(), &mut random);
                check_game(&game);
                seen.insert(kind(&event));
                record.push((event, now));
            }
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
    let mut wanted = BTreeSet::from(["move", "promotion", "agreement", "takeback", "end"]);
    if variant != Variant::Classic {
        wanted.extend(["mate", "resign", "time", "absence"]);
    }
    assert!(seen.is_superset(&wanted), "only {seen:?} came up");
}

/// The kind of an event that a run should have seen.
fn kind(event: &GameEvent) -> &'static str {
    match event {
        GameEvent::Moved { mv, .. } if mv.promotion.is_some() => "promotion",
        GameEvent::Moved { .. } => "move",
        GameEvent::Eliminated { cause, .. } => cause.name(),
        GameEvent::Requested { request, .. }
        | GameEvent::Agreed { request, .. }
        | GameEvent::Declined { request, .. } => match request {
            Request::Draw => "agreement",
            Request::Takeback | Request::Pause | Request::Abort => "request",
        },
        GameEvent::TakenBack { .. } => "takeback",
        GameEvent::Aborted { .. } => "abort",
        GameEvent::Ended { .. } => "end",
    }
}

/// The changed squares are those with other content, and no others.
fn check_changes(before: &AnyPosition, after: &AnyPosition) {
    let other = |&square: &Square| before.piece_at(square) != after.piece_at(square);
    let expected: Vec<_> =
        every_square().filter(other).map(|square| (square, after.piece_at(square))).collect();
    let mut changed = after.changed_since(before);
    changed.sort_unstable_by_key(|(square, _)| (square.file(), square.rank()));
    assert_eq!(changed, expected, "from {} to {}", before.setup(), after.setup());
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
        assert_eq!(kings.count(), usize::from(position.is_playing(*color)), "{text}");
    }
    let moves = position.legal_moves();
    let different: BTreeSet<Move> = moves.iter().copied().collect();
    assert_eq!(different.len(), moves.len(), "a move is listed twice: {text}");
    for mv in &moves {
        assert!(position.is_legal(*mv), "{mv} in {text}");
        assert_eq!(mv.to_string().parse(), Ok(*mv));
        let taken = position.piece_at(mv.to).map(|piece| piece.role);
        assert_ne!(taken, Some(Role::King), "G5: {mv} in {text}");
        let mut after = position.clone();
        after.play(*mv);
        // A player eliminated with the move may have shielded the mover's king.
        if after.active_players().eq(position.active_players()) {
            assert!(!after.checks().any(|color| color == position.turn()), "G6: {mv} in {text}");
        }
        assert_ne!(after.hash(), position.hash(), "{mv} in {text}");
    }
    let depth = if random.below(40) == 0 { 3 } else { 2 };
    assert_eq!(position.perft(depth), by_making(position, depth), "depth {depth} of {text}");
    if random.below(60) == 0 {
        check_every_move(position, &different);
    }
}

/// `is_legal` agrees with the list for every origin, target and promotion, on the board or off it.
fn check_every_move(position: &AnyPosition, listed: &BTreeSet<Move>) {
    let squares: Vec<Square> = every_square().collect();
    for &from in &squares {
        for &to in &squares {
            let promoted = Role::ALL.into_iter().map(|role| Move::promoting(from, to, role));
            for mv in promoted.chain([Move::new(from, to)]) {
                assert_eq!(position.is_legal(mv), listed.contains(&mv), "{mv} in {}", position.setup());
            }
        }
    }
}

/// Every square of any board, including those cut out of one.
fn every_square() -> impl Iterator<Item = Square> {
    (0..14).flat_map(|file| (0..14).filter_map(move |rank| Square::new(file, rank)))
}

fn by_making(position: &AnyPosition, depth: u32) -> u64 {
    with_position!(position, position => position.perft_by_making(depth))
}

/// Before the first elimination, every captured piece is either in a reserve or still on the board.
fn check_game(game: &Game) {
    let position = game.position();
    if position.variant() == Variant::Classic {
        assert!(game.eliminated().is_empty());
        return;
    }
    for color in position.active_players() {
        for role in [Role::Knight, Role::Bishop, Role::Rook] {
            let on_board = position.pieces().filter(|(_, piece)| piece.color == color && piece.role == role);
            let in_reserve = usize::from(position.reserve(color).count(role));
            assert_eq!(on_board.count() + in_reserve, 2, "D5: {color}'s {role}s in {}", game.setup());
        }
    }
    for elimination in game.eliminated() {
        let color = elimination.color;
        assert!(!position.is_playing(color) && position.pieces().all(|(_, piece)| piece.color != color));
        assert_eq!(position.reserve(color), Reserve::EMPTY);
    }
    let left = position.active_players().count() + game.eliminated().len();
    assert_eq!(left, position.variant().player_count());
}

/// A set-up that may well be invalid: kings mostly there, any other piece anywhere, rights that may
/// be impossible.
fn any_setup(variant: Variant, random: &mut Random) -> Setup {
    let colors = variant.colors();
    let squares: Vec<Square> = variant.board().squares().collect();
    let mut setup = Setup::start(variant).with_turn(colors[random.below(colors.len())]);
    let mut baselines = setup.pieces.clone();
    baselines.retain(|_, piece| piece.role != Role::Pawn);
    if random.below(3) > 0 {
        setup.pieces.retain(|_, piece| piece.role == Role::King || piece.role == Role::Rook);
    }
    for _ in 0..random.below(30) {
        let color = colors[random.below(colors.len())];
        let role = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen][random.below(5)];
        let square = squares[random.below(squares.len())];
        let is_king = setup.pieces.get(&square).is_some_and(|piece| piece.role == Role::King);
        let strange = random.below(100) == 0;
        if strange || !(is_king || role == Role::Pawn && baselines.contains_key(&square)) {
            setup.pieces.insert(square, Piece { color, role });
        }
    }
    if variant != Variant::Classic && random.below(2) == 0 {
        let color = colors[random.below(colors.len())];
        setup.eliminated = vec![(color, Cause::ALL[random.below(4)])];
        setup.pieces.retain(|_, piece| piece.color != color);
    }
    setup.castling = ByColor::from_fn(|_| CastlingRights {
        short: random.below(4) == 0,
        long: random.below(4) == 0,
        short_rook: None,
    });
    for &color in colors {
        if variant != Variant::Classic && random.below(2) == 0 {
            add_inner_rook(&mut setup, color, random);
        }
        setup.double_steps[color] = any_double_step(&setup, color).filter(|_| random.below(2) == 0);
        if variant != Variant::Classic {
            let mut count = || match random.below(100) {
                0 => 11,
                1..10 => 10,
                few => few as u8 % 8,
            };
            setup.reserves[color] = Reserve { knights: count(), bishops: count(), rooks: count() };
        }
    }
    setup.halfmove_clock = random.below(400) as u32;
    setup
}

/// Puts a rook where only the other of two squares is at the end of the row, two squares of space
/// from the king's own square, and gives it the castling right half of the time.
fn add_inner_rook(setup: &mut Setup, color: Color, random: &mut Random) {
    let start = Setup::start(setup.variant);
    let find = |role| {
        start
            .pieces
            .iter()
            .filter(move |(_, piece)| **piece == Piece { color, role })
            .map(|(&square, _)| square)
    };
    let distance =
        |from: Square, to: Square| from.file().abs_diff(to.file()) + from.rank().abs_diff(to.rank());
    let king = find(Role::King).next().expect("every color starts with a king");
    let inner =
        find(Role::Knight).find(|&knight| distance(king, knight) == 3).expect("three steps from the king");
    if setup.eliminated.iter().all(|&(out, _)| out != color) && setup.pieces.contains_key(&king) {
        setup.pieces.insert(inner, Piece { color, role: Role::Rook });
        let short_rook = (random.below(2) == 0).then_some(inner);
        setup.castling[color] = CastlingRights { short: true, short_rook, ..setup.castling[color] };
    }
}

/// Returns the double step of the first pawn that may have made one.
fn any_double_step(setup: &Setup, color: Color) -> Option<DoubleStep> {
    let (file, rank) = match color {
        Color::White | Color::Red => (0, 1),
        Color::Black | Color::Yellow => (0, -1),
        Color::Blue => (1, 0),
        Color::Green => (-1, 0),
    };
    let ahead = |square: Square, by: i8| {
        let (file, rank) =
            (square.file().checked_add_signed(file * by)?, square.rank().checked_add_signed(rank * by)?);
        Square::new(file, rank)
    };
    let pawn = Piece { color, role: Role::Pawn };
    let start = Setup::start(setup.variant);
    let homes = start.pieces.into_iter().filter(|(_, piece)| *piece == pawn);
    let mut steps =
        homes.filter_map(|(home, _)| Some(DoubleStep { passed: ahead(home, 1)?, pawn: ahead(home, 2)? }));
    steps.find(|step| setup.pieces.get(&step.pawn) == Some(&pawn))
}

/// Tries random set-ups, and checks all properties of those that are positions, and of a few plies
/// on.
fn try_setups(variant: Variant, setups: usize) {
    let mut random = Random(variant.player_count() as u64);
    let (mut sound, mut refused, mut pending, mut named) = (0, 0, 0, 0);
    for _ in 0..setups {
        let setup = any_setup(variant, &mut random);
        let Ok(mut position) = AnyPosition::new(&setup) else {
            refused += 1;
            continue;
        };
        sound += 1;
        pending += usize::from(variant.colors().iter().any(|color| setup.double_steps[*color].is_some()));
        for _ in 0..3 {
            let castling = position.setup().castling;
            named += variant.colors().iter().filter(|color| castling[**color].short_rook.is_some()).count();
            check_position(&position, &mut random);
            let moves = position.legal_moves();
            if moves.is_empty() || position.active_players().count() == 1 {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
    }
    let few = setups / 100;
    assert!(
        sound > few && refused > few && pending > 0,
        "{sound} sound, {refused} refused, {pending} pending"
    );
    assert_eq!(named > few, variant != Variant::Classic, "{named} rights of a rook that is named");
}

/// A set-up of kings anywhere and a few other pieces, in which a player to come may be stalemated.
fn few_pieces(variant: Variant, random: &mut Random) -> Setup {
    let colors = variant.colors();
    let squares: Vec<Square> = variant.board().squares().collect();
    let mut setup = Setup::start(variant).with_turn(colors[random.below(colors.len())]);
    setup.pieces.clear();
    setup.castling = ByColor::from_fn(|_| CastlingRights::default());
    for _ in 0..random.below(25) {
        let color = colors[random.below(colors.len())];
        let role =
            [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen][random.below(6)];
        setup.pieces.insert(squares[random.below(squares.len())], Piece { color, role });
    }
    for &color in colors {
        setup.pieces.insert(squares[random.below(squares.len())], Piece { color, role: Role::King });
    }
    setup
}

/// Compares `stalemating_moves` with the positions after all legal moves, a few plies on from
/// random set-ups. Returns the number of stalemating moves.
fn count_stalemating_moves(variant: Variant, setups: usize) -> usize {
    let mut random = Random(31);
    let mut found = 0;
    for _ in 0..setups {
        let Ok(mut position) = AnyPosition::new(&few_pieces(variant, &mut random)) else { continue };
        for _ in 0..6 {
            let moves = position.legal_moves();
            let stalemates = |mv: &Move| {
                let mut after = position.clone();
                after.play(*mv);
                let is_in_check = after.checks().any(|color| color == after.turn());
                after.active_players().count() > 1
                    && !after.is_dead()
                    && !is_in_check
                    && after.legal_moves().is_empty()
            };
            let expected: Vec<Move> = moves.iter().copied().filter(stalemates).collect();
            assert_eq!(position.stalemating_moves(&moves), expected, "{}", position.setup());
            found += expected.len();
            if moves.is_empty() || position.active_players().count() == 1 {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
    }
    found
}

/// Declares a module of tests for each variant.
macro_rules! test_each {
    ($($module:ident::$variant:ident,)+) => {
        $(mod $module {
            use super::*;

            /// G5, G6, G10, D5, D11, S5: positions stay sound, texts and keys agree, records
            /// rebuild their games.
            #[test]
            fn random_games_keep_every_promise() {
                play(Variant::$variant, 60, 400);
            }

            /// S1-S3, S5, G5, G6, D3, D7: any set-up is refused or is a sound position; none
            /// panics.
            #[test]
            fn any_set_up_is_refused_or_sound() {
                try_setups(Variant::$variant, 4_000);
            }

            /// C4, D9: the moves that stalemate the next player are found without making all moves.
            #[test]
            fn stalemating_moves_are_those_after_which_the_next_player_is_stalemated() {
                assert!(count_stalemating_moves(Variant::$variant, 6_000) > 0);
            }
        })+
    };
}

for_each_variant!([test_each]);

/// G6: every legal move of one player leaves the others' turn order alone.
#[test]
fn the_turn_always_passes_to_a_player_still_in_the_match() {
    let mut random = Random(7);
    let mut position = AnyPosition::new(&Setup::start(Variant::Dilkel)).expect("the start is a position");
    let mut last: Option<Color> = None;
    for _ in 0..500 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        assert!(position.is_playing(position.turn()) && last != Some(position.turn()));
        last = Some(position.turn());
        position.play(moves[random.below(moves.len())]);
    }
}

/// Internal moves, made without a legality check, are the same moves and lead to the same
/// positions.
#[test]
fn moves_between_places_are_the_legal_moves() {
    fn compare<V: VariantRules>(position: &Position<V>) {
        let mut list = InternalMoveList::<V>::default();
        position.generate(&mut list);
        let written: Vec<Move> = list.moves.iter().map(|mv| mv.to_move::<V>()).collect();
        assert_eq!(written, position.legal_moves());
        for (&internal, &mv) in list.moves.iter().zip(&written) {
            assert_eq!(position.internal_move(mv), Some(internal));
            let (mut made, mut played) = (*position, *position);
            made.make_internal(internal);
            played.play(mv);
            while made.turn_index() != played.turn_index() || made.players_left() > played.players_left() {
                assert!(!made.has_legal_move() && !made.checkers(made.turn_index()).is_empty(), "{mv}");
                made.eliminate(made.turn_index());
            }
            assert_eq!((made, made.hash()), (played, played.hash()), "{mv}");
        }
        let mut within = InternalMoveList::<V> { within: position.occupied(), ..InternalMoveList::default() };
        position.generate(&mut within);
        let lands = |mv: &InternalMove| {
            let anywhere =
                matches!(mv.kind, MoveKind::Promotion(_) | MoveKind::Castling(_) | MoveKind::EnPassant);
            anywhere || position.occupied().has(mv.to)
        };
        assert_eq!(within.moves, list.moves.into_iter().filter(lands).collect::<Vec<_>>());
    }
    for variant in Variant::ALL {
        let mut random = Random(17);
        let mut position = AnyPosition::new(&Setup::start(variant)).unwrap();
        for _ in 0..400 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.active_players().count() == 1 {
                position = AnyPosition::new(&Setup::start(variant)).unwrap();
                continue;
            }
            position.play(moves[random.below(moves.len())]);
            with_position!(&position, position => compare(position));
        }
    }
}

/// Passing changes nothing but the turn, the count and the player's own en passant rights.
#[test]
fn passing_gives_the_turn_to_the_next() {
    let mut random = Random(23);
    let mut position = Position::<Dilkel>::start();
    for _ in 0..60 {
        let before = position;
        position.pass();
        assert_eq!(position.turn_index(), (before.turn_index() + 1) % 4);
        assert_eq!(position.changed_since(&before).count(), 0);
        let rebuilt = Position::<Dilkel>::new(&position.setup()).unwrap();
        assert_eq!(position.hash(), rebuilt.hash());
        let moves = position.legal_moves();
        position.play(moves[random.below(moves.len())]);
    }
}
