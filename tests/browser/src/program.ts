import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of the repository. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The environment variable with the path of the tested program. `cargo xtask test` sets it to a
 * build with fault hooks.
 */
const VARIABLE = 'QUADREX_BIN';

/** Returns the path of the tested program. */
export function programPath(): string {
  const path = process.env[VARIABLE];
  if (path === undefined) throw new Error(`${VARIABLE} is set before the tests begin`);
  return path;
}

/** Builds the programs before all tests unless the path of the tested one is given. */
export default function setup(): void {
  if (process.env[VARIABLE] !== undefined) return;
  const build = ['build', '--quiet', '--workspace', '--bins', '--features', 'quadrex/faults'];
  if (spawnSync('cargo', build, { cwd: ROOT, stdio: 'inherit' }).status !== 0) throw new Error('the programs do not build');
  process.env[VARIABLE] = join(ROOT, 'target/debug/quadrex');
}
