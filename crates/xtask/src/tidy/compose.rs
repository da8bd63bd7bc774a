//! docker-compose.yml against itself, the Dockerfile and the program.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use saphyr::{LoadableYamlNode, Yaml};

use super::surface::Surface;

/// Its path from the root.
pub(crate) const PATH: &str = "docker-compose.yml";

/// Faults of a compose file's text.
///
/// # Errors
/// When it is no YAML, or lacks a service that it must have.
pub(crate) fn faults(text: &str, surface: &Surface) -> Result<Vec<String>> {
    let documents = Yaml::load_from_str(text).with_context(|| format!("reading {PATH}"))?;
    let compose = documents.first().with_context(|| format!("{PATH} is empty"))?;
    let services = members(compose, "services");
    let server = services.get("server").context("there is no service named server")?;
    let postgres = services.get("postgres").context("there is no service named postgres")?;

    let mut faults = faults_of_names(compose, &services);
    faults.extend(faults_of_server(server, surface));
    faults.extend(faults_of_database(server, postgres));
    for (name, service) in &services {
        // The server's is in its image, held against the program with the Dockerfile.
        if *name != "server" && entry(service, "healthcheck").is_none() {
            faults.push(format!("{name} has no healthcheck"));
        }
    }
    Ok(faults.into_iter().map(|fault| format!("{PATH}: {fault}")).collect())
}

/// Services that are waited for and volumes that are mounted must be declared.
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
    }
    faults.extend(
        members(server, "environment").into_keys().filter_map(|name| surface.fault_of_variable(name)),
    );
    let command = texts(server, "command");
    if !command.is_empty() {
        // The image's entry point is the program; a command here is its arguments.
        let words: Vec<String> = std::iter::once("quadrex").chain(command).map(str::to_owned).collect();
        faults.extend(surface.faults_of_command(&words));
    }
    faults
}

/// The server's database is the one that the other service makes, with a password that must be given.
fn faults_of_database(server: &Yaml, postgres: &Yaml) -> Vec<String> {
    let made = members(postgres, "environment");
    let value = |name: &str| made.get(name).and_then(|value| value.as_str()).unwrap_or_default();
    let password = value("POSTGRES_PASSWORD");
    let expected =
        format!("postgres://{}:{password}@postgres:5432/{}", value("POSTGRES_USER"), value("POSTGRES_DB"));
    let url =
        members(server, "environment").get("DATABASE_URL").and_then(|url| url.as_str()).unwrap_or_default();

    let mut faults = Vec::new();
    if url != expected {
        faults.push(format!("DATABASE_URL is {url:?}, not {expected:?}"));
    }
    if !(password.starts_with("${") && password.contains(":?")) {
        faults.push("the database's password must come from the environment and have no default".to_owned());
    }
    faults
}

fn entry<'a>(value: &'a Yaml, key: &str) -> Option<&'a Yaml<'a>> {
    value.as_mapping_get(key)
}

/// The members of a mapping below a key; none when it is not there.
fn members<'a>(value: &'a Yaml, key: &str) -> BTreeMap<&'a str, &'a Yaml<'a>> {
    let mapping = entry(value, key).and_then(Yaml::as_mapping);
    mapping.into_iter().flatten().filter_map(|(name, member)| Some((name.as_str()?, member))).collect()
}

/// The texts of a list below a key; none when it is not there.
fn texts<'a>(value: &'a Yaml, key: &str) -> Vec<&'a str> {
    let list = entry(value, key).and_then(|list| list.as_vec());
    list.into_iter().flatten().filter_map(|item| item.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::surface::tests::planted;
    use super::*;

    const GOOD: &str = r#"
services:
  server:
    build: .
    command: ["serve"]
    depends_on:
      postgres:
        condition: service_healthy
    ports: ["8080:8080"]
    environment:
      DATABASE_URL: "postgres://quadrex:${POSTGRES_PASSWORD:?set it}@postgres:5432/quadrex"
      QUADREX_SERVER__DATA: /data
    volumes: ["data:/data"]
  postgres:
    image: postgres:15
    environment:
      POSTGRES_USER: quadrex
      POSTGRES_PASSWORD: "${POSTGRES_PASSWORD:?set it}"
      POSTGRES_DB: quadrex
    healthcheck:
      test: ["CMD", "pg_isready"]
volumes:
  data:
"#;

    fn faults_with(from: &str, to: &str) -> Vec<String> {
        assert!(GOOD.contains(from), "{from}");
        faults(&GOOD.replace(from, to), &planted()).unwrap()
    }

    #[test]
    fn a_good_file_has_no_faults() {
        assert_eq!(faults_with("image", "image"), [""; 0]);
    }

    #[test]
    fn every_planted_fault_is_seen() {
        let database =
            "DATABASE_URL is \"postgres://quadrex:${POSTGRES_PASSWORD:?set it}@postgres:5432/quadrex\", not";
        let default = "${POSTGRES_PASSWORD:-secret}";
        for (from, to, fault) in [
            (
                "      postgres:\n",
                "      database:\n",
                "server waits for database, which is no service".to_owned(),
            ),
            ("data:/data", "games:/data", "server mounts games, which is not declared".to_owned()),
            ("8080:8080", "8080:80", "server maps 8080:80, not its port 8080".to_owned()),
            (
                "QUADREX_SERVER__DATA",
                "QUADREX_DATA",
                "QUADREX_DATA is no setting in config/default.toml".to_owned(),
            ),
            ("[\"serve\"]", "[\"serve\", \"--x\"]", "quadrex serve has no flag --x".to_owned()),
            (
                "POSTGRES_DB: quadrex",
                "POSTGRES_DB: chess",
                format!(
                    "{database} \"postgres://quadrex:${{POSTGRES_PASSWORD:?set it}}@postgres:5432/chess\""
                ),
            ),
            (
                "${POSTGRES_PASSWORD:?set it}",
                default,
                "the database's password must come from the environment and have no default".to_owned(),
            ),
            (
                "    healthcheck:\n      test: [\"CMD\", \"pg_isready\"]\n",
                "",
                "postgres has no healthcheck".to_owned(),
            ),
        ] {
            assert_eq!(faults_with(from, to), [format!("docker-compose.yml: {fault}")], "{from} -> {to}");
        }
    }

    #[test]
    fn what_is_no_compose_file_is_an_error() {
        assert!(faults("services: [", &planted()).is_err());
        assert!(faults("services: {}", &planted()).is_err());
    }
}
