import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * The name of the service worker's entry and, with `.js`, of its file. Its address must never
 * change.
 */
export const WORKER = 'sw';

/** Adds the list of the client's files and its version to the service worker. */
export function shell(publicFolder: string): Plugin {
  return {
    name: 'quadrex-shell',
    enforce: 'post',
    generateBundle(_, bundle) {
      const worker = bundle[`${WORKER}.js`];
      if (worker?.type !== 'chunk') throw new Error('the service worker is a chunk of its own');
      if (worker.imports.length > 0) throw new Error('a service worker that is no module imports nothing');
      const made = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
      const files = [...made, ...readdirSync(publicFolder)].map((name) => `/${name}`).toSorted();
      const contents = Object.values(bundle).map((file) => (file.type === 'chunk' ? file.code : file.source));
      const hash = createHash('sha256').update(files.join('\n'));
      for (const content of contents) hash.update(content);
      const version = hash.digest('hex').slice(0, 12);
      worker.code = `const SHELL_FILES=${JSON.stringify(files)},SHELL_VERSION=${JSON.stringify(version)};${worker.code}`;
    },
  };
}
