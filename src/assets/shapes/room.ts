import { below } from '../../http/route-group.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { abandonHook, bytesAllowedHook, originalNameHook } from '../../storage/public.ts';
import type { MetadataContext } from '../metadata/public.ts';
import { usageRoutesAt } from '../usage/public.ts';
import * as shapeDocuments from './documents/shape.ts';
import * as transcodePresetDocuments from './documents/transcode-preset.ts';
import { mayAbandon, mustHaveBytes } from './file-rights.ts';
import { shapeFilename } from './filenames-sql.ts';
import { originalNameOfFile } from './original-name.ts';
import { readShapes, shapePath, shapesAt } from './places.ts';
import { shapeRoutes } from './routes.ts';
import { shapeEvents } from './rules.ts';
import { firstTag } from './store.ts';
import * as tables from './tables.ts';
import { shapeTagRoutes } from './tag-routes.ts';

/** Shapes of items: versions, components and their files, tags, placeholders. */
export const shapes = defineRoom({
  name: 'shapes',
  tables: { ...tables, shapeFilename },
  schema: globalThis.isEdgeModule ? [] : [firstTag],
  documents: [shapeDocuments, transcodePresetDocuments],
  events: shapeEvents,
  roles: readAndWrite('item_shape', 'shape', 'shape_tag', 'thumbnail'),
  open(context: MetadataContext) {
    const { store } = context;
    return {
      routes: [
        below('item', () => [
          ...shapeRoutes(context),
          ...usageRoutesAt(context, { type: 'shape', path: shapePath, read: readShapes, at: shapesAt(store).shape }),
        ]),
        below('shape-tag', () => shapeTagRoutes(context)),
      ],
      hooks: [
        hooked(originalNameHook, (call, file) => originalNameOfFile(store, call, file)),
        hooked(bytesAllowedHook, (call, id) => mustHaveBytes(store, call, id)),
        hooked(abandonHook, (call, id, items) => mayAbandon(store, call, id, items)),
      ],
    };
  },
});
