import type { Transcoder } from '../../spi/index.ts';
import type { TranscodingResource } from './documents.ts';
import { resourceState } from './rules.ts';
import type { TranscodingResourceRow } from './store.ts';

/** A resource as callers see it. */
export function resourceFrom({
  id,
  type,
  document,
}: Pick<TranscodingResourceRow, 'id' | 'type' | 'document'>): TranscodingResource {
  const part = JSON.parse(document) as object | string;
  const state = resourceState(type);
  const told = type === 'thumbnail' || type === 'transcoder' ? { ...(part as object), state } : part;
  return { id, state, [type]: told };
}

/** Transcoders of this server, as read-only resources. */
export async function ownTranscoders(transcoders: readonly Transcoder[]): Promise<readonly TranscodingResource[]> {
  const found: TranscodingResource[] = [];
  for (const { name, abilities } of transcoders.map((each) => ({
    name: each.name,
    abilities: () => each.abilities(),
  }))) {
    const able = await abilities();
    if ('missing' in able) continue;
    const transcoder = { type: 'TRANSCODER', url: `portico:${name}`, version: able.version, state: 'ONLINE' };
    found.push({ id: name, state: 'ONLINE', transcoder });
  }
  return found;
}
