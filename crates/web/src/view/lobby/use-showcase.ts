import { useEffect, useRef, useState } from 'preact/hooks';
import type { MatchSummary, TableId, TableSummary } from '../../protocol/generated.ts';
import type { Api } from '../../store/api.ts';
import { stateOfMatch } from '../../store/match-view.ts';
import type { TableState } from '../../store/table.ts';
import { playerCount } from '../../store/variants.ts';
import { useClient } from '../context.ts';

/** The number of recent matches from which one is chosen. */
const MAX_RECENT = 20;
/** The least number of moves of a match that is worth a replay. */
const MIN_PLIES = 24;

/** The match on the first page: a running match, or the record of a match. */
export type Showcase =
  | { readonly kind: 'live'; readonly summary: TableSummary }
  | { readonly kind: 'recent' | 'demo'; readonly state: TableState };

/**
 * Returns the match to show. It is the running match of four players with the most spectators,
 * until it ends. If there is none, it is a recent match, or else a recorded match of bots.
 * `running` is `null` until the lobby is known.
 */
export function useShowcase(running: readonly TableSummary[] | null): Showcase | null {
  const { api } = useClient();
  const [record, setRecord] = useState<Showcase | null>(null);
  const shown = useRef<TableId | null>(null);
  const summary = chooseTable(running ?? [], shown.current);
  shown.current = summary?.table ?? null;
  const needsRecord = running !== null && summary === null && record === null;
  useEffect(() => {
    if (!needsRecord) return undefined;
    let isCurrent = true;
    loadRecord(api).then(
      (loaded) => (isCurrent ? setRecord(loaded) : undefined),
      // The server cannot be reached: the page has no board.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [api, needsRecord]);
  return summary === null ? record : { kind: 'live', summary };
}

/**
 * Returns the table to show. A table that is shown already stays while its match runs, so that the
 * board does not change suddenly.
 */
function chooseTable(running: readonly TableSummary[], shown: TableId | null): TableSummary | null {
  const candidates = running
    .filter(({ settings }) => playerCount(settings.variant) > 2)
    .toSorted((a, b) => b.spectators - a.spectators || b.plies - a.plies);
  return candidates.find(({ table }) => table === shown) ?? candidates[0] ?? null;
}

async function loadRecord(api: Api): Promise<Showcase> {
  try {
    const { matches } = await api.matches({ limit: MAX_RECENT });
    const recent = matches.find(isWorthReplay);
    if (recent !== undefined) return { kind: 'recent', state: stateOfMatch(await api.match(recent.match), performance.now()) };
  } catch {
    // If the archive cannot be read, the recorded match is shown.
  }
  const { demoMatch } = await import('../../store/demo-match.ts');
  return { kind: 'demo', state: stateOfMatch(demoMatch(), performance.now()) };
}

function isWorthReplay({ variant, plies, outcome }: MatchSummary): boolean {
  return playerCount(variant) > 2 && outcome !== undefined && plies >= MIN_PLIES;
}
