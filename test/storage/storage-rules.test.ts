import { describe, expect, it } from 'vitest';
import type { StoredRule } from '../../src/storage/storage-rules/rules.ts';
import { placementOf, winnerOf } from '../../src/storage/storage-rules/rules.ts';
import { newUser } from '../support/cast.ts';
import type { World } from '../support/matrix.ts';
import { by, jsonOf, send, xml } from '../support/requests.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import type { Credentials } from '../support/service.ts';
import { fetchEntry, fileRows, mediaOptions, newStorage, openStorages, storageAt } from '../support/storages.ts';
import { givenTo, looker } from '../support/world.ts';

const ruler: Credentials = ['ruler', 'password of ruler'];
const given = [
  ...givenTo('storages'),
  newUser(ruler, ['_storage_rule_read', '_storage_rule_write']),
  storageAt('a'),
  storageAt('b'),
  by('PUT /API/storage/storage-group/g'),
];
const tags = '/API/shape-tag/storage-rule';
const full = {
  storageCount: 2,
  priority: [
    { level: 2, value: 'bandwidth' },
    { level: 1, value: 'CAPACITY' },
  ],
  storage: ['VX-1'],
  group: ['g'],
  not: { storage: ['VX-2'], group: ['g'], any: '' },
  pool: { storage: ['VX-1'], group: ['g'] },
  precedence: 'high',
};
const fullAnswer = {
  id: 'lowres',
  storageCount: 2,
  priority: [
    { level: 2, value: 'bandwidth' },
    { level: 1, value: 'capacity' },
  ],
  storage: ['VX-1'],
  group: ['g'],
  not: { storage: ['VX-2'], group: ['g'], any: '' },
  pool: { storage: ['VX-1'], group: ['g'] },
  appliesTo: { type: 'GENERIC' },
  precedence: 'HIGH',
};

const rows: readonly Scenario[] = [
  { name: 'a rule is set for a shape tag', ...by(`PUT ${tags}/lowres`, full), status: 200, says: { exact: '' } },
  {
    name: 'a rule is read as it was put, with what it applies to',
    given: [by(`PUT ${tags}/lowres`, full)],
    ...by(`GET ${tags}/lowres`),
    status: 200,
    says: { json: fullAnswer },
  },
  {
    name: 'it comes and goes in XML',
    given: [
      by(
        `PUT ${tags}/lowres`,
        '<StorageRuleDocument xmlns="http://xml.vidispine.com/schema/vidispine"><storageCount>1</storageCount><priority level="1">capacity</priority><storage>VX-2</storage><not><any/></not></StorageRuleDocument>',
        { 'content-type': 'application/xml' },
      ),
    ],
    ...by(`GET ${tags}/lowres`, undefined, xml),
    status: 200,
    says: {
      contains: [
        ' id="lowres"><storageCount>1</storageCount><priority level="1">capacity</priority><storage>VX-2</storage><not><any></any></not><appliesTo><type>GENERIC</type></appliesTo><precedence>MEDIUM</precedence></StorageRuleDocument>',
      ],
    },
  },
  {
    name: 'a rule is replaced',
    given: [by(`PUT ${tags}/lowres`, full), by(`PUT ${tags}/lowres`, { storage: ['VX-2'] })],
    ...by(`GET ${tags}/lowres`),
    status: 200,
    says: { json: { id: 'lowres', storage: ['VX-2'], appliesTo: { type: 'GENERIC' }, precedence: 'MEDIUM' } },
  },
  { name: 'a rule is set with POST, too', ...by(`POST ${tags}/lowres`, full), status: 200 },
  {
    name: 'a rule that is not set is not found',
    ...by(`GET ${tags}/lowres`),
    status: 404,
    says: { jsonPart: { notFound: { type: 'storage-rule', id: 'lowres' } } },
  },
  {
    name: 'a rule goes',
    given: [by(`PUT ${tags}/lowres`, full)],
    ...by(`DELETE ${tags}/lowres`),
    status: 200,
    says: { exact: '' },
  },
  { name: 'a rule goes once', ...by(`DELETE ${tags}/lowres`), status: 404 },
  {
    name: 'the rule of everything else is beside those of tags',
    given: [by(`PUT ${tags}`, { storage: ['VX-1'] }), by(`PUT ${tags}/lowres`, { storage: ['VX-2'] })],
    ...by(`GET ${tags}`),
    status: 200,
    says: {
      json: {
        default: { storage: ['VX-1'], appliesTo: { type: 'GENERIC' }, precedence: 'MEDIUM' },
        tag: [{ id: 'lowres', storage: ['VX-2'], appliesTo: { type: 'GENERIC' }, precedence: 'MEDIUM' }],
      },
    },
  },
  { name: 'the rule of everything else goes', given: [by(`PUT ${tags}`, {})], ...by(`DELETE ${tags}`), status: 200 },
  { name: 'it goes once', ...by(`DELETE ${tags}`), status: 404 },
  { name: 'no rules are an empty list', ...by(`GET ${tags}`), status: 200, says: { json: { tag: [] } } },
  ...(
    [
      ['', ['a', 'b']],
      ['?tag=b', ['b']],
      ['?tag=a,b&type=GENERIC', ['a', 'b']],
      ['?type=item', []],
      ['?first=2&number=1', ['b']],
    ] as const
  ).map(
    ([query, expected]): Scenario => ({
      name: `all rules are listed${query}`,
      given: [by(`PUT ${tags}/b`, { storage: ['VX-1'] }), by(`PUT ${tags}/a`, { storage: ['VX-2'] })],
      ...by(`GET /API/storage-rule${query}`),
      status: 200,
      says: { jsonPart: { tag: expected.map((id) => ({ id, appliesTo: { type: 'GENERIC' } })) } },
    }),
  ),
  { name: 'rules are of known types', ...by('GET /API/storage-rule?type=FILE'), status: 400 },
  ...(
    [
      [{ storage: ['VX-9'] }, 404, 'Storage'],
      [{ not: { storage: ['VX-9'] } }, 404, 'Storage'],
      [{ pool: { group: ['nowhere'] } }, 404, 'storage-group'],
      [{ group: ['nowhere'] }, 404, 'storage-group'],
      [{ precedence: 'FIRST' }, 400, 'HIGHEST'],
      [{ priority: [{ level: 1, value: 'speed' }] }, 400, 'capacity, bandwidth'],
      [{ storageCount: -1 }, 400, 'storageCount'],
    ] as const
  ).map(
    ([document, status, told]): Scenario => ({
      name: `a rule is refused with ${JSON.stringify(document)}`,
      ...by(`PUT ${tags}/lowres`, document),
      status,
      says: { contains: [told] },
    }),
  ),
  { name: 'a rule has a document', ...by(`PUT ${tags}/lowres`), status: 400 },
  { name: 'a ruler sets rules', ...by(`PUT ${tags}/lowres`, {}), as: ruler, status: 200 },
  { name: 'a reader sets none', ...by(`PUT ${tags}/lowres`, {}), as: looker, status: 403 },
  { name: 'a reader reads them', ...by('GET /API/storage-rule'), as: looker, status: 200 },
];

