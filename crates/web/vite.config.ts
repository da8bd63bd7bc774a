import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { firstLoad } from './build/first-load.ts';
import { licences } from './build/licences.ts';
import { shell, WORKER } from './build/shell.ts';

/** Default address of `quadrex serve`. */
const SERVER = 'http://127.0.0.1:8080';

const page = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  plugins: [licences(), firstLoad(), shell(page('public'))],
  build: {
    target: 'es2022',
    // The first versions of browsers that support light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A strict content security policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: page('index.html'), licences: page('licences.html'), [WORKER]: page('src/offline/worker.ts') },
      output: { entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'assets/[name]-[hash].js') },
    },
  },
  server: {
    // The server compares Origin with its own address, so the proxy sends the server's address as Origin.
    proxy: {
      '/api': { target: SERVER, changeOrigin: true, headers: { origin: SERVER } },
      '/ws': { target: SERVER, changeOrigin: true, ws: true, rewriteWsOrigin: true },
    },
  },
  test: {
    environment: 'happy-dom',
    include: ['test/**/*.test.{ts,tsx}'],
    // By default, Vitest leaves one core idle.
    maxWorkers: '100%',
  },
});
