import { foundation } from './0001-foundation.ts';
import { waysIn } from './0002-ways-in.ts';
import { notifications } from './0003-notifications.ts';
import { lighterLog } from './0004-lighter-log.ts';
import { boundedAudit } from './0005-bounded-audit.ts';
import { familiarNetworks } from './0006-familiar-networks.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/** In order, without gaps: the newest number is the version of the database that this program needs. */
export const migrations: readonly Migration[] = [
  foundation,
  waysIn,
  notifications,
  lighterLog,
  boundedAudit,
  familiarNetworks,
];
