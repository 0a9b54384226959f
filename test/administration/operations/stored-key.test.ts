import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/core/lib/secret.ts';
import { startOfTime, testClock } from '../../support/clock.ts';
import { describeMatrix, openWorld } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { testRandom } from '../../support/random.ts';
import { admin } from '../../support/service.ts';
import { json } from '../../support/ways.ts';

const another = new Secret(Buffer.alloc(32, 9).toString('base64'));
const lost =
  /^Expected the secret key that this database was first used with, found (another one|none): stored .* run "portico accept-key"/;

describeMatrix('a database whose key is lost', (entry) => {
  it.each([
    ['another', another, 'other', 'another one'],
    ['none', null, 'missing', 'none'],
  ] as const)(
    'with %s in its place says so at the start, in health and in the self-test',
    async (_, secretKey, state, found) => {
      const database = await migratedDatabase();
      await entry.open({ database });
      const world = await entry.open({ database, secretKey, random: testRandom(2) });
      const notice = { level: 'warn', event: 'host', notice: expect.stringMatching(lost) };
      expect(world.lines).toContainEqual(expect.objectContaining(notice));
      expect(JSON.stringify(world.lines)).toContain(`found ${found}`);
      const health = await world.send({ request: 'GET /health', headers: json });
      expect([health.status, JSON.parse(health.body)]).toEqual([
        200,
        { live: true, ready: true, database: 'writable', migrations: 'done', security: 'current', secretKey: state },
      ]);
      const { body } = await world.send({ as: admin, request: 'GET /API/selftest/secretKey', headers: json });
      expect(JSON.parse(body)).toMatchObject({ status: 'failed', message: [expect.stringMatching(lost)] });
    },
  );
});

describe('a key', () => {
  it('that was there before is told of nowhere, and one that is accepted no longer', async () => {
    const database = await migratedDatabase();
    const first = await openWorld('fetch', { database });
    const states = async (world: typeof first) => {
      await world.clock.advance(1000);
      const { body } = await world.send({ request: 'GET /health', headers: json });
      return JSON.parse(body).secretKey;
    };
    expect(await states(first)).toBe(undefined);
    const second = await openWorld('fetch', { database, secretKey: another, random: testRandom(2) });
    expect(await states(second)).toBe('other');
    await second.service.rooms.operations.acceptKey();
    expect([await states(second), await second.service.rooms.operations.keyDefect()]).toEqual([undefined, undefined]);
  });
});

describe('a clock that was set back', () => {
  it.each([
    [5 * 60_000, 'ok'],
    [5 * 60_000 + 1, 'warning'],
  ])('by %i ms is %s in the self-test', async (behind, status) => {
    const database = await migratedDatabase();
    await openWorld('fetch', { database, clock: testClock(startOfTime + behind) });
    const clock = testClock();
    const world = await openWorld('fetch', { database, clock, random: testRandom(2) });
    const { body } = await world.send({ as: admin, request: 'GET /API/selftest/clock', headers: json });
    expect(JSON.parse(body).status, body).toBe(status);
    const says = world.lines.filter(
      ({ event, notice }) => event === 'host' && /^Expected a clock/.test(String(notice)),
    );
    expect(says).toHaveLength(status === 'ok' ? 0 : 1);
  });
});
