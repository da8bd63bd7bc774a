//! Checks of the compose files: their consistency, and their agreement with the Dockerfile and the
//! program.

pub(crate) mod cluster;
mod database;
mod services;
pub(crate) mod single;
mod yaml;

use anyhow::{Context, Result};
use saphyr::{LoadableYamlNode, Yaml};

use super::surface::Surface;

/// A service of a compose file with its name.
#[derive(Clone, Copy)]
struct Service<'a> {
    name: &'a str,
    content: &'a Yaml<'a>,
}

/// Reads a compose file.
fn parse<'a>(path: &str, text: &'a str) -> Result<Yaml<'a>> {
    let documents = Yaml::load_from_str(text).with_context(|| format!("reading {path}"))?;
    documents.into_iter().next().with_context(|| format!("{path} is empty"))
}

/// Returns the faults of the environment variables that a service sets for the program.
fn faults_of_environment(service: &Yaml, surface: &Surface) -> Vec<String> {
    let environment = yaml::members(service, "environment");
    environment.into_keys().filter_map(|name| surface.fault_of_variable(name)).collect()
}
