import { describe, expect, it } from 'vitest';
import { isLong } from '../../support/long.ts';
import { jsonOf } from '../../support/requests.ts';
import { compareHouses, type Reach } from './compare.ts';
import { entry, type ForeignHouse, foreignOriginal, items, longName } from './foreign-original.ts';
import { askOf, type Given, hastyClock, killedAt, memoryState, openHouses, requestOf, run } from './support.ts';

async function opened() {
  const houses = await openHouses();
  const clock = hastyClock();
  const original = foreignOriginal(clock);
  const folder = memoryState();
  const from = { address: 'http://old/API', ask: original.ask };
  const bring = (given: Given = {}) => run(requestOf(houses, { clock, folder, from, ...given }));
  return { houses, original, folder, bring };
}

/** Findings of a program that shares no code with the command. */
async function differences(house: ForeignHouse, { houses }: Pick<Awaited<ReturnType<typeof opened>>, 'houses'>) {
  const reach =
    (ask: ReturnType<typeof askOf>): Reach =>
    (path, init = {}) =>
      ask(path, init);
  return (await compareHouses(reach(house.calm), reach(askOf(houses.to)))).some;
}

/** Remarks and differences of things that cannot be here as they were there. */
const remarks = {
  'References to metadata elsewhere come as copies': items,
  'Users of the service keep the names and groups that they have here': 1,
  'The original refuses to tell notifications: 403. What came before stays': 1,
  'The original refuses to tell import settings: 403. What came before stays': 1,
  'The original refuses to tell scheduled requests: 403. What came before stays': 1,
  'Members of storages that do not come: "bean"': 1,
  'Storages have one method here: their further ones do not come': 1,
  'Queries of libraries run with the rights of an administrator, and not of their user': 1,
  'Members that a collection has twice come once, at their first place': 1,
};
const expected = ['collection VX-1 lacks: member 8: item VX-3 '];

describe('an original that answers as Portico never does', () => {
  it('comes whole wherever a run is killed, each remark is in each report, and in a second run nothing changes', async () => {
    const world = await opened();
    const { original, bring, houses, folder } = world;
    for (const step of isLong ? [1, 5, 9, 14, 22] : [30]) {
      const killed = killedAt(houses, step);
      await expect(bring(killed), `${step}`).rejects.toThrow('Killed');
    }
    const first = await bring();
    expect([first.failure, original.wrong]).toEqual([[], []]);
    expect(await differences(original, world)).toEqual(expected);
    expect(Object.fromEntries(first.remark.map(({ text, count }) => [text, count]))).toEqual(remarks);
    const second = await bring();
    expect([second.target.writes, second.remark]).toEqual([0, first.remark]);
    const get = (path: string) => jsonOf(houses.to, `GET /API/${path}`);
    expect(await get('storage/VX-1')).toMatchObject({ bandwidth: 8e6, sequenceTimeout: 90, showImportables: false });
    expect(await get('storage/storage-group/online')).toMatchObject({ data: [{ key: 'room', value: 'cellar' }] });
    expect(await get(`metadata-field/${longName}`)).toMatchObject({ externalId: ['KP-1-x'] });
    const page = folder.files.get('report.html')!;
    for (const text of [
      ...Object.keys(remarks),
      '8 items came over. Nothing failed. Not all is as it was: 9 remarks. 1 user cannot log in yet.',
      '<li>ann</li>',
    ])
      expect(page).toContain(text.replaceAll('"', '&quot;'));
  });

  it.each([
    ['this version', (journal: string) => journal],
    [
      '1.0.0-rc.1',
      (journal: string) => journal.replace(/^.*"kind":"item".*$/gm, (line) => line.replaceAll('"entry/', '"access/')),
    ],
  ])(
    'takes rights away and changes their levels, and so does the next run with a journal of %s',
    async (_title, asOf) => {
      const world = await opened();
      const { original, bring, folder } = world;
      await bring();
      folder.files.set('journal.jsonl', asOf(folder.files.get('journal.jsonl')!));
      for (const [path, entries] of original.access) {
        const at = Number(/\d+/.exec(path)![0]);
        const [owner, read, ...others] = entries;
        const level = read && at % 2 === 0 ? [{ ...read, permission: 'WRITE', recursive: true }] : [];
        original.access.set(path, [
          ...(owner ? [owner] : []),
          ...level,
          ...others.slice(1),
          entry(5000 + at, { user: 'ann' }, 'ALL'),
        ]);
      }
      original.relations.splice(1, 1);
      original.locks.splice(0, 1);
      for (const [at, pairs] of original.pairs)
        original.pairs.set(at, [{ key: 'reel', value: String(at) }, ...pairs.slice(1)]);
      const { failure, kind } = await bring();
      expect(failure).toEqual([]);
      expect(kind.find((each) => each.kind === 'item')).toMatchObject({ changed: items });
      expect(await differences(original, world)).toEqual(expected);
      expect((await bring()).target.writes).toBe(0);
    },
  );

  it('whose answers are not understood, or refused, changes and deletes nothing, and says so', async () => {
    const world = await opened();
    const { original, bring, houses } = world;
    await bring({ options: { deletes: true } });
    const html = () => new Response('<html>Log in</html>', { headers: { 'content-type': 'text/html' } });
    const lists = [/\/access$/, /\/relation$/, /\/external-id$/, /^\/deletion-lock/, /^\/library/, /^\/collection/];
    const more = [/^\/user/, /^\/group/, /^\/storage\/storage-group/, /^\/item/];
    const before = await houses.to.sequence();
    for (const [title, answer, places] of [
      ['a page', html, [...lists, ...more]],
      ['another document', () => Response.json({ message: 'In maintenance', status: 'ok' }), [...lists, ...more]],
      ['a list of something else', () => Response.json([1, 2]), lists],
      ['a refusal', () => new Response('', { status: 403 }), lists],
      ['a page that is not there', () => new Response('<h1>Not found</h1>', { status: 404 }), [...lists, ...more]],
    ] as const)
      for (const place of places) {
        original.instead.clear();
        original.instead.set(place, answer);
        const outcome = await bring({ options: { deletes: true } }).catch((error: unknown) => error as Error);
        const says = outcome instanceof Error || outcome.failed + outcome.remark.length > 0;
        expect([title, place, says, await houses.to.sequence()]).toEqual([title, place, true, before]);
      }
    original.instead.clear();
    expect((await bring()).target.writes).toBe(0);
  }, 300_000);
});
