import type { ComponentRow, Shape } from '../../../assets/shapes/public.ts';
import { between, type Graph } from '../../../room/graphs.ts';

interface DrawnFile {
  readonly componentId: string;
  readonly fileId: string;
  readonly storageId: string;
  readonly path: string;
  readonly state: string;
}

/** Graph of a shape with components, files and storages. */
export function shapeGraph(shape: Shape, components: readonly ComponentRow[], files: readonly DrawnFile[]): Graph {
  const nodes = new Map<string, readonly string[]>([
    [`shape ${shape.id}`, [`shape ${shape.id}`, ...shape.tags, `version ${shape.essenceVersion}`]],
    ...components.map((row) => [`component ${row.id}`, [row.kind, row.id, ...detailsOf(row)]] as const),
    ...files.map(({ fileId, path, state }) => [`file ${fileId}`, [`file ${fileId}`, path, state]] as const),
    ...files.map(({ storageId }) => [`storage ${storageId}`, [`storage ${storageId}`]] as const),
  ]);
  return {
    name: `shape ${shape.id}`,
    nodes: [...nodes].map(([id, parts]) => ({ id, label: parts.join(between) })),
    edges: [
      ...components.map(({ id }) => ({ from: `shape ${shape.id}`, to: `component ${id}` })),
      ...files.map(({ componentId, fileId }) => ({ from: `component ${componentId}`, to: `file ${fileId}` })),
      ...files.map(({ fileId, storageId }) => ({ from: `file ${fileId}`, to: `storage ${storageId}` })),
    ],
  };
}

/** Details that distinguish components of one kind. */
function detailsOf({ document, expected }: ComponentRow): readonly string[] {
  const { itemTrack, codec, format } = JSON.parse(document) as Readonly<Record<string, unknown>>;
  const texts = [itemTrack, codec, format].filter((each): each is string => typeof each === 'string');
  return expected === 1 ? [...texts, 'expected'] : texts;
}
