//! Checks of docker-compose.cluster.yml, which runs several nodes behind HAProxy, and of the
//! settings of HAProxy and NATS that it mounts.

mod settings;

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use saphyr::Yaml;

use super::yaml::{entry, members, text, texts};
use super::{Service, database, faults_of_environment, parse, services};
use crate::tidy::surface::Surface;
use crate::tidy::tree::Tree;

/// The path of the file from the root.
const PATH: &str = "docker-compose.cluster.yml";

/// The prefix of the names of all nodes.
const NODE: &str = "node";

/// The settings that every node needs.
const NEEDED: [&str; 6] = [
    "QUADREX_SERVER__PUBLIC_URL",
    "QUADREX_SERVER__TRUSTED_PROXIES",
    "QUADREX_SERVER__LEAVE_SECONDS",
    "QUADREX_CLUSTER__NATS",
    "QUADREX_CLUSTER__USER",
    "QUADREX_CLUSTER__PASSWORD_FILE",
];

/// The oldest NATS for production, without known ways around its authorization (CVE-2023-47090 and
/// the authorization of routes).
const OLDEST_NATS: [u32; 3] = [2, 12, 7];

/// Returns the faults of the compose file and of the mounted settings.
///
/// # Errors
/// Returns an error if a file cannot be read, or a required service is missing.
pub(crate) fn faults(tree: &Tree, surface: &Surface) -> Result<Vec<String>> {
    let compose = parse(PATH, tree.text(PATH)?)?;
    let services = members(&compose, "services");
    let nodes: Vec<Service> = services
        .iter()
        .filter(|(name, _)| name.starts_with(NODE))
        .map(|(name, content)| Service { name, content })
        .collect();
    ensure!(nodes.len() > 1, "{PATH} has {} nodes", nodes.len());
    let the = |name: &str| services.get(name).with_context(|| format!("there is no service named {name}"));
    let (postgres, grant, nats, haproxy) = (the("postgres")?, the("grant")?, the("nats")?, the("haproxy")?);

    let mut without_healthcheck: Vec<&str> = nodes.iter().map(|node| node.name).collect();
    without_healthcheck.push("grant");
    let mut faults = services::faults_of_services(&compose, &services, &without_healthcheck);
    faults.extend(faults_of_nodes(&compose, &nodes, surface));
    faults.extend(database::faults_of_database(&compose, nodes[0], grant, postgres));
    faults.extend(database::faults_of_grant(nodes[0], grant, surface));
    faults.extend(database::faults_of_networks(&compose, nodes[0], postgres));
    faults.extend(faults_of_nats(nodes[0], nats));
    faults.extend(faults_of_haproxy(&compose, nodes[0], haproxy));
    faults.extend(services.iter().flat_map(|(name, service)| faults_of_mounts(name, service, tree)));
    let names: Vec<&str> = nodes.iter().map(|node| node.name).collect();
    let mut all: Vec<String> = faults.into_iter().map(|fault| format!("{PATH}: {fault}")).collect();
    all.extend(settings::faults_of_haproxy(tree, &names, surface)?);
    all.extend(settings::faults_of_nats(tree, nats_url(nodes[0]))?);
    Ok(all)
}

/// Checks that all nodes are alike, and only reached through HAProxy.
fn faults_of_nodes(compose: &Yaml, nodes: &[Service], surface: &Surface) -> Vec<String> {
    let first = nodes[0];
    let mut faults = faults_of_environment(first.content, surface);
    for node in &nodes[1..] {
        if node.content != first.content {
            faults.push(format!("{} differs from {}", node.name, first.name));
        }
    }
    if entry(first.content, "ports").is_some() {
        faults.push(format!("{} is reached without HAProxy (ports)", first.name));
    }
    let environment = members(first.content, "environment");
    for name in NEEDED.iter().filter(|name| !environment.contains_key(**name)) {
        faults.push(format!("{} is not given {name}", first.name));
    }
    let declared = members(compose, "secrets");
    let secrets = nodes.iter().flat_map(|node| texts(node.content, "secrets"));
    for secret in secrets.filter(|secret| !declared.contains_key(secret)) {
        faults.push(format!("the secret {secret} is not declared"));
    }
    faults
}

/// Checks that the nodes reach the NATS server with its password, and that it is new enough.
fn faults_of_nats(node: Service, nats: &Yaml) -> Vec<String> {
    let mut faults = Vec::new();
    let url = nats_url(node);
    if url.strip_prefix("nats://").and_then(|address| address.split(':').next()) != Some("nats") {
        faults.push(format!("{} is given {url:?}, which is not the service nats", node.name));
    }
    let shared =
        texts(nats, "networks").iter().any(|network| texts(node.content, "networks").contains(network));
    if !shared {
        faults.push(format!("{} and nats share no network", node.name));
    }
    let password = text(node.content, "QUADREX_CLUSTER__PASSWORD_FILE");
    let start = texts(nats, "entrypoint").concat();
    if password.is_empty() || !start.contains(&format!("$(cat {password})")) {
        faults.push(format!("nats does not read the password of {} ({password})", node.name));
    }
    let image = entry(nats, "image").and_then(Yaml::as_str).unwrap_or_default();
    let version = image.strip_prefix("nats:").and_then(|tag| tag.split('-').next()).unwrap_or_default();
    let parts: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
    if parts.len() != OLDEST_NATS.len() || parts.as_slice() < OLDEST_NATS.as_slice() {
        faults.push(format!(
            "the image {image:?} is not NATS {}",
            OLDEST_NATS.map(|part| part.to_string()).join(".")
        ));
    }
    faults
}

/// Checks that the nodes trust the addresses of the network that they share with HAProxy.
fn faults_of_haproxy(compose: &Yaml, node: Service, haproxy: &Yaml) -> Vec<String> {
    let trusted = text(node.content, "QUADREX_SERVER__TRUSTED_PROXIES");
    let networks: BTreeMap<&str, &Yaml> = members(compose, "networks");
    let shared: Vec<&str> = texts(node.content, "networks")
        .into_iter()
        .filter(|network| texts(haproxy, "networks").contains(network))
        .collect();
    let subnets: Vec<&str> = shared
        .iter()
        .filter_map(|network| entry(entry(networks.get(network)?, "ipam")?, "config")?.as_vec())
        .flatten()
        .filter_map(|config| entry(config, "subnet")?.as_str())
        .collect();
    let mut faults = Vec::new();
    if !subnets.contains(&trusted) {
        faults.push(format!("{} trusts {trusted}, but HAProxy is in {subnets:?}", node.name));
    }
    if entry(haproxy, "ports").is_none() {
        faults.push("haproxy is not reached from outside (ports)".to_owned());
    }
    faults
}

/// Checks that the files of the repository that a service mounts exist.
fn faults_of_mounts(name: &str, service: &Yaml, tree: &Tree) -> Vec<String> {
    let mounts = texts(service, "volumes").into_iter().filter_map(|mount| mount.strip_prefix("./"));
    let files = mounts.filter_map(|mount| mount.split(':').next());
    let missing = files.filter(|file| !tree.contains_path(file));
    missing.map(|file| format!("{name} mounts {file}, which is not there")).collect()
}

fn nats_url<'a>(node: Service<'a>) -> &'a str {
    text(node.content, "QUADREX_CLUSTER__NATS")
}

#[cfg(test)]
mod tests;
