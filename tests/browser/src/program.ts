import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Names the program under test, built with the fault hooks; `cargo xtask test` sets it. */
const VARIABLE = 'QUADREX_BIN';

/** The program under test. */
export function program(): string {
  const path = process.env[VARIABLE];
  if (path === undefined) throw new Error(`${VARIABLE} is set before the tests begin`);
  return path;
}

/** Runs once before all tests: builds the program unless it is given. */
export default function setup(): void {
  if (process.env[VARIABLE] !== undefined) return;
  const build = ['build', '--quiet', '--package', 'quadrex', '--features', 'faults'];
  if (spawnSync('cargo', build, { cwd: ROOT, stdio: 'inherit' }).status !== 0) throw new Error('quadrex does not build');
  process.env[VARIABLE] = join(ROOT, 'target/debug/quadrex');
}
