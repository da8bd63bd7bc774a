import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['src/program.ts'],
    // A whole match with five browsers on two cores.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // Each file has a server and a browser of its own; more at once only makes all of them slow.
    fileParallelism: false,
  },
});
