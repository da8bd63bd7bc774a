//! The examples in `docs/PROTOCOL.md`: requests, frames and expected answers with placeholders.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

/// A fenced block of the document.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A request and its answer.
    Http(Exchange),
    /// Frames in their order.
    Frames(Vec<Line>),
    /// A frame shown alone, because an example cannot bring it about.
    Shown(Value),
}

/// A request and its expected answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// The line in the document.
    pub line: usize,
    /// The name of the user who sends the request; `None` for a request without a user.
    pub who: Option<String>,
    /// The method and path, with placeholders, such as `POST /api/tables`.
    pub request: String,
    /// Further headers of the request, with placeholders.
    pub headers: Vec<(String, String)>,
    /// The body of the request.
    pub body: Option<Value>,
    /// The expected status.
    pub status: u16,
    /// The expected body of the answer.
    pub answer: Option<Value>,
}

/// A frame on the connection of a user.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The line in the document.
    pub line: usize,
    /// The name of the user of the connection.
    pub who: String,
    /// True if the client sends the frame, false if it must receive it.
    pub sent: bool,
    /// The frame, with placeholders.
    pub frame: Value,
}

/// The text in a pattern that stands for any other fields of an object or for any list.
const OTHERS: &str = "...";

/// Returns all example blocks of the document, in order.
///
/// # Errors
/// If a line has an invalid form; the error contains its number.
pub fn read(page: &str) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().enumerate().map(|(index, line)| (index + 1, line));
    while let Some((_, line)) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else { continue };
        let body: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| *line != "```").collect();
        match kind {
            "http" => blocks.push(Block::Http(exchange(&body)?)),
            "ws" => {
                blocks.push(Block::Frames(body.iter().map(|line| frame_line(*line)).collect::<Result<_>>()?));
            }
            "json" => {
                blocks.push(Block::Shown(pattern(&body.iter().map(|line| line.1).collect::<String>())?));
            }
            _ => {}
        }
    }
    Ok(blocks)
}

fn exchange(lines: &[(usize, &str)]) -> Result<Exchange> {
    let number = lines.first().context("an empty block")?.0;
    let (mut who, mut sent, mut received) = (None, Vec::new(), Vec::new());
    let mut headers = Vec::new();
    for (number, line) in lines {
        if let Some(text) = line.strip_prefix("< ") {
            received.push(text);
        } else {
            let (name, text) =
                line.split_once("> ").with_context(|| format!("line {number}: neither > nor <"))?;
            who = who.or((!name.is_empty()).then(|| name.to_owned()));
            match text.split_once(": ") {
                Some((name, value)) if !text.starts_with('{') => {
                    headers.push((name.to_owned(), value.to_owned()));
                }
                _ => sent.push(text),
            }
        }
    }
    let body = |texts: &[&str]| texts.get(1).map(|text| pattern(text)).transpose();
    let at = || format!("line {number}");
    Ok(Exchange {
        line: number,
        who,
        request: (*sent.first().with_context(at)?).to_owned(),
        headers,
        body: body(&sent).with_context(at)?,
        status: received.first().with_context(at)?.parse().with_context(at)?,
        answer: body(&received).with_context(at)?,
    })
}

fn frame_line((number, line): (usize, &str)) -> Result<Line> {
    let mark = line.find(['<', '>']).with_context(|| format!("line {number}: neither > nor <"))?;
    let frame = pattern(&line[mark + 1..]).with_context(|| format!("line {number}"))?;
    Ok(Line { line: number, who: line[..mark].to_owned(), sent: line[mark..].starts_with('>'), frame })
}

