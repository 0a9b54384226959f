import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileBelow, compilePath } from '../../../src/room/entities/key-values/rules.ts';
import { newGroup, people } from '../../support/cast.ts';
import { shareOfTries } from '../../support/long.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { cpuTime } from '../../support/turns.ts';

const acceptJson = { accept: 'application/json' };
const by = (request: string, body?: Scenario['body']): Pick<Scenario, 'as' | 'request' | 'body'> => ({
  as: admin,
  request,
  body,
});
const fields = (...pairs: (readonly [string, unknown])[]) => ({ field: pairs.map(([key, value]) => ({ key, value })) });

/** The same for both kinds of owner; what differs is the event. */
const owners = [
  {
    owner: '/API/user/alice',
    nobody: '/API/user/ghost',
    changed: ['user/modify', 'alice', { user: 'alice', changed: ['metadata'] }],
  },
  { owner: '/API/group/crew', nobody: '/API/group/ghost', changed: ['group/modify', 'crew', { group: 'crew' }] },
] as const;

const rowsOf = ({ owner, nobody, changed }: (typeof owners)[number]): readonly Scenario[] => [
  {
    name: 'lists no metadata as an empty list',
    ...by(`GET ${owner}/metadata`),
    headers: acceptJson,
    status: 200,
    says: { exact: '{"field":[]}' },
  },
  {
    name: 'sets what is listed',
    ...by(`PUT ${owner}/metadata/`, fields(['city', 'Rome'], ['a/b', 'c'])),
    status: 200,
    says: { exact: '' },
    events: [changed],
  },
  {
    name: 'keeps what is not listed, and replaces what is',
    given: [by(`PUT ${owner}/metadata`, fields(['city', 'Rome'], ['a/b', 'c']))],
    ...by(
      `PUT ${owner}/metadata`,
      '<SimpleMetadataDocument><field><key>city</key><value>Paris</value></field></SimpleMetadataDocument>',
    ),
    status: 200,
    events: [changed],
  },
  { name: 'tells of nothing when nothing is listed', ...by(`PUT ${owner}/metadata`, {}), status: 200, events: [] },
  {
    name: 'takes all away',
    given: [by(`PUT ${owner}/metadata`, fields(['city', 'Rome'], ['a/b', 'c']))],
    ...by(`DELETE ${owner}/metadata`),
    status: 200,
    says: { exact: '' },
    events: [changed],
  },
  { name: 'tells of nothing when there is none', ...by(`DELETE ${owner}/metadata`), status: 200, events: [] },
  { name: 'refuses no document', ...by(`PUT ${owner}/metadata`), status: 400 },
  {
    name: 'refuses a key with a wildcard, and sets nothing',
    ...by(`PUT ${owner}/metadata`, fields(['city', 'Rome'], ['a*', 'c'])),
    status: 400,
    says: { contains: ['/SimpleMetadataDocument/field/key'] },
  },
  {
    name: 'refuses more than anybody would read',
    ...by(`PUT ${owner}/metadata`, fields(...Array.from({ length: 1001 }, (_, index) => [`k${index}`, 'v'] as const))),
    headers: acceptJson,
    status: 400,
    says: { contains: ['/SimpleMetadataDocument/field[1001]', 'Expected at most 1000 elements'] },
  },
  { name: 'gives 404 for nobody', ...by(`GET ${nobody}/metadata`), status: 404 },
  { name: 'gives 404 for metadata of nobody', ...by(`PUT ${nobody}/metadata`, {}), status: 404 },
  {
    name: 'gives one value as text',
    given: [by(`PUT ${owner}/metadata`, fields(['a/b/c', 'line\r\nline']))],
    ...by(`GET ${owner}/metadata/a/b/c`),
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { exact: 'line\r\nline' },
  },
  {
    name: 'sets one value from text, and replaces what the key had',
    given: [by(`PUT ${owner}/metadata`, fields(['a/b', '1'], ['a/b', '2']))],
    ...by(`PUT ${owner}/metadata/a/b`, 'x y'),
    headers: { 'content-type': 'text/plain' },
    status: 200,
    says: { exact: '' },
    events: [changed],
  },
  {
    name: 'sets the keys below a key from a document',
    ...by(`PUT ${owner}/metadata/a/b`, fields(['c', '1'], ['d/e', '2'])),
    status: 200,
    events: [changed],
  },
  {
    name: 'finds the one key on a path with wildcards',
    given: [by(`PUT ${owner}/metadata`, fields(['a/b/id', '7'], ['a/b/name', 'x']))],
    ...by(`GET ${owner}/metadata/**/id`),
    status: 200,
    says: { exact: '7' },
  },
  {
    name: 'refuses to choose among several',
    given: [by(`PUT ${owner}/metadata`, fields(['a/x', '1'], ['a/y', '2'], ['b/x', '3']))],
    ...by(`GET ${owner}/metadata/a/*`),
    status: 400,
    says: { contains: ['Expected a path to one value: found 2'] },
  },
  {
    name: 'refuses to choose among several values of a key',
    given: [by(`PUT ${owner}/metadata`, fields(['a', '1'], ['a', '2']))],
    ...by(`GET ${owner}/metadata/a`),
    status: 400,
  },
  {
    name: 'keeps the order in which keys came, and the place of a key that is set again',
    given: [
      by(`PUT ${owner}/metadata`, fields(['name', 'x'], ['b', '1'], ['a', '2'])),
      by(`PUT ${owner}/metadata`, fields(['c', '3'], ['b', '4'])),
    ],
    ...by(`GET ${owner}/metadata`),
    headers: acceptJson,
    status: 200,
    says: { json: fields(['name', 'x'], ['b', '4'], ['a', '2'], ['c', '3']) },
  },
  {
    name: 'gives all that is below a key as a document',
    given: [by(`PUT ${owner}/metadata`, fields(['a/x', '1'], ['a/y/z', '2'], ['a', '0'], ['ab', '3']))],
    ...by(`GET ${owner}/metadata/a`),
    headers: acceptJson,
    status: 200,
    says: { json: fields(['a/x', '1'], ['a/y/z', '2'], ['a', '0']) },
  },
  { name: 'gives 404 for a key that is not there', ...by(`GET ${owner}/metadata/a`), status: 404 },
  { name: 'refuses to set a path with wildcards', ...by(`PUT ${owner}/metadata/a/*`, 'x'), status: 400 },
  {
    name: 'takes away what is on a path with wildcards, and nothing below it',
    given: [by(`PUT ${owner}/metadata`, fields(['a/x', '1'], ['a/x/deep', '2'], ['b/x', '3'], ['c', '4']))],
    ...by(`DELETE ${owner}/metadata/*/x`),
    status: 200,
    events: [changed],
  },
  {
    name: 'tells of nothing when nothing is on the path',
    ...by(`DELETE ${owner}/metadata/x`),
    status: 200,
    events: [],
  },
  { name: 'gives 404 for a value of nobody', ...by(`GET ${nobody}/metadata/a`), status: 404 },
  { name: 'gives 404 for setting one of nobody', ...by(`PUT ${nobody}/metadata/a`, 'x'), status: 404 },
  { name: 'gives 404 for deleting one of nobody', ...by(`DELETE ${nobody}/metadata/a`), status: 404 },
];

