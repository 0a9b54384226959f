import { flagProperty, type KnownProperties } from '../../../room/properties.ts';

export const lockProperties = {
  autoRemoveExpiredDeletionLocks: flagProperty(
    0,
    'Whether deletion locks of items and collections go when they expire.',
  ),
} as const satisfies KnownProperties;
