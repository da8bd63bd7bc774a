//! Reading parts of YAML documents.

use std::collections::BTreeMap;

use saphyr::Yaml;

/// Returns the value of a service's environment variable, or an empty text.
pub(crate) fn text<'a>(service: &'a Yaml, variable: &str) -> &'a str {
    members(service, "environment").get(variable).and_then(|value| value.as_str()).unwrap_or_default()
}

/// Returns the value at a key of a mapping.
pub(crate) fn entry<'a>(value: &'a Yaml, key: &str) -> Option<&'a Yaml<'a>> {
    value.as_mapping_get(key)
}

/// Returns the entries of the mapping at a key, or an empty map.
pub(crate) fn members<'a>(value: &'a Yaml, key: &str) -> BTreeMap<&'a str, &'a Yaml<'a>> {
    let mapping = entry(value, key).and_then(Yaml::as_mapping);
    mapping.into_iter().flatten().filter_map(|(name, member)| Some((name.as_str()?, member))).collect()
}

/// Returns the texts of the list at a key, or an empty list.
pub(crate) fn texts<'a>(value: &'a Yaml, key: &str) -> Vec<&'a str> {
    let list = entry(value, key).and_then(|list| list.as_vec());
    list.into_iter().flatten().filter_map(|item| item.as_str()).collect()
}
