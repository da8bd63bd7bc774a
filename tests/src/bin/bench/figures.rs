//! Measured figures as a JSON list of `{"name", "value", "unit", "ratio_to"?}`.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// The figures measured so far.
#[derive(Default)]
pub(crate) struct Figures(Vec<Value>);

impl Figures {
    /// Prints a figure and adds it to the list.
    pub(crate) fn add(&mut self, name: &str, value: f64, unit: &str) {
        println!("  {name:<58} {value:>14.2} {unit}");
        self.0.push(json!({"name": name, "value": value, "unit": unit}));
    }

    /// Prints a figure with another figure by which it is divided, and stores the names of both.
    pub(crate) fn add_beside(&mut self, name: &str, value: f64, unit: &str, sibling_path: (&str, f64)) {
        let (other, by) = sibling_path;
        println!("  {name:<58} {value:>14.2} {unit}, {:.2} x {other}", value / by);
        self.0.push(json!({"name": name, "value": value, "unit": unit, "ratio_to": other}));
    }

    /// Writes all figures to the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(&self.0)? + "\n";
        std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
    }
}