describeMatrix('metadata', (entry) => {
  for (const each of owners) {
    describe(each.owner, () => {
      itHolds(entry, rowsOf(each), { given: [...people, newGroup('crew')] });

      it('is what it was said to become', async () => {
        const world = await entry.open();
        const all = async () => {
          const answer = await world.send({ ...by(`GET ${each.owner}/metadata`), headers: acceptJson });
          const document = JSON.parse(answer.body) as { field: { key: string; value: string }[] };
          return document.field.map(({ key, value }) => `${key}=${value}`).join(' ');
        };
        await prepare(world, [...people, newGroup('crew')]);
        await prepare(world, [by(`PUT ${each.owner}/metadata`, fields(['a', '1'], ['a', '2'], ['b', '3']))]);
        expect(await all()).toBe('a=1 a=2 b=3');
        await prepare(world, [by(`PUT ${each.owner}/metadata`, fields(['a', { mode: 'add', value: '4' }]))]);
        expect(await all()).toBe('a=1 a=2 b=3 a=4');
        await prepare(world, [by(`PUT ${each.owner}/metadata/a`, '5'), by(`PUT ${each.owner}/metadata/c/d`, '6')]);
        expect(await all()).toBe('a=5 b=3 c/d=6');
        await prepare(world, [by(`PUT ${each.owner}/metadata/c`, fields(['e', '7']))]);
        expect(await all()).toBe('a=5 b=3 c/d=6 c/e=7');
        await prepare(world, [by(`DELETE ${each.owner}/metadata/c/*`), by(`DELETE ${each.owner}/metadata/b`)]);
        expect(await all()).toBe('a=5');
        await prepare(world, [by(`DELETE ${each.owner}/metadata/**`)]);
        expect(await all()).toBe('');
      });

      it('loses nothing when many set different keys at the same time', async () => {
        const world = await entry.open();
        await prepare(world, [...people, newGroup('crew')]);
        const keys = 'abcdefghijklmnopqrst'.split('');
        const answers = await Promise.all(keys.map((key) => world.send(by(`PUT ${each.owner}/metadata/${key}`, key))));
        expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
        for (const key of keys) expect((await world.send(by(`GET ${each.owner}/metadata/${key}`))).body).toBe(key);
      });
    });
  }
});

