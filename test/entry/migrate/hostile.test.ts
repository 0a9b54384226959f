import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ask, over } from '../../../src/entry/migrate/calls.ts';
import { pictureAt } from '../../../src/entry/migrate/pictures.ts';
import { makePlan, planLines } from '../../../src/entry/migrate/plan.ts';
import { openMigration, reachOriginal } from '../../../src/entry/migrate/run.ts';
import { proposeTable, readTable } from '../../../src/entry/migrate/table.ts';
import type { StorageType } from '../../../src/types.ts';
import { admin } from '../../support/service.ts';
import { hostile } from './hostile.ts';
import { furnish } from './house.ts';
import { askOf, openHouses, requestOf, run } from './support.ts';

/** Words of paths that the command knows itself. */
const words = new Set(
  [
    'user group enable password salt link metadata-field field-group access owner shape-tag script storage file data byURI',
    'storage-group transfer state item import placeholder metadata shape create component external-id thumbnailresource',
    'posterresource thumbnail poster relation collection library settings deletion-lock notification pause quota job document',
  ].flatMap((line) => line.split(' ')),
);

/** Requests that a target gets, without the names of what they are about. */
async function requestsTo(isHostile: boolean) {
  const houses = await openHouses();
  await furnish(houses.from, houses.storage);
  const asked: { readonly form: string; readonly given: string; readonly reached: string }[] = [];
  const [original, target] = [askOf(houses.from), askOf(houses.to)];
  const report = await run(
    requestOf(houses, {
      from: { address: 'http://old/API', ask: isHostile ? hostile(original) : original },
      to: {
        address: 'http://new/API',
        ask(path, init) {
          // As fetch understands the text.
          const reached = new URL(`http://new/API${path}`).pathname;
          const names = reached.split('/').slice(2);
          const form = names.map((name, at) => (at === 0 || words.has(name) ? name : '*')).join('/');
          asked.push({ form: `${init.method ?? 'GET'} ${form}`, given: `/API${path.split('?')[0]}`, reached });
          return target(path, init);
        },
      },
    }),
  );
  return { houses, asked, report };
}

