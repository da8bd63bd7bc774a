import { defineConfig, mergeConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** Measurements: `npm run bench`. How fast anything was is no error. */
export default mergeConfig({ ...usual, test: { ...usual.test, include: [] } }, defineConfig({ test: { include: ['bench/**/*.bench.ts'] } }));
