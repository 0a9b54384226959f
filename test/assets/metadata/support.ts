import type {
  MetadataDocumentValue,
  MetadataField,
  MetadataListValue,
} from '../../../src/assets/metadata/documents.ts';
import { type Merged, merge } from '../../../src/assets/metadata/merge/merge.ts';
import { metadataRequestOf } from '../../../src/assets/metadata/merge/request.ts';
import { emptyState, type MetadataState } from '../../../src/assets/metadata/merge/state.ts';
import { documentOf } from '../../../src/assets/metadata/view/document.ts';
import { storedView } from '../../../src/assets/metadata/view/parameters.ts';
import { runAtOnce } from '../../../src/core/lib/turn.ts';
import { type EntryName, openWorld, type Sent, type World } from '../../support/matrix.ts';
import { json, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { type WorldOptions, worldOf } from '../../support/world.ts';

/** Change sets on one entity, one after the other, without a service around it. */
export class Entity {
  state: MetadataState = emptyState();
  last: Merged | undefined;
  #serial = 0;

  /** Gives the document that the entity has then. */
  put(document: MetadataDocumentValue, user = 'ann', system = false): MetadataDocumentValue {
    const change = { id: `VX-${++this.#serial}`, user, at: this.#serial * 1000 };
    const isKept = (name: string) => !system && (name === 'created' || name.startsWith('__'));
    const request = metadataRequestOf(document, { system, isIgnored: isKept });
    this.last = runAtOnce(merge(this.state, request, { change, strict: true, isKept }));
    this.state = this.last.state;
    return this.document;
  }

  get document(): MetadataDocumentValue {
    return runAtOnce(documentOf(this.state, storedView));
  }
}

export const value = (text: string, more: object = {}) => ({ value: text, ...more });
export const field = (name: string, ...texts: readonly string[]): MetadataField => ({
  name,
  value: texts.map((text) => ({ value: text })),
});

/** In what is not timed. */
export const untimed = (...fields: readonly MetadataField[]): MetadataDocumentValue => ({
  timespan: [{ field: fields }],
});

/** The fields of what is not timed: by name, with the texts of their values. */
export const textsOf = ({ timespan = [] }: MetadataDocumentValue, start = '-INF'): Record<string, readonly string[]> =>
  Object.fromEntries(
    (timespan.find((span) => span.start === start)?.field ?? []).map(({ name, value: values = [] }) => [
      name!,
      values.map((each) => each.value!),
    ]),
  );

export const by = (request: string, body?: Sent['body'], as: Credentials = admin) => ({
  as,
  request: `${request.split(' ')[0]} /API${request.split(' ')[1]}`,
  body,
  headers: json,
});

/** A service with fields and groups, an item VX-1 and a collection VX-1. */
export const openMetadata = (entry: EntryName = 'fetch', options: WorldOptions = {}): Promise<World> =>
  worldOf('metadata', options, (given) => openWorld(entry, given));

export async function entityRows({ service }: World, serial: number): Promise<void> {
  const row = (table: string) => ({
    sql: `INSERT INTO ${table} (id, serial, created_at) VALUES (?, ?, 0)`,
    args: [`VX-${serial}`, serial],
  });
  await service.store.commit({ changes: [row('item'), row('collection')], events: [] }, { user: 'test' });
}

export async function sendWell(world: World, sent: Sent): Promise<string> {
  return (await send(world, sent)).body;
}

export const documentIn = async <T = MetadataDocumentValue>(world: World, sent: Sent): Promise<T> =>
  JSON.parse(await sendWell(world, sent)) as T;

/** Writes the metadata of the item VX-1. */
export async function putItem(
  world: World,
  body: object,
  query = '',
  as?: Credentials,
): Promise<MetadataDocumentValue> {
  const { item } = await documentIn<MetadataListValue>(world, by(`PUT /item/VX-1/metadata${query}`, body, as));
  return item![0]!.metadata!;
}

export async function getItem(world: World, query = ''): Promise<MetadataDocumentValue> {
  const { item } = await documentIn<MetadataListValue>(world, by(`GET /item/VX-1/metadata${query}`));
  return item![0]!.metadata!;
}
