//! The layers from which settings come, and the merge of the layers.

use std::fmt;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::effective::{self, EffectiveSetting};
use super::{Config, Flags};

/// The built-in defaults as TOML.
const DEFAULT: &str = include_str!("../../../../config/default.toml");

/// The prefix of environment variables. Two underscores separate the section from the key.
const PREFIX: &str = "QUADREX_";

/// The sections whose keys are names that the administrator chooses.
const NAMED: [&str; 2] = ["engines", "providers"];

/// The variable with the database's URL. Tools for PostgreSQL and hosting services use this name
/// too.
const DATABASE_URL: &str = "DATABASE_URL";

/// The variable with the token of a bot (`quadrex play`). It is not a setting of the server.
pub const TOKEN_VARIABLE: &str = "QUADREX_TOKEN";

/// The variable with the token of an operator (`quadrex admin`). It is not a setting of the server.
pub const ADMIN_TOKEN_VARIABLE: &str = "QUADREX_ADMIN_TOKEN";

/// The variables with our prefix that are not settings.
#[cfg(feature = "faults")]
const NOT_SETTINGS: &[&str] = &[
    TOKEN_VARIABLE,
    ADMIN_TOKEN_VARIABLE,
    quadrex_cluster::LATER_MESSAGES,
    quadrex_store::ABORT_AFTER_COMMIT,
    quadrex_store::FULL_WHILE,
];
#[cfg(not(feature = "faults"))]
const NOT_SETTINGS: &[&str] = &[TOKEN_VARIABLE, ADMIN_TOKEN_VARIABLE];

/// The reason for which the settings cannot be used. Its text is one line that names the key and
/// its source.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {source}", file.display())]
    File {
        /// The path of the file.
        file: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("{}: line {line}: {reason}", file.display())]
    Syntax {
        /// The path of the file.
        file: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The error of the parser.
        reason: String,
    },
    /// There is no such key.
    #[error("{origin}: there is no setting {key}")]
    UnknownKey {
        /// The source of the setting.
        origin: Origin,
        /// The key with its section.
        key: String,
    },
    /// A value has the wrong type.
    #[error("{origin}: {key}: {reason}")]
    Type {
        /// The source of the setting.
        origin: Origin,
        /// The key with its section.
        key: String,
        /// The reason for which the value is refused.
        reason: String,
    },
    /// A value is invalid.
    #[error("{key}: {reason}")]
    Value {
        /// The key with its section.
        key: &'static str,
        /// The reason for which the value is refused.
        reason: String,
    },
    /// The file contains a password. Passwords must be in the environment instead.
    #[error("{}: database.url holds a password, which belongs into the environment as {DATABASE_URL}", file.display())]
    Secret {
        /// The path of the file.
        file: PathBuf,
    },
}

/// The source of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file with this path.
    File(PathBuf),
    /// The environment variable of this name.
    Environment(String),
    /// This flag of the command line.
    Flag(&'static str),
    /// The built-in defaults.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => file.display().fmt(f),
            Self::Environment(variable) => write!(f, "environment variable {variable}"),
            Self::Flag(flag) => f.write_str(flag),
            Self::Default => f.write_str("built-in settings"),
        }
    }
}

/// One setting that a layer gives.
pub(super) struct Setting {
    pub(super) section: String,
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) origin: Origin,
}

impl Setting {
    fn name(&self) -> String {
        format!("{}.{}", self.section, self.key)
    }
}

/// Merges the layers. Returns the settings, and a list of all settings with their origins.
pub(super) fn read(
    file: Option<&Path>,
    environment: impl IntoIterator<Item = (String, String)>,
    flags: &Flags,
) -> Result<(Config, Vec<EffectiveSetting>), ConfigError> {
    let defaults: Table = DEFAULT.parse().expect("the built-in settings are TOML, as a test asserts");
    let mut settings = match file {
        Some(file) => of_file(file, &defaults)?,
        None => Vec::new(),
    };
    settings.extend(of_environment(environment, &defaults)?);
    settings.extend(of_flags(flags));

    let mut table = defaults.clone();
    for setting in &settings {
        insert(&mut table, setting);
    }
    let effective = effective::list(&table, &settings);
    let config = table.try_into().map_err(|error| find_invalid(&settings, &defaults, &error))?;
    Ok((config, effective))
}

