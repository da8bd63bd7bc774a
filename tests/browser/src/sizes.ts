/** The sizes of the windows in which pages are checked. */
export const SIZES = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, desk: { width: 1440, height: 900 } } as const;

export type Size = keyof typeof SIZES;

/**
 * The languages in which a test goes through its pages, each with the window in which it acts. Each
 * window is used once, because acting takes most of the time. The pages are checked in all windows.
 */
export const LANGUAGES_WITH_SIZES = [
  ['en', 'desk'],
  ['de', 'phone'],
  ['es', 'tablet'],
] as const satisfies readonly (readonly [string, Size])[];
