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
/// If the text is not YAML, or a required service is missing.
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
mod tests {
    use super::super::surface::tests::small_program;
    use super::*;

    const GOOD: &str = r#"
services:
  server:
    build: .
    command: ["serve"]
    depends_on:
      postgres:
        condition: service_healthy
      grant:
        condition: service_completed_successfully
    ports: ["${LISTEN:-127.0.0.1:8080}:8080"]
    networks: [edge, inner]
    environment:
      DATABASE_URL: "postgres://quadrex_server@postgres:5432/quadrex"
      QUADREX_DATABASE__PASSWORD_FILE: /run/secrets/server_password
      QUADREX_SERVER__DATA: /data
      QUADREX_SERVER__TRUSTED_PROXIES: "${PROXIES:-}"
    secrets: [server_password]
    volumes: ["data:/data"]
    read_only: true
    tmpfs: [/tmp]
    cap_drop: [ALL]
    security_opt: ["no-new-privileges:true"]
    pids_limit: 512
    mem_limit: 2g
    ulimits: { nofile: 65536 }
    stop_grace_period: 20s
  grant:
    build: .
    command: ["database", "grant", "--role", "quadrex_server", "--password-file", "/run/secrets/server_password"]
    networks: [inner]
    environment:
      DATABASE_URL: "postgres://quadrex@postgres:5432/quadrex"
      QUADREX_DATABASE__PASSWORD_FILE: /run/secrets/owner_password
    secrets: [owner_password, server_password]
    read_only: true
    tmpfs: [/var]
    cap_drop: [ "ALL" ]
    security_opt: ["no-new-privileges:true"]
    pids_limit: 64
    mem_limit: 256m
    ulimits: { nofile: 1024 }
    stop_grace_period: 20s
  postgres:
    image: postgres:15
    networks: [inner]
    environment:
      POSTGRES_USER: quadrex
      POSTGRES_PASSWORD_FILE: "/run/secrets/owner_password"
      POSTGRES_DB: quadrex
    secrets: [owner_password]
    healthcheck:
      test: ["CMD", "pg_isready"]
    read_only: true
    tmpfs: [/run]
    cap_drop: ["ALL"]
    security_opt: ["no-new-privileges:true"]
    pids_limit: 256
    mem_limit: 1g
    ulimits: { nofile: 1024 }
    stop_grace_period: 60s
networks:
  edge:
  inner:
    internal: true
secrets:
  owner_password:
    file: ./owner_password
  server_password:
    file: ./server_password
volumes:
  data:
"#;

    fn faults_with(from: &str, to: &str) -> Vec<String> {
        assert!(GOOD.contains(from), "{from}");
        faults(&GOOD.replacen(from, to, 1), &small_program()).unwrap()
    }

    #[test]
    fn a_valid_file_has_no_faults() {
        assert_eq!(faults_with("image", "image"), [""; 0]);
    }

    #[test]
    fn every_kind_of_fault_is_detected() {
        for (from, to, fault) in [
            ("      postgres:\n", "      database:\n", "server waits for database, which is no service"),
            ("data:/data", "games:/data", "server mounts games, which is not declared"),
            (":8080\"]", ":80\"]", "server maps ${LISTEN:-127.0.0.1:8080}:80, not its port 8080"),
            ("QUADREX_SERVER__DATA", "QUADREX_DATA", "QUADREX_DATA is no setting in config/default.toml"),
            ("[\"serve\"]", "[\"serve\", \"--x\"]", "quadrex serve has no flag --x"),
            (
                "postgres://quadrex@postgres:5432/quadrex",
                "postgres://quadrex@postgres:5432/chess",
                "DATABASE_URL of grant is \"postgres://quadrex@postgres:5432/chess\", not \
                 \"postgres://quadrex@postgres:5432/quadrex\"",
            ),
            (
                "quadrex_server@postgres:5432/quadrex",
                "quadrex_server@postgres:5432/chess",
                "DATABASE_URL of server is \"postgres://quadrex_server@postgres:5432/chess\", not of \
                 \"@postgres:5432/quadrex\"",
            ),
            ("service_completed_successfully", "service_started", "server does not wait until grant is done"),
            ("\"--role\"", "\"--x\", \"--role\"", "quadrex database grant has no flag --x"),
            ("\"quadrex_server\"", "\"quadrex_other\"", "server does not connect as the role of grant"),
            (
                "/run/secrets/server_password\"",
                "/run/secrets/owner_password\"",
                "grant gives the role another password than the server's",
            ),
            ("    healthcheck:\n      test: [\"CMD\", \"pg_isready\"]\n", "", "postgres has no healthcheck"),
        ] {
            assert_eq!(faults_with(from, to), [format!("docker-compose.yml: {fault}")], "{from} -> {to}");
        }
    }

