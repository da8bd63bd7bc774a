//! The licence texts of the crates linked into `quadrex`, for the licence page of the web client.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::{process, workspace};

/// The target platform. It is fixed, so that the list does not depend on the machine.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The first words of the names of licence files.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// An external crate.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Crate {
    /// Name and version.
    name: String,
    /// Its licence as an SPDX expression.
    licence: String,
    folder: PathBuf,
}

/// Returns a JSON list of `{text, crates}`: each licence text once, with its crates.
///
/// # Errors
/// Returns an error if cargo cannot list the crates, or a licence cannot be read.
pub(crate) fn of_crates() -> Result<String> {
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for one in linked()? {
        for text in texts_of(&one)? {
            texts.entry(text).or_default().insert(one.name.clone());
        }
    }
    let mut groups: Vec<_> = texts.into_iter().map(|(text, crates)| (crates, text)).collect();
    groups.sort();
    let list: Vec<_> =
        groups.into_iter().map(|(crates, text)| json!({ "crates": crates, "text": text })).collect();
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}

/// Returns the crates that are linked into the program, in order.
fn linked() -> Result<BTreeSet<Crate>> {
    let tree = cargo(&[
        "tree",
        "--package",
        "quadrex",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--target",
        TARGET,
    ])?;
    // `name v1.2.3`. A crate of this workspace also has a path.
    let names: BTreeSet<_> = tree
        .lines()
        .filter(|line| !line.contains("(/"))
        .map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
        .collect();
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version", "1", "--filter-platform", TARGET])?)?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists packages")?;
    packages
        .iter()
        .map(|package| {
            let field = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
            let manifest = PathBuf::from(field("manifest_path"));
            let folder = manifest.parent().context("a manifest lies in a folder")?.to_owned();
            let name = format!("{} v{}", field("name"), field("version"));
            Ok(Crate { name, licence: field("license"), folder })
        })
        .filter(|one| one.as_ref().is_ok_and(|one| names.contains(&one.name)) || one.is_err())
        .collect()
}

fn cargo(arguments: &[&str]) -> Result<String> {
    process::stdout_of(
        Command::new(env!("CARGO")).args(arguments).arg("--locked").current_dir(workspace::root()),
    )
}

/// Returns the licence texts of a crate. If the MIT licence is one of several choices, only its
/// text is returned.
fn texts_of(one: &Crate) -> Result<Vec<String>> {
    let files = files_in(&one.folder)?;
    let is_mit = |path: &&PathBuf| path.to_string_lossy().to_uppercase().contains("MIT");
    let mit: Vec<_> = files.iter().filter(is_mit).collect();
    let chosen = if one.licence.contains("MIT") && !mit.is_empty() { mit } else { files.iter().collect() };
    if chosen.is_empty() {
        return Ok(vec![format!("{}, as its manifest says; it has no file with the text.", one.licence)]);
    }
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        Ok(text.replace("\r\n", "\n").trim().to_owned())
    };
    chosen.into_iter().map(read).collect()
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let listing = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in listing {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if entry.file_type()?.is_file() && NAMES.iter().any(|known| name.starts_with(known)) {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn texts(licence: &str, files: &[(&str, &str)]) -> Vec<String> {
        let folder = Scratch::new("licences");
        folder.write("Cargo.toml", "");
        for (name, text) in files {
            folder.write(name, text);
        }
        let one =
            Crate { name: "a v1.0.0".into(), licence: licence.into(), folder: folder.path().to_owned() };
        texts_of(&one).unwrap()
    }

    #[test]
    fn the_mit_licence_is_selected_if_there_is_a_choice() {
        let both = [("LICENSE-APACHE", "Apache"), ("LICENSE-MIT", "Copyright (c) A\r\n")];
        assert_eq!(texts("MIT OR Apache-2.0", &both), ["Copyright (c) A"]);
    }

    #[test]
    fn a_licence_without_a_choice_is_complete() {
        let both = [("LICENSE", "BSD"), ("NOTICE.txt", "by A"), ("README.md", "read me")];
        assert_eq!(texts("BSD-3-Clause", &both), ["BSD", "by A"]);
    }

    #[test]
    fn without_a_file_the_manifest_is_used() {
        assert_eq!(texts("MIT", &[]), ["MIT, as its manifest says; it has no file with the text."]);
    }
}
