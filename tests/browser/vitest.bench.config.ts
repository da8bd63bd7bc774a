import { defineConfig, mergeConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** Configuration of the measurements (`npm run bench`). No speed is an error. */
export default mergeConfig({ ...usual, test: { ...usual.test, include: [] } }, defineConfig({ test: { include: ['bench/**/*.bench.ts'] } }));
