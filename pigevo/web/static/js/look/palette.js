// Colours of kinds that the colour-blind tell apart (Okabe & Ito), and the end of the scale of numbers.

export const SKY = "#9bd0f2";
export const WHITE = "#ffffff";
export const WON = "#d5d5d5";
export const ORANGE = "#e69f00";
export const PURPLE = "#a8347e";
export const INK = "#1b1b1b";
export const VERMILION = "#d55e00";

/** The largest turn total of the colour scale, as in pigevo's figures. */
export const largestColour = (target) => Math.max(40, Math.floor(target / 2));
