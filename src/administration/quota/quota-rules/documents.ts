import {
  boolean,
  dateTime,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { externalIdentifier } from '../../../core/documents/shared-documents.ts';
import { identifierOf, type ListedId } from '../../../room/entities/external-ids/rules.ts';
import type { Usage } from '../usage.ts';
import type { QuotaRuleRow } from './store.ts';

const resource = structure('QuotaResourceType', {
  name: element(oneOf('item', 'storage')).required,
  limit: element(integer).required.says('Number of items, or bytes.'),
  usage: element(integer).outputOnly.says('Exact at the time of the answer.'),
});

/** Several criteria combine with AND. */
export const quotaRuleDocument = document('QuotaRuleDocument', {
  id: element(string).outputOnly,
  description: element(string),
  user: element(string),
  group: element(string),
  collection: element(string),
  library: element(string),
  storage: element(string),
  storageGroup: element(string),
  tag: element(string).says('The name of a shape tag.'),
  externalId: list(externalIdentifier).outputOnly,
  resource: list(resource),
  enforce: element(boolean).says(
    'True: a change that would exceed a limit is refused. Default: a notification is sent.',
  ),
  updateFrequency: element(integer).says('Seconds between automatic evaluations.'),
  lastUpdate: element(dateTime).outputOnly.says('The last evaluation.'),
});
export type QuotaRule = Value<typeof quotaRuleDocument>;

export const quotaRuleListDocument = document('QuotaRuleListDocument', { rule: list(quotaRuleDocument.structure) });

const day = structure('QuotaDayType', {
  date: element(dateTime).says('Start of the day.'),
  item: element(integer).says('Number of items.'),
  storage: element(integer).says('Number of bytes.'),
});

export const quotaHistoryDocument = document('QuotaHistoryDocument', { id: element(string), day: list(day) });

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
