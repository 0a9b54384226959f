import type { CoreSettings } from '../../core/settings/core.ts';
import { constant, type SettingsOf, type SettingTable, setting, whole } from '../../core/settings/kinds.ts';
import type { Committing, Participant } from '../../core/store/contract.ts';
import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { createAuditRecorder } from './recorder.ts';
import { auditLogDocument, auditRoutes } from './routes.ts';
import { auditSchema, insertChange } from './store.ts';
import { auditSweepKind } from './sweeper.ts';
import * as tables from './tables.ts';

/** Retention of the audit log. */
const auditSettings = {
  auditDays: setting(whole(0, 36_500), 90, 'Days until an entry of the audit log is deleted. 0: never.'),
  auditRows: setting(
    whole(0, 1_000_000_000),
    1_000_000,
    'Maximum number of entries of the audit log. Beyond that, the oldest are deleted. At most half are refused logins. 0: no limit.',
  ),
  auditReads: setting(
    whole(0, 100_000_000),
    200_000,
    'Maximum number of requests without a change in the audit log. Beyond that, the oldest are deleted. They do not count as entries. 0: none, and the first request of a caller has no path.',
  ),
  auditReadDays: setting(whole(1, 36_500), 14, 'Days until a request without a change is deleted from the audit log.'),
  auditPaths: constant(
    50,
    'Refused requests of one network with their own audit entries, per minute. Four times as many of one user. Further ones share an entry.',
  ),
} as const satisfies SettingTable;

/** Settings of the audit log, and those shared by all rooms. */
type AuditSettings = SettingsOf<typeof auditSettings> & CoreSettings;

/** The entry of a change is a row of its own commit: no change is without its entry. */
const auditParticipant: Participant = {
  name: 'audit',
  concerns: ['request'],
  after: ({ actor: { user, runAs, requestId, request }, now }: Committing) =>
    request
      ? [
          insertChange({
            at: now,
            user,
            runAs: runAs ?? null,
            method: request.method,
            path: request.path,
            query: request.query,
            matrix: request.matrix,
            contentType: request.contentType,
            contentLength: request.contentLength,
            reason: request.proof ?? null,
            address: request.address ?? null,
            requestId: requestId ?? null,
          }),
        ]
      : [],
};

/** Room of the audit log: actions with user, address and result. */
export const audit = defineRoom({
  name: 'audit',
  settings: auditSettings,
  tables,
  schema: globalThis.isEdgeModule ? [] : auditSchema(),
  documents: [{ auditLogDocument }],
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
