/** A match that is replayed. */
export const replay = {
  loading: 'Fetching the match…',
  missing: 'There is no such match',
  live: 'Watch it live',
  place: 'Place in the match',
  pace: 'How fast the moves play',
  exports: 'Share and save',
  analyse: 'Analyse from here',
  record: 'Record (JSON)',
  picture: 'Picture (PNG)',
  film: 'Animation (GIF)',
};
