import { below } from '../http/route-group.ts';
import type { RoomContext } from '../room/context.ts';
import { defineRoom } from '../room/define-room.ts';
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
  open(context: RoomContext<AuditSettings>) {
    const recorder = createAuditRecorder(context);
    return {
      routes: [below('log', () => auditRoutes({ ...context, audit: recorder }))],
      participants: [auditParticipant],
      services: { answered: recorder.answered },
      workers: [auditSweepKind(context)],
      close: recorder.close,
    };
  },
});
