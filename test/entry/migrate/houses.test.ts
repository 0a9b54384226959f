import { describe, expect, it } from 'vitest';
import { by, done, jsonOf, send } from '../../support/requests.ts';
import { furnish } from './house.ts';
import { snapshotOf } from './snapshot.ts';
import { type Given, type Houses, memoryState, openHouses, outcomeOf, requestOf, run } from './support.ts';

async function furnished(): Promise<Houses> {
  const houses = await openHouses();
  await furnish(houses.from, houses.storage);
  return houses;
}

/** Kinds of which something came or changed. */
const changedIn = ({ kind }: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(
    kind.flatMap(({ kind: name, made, changed, deleted }) =>
      made + changed + deleted > 0 ? [[name, [made, changed, deleted]]] : [],
    ),
  );

describe('a house that moves', () => {
  it('has all that it had, and a second run changes nothing', async () => {
    const houses = await furnished();
    const folder = memoryState();
    const first = await run(requestOf(houses, { folder }));
    expect(outcomeOf(first)).toMatchObject({ failure: [], made: { item: 3, collection: 2, user: 2, library: 2 } });
    expect(await snapshotOf(houses.to)).toEqual(await snapshotOf(houses.from));
    const { state, reason } = await jsonOf<{ state: string; reason: string }>(
      houses.to,
      'GET /API/item/notification/VX-1/health',
    );
    expect([state, reason]).toEqual(['paused', 'Came from VX-1']);
    const before = await houses.to.sequence();
    const second = await run(requestOf(houses, { folder }));
    expect([second.target.writes, changedIn(second), await houses.to.sequence()]).toEqual([0, {}, before]);
  });

  it('moves on to a third one, whose programs still know the first ids', async () => {
    const houses = await furnished();
    await run(requestOf(houses));
    const next = await openHouses({ to: { settings: { firstId: 1_000_000_000 } } });
    const storages = new Map([['VX-1000000', { to: 'memory:///in/', copies: false }]]);
    const moved = { from: houses.to, to: next.to };
    const report = await run(requestOf(moved, { options: { storages } }));
    expect(report.failure.filter(({ kind }) => kind !== 'storage')).toEqual([]);
    const title = 'content=metadata&field=title&includeTransientMetadata=false';
    for (const id of ['VX-1', 'VX-1000000'])
      expect(JSON.stringify(await jsonOf(next.to, `GET /API/item/${id}?${title}`))).toContain('"value":"Harbour"');
  });

  it('takes what has changed since, and leaves what people have written here', async () => {
    const houses = await furnished();
    const { from, to } = houses;
    const folder = memoryState();
    await run(requestOf(houses, { folder }));
    const field = (name: string, ...values: readonly string[]) => ({ name, value: values.map((value) => ({ value })) });
    await send(to, by('PUT /API/item/VX-1/metadata', { timespan: [{ field: [field('x_secret', 'written here')] }] }));
    const groups = await done<{ item: { metadata: { timespan: { group: { uuid: string }[] }[] } }[] }>(
      from,
      by('GET /API/item/VX-1/metadata?interval=generic'),
    );
    const { uuid } = groups.item[0]!.metadata.timespan[0]!.group[0]!;
    const generic = { start: '-INF', end: '+INF' };
    for (const change of [
      by('PUT /API/item/VX-1/metadata', {
        timespan: [
          {
            ...generic,
            field: [field('title', 'Harbour II'), field('x_note'), field('x_note', 'only this')],
            group: [{ name: 'Film', uuid, mode: 'remove' }],
          },
          { start: '0@PAL', end: '50@PAL' },
          { start: '75@PAL', end: '80@PAL', field: [field('x_note', 'end')] },
        ],
      }),
      by('DELETE /API/item/VX-1/access/VX-2'),
      by('POST /API/item/VX-1/access', { group: 'staff', permission: 'ALL' }),
      by('DELETE /API/item/VX-2/shape/VX-3?keepFiles=true'),
      by('POST /API/item/VX-2/shape/create?tag=lowres', { binaryComponent: [{ format: 'mov' }] }),
      by('PUT /API/collection/VX-1/VX-3'),
      by('DELETE /API/collection/VX-1/VX-2?type=collection'),
      by('POST /API/collection/VX-1/order', { item: [{ id: 'VX-1', before: 'VX-2' }] }),
      by('DELETE /API/library/VX*1/VX-3'),
      by('DELETE /API/group/crew/user/ann'),
      by('PUT /API/user/ann', { userName: 'ann', realName: 'Ann B' }),
      by('DELETE /API/metadata-field/field-group/Film/group/Shot'),
      by('PUT /API/relation/VX-1?kind=teaser'),
      by('DELETE /API/relation/VX-2'),
      by('PUT /API/deletion-lock/VX-1', { expiryTime: '2042-01-01T00:00:00Z' }),
      by('DELETE /API/deletion-lock/VX-2'),
    ])
      await send(from, change);
    const report = await run(requestOf(houses, { folder }));
    expect(report.failure).toEqual([]);
    expect(changedIn(report)).toEqual({
      ...{ user: [0, 1, 0], 'field-group': [0, 1, 0], item: [0, 2, 0], library: [0, 1, 0], members: [0, 1, 0] },
      ...{ relation: [0, 2, 0], 'deletion-lock': [0, 1, 1] },
    });
    const written = await jsonOf(to, 'GET /API/item/VX-1/metadata?field=x_secret');
    expect(JSON.stringify(written)).toContain('written here');
    await send(to, by('PUT /API/item/VX-1/metadata', { timespan: [{ ...generic, field: [field('x_secret')] }] }));
    expect(await snapshotOf(to)).toEqual(await snapshotOf(from));
    expect((await run(requestOf(houses, { folder }))).target.writes).toBe(0);
  });

  it('loses what the original has lost only when it is told to', async () => {
    const houses = await furnished();
    const folder = memoryState();
    await run(requestOf(houses, { folder }));
    await send(houses.from, by('DELETE /API/item/VX-2?keepShapeTagMedia=*'));
    await send(houses.from, by('DELETE /API/collection/VX-2'));
    const again = (options: Given['options'] = {}) => run(requestOf(houses, { folder, options }));
    const kept = await again();
    expect(kept.remark.filter(({ text }) => text.includes('--delete')).map(({ ids }) => ids)).toEqual([
      ['VX-2'],
      ['VX-2'],
    ]);
    expect(await jsonOf(houses.to, 'GET /API/item/VX-2')).toEqual({ id: 'VX-1000001' });
    expect(changedIn(await again({ deletes: true }))).toEqual({ item: [0, 0, 1], collection: [0, 0, 1] });
    expect(await done(houses.to, by('PUT /API/item?number=0', {}))).toMatchObject({ hits: 2 });
    expect((await again({ deletes: true })).target.writes).toBe(0);
  });

  it('finds what a run has made whose journal is lost, and makes nothing twice', async () => {
    const houses = await furnished();
    await run(requestOf(houses));
    const before = await snapshotOf(houses.to);
    const report = await run(requestOf(houses, { folder: memoryState() }));
    expect(report.failure).toEqual([]);
    expect(await snapshotOf(houses.to)).toEqual(before);
  });

  it('has links for users who have no password, and for nobody else', async () => {
    const houses = await furnished();
    await send(houses.from, by('POST /API/user', { userName: 'cleo' }));
    const folder = memoryState();
    const options = { page: 'https://media.example.com/ui/' };
    const names = async () => {
      const { withoutPassword } = await run(requestOf(houses, { folder, options }));
      const links = [
        ...folder.files.get('links.txt')!.matchAll(/^(.*)\thttps:\/\/media\.example\.com\/ui\/first#link=(.{43})$/gm),
      ];
      return [withoutPassword, links.map(([, name]) => name), links.at(-1)?.[2]];
    };
    // The user ben may not log in.
    const [, first, link] = await names();
    expect(first).toEqual(['ann', 'cleo']);
    const session = await houses.to.service.fetch(
      new Request('http://127.0.0.1/APInoauth/session', { method: 'POST', body: String(link) }),
    );
    expect(session.status).toBe(204);
    await send(houses.to, {
      ...by('PUT /API/user/ann/password', 'a new pass phrase'),
      headers: { 'content-type': 'text/plain' },
    });
    expect((await names()).slice(0, 2)).toEqual([['cleo'], ['cleo']]);
  });

  it('writes to the storages in its last run', async () => {
    const houses = await furnished();
    const folder = memoryState();
    const writes = async () =>
      (await jsonOf<{ method: { write: boolean }[] }>(houses.to, 'GET /API/storage/VX-1')).method;
    await run(requestOf(houses, { folder }));
    expect(await writes()).toMatchObject([{ write: false }]);
    await run(requestOf(houses, { folder, options: { isFinal: true } }));
    expect(await writes()).toMatchObject([{ write: true }]);
  });

  it('leaves behind what cannot be here, says so, and brings the rest', async () => {
    const houses = await furnished();
    const { from, to } = houses;
    const value = (name: string, text: string) => ({ name, value: [{ value: text }] });
    for (const sent of [
      by('POST /API/group/', undefined),
      by('PUT /API/metadata-field/x_number', {
        type: 'integer',
        integerRestriction: { minInclusive: 1, maxInclusive: 5 },
      }),
      by('POST /API/item/VX-2/access', { user: 'ben', permission: 'READ' }),
      by('DELETE /API/user/ben?hard=true'),
    ].slice(1))
      await send(from, sent);
    await send(to, by('PUT /API/metadata-field/x_note', { type: 'string', stringRestriction: { maxLength: 3 } }));
    const folder = memoryState();
    // The definition of the original is written first, so the restriction comes back only now.
    await run(requestOf(houses, { folder, options: { without: new Set(['history']) } }));
    await send(to, by('PUT /API/metadata-field/x_note', { type: 'string', stringRestriction: { maxLength: 3 } }));
    await send(
      from,
      by('PUT /API/item/VX-3/metadata', {
        timespan: [{ field: [value('x_note', 'too long'), value('title', 'Third')] }],
      }),
    );
    const { failure, remark } = await run(requestOf(houses, { folder }));
    expect(failure).toEqual([]);
    expect(remark.map(({ text, ids }) => [text, ids])).toContainEqual([
      expect.stringMatching(/^Values of "x_note" are refused: 400 /),
      ['VX-3'],
    ]);
    expect(JSON.stringify(await jsonOf(to, 'GET /API/item/VX-3/metadata'))).toContain('"value":"Third"');
  });

  it('refuses the folder of another original', async () => {
    const houses = await openHouses();
    const folder = memoryState();
    await run(requestOf(houses, { folder }));
    const other = requestOf(houses, { folder });
    await expect(run({ ...other, from: { ...other.from, address: 'http://other/API' } })).rejects.toThrow(
      'Expected another folder in --state: this one is of http://old/API',
    );
  });
});
