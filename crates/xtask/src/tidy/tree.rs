//! The files of the repository with their texts, or planted ones in tests.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::workspace;

/// Files by path from the root, folders divided by `/`.
pub(crate) struct Tree {
    /// `None` for files that are not UTF-8.
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    /// All files that are, or would be, committed.
    ///
    /// # Errors
    /// If they cannot be listed or read.
    pub(crate) fn of_repository() -> Result<Self> {
        let mut files = BTreeMap::new();
        for path in workspace::files()? {
            let bytes = std::fs::read(workspace::root().join(&path))
                .with_context(|| format!("reading {}", path.display()))?;
            files.insert(path.to_string_lossy().replace('\\', "/"), String::from_utf8(bytes).ok());
        }
        Ok(Self { files })
    }

    /// A tree of just these files.
    #[cfg(test)]
    pub(crate) fn planted(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())));
        Self { files: files.collect() }
    }

    /// Path and text of every text file.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Path and text of the text files in a folder (`a/b/`) with an ending (`.rs`).
    pub(crate) fn texts_in(&self, folder: &str, ending: &str) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(move |(path, _)| path.starts_with(folder) && path.ends_with(ending))
    }

    /// The text of one file.
    ///
    /// # Errors
    /// If it is missing or not a text.
    pub(crate) fn text(&self, path: &str) -> Result<&str> {
        self.files.get(path).and_then(Option::as_deref).with_context(|| format!("{path} is missing"))
    }

    /// Returns whether there is a file, or a folder with files, at a path.
    pub(crate) fn holds(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let inside = format!("{path}/");
        path.is_empty() || self.files.keys().any(|file| file == path || file.starts_with(&inside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_their_folders_are_held_and_others_not() {
        let tree = Tree::planted(&[("docs/a.md", ""), ("README.md", "")]);
        assert!(tree.holds("docs/a.md") && tree.holds("docs") && tree.holds("docs/") && tree.holds(""));
        assert!(!tree.holds("doc") && !tree.holds("docs/b.md"));
        assert_eq!(tree.text("docs/b.md").unwrap_err().to_string(), "docs/b.md is missing");
    }
}
