//! Tests of the files for deployments: settings of HAProxy and NATS, units of systemd, the Helm
//! chart, and the commands of the guide to clusters.

#![expect(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod cluster;
mod guide;
mod haproxy;
mod helm;
mod metrics;
mod settings;
mod systemd;

use std::fs;
use std::path::{Path, PathBuf};

use quadrex_tests::program;

/// Returns the path of a file in the repository.
fn path(name: &str) -> PathBuf {
    program::root().join(name)
}

/// Returns the content of a file in the repository.
fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the paths of all files in a folder and in its folders, from the root of the repository,
/// in order.
fn files_in(folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path(folder)).unwrap() {
        let name = format!("{folder}/{}", entry.as_ref().unwrap().file_name().to_str().unwrap());
        if Path::is_dir(&path(&name)) { names.extend(files_in(&name)) } else { names.push(name) }
    }
    names.sort();
    names
}
