//! Folders of recorded games that are replayed in addition to the repository's own games.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The environment variable with the folders, joined like PATH.
pub(crate) const VARIABLE: &str = "QUADREX_GAMES";

/// Returns the value of [`VARIABLE`] for these folders; `None` for no folder.
///
/// # Errors
/// Returns an error if a path is not a folder, or a folder contains no game.
pub(crate) fn joined(folders: &[PathBuf]) -> Result<Option<OsString>> {
    if folders.is_empty() {
        return Ok(None);
    }
    let folders = folders.iter().map(|folder| checked(folder)).collect::<Result<Vec<_>>>()?;
    Ok(Some(std::env::join_paths(folders).context("a folder of games has the path separator in its name")?))
}

/// Returns the line that announces the recorded games of a run.
pub(crate) fn announcement(folders: &[PathBuf]) -> String {
    let added = folders.iter().map(|folder| format!(", {}", folder.display()));
    format!("recorded games: tests/games{}", added.collect::<String>())
}

fn checked(folder: &Path) -> Result<PathBuf> {
    let absolute =
        folder.canonicalize().with_context(|| format!("looking for games in {}", folder.display()))?;
    let listing =
        fs::read_dir(&absolute).with_context(|| format!("looking for games in {}", folder.display()))?;
    let is_game = |path: &Path| path.extension().is_some_and(|end| end == "pgn" || end == "pgn4");
    if !listing.flatten().any(|entry| is_game(&entry.path())) {
        bail!("{} has no game: no file ends in .pgn or .pgn4", folder.display());
    }
    Ok(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn folders_of_games_are_joined_as_absolute_paths() {
        let (one, two) = (Scratch::new("games-one"), Scratch::new("games-two"));
        one.write("a.pgn", "");
        two.write("b.pgn4", "");
        let joined = joined(&[one.path().join("."), two.path().to_owned()]).unwrap().unwrap();
        let folders: Vec<PathBuf> = std::env::split_paths(&joined).collect();
        assert_eq!(folders, [one.path().canonicalize().unwrap(), two.path().canonicalize().unwrap()]);
    }

    #[test]
    fn every_folder_of_games_is_announced() {
        assert_eq!(announcement(&[]), "recorded games: tests/games");
        assert_eq!(announcement(&["a".into(), "b/c".into()]), "recorded games: tests/games, a, b/c");
    }

    #[test]
    fn a_missing_folder_and_a_folder_without_games_are_refused() {
        let folder = Scratch::new("games-none");
        folder.write("README.md", "");
        let error = joined(&[folder.path().to_owned()]).unwrap_err().to_string();
        assert!(error.ends_with("has no game: no file ends in .pgn or .pgn4"), "{error}");
        assert!(joined(&[folder.path().join("missing")]).is_err());
        assert_eq!(joined(&[]).unwrap(), None);
    }
}
