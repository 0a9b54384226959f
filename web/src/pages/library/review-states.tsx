import { signal } from '@preact/signals';
import type { ItemListDocument, SearchFilterType, UsageStateType } from 'portico/types';
import { send } from '../../api/client.ts';
import { onEvent } from '../../api/events.ts';
import { Mark } from '../../components/chips.tsx';
import { may } from '../../rights.ts';
import { approvalField, type Facet, usageField } from './facets.ts';
import { rightsOf, stateName } from './narrowed.ts';
import type { Results, Tile } from './results.ts';
import {
  documentOf,
  oneOf,
  reviewStates,
  type Search,
  stateIs,
  unreviewed,
  usageFilters,
  usageIs,
  withPick,
} from './search.ts';

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

const any = new Map<string, Promise<boolean>>();

/** Whether any item has a state: many services review nothing or bound no rights, and need no further question. */
async function hasAny(field: string, having: SearchFilterType): Promise<boolean> {
  const answer =
    any.get(field) ??
    send<ItemListDocument>('PUT', '/item', { filter: [having] }, { query: { number: '0' } }).then(
      ({ hits = 0 }) => hits > 0,
      () => false,
    );
  any.set(field, answer);
  return answer;
}

const isReviewing = async () => may('approval.read') && (await hasAny(approvalField, stateIs(reviewStates)));

async function read(ids: readonly string[]): Promise<void> {
  const reviewed = [...(await having(ids, ...reviewStates))];
  const [inReview, rejected] = await Promise.all([having(reviewed, 'in-review'), having(reviewed, 'rejected')]);
  const next = new Map(itemStates.value);
  for (const id of ids) next.set(id, undefined);
  for (const id of reviewed) next.set(id, inReview.has(id) ? 'in-review' : rejected.has(id) ? 'rejected' : 'approved');
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
  if (isApproval) any.set(approvalField, Promise.resolve(true));
  if (isApproval || readIds.has(entityId)) read([entityId]).catch(() => undefined);
});

/** The state of an item under review, and that it may not be used now, as marks on its tile. */
export function stateMark({ id = '', usage }: Partial<Tile> = {}) {
  const state = itemStates.value.get(id);
  const isClosed = usage?.state !== undefined && usage.state !== 'usable';
  return (
    (state || isClosed) && (
      <span class="review-state">
        {isClosed && <Closed usage={usage} />} {state && <Mark tone={tones[state]}>{stateName(state)}</Mark>}
      </span>
    )
  );
}

function Closed({ usage }: { readonly usage: UsageStateType }) {
  const [tone, words] = rightsOf(usage.state);
  return (
    <span title={usage.reason}>
      <Mark tone={tone}>{words}</Mark>
    </span>
  );
}

/** Counts, for the filters, the items in each state of a review and of rights, and without one. */
export async function countStates(results: Results, search: Search, facets: readonly Facet[]): Promise<void> {
  const { path, query, within } = results.place;
  const countField = async (name: string, states: readonly string[]) => {
    const { [name]: _own, ...picks } = search.picks;
    const count = await Promise.all(
      states.map(async (fieldValue) => {
        const only = withPick({ ...search, picks }, name, fieldValue, true);
        const body = documentOf(only, { facets, counts: false, marked: [], within });
        const { hits = 0 } = await send<ItemListDocument>('PUT', path, body, { query: { ...query, number: '0' } });
        return { fieldValue, value: hits, count: hits };
      }),
    );
    const counted = { name, count: count.filter((each) => each.count > 0) };
    results.counts.value = new Map(results.counts.value).set(name, counted);
  };
  await Promise.all([
    (await isReviewing()) && countField(approvalField, [...reviewStates, unreviewed]),
    (await hasAny(usageField, usageIs(usageFilters))) && countField(usageField, usageFilters),
  ]);
}
