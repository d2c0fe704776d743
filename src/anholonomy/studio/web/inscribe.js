// Numbers that were dragged, written into the text where it has them already; comments and order stay.
const escaped = text => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// `values` by table, such as { parameters: { m: 2 } }. Returns the text, and what it has no place for.
export function inscribe(text, values) {
  const left = {};
  for (const [table, numbers] of Object.entries(values)) {
    for (const [name, value] of Object.entries(numbers)) {
      const next = put(text, table, name, value);
      if (next === null) (left[table] ??= {})[name] = value;
      else text = next;
    }
  }
  return { text, left };
}

function put(text, table, name, value) {
  const entry = `((?:"${escaped(name)}"|${/^[\w-]+$/.test(name) ? `\\b${escaped(name)}` : `'${escaped(name)}'`})\\s*=\\s*)("[^"\\n]*"|[^\\s,}#]+)`;
  const number = Number.isInteger(value) ? value.toFixed(1) : String(value);
  const head = new RegExp(`^[ \\t]*\\[${table}\\][^\\n]*\\n`, "m").exec(text);
  if (head) {
    const from = head.index + head[0].length, end = text.slice(from).search(/^[ \t]*\[/m), to = end < 0 ? text.length : from + end;
    const body = text.slice(from, to), found = new RegExp(`^([ \\t]*)${entry}`, "m").exec(body);
    if (!found) return null;
    const at = from + found.index + found[1].length + found[2].length;
    return text.slice(0, at) + number + text.slice(at + found[3].length);
  }
  const line = new RegExp(`^[ \\t]*${table}[ \\t]*=[ \\t]*\\{[^}\\n]*\\}`, "m").exec(text);
  const found = line && new RegExp(`([{,]\\s*)${entry}`).exec(line[0]);
  if (!found) return null;
  const at = line.index + found.index + found[1].length + found[2].length;
  return text.slice(0, at) + number + text.slice(at + found[3].length);
}
