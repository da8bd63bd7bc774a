//! Checks of the settings of HAProxy and NATS against the nodes. The tests start both programs with
//! these files.

use anyhow::Result;

use crate::tidy::surface::Surface;
use crate::tidy::tree::Tree;

/// The path of HAProxy's settings from the root.
pub(super) const HAPROXY: &str = "config/haproxy.cfg";

/// The path of the NATS server's settings from the root.
pub(super) const NATS: &str = "config/nats.conf";

/// Checks that HAProxy knows all nodes with their port, and asks them whether they are ready.
pub(super) fn faults_of_haproxy(tree: &Tree, nodes: &[&str], surface: &Surface) -> Result<Vec<String>> {
    let lines: Vec<Vec<&str>> =
        tree.text(HAPROXY)?.lines().map(|line| line.split_whitespace().collect()).collect();
    let servers: Vec<(&str, &str)> = lines
        .iter()
        .filter(|words| words.first() == Some(&"server"))
        .filter_map(|words| Some((*words.get(1)?, *words.get(2)?)))
        .collect();
    let mut faults = Vec::new();
    for node in nodes.iter().filter(|node| !servers.iter().any(|(name, _)| name == *node)) {
        faults.push(format!("does not know {node}"));
    }
    for (name, address) in servers {
        if address != format!("{name}:{}", surface.port) || !nodes.contains(&name) {
            faults.push(format!("{name} at {address} is no node"));
        }
    }
    let check = lines.iter().find(|words| words.starts_with(&["http-check", "send"]));
    let path = check.and_then(|words| words.iter().skip_while(|word| **word != "uri").nth(1));
    match path {
        Some(path) if surface.routes.contains(*path) => {}
        Some(path) => faults.push(format!("the server answers no {path}")),
        None => faults.push("checks no path of the nodes".to_owned()),
    }
    Ok(faults.into_iter().map(|fault| format!("{HAPROXY}: {fault}")).collect())
}

/// Checks that the NATS server listens on the port in the URL of the nodes.
pub(super) fn faults_of_nats(tree: &Tree, url: &str) -> Result<Vec<String>> {
    let port = url.rsplit(':').next().unwrap_or_default();
    let listen = tree.text(NATS)?.lines().find_map(|line| line.strip_prefix("listen: "));
    let listens = listen.and_then(|address| address.trim_matches('"').rsplit(':').next()) == Some(port);
    Ok(if listens { vec![] } else { vec![format!("{NATS}: does not listen on port {port}")] })
}
