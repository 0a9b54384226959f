import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { openWorld, type Sent } from '../../support/matrix.ts';
import { by, json, jsonOf } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';
import { ann, ben, cat, comment, dan, people } from './support.ts';

const eve: Credentials = ['eve', 'password of eve'];
const reviewer = [
  newUser(eve, ['_item_read', '_item_shape_read', '_approval_write']),
  by('POST /API/item/VX-1/access', { user: 'eve', permission: 'READ' }),
];
const asked = (as: Credentials, ids = 'VX-1,VX-2') => [`GET /API/item/annotation/waiting?item=${ids}`, as] as const;

async function open(...more: readonly Sent[]) {
  const world = await openWorld('fetch');
  await prepare(world, [...people, ...more]);
  return { world, waiting: (as: Credentials, ids?: string) => jsonOf(world, ...asked(as, ids)) };
}

it('tells who asks what of the caller: by assignment or name, newest first, and nothing that is done', async () => {
  const { waiting } = await open(
    comment({ text: 'Bells from here on?', start: '50@PAL', assignedTo: 'cat' }),
    comment({ text: 'See @cat.', drawing: '<svg viewBox="0 0 9 9"><path d="M1 1"/></svg>' }),
    comment({ text: 'Not for @caty' }),
    comment({ text: 'Was for @cat', state: 'done' }),
  );
  const [newest, ...others] = ((await waiting(cat)) as { item: { annotation: object }[] }).item;
  expect(others).toEqual([]);
  expect(newest).toMatchObject({ id: 'VX-1', annotations: 2, annotation: { text: 'See @cat.', user: 'ben' } });
  expect(newest!.annotation).not.toHaveProperty('drawing');
  expect(newest).not.toHaveProperty('review');
  expect(await waiting(ann)).toEqual({ item: [] });
});

it('tells reviewers who asked for a review of the latest version', async () => {
  const { world, waiting } = await open(...reviewer);
  const path = '/API/item/VX-1/shape/version/0/approval';
  const give = (state: string, as = ann) => world.send(by(`PUT ${path}`, { state }, json, as));
  expect(await waiting(eve)).toEqual({ item: [] });
  expect((await give('in-review')).status).toBe(200);
  expect(await waiting(eve)).toMatchObject({ item: [{ id: 'VX-1', review: { state: 'in-review', user: 'ann' } }] });
  // A user who gives no approval states is not asked for a review.
  expect(await waiting(ben)).toEqual({ item: [] });
  await give('approved', eve);
  expect(await waiting(eve)).toEqual({ item: [] });
});

it('attack: items that the caller may not read say nothing, and nobody asks for too many', async () => {
  const { world, waiting } = await open(comment({ text: '@dan, come' }));
  expect(await waiting(dan)).toEqual({ item: [] });
  expect(await waiting(ann, 'VX-9,VX-1')).toEqual({ item: [] });
  const ids = Array.from({ length: 101 }, (_, at) => `VX-${at}`).join();
  const { status, body } = await world.send(by(`GET /API/item/annotation/waiting?item=${ids}`, undefined, json, ben));
  expect([status, body]).toEqual([400, expect.stringContaining('Expected at most 100 items: 101')]);
});
