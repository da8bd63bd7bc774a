/** The distances that lines of a scale may have. */
const STEPS: readonly number[] = [25, 50, 100, 200, 250, 500, 1_000];

/** The largest number of distances between the lines of a scale. */
const MAX_DISTANCES = 4;

/** The vertical scale of a chart of ratings: its lines, from the top to the bottom. */
export type RatingScale = readonly number[];

/**
 * Returns the scale with the finest lines that contains all ratings. It has two lines at least.
 */
export function ratingScale(ratings: readonly number[]): RatingScale {
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const step = STEPS.find((one) => Math.ceil(high / one) - Math.floor(low / one) <= MAX_DISTANCES) ?? high - low;
  const bottom = Math.floor(low / step) * step;
  const distances = Math.max(1, Math.ceil((high - bottom) / step));
  return Array.from({ length: distances + 1 }, (_, index) => bottom + (distances - index) * step);
}

/** Returns the distance of a rating from the top of a scale, as a share of the scale's height. */
export function shareFromTop(scale: RatingScale, rating: number): number {
  const [top, bottom] = [scale[0] ?? 0, scale.at(-1) ?? 0];
  return (top - rating) / (top - bottom);
}
