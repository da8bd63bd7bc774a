//! Pictures that were drawn and will be asked for again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;

/// Keeps pictures that never change, up to so many bytes: those asked for longest ago go first.
#[derive(Debug)]
pub(super) struct PictureCache {
    most_bytes: usize,
    shelf: Mutex<Shelf>,
}

#[derive(Debug, Default)]
struct Shelf {
    pictures: HashMap<String, (Bytes, u64)>,
    bytes: usize,
    asked: u64,
}

impl PictureCache {
    pub(super) fn new(most_bytes: usize) -> Self {
        Self { most_bytes, shelf: Mutex::default() }
    }

    pub(super) fn get(&self, name: &str) -> Option<Bytes> {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.asked += 1;
        let asked = shelf.asked;
        let (picture, last) = shelf.pictures.get_mut(name)?;
        *last = asked;
        Some(picture.clone())
    }

    pub(super) fn keep(&self, name: String, picture: Bytes) {
        let size = name.len() + picture.len();
        if size > self.most_bytes / 4 {
            return;
        }
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.asked += 1;
        let asked = shelf.asked;
        shelf.bytes += size;
        if let Some((old, _)) = shelf.pictures.insert(name.clone(), (picture, asked)) {
            shelf.bytes -= name.len() + old.len();
        }
        while shelf.bytes > self.most_bytes {
            let oldest = shelf.pictures.iter().min_by_key(|(_, (_, last))| *last);
            let Some(oldest) = oldest.map(|(name, _)| name.clone()) else { break };
            if let Some((gone, _)) = shelf.pictures.remove(&oldest) {
                shelf.bytes -= oldest.len() + gone.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_longest_ago_makes_room() {
        let cache = PictureCache::new(4_004);
        let picture = |size| Bytes::from(vec![0; size]);
        for name in ["a", "b", "c", "d"] {
            cache.keep(name.to_owned(), picture(1_000));
        }
        assert!(cache.get("a").is_some());
        cache.keep("e".to_owned(), picture(1_000));
        let kept: Vec<&str> =
            ["a", "b", "c", "d", "e"].into_iter().filter(|name| cache.get(name).is_some()).collect();
        assert_eq!(kept, ["a", "c", "d", "e"]);
        cache.keep("huge".to_owned(), picture(4_000));
        assert!(cache.get("huge").is_none() && cache.get("a").is_some());
        cache.keep("a".to_owned(), picture(10));
        assert_eq!(cache.get("a").map(|kept| kept.len()), Some(10));
    }
}
