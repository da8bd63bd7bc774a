//! Checks of docker-compose.yml: its consistency, and its agreement with the Dockerfile and the
//! program.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use saphyr::{LoadableYamlNode, Yaml};

use super::surface::Surface;

/// The path of the file from the root.
pub(crate) const PATH: &str = "docker-compose.yml";

/// The environment variable with the addresses of trusted proxies.
const PROXIES: &str = "QUADREX_SERVER__TRUSTED_PROXIES";

/// Returns the faults of a compose file.
///
/// # Errors
/// Returns an error if the text is not YAML, or a required service is missing.
pub(crate) fn faults(text: &str, surface: &Surface) -> Result<Vec<String>> {
    let documents = Yaml::load_from_str(text).with_context(|| format!("reading {PATH}"))?;
    let compose = documents.first().with_context(|| format!("{PATH} is empty"))?;
    let services = members(compose, "services");
    let server = services.get("server").context("there is no service named server")?;
    let postgres = services.get("postgres").context("there is no service named postgres")?;
    let grant = services.get("grant").context("there is no service named grant")?;

    let mut faults = faults_of_names(compose, &services);
    faults.extend(faults_of_server(server, surface));
    faults.extend(faults_of_database(compose, server, grant, postgres));
    faults.extend(faults_of_grant(server, grant, surface));
    faults.extend(faults_of_networks(compose, server, postgres));
    for (name, service) in &services {
        faults.extend(missing_hardening(service).map(|lack| format!("{name} {lack}")));
        // The check of the Dockerfile covers the server's healthcheck. The service `grant` runs and
        // exits.
        if !["server", "grant"].contains(name) && entry(service, "healthcheck").is_none() {
            faults.push(format!("{name} has no healthcheck"));
        }
    }
    Ok(faults.into_iter().map(|fault| format!("{PATH}: {fault}")).collect())
}

/// Checks that the services in `depends_on` and the mounted volumes are declared.
fn faults_of_names(compose: &Yaml, services: &BTreeMap<&str, &Yaml>) -> Vec<String> {
    let volumes = members(compose, "volumes");
    let mut faults = Vec::new();
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
    }
    faults
}

fn faults_of_server(server: &Yaml, surface: &Surface) -> Vec<String> {
    let mut faults = Vec::new();
    for mapping in texts(server, "ports") {
        if mapping.rsplit(':').next() != Some(&surface.port) {
            faults.push(format!("server maps {mapping}, not its port {}", surface.port));
        }
        let host = mapping
            .strip_prefix("${")
            .and_then(|rest| rest.split_once(":-"))
            .map_or(mapping, |(_, host)| host);
        if !host.starts_with("127.0.0.1:") {
            faults.push(format!("server publishes {mapping} on more than 127.0.0.1"));
        }
    }
    faults.extend(
        members(server, "environment").into_keys().filter_map(|name| surface.fault_of_variable(name)),
    );
    if !members(server, "environment").contains_key(PROXIES) {
        faults.push(format!("server is not given {PROXIES}"));
    }
    let command = texts(server, "command");
    if !command.is_empty() {
        // The image's entry point is the program, so a command in the file has its arguments.
        let words: Vec<String> = std::iter::once("quadrex").chain(command).map(str::to_owned).collect();
        faults.extend(surface.faults_of_command(&words));
    }
    faults
}

/// Checks that the server starts after the service `grant`, and uses the role and password of that
/// service.
fn faults_of_grant(server: &Yaml, grant: &Yaml, surface: &Surface) -> Vec<String> {
    let mut faults = Vec::new();
    let comes_first = members(server, "depends_on").get("grant").and_then(|grant| entry(grant, "condition"));
    if comes_first.and_then(Yaml::as_str) != Some("service_completed_successfully") {
        faults.push("server does not wait until grant is done".to_owned());
    }
    let words: Vec<String> =
        std::iter::once("quadrex").chain(texts(grant, "command")).map(str::to_owned).collect();
    faults.extend(surface.faults_of_command(&words));
    if words.get(1..3).is_none_or(|words| words != ["database", "grant"]) {
        faults.push("grant does not run quadrex database grant".to_owned());
    }
    faults
        .extend(members(grant, "environment").into_keys().filter_map(|name| surface.fault_of_variable(name)));
    let after = |flag: &str| words.iter().skip_while(|word| *word != flag).nth(1).map_or("", String::as_str);
    if after("--password-file") != text(server, "QUADREX_DATABASE__PASSWORD_FILE") {
        faults.push("grant gives the role another password than the server's".to_owned());
    }
    if !text(server, "DATABASE_URL").starts_with(&format!("postgres://{}@", after("--role"))) {
        faults.push("server does not connect as the role of grant".to_owned());
    }
    faults
}

