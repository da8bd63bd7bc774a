import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['src/program.ts', 'src/chromium.ts'],
    // A whole match with five browsers on two cores takes long.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // As long as the browser waits for an element. A loaded machine may need seconds for a frame.
    expect: { poll: { timeout: 30_000 } },
    // Each file has a server and a browser, which together use one core on average.
    maxWorkers: '100%',
  },
});
