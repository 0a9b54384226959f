import { below } from '../http/route-group.ts';
import { defineRoom } from '../room/define-room.ts';
import type { House } from '../room/house.ts';
import { auditLogDocument } from './documents.ts';
import { boundedAudit } from './migrations/0005-bounded-audit.ts';
import { narrowAudit } from './migrations/0037-narrow-audit.ts';
import { auditReads } from './migrations/0053-audit-reads.ts';
import { auditParticipant } from './participant.ts';
import { createAuditRecorder } from './recorder.ts';
import { auditRoutes } from './routes.ts';
import { type AuditSettings, auditSettings } from './settings.ts';
import { auditSweepKind } from './sweeper.ts';
import * as tables from './tables.ts';

/** Who did what, as whom, from where, and what came of it. */
export const audit = defineRoom({
  name: 'audit',
  settings: auditSettings,
  tables,
  migrations: [boundedAudit, narrowAudit, auditReads],
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
