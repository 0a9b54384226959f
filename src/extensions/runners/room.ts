import { createWaker } from '../../core/lib/clock.ts';
import { below } from '../../http/route-group.ts';
import { runnersHook } from '../../production/checking/public.ts';
import { openTranscodingParts } from '../../production/transcoding/public.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { runnerRole } from '../../security/subject.ts';
import { createAddresses } from './addresses.ts';
import { byteRoutes } from './byte-routes.ts';
import { createDispatch } from './dispatch.ts';
import * as documents from './documents.ts';
import { runnerEvents } from './events.ts';
import type { RunnerContext } from './parts.ts';
import { runnerRoutes } from './routes.ts';
import { runnerSettings } from './settings.ts';
import { runnerSchema } from './store.ts';
import * as tables from './tables.ts';

/** Machines beside the service that transcode, make stills and check media. */
export const runners = defineRoom({
  name: 'runners',
  extension: { says: 'Runners: other machines that transcode, make stills and check media.' },
  settings: runnerSettings,
  tables,
  schema: globalThis.isEdgeModule ? [] : runnerSchema(),
  roles: [runnerRole],
  events: runnerEvents,
  documents: [documents],
  open(context: RunnerContext) {
    const parts = { ...openTranscodingParts(context), ...context };
    const addresses = createAddresses(context);
    const waker = createWaker(context.clock);
    return {
      routes: [
        below('runner', () => runnerRoutes(parts, addresses, waker)),
        below('APInoauth', () => byteRoutes(parts, addresses)),
      ],
      hooks: [hooked(runnersHook, createDispatch(context))],
      participants: [{ name: 'runners', concerns: ['runner-task.state'], committed: waker.wake }],
      quiet: waker.wake,
    };
  },
});
