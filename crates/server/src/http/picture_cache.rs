//! A cache of drawn pictures.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use tokio::sync::OnceCell;

/// A cache of pictures with a limit in bytes. The least recently used pictures are evicted. While a
/// picture is being drawn, further requests for the same picture wait for it.
#[derive(Debug)]
pub(crate) struct PictureCache {
    max_bytes: usize,
    pictures: Mutex<Pictures>,
}

#[derive(Debug, Default)]
struct Pictures {
    drawn: HashMap<String, (Bytes, u64)>,
    bytes: usize,
    uses: u64,
    /// The pictures that are being drawn. An entry is removed when no request waits for its picture
    /// any more.
    in_progress: HashMap<String, Drawing>,
}

/// A picture that is being drawn.
type Drawing = Arc<OnceCell<Bytes>>;

impl PictureCache {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { max_bytes, pictures: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Pictures> {
        self.pictures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the picture of this name from the cache, or draws it by `draw`. Requests for the
    /// same picture that arrive while it is drawn share the result. If the request that draws the
    /// picture is dropped, another of these requests draws it.
    ///
    /// # Errors
    /// Returns the error of `draw`. An error is not cached.
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
        self.insert(drawing.name.clone(), drawn.clone());
        Ok(drawn)
    }

    fn get(&self, name: &str) -> Option<Bytes> {
        let mut pictures = self.lock();
        pictures.uses += 1;
        let uses = pictures.uses;
        let (picture, last) = pictures.drawn.get_mut(name)?;
        *last = uses;
        Some(picture.clone())
    }

    fn insert(&self, name: String, picture: Bytes) {
        let size = name.len() + picture.len();
        if size > self.max_bytes / 4 {
            return;
        }
        let mut pictures = self.lock();
        pictures.uses += 1;
        let uses = pictures.uses;
        pictures.bytes += size;
        if let Some((old, _)) = pictures.drawn.insert(name.clone(), (picture, uses)) {
            pictures.bytes -= name.len() + old.len();
        }
        while pictures.bytes > self.max_bytes {
            let oldest = pictures.drawn.iter().min_by_key(|(_, (_, last))| *last);
            let Some(oldest) = oldest.map(|(name, _)| name.clone()) else { break };
            if let Some((gone, _)) = pictures.drawn.remove(&oldest) {
                pictures.bytes -= oldest.len() + gone.len();
            }
        }
    }
}

/// A request that waits for a picture that is being drawn.
struct Waiting<'a> {
    cache: &'a PictureCache,
    name: String,
    cell: Drawing,
}

impl<'a> Waiting<'a> {
    fn for_picture(cache: &'a PictureCache, name: String) -> Self {
        let cell = cache.lock().in_progress.entry(name.clone()).or_default().clone();
        Self { cache, name, cell }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut pictures = self.cache.lock();
        // The two references are those of the map and of this request, so no other request waits.
        if pictures.in_progress.get(&self.name).is_some_and(|cell| Arc::strong_count(cell) <= 2) {
            pictures.in_progress.remove(&self.name);
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
    fn the_least_recently_used_pictures_are_evicted() {
        let cache = PictureCache::new(4_004);
        let picture = |size| Bytes::from(vec![0; size]);
        for name in ["a", "b", "c", "d"] {
            cache.insert(name.to_owned(), picture(1_000));
        }
        assert!(cache.get("a").is_some());
        cache.insert("e".to_owned(), picture(1_000));
        let kept: Vec<&str> =
            ["a", "b", "c", "d", "e"].into_iter().filter(|name| cache.get(name).is_some()).collect();
        assert_eq!(kept, ["a", "c", "d", "e"]);
        cache.insert("huge".to_owned(), picture(4_000));
        assert!(cache.get("huge").is_none() && cache.get("a").is_some());
        cache.insert("a".to_owned(), picture(10));
        assert_eq!(cache.get("a").map(|kept| kept.len()), Some(10));
    }

    #[tokio::test]
    async fn concurrent_requests_share_one_drawing() {
        let (cache, may_draw, drawings) = (PictureCache::new(4_000), Notify::new(), Cell::new(0));
        let ask = || {
            cache.get_or_draw("film".to_owned(), async {
                drawings.set(drawings.get() + 1);
                may_draw.notified().await;
                Ok::<_, Infallible>(Bytes::from_static(b"film"))
            })
        };
        let mut uses: Vec<_> = (0..3).map(|_| Box::pin(ask())).collect();
        for waiting in &mut uses {
            assert!(waiting.as_mut().now_or_never().is_none());
        }
        assert_eq!(drawings.get(), 1);
        // The request that draws is dropped. The next waiting request draws instead, even if no
        // other request comes.
        drop(uses.remove(0));
        assert!(uses[0].as_mut().now_or_never().is_none());
        assert_eq!(drawings.get(), 2);
        may_draw.notify_one();
        for waiting in uses {
            assert_eq!(waiting.await.as_deref(), Ok(b"film".as_slice()));
        }
        assert_eq!(ask().await.as_deref(), Ok(b"film".as_slice()));
        assert_eq!(drawings.get(), 2);
        assert!(cache.lock().in_progress.is_empty());
    }

    #[tokio::test]
    async fn a_failed_drawing_is_not_cached() {
        let cache = PictureCache::new(4_000);
        assert_eq!(cache.get_or_draw("film".to_owned(), async { Err("busy") }).await, Err("busy"));
        let drawn =
            cache.get_or_draw("film".to_owned(), async { Ok::<_, &str>(Bytes::from_static(b"film")) }).await;
        assert_eq!(drawn.as_deref(), Ok(b"film".as_slice()));
    }
}
