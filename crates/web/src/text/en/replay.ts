/** The page that replays a match. */
export const replay = {
  loading: 'Loading the match…',
  notFound: 'Match not found',
  notFoundHint: 'There is no match at this address, or it is private. One of its players can send you a link to it.',
  live: 'Watch it live',
  position: 'Position in the match',
  speed: 'Playback speed',
  exports: 'Share and save',
  analyse: 'Analyse from here',
  record: 'Record (JSON)',
  picture: 'Picture (PNG)',
  animation: 'Animation (GIF)',
};

/** Texts about the share link of a private match. */
export const share = {
  isPrivate: 'Only its players can see this match.',
  create: 'Share this match',
  hint: 'Anyone with this link can replay the match.',
  link: 'Link to this match',
  passOn: 'Share',
  shareText: 'Have a look at this match!',
  remove: 'Stop sharing',
  elsewhere: (moment: string) => `You have shared this match (${moment}). A new link replaces the old one.`,
  renew: 'New link',
  playersOnly: 'This match is private. One of its players can share a link to it.',
  afterEnd: 'This match is private. Its players can share a link to it once it has ended.',
  spent: 'This link no longer works',
  spentHint: 'The player who shared the match has withdrawn the link, or the link is incomplete.',
};
