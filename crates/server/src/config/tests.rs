use std::path::PathBuf;
use std::time::Duration;

use super::*;

fn load(environment: &[(&str, &str)]) -> Result<Config, String> {
    let environment = environment.iter().map(|(variable, text)| ((*variable).to_owned(), (*text).to_owned()));
    Config::load(None, environment, &Flags::default()).map_err(|error| error.to_string())
}

/// A file with this text, removed on drop.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, text: &str) -> Self {
        let file = std::env::temp_dir().join(format!("quadrex-config-{}-{name}.toml", std::process::id()));
        std::fs::write(&file, text).unwrap();
        Self(file)
    }

    fn load(&self) -> Result<Config, String> {
        Config::load(Some(&self.0), [], &Flags::default()).map_err(|error| error.to_string())
    }

    /// Returns the error text without the name of the file.
    fn refusal(&self) -> String {
        let text = self.load().unwrap_err();
        assert!(!text.contains('\n'), "more than one line: {text}");
        text.strip_prefix(&format!("{}: ", self.0.display())).map(str::to_owned).unwrap_or(text)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).ok();
    }
}

#[test]
fn the_defaults_are_complete() {
    let config = load(&[]).unwrap();
    assert_eq!(config.server.bind.to_string(), "127.0.0.1:8080");
    assert_eq!(config.server.data, PathBuf::from("data"));
    assert_eq!(config.server.public_url, None);
    assert_eq!(config.database.url, "");
    assert_eq!(config.database.password_file, PathBuf::new());
    assert_eq!(config.limits.frame_bytes, 4096);
    assert_eq!(config.limits.dead, Duration::from_secs(45));
    assert_eq!(config.clocks.recovery_grace, Duration::from_secs(3));
    assert_eq!(config.links.lifetime, Duration::from_secs(7 * 24 * 3600));
    assert_eq!(config.log.format, LogFormat::Text);
}

#[test]
fn each_layer_overrides_the_previous_one() {
    let file = TempFile::new(
        "layers",
        "[server]\nbind = '127.0.0.1:1'\ndata = 'file'\n[limits]\nqueue_frames = 8\n[log]\nformat = 'json'\n",
    );
    let environment = [
        ("QUADREX_SERVER__BIND", "127.0.0.1:2"),
        ("QUADREX_SERVER__DATA", "environment"),
        ("HOME", "/nowhere"),
    ];
    let environment = environment.map(|(variable, text)| (variable.to_owned(), text.to_owned()));
    let flags = Flags { bind: Some("127.0.0.1:3".into()), data: None };
    let config = Config::load(Some(&file.0), environment, &flags).unwrap();
    assert_eq!(config.server.bind.port(), 3);
    assert_eq!(config.server.data, PathBuf::from("environment"));
    assert_eq!(config.limits.queue_frames, 8);
    assert_eq!(config.limits.frame_bytes, 4096);
    assert_eq!(config.log.format, LogFormat::Json);
}

#[test]
fn the_environment_sets_numbers_lists_and_the_database() {
    let config = load(&[
        ("QUADREX_LIMITS__PLAYER_BURST", "7"),
        ("QUADREX_SERVER__TRUSTED_PROXIES", "10.0.0.0/8, ::1"),
        ("DATABASE_URL", "postgres://db/a"),
    ])
    .unwrap();
    assert_eq!(config.limits.player_burst.get(), 7);
    assert_eq!(config.server.trusted_proxies.len(), 2);
    assert_eq!(config.database.url, "postgres://db/a");
    let both = [("DATABASE_URL", "postgres://db/a"), ("QUADREX_DATABASE__URL", "postgres://db/b")];
    assert_eq!(load(&both).unwrap().database.url, "postgres://db/b");
    // Docker Compose sets the variable to an empty text if it has no value.
    let file = TempFile::new("database", "[database]\nurl = 'postgres://db/c'\n");
    let empty = [("DATABASE_URL".to_owned(), String::new())];
    let config = Config::load(Some(&file.0), empty, &Flags::default()).unwrap();
    assert_eq!(config.database.url, "postgres://db/c");
}

