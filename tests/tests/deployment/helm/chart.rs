//! Rendering of the Helm chart. gtmpl has the template language of Go; the functions that Helm adds
//! to it are here, as far as the chart uses them.

use std::collections::HashMap;

use gtmpl::{Context, FuncError, Template, Value};
use saphyr::{LoadableYamlNode, Scalar, Yaml};

use crate::{files_in, read};

/// The folder of the chart.
pub(super) const FOLDER: &str = "config/helm/quadrex";

/// The chart's values, and changes of them.
pub(super) struct Chart {
    values: Value,
}

impl Chart {
    /// Returns the chart with the values in `values.yaml`, and these changes: paths and values.
    pub(super) fn with(changes: &[(&str, Value)]) -> Self {
        let mut values = value(&document(&read(&format!("{FOLDER}/values.yaml"))));
        for (path, changed) in changes {
            let mut place = &mut values;
            for name in path.split('.') {
                let Value::Map(map) = place else { panic!("{path} is no value of the chart") };
                place = map.get_mut(name).unwrap_or_else(|| panic!("{path} is no value of the chart"));
            }
            *place = changed.clone();
        }
        Self { values }
    }

    /// Returns the text of each template, by its file name. Files without a resource are left out.
    ///
    /// # Errors
    /// If a template is malformed, or lacks a value.
    pub(super) fn render(&self) -> Result<Vec<(String, String)>, String> {
        let helpers = read(&format!("{FOLDER}/templates/_helpers.tpl"));
        let mut rendered = Vec::new();
        for file in files_in(&format!("{FOLDER}/templates")) {
            if !file.ends_with(".yaml") {
                continue;
            }
            let text = self
                .render_text(&format!("{helpers}{}", read(&file)))
                .map_err(|error| format!("{file}: {error}"))?;
            if !text.trim().is_empty() {
                rendered.push((file.rsplit('/').next().unwrap_or(&file).to_owned(), text));
            }
        }
        Ok(rendered)
    }

    fn render_text(&self, text: &str) -> Result<String, String> {
        let mut template = Template::default();
        let functions: [(&str, gtmpl::Func); 4] =
            [("quote", quote), ("toJson", to_json), ("required", required), ("default", default)];
        template.add_funcs(&functions);
        template.parse(text).map_err(|error| error.to_string())?;
        let release = [("Name", "chess"), ("Namespace", "games"), ("Service", "Helm")];
        let release: HashMap<String, Value> =
            release.map(|(name, text)| (name.to_owned(), Value::from(text))).into();
        let chart = value(&document(&read(&format!("{FOLDER}/Chart.yaml"))));
        let Value::Map(chart) = chart else { panic!("Chart.yaml is a mapping") };
        // In templates, the names of the chart's fields begin with a capital letter.
        let chart: HashMap<String, Value> =
            chart.into_iter().map(|(name, value)| (capitalized(&name), value)).collect();
        let root: HashMap<String, Value> = [
            ("Values".to_owned(), self.values.clone()),
            ("Release".to_owned(), Value::Map(release)),
            ("Chart".to_owned(), Value::Map(chart)),
        ]
        .into();
        template.render(&Context::from(Value::Map(root))).map_err(|error| error.to_string())
    }
}

/// Parses a YAML document.
pub(crate) fn document(text: &str) -> Yaml<'_> {
    let mut documents = Yaml::load_from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(documents.len(), 1, "{text}");
    documents.remove(0)
}

fn capitalized(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

/// Returns a YAML value as a value of the templates.
fn value(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Value(Scalar::String(text)) => Value::from(text.as_ref()),
        Yaml::Value(Scalar::Integer(number)) => Value::from(*number),
        Yaml::Value(Scalar::Boolean(truth)) => Value::from(*truth),
        Yaml::Value(Scalar::Null) => Value::Nil,
        Yaml::Sequence(items) => Value::Array(items.iter().map(value).collect()),
        Yaml::Mapping(entries) => {
            let entries = entries
                .iter()
                .map(|(name, entry)| (name.as_str().unwrap_or_default().to_owned(), value(entry)));
            Value::Map(entries.collect())
        }
        other => panic!("{other:?} is no value for templates"),
    }
}

/// Helm's `quote`.
fn quote(arguments: &[Value]) -> Result<Value, FuncError> {
    let text = arguments.iter().map(|argument| match argument {
        Value::String(text) => serde_json::Value::from(text.as_str()).to_string(),
        other => format!("\"{}\"", json(other)),
    });
    Ok(Value::from(text.collect::<Vec<_>>().join(" ")))
}

/// Helm's `toJson`.
fn to_json(arguments: &[Value]) -> Result<Value, FuncError> {
    let [argument] = arguments else { return Err(FuncError::ExactlyXArgs("toJson".to_owned(), 1)) };
    Ok(Value::from(json(argument).to_string()))
}

/// Helm's `required`.
fn required(arguments: &[Value]) -> Result<Value, FuncError> {
    let [message, argument] = arguments else {
        return Err(FuncError::ExactlyXArgs("required".to_owned(), 2));
    };
    match argument {
        Value::Nil => Err(FuncError::Generic(message.to_string())),
        Value::String(text) if text.is_empty() => Err(FuncError::Generic(message.to_string())),
        present => Ok(present.clone()),
    }
}

/// Helm's `default`.
fn default(arguments: &[Value]) -> Result<Value, FuncError> {
    let [fallback, argument] = arguments else {
        return Err(FuncError::ExactlyXArgs("default".to_owned(), 2));
    };
    match argument {
        Value::Nil | Value::NoValue => Ok(fallback.clone()),
        Value::String(text) if text.is_empty() => Ok(fallback.clone()),
        present => Ok(present.clone()),
    }
}

fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::String(text) => text.as_str().into(),
        Value::Bool(truth) => (*truth).into(),
        Value::Number(number) => number.as_i64().into(),
        Value::Array(items) => items.iter().map(json).collect(),
        Value::Map(entries) => serde_json::Value::Object(
            entries.iter().map(|(name, entry)| (name.clone(), json(entry))).collect(),
        ),
        Value::Nil | Value::NoValue => serde_json::Value::Null,
        other => panic!("{other:?} is no value of the chart"),
    }
}
