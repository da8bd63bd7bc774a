import { effect } from '@preact/signals';
import type { ExploredPly } from '../../protocol/generated.ts';
import type { Persistence } from '../persistence.ts';
import type { Analysis } from './analysis.ts';
import type { AnalysisRoot } from './analysis-root.ts';
import type { LineTree, NodeId } from './line-tree.ts';

/** An analysis in the storage of this tab, from which it is restored after a reload of the page. */
interface StoredAnalysis {
  readonly version: typeof VERSION;
  /** The query of the address that the analysis began with. */
  readonly address: string;
  readonly root: AnalysisRoot;
  readonly tree: LineTree;
  readonly plies: Readonly<Record<NodeId, ExploredPly>>;
  readonly currentNode: NodeId;
}

const STORAGE_KEY = 'quadrex.analysis';
/** The version of the stored format. Data of other versions is dropped. */
const VERSION = 3;

/** Stores an analysis after each change, until the returned function is called. */
export function persistAnalysis(analysis: Analysis, address: () => string, persistence: Persistence): () => void {
  return effect(() => {
    const root = analysis.root.value;
    if (root === null) return;
    const stored: StoredAnalysis = {
      version: VERSION,
      address: address(),
      root,
      tree: analysis.tree.value,
      plies: analysis.plies.value,
      currentNode: analysis.currentNode.value,
    };
    persistence.set(STORAGE_KEY, JSON.stringify(stored));
  });
}

/**
 * Restores the stored analysis and returns whether there was one. If the address has a query that
 * differs from the stored one, nothing is restored.
 */
export function restoreAnalysis(analysis: Analysis, address: string, persistence: Persistence): boolean {
  const stored = readStored(persistence);
  if (stored === null || (address !== '' && address !== stored.address)) return false;
  analysis.restore(stored.root, stored.tree, stored.plies, stored.currentNode);
  return true;
}

function readStored(persistence: Persistence): StoredAnalysis | null {
  try {
    const stored = JSON.parse(persistence.get(STORAGE_KEY) ?? 'null') as StoredAnalysis | null;
    return stored?.version === VERSION && stored.tree.nodes[stored.currentNode] !== undefined ? stored : null;
  } catch {
    return null;
  }
}