#[test]
fn the_error_for_an_unknown_key_contains_its_source() {
    let cases = [
        ("[server]\nbnd = '127.0.0.1:1'\n", "there is no setting server.bnd"),
        ("[sever]\nbind = '127.0.0.1:1'\n", "there is no setting [sever]"),
        ("bind = '127.0.0.1:1'\n", "there is no setting bind"),
    ];
    for (number, (text, refusal)) in cases.into_iter().enumerate() {
        assert_eq!(TempFile::new(&format!("unknown-{number}"), text).refusal(), refusal);
    }
    for (variable, key) in [
        ("QUADREX_SERVER__BND", "server.bnd"),
        ("QUADREX_SEVER__BIND", "sever.bind"),
        ("QUADREX_SERVER_BIND", "server_bind"),
        ("QUADREX_SERVER", "server"),
    ] {
        let refusal = load(&[(variable, "127.0.0.1:1")]).unwrap_err();
        assert_eq!(refusal, format!("environment variable {variable}: there is no setting {key}"));
    }
}

#[test]
fn the_error_for_an_invalid_value_contains_its_key_and_source() {
    for (variable, text, key) in [
        ("QUADREX_LIMITS__QUEUE_FRAMES", "many", "limits.queue_frames"),
        ("QUADREX_LIMITS__QUEUE_FRAMES", "-1", "limits.queue_frames"),
        ("QUADREX_LIMITS__PLAYER_BURST", "0", "limits.player_burst"),
        ("QUADREX_SERVER__BIND", "localhost", "server.bind"),
        ("QUADREX_SERVER__TRUSTED_PROXIES", "10.0.0.0/33", "server.trusted_proxies"),
        ("QUADREX_METRICS__ADDRESS", "9464", "metrics.address"),
        ("QUADREX_SERVER__PUBLIC_URL", "chess.example", "server.public_url"),
        ("QUADREX_LOG__FORMAT", "xml", "log.format"),
    ] {
        let refusal = load(&[(variable, text)]).unwrap_err();
        let start = format!("environment variable {variable}: {key}: ");
        assert!(refusal.starts_with(&start) && !refusal.contains('\n'), "{refusal}");
        assert!(refusal.len() > start.len() + 10, "no reason given: {refusal}");
    }
    let refusal = TempFile::new("type", "[limits]\nframe_bytes = 'big'\n").refusal();
    assert!(refusal.starts_with("limits.frame_bytes: invalid type"), "{refusal}");
    let flags = Flags { bind: Some("here".into()), data: None };
    let refusal = Config::load(None, [], &flags).unwrap_err().to_string();
    assert!(refusal.starts_with("--bind: server.bind: "), "{refusal}");
}

