//! Tests of the checks of `docker-compose.cluster.yml`, which change the repository's own files.

use super::settings::{HAPROXY, NATS};
use super::*;
use crate::tidy::surface::tests::small_program;

/// Returns the interface of a small program with all settings in the file.
fn program() -> Surface {
    let mut program = small_program();
    program.variables.extend(NEEDED.map(str::to_owned));
    let others = ["QUADREX_CLUSTER__INSECURE", "QUADREX_METRICS__ADDRESS"];
    program.variables.extend(others.map(str::to_owned));
    program
}

/// Returns the faults after a change in one of the repository's files.
fn faults_with(path: &str, from: &str, to: &str) -> Vec<String> {
    let repository = Tree::of_repository().unwrap();
    let files: Vec<(&str, String)> = [PATH, HAPROXY, NATS]
        .map(|file| {
            let text = repository.text(file).unwrap();
            assert!(file != path || text.contains(from), "{path} does not contain {from}");
            (file, if file == path { text.replacen(from, to, 1) } else { text.to_owned() })
        })
        .into();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    faults(&Tree::with_files(&files), &program()).unwrap()
}

#[test]
fn the_files_of_the_repository_have_no_faults() {
    assert_eq!(faults_with(PATH, "image", "image"), [""; 0]);
}

#[test]
fn every_kind_of_fault_of_the_compose_file_is_detected() {
    for (from, to, fault) in [
        ("node3: *node", "node3:\n    <<: *node", "node3 differs from node1"),
        ("  node3: *node\n", "", "config/haproxy.cfg: node3 at node3:8080 is no node"),
        (
            "QUADREX_CLUSTER__NATS",
            "QUADREX_CLUSTER__NAT",
            "QUADREX_CLUSTER__NAT is no setting in config/default.toml",
        ),
        ("QUADREX_CLUSTER__NATS", "QUADREX_CLUSTER__NAT", "node1 is not given QUADREX_CLUSTER__NATS"),
        (
            "nats://nats:4222",
            "nats://queue:4222",
            "node1 is given \"nats://queue:4222\", which is not the service nats",
        ),
        ("nats://nats:4222", "nats://nats:4223", "config/nats.conf: does not listen on port 4223"),
        ("networks: [messages]", "networks: [edge]", "node1 and nats share no network"),
        (
            "cat /run/secrets/nats",
            "cat /run/secrets/other",
            "nats does not read the password of node1 (/run/secrets/nats_password)",
        ),
        ("nats:2.12.7-alpine", "nats:2.12.6-alpine", "the image \"nats:2.12.6-alpine\" is not NATS 2.12.7"),
        ("nats:2.12.7-alpine", "nats:latest", "the image \"nats:latest\" is not NATS 2.12.7"),
        (
            "subnet: 10.97.0.0/24",
            "subnet: 10.98.0.0/24",
            "node1 trusts 10.97.0.0/24, but HAProxy is in [\"10.98.0.0/24\"]",
        ),
        (
            "    secrets: [server_password, nats_password]",
            "    ports: [\"8080\"]\n    secrets: [server_password, nats_password]",
            "node1 is reached without HAProxy (ports)",
        ),
        (
            "[server_password, nats_password]",
            "[server_password, nat_password]",
            "the secret nat_password is not declared",
        ),
        (
            "./config/haproxy.cfg",
            "./config/haproxy.conf",
            "haproxy mounts config/haproxy.conf, which is not there",
        ),
        (
            "networks: [nodes, database, messages]",
            "networks: [node, database, messages]",
            "the network node is not declared",
        ),
        (
            "--role\", \"quadrex_server",
            "--role\", \"quadrex_other",
            "node1 does not connect as the role of grant",
        ),
    ] {
        let faults = faults_with(PATH, from, to);
        assert!(faults.iter().any(|found| found.contains(fault)), "{from} -> {to}: {faults:?}");
    }
}

#[test]
fn every_kind_of_fault_of_the_mounted_settings_is_detected() {
    for (path, from, to, fault) in [
        (HAPROXY, "uri /readyz", "uri /ready", "the server answers no /ready"),
        (HAPROXY, "http-check send", "http-check sent", "checks no path of the nodes"),
        (HAPROXY, "server node2 node2:8080", "server node2 node2:80", "node2 at node2:80 is no node"),
        (HAPROXY, "    server node2 node2:8080\n", "", "does not know node2"),
        (NATS, "0.0.0.0:4222", "0.0.0.0:4223", "does not listen on port 4222"),
    ] {
        assert_eq!(faults_with(path, from, to), [format!("{path}: {fault}")], "{from} -> {to}");
    }
}
