import { effect } from '@preact/signals';
import type { ExploredPly } from '../../protocol/generated.ts';
import type { Persistence } from '../persistence.ts';
import type { Analysis } from './analysis.ts';
import type { AnalysisRoot } from './analysis-root.ts';
import type { LineTree, NodeId } from './line-tree.ts';

/** The part of an analysis that outlasts a reload of the page, in this tab alone. */
interface Kept {
  readonly version: typeof VERSION;
  /** The query of the address that it began from. */
  readonly address: string;
  readonly ground: AnalysisRoot;
  readonly tree: LineTree;
  readonly plies: Readonly<Record<NodeId, ExploredPly>>;
  readonly at: NodeId;
}

const KEY = 'quadrex.analysis';
/** Drops the data of a client with another format, such as one that named the fields of a ply differently. */
const VERSION = 2;

/** Keeps an analysis from now on, until the returned function is called. */
export function persistAnalysis(analysis: Analysis, address: () => string, persistence: Persistence): () => void {
  return effect(() => {
    const ground = analysis.ground.value;
    if (ground === null) return;
    const kept: Kept = {
      version: VERSION,
      address: address(),
      ground,
      tree: analysis.tree.value,
      plies: analysis.plies.value,
      at: analysis.at.value,
    };
    persistence.set(KEY, JSON.stringify(kept));
  });
}

/** Takes an analysis up again where it was left. An address that names something else wins. Says whether there was one. */
export function restoreAnalysis(analysis: Analysis, address: string, persistence: Persistence): boolean {
  const kept = read(persistence);
  if (kept === null || (address !== '' && address !== kept.address)) return false;
  analysis.takeUp(kept.ground, kept.tree, kept.plies, kept.at);
  return true;
}

function read(persistence: Persistence): Kept | null {
  try {
    const kept = JSON.parse(persistence.get(KEY) ?? 'null') as Kept | null;
    return kept?.version === VERSION && kept.tree.nodes[kept.at] !== undefined ? kept : null;
  } catch {
    return null;
  }
}