/// Checks that `grant` and the server use the database of the database service, that the server
/// does not connect as the database's owner, and that passwords come from secrets.
fn faults_of_database(compose: &Yaml, server: &Yaml, grant: &Yaml, postgres: &Yaml) -> Vec<String> {
    let made = |name: &str| text(postgres, name);
    let place = format!("@postgres:5432/{}", made("POSTGRES_DB"));
    let expected = format!("postgres://{}{place}", made("POSTGRES_USER"));
    let mut faults = Vec::new();
    let url = text(grant, "DATABASE_URL");
    if url != expected {
        faults.push(format!("DATABASE_URL of grant is {url:?}, not {expected:?}"));
    }
    let url = text(server, "DATABASE_URL");
    if !url.ends_with(&place) {
        faults.push(format!("DATABASE_URL of server is {url:?}, not of {place:?}"));
    }
    if url == expected {
        faults.push("server connects as the database's owner, who can change the log".to_owned());
    }
    let declared = members(compose, "secrets");
    for (name, service, variable) in [
        ("server", server, "QUADREX_DATABASE__PASSWORD_FILE"),
        ("grant", grant, "QUADREX_DATABASE__PASSWORD_FILE"),
        ("postgres", postgres, "POSTGRES_PASSWORD_FILE"),
    ] {
        let secret = text(service, variable).strip_prefix("/run/secrets/").unwrap_or_default();
        if !texts(service, "secrets").contains(&secret) {
            faults.push(format!("{name} does not read its password from a secret ({variable})"));
        } else if declared.get(secret).is_none_or(|secret| entry(secret, "file").is_none()) {
            faults.push(format!("the secret {secret} of {name} is no file"));
        }
        if members(service, "environment").contains_key("POSTGRES_PASSWORD") {
            faults.push(format!("{name} has the password in its environment"));
        }
    }
    faults
}

/// Checks that the database is only in an internal network, which it shares with the server.
fn faults_of_networks(compose: &Yaml, server: &Yaml, postgres: &Yaml) -> Vec<String> {
    let networks = members(compose, "networks");
    let is_internal = |name: &&str| {
        networks.get(name).and_then(|network| entry(network, "internal")).and_then(Yaml::as_bool)
            == Some(true)
    };
    let (of_server, of_database) = (texts(server, "networks"), texts(postgres, "networks"));
    let mut faults = Vec::new();
    if of_database.is_empty() || !of_database.iter().all(is_internal) {
        faults.push("postgres is in a network that is not internal".to_owned());
    }
    if !of_database.iter().any(|network| of_server.contains(network)) {
        faults.push("server and postgres share no network".to_owned());
    }
    if of_server.iter().all(is_internal) {
        faults.push("server is in no network that reaches it".to_owned());
    }
    let used = of_server.iter().chain(&of_database);
    faults.extend(
        used.filter(|name| !networks.contains_key(**name))
            .map(|name| format!("the network {name} is not declared")),
    );
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

/// Returns the value of a service's environment variable, or an empty text.
fn text<'a>(service: &'a Yaml, variable: &str) -> &'a str {
    members(service, "environment").get(variable).and_then(|value| value.as_str()).unwrap_or_default()
}

fn entry<'a>(value: &'a Yaml, key: &str) -> Option<&'a Yaml<'a>> {
    value.as_mapping_get(key)
}

/// Returns the entries of the mapping at a key, or an empty map.
fn members<'a>(value: &'a Yaml, key: &str) -> BTreeMap<&'a str, &'a Yaml<'a>> {
    let mapping = entry(value, key).and_then(Yaml::as_mapping);
    mapping.into_iter().flatten().filter_map(|(name, member)| Some((name.as_str()?, member))).collect()
}

/// Returns the texts of the list at a key, or an empty list.
fn texts<'a>(value: &'a Yaml, key: &str) -> Vec<&'a str> {
    let list = entry(value, key).and_then(|list| list.as_vec());
    list.into_iter().flatten().filter_map(|item| item.as_str()).collect()
}

#[cfg(test)]
mod tests;
