//! Pictures that were drawn and will be asked for again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use tokio::sync::OnceCell;

/// Keeps pictures, up to so many bytes: those asked for longest ago go first. Whoever asks for a picture that is being drawn
/// waits for that one.
#[derive(Debug)]
pub(crate) struct PictureCache {
    most_bytes: usize,
    pictures: Mutex<Pictures>,
}

#[derive(Debug, Default)]
struct Pictures {
    drawn: HashMap<String, (Bytes, u64)>,
    bytes: usize,
    asked: u64,
    /// Those being drawn; forgotten with the last who waits.
    under_way: HashMap<String, Drawing>,
}

/// A picture that is being drawn.
type Drawing = Arc<OnceCell<Bytes>>;

impl PictureCache {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self { most_bytes, pictures: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Pictures> {
        self.pictures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The picture of this name: as it was drawn before, or else drawn by this future, once for all who ask meanwhile. If
    /// whoever draws gives up, the next who waits draws.
    ///
    /// # Errors
    /// That of the drawing, which is not kept.
    pub(crate) async fn get_or_draw<E>(
        &self,
        name: String,
        draw: impl Future<Output = Result<Bytes, E>>,
    ) -> Result<Bytes, E> {
        if let Some(known) = self.get(&name) {
            return Ok(known);
        }
        let drawing = Waiting::for_picture(self, name);
        let drawn = drawing.cell.get_or_try_init(|| draw).await?.clone();
        self.keep(drawing.name.clone(), drawn.clone());
        Ok(drawn)
    }

    fn get(&self, name: &str) -> Option<Bytes> {
        let mut pictures = self.lock();
        pictures.asked += 1;
        let asked = pictures.asked;
        let (picture, last) = pictures.drawn.get_mut(name)?;
        *last = asked;
        Some(picture.clone())
    }

    fn keep(&self, name: String, picture: Bytes) {
        let size = name.len() + picture.len();
        if size > self.most_bytes / 4 {
            return;
        }
        let mut pictures = self.lock();
        pictures.asked += 1;
        let asked = pictures.asked;
        pictures.bytes += size;
        if let Some((old, _)) = pictures.drawn.insert(name.clone(), (picture, asked)) {
            pictures.bytes -= name.len() + old.len();
        }
        while pictures.bytes > self.most_bytes {
            let oldest = pictures.drawn.iter().min_by_key(|(_, (_, last))| *last);
            let Some(oldest) = oldest.map(|(name, _)| name.clone()) else { break };
            if let Some((gone, _)) = pictures.drawn.remove(&oldest) {
                pictures.bytes -= oldest.len() + gone.len();
            }
        }
    }
}

/// One who waits for a picture that is being drawn.
struct Waiting<'a> {
    cache: &'a PictureCache,
    name: String,
    cell: Drawing,
}

impl<'a> Waiting<'a> {
    fn for_picture(cache: &'a PictureCache, name: String) -> Self {
        let cell = cache.lock().under_way.entry(name.clone()).or_default().clone();
        Self { cache, name, cell }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut pictures = self.cache.lock();
        // The map's own and this one.
        if pictures.under_way.get(&self.name).is_some_and(|cell| Arc::strong_count(cell) <= 2) {
            pictures.under_way.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use futures_util::FutureExt;
    use tokio::sync::Notify;

    use super::*;

    #[test]
    fn pictures_asked_for_longest_ago_make_room() {
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

    #[tokio::test]
    async fn a_picture_is_drawn_once_for_all_who_ask_meanwhile() {
        let (cache, may_draw, drawings) = (PictureCache::new(4_000), Notify::new(), Cell::new(0));
        let ask = || {
            cache.get_or_draw("film".to_owned(), async {
                drawings.set(drawings.get() + 1);
                may_draw.notified().await;
                Ok::<_, Infallible>(Bytes::from_static(b"film"))
            })
        };
        let mut asked: Vec<_> = (0..3).map(|_| Box::pin(ask())).collect();
        for waiting in &mut asked {
            assert!(waiting.as_mut().now_or_never().is_none());
        }
        assert_eq!(drawings.get(), 1);
        // The one who draws goes away: the next who waits draws, also when nobody else comes.
        drop(asked.remove(0));
        assert!(asked[0].as_mut().now_or_never().is_none());
        assert_eq!(drawings.get(), 2);
        may_draw.notify_one();
        for waiting in asked {
            assert_eq!(waiting.await.as_deref(), Ok(b"film".as_slice()));
        }
        assert_eq!(ask().await.as_deref(), Ok(b"film".as_slice()));
        assert_eq!(drawings.get(), 2);
        assert!(cache.lock().under_way.is_empty());
    }

    #[tokio::test]
    async fn a_drawing_that_fails_is_not_kept() {
        let cache = PictureCache::new(4_000);
        assert_eq!(cache.get_or_draw("film".to_owned(), async { Err("busy") }).await, Err("busy"));
        let drawn =
            cache.get_or_draw("film".to_owned(), async { Ok::<_, &str>(Bytes::from_static(b"film")) }).await;
        assert_eq!(drawn.as_deref(), Ok(b"film".as_slice()));
    }
}
