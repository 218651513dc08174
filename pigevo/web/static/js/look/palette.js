// Colours of kinds that the colour-blind tell apart (Okabe & Ito), and the end of the scale of numbers.

export const WHITE = "#ffffff";
export const ORANGE = "#e69f00";
export const INK = "#1b1b1b";
export const VERMILION = "#d55e00";

/** The largest turn total of the colour scale, as in pigevo's figures. */
export const largestColour = (target) => Math.max(40, Math.floor(target / 2));