describe('a key path', () => {
  it.each([
    ['a', 'a', true, true],
    ['a', 'a/b', false, true],
    ['a', 'ab', false, false],
    ['a/b', 'a', false, false],
    ['*', 'a', true, true],
    ['*', 'a/b', false, true],
    ['*/b', 'a/b', true, true],
    ['**', 'a/b/c', true, true],
    ['**/id', 'id', true, true],
    ['**/id', 'a/b/id', true, true],
    ['**/id', 'a/id/b', false, true],
    ['a/**', 'a', true, true],
    ['a/**/d', 'a/b/c/d', true, true],
    ['a/**/d', 'a/b/c', false, false],
    ['**/**', 'a', true, true],
    ['a*', 'ab', false, false],
    ['a.b', 'axb', false, false],
    ['__proto__', '__proto__', true, true],
  ])('%s and the key %s: on it %s, below it %s', (path, key, on, below) => {
    expect([compilePath(path)(key), compileBelow(path)(key)]).toEqual([on, below]);
  });

  /** The same by its meaning: each `**` tries every number of parts. */
  function fits([step, ...steps]: readonly string[], parts: readonly string[]): boolean {
    if (step === undefined) return parts.length === 0;
    if (step === '**') return fits(steps, parts) || (parts.length > 0 && fits([step, ...steps], parts.slice(1)));
    return parts.length > 0 && (step === '*' || step === parts[0]) && fits(steps, parts.slice(1));
  }

  it('fits what it fits by its meaning', () => {
    const parts = fc.array(fc.constantFrom('a', 'b', ''), { minLength: 1, maxLength: 7 });
    const steps = fc.array(fc.constantFrom('a', 'b', '', '*', '**', '**'), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(steps, parts, (path, key) => {
        const found = [compilePath(path.join('/'))(key.join('/')), compileBelow(path.join('/'))(key.join('/'))];
        expect(found).toEqual([fits(path, key), fits([...path, '**'], key)]);
      }),
      { numRuns: shareOfTries(10, 5000) },
    );
  });

  /** A thousand keys of as many parts as fit, and the longest paths that have to look for something. */
  const longKey = Array.from({ length: 128 }, () => 'a').join('/');
  const worst = [
    Array.from({ length: 400 }, () => '**'),
    Array.from({ length: 200 }, () => ['*', '**']).flat(),
    ['**', ...Array.from({ length: 63 }, () => 'a'), 'b', '**'],
    ['**', ...Array.from({ length: 63 }, () => '*'), 'b', '**'],
    [...Array.from({ length: 63 }, () => ['**', 'a']).flat(), '**', 'b', '**'],
    [...Array.from({ length: 3 }, () => ['**', ...Array.from({ length: 30 }, () => 'a')]).flat(), 'b', '**'],
  ];
  it.each(worst.map((steps) => [steps.join('/')]))('path that is made to take long ends in time: %#', (path) => {
    const turns = Array.from({ length: 5 }, () => {
      const started = cpuTime();
      const isOnPath = compileBelow(path);
      for (let key = 0; key < 1000; key++) isOnPath(longKey);
      return cpuTime() - started;
    });
    expect(Math.min(...turns)).toBeLessThan(50);
  });
});

describeMatrix('an attack with metadata', (entry) => {
  it.each(owners)('$owner gets no more bytes of metadata than the limit, value by value', async ({ owner }) => {
    const world = await entry.open({ settings: { maxMetadataBytes: 1000 } });
    await prepare(world, [...people, newGroup('crew')]);
    const put = (key: string, length: number) => world.send(by(`PUT ${owner}/metadata/${key}`, 'é'.repeat(length / 2)));
    expect((await put('a', 900)).status).toBe(200);
    const refused = await put('b', 100);
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('at most 1000 bytes')]);
    // Bytes of the replaced value do not count toward the limit.
    expect((await put('a', 998)).status).toBe(200);
    expect((await world.send(by(`PUT ${owner}/metadata`, fields(['b', 'x'])))).status).toBe(400);
    expect((await world.send(by(`DELETE ${owner}/metadata/a`))).status).toBe(200);
    expect((await put('b', 900)).status).toBe(200);
  });
});

describeMatrix('key paths', (entry) => {
  it('an attack with a path of 1,500 wildcards is refused', async () => {
    const world = await entry.open();
    await prepare(world, people);
    const request = `/API/user/alice/metadata/${Array.from({ length: 1500 }, () => '*/**').join('/')}`;
    for (const method of ['GET', 'DELETE']) {
      const answer = await world.send({ as: admin, request: `${method} ${request}` });
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('at most 400 parts')]);
    }
  });
});
