// One surface of terraces, with its frame and labels, in a canvas that can be turned: the only file that knows the library.
import * as THREE from "../../vendor/three/three.module.min.js";
import { OrbitControls } from "../../vendor/three/OrbitControls.js";
import { largestColour, ORANGE, VERMILION, viridis } from "../canvas.js";

const STEP = Math.PI / 24;
const NEAREST = 1.4;
const FURTHEST = 5;
const START = [-2.0, 1.15, -1.15]; // from the corner of low scores: what is high at high ones stands behind
const AWAY = 3.4;
const HALF = 0.27; // the tangent of half the angle that is seen, across and upwards at least

/** A view of one surface; `onTurn` is called with each new position of the camera. */
export function createView(canvas, target, onTurn) {
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true }); // for prints
  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(30, 1, 1, 20 * target);
  const middle = new THREE.Vector3(target / 2, target * 0.42, target / 2);
  const labels = frameAndLabels(scene, target, getComputedStyle(canvas).color);
  const parts = { surface: null, strip: null, again: null };
  const plane = slicePlane(target);
  const spot = new THREE.Mesh(new THREE.SphereGeometry(target / 45), new THREE.MeshBasicMaterial({ color: "#000000" }));
  spot.visible = false;
  light(scene, target);
  scene.add(plane, spot);

  const controls = new OrbitControls(camera, canvas);
  Object.assign(controls, { enablePan: false, enableZoom: false, enableDamping: false, maxPolarAngle: Math.PI * 0.495 });
  controls.target.copy(middle);
  canvas.style.touchAction = "pan-y"; // a finger may still scroll the page up and down
  let following = false;
  controls.addEventListener("change", () => {
    soon();
    if (!following) onTurn(camera.position.toArray());
  });

  let waiting = 0;
  function soon() {
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      labels.face(camera);
      renderer.render(scene, camera);
    });
  }

  function put(name, object) {
    if (parts[name]) {
      scene.remove(parts[name]);
      parts[name].geometry.dispose();
    }
    parts[name] = object;
    if (object) scene.add(object);
    soon();
  }

  function pose(position) {
    following = true;
    camera.position.fromArray(position);
    controls.update();
    following = false;
    soon();
  }

  function turn(sideways, up, nearer = 1) {
    const place = new THREE.Spherical().setFromVector3(camera.position.clone().sub(middle));
    place.theta += sideways * STEP;
    place.phi = Math.min(Math.max(place.phi + up * STEP, 0.02), controls.maxPolarAngle);
    place.radius = Math.min(Math.max(place.radius * nearer, NEAREST * target), FURTHEST * target);
    camera.position.setFromSpherical(place).add(middle);
    controls.update();
  }

  const reset = () => {
    camera.position.set(...START).normalize().multiplyScalar(AWAY * target).add(middle);
    controls.update();
  };

  const size = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.fov = (360 / Math.PI) * Math.atan(HALF / Math.min(1, camera.aspect));
    camera.updateProjectionMatrix();
    soon();
  });
  size.observe(canvas);
  reset();

  return {
    pose,
    turn,
    reset,
    surface(heights, again) {
      put("surface", surfaceMesh(heights, target));
      put("again", againPoints(again, target));
      parts.again.visible = false;
    },
    again(visible) {
      parts.again.visible = visible;
      soon();
    },
    slice(heights, j) {
      plane.position.z = j + 0.5;
      put("strip", stripMesh(heights, target, j));
    },
    mark(i, j, k) {
      spot.position.set(i + 0.5, k + 0.5, j + 0.5);
      spot.visible = true;
      soon();
    },
    recolour() {
      labels.recolour(getComputedStyle(canvas).color);
      renderer.render(scene, camera); // at once: paper does not wait for a frame
    },
  };
}

function surfaceMesh(heights, target) {
  const { positions, normals, colours } = terraces(heights, target);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
  return new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ vertexColors: true }));
}

