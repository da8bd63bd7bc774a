import type { Variant } from '../../protocol/generated.ts';
import { text } from '../../text/index.ts';

/** Returns whether the system has a share sheet. */
export function hasShareSheet(): boolean {
  return typeof navigator.share === 'function';
}

/** Opens the system's share sheet with a link to a table or a match of this variant. */
export function openShareSheet(url: string, variant: Variant, message: string): Promise<void> {
  return navigator.share({ title: `Quadrex · ${text.variants[variant].name}`, text: message, url });
}

/**
 * Runs an action that may open the share sheet, and passes errors to `report`. If the user closes
 * the share sheet, the browser throws a `DOMException`, which is not an error.
 */
export async function reportFailures(action: () => Promise<void>, report: (error: unknown) => void): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof DOMException)) report(error);
  }
}