describe('storage rules', () => {
  itHolds(fetchEntry, rows, mediaOptions({ given }));

  const row = (precedence: number, entityType: string, tag: string, storage: string) => ({
    entityType,
    entityId: '',
    tag,
    precedence,
    document: JSON.stringify({ storage: [storage] }),
  });
  it('the first precedence wins, then the most exact entity, then the tag', () => {
    const ranked = [
      row(0, 'GENERIC', '', 'a'),
      row(2, 'ITEM', 'original', 'b'),
      row(2, 'ITEM', '', 'c'),
      row(2, 'LIBRARY', 'original', 'd'),
      row(2, 'COLLECTION', 'original', 'e'),
      row(2, 'GENERIC', 'original', 'f'),
      row(2, 'GENERIC', '', 'g'),
      row(4, 'ITEM', 'original', 'h'),
    ];
    for (let from = 0; from < ranked.length; from++) {
      const left = ranked.slice(from).toReversed();
      expect(winnerOf(left)?.storage).toEqual([String.fromCharCode(97 + from)]);
    }
    expect(winnerOf([])).toBeUndefined();
  });

  it.each([
    [undefined, ['anywhere']],
    [{}, ['anywhere']],
    [{ storage: ['VX-1'] }, ['named', 'anywhere']],
    [{ storage: ['VX-1'], group: ['g'], not: { any: true } }, ['named', 'among']],
    [{ pool: { group: ['g'] } }, ['among']],
  ] as const)('a rule %j asks in the order %j', (rule, kinds) => {
    expect(placementOf(rule as StoredRule | undefined).options.map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('the storage of a new file', () => {
  /** VX-1: little room. VX-2: much. VX-3: the most bandwidth. */
  async function three(): Promise<World> {
    const world = await openStorages();
    await send(world, storageAt('a', { capacity: 1000 }));
    await send(world, storageAt('b', { capacity: 3000 }));
    await send(world, storageAt('c', { capacity: 2000, bandwidth: 10 }));
    await send(world, by('PUT /API/storage/storage-group/g'));
    for (const id of ['VX-1', 'VX-3']) await send(world, by(`PUT /API/storage/storage-group/g/${id}`));
    return world;
  }
  const target = async (world: World, query = '') => {
    const { status, body } = await world.send(by(`GET /API/import/storage${query}`));
    return status === 200 ? (JSON.parse(body) as { id: string }).id : status;
  };

  it.each([
    [{}, 'VX-2'],
    [{ storage: ['VX-1'] }, 'VX-1'],
    [{ storage: ['VX-3', 'VX-1'] }, 'VX-3'],
    [{ group: ['g'] }, 'VX-3'],
    [{ group: ['g'], not: { storage: ['VX-3'] } }, 'VX-1'],
    [{ priority: [{ level: 1, value: 'bandwidth' }] }, 'VX-3'],
    [
      {
        priority: [
          { level: 2, value: 'bandwidth' },
          { level: 1, value: 'capacity' },
        ],
      },
      'VX-2',
    ],
    [{ not: { storage: ['VX-2'] } }, 'VX-3'],
    [{ not: { group: ['g'] } }, 'VX-2'],
    [{ pool: { storage: ['VX-1'] } }, 'VX-1'],
    [{ not: { any: '' } }, 404],
    [{ storage: ['VX-1'], not: { storage: ['VX-1'], any: '' } }, 404],
    [{ pool: { storage: ['VX-1'] }, not: { storage: ['VX-1'] } }, 404],
  ] as const)('is chosen by the rule %j: %s', async (rule, expected) => {
    const world = await three();
    await send(world, by(`PUT ${tags}/original`, rule));
    expect(await target(world)).toBe(expected);
    expect(await target(world, '?tag=original')).toBe(expected);
    expect(await target(world, '?tag=lowres')).toBe('VX-2');
  });

  it('a rule for everything gives way to one for a tag, and not to one of less precedence', async () => {
    const world = await three();
    await send(world, by(`PUT ${tags}`, { storage: ['VX-1'] }));
    expect(await target(world)).toBe('VX-1');
    await send(world, by(`PUT ${tags}/original`, { storage: ['VX-3'] }));
    expect(await target(world)).toBe('VX-3');
    expect(await target(world, '?tag=lowres,original')).toBe('VX-3');
    await send(world, by(`PUT ${tags}/original`, { storage: ['VX-3'], precedence: 'LOW' }));
    expect(await target(world)).toBe('VX-1');
  });

  it('takes a storage above its high watermark only where no other one is left', async () => {
    const world = await three();
    await send(world, by('PUT /API/storage/VX-2', { highWatermarkPercentage: 10 }));
    await fileRows(world, 'VX-2', 3, { size: 100 });
    expect(await target(world)).toBe('VX-3');
    await send(world, by(`PUT ${tags}/original`, { storage: ['VX-2'], not: { any: '' } }));
    expect(await target(world)).toBe('VX-2');
  });

  it.each(['SHARED', 'EXTERNAL', 'ARCHIVE', 'EXPORT', 'REMOTE'])(
    'is no storage of the type %s unless a rule names it',
    async (type) => {
      const world = await openStorages();
      await send(world, storageAt('a', { type }));
      expect(await target(world)).toBe(404);
      await send(world, by(`PUT ${tags}/original`, { storage: ['VX-1'] }));
      expect(await target(world)).toBe(type === 'REMOTE' ? 'VX-1' : 404);
    },
  );

  it('is none that is deleted, that nobody writes, or that nothing reads', async () => {
    const world = await openStorages();
    expect(await target(world)).toBe(404);
    await send(world, newStorage({ method: [{ uri: 'memory:///a/', write: false }] }));
    await send(world, newStorage({ method: [{ uri: 'ftp://host/' }] }));
    await send(world, storageAt('gone'));
    await send(world, by('DELETE /API/storage/VX-3'));
    expect(await target(world)).toBe(404);
    await send(world, storageAt('c'));
    expect(await jsonOf(world, 'GET /API/import/storage')).toMatchObject({
      id: 'VX-4',
      method: [{ uri: 'memory:///c/' }],
    });
  });

  it('is asked for an item that is there, by who may import', async () => {
    const world = await openStorages();
    await send(world, storageAt('a'));
    const { status, body } = await world.send(by('GET /API/import/storage?item=VX-77'));
    expect([status, JSON.parse(body).notFound]).toEqual([404, { type: 'Item', id: 'VX-77', context: null }]);
    for (const person of givenTo('storages')) await send(world, person);
    expect((await world.send({ ...by('GET /API/import/storage'), as: looker })).status).toBe(403);
  });
});
