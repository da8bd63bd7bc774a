//! `quadrex-cluster` starts a cluster, and stops all of its processes.

use std::net::SocketAddr;
use std::process::Stdio;

use quadrex_rules::Variant;
use quadrex_tests::contest::plain;
use quadrex_tests::{Client, Http, PATIENCE, processes, program, signal};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The running program. If the test fails, its processes are killed.
struct Cluster(Child);

impl Drop for Cluster {
    fn drop(&mut self) {
        let processes = self.0.id().and_then(|id| processes::children(id).ok()).unwrap_or_default();
        self.0.start_kill().ok();
        signal::send("KILL", &processes).ok();
    }
}

#[tokio::test]
async fn a_cluster_starts_serves_tables_at_all_nodes_and_stops() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrex-cluster"));
    command.args(["--nodes=3", "--port=0"]).env("QUADREX_BIN", program::path().unwrap());
    let mut cluster = Cluster(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(cluster.0.stdout.take().unwrap()).lines();
    let (mut addresses, mut last_node) = (Vec::new(), 0);
    loop {
        let line = timeout(PATIENCE, lines.next_line()).await.expect("it starts in time").unwrap();
        let line = line.expect("the last line is the hint");
        let words: Vec<&str> = line.split(' ').collect();
        addresses
            .extend(words.iter().filter_map(|word| word.strip_prefix("http://")?.parse::<SocketAddr>().ok()));
        if let Some((_, process)) = line.split_once("(process ") {
            last_node = process.trim_end_matches(')').parse().unwrap();
        }
        if line.contains("Ctrl-C") {
            break;
        }
    }
    // HAProxy and three nodes.
    assert_eq!(addresses.len(), 4, "{addresses:?}");
    for address in &addresses {
        Http::new(*address).until_status("/readyz", 200).await.unwrap();
    }
    let ada = Http::new(addresses[1]).guest("Ada").await.unwrap();
    let table = Http::new(addresses[1]).as_guest(&ada).create(&plain(Variant::Classic)).await.unwrap().table;
    for address in &addresses {
        Client::open(*address, None).await.unwrap().watch(table).await.unwrap();
    }

    let process = cluster.0.id().unwrap();
    let started = processes::children(process).unwrap();
    assert_eq!(started.len(), 6, "Postgres, NATS, HAProxy and three nodes");

    // The cluster goes on without a node.
    signal::send("KILL", &[last_node]).unwrap();
    for address in &addresses[..3] {
        Client::open(*address, None).await.unwrap().watch(table).await.unwrap();
    }
    signal::send("INT", &[process]).unwrap();
    let status = timeout(PATIENCE, cluster.0.wait()).await.expect("it stops in time").unwrap();
    assert!(status.success(), "{status}");
    for child in started {
        assert!(!processes::is_alive(child), "process {child} still runs");
    }
}
