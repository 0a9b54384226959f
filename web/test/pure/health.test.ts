import { describe, expect, it } from 'vitest';
import { logQuery, outcomeOf, pathOfError, targetOf, workRows } from '../../src/pages/health/health.ts';

const now = Date.parse('2030-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

describe('work beside requests', () => {
  it.each([
    [{ kind: 'a' }, 'idle'],
    [{ kind: 'a', waiting: 2, oldest: ago(5) }, 'waiting'],
    [{ kind: 'a', waiting: 2, oldest: ago(61), leased: 1 }, 'late'],
    [{ kind: 'a', due: ago(5) }, 'idle'],
    [{ kind: 'a', due: ago(61) }, 'late'],
    [{ kind: 'a', due: ago(61), running: 1 }, 'running'],
    [{ kind: 'a', lastFailure: ago(60) }, 'failing'],
    [{ kind: 'a', lastFailure: ago(7200) }, 'idle'],
  ])('%j is %s', (work, word) => {
    expect(workRows([work], now)[0]!.word).toBe(word);
  });

  it('has what fails and what is late before what is well', () => {
    const rows = workRows(
      [
        { kind: 'idle' },
        { kind: 'late', due: ago(90) },
        { kind: 'busy', running: 1 },
        { kind: 'bad', lastFailure: ago(1) },
      ],
      now,
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['bad', 'late', 'busy', 'idle']);
  });
});

it('links an error to the page of its job or storage, and to no other', () => {
  expect(
    [
      { type: 'JOB', entityId: 'VX-1' },
      { type: 'STORAGE', entityId: 'VX-2' },
      { type: 'JOB' },
      { type: 'X', entityId: 'Y' },
    ].map(pathOfError),
  ).toEqual(['/job/VX-1', '/storage/VX-2', undefined, undefined]);
});

it('asks the audit log for the page and the times of the address', () => {
  const { starttime, ...query } = logQuery({ user: 'anna', since: '2030-01-01T12:00', until: 'soon', page: '3' });
  expect(query).toEqual({
    ...{ username: 'anna', method: undefined, path: undefined, refused: undefined },
    ...{ endtime: undefined, first: 100 },
  });
  expect(Date.parse(starttime!)).toBe(new Date('2030-01-01T12:00').getTime());
  expect(logQuery({ page: '-1' }).first).toBe(0);
  expect(logQuery({ refused: 'true' }).refused).toBe(true);
});

it('shows a request as it was sent', () => {
  const entry = { timestamp: ago(1), username: 'a', method: 'GET', path: '/item', responseCode: 200 };
  expect(targetOf({ ...entry, queryParameters: 'a=1', matrixParameters: 'first=2' })).toBe('/item;first=2?a=1');
  expect(targetOf({ ...entry, queryParameters: '', matrixParameters: '' })).toBe('/item');
});

it.each([
  [{ granted: false }, 'refused'],
  [{ granted: true }, 'lost'],
  [{ granted: true, route: 'GET /item', allowed: false }, 'closed'],
  [
    { granted: true, route: 'GET /item/:item', allowed: false, entity: { status: 403, reason: 'not-allowed' } },
    'notYours',
  ],
  [{ granted: true, route: 'GET /item', allowed: true }, 'open'],
])('%j is %s', (explanation, outcome) => {
  expect(outcomeOf({ method: 'GET', path: '/item', ...explanation })).toBe(outcome);
});
