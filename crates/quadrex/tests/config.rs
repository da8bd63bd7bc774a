//! `quadrex config`: every setting with its origin, and no secret.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the command in a folder, with this environment and nothing else.
fn config(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrex"));
    command.arg("config").args(arguments).current_dir(folder).env_clear();
    command.envs(environment.iter().copied()).output().unwrap()
}

fn printed(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let output = config(folder, arguments, environment);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the value and the origin of a setting.
fn setting<'a>(text: &'a str, section: &str, key: &str) -> (&'a str, &'a str) {
    let lines = text.lines().skip_while(|line| *line != format!("[{section}]")).skip(1);
    let mut lines = lines.take_while(|line| !line.starts_with('['));
    let line = lines.find_map(|line| line.strip_prefix(&format!("{key} = "))).unwrap();
    let (value, origin) = line.rsplit_once("  # ").unwrap();
    (value.trim_end(), origin)
}

#[test]
fn each_setting_is_shown_with_its_origin() {
    let folder = tempfile::tempdir().unwrap();
    let file = "[server]\nbind = '127.0.0.1:1'\ndata = 'of file'\nhosts = ['chess.lan']\n[log]\nformat = 'json'\n\
                [engines.'fish.17']\ncommand = 'fish'\nvariants = ['classic']\noptions = { Hash = '16' }\n";
    fs::write(folder.path().join("q.toml"), file).unwrap();
    let environment = [
        ("QUADREX_SERVER__DATA", "of environment"),
        ("QUADREX_LIMITS__PLAYER_BURST", "7"),
        ("QUADREX_SERVER__TRUSTED_PROXIES", "10.0.0.0/8,::1"),
        ("DATABASE_URL", "postgres://db/a"),
    ];
    let text = printed(folder.path(), &["--config", "q.toml", "--bind", "127.0.0.1:3"], &environment);
    for (section, key, value, origin) in [
        ("server", "bind", "\"127.0.0.1:3\"", "flag --bind"),
        ("server", "data", "\"of environment\"", "environment variable QUADREX_SERVER__DATA"),
        ("server", "hosts", "[\"chess.lan\"]", "file q.toml"),
        ("server", "public_url", "\"\"", "default"),
        (
            "server",
            "trusted_proxies",
            "[\"10.0.0.0/8\", \"::1\"]",
            "environment variable QUADREX_SERVER__TRUSTED_PROXIES",
        ),
        ("limits", "player_burst", "7", "environment variable QUADREX_LIMITS__PLAYER_BURST"),
        ("limits", "watcher_burst", "20", "default"),
        ("database", "url", "\"postgres://db/a\"", "environment variable DATABASE_URL"),
        ("log", "format", "\"json\"", "file q.toml"),
        (
            "engines",
            "\"fish.17\"",
            "{ command = \"fish\", options = { Hash = \"16\" }, variants = [\"classic\"] }",
            "file q.toml",
        ),
    ] {
        assert_eq!(setting(&text, section, key), (value, origin), "{section}.{key}\n{text}");
    }
    let text = printed(folder.path(), &["--data", "of flag"], &environment);
    assert_eq!(setting(&text, "server", "data"), ("\"of flag\"", "flag --data"));
}

/// The output has all settings, and is itself a settings file with the same values.
#[test]
fn the_output_is_a_settings_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = printed(folder.path(), &[], &[]);
    let defaults = include_str!("../../../config/default.toml");
    let is_setting = |line: &&str| line.starts_with(|letter: char| letter.is_ascii_lowercase());
    assert_eq!(text.lines().filter(is_setting).count(), defaults.lines().filter(is_setting).count());
    assert!(text.lines().filter(is_setting).all(|line| line.ends_with("  # default")), "{text}");
    fs::write(folder.path().join("all.toml"), &text).unwrap();
    let again = printed(folder.path(), &["--config", "all.toml"], &[]);
    assert_eq!(again, text.replace("  # default", "  # file all.toml"));
}

#[test]
fn no_secret_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("password"), "hush").unwrap();
    let urls = [
        ("postgres://me:hush@db/q", "\"postgres://me:***@db/q\""),
        (
            "postgres://me@db/q?password=hush&sslmode=prefer",
            "\"postgres://me@db/q?password=***&sslmode=prefer\"",
        ),
    ];
    for (url, shown) in urls {
        for variable in ["DATABASE_URL", "QUADREX_DATABASE__URL"] {
            let environment =
                [(variable, url), ("QUADREX_DATABASE__PASSWORD_FILE", "password"), ("QUADREX_TOKEN", "hush")];
            let text = printed(folder.path(), &[], &environment);
            assert!(!text.contains("hush"), "{text}");
            assert_eq!(setting(&text, "database", "url").0, shown);
            let origin = "environment variable QUADREX_DATABASE__PASSWORD_FILE";
            assert_eq!(setting(&text, "database", "password_file"), ("\"password\"", origin));
        }
    }
}

/// Arguments, environment, and the error.
type Case<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)], &'a str);

#[test]
fn an_invalid_setting_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("secret.toml"), "[database]\nurl = 'postgres://me:hush@db/q'\n").unwrap();
    let cases: [Case; 4] = [
        (
            &[],
            &[("QUADREX_SERVER__BND", "x")],
            "quadrex: environment variable QUADREX_SERVER__BND: there is no setting server.bnd\n",
        ),
        (
            &[],
            &[("QUADREX_LIMITS__QUEUE_FRAMES", "0")],
            "quadrex: limits.queue_frames: it must be 1 to 1000000\n",
        ),
        (&["--config", "none.toml"], &[], "quadrex: none.toml: No such file or directory (os error 2)\n"),
        (
            &["--config", "secret.toml"],
            &[],
            "quadrex: secret.toml: database.url holds a password, which belongs into the environment as DATABASE_URL\n",
        ),
    ];
    for (arguments, environment, error) in cases {
        let output = config(folder.path(), arguments, environment);
        assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), error);
    }
}
