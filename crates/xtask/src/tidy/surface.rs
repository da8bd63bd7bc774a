//! The interface of the program for deployments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::routes;
use super::tree::Tree;
use crate::{process, program};

/// The subcommands, settings, routes and port of the program. The Dockerfile and the compose file
/// are compared with them.
pub(crate) struct Surface {
    /// Every subcommand with its flags, such as `--bind`. A nested subcommand has both words, such
    /// as `database grant`.
    pub commands: BTreeMap<String, BTreeSet<String>>,
    /// The environment variables for settings.
    pub variables: BTreeSet<String>,
    /// The default port.
    pub port: String,
    /// The paths of all routes.
    pub routes: BTreeSet<String>,
}

/// The file of the settings with their defaults.
const DEFAULTS: &str = "config/default.toml";

impl Surface {
    /// Builds the program and reads its help texts and default settings.
    ///
    /// # Errors
    /// Returns an error if the program does not build, or its settings cannot be read.
    pub(crate) fn of_program(tree: &Tree) -> Result<Self> {
        let program = program::quadrex()?;
        let mut commands = BTreeMap::new();
        for command in subcommands(&help(&program, &[])?) {
            let text = help(&program, &[&command])?;
            for inner in subcommands(&text) {
                let flags = flags(&help(&program, &[&command, &inner])?);
                commands.insert(format!("{command} {inner}"), flags);
            }
            commands.insert(command, flags(&text));
        }
        let settings: toml::Table =
            toml::from_str(tree.text(DEFAULTS)?).with_context(|| format!("reading {DEFAULTS}"))?;
        let bind = settings.get("server").and_then(|server| server.get("bind")).and_then(toml::Value::as_str);
        let port =
            bind.and_then(|bind| bind.rsplit(':').next()).context("no server.bind among the settings")?;
        Ok(Self {
            commands,
            variables: variables(&settings),
            port: port.to_owned(),
            routes: routes::of(tree),
        })
    }

    /// Returns the faults of a command that starts the program: `["quadrex", "serve", "--bind",
    /// ...]`.
    pub(crate) fn faults_of_command(&self, words: &[String]) -> Vec<String> {
        let Some((program, arguments)) = words.split_first() else {
            return vec!["an empty command".to_owned()];
        };
        if program.rsplit('/').next() != Some("quadrex") {
            return vec![format!("starts {program}, not quadrex")];
        }
        let words = |count| arguments.get(..count).map(|words: &[String]| words.join(" "));
        let found =
            [words(2), words(1)].into_iter().flatten().find_map(|name| self.commands.get_key_value(&name));
        let Some((command, flags)) = found else {
            return vec![format!(
                "quadrex has no command {:?}",
                arguments.first().map_or("", String::as_str)
            )];
        };
        let given = arguments.iter().filter(|word| word.starts_with("--"));
        let unknown =
            given.map(|word| word.split('=').next().unwrap_or(word)).filter(|flag| !flags.contains(*flag));
        let mut faults: Vec<String> =
            unknown.map(|flag| format!("quadrex {command} has no flag {flag}")).collect();
        let urls = arguments.iter().filter_map(|word| word.strip_prefix("http://"));
        faults.extend(urls.filter_map(|url| self.fault_of_url(url)));
        faults
    }

    /// Returns the fault of a URL of this server, given without `http://`.
    fn fault_of_url(&self, url: &str) -> Option<String> {
        let (address, path) = url.split_at(url.find('/').unwrap_or(url.len()));
        if address.rsplit(':').next() != Some(&self.port) {
            return Some(format!("http://{url} is not port {}", self.port));
        }
        (!self.routes.contains(path)).then(|| format!("the server answers no {path}"))
    }

    /// Returns the fault of an environment variable that is set for the program.
    pub(crate) fn fault_of_variable(&self, name: &str) -> Option<String> {
        let known = name == "DATABASE_URL" || self.variables.contains(name);
        (!known).then(|| format!("{name} is no setting in {DEFAULTS}"))
    }
}

fn help(program: &Path, command: &[&str]) -> Result<String> {
    process::stdout_of(Command::new(program).args(command).arg("--help").env("NO_COLOR", "1"))
}

