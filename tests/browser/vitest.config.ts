import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['src/program.ts'],
    // A whole match with five browsers on two cores takes long.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // As long as the browser waits for an element. A loaded machine may need seconds for a frame.
    expect: { poll: { timeout: 30_000 } },
    // Each file starts a server and a browser; more files at once would slow all of them down.
    fileParallelism: false,
  },
});
