// A surface of flat cells with walls between them, as plain arrays: hold values are whole numbers, so the surface is not smooth.

import { viridis, largestColour } from "../canvas.js";

/** Positions, normals and colours of the triangles of a surface; x is the own score, y the height, z the opponent's. */
export function terraces(heights, target) {
  const mesh = { positions: [], normals: [], colours: [] };
  const scale = Array.from({ length: target + 1 }, (_, h) => linear(viridis(h / largestColour(target))));
  const at = (i, j) => (i < 0 || j < 0 || i >= target || j >= target ? 0 : heights[i * target + j]);
  for (let i = 0; i < target; i++) {
    for (let j = 0; j < target; j++) {
      const h = at(i, j);
      quad(mesh, [[i, h, j], [i, h, j + 1], [i + 1, h, j + 1], [i + 1, h, j]], [0, 1, 0], [h, h, h, h], scale);
      wall(mesh, h, at(i - 1, j), [[i, j], [i, j + 1]], [-1, 0, 0], scale);
      wall(mesh, h, at(i + 1, j), [[i + 1, j + 1], [i + 1, j]], [1, 0, 0], scale);
      wall(mesh, h, at(i, j - 1), [[i + 1, j], [i, j]], [0, 0, -1], scale);
      wall(mesh, h, at(i, j + 1), [[i, j + 1], [i + 1, j + 1]], [0, 0, 1], scale);
    }
  }
  return mesh;
}

/** The strip of the surface at one score of the opponent's, a little above it, as positions of triangles. */
export function strip(heights, target, j, lift) {
  const mesh = { positions: [], normals: [], colours: [] };
  for (let i = 0; i < target; i++) {
    const h = heights[i * target + j] + lift;
    const [from, to] = [j - 0.25, j + 1.25];
    quad(mesh, [[i, h, from], [i, h, to], [i + 1, h, to], [i + 1, h, from]], [0, 1, 0], [0, 0, 0, 0], [[0, 0, 0]]);
  }
  return mesh.positions;
}

function wall(mesh, high, low, [[x, z], [xx, zz]], normal, scale) {
  if (high <= low) return;
  quad(mesh, [[x, high, z], [x, low, z], [xx, low, zz], [xx, high, zz]], normal, [high, low, low, high], scale);
}

function quad(mesh, corners, normal, heights, scale) {
  for (const corner of [0, 1, 2, 0, 2, 3]) {
    mesh.positions.push(...corners[corner]);
    mesh.normals.push(...normal);
    mesh.colours.push(...scale[heights[corner]]);
  }
}

/** A colour in linear light, with which the library computes. */
const linear = (rgb) => rgb.map((part) => ((part / 255 + 0.055) / 1.055) ** 2.4);
