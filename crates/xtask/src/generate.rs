//! `cargo xtask gen`: files that are generated from the types of `quadrex-protocol`, from the
//! rules, and from the licences of crates.
//!
//! The example `schema` of the protocol crate writes most of them into a folder. This module copies
//! them to their places.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{licences, process, program, workspace};

/// The path of the web client's types, from the root.
pub(crate) const TYPESCRIPT: &str = "crates/web/src/protocol/generated.ts";
/// The path of the boards on the web client's page about the rules, from the root.
pub(crate) const POSITIONS: &str = "crates/web/src/view/rules/positions.ts";
/// The path of the licence texts of linked crates, from the root.
const LICENCES: &str = "crates/web/build/crates.json";
/// The path of the folder with the JSON Schemas, from the root. It contains nothing else.
pub(crate) const SCHEMAS: &str = "docs/schema";

/// A generated file and its path from the root.
#[derive(Debug, PartialEq, Eq)]
struct Generated {
    path: PathBuf,
    text: String,
}

/// Writes all generated files to their places and removes schemas that no longer exist.
///
/// # Errors
/// Returns an error if the protocol crate does not build, or a file cannot be written.
pub(crate) fn write() -> Result<()> {
    let files = generate()?;
    for fault in differences(workspace::root(), &files)? {
        println!("{fault}");
    }
    for file in &files {
        let path = workspace::root().join(&file.path);
        fs::create_dir_all(path.parent().expect("every generated file lies in a folder"))?;
        fs::write(&path, &file.text).with_context(|| format!("writing {}", path.display()))?;
    }
    for path in superfluous(workspace::root(), &files)? {
        fs::remove_file(workspace::root().join(path))?;
    }
    Ok(())
}

/// Returns the differences between the generated files in the repository and the present types.
///
/// # Errors
/// Returns an error if the protocol crate does not build, or a file cannot be read.
pub(crate) fn stale() -> Result<Vec<String>> {
    differences(workspace::root(), &generate()?)
}

fn generate() -> Result<Vec<Generated>> {
    let folder = workspace::target().join("xtask/generated");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    process::run(Command::new(program::schema_writer()?).arg(&folder))?;

    let mut files = vec![
        read_as(&folder.join("generated.ts"), Path::new(TYPESCRIPT).to_owned())?,
        read_as(&folder.join("positions.ts"), Path::new(POSITIONS).to_owned())?,
    ];
    files.push(Generated { path: Path::new(LICENCES).to_owned(), text: licences::of_crates()? });
    for name in names(&folder.join("schema"))? {
        files.push(read_as(&folder.join("schema").join(&name), Path::new(SCHEMAS).join(&name))?);
    }
    Ok(files)
}

fn read_as(from: &Path, path: PathBuf) -> Result<Generated> {
    let text = fs::read_to_string(from).with_context(|| format!("reading {}", from.display()))?;
    Ok(Generated { path, text })
}

fn differences(root: &Path, files: &[Generated]) -> Result<Vec<String>> {
    let mut differences = Vec::new();
    for file in files {
        match fs::read_to_string(root.join(&file.path)) {
            Ok(text) if text == file.text => {}
            Ok(_) => differences.push(format!("{}: is stale", file.path.display())),
            Err(_) => differences.push(format!("{}: is missing", file.path.display())),
        }
    }
    let gone = superfluous(root, files)?;
    differences.extend(gone.iter().map(|path| format!("{}: has no type any more", path.display())));
    Ok(differences)
}

/// Returns the schemas in the repository that are no longer generated.
fn superfluous(root: &Path, files: &[Generated]) -> Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> =
        names(&root.join(SCHEMAS))?.iter().map(|name| Path::new(SCHEMAS).join(name)).collect();
    paths.retain(|path| files.iter().all(|file| file.path != *path));
    Ok(paths)
}

/// Returns the sorted names in a folder, or none if the folder does not exist.
fn names(folder: &Path) -> Result<Vec<std::ffi::OsString>> {
    let Ok(listing) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut names = listing.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn stale_missing_and_unexpected_files_are_named() {
        let repository = Scratch::new("generate");
        let file = |path: &str| Generated { path: path.into(), text: "now".into() };
        let files = [file("docs/schema/a.json"), file("docs/schema/b.json"), file("docs/schema/c.json")];
        repository.write("docs/schema/a.json", "now");
        repository.write("docs/schema/b.json", "then");
        repository.write("docs/schema/old.json", "then");
        let expected = [
            "docs/schema/b.json: is stale",
            "docs/schema/c.json: is missing",
            "docs/schema/old.json: has no type any more",
        ];
        assert_eq!(differences(repository.path(), &files).unwrap(), expected);
    }
}
