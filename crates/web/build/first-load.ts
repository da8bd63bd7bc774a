import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * The largest allowed size of the first page: the scripts and styles that it needs before it is
 * displayed, in gzipped bytes.
 */
const MAX_BYTES = 150_000;

/** Prints the size of the first page, and fails the build if it is too large. */
export function firstLoad(): Plugin {
  return {
    name: 'quadrex-first-load',
    enforce: 'post',
    generateBundle(_, bundle) {
      const bytes = [...needed(bundle)].reduce((sum, name) => sum + weight(bundle[name]), 0);
      const report = `first load: ${(bytes / 1_000).toFixed(1)} kB gzipped of ${MAX_BYTES / 1_000} kB`;
      if (bytes > MAX_BYTES) throw new Error(report);
      console.warn(report);
    },
  };
}

/** Returns the entry, all its static imports, and their styles. */
function needed(bundle: Rolldown.OutputBundle): ReadonlySet<string> {
  const names = new Set<string>();
  const take = (name: string): void => {
    const file = bundle[name];
    if (names.has(name) || file?.type !== 'chunk') return;
    names.add(name);
    for (const style of file.viteMetadata?.importedCss ?? []) names.add(style);
    for (const imported of file.imports) take(imported);
  };
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry && file.name === 'index');
  if (entry === undefined) throw new Error('the page has an entry');
  take(entry.fileName);
  return names;
}

function weight(file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined): number {
  if (file === undefined) return 0;
  return gzipSync(file.type === 'chunk' ? file.code : file.source).length;
}
