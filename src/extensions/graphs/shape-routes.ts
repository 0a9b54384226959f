import type { ItemsContext } from '../../assets/items/public.ts';
import {
  type ComponentRow,
  componentsOfShapes,
  filesNamed,
  filesOfShapes,
  idsOf,
  readShapes as read,
  type Shape,
  shapePath,
  shapesAt,
} from '../../assets/shapes/public.ts';
import type { Route } from '../../http/route.ts';
import { between, type Graph } from '../../room/graphs.ts';
import { graphRoutes } from './graph-routes.ts';

interface DrawnFile {
  readonly componentId: string;
  readonly fileId: string;
  readonly storageId: string;
  readonly path: string;
  readonly state: string;
}

/** Graph of a shape with components, files and storages. */
function shapeGraph(shape: Shape, components: readonly ComponentRow[], files: readonly DrawnFile[]): Graph {
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

export const shapeGraphRoutes = ({ store, hooks }: ItemsContext): readonly Route[] =>
  graphRoutes(hooks, {
    path: `${shapePath}/graph`,
    says: 'A graph of the components of a shape and their files,',
    entities: shapesAt(store).shape('READ'),
    access: read,
    async graph(call, { shape }) {
      const { reader } = call;
      const components = await componentsOfShapes(reader, idsOf([shape]));
      const uses = await filesOfShapes(reader, idsOf([shape]));
      const ids = [...new Set(uses.map(({ fileId }) => fileId))];
      const rows = new Map((await filesNamed(reader, { ids })).map((row) => [row.id, row]));
      const files = uses.flatMap(({ componentId, fileId }) => {
        const row = rows.get(fileId);
        return row ? [{ componentId, fileId, storageId: row.storageId, path: row.path, state: row.state }] : [];
      });
      return shapeGraph(shape, components, files);
    },
  });
