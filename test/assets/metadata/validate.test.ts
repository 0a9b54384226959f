import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { bodyOf } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { by, field, openMetadata, putItem, sendWell, untimed } from './support.ts';

const path = '/item/VX-1/metadata/validate';
const refusal = (context: object) => ({ invalidInput: context });

it('metadata that fits is told so, and nothing changes', async () => {
  const world = await openMetadata();
  await putItem(world, untimed(field('title', 'a'), field('x_number', '3')));
  const { sequence } = (await world.events()).at(-1)!;
  for (const body of [undefined, {}, untimed(field('x_number', '4'))]) {
    const answer = await world.send(by(`PUT ${path}`, body));
    expect([answer.status, answer.body]).toEqual([200, '']);
  }
  expect(await world.events(sequence)).toEqual([]);
  expect((await world.send(by('GET /item/VX-1/metadata;field=x_number'))).body).toContain('"value":"3"');
});

it('a document is refused as its PUT would be', async () => {
  const world = await openMetadata();
  for (const [body, status] of [
    [untimed(field('x_number', 'many')), 400],
    [untimed(field('field_three', 'a')), 404],
    [{ timespan: [{ group: [{ name: 'Nobody' }] }] }, 404],
  ] as const) {
    const [checked, put] = [
      await world.send(by(`PUT ${path}`, body)),
      await world.send(by('PUT /item/VX-1/metadata', body)),
    ];
    expect([checked.status, bodyOf(checked)]).toEqual([status, bodyOf(put)]);
  }
});

it('values that a field does not allow any more are found', async () => {
  const world = await openMetadata();
  await putItem(world, untimed(field('x_number', '3')));
  await sendWell(world, by('PUT /metadata-field/x_number', { integerRestriction: { maxInclusive: 2 } }));
  const answer = await world.send(by(`PUT ${path}`));
  expect([answer.status, bodyOf(answer)]).toMatchObject([
    400,
    refusal({ context: 'metadata', id: 'x_number', value: '3' }),
  ]);
});

it('the metadata schema counts for the check, and for no change', async () => {
  const world = await openMetadata();
  const schema = {
    group: [
      { name: 'Film', field: [{ name: 'title', min: 1, max: 2 }], group: [{ name: 'Film', max: 1 }] },
      { name: 'Main', field: [{ name: 'x_one', min: 1 }] },
    ],
  };
  await sendWell(world, by('PUT /metadata-field/field-group/Main'));
  await sendWell(world, by('PUT /metadata-schema', schema));
  const film = (...titles: string[]) => ({ name: 'Film', mode: 'add', field: [field('title', ...titles)] });
  const outcome = async (body: object) => {
    const answer = await world.send(by(`PUT ${path}`, body));
    return answer.status === 200
      ? 200
      : `${answer.status} ${bodyOf<{ invalidInput: { id: string; explanation: string } }>(answer).invalidInput.explanation}`;
  };
  expect(await outcome({ timespan: [{ group: [film('a')] }] })).toBe(200);
  expect(await outcome({ timespan: [{ group: [film('a', 'b', 'c')] }] })).toBe(
    '400 Expected at most 2 values of the field in the group "Film": 3',
  );
  expect(await outcome({ timespan: [{ group: [{ name: 'Film', mode: 'add' }] }] })).toBe(
    '400 Expected at least 1 values of the field in the group "Film": 0',
  );
  expect(await outcome({ timespan: [{ group: [{ ...film('a'), group: [film('b'), film('c')] }] }] })).toBe(
    '400 Expected at most 1 groups of the name in the group "Film": 2',
  );
  expect(await outcome({ group: ['Main'] })).toBe('400 Expected at least 1 values of the field in the group "Main": 0');
  expect(await outcome({ group: ['Main'], ...untimed(field('x_one', '1')) })).toBe(200);
  await putItem(world, { timespan: [{ group: [film('a', 'b', 'c')] }] });
});

it('the check needs what a change needs, and tells nothing of closed fields', async () => {
  const world = await openMetadata();
  const ann: Credentials = ['ann', 'p'];
  await sendWell(world, newUser(ann, ['_metadata_read', '_metadata_write']));
  await putItem(world, untimed(field('x_number', '3')));
  const check = async (body?: object) => (await world.send(by(`PUT ${path}`, body, ann))).status;
  expect(await check()).toBe(403);
  await sendWell(world, by('POST /item/VX-1/access', { user: 'ann', permission: 'WRITE' }));
  expect(await check()).toBe(200);
  await sendWell(world, by('POST /metadata-field/x_number/access', { user: admin[0], permission: 'DELETE' }));
  await sendWell(world, by('PUT /metadata-field/x_number', { integerRestriction: { maxInclusive: 2 } }));
  expect(await check()).toBe(200);
  expect(await check(untimed(field('x_number', '1')))).toBe(403);
});
