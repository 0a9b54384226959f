import { expect, it } from 'vitest';
import { alice, newUser, people, reader } from '../support/cast.ts';
import { describeMatrix } from '../support/matrix.ts';
import { itHolds, prepare, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const by = (request: string, body?: string): Pick<Scenario, 'as' | 'request' | 'body'> => ({
  as: admin,
  request,
  body,
});

const realNames: readonly Scenario[] = [
  {
    name: 'says the real name as text',
    given: [by('PUT /API/user/alice/realname', 'Alice “A” Ünlü')],
    as: reader,
    request: 'GET /API/user/alice/realname',
    status: 200,
    answers: { 'content-type': 'text/plain; charset=UTF-8' },
    says: { exact: 'Alice “A” Ünlü' },
  },
  { name: 'says nothing where there is none', ...by('GET /API/user/alice/realname'), status: 200, says: { exact: '' } },
  {
    name: 'changes the real name',
    ...by('PUT /API/user/alice/realname', 'Alice'),
    status: 200,
    says: { exact: '' },
    events: [['user/modify', 'alice', { changed: ['realName'] }]],
  },
  {
    name: 'tells of nothing when it is that already',
    given: [by('PUT /API/user/alice/realname', 'Alice')],
    ...by('PUT /API/user/alice/realname', 'Alice'),
    status: 200,
    events: [],
  },
  {
    name: 'takes the type that tools say unasked for text',
    ...by('PUT /API/user/alice/realname/', 'Alice'),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 200,
    events: [['user/modify', 'alice']],
  },
  {
    name: 'refuses a document: the name would have its quotes',
    ...by('PUT /API/user/alice/realname/', '"Alice"'),
    headers: { 'content-type': 'application/json' },
    status: 415,
    says: { contains: ['Expected text/plain'] },
  },
  {
    name: 'refuses a real name that is not UTF-8',
    ...by('PUT /API/user/alice/realname'),
    body: Uint8Array.of(0xff, 0xfe),
    status: 400,
  },
  { name: 'refuses a NUL character in it', ...by('PUT /API/user/alice/realname', 'a\0b'), status: 400 },
  { name: 'gives 404 for nobody', ...by('GET /API/user/ghost/realname'), status: 404 },
  { name: 'gives 404 for changing nobody', ...by('PUT /API/user/ghost/realname', 'x'), status: 404 },
  {
    name: 'has no other form',
    ...by('GET /API/user/alice/realname'),
    headers: { accept: 'image/png' },
    status: 406,
  },
];

const aliases: readonly Scenario[] = [
  {
    name: 'gives a user another name to log in with',
    ...by('PUT /API/user/alice/alias/al'),
    status: 200,
    says: { exact: '' },
    events: [['user/modify', 'alice', { changed: ['alias'] }]],
  },
  {
    name: 'tells of nothing when the user has it already',
    given: [by('PUT /API/user/alice/alias/al')],
    ...by('PUT /API/user/alice/alias/al'),
    status: 200,
    events: [],
  },
  {
    name: 'refuses an alias of somebody else',
    given: [by('PUT /API/user/reader/alias/al')],
    ...by('PUT /API/user/alice/alias/al'),
    status: 409,
  },
  { name: 'refuses the name of somebody else', ...by('PUT /API/user/alice/alias/admin'), status: 409 },
  { name: 'refuses the name of the user itself', ...by('PUT /API/user/alice/alias/alice'), status: 409 },
  { name: 'refuses an alias that nobody could log in with', ...by('PUT /API/user/alice/alias/a:b'), status: 400 },
  { name: 'refuses a reserved one', ...by('PUT /API/user/alice/alias/system'), status: 403 },
  { name: 'gives 404 for nobody', ...by('PUT /API/user/ghost/alias/al'), status: 404 },
  {
    name: 'takes an alias away',
    given: [by('PUT /API/user/alice/alias/al')],
    ...by('DELETE /API/user/alice/alias/al'),
    status: 200,
    events: [['user/modify', 'alice', { changed: ['alias'] }]],
  },
  {
    name: 'takes away the alias by which the user was found',
    given: [by('PUT /API/user/alice/alias/al')],
    ...by('DELETE /API/user/al/alias/al'),
    status: 200,
    events: [['user/modify', 'alice']],
  },
  { name: 'gives 404 for an alias that is not there', ...by('DELETE /API/user/alice/alias/al'), status: 404 },
  { name: 'never takes away the name', ...by('DELETE /API/user/alice/alias/alice'), status: 404 },
  {
    name: 'never takes away an alias of somebody else',
    given: [by('PUT /API/user/reader/alias/al')],
    ...by('DELETE /API/user/alice/alias/al'),
    status: 404,
  },
];

const access: readonly Scenario[] = [
  {
    name: 'lists no access of a user to whom nobody granted some',
    ...by('GET /API/user/alice/access'),
    headers: { accept: 'application/json' },
    status: 200,
    says: { json: { access: [] } },
  },
  { name: 'lists none of nobody', ...by('GET /API/user/ghost/access'), status: 404 },
];

describeMatrix('facts about a user', (entry) => {
  itHolds(entry, [...realNames, ...aliases, ...access], { given: people });

  it('lets somebody in by an alias as long as it is there', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(alice)]);
    const status = async () => (await world.send({ as: ['al', alice[1]], request: 'GET /API/whoami' })).status;
    expect(await status()).toBe(401);
    await prepare(world, [by('PUT /API/user/alice/alias/al')]);
    expect(await status()).toBe(200);
    await prepare(world, [by('DELETE /API/user/alice/alias/al')]);
    expect(await status()).toBe(401);
  });
});
