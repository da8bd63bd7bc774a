/** The levels of the server's own engine. */
export const LEVELS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8];
