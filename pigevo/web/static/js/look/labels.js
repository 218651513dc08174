// The frame of a surface, and the words along its axes, which stay on the side of the viewer.

import * as THREE from "../../vendor/three/three.module.min.js";

const TICKS = 4;

/** Add the frame and its labels to a scene. */
export function frameAndLabels(scene, target, ink) {
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
