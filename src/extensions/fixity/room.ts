import { below } from '../../http/route-group.ts';
import type { Check, RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { storageDriversOf } from '../../storage/public.ts';
import * as documents from './documents.ts';
import { fixityEvents } from './events.ts';
import type { FixityParts } from './parts.ts';
import { fixityRoutes } from './routes.ts';
import { type FixitySettings, fixitySettings } from './settings.ts';
import { fixitySchema, restOf, schedules } from './store.ts';
import * as tables from './tables.ts';
import { fixityKind } from './work.ts';

const maxTold = 100;

const fixityCheck = ({ store, clock }: FixityParts): Check => ({
  name: 'fixity',
  description: 'Files that are read again are there, with the bytes of their hashes, and are read within their days',
  async run() {
    const message = (await schedules(store, { limit: maxTold, offset: 0 })).flatMap(
      ({ storageId, days, due, counts }) => {
        const { changed = 0, missing = 0 } = JSON.parse(counts) as Readonly<Record<string, number>>;
        const late = due !== null && due > 0 && clock.now() - due > days * 86_400_000 - restOf({ days });
        return [
          ...(changed > 0
            ? [`Expected the bytes of ${changed} files of ${storageId} as they were: they have changed`]
            : []),
          ...(missing > 0 ? [`Expected ${missing} files of ${storageId}: they are missing`] : []),
          ...(late ? [`Expected the files of ${storageId} to be read within ${days} days: the rate is too low`] : []),
        ];
      },
    );
    return message.length === 0 ? { status: 'ok' } : { status: 'warning', message };
  },
});

/** Reads files again, and tells what changed or is missing. */
export const fixity = defineRoom({
  name: 'fixity',
  extension: { says: 'Checks that files still have the bytes of their hashes: they are read again within some days.' },
  settings: fixitySettings,
  tables,
  schema: globalThis.isEdgeModule ? [] : fixitySchema(),
  documents: [documents],
  events: fixityEvents,
  open(context: RoomContext<FixitySettings>) {
    const parts: FixityParts = { ...context, places: storageDriversOf(context) };
    return {
      routes: [below(['storage', 'file'], () => fixityRoutes(parts))],
      checks: [fixityCheck(parts)],
      workers: globalThis.isEdgeModule ? [] : [fixityKind(parts)],
    };
  },
});
