//! Games of every kind, written, read back and replayed: the same events come out.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod random;

use std::time::Duration;

use quadrex_rules::notation::{Notation, Playback, Reader, Replay, Tags, WrittenGame, pgn, pgn4};
use quadrex_rules::{
    Cause, Color, DrawPolicy, Game, GameCommand, GameConfig, GameEvent, Places, Reason, Request, Setup,
    TimeControl, Timestamp, Variant,
};
use random::Random;

/// A game in progress, with all its events.
struct Match {
    game: Game,
    events: Vec<GameEvent>,
    now: Timestamp,
}

impl Match {
    fn new(variant: Variant, random: &mut Random) -> Self {
        let colors = variant.colors();
        let setup =
            Setup::start(variant).with_turn(colors[random.below(if colors.len() == 4 { 4 } else { 1 })]);
        let minute = Duration::from_secs(60);
        let time = match random.below(3) {
            0 => TimeControl::None,
            1 => TimeControl::Fischer { base: minute, increment: Duration::from_millis(1500) },
            _ => TimeControl::Delay { base: minute, delay: Duration::from_secs(5) },
        };
        let draws = [DrawPolicy::Claim, DrawPolicy::Automatic][random.below(2)];
        let now = Timestamp::from_millis(0);
        let game = Game::new(GameConfig { setup, draws, time }, now).unwrap();
        Self { game, events: Vec::new(), now }
    }

    /// Runs a command if the rules allow it.
    fn ask(&mut self, command: &GameCommand) {
        for event in self.game.decide(command, self.now).unwrap_or_default() {
            self.game.apply(&event, self.now);
            self.events.push(event);
        }
    }

    /// A random command: mostly moves, captures among them more often than by chance.
    fn go_on(&mut self, random: &mut Random) {
        let position = self.game.position();
        let color = position.turn();
        let players: Vec<Color> = position.active_players().collect();
        let anyone = players[random.below(players.len())];
        match random.below(400) {
            0 => self.ask(&GameCommand::Resign { color: anyone }),
            1 => self.ask(&GameCommand::Remove { color: anyone }),
            2 => {
                self.now = self.now + Duration::from_secs(1000);
                self.ask(&GameCommand::Flag);
            }
            3 => {
                self.ask(&GameCommand::Ask { request: Request::Draw, color: anyone });
                let accepting = players.len() - random.below(2);
                players[..accepting]
                    .iter()
                    .for_each(|&color| self.ask(&GameCommand::Agree { request: Request::Draw, color }));
            }
            4..8 => {
                self.ask(&GameCommand::Ask { request: Request::Takeback, color: anyone });
                players
                    .iter()
                    .for_each(|&color| self.ask(&GameCommand::Agree { request: Request::Takeback, color }));
            }
            _ => {
                let mut moves = position.legal_moves();
                if random.below(2) == 0 {
                    let captures = |mv: &quadrex_rules::Move| position.piece_at(mv.to).is_some();
                    if moves.iter().any(captures) {
                        moves.retain(captures);
                    }
                }
                let mv = moves[random.below(moves.len())];
                self.now = self.now + Duration::from_millis(random.below(3000) as u64);
                self.ask(&GameCommand::Move { color, mv, claim_draw: false });
                self.ask(&GameCommand::ClaimDraw { color: self.game.position().turn() });
            }
        }
    }

    /// The events that a written game contains: moves that were not taken back, eliminations, the
    /// end.
    fn written_events(&self) -> Vec<GameEvent> {
        let mut written_events = Vec::new();
        for event in &self.events {
            match event {
                GameEvent::Moved { .. } | GameEvent::Eliminated { .. } | GameEvent::Ended { .. } => {
                    written_events.push(event.clone());
                }
                GameEvent::TakenBack { plies, .. } => {
                    written_events.truncate(written_events.len() - usize::try_from(*plies).unwrap());
                }
                _ => {}
            }
        }
        written_events
    }

    fn written(&self) -> (WrittenGame, String) {
        let config = self.game.config();
        let mut tags = Tags::new();
        tags.set("Site", "here");
        let mut text = String::new();
        let written = if config.setup.variant == Variant::Classic {
            let written = pgn::write(config, &self.events, &tags).unwrap();
            written.write_pgn(&mut text).unwrap();
            written
        } else {
            let written = pgn4::write(config, &self.events, &tags).unwrap();
            written.write_pgn4(&mut text).unwrap();
            written
        };
        (written, text)
    }
}

fn replay(game: &WrittenGame, variant: Variant) -> Replay {
    if variant == Variant::Classic { pgn::replay(game).unwrap() } else { pgn4::replay(game).unwrap() }
}

