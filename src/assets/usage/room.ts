import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { useOfFileHook, usesOfFilesHook } from '../../storage/public.ts';
import * as documents from './documents.ts';
import { usageEvents } from './events.ts';
import { type UsageContext, usageRoutes } from './routes.ts';
import { usageSchedule } from './schedule-work.ts';
import { usageTriggers } from './store.ts';
import { usageTerm } from './tables.ts';
import { aboveTerms, useOfMedia, usesOfMedia } from './use.ts';

/** Terms of use: from when until when media may leave the service. */
export const usage = defineRoom({
  name: 'usage',
  tables: { usageTerm },
  schema: globalThis.isEdgeModule ? [] : usageTriggers(),
  documents: [documents],
  events: usageEvents,
  roles: [aboveTerms, '_usage_write'],
  open(context: UsageContext) {
    const { store, clock } = context;
    return {
      routes: [below(['item', 'collection', 'usage'], () => usageRoutes(context))],
      workers: [usageSchedule(context)],
      hooks: [
        hooked(useOfFileHook, (call, id) => useOfMedia(store, call, { type: 'file', id }, clock)),
        hooked(usesOfFilesHook, (call, ids) => {
          const files = ids.map((id) => ({ type: 'file', id }) as const);
          return usesOfMedia(store, call, files, clock.now());
        }),
      ],
    };
  },
});
