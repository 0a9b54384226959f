import type { Settings } from '../../config/settings.ts';
import { defineRoom } from '../../room/define-room.ts';
import type { House } from '../../room/house.ts';
import { auditParticipant } from './participant.ts';
import { createAuditRecorder } from './recorder.ts';
import { auditRoutes } from './routes.ts';

/** Who did what, as whom, from where, and what came of it. */
export const audit = defineRoom({
  name: 'audit',
  open(house: House<Settings>) {
    const recorder = createAuditRecorder(house);
    return {
      routes: auditRoutes({ ...house, audit: recorder }),
      participants: [auditParticipant],
      offices: { answered: recorder.answered },
      housekeep: recorder.housekeep,
      afterAnswer: recorder.sweep,
      close: recorder.close,
    };
  },
});
