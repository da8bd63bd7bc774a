//! Conversion between bytes and hexadecimal text in lower case.

/// Returns the hexadecimal text of `bytes`.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).expect("four bits are one digit");
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]).collect()
}

/// Parses `N` bytes. Returns `None` unless the text consists of `2 * N` digits in lower case.
#[must_use]
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    if text.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = digit(digits[0])? << 4 | digit(digits[1])?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_round_trips_and_invalid_text_is_refused() {
        let bytes: [u8; 32] = std::array::from_fn(|index| u8::try_from(index * 8).unwrap());
        let text = encode(&bytes);
        assert!(text.starts_with("0008101820"), "{text}");
        assert_eq!(decode(&text), Some(bytes));
        for wrong in ["", "0", &text[1..], &text.to_uppercase(), &format!("+{}", &text[1..]), &"é".repeat(32)]
        {
            assert_eq!(decode::<32>(wrong), None, "{wrong:?}");
        }
    }
}
