// Paint from back to front: planes, shadows, trails, then the faces of all shapes by depth.
import { axesOf, clippedBy, seenBy } from "./camera.js";
import { cross, dot, minus, placed, poseAt, row, unit } from "./numbers.js";

// By the diagonals, which have a length even where an edge has none; of a triangle, the fourth corner is the first.
export function areaOf(face, vertices) {
  const [a, b, c, d] = [0, 1, 2, 3].map(i => vertices[face[i % face.length]]);
  return cross(minus(c, a), minus(d, b));
}

// What one sees through, or what is no closed body, shows its inside.
const twoSided = actor => actor.clear || actor.kind === "surface";
const channels = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
const shaded = (rgb, s, alpha = 1) => `rgba(${rgb.map(c => Math.round(s <= 1 ? c * s : c + (255 - c) * (s - 1))).join(",")},${alpha})`;

// A function that paints a film on a canvas as a camera sees it, at a place between frames.
export function painterOn(canvas, camera) {
  const pen = canvas.getContext("2d");
  let film, dark;
  const seen = x => seenBy(camera, x), clipped = (points, closed) => clippedBy(camera, points, closed);
  // The light comes from behind the camera, from above and from the left.
  const light = () => unit([0, 1, 2].map(i => 0.55 * camera.axes.back[i] + 0.7 * camera.axes.up[i] - 0.35 * camera.axes.right[i]));
  const colour = role => film.palette[dark ? "dark" : "light"][role] || role;

  function path(points, closed) {
    if (points.length < 2) return;
    pen.moveTo(...points[0]);
    for (let i = 1; i < points.length; i++) pen.lineTo(...points[i]);
    if (closed) pen.closePath();
  }

  function line(points, style, width) {
    pen.beginPath();
    for (let i = 1; i < points.length; i++) path(clipped([points[i - 1], points[i]].map(seen), false));
    pen.strokeStyle = style; pen.lineWidth = width; pen.lineJoin = pen.lineCap = "round";
    pen.stroke();
  }

  function paintPlane(actor, place) {
    const pose = poseAt(actor, place), [a, b] = pose.s.map(x => x / 2), at = (x, y) => seen(placed(pose, [x, y, 0]));
    pen.beginPath();
    path(clipped([at(-a, -b), at(a, -b), at(a, b), at(-a, b)], true), true);
    pen.fillStyle = colour(actor.colour);
    pen.fill();
    pen.beginPath();
    for (let x = -Math.floor(a / actor.step) * actor.step; x <= a * 1.0001; x += actor.step) path(clipped([at(x, -b), at(x, b)], false));
    for (let y = -Math.floor(b / actor.step) * actor.step; y <= b * 1.0001; y += actor.step) path(clipped([at(-a, y), at(a, y)], false));
    pen.strokeStyle = colour("grid"); pen.lineWidth = 1;
    pen.stroke();
  }

  // Vertices in space and the faces that look at the camera.
  function solid(actor, place) {
    const mesh = film.meshes[actor.mesh], pose = poseAt(actor, place);
    const vertices = mesh.vertices.map(v => placed(pose, [v[0] * pose.s[0], v[1] * pose.s[1], v[2] * pose.s[2]]));
    return { actor, mesh, vertices };
  }

  // The faces that look away from the plane cover the shadow exactly once if the shape is convex.
  function paintShadow({ mesh, vertices }, floor) {
    const n = floor.R.map(r => r[2]);
    const fallen = vertices.map(v => { const h = dot(minus(v, floor.p), n); return seen(v.map((x, i) => x - h * n[i])); });
    pen.beginPath();
    for (const face of mesh.faces) {
      if (dot(areaOf(face, vertices), n) > 0) path(clipped(face.map(i => fallen[i]), true), true);
    }
    pen.fillStyle = dark ? "rgba(0,0,0,.42)" : "rgba(30,40,60,.16)";
    pen.fill("nonzero");
  }

  function paintTrail(actor, place) {
    const count = actor.position.length / 3;
    if (count < 2) return;
    const points = Array.from({ length: count }, (_, k) => row(actor.position, 3, k));
    const rgb = channels(colour(actor.kind === "trail" && actor.colour !== "body" ? actor.colour : "trail")).join(",");
    line(points, `rgba(${rgb},.2)`, 1.5);
    line([...points.slice(0, Math.floor(place) + 1), row(actor.position, 3, place)], `rgba(${rgb},.95)`, 2.2);
  }

  function paintLines(actor, place) {
    const pose = poseAt(actor, place), flat = row(actor.points, 3 * actor.count, place);
    const points = Array.from({ length: actor.count }, (_, k) => placed(pose, flat.slice(3 * k, 3 * k + 3)));
    line(points, colour(actor.colour), 3);
  }

  function paintSolids(solids) {
    const lamp = light(), faces = [], eye = camera.target.map((x, i) => x + camera.distance * camera.axes.back[i]);
    for (const { actor, mesh, vertices } of solids) {
      const rgb = channels(colour(actor.colour)), inView = vertices.map(seen);
      mesh.faces.forEach((face, k) => {
        const p = vertices[face[0]];
        let outward = unit(areaOf(face, vertices));
        const behind = dot(outward, minus(eye, p)) <= 0;
        if (behind && !twoSided(actor)) return;
        if (behind) outward = outward.map(x => -x);
        const brightness = (0.7 + 0.42 * Math.max(0, dot(outward, lamp))) * mesh.tones[k];
        const depth = face.reduce((s, i) => s + inView[i][2], 0) / face.length;
        faces.push({ points: face.map(i => inView[i]), depth, fill: shaded(rgb, brightness, actor.clear ? 0.22 : 1), edge: shaded(rgb, brightness, actor.clear ? 0.12 : 1) });
      });
    }
    faces.sort((a, b) => b.depth - a.depth);
    pen.lineWidth = 0.8; pen.lineJoin = "round";
    for (const face of faces) {
      pen.beginPath();
      path(clipped(face.points, true), true);
      pen.fillStyle = face.fill; pen.strokeStyle = face.edge;
      pen.fill();
      pen.stroke();
    }
  }

  return function paint(given, place, { trails, follow, darkly }) {
    film = given;
    dark = darkly;
    camera.axes = axesOf(camera);
    if (follow) camera.target = row(film.actors[film.lead].position, 3, place);
    pen.fillStyle = colour("paper");
    pen.fillRect(0, 0, camera.width, camera.height);
    const planes = film.actors.filter(a => a.kind === "plane"), solids = film.actors.filter(a => film.meshes[a.mesh]).map(a => solid(a, place));
    for (const plane of planes) paintPlane(plane, place);
    if (planes.length) for (const each of solids) if (each.actor.kind !== "surface") paintShadow(each, poseAt(planes[0], place));
    if (trails) for (const actor of film.actors) if (actor.trail) paintTrail(actor, place);
    for (const actor of film.actors) if (actor.kind === "polyline") paintLines(actor, place);
    paintSolids(solids);
  };
}
