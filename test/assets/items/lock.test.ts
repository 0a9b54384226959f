import { expect } from 'vitest';
import { newItem } from '../../support/assets.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { by, json } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { givenTo, owner } from '../../support/world.ts';

const lock = '/API/item/VX-1/lock';
const lockBy = (query = '') => by(`POST ${lock}${query}`, undefined, json, owner);
const item = newItem('', owner);
const gone = ['item/delete', 'VX-1'] as const;
const locked = { 'portico-error': 'entity-locked' };

const rows: readonly Scenario[] = [
  {
    name: 'a lock says whose it is',
    given: [item, lockBy()],
    ...by(`GET ${lock}`, undefined, json, owner),
    status: 200,
    says: { json: { id: 'VX-1', user: 'owner', expires: expect.stringMatching(/^\d{4}-/) } },
  },
  { name: 'without a lock there is none', given: [item], ...by(`GET ${lock}`), status: 404 },
  {
    name: 'a locked item is not deleted by others',
    given: [item, lockBy('?duration=PT1H')],
    ...by('DELETE /API/item/VX-1'),
    status: 409,
    answers: locked,
  },
  {
    name: 'metadata of a locked item is not changed by others',
    given: [item, lockBy()],
    ...by('PUT /API/item/VX-1/metadata', { timespan: [{ field: [{ name: 'title', value: [{ value: 'a' }] }] }] }),
    status: 409,
    answers: locked,
  },
  {
    name: 'the one who locked it deletes it',
    given: [item, lockBy()],
    ...by('DELETE /API/item/VX-1', undefined, json, owner),
    status: 200,
    events: [gone],
  },
  {
    name: 'administrators take a lock away',
    given: [item, lockBy(), by(`DELETE ${lock}`)],
    ...by('DELETE /API/item/VX-1'),
    status: 200,
    events: [gone],
  },
  {
    name: 'a lock that ends now is none',
    given: [item, by(`PUT ${lock}?duration=0`, undefined, json, owner)],
    ...by('DELETE /API/item/VX-1'),
    status: 200,
    events: [gone],
  },
  {
    name: 'a lock of somebody else is not replaced',
    given: [item, lockBy()],
    ...by(`PUT ${lock}`),
    status: 409,
    answers: locked,
  },
  ...['P1Y', 'PT', 'P', '-PT1H', 'PT1H30', 'P99999W'].map(
    (duration): Scenario => ({
      name: `a lock does not last ${duration}`,
      given: [item],
      ...by(`POST ${lock}?duration=${duration}`),
      status: 400,
    }),
  ),
];

describeMatrix('a lock of an item', (entry) => itHolds(entry, rows, { given: givenTo('assets') }));
