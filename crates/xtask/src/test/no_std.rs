//! A test of the rules without Rust's standard library. The rules are built as a library for C and
//! linked into a C program, which plays a game.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::{process, workspace};

/// Checks, builds and runs `tests/no_std`, which is a separate workspace.
///
/// # Errors
/// Returns an error if the crate is not formatted, has warnings, does not build or link, or returns
/// wrong counts.
pub(crate) fn run() -> Result<()> {
    let source = workspace::root().join("tests/no_std");
    let target = workspace::target().join("no_std");
    process::run(cargo("fmt", &source).arg("--check"))?;
    let built = |subcommand| {
        let mut cargo = cargo(subcommand, &source);
        cargo.args(["--locked", "--release", "--target-dir"]).arg(&target);
        cargo
    };
    process::run(built("clippy").args(["--", "--deny", "warnings"]))?;
    process::run(&mut built("build"))?;

    let program = target.join("play");
    let mut compiler = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compiler.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program);
    compiler.arg(source.join("main.c")).arg(target.join("release/libquadrex_no_std.a"));
    process::run(&mut compiler)?;
    process::run(&mut Command::new(program))
}

fn cargo(subcommand: &str, package: &Path) -> Command {
    let mut cargo = workspace::cargo();
    cargo.arg(subcommand).arg("--manifest-path").arg(package.join("Cargo.toml"));
    cargo
}
