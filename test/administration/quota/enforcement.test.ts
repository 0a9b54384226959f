import { beforeEach, expect, it } from 'vitest';
import { newGroup, newUser } from '../../support/cast.ts';
import { openWorld, type Sent, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';

const anna: Credentials = ['anna', 'p'];
const json = { accept: 'application/json' };
const ask = (request: string, body?: Sent['body'], as = admin): Sent => ({
  as,
  request,
  headers: json,
  ...(body !== undefined && { body }),
});
const make = (rule: object) =>
  ask('POST /API/quota', { enforce: true, resource: [{ name: 'item', limit: 2 }], ...rule });
const item = (as = anna) => ask('POST /API/import/placeholder', undefined, as);

let world: World;
const roles = ['_import', '_item_read', '_item_write', '_accesscontrol_write', '_collection_write', '_collection_read'];
beforeEach(async () => {
  world = await openWorld('fetch');
  await prepare(world, [newUser(anna, roles), newUser(['ben', 'p'], roles), newGroup('crew')]);
});

const status = async (sent: Sent) => (await world.send(sent)).status;
async function refused(sent: Sent, rule = 'VX-1'): Promise<void> {
  const before = await world.sequence();
  const answer = await world.send(sent);
  expect([answer.status, answer.body.includes(`: ${rule}"`)], answer.body).toEqual([507, true]);
  expect(await world.sequence(), 'a refusal changes nothing').toBe(before);
}

it('a change that would exceed an enforced rule is refused with 507 and the rule, and deletions make room', async () => {
  const made = await world.send(make({ user: 'anna' }));
  expect(JSON.parse(made.body)).toMatchObject({ enforce: true });
  expect([await status(item()), await status(item())]).toEqual([200, 200]);
  await refused(item());
  expect(await status(item(['ben', 'p']))).toBe(200);
  expect(await status(ask('DELETE /API/item/VX-1', undefined, anna))).toBe(200);
  expect(await status(item())).toBe(200);
  await refused(item());
});

it('a refusal says whose limit it is, how much may be had, and how much there is', async () => {
  const crew = { group: 'crew', resource: [{ name: 'item', limit: 1 }] };
  await prepare(world, [ask('PUT /API/group/crew/user/anna'), make(crew), item()]);
  const { body } = await world.send(item());
  expect(JSON.parse(body).internalServer.message).toBe(
    'The group crew may have 1 item, and has 1. An administrator can change this quota rule: VX-1',
  );
});

it('a rule without enforce refuses nothing', async () => {
  await prepare(world, [make({ user: 'anna', enforce: false })]);
  for (let count = 0; count < 3; count++) expect(await status(item())).toBe(200);
});

it('changes that add nothing are allowed beyond the limit of a rule', async () => {
  await prepare(world, [item(), item(), item(), make({ user: 'anna' })]);
  await refused(item());
  expect(await status(ask('PUT /API/item/VX-1/metadata', { timespan: [] }))).toBe(200);
  expect(await status(ask('DELETE /API/item/VX-2'))).toBe(200);
  await refused(item());
});

it('an owner that is changed and a member that is added count as what is made', async () => {
  await prepare(world, [item(), item(), item(['ben', 'p']), make({ user: 'anna' })]);
  await refused(ask('PUT /API/item/VX-3/access/owner/anna'));
  await prepare(world, [ask('POST /API/collection?name=box'), make({ collection: 'VX-1' })]);
  const add = (id: string) => ask(`PUT /API/collection/VX-1/${id}`);
  expect([await status(add('VX-1')), await status(add('VX-2'))]).toEqual([200, 200]);
  await refused(add('VX-3'), 'VX-2');
});

it('simultaneous requests are done only as far as they fit', async () => {
  await prepare(world, [make({ user: 'anna' })]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => status(item())));
  expect(answers.sort()).toEqual([200, 200, 507, 507, 507, 507]);
});

it('a rule whose usage triggers could not follow is counted before it judges', async () => {
  await prepare(world, [item(), item(), item(), make({ group: 'crew', resource: [{ name: 'item', limit: 3 }] })]);
  await prepare(world, [ask('PUT /API/group/crew/user/anna')]);
  await refused(item());
});
