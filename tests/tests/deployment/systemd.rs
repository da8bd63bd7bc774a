//! systemd accepts the units.

use std::fs;
use std::path::Path;
use std::process::Command;

use quadrex_tests::program;
use tempfile::TempDir;

use super::read;

/// Runs `systemd-analyze verify` on the unit with its drop-in after a change. Returns what it
/// prints.
fn verify(from: &str, to: &str) -> String {
    let folder = TempDir::new().unwrap();
    let program = program::path().unwrap();
    let unit =
        read("config/systemd/quadrex.service").replace("/usr/local/bin/quadrex", &program.to_string_lossy());
    let drop_in = read("config/systemd/cluster.conf");
    assert!(unit.contains(from) || drop_in.contains(from), "{from}");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text.replacen(from, to, 1)).unwrap();
    fs::create_dir(folder.path().join("quadrex.service.d")).unwrap();
    write("quadrex.service", &unit);
    write("quadrex.service.d/cluster.conf", &drop_in);
    let analyze = std::env::var_os("SYSTEMD_ANALYZE").unwrap_or_else(|| "systemd-analyze".into());
    let output = Command::new(Path::new(&analyze))
        .args(["verify", "--man=no"])
        .arg(folder.path().join("quadrex.service"))
        .output()
        .expect("systemd-analyze is installed (Debian: apt-get install systemd)");
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn systemd_accepts_the_unit_and_its_drop_in() {
    assert_eq!(verify("[Unit]", "[Unit]"), "");
    for (from, to, fault) in [
        ("UMask=", "Umask=", "Unknown key 'Umask'"),
        ("LoadCredential=", "LoadCredentials=", "Unknown key 'LoadCredentials'"),
        ("MemoryMax=4G", "MemoryMax=4Q", "Invalid memory limit"),
        ("serve --config", "serve --config\nExecStop=quadrex stop", "quadrex"),
    ] {
        let printed = verify(from, to);
        assert!(printed.contains(fault), "{from} -> {to}: {printed:?}");
    }
}

#[test]
fn the_unit_starts_the_program_with_its_flags_and_waits_long_enough() {
    let unit = read("config/systemd/quadrex.service");
    let value = |key: &str| {
        let line = unit.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.unwrap_or_else(|| panic!("{key} is missing")).to_owned()
    };
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("quadrex.toml"), "").unwrap();
    let line = value("ExecStart");
    let mut words = line.split(' ').map(|word| {
        word.replace("/etc/quadrex.toml", &folder.path().join("quadrex.toml").to_string_lossy())
            .replace("/var/lib/quadrex", &folder.path().join("data").to_string_lossy())
    });
    assert_eq!(words.next().as_deref(), Some("/usr/local/bin/quadrex"));
    let mut check = Command::new(program::path().unwrap());
    program::remove_settings(&mut check);
    let output = check.args(words).arg("--check").output().unwrap();
    assert!(output.status.success(), "{line}: {output:?}");
    // A node leaves for up to 60 seconds.
    assert!(value("TimeoutStopSec").parse::<u32>().unwrap() > 60);
    assert_eq!(value("StateDirectory"), "quadrex", "--data is /var/lib/quadrex");
}