function stripMesh(heights, target, j) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(strip(heights, target, j, 0.2), 3));
  return new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: ORANGE }));
}

function againPoints({ cells }, target) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(cells.map((at) => at + 0.5), 3));
  return new THREE.Points(geometry, new THREE.PointsMaterial({ color: VERMILION, size: target / 110 }));
}

function slicePlane(target) {
  const shape = new THREE.PlaneGeometry(target, target).translate(target / 2, target / 2, 0);
  const glass = new THREE.MeshBasicMaterial({
    color: ORANGE, transparent: true, opacity: 0.16, side: THREE.DoubleSide, depthWrite: false,
  });
  const plane = new THREE.Mesh(shape, glass);
  plane.add(new THREE.LineSegments(new THREE.EdgesGeometry(shape), new THREE.LineBasicMaterial({ color: ORANGE })));
  return plane;
}

function light(scene, target) {
  scene.add(new THREE.HemisphereLight("#ffffff", "#8890a0", 2.1));
  const sun = new THREE.DirectionalLight("#ffffff", 1.5);
  sun.position.set(-0.6 * target, 2 * target, 1.1 * target);
  scene.add(sun);
}

/** Positions, normals and colours of the triangles of a surface, which is not smooth, as hold values are whole numbers: flat cells with walls between them; x is the own score, y the height, z the opponent's. */
function terraces(heights, target) {
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
function strip(heights, target, j, lift) {
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

const TICKS = 4;

/** Add the frame to a scene, and the words along its axes, which stay on the side of the viewer. */
function frameAndLabels(scene, target, ink) {
  const lines = new THREE.LineSegments(frame(target), new THREE.LineBasicMaterial({ color: ink, transparent: true, opacity: 0.35 }));
  scene.add(lines);
  const made = [];
  const add = (text, tall, place) => {
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ transparent: true, depthWrite: false }));
    made.push({ sprite, text, tall: tall * target, place });
    scene.add(sprite);
  };
  const away = 0.075 * target;
  const far = 0.25 * target;
  const beside = (right, by) => (right ? target + by : -by);
  for (let n = 0; n <= TICKS; n++) {
    const at = Math.round((n * target) / TICKS);
    add(String(at), 0.068, (right, front) => [at, -0.03 * target, beside(front, away)]);
    add(String(at), 0.068, (right) => [beside(right, away), -0.03 * target, at]);
    if (n) add(String(at), 0.068, (right, front) => [beside(right, away / 2), at, beside(!front, away / 2)]);
  }
  add("own score", 0.078, (right, front) => [target / 2, -0.12 * target, beside(front, far)]);
  add("opponent’s score", 0.078, (right) => [beside(right, far), -0.12 * target, target / 2]);
  add("turn total", 0.078, (right, front) => [beside(right, -0.12 * target), 1.12 * target, beside(!front, -away / 2)]);

  function recolour(colour) {
    lines.material.color.setStyle(colour);
    for (const { sprite, text, tall } of made) {
      sprite.material.map?.dispose();
      const { texture, ratio } = words(text, colour);
      sprite.material.map = texture;
      sprite.scale.set(tall * ratio, tall, 1);
    }
  }

  function face(camera) {
    const right = camera.position.x > target / 2;
    const front = camera.position.z > target / 2;
    for (const { sprite, place } of made) sprite.position.set(...place(right, front));
  }

  recolour(ink);
  return { recolour, face };
}

function frame(target) {
  const box = new THREE.BoxGeometry(target, target, target).translate(target / 2, target / 2, target / 2);
  return new THREE.EdgesGeometry(box);
}

function words(text, colour) {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const font = "600 56px system-ui, sans-serif";
  pen.font = font;
  canvas.width = Math.ceil(pen.measureText(text).width) + 12;
  canvas.height = 72;
  Object.assign(pen, { font, fillStyle: colour, textBaseline: "middle" });
  pen.fillText(text, 6, 38);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return { texture, ratio: canvas.width / canvas.height };
}
