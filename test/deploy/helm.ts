import { hash } from 'node:crypto';
import { stringify } from 'yaml';

/** The part of the language of Helm templates that the chart uses. Everything else is an error. */

type Values = Readonly<Record<string, unknown>>;
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly code: string }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly code: string;
      readonly body: readonly Node[];
      readonly other: readonly Node[];
    };

interface Scope {
  readonly root: Values;
  readonly dot: unknown;
  readonly variables: ReadonlyMap<string, unknown>;
}

const functions: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = {
  quote: (value) => JSON.stringify(String(value)),
  not: (value) => !isTrue(value),
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  gt: (one, other) => Number(one) > Number(other),
  int: Number,
  join: (separator, values) => (values as readonly unknown[]).join(String(separator)),
  printf: (form, ...values) =>
    values.reduce<string>((text, value) => text.replace(/%[sv]/, String(value)), String(form)),
  sha256sum: (value) => hash('sha256', String(value)),
  toYaml: (value) => stringify(value).trimEnd(),
  nindent: (depth, text) => `\n${String(text).replace(/^/gm, ' '.repeat(Number(depth)))}`,
  fail: (text) => {
    throw new Error(String(text));
  },
};

const isTrue = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : typeof value === 'object' && value !== null
      ? Object.keys(value).length > 0
      : Boolean(value);

const wordPattern = /\s*("(?:[^"\\]|\\.)*"|[()|,]|:=|[^\s()|,]+)/gy;

/** Value of a pipeline such as `join "," .Values.list | quote`. */
function resultOf(code: string, scope: Scope): unknown {
  const words = Array.from(code.matchAll(wordPattern), ([, word]) => word!);
  const pipeline = (): unknown => {
    let value = call([]);
    while (words[0] === '|') {
      words.shift();
      value = call([value]);
    }
    return value;
  };
  const call = (last: readonly unknown[]): unknown => {
    const first = words.shift()!;
    if (!Object.hasOwn(functions, first)) return term(first);
    const values: unknown[] = [];
    while (words.length > 0 && words[0] !== '|' && words[0] !== ')') values.push(term(words.shift()!));
    return functions[first]!(...values, ...last);
  };
  const term = (word: string): unknown => {
    if (word === '(') {
      const value = pipeline();
      if (words.shift() !== ')') throw new Error(`Expected ")" in ${code}`);
      return value;
    }
    if (word.startsWith('"')) return JSON.parse(word);
    if (/^\d+$/.test(word)) return Number(word);
    if (word.startsWith('$')) return scope.variables.get(word);
    if (word === '.') return scope.dot;
    if (!/^\.\w/.test(word)) throw new Error(`Expected a known function in ${code}: "${word}"`);
    const path = word.slice(1).split('.');
    return path.reduce<unknown>((value, name) => {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
        throw new Error(`Expected a value that values.yaml has: ${word}`);
      return (value as Values)[name];
    }, scope.root);
  };
  const value = pipeline();
  if (words.length > 0) throw new Error(`Expected the end of ${code}: "${words[0]}"`);
  return value;
}

/** Reads nodes up to the `end` or `else` that closes them. */
function nodesOf(pieces: string[]): { readonly nodes: readonly Node[]; readonly closed: string } {
  const nodes: Node[] = [];
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    const [, code] = /^\{\{-? ?(.*?) ?-?\}\}$/s.exec(piece) ?? [];
    if (code === undefined) nodes.push({ kind: 'text', text: piece });
    else if (code === 'end' || code === 'else') return { nodes, closed: code };
    else {
      const [, kind, rest] = /^(if|with|range) (.+)$/s.exec(code) ?? [];
      if (kind === undefined) nodes.push({ kind: 'print', code });
      else {
        const { nodes: body, closed } = nodesOf(pieces);
        const other = closed === 'else' ? nodesOf(pieces).nodes : [];
        nodes.push({ kind: kind as 'if', code: rest!, body, other });
      }
    }
  }
  return { nodes, closed: '' };
}

function written(nodes: readonly Node[], scope: Scope): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text;
      if (node.kind === 'print') return String(resultOf(node.code, scope));
      if (node.kind === 'range') {
        const [, key, name, code] = /^(\$\w+), (\$\w+) := (.+)$/.exec(node.code)!;
        return Object.entries(resultOf(code!, scope) as Values)
          .map(([of, value]) =>
            written(node.body, { ...scope, variables: new Map([...scope.variables, [key!, of], [name!, value]]) }),
          )
          .join('');
      }
      const value = resultOf(node.code, scope);
      if (!isTrue(value)) return written(node.other, scope);
      return written(node.body, node.kind === 'with' ? { ...scope, dot: value } : scope);
    })
    .join('');
}

/** A template with the values of an installation, as text. */
export function renderTemplate(text: string, root: Values): string {
  const trimmed = text.replace(/\s*\{\{-/g, '{{-').replace(/-\}\}\s*/g, '-}}');
  const { nodes, closed } = nodesOf(trimmed.split(/(\{\{.*?\}\})/s));
  if (closed !== '') throw new Error(`Expected no "${closed}" without its beginning`);
  return written(nodes, { root, dot: root, variables: new Map() });
}
