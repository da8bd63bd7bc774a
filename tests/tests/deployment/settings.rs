//! Every setting that the files for deployments name exists.

use std::collections::BTreeSet;

use super::{files_in, read};

/// The settings of the server, by their names in files (`server.bind`).
pub(crate) struct Settings(BTreeSet<String>);

impl Settings {
    /// Returns the settings in `config/default.toml`.
    pub(crate) fn known() -> Self {
        let sections: toml::Table = toml::from_str(&read("config/default.toml")).unwrap();
        let keys = sections.iter().filter_map(|(section, keys)| Some((section, keys.as_table()?)));
        Self(
            keys.flat_map(|(section, keys)| keys.keys().map(move |key| format!("{section}.{key}"))).collect(),
        )
    }

    /// Returns whether an environment variable sets one of them.
    pub(crate) fn has_variable(&self, name: &str) -> bool {
        let setting = name.strip_prefix("QUADREX_").map(|name| name.replacen("__", ".", 1).to_lowercase());
        name == "DATABASE_URL" || setting.is_some_and(|setting| self.0.contains(&setting))
    }

    /// Returns the unknown settings in a text: environment variables, and names in backquotes
    /// (`server.bind`), whose section exists.
    fn unknown_in(&self, text: &str) -> Vec<String> {
        let variables = text
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter(|word| word.starts_with("QUADREX_") && word.contains("__") && !word.ends_with('_'))
            .filter(|word| !self.has_variable(word));
        let sections: BTreeSet<&str> = self.0.iter().filter_map(|name| name.split('.').next()).collect();
        let is_name = |word: &str| {
            let parts: Vec<&str> = word.split('.').collect();
            let is_key = |part: &str| part.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            parts.len() == 2 && sections.contains(parts[0]) && is_key(parts[1])
        };
        let quoted = text.split('`').skip(1).step_by(2).map(|text| text.split(' ').next().unwrap_or(text));
        let names = quoted.filter(|word| is_name(word) && !self.0.contains(*word));
        variables.chain(names).map(str::to_owned).collect()
    }
}

#[test]
fn the_files_for_deployments_name_only_existing_settings() {
    let settings = Settings::known();
    let mut files = files_in("config");
    files.extend(
        ["docker-compose.yml", "docker-compose.cluster.yml", "docs/CLUSTER.md", "docs/OPERATIONS.md"]
            .map(str::to_owned),
    );
    assert!(files.len() > 12, "{files:?}");
    for file in files {
        assert_eq!(settings.unknown_in(&read(&file)), [""; 0], "{file}");
    }
}

#[test]
fn a_misspelt_setting_is_found() {
    let settings = Settings::known();
    let text =
        "`server.leave_second = 2`, QUADREX_SERVER__BINDS=x, `server.bind`, QUADREX_SERVER__BIND, `match.id`";
    assert_eq!(settings.unknown_in(text), ["QUADREX_SERVER__BINDS", "server.leave_second"]);
}
