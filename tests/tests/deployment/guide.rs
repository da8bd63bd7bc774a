//! The steps of the guide that add a machine, run as they are written, with the folders of the
//! machine in a temporary folder and its addresses on loopback.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};

use quadrex_rules::Variant;
use quadrex_tests::contest::plain;
use quadrex_tests::nats::Access;
use quadrex_tests::{Client, Database, Launch, Nats, Server, program, signal};
use tempfile::TempDir;

use super::{files_in, path, read};

/// The commands of the guide that have no effect outside of a machine with systemd. `systemctl
/// enable --now` starts the command of the installed unit with the environment of its drop-in.
const SHIMS: [(&str, &str); 2] = [
    ("sudo", "exec \"$@\""),
    (
        "systemctl",
        r#"case "$*" in
"daemon-reload") test -f "$MACHINE/etc/systemd/system/quadrex.service" ;;
"reload haproxy") ;;
"enable --now quadrex")
    unit=$MACHINE/etc/systemd/system
    on_machine() { sed -n "s#^$1=##p" "$2" | sed "s#/etc/#$MACHINE/etc/#g; s#/var/#$MACHINE/var/#g; s#%d/#$MACHINE/etc/quadrex/#g"; }
    start=$(on_machine ExecStart "$unit/quadrex.service" | sed 's#^/usr/local/bin/#exec #')
    env $(on_machine Environment "$unit/quadrex.service.d/cluster.conf") sh -c "$start" > "$MACHINE/log" 2>&1 &
    echo $! > "$MACHINE/process" ;;
*) echo "systemctl $* is not known" >&2; exit 1 ;;
esac"#,
    ),
];

/// Returns the shell commands of the numbered steps in the section that adds a machine.
fn steps() -> Vec<String> {
    let guide = read("docs/CLUSTER.md");
    let (_, section) = guide.split_once("\n## Add a machine\n").expect("the guide has the section");
    let section = section.split("\n## ").next().unwrap();
    let numbered = section.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count();
    let blocks: Vec<String> =
        section.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect();
    assert_eq!(blocks.len(), numbered, "each step has its commands");
    blocks
}

/// A machine whose root folder is a temporary folder. Its node ends with this value.
struct Machine {
    root: TempDir,
    port: u16,
}

