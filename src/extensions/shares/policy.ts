import { askEach } from '../../core/lib/maybe.ts';
import type { Reader } from '../../core/store/statement.ts';
import { createProperties } from '../../identity/api-settings/public-reading.ts';
import { flagProperty, type KnownProperties, wholeProperty } from '../../room/properties.ts';
import type { Policy } from './documents.ts';

export const shareProperties = {
  sharing: flagProperty(1, 'Whether shares open, and new ones are made.'),
  maxShareDays: wholeProperty(0, 0, 'Days after which each share has ended, also those made before. 0: any number.'),
  shareNeedsPassword: flagProperty(0, 'Whether only shares with a password open.'),
} as const satisfies KnownProperties;

/** Reads the terms of administrators for all shares. */
export async function policyOf(reader: Reader): Promise<Policy> {
  const names = ['sharing', 'maxShareDays', 'shareNeedsPassword'] as const;
  const [sharing, maxDays, password] = await askEach(names, createProperties(reader, shareProperties));
  return { isOn: sharing === 1, maxDays: maxDays!, needsPassword: password === 1 };
}
