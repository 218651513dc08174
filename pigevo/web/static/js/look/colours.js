// Colours that the colour-blind tell apart: viridis for numbers, Okabe and Ito's for kinds.

const VIRIDIS = [
  [68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141],
  [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37],
];

export const SKY = "#9bd0f2";
export const WHITE = "#ffffff";
export const WON = "#d5d5d5";
export const ORANGE = "#e69f00";
export const PURPLE = "#a8347e";
export const INK = "#1b1b1b";
export const VERMILION = "#d55e00";

/** Viridis at a share from 0 to 1: red, green and blue from 0 to 255. */
export function viridis(share) {
  const place = Math.min(Math.max(share, 0), 1) * (VIRIDIS.length - 1);
  const low = Math.min(Math.floor(place), VIRIDIS.length - 2);
  return VIRIDIS[low].map((from, c) => Math.round(from + (VIRIDIS[low + 1][c] - from) * (place - low)));
}

/** The largest turn total of the colour scale, as in pigevo's figures. */
export const largestColour = (target) => Math.max(40, Math.floor(target / 2));
