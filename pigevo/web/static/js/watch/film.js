// Films of runs: champions by generation, with the figures of the run; see films.py for how they are packed.
import { fetched } from "../shared.js";

const read = async (name) => (await fetched(`films/${name}`)).json();

/** `[{file, title}]`. */
export const listFilms = () => read("index.json");

/** A film: its record, with `planes[n] = {holds, shades}` of the optimum (0) and of frame n - 1. */
export async function openFilm(file) {
  const record = await read(file);
  const bytes = await inflated(record.maps);
  const size = record.target ** 2;
  const planes = [];
  for (let begin = 0; begin < bytes.length; begin += 2 * size) {
    if (begin) for (let n = begin; n < begin + 2 * size; n++) bytes[n] ^= bytes[n - 2 * size];
    planes.push({ holds: bytes.subarray(begin, begin + size), shades: bytes.subarray(begin + size, begin + 2 * size) });
  }
  return { ...record, planes, means: meansOf(record) };
}

/** The population's mean at each frame, where the run has recorded one. */
function meansOf({ curve, frames }) {
  const at = new Map(curve.generation.map((generation, n) => [generation, curve.mean[n]]));
  return frames.map(({ generation }) => at.get(generation) ?? null);
}

async function inflated(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
