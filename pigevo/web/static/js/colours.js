// Colours of numbers: viridis, as in pigevo's figures; it is even in grey and for the colour-blind.
const STOPS = ["440154", "482878", "3e4a89", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"].map((hex) =>
  [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));

/** The colour `[r, g, b]` of a share from 0 to 1. */
export function viridis(share) {
  const along = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const below = Math.min(STOPS.length - 2, Math.floor(along));
  return STOPS[below].map((from, n) => Math.round(from + (along - below) * (STOPS[below + 1][n] - from)));
}
