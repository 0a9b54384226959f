import { afterAll, beforeAll, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { prepare } from '../../support/scenario.ts';
import { done, newType, openJobWorld, refused } from './support.ts';

type Found = { hits: number; job?: { jobId: string }[]; facet?: Facet[] };
type Facet = { field: string; name?: string; count?: { fieldValue: string; value: number; count: number }[] };

let world: Awaited<ReturnType<typeof openJobWorld>>;
beforeAll(async () => {
  world = await openJobWorld();
  await newType(world, 'QUICK', [{ step: 100, script: '' }]);
  await newType(world, 'SLOW', [{ step: 100, script: '' }]);
  for (const [type, data] of [
    ['QUICK', 'desk%3Dsouth'],
    ['QUICK', 'desk%3Dnorth&jobmetadata=desk%3Dsouth'],
    ['SLOW', 'desk%3Dsouth&jobmetadata=desk%3Dsouth&priority=LOW'],
    ['SLOW', 'room%3D7'],
  ]) {
    await done(world, `POST /job?type=${type}&holdJob=true&jobmetadata=${data}`);
  }
  await prepare(world, [newUser(['owner', 'p'], ['_job_write'])]);
  await done(world, 'POST /job?type=QUICK&holdJob=true&jobmetadata=desk%3Dwest', undefined, ['owner', 'p']);
});
afterAll(() => world.close());

const search = (body: object) => done<Found>(world, 'PUT /job/search', body);
const countsOf = ({ count = [] }: Facet) => count.map(({ fieldValue, count: jobs }) => `${fieldValue} ${jobs}`);

it.each([
  ['type', ['QUICK 3', 'SLOW 2']],
  ['state', ['HOLD 5']],
  ['user', ['worker 4', 'owner 1']],
  ['priority', ['MEDIUM 4', 'LOW 1']],
  ['desk', ['south 3', 'north 1', 'west 1']],
  ['none', []],
])('a facet of %s counts jobs, each once for a value', async (field, counts) => {
  const { hits, facet } = await search({ facet: [{ field, name: 'mine' }] });
  expect([hits, facet!.map((each) => [each.field, each.name, countsOf(each)])]).toEqual([5, [[field, 'mine', counts]]]);
});

it('counts only jobs that match, within the bounds of the facet', async () => {
  const facet = [
    { field: 'desk' },
    { field: 'desk', minCount: 2 },
    { field: 'desk', maxCount: 1 },
    { field: 'desk', maxResults: 1 },
  ];
  const found = await search({ field: [{ name: 'user', value: [{ value: 'worker' }] }], facet });
  expect([found.hits, found.facet!.map(countsOf)]).toEqual([
    4,
    [['south 3', 'north 1'], ['south 3'], ['north 1'], ['south 3']],
  ]);
});

it('a facet filter narrows the hits and all facets but those of its own field', async () => {
  const facetFilter = [{ field: 'TYPE', value: 'SLOW' }];
  const { hits, facet } = await search({ facetFilter, facet: [{ field: 'type' }, { field: 'desk' }] });
  expect([hits, facet!.map(countsOf)]).toEqual([2, [['QUICK 3', 'SLOW 2'], ['south 1']]]);
});

it('two conditions on one field must both match', async () => {
  const field = [{ name: 'type', value: [{ value: 'QUICK' }] }];
  expect((await search({ field, facetFilter: [{ field: 'type', value: 'SLOW' }] })).hits).toBe(0);
  expect((await search({ field, facetFilter: [{ field: 'type', value: 'QUICK' }] })).hits).toBe(3);
});

it('answers in XML, and without facets where none are asked for', async () => {
  const xml = { accept: 'application/xml' };
  const as = ['worker', 'password of worker'] as const;
  const sent = { as, headers: xml, request: 'PUT /API/job/search', body: { facet: [{ field: 'type' }] } };
  const { body } = await world.send(sent);
  expect(body).toContain('<facet><field>type</field><count fieldValue="QUICK" count="3">3</count>');
  expect(await search({})).not.toHaveProperty('facet');
});

it.each(['startTime', 'finished', 'jobId'])('refuses a facet of %s', async (field) => {
  expect(await refused(world, 'PUT /job/search', { facet: [{ field }] })).toBe('400 bad-value');
});

it('refuses more than five facets, each of which reads all hits', async () => {
  const facet = Array.from({ length: 6 }, () => ({ field: 'type' }));
  expect(await refused(world, 'PUT /job/search', { facet })).toMatch(/^400 /);
});

it('a user without the right to read all jobs counts none of them', async () => {
  const body = { facet: [{ field: 'user' }] };
  expect(await refused(world, 'PUT /job/search', body, ['owner', 'p'])).toBe('403 role-missing');
});
