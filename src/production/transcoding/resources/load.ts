import type { Reader } from '../../../core/store/statement.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import type { Transcoder } from '../../../spi/index.ts';
import type { TranscodingParts } from '../parts.ts';
import { findResource, findResourceById, resourceMustExist, type TranscodingResourceRow } from '../store.ts';
import type { TranscodingResource } from './documents.ts';
import { noSuchResource, resourceState } from './rules.ts';

/** A resource as callers see it. */
export function resourceFrom({
  id,
  type,
  document,
}: Pick<TranscodingResourceRow, 'id' | 'type' | 'document'>): TranscodingResource {
  const part = JSON.parse(document) as object | string;
  const state = resourceState(type);
  const content = type === 'thumbnail' || type === 'transcoder' ? { ...(part as object), state } : part;
  return { id, state, [type]: content };
}

/** Transcoders of this server, as read-only resources. */
export async function ownTranscoders(transcoders: readonly Transcoder[]): Promise<readonly TranscodingResource[]> {
  const resources: TranscodingResource[] = [];
  for (const each of transcoders) {
    const able = await each.abilities();
    if ('missing' in able) continue;
    const transcoder = { type: 'TRANSCODER', url: `portico:${each.name}`, version: able.version, state: 'ONLINE' };
    resources.push({ id: each.name, state: 'ONLINE', transcoder });
  }
  return resources;
}

/** Refuses the id of a resource that is neither stored nor a transcoder of this server. */
export async function mustBeResource(
  { store, transcoders }: Pick<TranscodingParts, 'store' | 'transcoders'>,
  id: string,
): Promise<void> {
  if (await findResourceById(store, { id })) return;
  if ((await ownTranscoders(transcoders())).some((each) => each.id === id)) return;
  throw noSuchResource(id);
}

type ResourceAt<E> = PathEntity<E, { readonly type: string }>;

/** Stored resources in paths, below their type. */
export const storedResource = (reader: Reader): ResourceAt<TranscodingResourceRow> => ({
  kind: 'resource',
  async find(id, _call, { type }) {
    const row = await findResource(reader, { type, id });
    if (row) return row;
    throw noSuchResource(id);
  },
  stays: ({ id }) => resourceMustExist(id, noSuchResource(id)),
});

/** Stored resources and the transcoders of this server in paths, below their type. */
export const anyResource = ({
  store,
  transcoders,
}: Pick<TranscodingParts, 'store' | 'transcoders'>): ResourceAt<TranscodingResource> => ({
  kind: 'resource',
  async find(id, _call, { type }) {
    const row = await findResource(store, { type, id });
    if (row) return resourceFrom(row);
    const own = type === 'transcoder' ? await ownTranscoders(transcoders()) : [];
    const resource = own.find((each) => each.id === id);
    if (resource) return resource;
    throw noSuchResource(id);
  },
});
