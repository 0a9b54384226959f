import { below } from '../http/route-group.ts';
import { defineRoom } from '../room/define-room.ts';
import type { House } from '../room/house.ts';
import { scheduledRequestDocument, scheduledRequestListDocument } from './documents.ts';
import { keeping } from './keeping.ts';
import { scheduledKind, scheduledRetentionKind } from './kind.ts';
import { schedulingRoutes } from './routes.ts';
import { type SchedulingSettings, schedulingSettings } from './settings.ts';
import * as tables from './tables.ts';

/** Requests that clients want carried out later. */
export const scheduling = defineRoom({
  name: 'scheduling',
  tables,
  documents: [scheduledRequestDocument, scheduledRequestListDocument],
  settings: schedulingSettings,
  open: (house: House<SchedulingSettings>) => ({
    routes: [below('scheduled-request', () => schedulingRoutes(house))],
    workers: [scheduledKind(house), scheduledRetentionKind(house)],
    offices: { scheduled: keeping(house) },
  }),
});
