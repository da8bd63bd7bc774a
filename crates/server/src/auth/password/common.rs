//! The passwords that attackers try first.

/// Common passwords of at least eight characters, in lower case.
const WORDS: [&str; 72] = [
    "password",
    "passw0rd",
    "p@ssword",
    "p@ssw0rd",
    "password1",
    "password12",
    "password123",
    "passwort",
    "passwort1",
    "contraseña",
    "contrasena",
    "contraseña1",
    "motdepasse",
    "qwertyui",
    "qwertyuiop",
    "qwerty12",
    "qwerty123",
    "qwertz123",
    "qwertzuiop",
    "asdfghjk",
    "asdfghjkl",
    "asdf1234",
    "zxcvbnm1",
    "qazwsxedc",
    "1qaz2wsx",
    "zaq12wsx",
    "1q2w3e4r",
    "1q2w3e4r5t",
    "q1w2e3r4",
    "abcdefgh",
    "abcd1234",
    "abc12345",
    "abc123456",
    "a1234567",
    "a12345678",
    "a123456789",
    "123456789a",
    "12341234",
    "12345678a",
    "123123123",
    "147258369",
    "987654321",
    "87654321",
    "iloveyou",
    "iloveyou1",
    "ichliebedich",
    "teamomucho",
    "tequieromucho",
    "sunshine",
    "princess",
    "football",
    "football1",
    "baseball",
    "superman",
    "spiderman",
    "starwars",
    "trustno1",
    "welcome1",
    "letmein1",
    "admin123",
    "administrator",
    "changeme",
    "whatever",
    "computer",
    "internet",
    "chocolate",
    "butterfly",
    "liverpool",
    "dragon123",
    "hallo123",
    "hallo1234",
    "schatz123",
];

/// Returns whether a password is common, one repeated character, or a row of digits.
pub(super) fn contains(password: &str) -> bool {
    let lower_case = password.to_lowercase();
    WORDS.contains(&lower_case.as_str()) || is_repeated(password) || is_row(password)
}

fn is_repeated(password: &str) -> bool {
    let mut characters = password.chars();
    let first = characters.next();
    characters.all(|character| Some(character) == first)
}

/// Returns whether the digits of a password count up, as in `34567890`.
fn is_row(password: &str) -> bool {
    let digits: Option<Vec<u32>> = password.chars().map(|character| character.to_digit(10)).collect();
    digits.is_some_and(|digits| digits.windows(2).all(|pair| pair[1] == (pair[0] + 1) % 10))
}
