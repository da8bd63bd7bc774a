//! The names of a browser and of its operating system, as the header `User-Agent` tells them.

use axum::http::{HeaderMap, header};

/// Marks of browsers with their names. The marks of browsers that also call themselves by the names
/// of others come first.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Marks of operating systems with their names. Android calls itself Linux, and iOS says `like Mac OS X`.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
];

/// Returns the browser and the operating system of a request, such as `Firefox, Linux`. Returns
/// `None` if the header names none that is known.
pub(crate) fn client_name(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(header::USER_AGENT)?.to_str().ok()?;
    let first = |marks: &[(&str, &'static str)]| {
        marks.iter().find(|(mark, _)| text.contains(mark)).map(|(_, name)| *name)
    };
    let names: Vec<_> = [first(&BROWSERS), first(&SYSTEMS)].into_iter().flatten().collect();
    (!names.is_empty()).then(|| names.join(", "))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn name(text: &'static str) -> Option<String> {
        client_name(&HeaderMap::from_iter([(header::USER_AGENT, HeaderValue::from_static(text))]))
    }

    #[test]
    fn browsers_and_systems_have_names() {
        let expected = [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox, Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
                "Edge, Windows",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/131.0.0.0 Mobile Safari/537.36",
                "Chrome, Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
                "Safari, iPhone",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
                "Safari, macOS",
            ),
        ];
        for (text, client) in expected {
            assert_eq!(name(text).as_deref(), Some(client), "{text}");
        }
    }

    #[test]
    fn an_unknown_client_has_no_name() {
        assert_eq!(name("curl/8.5.0"), None);
        assert_eq!(client_name(&HeaderMap::new()), None);
    }
}
