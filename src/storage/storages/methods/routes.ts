import { existing } from '../../../core/lib/checks.ts';
import { fitsWildcard } from '../../../core/lib/search-pattern.ts';
import type { Call } from '../../../http/call.ts';
import { raw } from '../../../http/forms.ts';
import { flag, type QueryOf, text, whole } from '../../../http/parameters/index.ts';
import { lines, noContent, type Reply } from '../../../http/reply.ts';
import { type Params, type Route, route, segment } from '../../../http/route.ts';
import { keyValuesOf } from '../../../room/entities/key-values/store.ts';
import { storageMethodListDocument } from '../../documents.ts';
import type { StorageParts } from '../../parts.ts';
import { methodFrom } from '../documents.ts';
import { readStorages, storageNamed, writeStorages } from '../entity.ts';
import { type MethodRow, methodsOf } from '../store.ts';
import { badAddress, maskedUri, readAddress } from './address.ts';
import { decideMethods } from './decisions.ts';
import { noSuchMethod, removeMethodPlan, type StorageWithMethods, writeMethod } from './rules.ts';

/** An id of this API: `VX-17`. */
const isId = (text: string): boolean => /^(?:[A-Za-z_]+-)?[A-Za-z_]\w*-\d+$/.test(text);

/** Answer for a path with an invalid id, in the form that clients know for unknown routes. */
const unrouted: Reply = {
  status: 404,
  type: 'application/json',
  body: '{"code":404,"message":"HTTP 404 Not Found"}',
};

const filters = {
  read: flag('Only methods for reading', false),
  write: flag('Only methods for writing', false),
  browse: flag('Only methods for scans', false),
  url: text('Only the methods of this address; "*" and "?" stand for any characters and any one character'),
};

const changes = {
  url: text('The address, such as file:///srv/media/'),
  read: flag('Whether files are read by this method. Default for a new method: true'),
  write: flag('Whether files are written by this method. Default for a new method: true'),
  browse: flag('Whether scans use this method. Default for a new method: true'),
  bandwidth: whole('Bits per second'),
  type: text('"NONE" for ordinary methods'),
};

type MethodFilter = QueryOf<typeof filters>;
type MethodQuery = QueryOf<typeof changes>;

export function storageMethodRoutes(parts: StorageParts): readonly Route[] {
  const { store, clock, places } = parts;
  const path = '/storage/:storage/method';
  const onMethod = `${path}/:method`;
  const lists = { answers: raw(storageMethodListDocument), access: readStorages } as const;
  const writes = {
    answers: raw(['text', storageMethodListDocument]),
    access: writeStorages,
    acting: 'allowed',
  } as const;

  async function stateOf(params: Params): Promise<StorageWithMethods> {
    const row = await storageNamed(store, segment(params, 'storage'));
    return { row, methods: await methodsOf(store, { id: row.id }) };
  }

  async function list(call: Call<MethodFilter>, params: Params): Promise<Reply> {
    const { methods } = await stateOf(params);
    const isMeant = (row: MethodRow) => params['method'] === undefined || row.id === params['method'];
    return answer(
      methods.filter((row) => isMeant(row) && passes(row, call.query)),
      call,
    );
  }

  async function answer(rows: readonly MethodRow[], { type, render }: Call): Promise<Reply> {
    if (type === 'text/plain') return lines(rows.map((row) => [row.id, maskedUri(row), row.type || 'NONE']));
    const metadata = await keyValuesOf(
      store,
      'storage-method',
      rows.map(({ id }) => id),
    );
    const method = rows.map((row) => ({ ...methodFrom(row, metadata.get(row.id)), bandwidth: row.bandwidth }));
    return render(type, storageMethodListDocument, method.length === 0 ? {} : { method });
  }

  /** By its id, or by its address: then a new one where the storage has none with it. */
  async function put(call: Call<MethodQuery>, params: Params): Promise<Reply> {
    const { id } = await call.change(async () => {
      const state = await stateOf(params);
      const named = params['method'];
      if (named !== undefined && !state.methods.some((row) => row.id === named)) throw noSuchMethod(named);
      const { url, ...rest } = call.query;
      const storage = state.row.id;
      if (url === undefined) throw badAddress('the address of the method in the parameter "url"', undefined, storage);
      const request = { ...rest, id: named, address: readAddress(url, storage) };
      const [decided] = await decideMethods(parts, call, storage, methodsFor(state.methods, named), [request]);
      return { ...writeMethod(state, decided!, (uri) => places.unread(uri), clock.now()), id: decided!.id };
    });
    const { methods } = await stateOf(params);
    return answer(
      methods.filter((row) => row.id === id),
      call,
    );
  }

  async function remove(call: Call, params: Params, isMeant: (row: MethodRow) => boolean, name: string): Promise<void> {
    await call.change(async () => {
      const state = await stateOf(params);
      const row = existing(state.methods.find(isMeant), noSuchMethod, name);
      return removeMethodPlan(state, row, (uri) => places.unread(uri));
    });
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The methods of a storage.',
      query: filters,
      ...lists,
      handle: (call, params) => list(call, params),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Adds a method to a storage, or changes the method with the address.',
      query: changes,
      ...writes,
      handle: (call, params) => put(call, params),
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes the method with this address from a storage.',
      query: { url: changes.url },
      access: writeStorages,
      acting: 'allowed',
      status: 204,
      async handle(call, params) {
        const { url } = call.query;
        const { id } = await storageNamed(store, params.storage);
        if (url === undefined) throw badAddress('the address of the method in the parameter "url"', undefined, id);
        const { uri } = readAddress(url, id);
        await remove(call, params, (row) => row.uri === uri, uri);
      },
    }),
    route({
      method: 'GET',
      path: onMethod,
      says: 'A list with one method of a storage. Empty if there is no such method.',
      query: filters,
      ...lists,
      handle: (call, params) => (isId(params.method) ? list(call, params) : unrouted),
    }),
    route({
      method: 'PUT',
      path: onMethod,
      says: 'Changes a method. The address is required. Other parameters that are left out stay.',
      query: changes,
      ...writes,
      handle: (call, params) => (isId(params.method) ? put(call, params) : unrouted),
    }),
    route({
      method: 'DELETE',
      path: onMethod,
      says: 'Removes a method from a storage.',
      access: writeStorages,
      acting: 'allowed',
      answers: raw([]),
      status: 204,
      async handle(call, params) {
        const id = params.method;
        if (!isId(id)) return unrouted;
        await remove(call, params, (row) => row.id === id, id);
        return noContent;
      },
    }),
  ];
}

/** With an id only that method is meant, whichever address another one has. */
const methodsFor = (methods: readonly MethodRow[], id: string | undefined): readonly MethodRow[] =>
  id === undefined ? methods : methods.filter((row) => row.id === id);

function passes(row: MethodRow, { read, write, browse, url }: MethodFilter): boolean {
  const flags = (!read || row.read === 1) && (!write || row.write === 1) && (!browse || row.browse === 1);
  return flags && (url === undefined || fitsWildcard(url, row.uri));
}
