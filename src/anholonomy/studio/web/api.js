// What the page asks of its server. A refusal is an Error with the server's sentence.
export class Refused extends Error {
  // A place in the text is shown where it is, so the piece of it under the sentence is left out.
  constructor(found) { super(found.refused.split("\n    ")[0]); this.found = found; }
}

async function send(method, path, body, more = {}) {
  let response;
  try {
    response = await fetch(path, { method, headers: body ? { "content-type": "application/json" } : {}, body: body && JSON.stringify(body), ...more });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw Object.assign(new Refused({ refused: "the server does not answer; start `anholonomy studio` again and open the address that it prints." }), { gone: true });
  }
  return response;
}

export async function call(method, path, body, more) {
  const response = await send(method, path, body, more);
  const found = await response.json();
  if ("refused" in found) throw Object.assign(new Refused(found), { status: response.status });
  return found;
}

export const get = path => call("GET", path);
export const post = (path, body, more) => call("POST", path, body, more);

// A task that tells how it goes on: lines with `more`, then the answer. Stopping to listen ends the work.
export async function follow(path, body, signal, onmore) {
  const response = await send("POST", path, body, { signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", last = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line.startsWith('{"more"')) onmore(JSON.parse(line).more);
      else last = line;
    }
  }
  const text = last || rest;
  if (!text) throw new Refused({ refused: "the server ended in the middle of its answer; ask again." });
  const found = JSON.parse(text);
  if ("refused" in found) throw new Refused(found);
  return found;
}