#[test]
fn random_games_of_every_variant_read_back_with_the_same_events() {
    let (mut off_turn, mut taken_back, mut causes) = (0, 0, [0; 4]);
    for variant in Variant::ALL {
        for seed in 0..60 {
            let mut random = Random(seed);
            let mut played = Match::new(variant, &mut random);
            let length = 20 + random.below(400);
            while played.game.outcome().is_none() && played.events.len() < length {
                played.go_on(&mut random);
            }
            let (written, text) = played.written();
            let read: Result<Vec<_>, _> = Reader::new(text.as_bytes()).collect();
            let read = read.unwrap();
            assert_eq!(read, [written], "{text}");
            let again = replay(&read[0], variant);
            assert_eq!(again.stopped, None, "{text}");
            assert_eq!(again.playback.events(), played.written_events(), "{text}");
            assert_eq!(again.playback.game().position(), played.game.position());

            let config = played.game.config();
            let mut followed = Playback::new(config.setup.clone(), config.draws).unwrap();
            assert_eq!(followed.follow(&played.events), Ok(()), "{text}");
            assert_eq!(followed.events(), played.written_events());
            assert_eq!(followed.game().position(), played.game.position());
            taken_back +=
                played.events.iter().filter(|event| matches!(event, GameEvent::TakenBack { .. })).count();

            off_turn += text.matches("[%out ").count();
            for event in again.playback.events() {
                if let GameEvent::Eliminated { cause, .. } = event {
                    causes[Cause::ALL.iter().position(|other| other == cause).unwrap()] += 1;
                }
            }
        }
    }
    assert!(taken_back > 100, "only {taken_back} takebacks");
    assert!(off_turn > 5 && causes.iter().all(|&count| count > 5), "too tame: {off_turn} {causes:?}");
}

