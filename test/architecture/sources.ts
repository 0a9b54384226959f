import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Types of clients, written by `npm run docs`. */
export const clientTypes: ReadonlySet<string> = new Set(['src/types.ts', 'src/client/calls.ts']);

/** Facts about one module, read without a compiler: the formatter keeps imports in one shape. */
export interface Source {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  /** Without comments and texts in quotes: only what runs. */
  readonly bare: string;
}

export interface Import {
  /** A path of this repository such as `src/core/lib/clock.ts`, or the name of a module. */
  readonly from: string;
  readonly internal: boolean;
  /** Gone when it runs. `import { type A }` is not: it leaves an import without names. */
  readonly typeOnly: boolean;
}

const importing = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)';/gm;
const importingLater = /\bimport\(\s*'([^']+)'/g;
/** Texts come first, so that `//` in an address begins no comment. */
const textOrComment = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

export function sourceOf(path: string, text: string): Source {
  const code = text.replace(textOrComment, (_all, quoted: string | undefined) => quoted ?? '');
  const bare = code.replace(textOrComment, (_all, quoted: string | undefined) =>
    quoted?.startsWith('`') ? quoted : "''",
  );
  const found = [...code.matchAll(importing)].map((match) => ({ name: match[2]!, typeOnly: match[1] !== undefined }));
  const later = [...code.matchAll(importingLater)].map((match) => ({ name: match[1]!, typeOnly: false }));
  const imports = [...found, ...later].map(({ name, typeOnly }): Import => {
    const internal = name.startsWith('.');
    return { from: internal ? posix.join(posix.dirname(path), name) : name, internal, typeOnly };
  });
  return { path, lines: text.split('\n').length - 1, imports, text, code, bare };
}

export function sourcesIn(...folders: readonly string[]): Source[] {
  return folders.flatMap(walk).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A folder that is still to come has no sources. */
function walk(folder: string): Source[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : walk(path);
    return /\.tsx?$/.test(entry.name) ? [sourceOf(path, readFileSync(path, 'utf8'))] : [];
  });
}

const vague = new Set(['found', 'known', 'made', 'given', 'told', 'kept', 'there', 'asked', 'held']);

/** Locals whose name is a participle that does not say what they hold. */
export function vagueLocals({ path, bare }: Source): string[] {
  const declared = [...bare.matchAll(/\b(?:const|let)\s+(\{[^}=]*\}|\[[^\]=]*\]|\w+)/g)].map(([, names]) => names!);
  const bound = declared.flatMap((names) => [...names.matchAll(/\w+(?=\s*(?:[,}\]]|$))/g)].map(([name]) => name));
  return bound.filter((name) => vague.has(name)).map((name) => `${path}: ${name}`);
}

/** The names that a module exports, types among them, sorted. */
export function exportedNames(source: Source): string[] {
  const declared = /^export (?:default )?(?:async )?(?:abstract )?(?:const|function|class|interface|type|enum) (\w+)/gm;
  const listed = /^export (?:type )?\{([^}]*)\}/gm;
  const names = [...source.code.matchAll(declared)].map((match) => match[1]!);
  for (const [, list] of source.code.matchAll(listed)) {
    for (const item of list!.split(',')) {
      const name = item
        .trim()
        .replace(/^type /, '')
        .split(/ as /)
        .at(-1)!;
      if (name !== '') names.push(name);
    }
  }
  if (/^export default/m.test(source.code)) names.push('default');
  if (/^export \* /m.test(source.code)) names.push('*');
  return [...new Set(names)].sort();
}

/** Entries that `package.json` exports: modules and the command. */
export function entryFiles(): string[] {
  const { exports, bin } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, Record<string, string>>;
    bin: Record<string, string>;
  };
  const commands = Object.values(bin).map((path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
  return [...Object.values(exports).map((each) => posix.normalize(each['portico-source']!)), ...commands];
}

const adopt = 'list it (the parts of a room in its room.ts, a room in rooms.ts), use it or delete it';

/** Files that nothing reaches: a service is made without them, and no test would miss them. */
export function orphansAmong(sources: readonly Source[], entries: readonly string[] = []): string[] {
  const reached = new Set([...entries, ...sources.flatMap(({ imports }) => imports.map(({ from }) => from))]);
  return sources
    .filter(({ path }) => !reached.has(path))
    .map(({ path }) => `${path}: no file imports it. Remedy: ${adopt}`);
}

/** Each chain of imports that comes back to where it began. */
export function cyclesAmong(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const finished = new Set<string>();
  const cycles: string[] = [];

  function visit(path: string, trail: readonly string[]): void {
    const from = trail.indexOf(path);
    if (from >= 0) {
      cycles.push([...trail.slice(from), path].join(' -> '));
      return;
    }
    if (finished.has(path)) return;
    for (const { internal, from: next } of byPath.get(path)?.imports ?? []) {
      if (internal) visit(next, [...trail, path]);
    }
    finished.add(path);
  }

  for (const { path } of sources) visit(path, []);
  return cycles;
}

/** Files that run where one of the entries runs: those that it imports, but for types. */
export function reachedFrom(sources: readonly Source[], ...entries: readonly string[]): Set<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set(entries);
  for (const path of reached) {
    for (const { internal, typeOnly, from } of byPath.get(path)?.imports ?? []) {
      if (internal && !typeOnly) reached.add(from);
    }
  }
  return reached;
}

const namedImports =
  /^(?:import|export)\s+(?:type\s+)?(\*[^'";]*|\{[^}]*\}|\w+(?:,\s*\{[^}]*\})?)\s+from\s+'([^']+)'/gm;
const importedTypes = /\bimport\(\s*'([^']+)'\s*\)(?:\.(\w+))?/g;

/** A room takes all documents of a module, and nothing else of it. */
const takesDocuments = (names: string): boolean => /^\* as (?:\w+D|d)ocuments\b/.test(names);

/** Exports of `product` that no other source names. An import of all names uses each. */
export function unusedExports(product: readonly Source[], all: readonly Source[], named: readonly string[]): string[] {
  const used = new Set<string>();
  for (const { path, code } of all) {
    const at = (from: string) => posix.join(posix.dirname(path), from);
    for (const [, names = '', from = ''] of code.matchAll(namedImports)) {
      if (names.startsWith('*')) used.add(`${at(from)} *${takesDocuments(names) ? 'Document' : ''}`);
      for (const [, name] of names.matchAll(/(\w+)(?: as \w+)?(?=\s*[,}])/g)) used.add(`${at(from)} ${name}`);
    }
    for (const [, from = '', name = '*'] of code.matchAll(importedTypes)) used.add(`${at(from)} ${name}`);
  }
  return product
    .filter(({ path }) => !named.includes(path) && !used.has(`${path} *`))
    .flatMap((source) =>
      exportedNames(source)
        .filter((name) => !['default', '*'].includes(name) && !used.has(`${source.path} ${name}`))
        .filter((name) => !(name.endsWith('Document') && used.has(`${source.path} *Document`)))
        .map((name) => `${source.path}: ${name}`),
    );
}
