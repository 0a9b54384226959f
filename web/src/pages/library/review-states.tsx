import { signal } from '@preact/signals';
import type { ItemListDocument } from 'portico/types';
import { send } from '../../api/client.ts';
import { onEvent } from '../../api/events.ts';
import { Mark } from '../../components/chips.tsx';
import { may } from '../../rights.ts';
import { approvalField, type Facet } from './facets.ts';
import { stateName } from './narrowed.ts';
import type { Results } from './results.ts';
import { documentOf, oneOf, reviewStates, type Search, stateIs, unreviewed, withPick } from './search.ts';

const tones = { 'in-review': 'live', approved: 'good', rejected: 'bad' } as const;
type State = keyof typeof tones;

/** States of items by their ids. Undefined: without one. */
const itemStates = signal<ReadonlyMap<string, State | undefined>>(new Map());
const readIds = new Set<string>();
/** Ids of one search: it takes up to 500 values. */
const batch = 100;

async function having(ids: readonly string[], ...some: readonly State[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const body = { field: [oneOf(ids)], ...stateIs(some) };
  const query = { number: String(batch), count: 'false' };
  const { item = [] } = await send<ItemListDocument>('PUT', '/item', body, { query });
  return new Set(item.flatMap(({ id }) => id ?? []));
}

let hasAny: Promise<boolean> | undefined;

/** Whether any item has a state: many services review nothing, and need no further question. */
async function isReviewing(): Promise<boolean> {
  if (!may('approval.read')) return false;
  hasAny ??= send<ItemListDocument>('PUT', '/item', stateIs(reviewStates), { query: { number: '0' } }).then(
    ({ hits = 0 }) => hits > 0,
    () => false,
  );
  return hasAny;
}

async function read(ids: readonly string[]): Promise<void> {
  const any = [...(await having(ids, ...reviewStates))];
  const [inReview, rejected] = await Promise.all([having(any, 'in-review'), having(any, 'rejected')]);
  const next = new Map(itemStates.value);
  for (const id of ids) next.set(id, undefined);
  for (const id of any) next.set(id, inReview.has(id) ? 'in-review' : rejected.has(id) ? 'rejected' : 'approved');
  itemStates.value = next;
}

/** Reads the states of items that are new in a list. Without them the tiles say less. */
export async function readStates(ids: readonly string[]): Promise<void> {
  if (!(await isReviewing())) return;
  const missing = ids.filter((id) => !readIds.has(id));
  for (const id of missing) readIds.add(id);
  for (let at = 0; at < missing.length; at += batch) read(missing.slice(at, at + batch)).catch(() => undefined);
}

onEvent(['approval/*', 'shape/*'], ({ name, entityId }) => {
  const isApproval = name?.startsWith('approval/');
  if (isApproval) hasAny = Promise.resolve(true);
  if (isApproval || readIds.has(entityId)) read([entityId]).catch(() => undefined);
});

/** The state of an item as a mark on its tile. */
export function stateMark(id: string | undefined) {
  const state = itemStates.value.get(id ?? '');
  return (
    state && (
      <span class="review-state">
        <Mark tone={tones[state]}>{stateName(state)}</Mark>
      </span>
    )
  );
}

/** Counts, for the filters, the items in each state, and without one. */
export async function countStates(results: Results, search: Search, facets: readonly Facet[]): Promise<void> {
  if (!(await isReviewing())) return;
  const { path, query, within } = results.place;
  const { [approvalField]: _own, ...picks } = search.picks;
  const count = await Promise.all(
    [...reviewStates, unreviewed].map(async (fieldValue) => {
      const only = withPick({ ...search, picks }, approvalField, fieldValue, true);
      const body = documentOf(only, { facets, counts: false, marked: [], within });
      const { hits = 0 } = await send<ItemListDocument>('PUT', path, body, { query: { ...query, number: '0' } });
      return { fieldValue, value: hits, count: hits };
    }),
  );
  const counted = { name: approvalField, count: count.filter((each) => each.count > 0) };
  results.counts.value = new Map(results.counts.value).set(approvalField, counted);
}
