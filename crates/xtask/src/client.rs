//! The build of the web client, which runs if the built files are missing or stale.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{node, process, workspace};

/// The folders of the npm package that contain generated files.
const GENERATED: [&str; 3] = ["node_modules", "dist", "coverage"];

/// Builds `crates/web/dist` unless it was built from the present sources.
///
/// # Errors
/// Returns an error if Node is missing or too old, or the build fails.
pub(crate) fn ensure_built() -> Result<()> {
    let package = workspace::web();
    let stamp = workspace::target().join("xtask/client.stamp");
    if is_fresh(&package, &stamp)? {
        return Ok(());
    }
    node::install(&package)?;
    process::run(node::npm(&package).args(["run", "--silent", "build"]))?;
    fs::create_dir_all(stamp.parent().expect("the stamp lies in a folder"))?;
    fs::write(&stamp, fingerprint(&package)?).with_context(|| format!("writing {}", stamp.display()))
}

fn is_fresh(package: &Path, stamp: &Path) -> Result<bool> {
    if !package.join("dist/index.html").is_file() {
        return Ok(false);
    }
    let Ok(built) = fs::read_to_string(stamp) else { return Ok(false) };
    Ok(built == fingerprint(package)?)
}

/// Returns a hash of the sources and a hash of the built files. They depend on contents and not on
/// times, so the check is right after a checkout, after a manual build, and for touched files.
fn fingerprint(package: &Path) -> Result<String> {
    let mut sources = Vec::new();
    for entry in entries(package)? {
        let made = entry.file_name().is_some_and(|name| GENERATED.iter().any(|made| name == *made));
        if !made {
            collect(&entry, &mut sources)?;
        }
    }
    let mut built = Vec::new();
    collect(&package.join("dist"), &mut built)?;
    Ok(format!("{:016x} {:016x}\n", digest(package, &sources)?, digest(package, &built)?))
}

fn digest(package: &Path, files: &[PathBuf]) -> Result<u64> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.strip_prefix(package).expect("the files lie in the package").hash(&mut hasher);
        fs::read(file).with_context(|| format!("reading {}", file.display()))?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// Returns all files under a path, sorted by name.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_dir() {
        for entry in entries(path)? {
            collect(&entry, files)?;
        }
    } else {
        files.push(path.to_owned());
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let listing = fs::read_dir(folder).with_context(|| format!("listing {}", folder.display()))?;
    let mut entries = listing.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn built_package(name: &str) -> (Scratch, PathBuf) {
        let package = Scratch::new(name);
        package.write("package.json", "{}");
        package.write("src/main.ts", "1");
        package.write("dist/index.html", "built");
        package.write("node_modules/x/index.js", "1");
        let stamp = package.path().join("node_modules/stamp");
        fs::write(&stamp, fingerprint(package.path()).unwrap()).unwrap();
        (package, stamp)
    }

    #[test]
    fn a_build_of_these_sources_is_fresh() {
        let (package, stamp) = built_package("client-fresh");
        assert!(is_fresh(package.path(), &stamp).unwrap());
        package.write("node_modules/x/index.js", "2");
        assert!(is_fresh(package.path(), &stamp).unwrap(), "installed packages are the lock file's affair");
    }

    #[test]
    fn a_changed_added_or_renamed_source_makes_it_stale() {
        let (package, stamp) = built_package("client-sources");
        package.write("src/main.ts", "2");
        assert!(!is_fresh(package.path(), &stamp).unwrap());
        package.write("src/main.ts", "1");
        assert!(is_fresh(package.path(), &stamp).unwrap());
        package.write("src/more.ts", "");
        assert!(!is_fresh(package.path(), &stamp).unwrap());
    }

    #[test]
    fn a_missing_or_foreign_build_is_stale() {
        let (package, stamp) = built_package("client-build");
        package.write("dist/index.html", "built by hand of something else");
        assert!(!is_fresh(package.path(), &stamp).unwrap());
        fs::remove_dir_all(package.path().join("dist")).unwrap();
        assert!(!is_fresh(package.path(), &stamp).unwrap());
    }
}
