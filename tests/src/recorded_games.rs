//! Recorded games as lists of their players' actions: `tests/games`, and the folders in
//! `QUADREX_GAMES`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use quadrex_rules::notation::{Reader, Replay, WrittenGame, pgn, pgn4};
use quadrex_rules::{Cause, Color, GameEvent, Move, Reason, Variant};

use crate::program;

/// The environment variable with further folders of games, joined like `PATH`. `cargo xtask test
/// --games DIR` sets it.
const VARIABLE: &str = "QUADREX_GAMES";

/// A recorded game.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The file's name and the number of the game in it.
    pub name: String,
    /// The variant.
    pub variant: Variant,
    /// The start position, in FEN or FEN4.
    pub setup: String,
    /// All actions of the players, in order.
    pub actions: Vec<PlayerAction>,
    /// The result in the file, if the game was played to its end.
    pub result: Option<String>,
}

/// An action of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerAction {
    /// The player moved.
    Move(Color, Move),
    /// The player resigned.
    Resign(Color),
    /// All players agreed on a draw.
    Agree,
    /// The player to move claimed a draw.
    Claim,
}

/// The files of a folder with one extension, `pgn` or `pgn4`.
pub struct Files {
    /// The extension of their names.
    pub ending: &'static str,
    /// The maximum number of games to read from each file.
    pub at_most: usize,
}

/// Returns the folder of this repository's games.
pub fn own_folder() -> PathBuf {
    program::root().join("tests/games")
}

/// Returns the folder of this repository's games that were played by the rules of other sites.
pub fn other_rules_folder() -> PathBuf {
    own_folder().join("other_rules")
}

/// Returns the folders in `QUADREX_GAMES`; empty if it is not set.
pub fn added_folders() -> Vec<PathBuf> {
    std::env::var_os(VARIABLE).map(|folders| std::env::split_paths(&folders).collect()).unwrap_or_default()
}

impl Files {
    /// Reads the games of these files. A game that our rules allow only in part is read up to its
    /// first illegal move.
    ///
    /// # Errors
    /// If a file cannot be read, or a game of `classic` has an illegal move.
    pub fn read(&self, folder: &Path) -> Result<Vec<RecordedGame>> {
        let listing =
            fs::read_dir(folder).with_context(|| format!("looking for games in {}", folder.display()))?;
        let mut paths = listing.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
        paths.retain(|path| path.extension().is_some_and(|ending| ending == self.ending));
        paths.sort();
        let mut games = Vec::new();
        for path in paths {
            let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            for game in Reader::new(&bytes[..]).take(self.at_most) {
                let game = game.with_context(|| format!("reading {}", path.display()))?;
                let name =
                    format!("{}, game {}", path.file_name().unwrap_or_default().display(), game.number);
                games.push(recorded(name.clone(), &game).with_context(|| name)?);
            }
        }
        Ok(games)
    }
}

fn recorded(name: String, game: &WrittenGame) -> Result<RecordedGame> {
    let is_four_player = game.tags.get("StartFen4").is_some();
    let Replay { playback, stopped, .. } =
        if is_four_player { pgn4::replay(game)? } else { pgn::replay(game)? };
    let variant = playback.game().position().variant();
    ensure!(is_four_player || stopped.is_none(), "not replayed to its end: {stopped:?}");
    let result = stopped.is_none().then(|| game.tags.get("Result").unwrap_or("*").to_owned());
    let setup = playback.game().config().setup.to_string();
    let actions = actions(playback.events())?;
    Ok(RecordedGame { name, variant, setup, actions, result })
}

/// Returns the players' actions that cause these events. The other events follow from the rules.
fn actions(events: &[GameEvent]) -> Result<Vec<PlayerAction>> {
    let mut actions = Vec::new();
    for event in events {
        match event {
            GameEvent::Moved { color, mv, .. } => actions.push(PlayerAction::Move(*color, *mv)),
            GameEvent::Eliminated { color, cause: Cause::Resign, .. } => {
                actions.push(PlayerAction::Resign(*color));
            }
            GameEvent::Eliminated { cause: Cause::Mate, .. } => {}
            GameEvent::Ended { reason: Reason::Agreement, .. } => actions.push(PlayerAction::Agree),
            GameEvent::Ended { reason: Reason::Repetition | Reason::Moves, .. } => {
                actions.push(PlayerAction::Claim);
            }
            GameEvent::Ended { reason: Reason::Mate | Reason::Stalemate | Reason::Material, .. } => {}
            GameEvent::Ended { reason: Reason::Resign, places } => {
                let (loser, _) = places.iter().max_by_key(|(_, place)| *place).context("nobody played")?;
                if actions.last() != Some(&PlayerAction::Resign(loser)) && places.iter().count() == 2 {
                    actions.push(PlayerAction::Resign(loser));
                }
            }
            other => bail!("no player can cause {other:?} with a command"),
        }
    }
    Ok(actions)
}
