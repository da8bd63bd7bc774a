/** A match that is replayed. */
export const replay = {
  loading: 'Loading the match…',
  missing: 'Match not found',
  live: 'Watch it live',
  place: 'Position in the match',
  pace: 'Playback speed',
  exports: 'Share and save',
  analyse: 'Analyse from here',
  record: 'Record (JSON)',
  picture: 'Picture (PNG)',
  film: 'Animation (GIF)',
};