#[test]
fn values_out_of_range_are_refused() {
    for (variable, text, refusal) in [
        ("QUADREX_DATABASE__MAX_CONNECTIONS", "0", "database.max_connections: it must be 1 to 1000"),
        ("QUADREX_LIMITS__QUEUE_FRAMES", "0", "limits.queue_frames: it must be 1 to 1000000"),
        (
            "QUADREX_LIMITS__FRAME_CLOSE_BYTES",
            "9",
            "limits.frame_close_bytes: it must not be below limits.frame_bytes",
        ),
        ("QUADREX_LIMITS__DEAD_SECONDS", "20", "limits.dead_seconds: it must be above limits.ping_seconds"),
    ] {
        assert_eq!(load(&[(variable, text)]).unwrap_err(), refusal);
    }
    let tls = [("QUADREX_TLS__CERTIFICATE", "a.pem"), ("QUADREX_TLS__KEY", "b.pem")];
    let https = ("QUADREX_SERVER__PUBLIC_URL", "https://chess.example");
    assert_eq!(load(&tls[..1]).unwrap_err(), "tls.key: it belongs to tls.certificate: set both or none");
    assert_eq!(load(&tls[1..]).unwrap_err(), "tls.key: it belongs to tls.certificate: set both or none");
    assert!(load(&tls).unwrap_err().starts_with("server.public_url: with tls.certificate"));
    assert!(load(&[tls[0], tls[1], https]).unwrap().has_tls());
    let redirect = |address| ("QUADREX_TLS__REDIRECT", address);
    assert_eq!(
        load(&[redirect("0.0.0.0:80")]).unwrap_err(),
        "tls.redirect: it needs tls.certificate or acme.enabled"
    );
    let same = load(&[tls[0], tls[1], https, redirect("0.0.0.0:8080")]).unwrap_err();
    assert_eq!(same, "tls.redirect: it must differ from server.bind and metrics.address");
    assert!(load(&[tls[0], tls[1], https, redirect("0.0.0.0:80")]).is_ok());
    let acme = ("QUADREX_ACME__ENABLED", "true");
    for (more, refusal) in [
        (vec![], "server.public_url: with acme.enabled, it must be the https URL"),
        (vec![("QUADREX_SERVER__PUBLIC_URL", "https://192.0.2.1")], "server.public_url: with acme.enabled"),
        (vec![("QUADREX_SERVER__PUBLIC_URL", "https://[2001:db8::1]:444")], "server.public_url: with acme"),
        (vec![https, tls[0], tls[1]], "acme.enabled: it replaces tls.certificate"),
        (vec![https, ("QUADREX_CLUSTER__NATS", "nats://127.0.0.1")], "acme.enabled: a server of a cluster"),
        (
            vec![https, ("QUADREX_ACME__DIRECTORY", "http://ca.example")],
            "acme.directory: it must be an https",
        ),
    ] {
        let refused = load(&[vec![acme], more].concat()).unwrap_err();
        assert!(refused.starts_with(refusal), "{refused}");
    }
    assert!(load(&[acme, https, redirect("0.0.0.0:80")]).unwrap().has_tls());
    for (bind, metrics, is_refused) in [
        ("127.0.0.1:8080", "127.0.0.1:8080", true),
        ("0.0.0.0:8080", "127.0.0.1:8080", true),
        ("127.0.0.1:8080", "[::]:8080", true),
        ("127.0.0.1:8080", "127.0.0.2:8080", false),
        ("127.0.0.1:8080", "127.0.0.1:9464", false),
        ("127.0.0.1:0", "127.0.0.1:0", false),
        ("127.0.0.1:8080", "", false),
    ] {
        let loaded = load(&[("QUADREX_SERVER__BIND", bind), ("QUADREX_METRICS__ADDRESS", metrics)]);
        let refusal = loaded.err();
        assert_eq!(refusal.is_some(), is_refused, "{bind} and {metrics}: {refusal:?}");
        assert!(refusal.is_none_or(|text| text.starts_with("metrics.address: it must not be")));
    }
    let refusal = load(&[("QUADREX_LOG__FILTER", "quadrex_server=loud")]).unwrap_err();
    assert!(refusal.starts_with("log.filter: ") && refusal.contains("loud"), "{refusal}");
}

