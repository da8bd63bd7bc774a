import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The flags with which the tests start Chromium, in addition to those of Playwright. */
    chromiumFlags: readonly string[];
  }
}

/** The path of Chromium. */
export const CHROMIUM_PATH = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/**
 * Flags for a browser without a screen and without background requests. As root, Chromium only
 * starts without its sandbox.
 */
const FLAGS = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Features that load pages for the address bar of each window, which nobody sees. They took a third of the time of the tests. */
const UNUSED_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** The flag that disables features. Chromium uses only the last one. */
const DISABLE_FEATURES = '--disable-features=';

/** Provides the flags before all tests. */
export default async function setup(project: TestProject): Promise<void> {
  const server = await chromium.launchServer({ executablePath: CHROMIUM_PATH, args: FLAGS });
  const disabled = server.process().spawnargs.find((flag) => flag.startsWith(DISABLE_FEATURES));
  await server.close();
  if (disabled === undefined) throw new Error(`Playwright starts Chromium without ${DISABLE_FEATURES}`);
  project.provide('chromiumFlags', [...FLAGS, [disabled, ...UNUSED_FEATURES].join(',')]);
}
