// One surface in a canvas that can be turned: the only file, with labels.js, that knows the library.

import * as THREE from "../../vendor/three/three.module.min.js";
import { OrbitControls } from "../../vendor/three/OrbitControls.js";
import { ORANGE, VERMILION } from "../canvas.js";
import { frameAndLabels } from "./labels.js";
import { strip, terraces } from "./terraces.js";

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
