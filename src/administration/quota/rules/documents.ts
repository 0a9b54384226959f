import { identifierOf, type ListedId } from '../../../room/entities/external-ids/documents.ts';
import type { QuotaRule } from '../documents/quota-rule.ts';
import type { Usage } from '../evaluation/usage.ts';
import type { QuotaRuleRow } from './store.ts';

const textOrNone = (text: string | null): string | undefined => text ?? undefined;

/** A rule as answers tell it. Without `externalIds` it tells none of them. */
export function quotaRuleFrom(
  row: QuotaRuleRow,
  usage: Usage,
  externalIds: readonly ListedId[] | undefined,
): QuotaRule {
  const { itemLimit, storageLimit } = row;
  return {
    id: row.id,
    description: textOrNone(row.description),
    user: textOrNone(row.user),
    group: textOrNone(row.group),
    collection: textOrNone(row.collection),
    library: textOrNone(row.library),
    storage: textOrNone(row.storage),
    storageGroup: textOrNone(row.storageGroup),
    tag: textOrNone(row.tag),
    externalId: externalIds?.map((each) => identifierOf('quota-rule', each)),
    resource: [
      ...(itemLimit === null ? [] : [{ name: 'item' as const, limit: itemLimit, usage: usage.items }]),
      ...(storageLimit === null ? [] : [{ name: 'storage' as const, limit: storageLimit, usage: usage.bytes }]),
    ],
    ...(row.enforce === 1 && { enforce: true }),
    updateFrequency: row.updateFrequency,
    lastUpdate: row.lastUpdate ?? undefined,
  };
}
