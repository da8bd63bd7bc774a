//! Checks of the database's service, of its network, and of the service that grants privileges.

use saphyr::Yaml;

use super::services::is_internal;
use super::yaml::{entry, members, text, texts};
use super::{Service, faults_of_environment};
use crate::tidy::surface::Surface;

/// Checks that `grant` and the server use the database of the database service, that the server
/// does not connect as the database's owner, and that passwords come from secrets.
pub(super) fn faults_of_database(
    compose: &Yaml,
    server: Service,
    grant: &Yaml,
    postgres: &Yaml,
) -> Vec<String> {
    let Service { name: server_name, content: server } = server;
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
        faults.push(format!("DATABASE_URL of {server_name} is {url:?}, not of {place:?}"));
    }
    if url == expected {
        faults.push(format!("{server_name} connects as the database's owner, who can change the log"));
    }
    let declared = members(compose, "secrets");
    for (name, service, variable) in [
        (server_name, server, "QUADREX_DATABASE__PASSWORD_FILE"),
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

/// Checks that the server starts after the service `grant`, and uses the role and password of that
/// service.
pub(super) fn faults_of_grant(server: Service, grant: &Yaml, surface: &Surface) -> Vec<String> {
    let Service { name: server_name, content: server } = server;
    let mut faults = Vec::new();
    let comes_first = members(server, "depends_on").get("grant").and_then(|grant| entry(grant, "condition"));
    if comes_first.and_then(Yaml::as_str) != Some("service_completed_successfully") {
        faults.push(format!("{server_name} does not wait until grant is done"));
    }
    let words: Vec<String> =
        std::iter::once("quadrex").chain(texts(grant, "command")).map(str::to_owned).collect();
    faults.extend(surface.faults_of_command(&words));
    if words.get(1..3).is_none_or(|words| words != ["database", "grant"]) {
        faults.push("grant does not run quadrex database grant".to_owned());
    }
    faults.extend(faults_of_environment(grant, surface));
    let after = |flag: &str| words.iter().skip_while(|word| *word != flag).nth(1).map_or("", String::as_str);
    if after("--password-file") != text(server, "QUADREX_DATABASE__PASSWORD_FILE") {
        faults.push(format!("grant gives the role another password than the {server_name}'s"));
    }
    if !text(server, "DATABASE_URL").starts_with(&format!("postgres://{}@", after("--role"))) {
        faults.push(format!("{server_name} does not connect as the role of grant"));
    }
    faults
}

/// Checks that the database is only in internal networks, one of which the server shares.
pub(super) fn faults_of_networks(compose: &Yaml, server: Service, postgres: &Yaml) -> Vec<String> {
    let (of_server, of_database) = (texts(server.content, "networks"), texts(postgres, "networks"));
    let mut faults = Vec::new();
    if of_database.is_empty() || !of_database.iter().all(|network| is_internal(compose, network)) {
        faults.push("postgres is in a network that is not internal".to_owned());
    }
    if !of_database.iter().any(|network| of_server.contains(network)) {
        faults.push(format!("{} and postgres share no network", server.name));
    }
    faults
}
