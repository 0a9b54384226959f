import { below } from '../http/route-group.ts';
import { defineRoom } from '../room/define-room.ts';
import type { House } from '../room/house.ts';
import { auditLogDocument } from './documents.ts';
import { auditParticipant } from './participant.ts';
import { createAuditRecorder } from './recorder.ts';
import { auditRoutes } from './routes.ts';
import { auditSchema } from './schema-sql.ts';
import { type AuditSettings, auditSettings } from './settings.ts';
import { auditSweepKind } from './sweeper.ts';
import * as tables from './tables.ts';

/** Room of the audit log: actions with user, address and result. */
export const audit = defineRoom({
  name: 'audit',
  settings: auditSettings,
  tables,
  schema: auditSchema,
  documents: [auditLogDocument],
  open(house: House<AuditSettings>) {
    const recorder = createAuditRecorder(house);
    return {
      routes: [below('log', () => auditRoutes({ ...house, audit: recorder }))],
      participants: [auditParticipant],
      offices: { answered: recorder.answered },
      workers: [auditSweepKind(house)],
      close: recorder.close,
    };
  },
});
