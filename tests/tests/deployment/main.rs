//! Tests of the files for deployments.

#![expect(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod haproxy;
mod systemd;

use std::fs;

use quadrex_tests::program;

/// Returns the content of a file in the repository.
fn read(name: &str) -> String {
    fs::read_to_string(program::root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}
