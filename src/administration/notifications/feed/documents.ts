import type { FeedEvent } from '../documents/event-list.ts';
import type { EventRow } from './store.ts';

export const feedEventOf = ({ runAs, requestId, payload, at, ...row }: EventRow): FeedEvent => ({
  sequence: row.sequence,
  name: row.name,
  entityType: row.entityType,
  entityId: row.entityId,
  timestamp: at,
  user: row.user,
  runAs: runAs ?? undefined,
  requestId: requestId ?? undefined,
  data: Object.entries(JSON.parse(payload) as Record<string, unknown>).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => ({ key, value: textOf(each) })),
  ),
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
