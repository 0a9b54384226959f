import type { ExternalIdentifierList } from '../../documents/index.ts';

/** `entityType`: what documents call the kind. */
export const listOf = (
  entityType: string,
  rows: readonly { readonly entityId: string; readonly externalId: string }[],
): ExternalIdentifierList => ({
  id: rows.map(({ entityId, externalId }) => ({ entityId, entityType, externalId })),
});