fn of_file(file: &Path, defaults: &Table) -> Result<Vec<Setting>, ConfigError> {
    let text = std::fs::read_to_string(file)
        .map_err(|source| ConfigError::File { file: file.to_owned(), source })?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().map_or(0, |span| span.start);
        let line = text[..before].matches('\n').count() + 1;
        ConfigError::Syntax { file: file.to_owned(), line, reason: error.message().to_owned() }
    })?;
    let origin = Origin::File(file.to_owned());
    let mut settings = Vec::new();
    for (section, keys) in table {
        let Value::Table(keys) = keys else {
            return Err(ConfigError::UnknownKey { origin, key: section });
        };
        if !defaults.contains_key(&section) {
            return Err(ConfigError::UnknownKey { origin, key: format!("[{section}]") });
        }
        for (key, value) in keys {
            let setting = Setting { section: section.clone(), key, value, origin: origin.clone() };
            let is_named = NAMED.contains(&setting.section.as_str());
            if !is_named && default_of(defaults, &setting.section, &setting.key).is_none() {
                return Err(ConfigError::UnknownKey { origin, key: setting.name() });
            }
            if setting.name() == "database.url" && setting.value.as_str().is_some_and(has_password) {
                return Err(ConfigError::Secret { file: file.to_owned() });
            }
            settings.push(setting);
        }
    }
    Ok(settings)
}

fn of_environment(
    environment: impl IntoIterator<Item = (String, String)>,
    defaults: &Table,
) -> Result<Vec<Setting>, ConfigError> {
    let mut variables: Vec<_> = environment.into_iter().collect();
    // In this order, `QUADREX_DATABASE__URL` comes after `DATABASE_URL` and overrides it.
    variables.sort_unstable();
    let mut settings = Vec::new();
    for (variable, text) in variables {
        let (section, key) = if variable == DATABASE_URL {
            if text.is_empty() {
                continue;
            }
            ("database".to_owned(), "url".to_owned())
        } else {
            let Some(name) = variable.strip_prefix(PREFIX) else { continue };
            if NOT_SETTINGS.contains(&variable.as_str()) {
                continue;
            }
            let (section, key) = name.split_once("__").unwrap_or((name, ""));
            (section.to_ascii_lowercase(), key.to_ascii_lowercase())
        };
        let origin = Origin::Environment(variable);
        let Some(like) = default_of(defaults, &section, &key) else {
            let key = format!("{section}.{key}");
            return Err(ConfigError::UnknownKey { origin, key: key.trim_end_matches('.').to_owned() });
        };
        let value = parse_like(&text, like).map_err(|reason| ConfigError::Type {
            origin: origin.clone(),
            key: format!("{section}.{key}"),
            reason,
        })?;
        settings.push(Setting { section, key, value, origin });
    }
    Ok(settings)
}

fn of_flags(flags: &Flags) -> impl Iterator<Item = Setting> {
    let server = |key: &str, flag, value: &Option<String>| {
        value.clone().map(|value| Setting {
            section: "server".into(),
            key: key.into(),
            value: Value::String(value),
            origin: Origin::Flag(flag),
        })
    };
    [server("bind", "--bind", &flags.bind), server("data", "--data", &flags.data)].into_iter().flatten()
}

fn default_of<'a>(defaults: &'a Table, section: &str, key: &str) -> Option<&'a Value> {
    defaults.get(section)?.as_table()?.get(key)
}

fn insert(table: &mut Table, setting: &Setting) {
    let section = table.get_mut(&setting.section).and_then(Value::as_table_mut);
    section.expect("unknown sections were refused").insert(setting.key.clone(), setting.value.clone());
}

/// Parses the text of an environment variable as a value of the same type as the default value
/// `like`.
fn parse_like(text: &str, like: &Value) -> Result<Value, String> {
    match like {
        Value::Integer(_) => {
            text.parse().map(Value::Integer).map_err(|_| format!("it must be a whole number, it is {text:?}"))
        }
        Value::Boolean(_) => {
            text.parse().map(Value::Boolean).map_err(|_| format!("it must be true or false, it is {text:?}"))
        }
        Value::Array(defaults) => {
            let elements = text.split(',').map(str::trim).filter(|element| !element.is_empty());
            let parse = |element: &str| match defaults.first() {
                Some(like) => parse_like(element, like),
                None => Ok(Value::String(element.to_owned())),
            };
            elements.map(parse).collect::<Result<_, _>>().map(Value::Array)
        }
        _ => Ok(Value::String(text.to_owned())),
    }
}

/// Returns the error of the invalid setting. This is the setting that is invalid even if all other
/// settings have their default values.
fn find_invalid(settings: &[Setting], defaults: &Table, error: &toml::de::Error) -> ConfigError {
    let invalid = settings.iter().find_map(|setting| {
        let mut table = defaults.clone();
        insert(&mut table, setting);
        let error = table.try_into::<Config>().err()?;
        Some((setting, error))
    });
    let (origin, key, reason) = match &invalid {
        Some((setting, error)) => (setting.origin.clone(), setting.name(), error.message()),
        None => (Origin::Default, "settings".into(), error.message()),
    };
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    ConfigError::Type { origin, key, reason }
}

/// Returns whether a URL contains a password: in the form `scheme://user:password@host`, or as a
/// parameter.
fn has_password(url: &str) -> bool {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let (authority, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
    user.contains(':') || parameters.split('&').any(|parameter| parameter.starts_with("password="))
}
