import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { endWithLogin } from '../../room/kept-caller-sql.ts';
import * as documents from './documents.ts';
import { schedulingRoutes } from './routes.ts';
import { scheduledKind, scheduledRetentionKind } from './scheduled-work.ts';
import { type SchedulingSettings, schedulingSettings } from './settings.ts';
import * as tables from './tables.ts';
import { keeping } from './wrap-routes.ts';

/** Requests that clients want carried out later. */
export const scheduling = defineRoom({
  name: 'scheduling',
  tables,
  documents: [documents],
  settings: schedulingSettings,
  open: (context: RoomContext<SchedulingSettings>) => ({
    routes: [below('scheduled-request', () => schedulingRoutes(context))],
    workers: [scheduledKind(context), scheduledRetentionKind(context)],
    onDelete: { login: endWithLogin(tables.scheduledRequest) },
    services: { scheduled: keeping(context) },
  }),
});
