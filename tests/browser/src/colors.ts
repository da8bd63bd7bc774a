/** A displayed color: each channel from 0 to 255, and its opacity from 0 to 1. */
export interface Rgba {
  readonly rgb: readonly [number, number, number];
  readonly alpha: number;
}

/**
 * Parses a color of `getComputedStyle`: `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)`, `color(srgb 0.1 0.2
 * 0.3 / 0.5)`.
 */
export function readColor(text: string): Rgba {
  const numbers = (text.match(/[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
  if (numbers.length < 3) throw new Error(`${text} is no color`);
  const scale = text.startsWith('color(srgb') ? 255 : 1;
  return { rgb: [red * scale, green * scale, blue * scale], alpha };
}

/** Returns a color blended over an opaque one. */
export function blend(top: Rgba, below: Rgba): Rgba {
  const blend = (index: 0 | 1 | 2): number => top.alpha * top.rgb[index] + (1 - top.alpha) * below.rgb[index];
  return { rgb: [blend(0), blend(1), blend(2)], alpha: 1 };
}

/** Returns the contrast of two opaque colors, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Rgba, other: Rgba): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Rgba): number {
  const [red, green, blue] = linear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the linear channels, without the gamma curve of the screen (IEC 61966-2-1). */
function linear({ rgb }: Rgba): [number, number, number] {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return [red ?? 0, green ?? 0, blue ?? 0];
}

/** The kinds of color vision: with all three kinds of cones, or without one of them. */
export type Vision = 'trichromat' | 'protanope' | 'deuteranope' | 'tritanope';

/**
 * The transformation of linear colors for each kind of vision: the matrices of Machado, Oliveira
 * and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
 * TVCG 15(6), 2009, at severity 1.0.
 */
const VISIONS: Record<Vision, readonly (readonly [number, number, number])[]> = {
  trichromat: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanope: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranope: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanope: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** All kinds of color vision. */
export const ALL_VISIONS = Object.keys(VISIONS) as Vision[];

/**
 * Returns the distance of two colors for a kind of vision, as 100 times the distance in OKLab
 * (Ottosson 2020). Black and white are 100 apart.
 */
export function distance(one: Rgba, other: Rgba, vision: Vision): number {
  const [a, b] = [oklab(asSeen(one, vision)), oklab(asSeen(other, vision))];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function asSeen(color: Rgba, vision: Vision): [number, number, number] {
  const channels = linear(color);
  const [red, green, blue] = VISIONS[vision].map((row) => {
    const sum = row.reduce((total, part, index) => total + part * (channels[index] ?? 0), 0);
    return Math.min(1, Math.max(0, sum));
  });
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function oklab([red, green, blue]: readonly [number, number, number]): [number, number, number] {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
