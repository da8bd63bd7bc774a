import { defineConfig, mergeConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** The configuration of the benchmarks (`npm run bench`). Slowness is not an error, and they run one at a time. */
export default mergeConfig({ ...usual, test: { ...usual.test, include: [] } }, defineConfig({ test: { include: ['bench/**/*.bench.ts'], fileParallelism: false } }));
