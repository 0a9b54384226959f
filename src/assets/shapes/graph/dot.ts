import type { Shape } from '../load.ts';
import type { ComponentRow } from '../store.ts';

/** A file of a component. */
export interface DrawnFile {
  readonly componentId: string;
  readonly fileId: string;
  readonly storageId: string;
  readonly path: string;
  readonly state: string;
}

/** A shape with its components, their files and the storages of those, as a directed graph in the language DOT. */
export function shapeGraph(shape: Shape, components: readonly ComponentRow[], files: readonly DrawnFile[]): string {
  const nodes = new Map<string, readonly string[]>([
    [`shape ${shape.id}`, [`shape ${shape.id}`, ...shape.tags, `version ${shape.essenceVersion}`]],
    ...components.map((row) => [`component ${row.id}`, [row.kind, row.id, ...detailsOf(row)]] as const),
    ...files.map(({ fileId, path, state }) => [`file ${fileId}`, [`file ${fileId}`, path, state]] as const),
    ...files.map(({ storageId }) => [`storage ${storageId}`, [`storage ${storageId}`]] as const),
  ]);
  const edges = new Set([
    ...components.map(({ id }) => edge(`shape ${shape.id}`, `component ${id}`)),
    ...files.map(({ componentId, fileId }) => edge(`component ${componentId}`, `file ${fileId}`)),
    ...files.map(({ fileId, storageId }) => edge(`file ${fileId}`, `storage ${storageId}`)),
  ]);
  const lines = [...nodes].map(([name, label]) => `${quoted(name)} [label=${quoted(label.join(' | '))}];`);
  return [`digraph ${quoted(`shape ${shape.id}`)} {`, ...[...lines, ...edges].map((line) => `  ${line}`), '}', ''].join(
    '\n',
  );
}

/** What tells components of one kind apart. */
function detailsOf({ document, expected }: ComponentRow): readonly string[] {
  const { itemTrack, codec, format } = JSON.parse(document) as Readonly<Record<string, unknown>>;
  const texts = [itemTrack, codec, format].filter((each): each is string => typeof each === 'string');
  return expected === 1 ? [...texts, 'expected'] : texts;
}

const edge = (from: string, to: string): string => `${quoted(from)} -> ${quoted(to)};`;

/** Paths may have anything. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replace(/\s+/g, ' ')}"`;
