import type { CoreSettings } from '../settings/core.ts';
import { type SettingsOf, type SettingTable, setting, whole } from '../settings/kinds.ts';

/** Retention of the audit log. */
export const auditSettings = {
  auditDays: setting(whole(0, 36_500), 90, 'Days until an entry of the audit log is deleted. 0: never.'),
  auditRows: setting(
    whole(0, 1_000_000_000),
    1_000_000,
    'Most entries of the audit log; beyond, the oldest go. At most half of them are of callers who were not let in. 0: no limit.',
  ),
  auditReads: setting(
    whole(0, 100_000_000),
    200_000,
    'Most requests without a change that the audit log keeps; beyond, the oldest go. They are not part of the limit of entries. 0: it keeps none.',
  ),
  auditReadDays: setting(
    whole(1, 36_500),
    14,
    'Days until a request without a change is deleted from the audit log, if its other entries do not go before.',
  ),
  auditPaths: setting(
    whole(1, 1_000),
    50,
    'Different refused requests of one network with entries of their own, each minute; four times as many of one user. Further ones share an entry.',
  ),
} as const satisfies SettingTable;

/** Settings of the audit log, and those shared by all rooms. */
export type AuditSettings = SettingsOf<typeof auditSettings> & CoreSettings;
