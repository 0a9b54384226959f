import { expect, it } from 'vitest';
import { complaintsAbout, type History, nothingSeen, type Operation, rules } from './history.ts';

/** `write a 1-3` and its like: kind, value, and the places of the request and of its answer. */
function register(...lines: readonly string[]): History {
  const operations = lines.map((line): Operation => {
    const [, kind, value, invoked, answered] = /^(\w+) (\w+) (\d+)-(\d*)$/.exec(line)!;
    const ends = answered === '' ? undefined : Number(answered);
    return { kind: kind as 'write', key: 'VX-1', value, invoked: Number(invoked), answered: ends };
  });
  return { ...nothingSeen, operations };
}

const created = (key: string, id: string | undefined, at: number): Operation => ({
  kind: 'create',
  key,
  id,
  invoked: at,
  answered: id === undefined ? undefined : at + 1,
});
const lane = { lane: 'one', events: [1, 2], waiting: [2], parked: [], delivered: [1], dropped: [] };
const heard = [{ lane: 'one', sequence: 1 }];

const good: readonly (readonly [says: string, history: History])[] = [
  ['nothing', nothingSeen],
  ['one write, and a read behind it', register('write a 1-2', 'read a 3-4')],
  ['reads of both values beside a write', register('write a 1-2', 'write b 3-9', 'read a 4-5', 'read b 6-7')],
  ['writes beside each other, in either order', register('write a 1-9', 'write b 2-8', 'read a 10-11')],
  ['a write without an answer that nobody sees', register('write a 1-2', 'write b 3-', 'read a 4-5')],
  ['a write without an answer that happens late', register('write a 1-2', 'write b 3-', 'read a 4-5', 'read b 6-7')],
  ['a read without an answer', register('write a 1-2', 'read b 3-')],
  [
    'a key that was sent again',
    {
      ...nothingSeen,
      operations: [created('k', undefined, 1), created('k', 'VX-1', 3), created('k', 'VX-1', 5)],
      made: [{ key: 'k', id: 'VX-1' }],
    },
  ],
  ['a full quota', { ...nothingSeen, quotas: [{ limit: 2, used: 2 }] }],
  ['a lane, with a call that was repeated', { ...nothingSeen, lanes: [lane], heard: [...heard, ...heard] }],
  [
    'an earlier event that is sent again',
    {
      ...nothingSeen,
      lanes: [{ ...lane, waiting: [], delivered: [1, 2] }],
      heard: [1, 2, 1, 2].map((sequence) => ({ lane: 'one', sequence })),
    },
  ],
];

it.each(good)('%s is a history that the service promises', (_says, history) => {
  expect(complaintsAbout(history)).toEqual([]);
});

const order = 'what was read is what some order of the writes explains';
const bad: readonly (readonly [rule: string, says: string, history: History])[] = [
  [
    'an id is given once',
    'an id of two things',
    {
      ...nothingSeen,
      operations: [created('k', 'VX-1', 1), created('l', 'VX-1', 3)],
      made: [
        { key: 'k', id: 'VX-1' },
        { key: 'l', id: 'VX-1' },
      ],
    },
  ],
  [
    'an Idempotency-Key makes one thing',
    'a repetition with another id',
    {
      ...nothingSeen,
      operations: [created('k', 'VX-1', 1), created('k', 'VX-2', 3)],
      made: [
        { key: 'k', id: 'VX-1' },
        { key: 'l', id: 'VX-2' },
      ],
    },
  ],
  [
    'an Idempotency-Key makes one thing',
    'a second thing that nobody heard of',
    {
      ...nothingSeen,
      operations: [created('k', 'VX-2', 3)],
      made: [
        { key: 'k', id: 'VX-1' },
        { key: 'k', id: 'VX-2' },
      ],
    },
  ],
  [
    'an Idempotency-Key makes one thing',
    'an acknowledged thing that is not there',
    { ...nothingSeen, operations: [created('k', 'VX-1', 1)] },
  ],
  ['a quota is never above its limit', 'a limit that was passed', { ...nothingSeen, quotas: [{ limit: 2, used: 3 }] }],
  ['an event is in one place', 'an event that is lost', { ...nothingSeen, lanes: [{ ...lane, waiting: [] }], heard }],
  [
    'an event is in one place',
    'an event that was delivered and waits',
    { ...nothingSeen, lanes: [{ ...lane, waiting: [1, 2] }], heard },
  ],
  [
    'an event is in one place',
    'an event that was parked and dropped',
    { ...nothingSeen, lanes: [{ ...lane, waiting: [], parked: [2], dropped: [2] }], heard },
  ],
  [
    'a delivery is called before it is recorded, and of nothing that did not happen',
    'a delivery that nobody heard',
    { ...nothingSeen, lanes: [lane] },
  ],
  [
    'a delivery is called before it is recorded, and of nothing that did not happen',
    'a call about nothing',
    { ...nothingSeen, lanes: [lane], heard: [...heard, { lane: 'one', sequence: 3 }] },
  ],
  [
    'first calls of a lane are in order',
    'a later event before an earlier one',
    {
      ...nothingSeen,
      lanes: [{ ...lane, waiting: [], delivered: [1, 2] }],
      heard: [2, 1].map((sequence) => ({ lane: 'one', sequence })),
    },
  ],
  [order, 'a value that nobody wrote', register('write a 1-2', 'read b 3-4')],
  [order, 'a value before its write', register('read a 1-2', 'write a 3-4')],
  [order, 'an old value behind an acknowledged write', register('write a 1-2', 'write b 3-4', 'read a 5-6')],
  [order, 'a write that was lost', register('write a 1-2', 'write b 3-4', 'read a 5-6', 'read b 7-8')],
  [order, 'a value that comes and goes', register('write a 1-2', 'write b 3-9', 'read b 4-5', 'read a 6-7')],
  [
    order,
    'two readers that saw two orders',
    register('write a 1-4', 'write b 1-4', 'read a 5-6', 'read b 7-8', 'read a 9-10'),
  ],
  [order, 'a value written twice', register('write a 1-2', 'write a 3-4')],
];

it.each(bad)('%s: %s is noticed', (rule, _says, history) => {
  const complaints = complaintsAbout(history);
  expect(complaints.map((complaint) => complaint.split(': ', 1)[0])).toContain(rule);
});

it('the table of broken histories has each rule', () => {
  expect(new Set(bad.map(([rule]) => rule))).toEqual(new Set(Object.keys(rules)));
});