/// The words of the rounds, the exits in their places, and the tags that NOTATION requires.
#[test]
fn a_four_player_game_is_written_by_rounds_with_its_exits() {
    let config = GameConfig {
        setup: Setup::start(Variant::Dilkel).with_turn(Color::Blue),
        draws: DrawPolicy::Claim,
        time: TimeControl::Fischer { base: Duration::from_secs(300), increment: Duration::from_secs(2) },
    };
    let now = Timestamp::from_millis(0);
    let mut played = Match { game: Game::new(config, now).unwrap(), events: Vec::new(), now };
    let mv = |played: &mut Match, text: &str| {
        let color = played.game.position().turn();
        played.ask(&GameCommand::Move { color, mv: text.parse().unwrap(), claim_draw: false });
    };
    played.ask(&GameCommand::Remove { color: Color::Red });
    mv(&mut played, "b7d7");
    mv(&mut played, "i13i11");
    played.ask(&GameCommand::Resign { color: Color::Green });
    mv(&mut played, "d7e7");
    played.now = played.now + Duration::from_secs(1000);
    played.ask(&GameCommand::Flag);

    let (written, text) = played.written();
    let expected = [
        "[Variant \"Dilkel\"]",
        &format!("[StartFen4 \"{}\"]", played.game.config().setup),
        "[Red \"?\"]",
        "[Blue \"?\"]",
        "[Yellow \"?\"]",
        "[Green \"?\"]",
        "[Result \"Red 4 - Blue 1 - Yellow 2 - Green 3\"]",
        "[Termination \"time\"]",
        "[TimeControl \"300+2\"]",
        "[Site \"here\"]",
        "",
        "{ [%out red:absence] } 1. b7-d7 { [%clk 0:05:02] } .. i13-i11 { [%clk 0:05:02] } .. R",
        "2. d7-e7 { [%clk 0:05:04] } .. T",
        "",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    assert_eq!(pgn4::replay(&written).unwrap().playback.events(), played.written_events());
}

/// D3: an en passant capture is an ordinary word with a remark, and the remark is no exit.
#[test]
fn a_capture_in_passing_is_remarked() {
    let setup =
        "Y-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-7,yK,6/6,yP,7/14/7,rP,6/14/14/bK,13/13,gK/14/14/14/14/14/6,rK,7";
    let text = format!(
        "[Variant \"Dilkel\"]\n[StartFen4 \"{setup}\"]\n\n1. g13-g11 .. Kn7-n6 .. h11xg12 .. Ka8-a9\n"
    );
    let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    let replay = pgn4::replay(&game).unwrap();
    assert_eq!(replay.stopped, None);
    let written =
        pgn4::write(replay.playback.game().config(), replay.playback.events(), &Tags::new()).unwrap();
    let mut text = String::new();
    written.write_pgn4(&mut text).unwrap();
    assert!(text.ends_with("\n1. g13-g11 .. Kn7-n6 .. h11xg12 { e.p. } .. Ka8-a9\n\n"), "{text}");
    assert_eq!(pgn4::replay(&written).unwrap().playback.events(), replay.playback.events());
}

/// Tags from elsewhere do not end a game: neither when it is written nor when it is read.
#[test]
fn a_game_that_goes_on_has_not_terminated() {
    for (text, variant) in [
        ("[Termination \"agreement\"]\n\n1. e4 *\n", Variant::Classic),
        ("[Result \"*\"]\n[Termination \"agreement\"]\n\n1. h2-h4\n", Variant::Dilkel),
    ] {
        let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
        let replay = replay(&game, variant);
        assert_eq!((replay.stopped.as_ref(), replay.playback.game().outcome()), (None, None), "{text}");
        let (config, events) = (replay.playback.game().config(), replay.playback.events());
        let written = match variant.notation() {
            Notation::Pgn => pgn::write(config, events, &game.tags).unwrap(),
            Notation::Pgn4 => pgn4::write(config, events, &game.tags).unwrap(),
        };
        assert_eq!((written.tags.get("Result"), written.tags.get("Termination")), (Some("*"), None));
    }
}

/// The error of an impossible event names its index.
#[test]
fn a_broken_record_is_not_written() {
    let config = GameConfig {
        setup: Setup::start(Variant::Dilkel),
        draws: DrawPolicy::Claim,
        time: TimeControl::None,
    };
    let moved = |color, text: &str| GameEvent::Moved { color, mv: text.parse().unwrap(), left_ms: None };
    let good = moved(Color::Red, "h2h4");
    for bad in [
        moved(Color::Red, "h4h5"),
        moved(Color::Blue, "b7b8"),
        GameEvent::TakenBack { plies: 2, left_ms: None },
    ] {
        let error = pgn4::write(&config, &[good.clone(), bad], &Tags::new()).unwrap_err();
        assert_eq!(error.to_string(), "event 1 cannot have happened at its position");
    }
}

/// A record replays only if each event can have happened at its position, and all its consequences
/// are there.
#[test]
fn a_broken_record_is_not_followed() {
    let game = Reader::new(b"1. f3 e5 2. g4 Qh4# 0-1".as_slice()).next().unwrap().unwrap();
    let good = pgn::replay(&game).unwrap().playback.events().to_vec();
    let follow = |record: &[GameEvent]| {
        Playback::new(Setup::start(Variant::Classic), DrawPolicy::Claim).unwrap().follow(record)
    };
    assert_eq!(follow(&good), Ok(()));
    let failing = |change: &dyn Fn(&mut Vec<GameEvent>)| {
        let mut record = good.clone();
        change(&mut record);
        follow(&record).unwrap_err().index
    };
    let resigned = |reason, places| GameEvent::Ended { reason, places };
    assert_eq!(failing(&|record| drop(record.pop())), 4);
    assert_eq!(failing(&|record| drop(record.remove(0))), 0);
    assert_eq!(failing(&|record| record.swap(1, 3)), 1);
    assert_eq!(failing(&|record| record.push(good[0].clone())), 5);
    let upside_down = Places::new(vec![(Color::White, 1), (Color::Black, 2)]);
    assert_eq!(failing(&|record| record[4] = resigned(Reason::Mate, upside_down.clone())), 4);
    let strangers = Places::new(vec![(Color::Red, 1), (Color::Blue, 2)]);
    assert_eq!(failing(&|record| record[1] = resigned(Reason::Resign, strangers.clone())), 1);
    let back = |plies| GameEvent::TakenBack { plies, left_ms: None };
    assert_eq!(failing(&|record| record.insert(2, back(3))), 2);
    assert_eq!(failing(&|record| record.insert(2, back(0))), 2);
    assert_eq!(failing(&|record| record.push(back(1))), 5);
    // The checkmate ended it: nothing was taken back before.
    assert_eq!(failing(&|record| record.insert(4, back(1))), 4);
    let out = GameEvent::Eliminated { color: Color::Green, cause: Cause::Time, by: Vec::new() };
    assert_eq!(failing(&|record| record.insert(2, out.clone())), 2);
    let mated = GameEvent::Eliminated { color: Color::White, cause: Cause::Mate, by: Vec::new() };
    assert_eq!(failing(&|record| record.insert(0, mated.clone())), 0);
}
