//! The files of the repository with their contents. Tests use a few files of their own.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use crate::workspace;

/// The files by path from the root, with `/` between folders.
pub(crate) struct Tree {
    /// The contents; `None` for files that are not UTF-8.
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    /// Returns all files that git tracks or would add.
    ///
    /// # Errors
    /// Returns an error if the files cannot be listed or read.
    pub(crate) fn of_repository() -> Result<Self> {
        let mut files = BTreeMap::new();
        for path in workspace::files()? {
            let bytes = std::fs::read(workspace::root().join(&path))
                .with_context(|| format!("reading {}", path.display()))?;
            files.insert(path.to_string_lossy().replace('\\', "/"), String::from_utf8(bytes).ok());
        }
        Ok(Self { files })
    }

    /// Returns a tree of these files.
    #[cfg(test)]
    pub(crate) fn with_files(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())));
        Self { files: files.collect() }
    }

    /// Returns the path and content of every text file.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Returns the path and content of the text files in a folder (`a/b/`) with an ending (`.rs`).
    pub(crate) fn texts_in(&self, folder: &str, ending: &str) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(move |(path, _)| path.starts_with(folder) && path.ends_with(ending))
    }

    /// Returns the content of a file.
    ///
    /// # Errors
    /// Returns an error if the file is missing or not UTF-8.
    pub(crate) fn text(&self, path: &str) -> Result<&str> {
        self.files.get(path).and_then(Option::as_deref).with_context(|| format!("{path} is missing"))
    }

    /// Returns whether there is a file, or a folder with files, at a path.
    pub(crate) fn contains_path(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let inside = format!("{path}/");
        path.is_empty() || self.files.keys().any(|file| file == path || file.starts_with(&inside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_found() {
        let tree = Tree::with_files(&[("docs/a.md", ""), ("README.md", "")]);
        assert!(
            tree.contains_path("docs/a.md")
                && tree.contains_path("docs")
                && tree.contains_path("docs/")
                && tree.contains_path("")
        );
        assert!(!tree.contains_path("doc") && !tree.contains_path("docs/b.md"));
        assert_eq!(tree.text("docs/b.md").unwrap_err().to_string(), "docs/b.md is missing");
    }
}
