//! The list of all settings in effect, each with its origin. The list is shown to people, so
//! secrets are hidden in it.

use toml::{Table, Value};

use super::layers::{Origin, Setting};

/// The text that replaces a secret.
const HIDDEN: &str = "***";

/// A setting in effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveSetting {
    /// The section, such as `server`.
    pub section: String,
    /// The key within the section, in the form of TOML.
    pub key: String,
    /// The value in the form of TOML, on one line. A password in it is replaced by `***`.
    pub value: String,
    /// The layer from which the value comes.
    pub origin: Origin,
}

/// Returns the list of all settings. `table` contains the merged settings. `settings` contains the
/// settings of each layer above the defaults, later layers last.
pub(super) fn list(table: &Table, settings: &[Setting]) -> Vec<EffectiveSetting> {
    let mut list = Vec::new();
    for (section, keys) in table {
        for (key, value) in keys.as_table().into_iter().flatten() {
            let is_this_setting = |setting: &&Setting| setting.section == *section && setting.key == *key;
            let origin = settings
                .iter()
                .rfind(is_this_setting)
                .map_or(Origin::Default, |setting| setting.origin.clone());
            let value = match value {
                Value::String(url) if key == "url" && ["database", "mail"].contains(&section.as_str()) => {
                    Value::String(hide_password(url))
                }
                value => value.clone(),
            };
            list.push(EffectiveSetting {
                section: section.clone(),
                key: toml_key(key),
                value: value.to_string(),
                origin,
            });
        }
    }
    list
}

/// Returns a key in the form of TOML. The key is quoted if it has characters that a bare key may
/// not have.
fn toml_key(key: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    if !key.is_empty() && key.chars().all(is_bare) {
        key.to_owned()
    } else {
        Value::String(key.to_owned()).to_string()
    }
}

/// Returns a URL without its password.
///
/// A password is between the first colon after the scheme and the last `@`, or it is the value of a
/// parameter. If the URL is malformed, more than the password may be hidden, but never less.
fn hide_password(url: &str) -> String {
    if url.starts_with("sqlite:") {
        return url.to_owned();
    }
    let start = url.find("://").map_or(0, |at| at + "://".len());
    let (scheme, rest) = url.split_at(start);
    let hidden = match rest.rfind('@').and_then(|end| Some((rest[..end].find(':')?, end))) {
        Some((colon, end)) => format!("{scheme}{}:{HIDDEN}{}", &rest[..colon], &rest[end..]),
        None => url.to_owned(),
    };
    let Some((address, parameters)) = hidden.split_once('?') else { return hidden };
    let parameters = parameters.split('&').map(|parameter| match parameter.split_once('=') {
        Some((name, _)) if may_be_password(name) => format!("{name}={HIDDEN}"),
        _ => parameter.to_owned(),
    });
    format!("{address}?{}", parameters.collect::<Vec<_>>().join("&"))
}

/// Returns whether a parameter of this name, which may be percent-encoded, may be a password.
fn may_be_password(name: &str) -> bool {
    name.contains('%') || name.to_ascii_lowercase().contains("pass")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (url, shown) in [
            ("", ""),
            ("sqlite:data/a:b@c.db", "sqlite:data/a:b@c.db"),
            ("postgres://db/q", "postgres://db/q"),
            ("postgres://me@db:6000/q?sslmode=prefer", "postgres://me@db:6000/q?sslmode=prefer"),
            ("postgres://me:hush@db/q", "postgres://me:***@db/q"),
            ("postgres://me:@db/q", "postgres://me:***@db/q"),
            ("postgres://:hush@db/q", "postgres://:***@db/q"),
            ("postgres://me:hu@sh@db/q", "postgres://me:***@db/q"),
            ("postgres://me:hu/sh?hush@db/q", "postgres://me:***@db/q"),
            (
                "postgres://me@db/q?password=hush&sslmode=prefer",
                "postgres://me@db/q?password=***&sslmode=prefer",
            ),
            ("postgres://me@db/q?sslpassword=hush", "postgres://me@db/q?sslpassword=***"),
            ("postgres://me@db/q?p%61ssword=hush", "postgres://me@db/q?p%61ssword=***"),
            ("smtps://me%40chess.example:hush@mail.example", "smtps://me%40chess.example:***@mail.example"),
            ("mysql://me:hush@db/q", "mysql://me:***@db/q"),
            ("me:hush@db/q", "me:***@db/q"),
        ] {
            assert_eq!(hide_password(url), shown, "{url}");
        }
    }

    #[test]
    fn a_key_is_quoted_where_it_must_be() {
        assert_eq!(toml_key("stockfish-17_x"), "stockfish-17_x");
        assert_eq!(toml_key("lc0.31"), "\"lc0.31\"");
    }
}
