//! Checks that apply to every service of a compose file.

use std::collections::{BTreeMap, BTreeSet};

use saphyr::Yaml;

use super::yaml::{entry, members, texts};

/// Checks that the names in all services are declared, and that each service is restricted. Each
/// service has a healthcheck of its own, except the listed ones.
pub(super) fn faults_of_services(
    compose: &Yaml,
    services: &BTreeMap<&str, &Yaml>,
    without_healthcheck: &[&str],
) -> Vec<String> {
    let mut faults = faults_of_names(compose, services);
    for (name, service) in services {
        faults.extend(missing_hardening(service).map(|lack| format!("{name} {lack}")));
        if !without_healthcheck.contains(name) && entry(service, "healthcheck").is_none() {
            faults.push(format!("{name} has no healthcheck"));
        }
    }
    faults
}

/// Returns whether a network has no connection to others.
pub(super) fn is_internal(compose: &Yaml, network: &str) -> bool {
    let networks = members(compose, "networks");
    let network = networks.get(network).and_then(|network| entry(network, "internal"));
    network.and_then(Yaml::as_bool) == Some(true)
}

/// Checks that the services in `depends_on`, the mounted volumes and the networks are declared.
fn faults_of_names(compose: &Yaml, services: &BTreeMap<&str, &Yaml>) -> Vec<String> {
    let (volumes, networks) = (members(compose, "volumes"), members(compose, "networks"));
    let mut faults = Vec::new();
    let mut undeclared = BTreeSet::new();
    for (name, service) in services {
        let unknown =
            members(service, "depends_on").into_keys().filter(|other| !services.contains_key(other));
        faults.extend(unknown.map(|other| format!("{name} waits for {other}, which is no service")));
        for mount in texts(service, "volumes") {
            let volume = mount.split(':').next().unwrap_or_default();
            if !volume.starts_with(['.', '/']) && !volumes.contains_key(volume) {
                faults.push(format!("{name} mounts {volume}, which is not declared"));
            }
        }
        let of_service = texts(service, "networks");
        undeclared.extend(of_service.into_iter().filter(|network| !networks.contains_key(network)));
    }
    faults.extend(undeclared.iter().map(|network| format!("the network {network} is not declared")));
    faults
}

/// Returns the missing restrictions of a service. They confine an intruder or a runaway process to
/// the container.
fn missing_hardening(service: &Yaml) -> impl Iterator<Item = &'static str> {
    let is_true = |key| entry(service, key).and_then(Yaml::as_bool) == Some(true);
    let is_given = |key| entry(service, key).is_some();
    let of_ulimits = members(service, "ulimits");
    [
        (is_true("read_only"), "has a writable root (read_only)"),
        (!texts(service, "tmpfs").is_empty(), "has no tmpfs for what is written beside its data"),
        (texts(service, "cap_drop") == ["ALL"], "keeps capabilities (cap_drop)"),
        (!is_given("cap_add") && !is_given("privileged"), "is given capabilities"),
        (
            texts(service, "security_opt").contains(&"no-new-privileges:true"),
            "may gain privileges (no-new-privileges)",
        ),
        (is_given("pids_limit"), "has no limit of processes (pids_limit)"),
        (is_given("mem_limit"), "has no limit of memory (mem_limit)"),
        (of_ulimits.contains_key("nofile"), "has no limit of open files (ulimits.nofile)"),
        (is_given("stop_grace_period"), "is not given time to stop (stop_grace_period)"),
    ]
    .into_iter()
    .filter_map(|(is_set, lack)| (!is_set).then_some(lack))
}
