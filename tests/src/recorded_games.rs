//! RecordedGame games as what their players did: `tests/games`, and the folders that `QUADREX_GAMES` names.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use quadrex_rules::notation::{Reader, Replay, WrittenGame, pgn, pgn4};
use quadrex_rules::{Cause, Color, GameEvent, Move, Reason, Variant};

use crate::program;

/// Names further folders of games, joined as PATH is; `cargo xtask test --games DIR` sets it.
const VARIABLE: &str = "QUADREX_GAMES";

/// A game as its players made it.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The file, and its number there.
    pub name: String,
    /// The variant.
    pub variant: Variant,
    /// The start position, in FEN or FEN4.
    pub setup: String,
    /// All actions, in order.
    pub actions: Vec<PlayerAction>,
    /// The result as the file has it, if the game goes to its end.
    pub result: Option<String>,
}

/// Something a player did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerAction {
    /// Moved.
    Move(Color, Move),
    /// Resigned.
    Resign(Color),
    /// All agreed on a draw.
    Agree,
    /// The player to move claimed a draw.
    Claim,
}

/// A folder's files of one kind, `pgn` or `pgn4`.
pub struct Files {
    /// The ending of their names.
    pub ending: &'static str,
    /// Maximum number of games that are read from each file.
    pub at_most: usize,
}

/// The folder of the project's own games.
pub fn own_folder() -> PathBuf {
    program::root().join("tests/games")
}

/// The folder of the project's own games that go on by the rules of other sites.
pub fn other_rules_folder() -> PathBuf {
    own_folder().join("other_rules")
}

/// The folders that `QUADREX_GAMES` names; none without it.
pub fn added_folders() -> Vec<PathBuf> {
    std::env::var_os(VARIABLE).map(|folders| std::env::split_paths(&folders).collect()).unwrap_or_default()
}

impl Files {
    /// The games of these files in a folder. A game that our rules can follow for a part only is that part.
    ///
    /// # Errors
    /// If a file cannot be read, or a game of `classic` not be followed to its end.
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
    ensure!(is_four_player || stopped.is_none(), "not followed to its end: {stopped:?}");
    let result = stopped.is_none().then(|| game.tags.get("Result").unwrap_or("*").to_owned());
    let setup = playback.game().config().setup.to_string();
    let actions = actions(playback.events())?;
    Ok(RecordedGame { name, variant, setup, actions, result })
}

/// Returns the players' actions that lead to these events; the rest follows from the rules.
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
            other => bail!("no player can bring about {other:?} over the wire"),
        }
    }
    Ok(actions)
}
