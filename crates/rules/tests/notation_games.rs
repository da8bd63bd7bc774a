//! Recorded games, read and replayed: those of the project under `tests/games`, and those of every
//! folder in the environment variable `QUADREX_GAMES` (separated by colons).
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::fs;
use std::path::{Path, PathBuf};

use quadrex_rules::notation::{self, ReadError, Reader, Replay, StopReason, WrittenGame, pgn, pgn4};
use quadrex_rules::{AnyPosition, DrawPolicy, GameConfig, TimeControl};

/// Returns every file with this ending in the folders of recorded games.
fn files(ending: &str) -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/games");
    let given = std::env::var_os("QUADREX_GAMES").unwrap_or_default();
    let folders: Vec<PathBuf> = [own.join("other_rules"), own]
        .into_iter()
        .chain(std::env::split_paths(&given).filter(|path| !path.as_os_str().is_empty()))
        .collect();
    let mut files = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    assert!(!files.is_empty(), "no *.{ending} in the folders of games");
    files
}

/// The games of one file, which must all be well-formed.
fn games(path: &Path) -> Vec<WrittenGame> {
    let text = fs::read(path).unwrap();
    let games: Result<Vec<_>, ReadError<_>> = Reader::new(&text[..]).collect();
    let games = games.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(!games.is_empty(), "{} holds no game", path.display());
    games
}

fn config(replay: &Replay) -> GameConfig {
    let setup = replay.playback.game().config().setup.clone();
    GameConfig { setup, draws: DrawPolicy::Claim, time: TimeControl::None }
}

#[test]
fn classic_games_replay_to_their_ends_and_read_back_equal() {
    for path in files("pgn") {
        for game in games(&path) {
            let replay = pgn::replay(&game).unwrap();
            assert_eq!(replay.stopped.as_ref().map(ToString::to_string), None, "{}", path.display());
            assert_eq!(replay.playback.plies().count(), game.line.plies.len());
            let result = pgn::result_text(replay.playback.game().outcome());
            assert_eq!(Some(result), game.result.as_deref());

            let written = pgn::write(&config(&replay), replay.playback.events(), &game.tags).unwrap();
            let mut text = String::new();
            written.write_pgn(&mut text).unwrap();
            assert!(text.lines().skip_while(|line| !line.is_empty()).all(|line| line.len() < 80), "{text}");
            let read = Reader::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(read, written);
            let again = pgn::replay(&read).unwrap();
            assert_eq!(again.stopped, None);
            assert_eq!(again.playback.events(), replay.playback.events());
        }
    }
}

/// Recorded moves have no more and no less of the first square than necessary, and the right signs.
#[test]
fn moves_of_classic_games_are_written_as_they_were_recorded() {
    for path in files("pgn") {
        for game in games(&path) {
            let mut position = start_of(&pgn::replay(&game).unwrap());
            for ply in &game.line.plies {
                let mv = notation::san::parse(&position, &ply.text).unwrap();
                let text = notation::move_text(&position, mv);
                assert_eq!(notation::san::parse_strict(&position, &text), Ok(mv));
                let bare = |text: &str| text.trim_end_matches(['+', '#']).to_owned();
                assert_eq!(bare(&text), bare(&ply.text), "{} at {}", path.display(), ply.location);
                position.play(mv);
            }
        }
    }
}

fn start_of(replay: &Replay) -> AnyPosition {
    AnyPosition::new(&replay.playback.game().config().setup).unwrap()
}

/// Our own games replay completely. Those of other sites replay up to the first promotion that ours
/// does not have, or the first word after an elimination.
#[test]
fn four_player_games_replay_as_far_as_the_rules_are_shared() {
    let mut followed_in_part = 0;
    for path in files("pgn4") {
        for game in games(&path) {
            let replay = pgn4::replay(&game).unwrap();
            let is_own = game.tags.get("Variant").is_some_and(|name| name.starts_with("Dilkel"));
            if let Some(stop) = &replay.stopped {
                let is_foreign = match stop.reason {
                    StopReason::OtherRulesOnElimination => true,
                    StopReason::Long(_) => stop.text.contains("=D"),
                    _ => false,
                };
                assert!(is_foreign && !is_own, "{}: {stop}", path.display());
                let plies = replay.playback.plies().count();
                let is_short = path.components().any(|part| part.as_os_str() == "other_rules") && plies <= 40;
                assert!(!is_short, "{}, game {}: {plies} plies", path.display(), game.number);
                followed_in_part += 1;
            }
        }
    }
    assert!(followed_in_part >= 4, "{followed_in_part} games by other rules");
}

/// Every replayed move is written as it was recorded, including signs of check and checkmate; the
/// written text reads back equal and replays to the same events.
#[test]
fn four_player_games_are_written_as_they_were_recorded_and_read_back_equal() {
    for path in files("pgn4") {
        for game in games(&path) {
            let replay = pgn4::replay(&game).unwrap();
            let written = pgn4::write(&config(&replay), replay.playback.events(), &game.tags).unwrap();
            let ours = moves(&written);
            assert_eq!(ours, moves(&game)[..ours.len()], "{}, game {}", path.display(), game.number);
            assert_eq!(ours.len(), replay.playback.plies().count());

            let mut text = String::new();
            written.write_pgn4(&mut text).unwrap();
            let read = Reader::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(read, written);
            let again = pgn4::replay(&read).unwrap();
            assert_eq!(again.stopped, None);
            assert_eq!(again.playback.events(), replay.playback.events());
        }
    }
}

/// The words of a game that are moves.
fn moves(game: &WrittenGame) -> Vec<&str> {
    let words = game.line.plies.iter().map(|ply| ply.text.as_str());
    words.filter(|word| !matches!(*word, "R" | "T" | "S" | "#")).collect()
}
