import type { ExternalIdentifierList } from '../../../core/documents/index.ts';

/** `entityType`: what documents call the kind. */
export const listOf = (entityType: string, rows: readonly ListedId[]): ExternalIdentifierList => ({
  id: rows.map((row) => identifierOf(entityType, row)),
});

export interface ListedId {
  readonly entityId: string;
  readonly externalId: string;
  readonly namespace: string | null;
}

export const identifierOf = (entityType: string, { entityId, externalId, namespace }: ListedId) => ({
  entityId,
  entityType,
  namespace: namespace ?? undefined,
  externalId,
});
