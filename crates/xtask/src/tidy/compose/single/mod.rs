//! Checks of docker-compose.yml, which runs one server.

use anyhow::{Context, Result};
use saphyr::Yaml;

use super::yaml::{members, texts};
use super::{Service, database, faults_of_environment, parse, services};
use crate::tidy::surface::Surface;

/// The path of the file from the root.
pub(crate) const PATH: &str = "docker-compose.yml";

/// The environment variable with the addresses of trusted proxies.
const PROXIES: &str = "QUADREX_SERVER__TRUSTED_PROXIES";

/// Returns the faults of a compose file.
///
/// # Errors
/// Returns an error if the text is not YAML, or a required service is missing.
pub(crate) fn faults(text: &str, surface: &Surface) -> Result<Vec<String>> {
    let compose = parse(PATH, text)?;
    let services = members(&compose, "services");
    let server = services.get("server").context("there is no service named server")?;
    let postgres = services.get("postgres").context("there is no service named postgres")?;
    let grant = services.get("grant").context("there is no service named grant")?;

    // The check of the Dockerfile covers the server's healthcheck. The service `grant` runs and
    // exits.
    let mut faults = services::faults_of_services(&compose, &services, &["server", "grant"]);
    faults.extend(faults_of_server(server, surface));
    if texts(server, "networks").iter().all(|network| services::is_internal(&compose, network)) {
        faults.push("server is in no network that reaches it".to_owned());
    }
    let server = Service { name: "server", content: server };
    faults.extend(database::faults_of_database(&compose, server, grant, postgres));
    faults.extend(database::faults_of_grant(server, grant, surface));
    faults.extend(database::faults_of_networks(&compose, server, postgres));
    Ok(faults.into_iter().map(|fault| format!("{PATH}: {fault}")).collect())
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
    faults.extend(faults_of_environment(server, surface));
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

#[cfg(test)]
mod tests;