/// Every number of the built-in settings has a range narrower than its type.
#[test]
fn every_number_has_a_range() {
    let defaults: toml::Table = include_str!("../../../../config/default.toml").parse().unwrap();
    let mut numbers = 0;
    for (section, keys) in &defaults {
        for (key, value) in keys.as_table().unwrap() {
            if value.as_integer().is_none() {
                let list = value.as_array().into_iter().flatten();
                numbers += list.filter(|value| value.is_integer()).count();
                continue;
            }
            numbers += 1;
            let variable = format!("QUADREX_{section}__{key}").to_ascii_uppercase();
            for most in [i64::from(u16::MAX), i64::from(u32::MAX), i64::MAX / 2, i64::MAX] {
                let text = most.to_string();
                let Err(refusal) = load(&[(variable.as_str(), text.as_str())]) else {
                    assert!(most < i64::from(u32::MAX), "{section}.{key} may be {most}");
                    continue;
                };
                assert!(refusal.contains(&format!("{section}.{key}")), "{refusal}");
            }
        }
    }
    assert_eq!(numbers, load(&[]).unwrap().numbers().len());
    for (variable, text, refusal) in [
        ("QUADREX_REVIEWS__NODES", "0", "reviews.nodes: it must be 1 to 1000000000"),
        ("QUADREX_ANALYSIS__PLACES", "99999999", "analysis.places: it must be 0 to 10000"),
        ("QUADREX_BOTS__TABLE_MIB", "1000000", "bots.table_mib: it must be 1 to 4096"),
        (
            "QUADREX_FAIR_PLAY__LEAVER_WAIT_MINUTES",
            "5,50000",
            "fair_play.leaver_wait_minutes: it must be 0 to 43200",
        ),
        ("QUADREX_BOTS__THREADS", "100000", "bots.threads: it must be 0 to 256"),
        (
            "QUADREX_LIMITS__FRAME_CLOSE_BYTES",
            "9223372036854775807",
            "limits.frame_close_bytes: it must be 1 to 16777216",
        ),
    ] {
        assert_eq!(load(&[(variable, text)]).unwrap_err(), refusal);
    }
}

#[test]
fn a_switch_in_the_environment_is_true_or_false() {
    let automatic =
        |text| load(&[("QUADREX_REVIEWS__AUTOMATIC", text)]).map(|config| config.reviews.automatic);
    assert_eq!((automatic("true"), automatic("false")), (Ok(true), Ok(false)));
    let refusal = automatic("1").unwrap_err();
    assert!(refusal.ends_with("reviews.automatic: it must be true or false, it is \"1\""), "{refusal}");
}

#[test]
fn the_error_for_invalid_toml_contains_the_line() {
    let refusal = TempFile::new("syntax", "[server]\nbind = \"127.0.0.1:1\"\ndata = data\n").refusal();
    assert!(refusal.starts_with("line 3: "), "{refusal}");
    let missing =
        Config::load(Some(Path::new("no/such.toml")), [], &Flags::default()).unwrap_err().to_string();
    assert!(missing.starts_with("no/such.toml: "), "{missing}");
}

#[test]
fn a_password_in_a_file_is_refused_and_not_displayed() {
    for url in ["postgres://me:hush@db/q", "postgres://me@db/q?sslmode=prefer&password=hush"] {
        let refusal = TempFile::new("secret", &format!("[database]\nurl = '{url}'\n")).refusal();
        assert!(refusal.contains("database.url holds a password") && !refusal.contains("hush"), "{refusal}");
    }
    let config = TempFile::new("no-secret", "[database]\nurl = 'postgres://me@db:6000/q'\n").load().unwrap();
    assert_eq!(config.database.url, "postgres://me@db:6000/q");
    let secret = load(&[("DATABASE_URL", "postgres://me:hush@db/q")]).unwrap();
    assert!(!format!("{secret:?}").contains("hush"));
}

#[test]
fn a_public_url_is_an_origin_in_the_form_of_browsers() {
    for (text, origin) in [
        ("https://chess.example", "https://chess.example"),
        ("https://Chess.Example:443/", "https://chess.example"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://[::1]", "http://[::1]"),
        ("https://chess.example:80", "https://chess.example:80"),
    ] {
        assert_eq!(text.parse::<PublicUrl>().map(|url| url.to_string()).as_deref(), Ok(origin));
    }
    for wrong in [
        "",
        "chess.example",
        "ftp://chess.example",
        "http://",
        "http://a/b",
        "http://a:b",
        "http://a:",
        "http://a:080",
        "http://me@a",
        "http://a b",
        "http://[::1",
        "http://[x]",
        "http://a:70000",
        "http://a//",
        "http://:80",
    ] {
        assert!(wrong.parse::<PublicUrl>().is_err(), "{wrong:?} was taken");
    }
    assert!("https://a".parse::<PublicUrl>().unwrap().is_https());
    assert!(!"http://a".parse::<PublicUrl>().unwrap().is_https());
}