impl Machine {
    fn new(database: &str, nats: &str) -> Self {
        let root = TempDir::new().unwrap();
        let at = |name: &str| root.path().join(name);
        for folder in ["bin", "release", "etc/haproxy", "var/lib"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for (name, script) in SHIMS {
            fs::write(at("bin").join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(at("bin").join(name), PermissionsExt::from_mode(0o755)).unwrap();
        }
        symlink(path("config"), at("release/config")).unwrap();
        symlink(program::path().unwrap(), at("release/quadrex")).unwrap();
        fs::write(at("release/database_password"), "guess").unwrap();
        fs::write(at("release/nats_password"), "rosebud\n").unwrap();
        // A free port may be taken by another process before the node listens on it. The test then
        // fails with the node's message.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        fs::write(at("release/quadrex.toml"), settings(port, database, nats)).unwrap();
        let proxy = read("config/haproxy.cfg")
            .replace("/run/secrets/certificate", &at("certificate.pem").to_string_lossy());
        fs::write(at("etc/haproxy/haproxy.cfg"), proxy).unwrap();
        let certificate = ["tests/tls/server.pem", "tests/tls/server.key"].map(read).concat();
        fs::write(at("certificate.pem"), certificate).unwrap();
        Self { root, port }
    }

    /// Runs commands in the folder of the unpacked release. They wait for a node at most a minute.
    fn run(&self, commands: &str) {
        let root = self.root.path();
        let folder = |name: &str| format!("{}/{name}", root.display());
        let commands = commands
            .replace("/usr/local/bin/", &folder("bin/"))
            .replace("/etc/", &folder("etc/"))
            .replace("127.0.0.1:8080", &format!("127.0.0.1:{}", self.port));
        let machine = std::env::var("PATH").unwrap();
        let mut shell = Command::new("timeout");
        program::remove_settings(&mut shell);
        let shell = shell
            .args(["60", "sh", "-e", "-c", &commands])
            .current_dir(root.join("release"))
            .env("PATH", format!("{}:{machine}:/usr/sbin", folder("bin")))
            .env("MACHINE", root)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(shell.status.success(), "{commands}\n{shell:?}\n{}", self.log());
    }

    fn log(&self) -> String {
        fs::read_to_string(self.root.path().join("log")).unwrap_or_default()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let process = fs::read_to_string(self.root.path().join("process")).unwrap_or_default();
        if let Ok(process) = process.trim().parse() {
            signal::send("KILL", &[process]).ok();
        }
    }
}

/// Returns the settings in the guide, with the addresses of this machine.
fn settings(port: u16, database: &str, nats: &str) -> String {
    let guide = read("docs/CLUSTER.md");
    let block = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let mut settings = block.expect("the guide has a settings file").to_owned();
    for (from, to) in [
        ("0.0.0.0:8080", format!("127.0.0.1:{port}").as_str()),
        ("postgres://quadrex_server@10.0.0.2/quadrex", database),
        ("tls://nats.example.org:4222", nats),
        ("https://chess.example.org", "http://127.0.0.1"),
    ] {
        assert!(settings.contains(from), "{from} is not in the settings of the guide");
        settings = settings.replace(from, to);
    }
    settings
}

/// Starts the first node of a cluster.
async fn first_node(database: &Database, nats: &Nats) -> Server {
    let launch = Launch::new(database).unwrap();
    let password = launch.sibling_path("nats_password");
    fs::write(&password, "rosebud").unwrap();
    let launch = launch
        .with_env("QUADREX_CLUSTER__NATS", nats.url())
        .with_env("QUADREX_CLUSTER__USER", "quadrex")
        .with_env("QUADREX_CLUSTER__PASSWORD_FILE", password.display());
    launch.start().await.unwrap()
}

#[tokio::test]
async fn five_steps_add_a_machine() {
    let database = Database::postgres().await.unwrap();
    let nats = Nats::start_with(Access::Password).unwrap();
    let first = first_node(&database, &nats).await;
    let ada = first.guest("Ada").await.unwrap();
    let table = first.http().as_guest(&ada).create(&plain(Variant::Classic)).await.unwrap().table;

    let machine = Machine::new(&database.url().unwrap(), &nats.url());
    let steps = steps();
    assert_eq!(steps.len(), 5);
    for step in &steps {
        machine.run(step);
    }

    // The new node has the tables of the first one.
    let address = ([127, 0, 0, 1], machine.port).into();
    let mut visitor = Client::open(address, None).await.unwrap();
    visitor.watch(table).await.unwrap();
    let proxy = fs::read_to_string(machine.root.path().join("etc/haproxy/haproxy.cfg")).unwrap();
    assert!(proxy.ends_with("    server node4 10.0.0.4:8080\n"), "{proxy}");
}

#[test]
fn the_log_lines_of_the_guide_are_in_the_program() {
    let guide = read("docs/CLUSTER.md");
    let (_, table) = guide.split_once("| Log line | Meaning |\n").expect("the guide has the table");
    let rows = table.lines().take_while(|line| line.starts_with('|')).skip(1);
    let texts: Vec<(&str, &str)> = rows
        .map(|row| {
            let (level, rest) = row.strip_prefix("| (").unwrap().split_once(") `").unwrap();
            (level, rest.split('`').next().unwrap())
        })
        .collect();
    assert!(texts.len() > 5, "{texts:?}");
    let sources: Vec<String> = files_in("crates/server/src")
        .iter()
        .chain(&files_in("crates/cluster/src"))
        .map(|file| read(file))
        .collect();
    for (level, text) in texts {
        let call = format!("tracing::{level}!(");
        let is_logged = |source: &String| {
            let logs = source.split(call.as_str()).skip(1);
            logs.filter_map(|log| log.split(';').next()).any(|log| log.contains(text))
        };
        assert!(sources.iter().any(is_logged), "no {level} line is {text:?}");
    }
}