    #[test]
    fn every_missing_hardening_option_is_detected() {
        for (from, to, fault) in [
            (
                "${LISTEN:-127.0.0.1:8080}",
                "${LISTEN:-8080}",
                "server publishes ${LISTEN:-8080}:8080 on more than 127.0.0.1",
            ),
            (
                "${LISTEN:-127.0.0.1:8080}",
                "0.0.0.0:8080",
                "server publishes 0.0.0.0:8080:8080 on more than 127.0.0.1",
            ),
            (
                "      QUADREX_SERVER__TRUSTED_PROXIES: \"${PROXIES:-}\"\n",
                "",
                "server is not given QUADREX_SERVER__TRUSTED_PROXIES",
            ),
            ("    read_only: true\n", "", "server has a writable root (read_only)"),
            ("    tmpfs: [/tmp]\n", "", "server has no tmpfs for what is written beside its data"),
            ("cap_drop: [ALL]", "cap_drop: [NET_RAW]", "server keeps capabilities (cap_drop)"),
            ("cap_drop: [\"ALL\"]", "cap_drop: []", "postgres keeps capabilities (cap_drop)"),
            (
                "    tmpfs: [/run]",
                "    cap_add: [CHOWN]\n    tmpfs: [/run]",
                "postgres is given capabilities",
            ),
            (
                "    security_opt: [\"no-new-privileges:true\"]\n",
                "",
                "server may gain privileges (no-new-privileges)",
            ),
            ("    pids_limit: 256\n", "", "postgres has no limit of processes (pids_limit)"),
            ("    mem_limit: 2g\n", "", "server has no limit of memory (mem_limit)"),
            ("nofile: 65536", "nproc: 65536", "server has no limit of open files (ulimits.nofile)"),
            ("    stop_grace_period: 20s\n", "", "server is not given time to stop (stop_grace_period)"),
            ("    internal: true\n", "", "postgres is in a network that is not internal"),
            ("[edge, inner]", "[edge]", "server and postgres share no network"),
            ("[edge, inner]", "[inner]", "server is in no network that reaches it"),
            ("  edge:\n", "", "the network edge is not declared"),
            (
                "__PASSWORD_FILE: /run/secrets/owner_password",
                "__PASSWORD_FILE: /etc/password",
                "grant does not read its password from a secret (QUADREX_DATABASE__PASSWORD_FILE)",
            ),
            (
                "POSTGRES_PASSWORD_FILE: \"/run/secrets/owner_password\"",
                "POSTGRES_HOST_AUTH_METHOD: trust",
                "postgres does not read its password from a secret (POSTGRES_PASSWORD_FILE)",
            ),
            (
                "      POSTGRES_DB: quadrex\n",
                "      POSTGRES_DB: quadrex\n      POSTGRES_PASSWORD: hush\n",
                "postgres has the password in its environment",
            ),
        ] {
            assert_eq!(faults_with(from, to), [format!("docker-compose.yml: {fault}")], "{from} -> {to}");
        }
        let no_file = faults_with("    file: ./owner_password\n", "    external: true\n");
        assert_eq!(
            no_file,
            ["grant", "postgres"]
                .map(|name| format!("docker-compose.yml: the secret owner_password of {name} is no file"))
        );
        let as_owner = faults_with("postgres://quadrex_server@", "postgres://quadrex@");
        assert_eq!(
            as_owner,
            [
                "docker-compose.yml: server connects as the database's owner, who can change the log",
                "docker-compose.yml: server does not connect as the role of grant",
            ]
        );
    }

    #[test]
    fn a_file_that_is_not_a_compose_file_is_an_error() {
        assert!(faults("services: [", &small_program()).is_err());
        assert!(faults("services: {}", &small_program()).is_err());
    }
}
