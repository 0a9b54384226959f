import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { openWorld, type Sent } from '../../support/matrix.ts';
import { by, json, jsonOf } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { ben, cat, dan, people } from './support.ts';

const path = '/API/item/VX-1/annotation/people';
const gives = (user: string) => by('POST /API/item/VX-1/access', { user, permission: 'READ' });
const user = (name: string, realName?: string, more: object = {}) =>
  newUser([name, 'a password of nobody'], [], { realName, ...more });

async function open(...more: readonly Sent[]) {
  const world = await openWorld('fetch');
  await prepare(world, [...people, ...more]);
  return {
    world,
    async named(text: string, as = ben): Promise<readonly string[]> {
      const answer = await jsonOf(world, `GET ${path}?text=${encodeURIComponent(text)}`, as);
      return ((answer as { person?: { userName: string }[] }).person ?? []).map(({ userName }) => userName);
    },
  };
}

it('names those who may read the item by how a name, or a word of a real name, begins', async () => {
  const { world, named } = await open(
    user('zoe', 'Åsa Öberg'),
    user('max_b', 'Carl Maxwell'),
    gives('zoe'),
    gives('max_b'),
  );
  expect(await named('')).toEqual(['admin', 'ann', 'ben', 'cat', 'max_b', 'zoe']);
  expect(await named('Be')).toEqual(['ben']);
  expect(await named('ca')).toEqual(['cat', 'max_b']);
  expect(await named('öb')).toEqual(['zoe']);
  expect(await named('maxw')).toEqual(['max_b']);
  expect(await jsonOf(world, `GET ${path}?text=zo`, ben)).toEqual({
    person: [{ userName: 'zoe', realName: 'Åsa Öberg' }],
  });
});

it('attack: nobody learns the names of those who may not read the item', async () => {
  const { named } = await open(user('dora', 'Dora Dahl'), user('dave'), gives('dave'), by('DELETE /API/user/dave'));
  for (const text of ['d', 'dan', 'dora', 'Dahl', 'dave']) expect([text, await named(text)]).toEqual([text, []]);
  expect(await named('')).not.toContain('dan');
});

it('attack: without the role, or the item, nobody counts its readers', async () => {
  const { world } = await open();
  const asked = async (as: typeof cat) => {
    const { status, body } = await world.send(by(`GET ${path}?text=a`, undefined, json, as));
    return [status, body.includes('admin')];
  };
  expect(await asked(cat)).toEqual([403, false]);
  expect(await asked(dan)).toEqual([403, false]);
});

it('attack: signs of patterns are text, and a long text is refused', async () => {
  const { world, named } = await open();
  for (const text of ['%', '_', '%n', '\\', "' OR 1=1 --"]) expect([text, await named(text)]).toEqual([text, []]);
  const { status, body } = await world.send(by(`GET ${path}?text=${'a'.repeat(101)}`, undefined, json, ben));
  expect([status, body]).toEqual([400, expect.stringContaining('Expected at most 100 characters')]);
});

it('looks behind a hundred who may not read the item, and names ten at most', async () => {
  const crowd = Array.from({ length: 120 }, (_, at) => user(`a${String(at).padStart(3, '0')}`));
  const guests = Array.from({ length: 12 }, (_, at) => user(`guest${String(at).padStart(2, '0')}`));
  const given = guests.map((_, at) => gives(`guest${String(at).padStart(2, '0')}`));
  const { named } = await open(...crowd, ...guests, ...given);
  expect(await named('')).toHaveLength(10);
  expect(await named('guest')).toEqual(Array.from({ length: 10 }, (_, at) => `guest0${at}`));
});

it('leaves out names that no text can mention', async () => {
  const { named } = await open(user('eve of old'), gives('eve of old'));
  expect(await named('eve')).toEqual([]);
});