/// Parses JSON in which `...` stands for any fields or list, and `<word>` for a value.
fn pattern(text: &str) -> Result<Value> {
    let mut json = String::with_capacity(text.len() + 16);
    let mut in_string = false;
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if !in_string && rest.starts_with(OTHERS) {
            json.push_str(if json.ends_with('[') { "\"...\"" } else { "\"...\":true" });
            rest = &rest[OTHERS.len()..];
        } else if let (false, Some(word)) = (in_string, placeholder_at(rest)) {
            json.push_str(&format!("\"{word}\""));
            rest = &rest[word.len()..];
        } else {
            in_string ^= next == '"' && !json.ends_with('\\');
            json.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    serde_json::from_str(&json).with_context(|| format!("{text} is no JSON with placeholders"))
}

/// Returns the `<word>` with which a text begins.
fn placeholder_at(text: &str) -> Option<&str> {
    let end = text.strip_prefix('<')?.find('>')? + 2;
    let word = &text[1..end - 1];
    let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    is_word.then(|| &text[..end])
}

/// The values of the placeholders that are known so far.
#[derive(Clone, Debug, Default)]
pub struct KnownPlaceholders(BTreeMap<String, Value>);

impl KnownPlaceholders {
    /// Replaces each placeholder in a text by its value.
    ///
    /// # Errors
    /// If the value of a placeholder is not known yet.
    pub fn fill_text(&self, text: &str) -> Result<String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('<') {
            filled.push_str(&rest[..at]);
            let word = placeholder_at(&rest[at..]).with_context(|| format!("no placeholder in {rest}"))?;
            let value = self.0.get(word).with_context(|| format!("{word} is not known yet"))?;
            filled.push_str(value.as_str().map(str::to_owned).unwrap_or_else(|| value.to_string()).as_str());
            rest = &rest[at + word.len()..];
        }
        Ok(filled + rest)
    }

    /// Replaces each placeholder in a pattern by its value.
    ///
    /// # Errors
    /// If the value of a placeholder is not known yet.
    pub fn fill(&self, pattern: &Value) -> Result<Value> {
        Ok(match pattern {
            Value::String(text) => match self.0.get(text.as_str()) {
                Some(value) => value.clone(),
                None => Value::String(self.fill_text(text)?),
            },
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.fill(item)).collect::<Result<_>>()?)
            }
            Value::Object(fields) => {
                let filled = fields.iter().map(|(key, value)| Ok((self.fill_text(key)?, self.fill(value)?)));
                Value::Object(filled.collect::<Result<_>>()?)
            }
            other => other.clone(),
        })
    }

    /// Compares a received value with a pattern, and stores the values of new placeholders.
    ///
    /// # Errors
    /// If they differ; no values are stored then.
    pub fn compare(&mut self, pattern: &Value, value: &Value) -> Result<()> {
        let mut learnt = self.clone();
        learnt.learn(pattern, value)?;
        *self = learnt;
        Ok(())
    }

    fn learn(&mut self, pattern: &Value, value: &Value) -> Result<()> {
        match (pattern, value) {
            (Value::String(text), _) if placeholder_at(text) == Some(text.as_str()) => {
                let known = self.0.entry(text.clone()).or_insert_with(|| value.clone());
                ensure!(known == value, "{text} is {known}, here it is {value}");
            }
            (Value::Array(items), Value::Array(_)) if *items == [OTHERS] => {}
            (Value::Array(items), Value::Array(values)) => {
                ensure!(items.len() == values.len(), "{} items, not {}: {value}", values.len(), items.len());
                for (item, value) in items.iter().zip(values) {
                    self.learn(item, value)?;
                }
            }
            (Value::Object(fields), Value::Object(values)) => self.learn_fields(fields, values)?,
            _ => ensure!(pattern == value, "{value} instead of {pattern}"),
        }
        Ok(())
    }

    fn learn_fields(&mut self, fields: &Map<String, Value>, values: &Map<String, Value>) -> Result<()> {
        let mut named = Vec::new();
        for (key, pattern) in fields.iter().filter(|(key, _)| *key != OTHERS) {
            let key = self.fill_text(key)?;
            let value = values.get(&key).with_context(|| format!("there is no {key:?}"))?;
            self.learn(pattern, value).with_context(|| format!("in {key:?}"))?;
            named.push(key);
        }
        if !fields.contains_key(OTHERS)
            && let Some(other) = values.keys().find(|key| !named.contains(key))
        {
            bail!("unexpected field {other:?}");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_pattern_may_omit_fields_and_list_elements() {
        let mut learnt = KnownPlaceholders::default();
        let open = pattern(r#"{"a": 1, "list": [...], "id": <id>, ...}"#).unwrap();
        learnt.compare(&open, &json!({"a": 1, "list": [1, 2], "id": 7, "b": 2})).unwrap();
        assert_eq!(learnt.fill_text("/t/<id>").unwrap(), "/t/7");
        assert!(learnt.compare(&open, &json!({"a": 2, "list": [], "id": 7})).is_err(), "another value");
        assert!(
            learnt.compare(&open, &json!({"a": 1, "list": [], "id": 8})).is_err(),
            "the placeholder is 7"
        );
        let closed = pattern(r#"{"a": 1}"#).unwrap();
        assert!(learnt.compare(&closed, &json!({"a": 1, "b": 2})).is_err(), "no ... and another field");
        assert!(learnt.compare(&pattern("[1]").unwrap(), &json!([1, 2])).is_err());
    }

    #[test]
    fn a_failed_comparison_stores_no_placeholder_values() {
        let mut learnt = KnownPlaceholders::default();
        let pattern = pattern(r#"{"a": "<a>", "b": 1}"#).unwrap();
        assert!(learnt.compare(&pattern, &json!({"a": "x", "b": 2})).is_err());
        assert!(learnt.fill_text("<a>").is_err());
    }

    #[test]
    fn blocks_are_read_in_order() {
        let page = "text\n```http\nada> POST /x/<id>\n> {\"n\": 1}\n< 201\n< {...}\n```\n```sh\nls\n```\n```ws\nada> {\"t\": \"ping\"}\nada< {\"t\": \"pong\", ...}\n```\n";
        let blocks = read(page).unwrap();
        let [Block::Http(exchange), Block::Frames(frames)] = blocks.as_slice() else { panic!("{blocks:?}") };
        assert_eq!((exchange.line, exchange.who.as_deref(), exchange.status), (3, Some("ada"), 201));
        assert_eq!((exchange.request.as_str(), &exchange.body), ("POST /x/<id>", &Some(json!({"n": 1}))));
        assert_eq!(exchange.answer, Some(json!({"...": true})));
        assert_eq!(
            frames.iter().map(|line| (line.who.as_str(), line.sent)).collect::<Vec<_>>(),
            [("ada", true), ("ada", false)]
        );
        assert!(read("```http\nnonsense\n```\n").is_err());
    }
}
