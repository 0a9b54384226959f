import type { CoreSettings } from '../settings/core.ts';
import { type SettingsOf, type SettingTable, setting, whole } from '../settings/kinds.ts';

/** Retention of the audit log. */
export const auditSettings = {
  auditDays: setting(whole(0, 36_500), 90, 'Days until an entry of the audit log is deleted. 0: never.'),
  auditRows: setting(
    whole(0, 1_000_000_000),
    1_000_000,
    'Maximum number of entries of the audit log. Beyond that, the oldest are deleted. At most half are refused logins. 0: no limit.',
  ),
  auditReads: setting(
    whole(0, 100_000_000),
    200_000,
    'Maximum number of requests without a change in the audit log. Beyond that, the oldest are deleted. They do not count as entries. 0: none.',
  ),
  auditReadDays: setting(whole(1, 36_500), 14, 'Days until a request without a change is deleted from the audit log.'),
  auditPaths: setting(
    whole(1, 1_000),
    50,
    'Refused requests of one network with their own audit entries, per minute. Four times as many of one user. Further ones share an entry.',
  ),
} as const satisfies SettingTable;

/** Settings of the audit log, and those shared by all rooms. */
export type AuditSettings = SettingsOf<typeof auditSettings> & CoreSettings;
