import { expect, it } from 'vitest';
import { newItem } from '../../support/assets.ts';
import { newUser } from '../../support/cast.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, json, send } from '../../support/requests.ts';
import type { Credentials } from '../../support/service.ts';
import { givenTo, owner, stranger } from '../../support/world.ts';

const nobody: Credentials = ['nobody', 'password of nobody'];
const field = (name: string, value: string) => ({ name, value: [{ value }] });
const document = (...fields: readonly object[]) => ({ timespan: [{ field: fields }] });
const [unknown, wrong, right] = [field('x_none', 'a'), field('x_number', 'many'), field('title', 'a')];

interface Row {
  readonly rule: string;
  readonly as?: Credentials | undefined;
  readonly path?: string;
  readonly body?: object | string;
  readonly told: readonly [status: number, code: string | null];
}

/** Each request breaks one rule less than the one before. */
const rows: readonly Row[] = [
  { rule: 'G4.1', told: [401, null] },
  { rule: 'G4.2', as: nobody, path: 'nothing/VX-9?onlyReturnChanges=maybe', told: [404, 'no-such-entity-type'] },
  { rule: 'G4.3', as: nobody, told: [403, 'role-missing'] },
  { rule: 'G4.4', as: stranger, told: [400, 'bad-parameter'] },
  { rule: 'G4.5', as: stranger, path: 'item/VX-9/metadata', told: [400, 'bad-document'] },
  {
    rule: 'G4.6',
    as: stranger,
    path: 'item/VX-9/metadata',
    body: document(unknown, wrong),
    told: [404, 'no-such-entity'],
  },
  {
    rule: 'G4.7',
    as: stranger,
    path: 'item/VX-1/metadata',
    body: document(unknown, wrong),
    told: [403, 'not-allowed'],
  },
  {
    rule: 'G4.8',
    as: owner,
    path: 'item/VX-1/metadata',
    body: document(unknown, wrong),
    told: [404, 'no-such-entity'],
  },
  { rule: 'G4.9', as: owner, path: 'item/VX-1/metadata', body: document(wrong), told: [400, 'bad-value'] },
  { rule: 'G4.10', as: owner, path: 'item/VX-1/metadata', body: document(right), told: [409, 'entity-locked'] },
];

it('checks come in their order', async () => {
  const world = await openWorld('fetch');
  const given = [...givenTo('assets'), newUser(nobody), newItem('', owner), by('PUT /API/item/VX-1/lock')];
  for (const sent of [...given, by('PUT /API/metadata-field/x_number', { type: 'integer' })]) await send(world, sent);
  const found = [];
  for (const { rule, as, path = 'item/VX-9/metadata?onlyReturnChanges=maybe', body = '{"timespan":' } of rows) {
    const sent = { as, request: `PUT /API/${path}`, headers: { ...json, 'content-type': 'application/json' }, body };
    const { status, headers } = await world.send(sent);
    found.push({ rule, told: [status, headers.get('portico-error')] });
  }
  expect(found).toEqual(rows.map(({ rule, told }) => ({ rule, told })));
});