describe('a hostile original', () => {
  it('whose names and addresses have dots, slashes, backslashes and parameters leads no request to another place', async () => {
    const honest = await requestsTo(false);
    const known = new Set(honest.asked.map(({ form }) => form));
    const { asked, houses, report } = await requestsTo(true);
    // A file that a second shape names is given to its components one by one.
    known.add('PUT item/*/shape/*/component/*/file/*');
    const elsewhere = asked.filter(({ form }) => !form.startsWith('GET') && !known.has(form));
    expect(elsewhere.map(({ form, reached }) => `${form} (${reached})`)).toEqual([]);
    expect(asked.filter(({ given, reached }) => given !== reached)).toEqual([]);
    // An entity that no path can name is a line of the report, and all else comes.
    expect(report.state).toBe('complete');
    expect(report.kind.find(({ kind }) => kind === 'item')).toMatchObject({ made: 2, failed: 8 });
    expect(asked.filter(({ form }) => form === 'PUT thumbnail/*/*/*')).toHaveLength(4);
    const me = await houses.to.service.fetch(
      new Request('http://new/API/user/admin', { headers: { authorization: `Basic ${btoa(admin.join(':'))}` } }),
    );
    expect(me.status).toBe(200);
  });

  it('whose pictures have no end costs a bounded number of bytes, and all else comes', async () => {
    const houses = await openHouses();
    await furnish(houses.from, houses.storage);
    const original = askOf(houses.from);
    let bytes = 0;
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          bytes += 1 << 20;
          controller.enqueue(new Uint8Array(1 << 20));
        },
      });
    const ask: typeof original = async (path, init) =>
      path.startsWith('/thumbnail/')
        ? new Response(endless(), { headers: { 'content-type': 'image/jpeg' } })
        : original(path, init);
    const { failure, remark } = await run(requestOf(houses, { from: { address: 'http://old/API', ask } }));
    expect([failure, remark.filter(({ text }) => text.startsWith('Pictures'))]).toEqual([
      [],
      [{ text: 'Pictures that do not come: Expected an answer of at most 33554432 bytes', count: 1, ids: ['VX-1'] }],
    ]);
    expect(bytes).toBeLessThan(2 * 36 * (1 << 20));
  });

  it('that redirects takes no credentials elsewhere', async () => {
    const received: string[] = [];
    const serve = async (answer: (response: ServerResponse) => void) => {
      const server = createServer((request, response) => {
        received.push(`${request.url} ${request.headers.authorization}`);
        answer(response);
      });
      await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
      onTestFinished(() => void server.close());
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/API`;
    };
    const elsewhere = await serve((response) => response.end('{}'));
    const original = await serve((response) => response.writeHead(302, { location: `${elsewhere}/user` }).end());
    await expect(over(original, 'token x')('/version', {})).rejects.toThrow('fetch failed');
    expect(received).toEqual(['/API/version token x']);
  });

  it('whose texts steer a terminal prints no such text, and adds no line', async () => {
    const houses = await openHouses();
    await furnish(houses.from, houses.storage);
    const sign = '\u001b]0;x\u0007\u009b2J\u202e\u2028\nTo do first\r';
    const ask: Ask = async (path, init) => {
      if (path.startsWith('/version')) return Response.json({ component: [{ name: 'API', version: `25.${sign}` }] });
      if (path.startsWith('/shape-tag/lowres'))
        return Response.json({ invalidInput: { explanation: sign } }, { status: 400 });
      return askOf(houses.from)(path, init);
    };
    const told: string[] = [];
    const request = requestOf(houses, {
      from: { address: 'http://old/API', ask },
      tell: (text) => void told.push(text),
    });
    const { failure } = await run(request);
    const plan = await makePlan(await openMigration(request, await reachOriginal(request)), 'here', 10);
    const printed = [planLines(plan), ...failure.flatMap(({ id, why }) => [id, why])];
    expect(failure).toHaveLength(1);
    for (const line of printed.join('\n').split('\n')) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
    expect(planLines(plan).match(/^To do first/gm) ?? []).toEqual([]);
    const storage = { id: `VX-1\nVX-2 file:///etc copy`, method: [{ uri: `file:///a ${sign}` }] };
    expect(readTable(proposeTable([storage as StorageType]))).toEqual(new Map());
  });

  const own = 'http://old:8080/vs/API';
  it.each([
    ['/API/thumbnail/VX-1/VX-9;version=1/0@PAL', '/thumbnail/VX-1/VX-9;version=1/0%40PAL'],
    ['http://10.0.0.1/API/thumbnail/VX-1/VX-9/25@30000:1001', '/thumbnail/VX-1/VX-9/25%4030000%3A1001'],
    ['http://old:8080/vs/API/thumbnail/VX-1/VX-9/0', '/thumbnail/VX-1/VX-9/0'],
    ['/APInoauth/thumbnail/VX-1/VX-9;version=0/0?hash=a', '/thumbnail/VX-1/VX-9;version=0/0'],
    ['http://old:8080/other/thumbnail/VX-1/VX-9/0', undefined],
    ['http://old:8080/vs/API/../../API/user/admin/password', undefined],
    ['http://u:p@old:8080/vs/API/thumbnail/VX-1/VX-9/0', undefined],
    ['file:///API/thumbnail/VX-1/VX-9/0', undefined],
    ['/API/thumbnail/VX-1/VX-9/%2e%2e', undefined],
    ['/API/thumbnail/VX-1/VX-9/0/1', undefined],
    ['/API/thumbnail/VX-1/VX-9/..%2fuser', undefined],
    ['/API/thumbnail/VX-1/VX-9/..\\user', undefined],
    ['/API/thumbnail/VX-1/VX-9;version=1;x=2/0', undefined],
    ['/API/user/admin/password', undefined],
  ])('has a picture at %s: %s', (uri, path) => {
    expect(pictureAt(uri, 'thumbnail', own)?.path.text).toBe(path);
  });
});
