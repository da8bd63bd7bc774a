/** A match that is replayed. */
export const replay = {
  loading: 'Loading the match…',
  notFound: 'Match not found',
  live: 'Watch it live',
  position: 'Position in the match',
  speed: 'Playback speed',
  exports: 'Share and save',
  analyse: 'Analyse from here',
  record: 'Record (JSON)',
  picture: 'Picture (PNG)',
  animation: 'Animation (GIF)',
};
