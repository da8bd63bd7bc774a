//! The figures of a run in a file, for comparison with other runs.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// Rows of `{"name", "value", "unit"}`.
#[derive(Debug, Default)]
pub(crate) struct Figures(Vec<Value>);

impl Figures {
    /// Adds a row. A value that is not a number, because nothing was measured, becomes null.
    pub(crate) fn add(&mut self, name: impl Into<String>, value: f64, unit: &str) {
        self.0.push(json!({"name": name.into(), "value": value, "unit": unit}));
    }

    /// Writes all rows.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(&self.0)? + "\n";
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
    }
}
