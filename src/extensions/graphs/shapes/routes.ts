import type { ItemsContext } from '../../../assets/items/public.ts';
import {
  componentsOfShapes,
  filesNamed,
  filesOfShapes,
  idsOf,
  readShapes as read,
  shapePath,
  shapesAt,
} from '../../../assets/shapes/public.ts';
import type { Route } from '../../../http/route.ts';
import { graphRoutes } from '../graph-routes.ts';
import { shapeGraph } from './graph.ts';

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