/// Returns the names of subcommands in a help text of clap: the first words below `Commands:`.
fn subcommands(help: &str) -> Vec<String> {
    let below = help.lines().skip_while(|line| line.trim() != "Commands:").skip(1);
    let listed = below.take_while(|line| !line.trim().is_empty());
    let named = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    named
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Returns the long flags in a help text of clap.
fn flags(help: &str) -> BTreeSet<String> {
    let options = help.lines().filter(|line| line.trim_start().starts_with('-'));
    let words = options.flat_map(|line| line.split([' ', ',', '=', '[']));
    words.filter(|word| word.starts_with("--")).map(str::to_owned).collect()
}

/// Returns `QUADREX_<SECTION>__<KEY>` for every key.
fn variables(settings: &toml::Table) -> BTreeSet<String> {
    let sections = settings.iter().filter_map(|(section, keys)| Some((section, keys.as_table()?)));
    let keys = sections.flat_map(|(section, keys)| keys.keys().map(move |key| (section, key)));
    keys.map(|(section, key)| format!("QUADREX_{}__{}", section.to_uppercase(), key.to_uppercase())).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns the interface of a small program.
    pub(crate) fn small_program() -> Surface {
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        Surface {
            commands: [
                ("serve", words(&["--bind", "--data"])),
                ("probe", words(&[])),
                ("database", words(&[])),
                ("database grant", words(&["--role", "--password-file"])),
            ]
            .map(|(name, flags)| (name.to_owned(), flags))
            .into(),
            variables: words(&[
                "QUADREX_SERVER__BIND",
                "QUADREX_SERVER__DATA",
                "QUADREX_SERVER__TRUSTED_PROXIES",
                "QUADREX_DATABASE__PASSWORD_FILE",
            ]),
            port: "8080".to_owned(),
            routes: words(&["/readyz"]),
        }
    }

    fn faults(command: &str) -> Vec<String> {
        small_program().faults_of_command(&command.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn unknown_commands_flags_ports_and_paths_are_faults() {
        assert_eq!(faults("quadrex serve --bind 0.0.0.0:8080"), [""; 0]);
        assert_eq!(faults("/usr/local/bin/quadrex probe http://127.0.0.1:8080/readyz"), [""; 0]);
        assert_eq!(faults("quadrex database grant --role x"), [""; 0]);
        assert_eq!(faults("quadrex database grant --rule x"), ["quadrex database grant has no flag --rule"]);
        assert_eq!(faults("quadrex start"), ["quadrex has no command \"start\""]);
        assert_eq!(faults("quadrex serve --port=80"), ["quadrex serve has no flag --port"]);
        assert_eq!(
            faults("quadrex probe http://127.0.0.1:80/readyz"),
            ["http://127.0.0.1:80/readyz is not port 8080"]
        );
        assert_eq!(faults("quadrex probe http://127.0.0.1:8080/ready"), ["the server answers no /ready"]);
        assert_eq!(faults("sh -c quadrex"), ["starts sh, not quadrex"]);
    }

    #[test]
    fn variables_are_settings_or_the_database() {
        assert_eq!(small_program().fault_of_variable("DATABASE_URL"), None);
        assert_eq!(small_program().fault_of_variable("QUADREX_SERVER__BIND"), None);
        let fault = small_program().fault_of_variable("QUADREX_BIND");
        assert_eq!(fault.as_deref(), Some("QUADREX_BIND is no setting in config/default.toml"));
    }

    #[test]
    fn commands_and_flags_are_parsed_from_the_help_text() {
        let help = "Hosts chess\n\nUsage: quadrex <COMMAND>\n\nCommands:\n  serve  Serves --x\n  uci    Speaks UCI\n  help   Print this message\n\n\
            Options:\n  -h, --help  Print help\n";
        assert_eq!(subcommands(help), ["serve", "uci"]);
        let help = "Options:\n      --bind <ADDR>    Address, see --other [env: X=]\n  -h, --help\n";
        assert!(flags(help).contains("--bind") && flags(help).contains("--help"));
    }

    #[test]
    fn settings_become_variables() {
        let settings = toml::from_str("[server]\nbind = 'x'\n[database]\nmax_connections = 4\n").unwrap();
        let expected = ["QUADREX_DATABASE__MAX_CONNECTIONS", "QUADREX_SERVER__BIND"].map(String::from).into();
        assert_eq!(variables(&settings), expected);
    }
}
