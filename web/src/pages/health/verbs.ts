import type { AccessControlMergedDocument, CollectionListDocument, ItemListDocument, ItemType } from 'portico/types';
import { get, send } from '../../api/client.ts';
import { nameIn, valuesOf } from '../library/results.ts';

/** Kinds of things, as the paths of the API name them. */
type Kind = 'item' | 'collection';

/** Request for each verb, by the kind of its thing: `*` stands for the id. `none`: the verb needs no thing. */
const requests = {
  look: { item: 'GET /item/*', collection: 'GET /collection/*' },
  change: { item: 'PUT /item/*/metadata', collection: 'PUT /collection/*' },
  delete: { item: 'DELETE /item/*', collection: 'DELETE /collection/*' },
  comment: { item: 'POST /item/*/annotation' },
  approve: { item: 'PUT /item/*/shape/version/0/approval' },
  share: { item: 'POST /item/*/share', collection: 'POST /collection/*/share' },
  export: { item: 'POST /item/*/export' },
  access: { item: 'POST /item/*/access', collection: 'POST /collection/*/access' },
  upload: { none: 'POST /import/raw' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Kind | 'none', string>>>>>;

export type Verb = keyof typeof requests;
export const verbs = Object.keys(requests) as readonly Verb[];

export const verbOf = (name: string | undefined): Verb => verbs.find((each) => each === name) ?? 'look';
export const needsThing = (verb: Verb): boolean => !('none' in requests[verb]);

/** Path of an item or a collection in the API: `/item/VX-1`. Undefined: it is of another kind. */
export const thingOf = (path = ''): { readonly kind: Kind; readonly id: string } | undefined => {
  const [, kind, id] = /^\/(item|collection)\/([^/]+)$/.exec(path) ?? [];
  return kind === undefined || id === undefined ? undefined : { kind: kind as Kind, id };
};

/** The request that stands for a verb on a thing. Undefined: nobody does that with such a thing. */
export function requestOf(verb: Verb, path: string | undefined) {
  const of: Readonly<Partial<Record<Kind | 'none', string>>> = requests[verb];
  const thing = thingOf(path);
  const request = of.none ?? (thing && of[thing.kind]?.replace('*', thing.id));
  const [method, target] = request?.split(' ') ?? [];
  return method === undefined ? undefined : { method, target: `/API${target}` };
}

export interface Thing {
  readonly path: string;
  readonly name: string;
  readonly kind: Kind;
}

const max = 6;
const names = { content: 'metadata', terse: true };

const itemThing = (item: ItemType): Thing => ({ path: `/item/${item.id}`, name: nameIn(valuesOf(item)), kind: 'item' });

/** Items and collections with words that begin so. */
export async function thingsNamed(text: string, signal: AbortSignal): Promise<readonly Thing[]> {
  const body = { text: [{ value: `${text.trim()}*` }] };
  const query = { ...names, number: max };
  const [{ item = [] }, { collection = [] }] = await Promise.all([
    send<ItemListDocument>('PUT', '/item', body, { query: { ...query, field: '__name,mediaType,created' }, signal }),
    send<CollectionListDocument>('PUT', '/collection', body, { query: { ...query, field: 'title' }, signal }),
  ]);
  return [
    ...item.map(itemThing),
    ...collection.map(({ id = '', name = id }): Thing => ({ path: `/collection/${id}`, name, kind: 'collection' })),
  ];
}

/** Name of a thing that an address has. One that is closed or gone has its id. */
export async function nameOfThing(path: string, signal: AbortSignal): Promise<string> {
  const { kind, id = '' } = thingOf(path) ?? {};
  const query = { ...names, field: kind === 'item' ? '__name,mediaType,created' : 'title' };
  const document = await get<ItemType & { readonly name?: string }>(path, { query, signal }).catch(() => undefined);
  if (!document) return id;
  return kind === 'item' ? nameIn(valuesOf(document)) : (document.name ?? id);
}

type Entry = NonNullable<AccessControlMergedDocument['access']>[number];

/** The entry that decides for a user, with the name of the collection that it stands on. */
export async function decidingEntry(path: string, user: string, type: string | undefined, signal: AbortSignal) {
  const query = { username: user, type };
  const { access = [] } = await get<AccessControlMergedDocument>(`${path}/merged-access`, { query, signal });
  const entry: Entry | undefined = access.find(({ matches }) => matches);
  const { collection } = entry ?? {};
  const place = collection === undefined ? undefined : await nameOfThing(`/collection/${collection}`, signal);
  return entry && { ...entry, place };
}
