import type { ItemSettings } from '../../assets/items/public.ts';
import { shapeNowHook } from '../../assets/shapes/public.ts';
import { below } from '../../http/route-group.ts';
import type { Check, RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import type { MediaTool } from '../../spi/index.ts';
import { embeddedFields, embeddedMetadataDocument } from './embedded/mapping.ts';
import { embeddedRoutes } from './embedded/routes.ts';
import { embeddedMapping } from './embedded/store.ts';
import { type CheckingSettings, checkingSettings } from './parts.ts';
import { shapeNow } from './probing/shape-now.ts';
import { shapeUpdateRoutes, shapeUpdateType } from './shape-update-routes.ts';

/** Check of the media tools. A missing program is only a warning: files of its formats stay binary. */
const mediaCheck = ({ media, security }: Pick<RoomContext, 'media' | 'security'>): Check => ({
  name: 'media',
  description: 'Media probing',
  async run() {
    const own: readonly MediaTool[] = security.probers().map(({ name }) => ({ name }));
    const tools = [...own, ...(await media.tools())];
    const test = tools.map(({ name, version, missing }) => ({
      name,
      status: missing === undefined ? ('ok' as const) : ('warning' as const),
      message: [missing ?? version ?? 'there'],
    }));
    return { status: tools.every(({ missing }) => missing !== undefined) ? 'warning' : 'ok', test };
  },
});

/** Says what files are: the media check, which fills shapes and the metadata of their items. */
export const checking = defineRoom({
  name: 'checking',
  settings: checkingSettings,
  tables: { embeddedMapping },
  documents: [{ embeddedMetadataDocument }],
  fields: embeddedFields,
  open(context: RoomContext<CheckingSettings & ItemSettings>) {
    return {
      routes: [below('item', () => shapeUpdateRoutes(context)), below('import', () => embeddedRoutes(context))],
      jobTypes: [shapeUpdateType(context)],
      checks: [mediaCheck(context)],
      hooks: [hooked(shapeNowHook, (shapeId, signal) => shapeNow(context, shapeId, signal))],
    };
  },
});
