import { accountOf, type Call } from '../../../http/call.ts';
import { type MediaType, textOnly } from '../../../http/negotiation.ts';
import { typed } from '../../../http/reply.ts';
import type { Params, Route } from '../../../http/route.ts';
import type { AssetParts } from '../../parts.ts';
import { idsOf } from '../load.ts';
import { read, shapeFor, shapePath } from '../places.ts';
import { componentsOfShapes, filesNamed, filesOfShapes } from '../store.ts';
import { shapeGraph } from './dot.ts';

const dot: readonly MediaType[] = ['text/vnd.graphviz', ...textOnly];

/**
 * What a shape consists of, as a graph. This service has no renderer: the address of the picture answers the dot
 * language to callers that accept it.
 */
export function graphRoutes({ store }: AssetParts): readonly Route[] {
  async function draw(call: Call, type: MediaType, params: Params) {
    const reader = store.reader(accountOf(call));
    const shape = await shapeFor(reader, call, params, 'READ');
    const components = await componentsOfShapes(reader, idsOf([shape]));
    const uses = await filesOfShapes(reader, idsOf([shape]));
    const ids = [...new Set(uses.map(({ fileId }) => fileId))];
    const rows = new Map((await filesNamed(reader, { ids: JSON.stringify(ids) })).map((row) => [row.id, row]));
    const files = uses.flatMap(({ componentId, fileId }) => {
      const row = rows.get(fileId);
      return row ? [{ componentId, fileId, storageId: row.storageId, path: row.path, state: row.state }] : [];
    });
    return typed(type, shapeGraph(shape, components, files));
  }

  const drawing = { method: 'GET', answers: 'text', access: read, produces: dot, handle: draw } as const;
  return [
    {
      ...drawing,
      path: `${shapePath}/graph`,
      says: 'The components of a shape and their files as a graph in the dot language.',
    },
    { ...drawing, path: `${shapePath}/graph/dot`, says: 'The same graph, at the address that older clients use.' },
  ];
}
