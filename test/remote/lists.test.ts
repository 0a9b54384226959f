import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallCount } from '../../src/core/store/contract.ts';
import { openRemoteDatabase } from '../../src/core/store/remote/remote-database.ts';
import { isLong } from '../support/long.ts';
import { openBehind, type World } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { type Sqld, sqldBinary, startSqld } from '../support/sqld.ts';

/** Numbers of entities of each kind. The page of a single entry is not measured for its weight, which takes a call. */
const sizes = isLong ? [2, 30] : [2, 8];
/** The short form asks the routes whose pages have most beside each entry. */
const shortForm = /^\/(?:item|collection|search)(?:$|\/)/;
const json = { accept: 'application/json' };
const all = 'metadata,uri,shape,poster,thumbnail,access,merged-access,external';

describe.skipIf(sqldBinary() === undefined)('calls to a remote database for a list', () => {
  let server: Sqld;
  let world: World;
  const ends: (() => Promise<void>)[] = [];
  const items: string[] = [];
  const ids: Record<string, string> = {};
  const measured = new Map<string, number[]>();

  async function send(request: string, body?: object) {
    const answer = await world.send({ as: admin, request, headers: json, ...(body && { body }) });
    expect(answer.status, `${request}: ${answer.body.slice(0, 300)}`).toBeLessThan(300);
    return answer.body;
  }
  async function callsOf(request: string, body?: object): Promise<number | undefined> {
    const from = world.lines.length;
    const answer = await world.send({ as: admin, request, headers: json, ...(body && { body }) });
    const line = world.lines.slice(from).find(({ event }) => event === 'request');
    return answer.status < 300 ? Number(line?.['calls']) : undefined;
  }
  const idIn = (text: string) => /[A-Z]{2}-\d+/.exec(text)![0];

  /** Adds one more of each kind. */
  async function add(number: number): Promise<void> {
    const item = idIn(
      await send('POST /API/import/placeholder', {
        timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: `Title ${number}` }] }] }],
      }),
    );
    items.push(item);
    ids['item'] ??= item;
    const first = ids['item'];
    const collection = idIn(await send(`POST /API/collection?name=collection${number}`));
    ids['collection'] ??= collection;
    await send(`PUT /API/collection/${ids['collection']}/${item}`);
    await send(`PUT /API/collection/${collection}/${first}`);
    await send('POST /API/user', { userName: `user${number}`, password: 'a long pass phrase' });
    await send(`PUT /API/group/group${number}`);
    await send(`PUT /API/group/group0/user/user${number}`);
    await send(`PUT /API/group/group${number}/user/user0`);
    await send(`POST /API/item/${first}/access`, { user: `user${number}`, permission: 'READ' });
    await send(`POST /API/item/${item}/access`, { user: 'user0', permission: 'READ' });
    await send(`PUT /API/metadata-field/portico_list_${number}`, { type: 'string' });
    await send(`PUT /API/metadata-field/field-group/list${number}`);
    const storage = idIn(await send('POST /API/storage', { method: [{ uri: `memory:///lists-${number}/` }] }));
    ids['storage'] ??= storage;
  }

  beforeAll(async () => {
    server = await startSqld();
    const calls = new AsyncLocalStorage<CallCount>();
    const database = openRemoteDatabase(server.url, { calls, group: false, deadline: 60_000 });
    world = await openBehind('fetch', { database }, (end) => ends.push(end));
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await server.stop();
  });

  it('do not grow with its entries', { timeout: 600_000 }, async () => {
    ids['user'] = 'user0';
    ids['group'] = 'group0';
    const lists = world.service.routes.filter(
      ({ method, path }) =>
        method === 'GET' &&
        (isLong || shortForm.test(path)) &&
        [...path.matchAll(/:(\w+)/g)].every(([, name]) =>
          ['item', 'collection', 'user', 'group', 'storage'].includes(name!),
        ),
    );
    const requests = lists.map(({ path }) => {
      const target = path.replace(/\{[^}]*\}/g, '').replace(/:(\w+)/g, (_, name) => `\0${name}\0`);
      const content = /item$|collection$/.test(target) ? `?content=${all}` : '';
      return {
        route: `GET ${path}`,
        request: `GET ${target.startsWith('/API') || target.startsWith('/health') || target.startsWith('/ui') ? '' : '/API'}${target}${content}`,
      };
    });
    let made = 0;
    for (const size of sizes) {
      for (; made < size; made++) await add(made);
      const filled = (text: string) => text.replace(/\0(\w+)\0/g, (_, name) => ids[name] ?? '');
      for (const { route, request } of requests) {
        await callsOf(filled(request));
        const calls = await callsOf(filled(request));
        if (calls !== undefined) measured.set(route, [...(measured.get(route) ?? []), calls]);
      }
      const search = `PUT /API/item?content=${all}&number=${size}`;
      await callsOf(search, {});
      measured.set('PUT /item', [...(measured.get('PUT /item') ?? []), (await callsOf(search, {}))!]);
    }
    // Calls for each entry would be six more, or twenty-eight. A slow machine reads anew what it read ahead, which is one.
    const grown = [...measured].filter(([, calls]) => Math.max(...calls) > calls[0]! + 1);
    expect(grown).toEqual([]);
    expect(measured.size).toBeGreaterThan(isLong ? 150 : 30);
  });

  it('in a request do not grow with what it names', async () => {
    await send('PUT /API/external-id/namespace?name=tapes', { pattern: 'tape .*' }).catch(() => undefined);
    await send('PUT /API/shape-tag/cut', { format: 'mp4' });
    const [item] = items;
    const files: string[] = [];
    const newFile = async (name: string) =>
      idIn(await send(`POST /API/storage/${ids['storage']}/file?path=${name}.mov&state=CLOSED`));
    const duration = { samples: 50, timeBase: { numerator: 1, denominator: 25 } };
    for (const [number, id] of items.slice(0, 8).entries()) {
      await send(`PUT /API/item/${id}/external-id/tape%20${number}`);
      files.push(await newFile(`clip${number}`));
      const file = [{ id: await newFile(`film${number}`) }];
      const media = { containerComponent: { duration, file }, videoComponent: [{ codec: 'h264', file }] };
      await send(`POST /API/item/${id}/shape/create?tag=original`, media);
    }
    const facets = ['type', 'state', 'user', 'priority', 'desk', 'room', 'tape', 'film'];
    const requests: readonly (readonly [string, (count: number, again: number) => object])[] = [
      [
        `PUT /API/item/${item}/conform?tag=cut`,
        (count) => ({
          conform: { timeline: { segment: items.slice(0, count).map((id) => ({ source: { id } })) } },
        }),
      ],
      ['PUT /API/job/search', (count) => ({ facet: facets.slice(0, count).map((field) => ({ field })) })],
      [
        `PUT /API/collection/${ids['collection']}`,
        (count) => ({ content: facets.slice(0, count).map((_, number) => ({ id: `tape ${number}`, mode: 'add' })) }),
      ],
      [
        `POST /API/item/${item}/shape/create`,
        (count, again) => ({
          videoComponent: files.slice(again, again + count).map((id) => ({ file: [{ id }] })),
        }),
      ],
    ];
    for (const [request, body] of requests) {
      const few = await callsOf(request, body(2, 0));
      const many = await callsOf(request, body(4, 2));
      expect([request, few, many]).toEqual([request, expect.any(Number), expect.any(Number)]);
      expect(many, request).toBeLessThanOrEqual(few!);
    }
  });

  it('that is deleted at once do not grow with it', async () => {
    const remove = async (some: readonly string[]) =>
      callsOf(`DELETE /API/item?${some.map((id) => `id=${id}`).join('&')}`);
    const one = await remove(items.splice(1, 1));
    const many = await remove(items.splice(1));
    expect(many).toBeLessThanOrEqual(one!);
  });
});
