import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { searchReading } from '../../../src/assets/search/reading.ts';
import type { ServiceError } from '../../../src/core/lib/errors.ts';
import { openStore } from '../../../src/core/store/store.ts';
import { type OpenSettings, openDatabase } from '../../../src/entry/native/open-database.ts';
import { storeSettings, temporaryDirectory } from '../../support/store.ts';

const asking = { administrator: true, userId: undefined };
const given = (document: object) => ({
  asking,
  kind: 'item' as const,
  document,
  page: { first: 1, number: 10 },
  options: {},
});

async function open(queries: OpenSettings['queries'] = {}) {
  const directory = await temporaryDirectory();
  const database = await openDatabase(`file:${join(directory.path, 'portico.db')}`, { queries });
  const store = openStore(database, storeSettings());
  onTestFinished(async () => {
    await store.close();
    await directory.remove();
  });
  await store.migrate();
  const perform = (document: object) => store.perform('anna', searchReading, given(document), 'off-thread');
  return { database, store, perform };
}

const told = ({ code, detail, headers }: ServiceError) => ({ code, detail, headers });

describe('a reading on a thread', () => {
  it('gives what it finds, and takes the next one', async () => {
    const { database, perform } = await open();
    expect(await perform({})).toMatchObject({ hits: 0, ids: [] });
    expect(await perform({ text: [{ value: 'harbour' }] })).toMatchObject({ hits: 0, ids: [] });
    expect(database.figures).toMatchObject({ queriesRunning: 0, queriesWaiting: 0, queriesLate: 0 });
  });

  it('that looks through the metadata of its hits is done by no serving thread', async () => {
    const { database, store } = await open();
    const { performFor } = database;
    const done: unknown[] = [];
    Object.assign(database, {
      performFor: (...asked: Parameters<NonNullable<typeof performFor>>) => {
        done.push(asked[3]);
        return performFor!(...asked);
      },
    });
    const here = (document: object) => store.perform('anna', searchReading, given(document), 'here');
    expect([await here({}), done]).toEqual([expect.objectContaining({ hits: 0 }), []]);
    expect(await here({ highlight: {} })).toMatchObject({ hits: 0, highlights: [] });
    expect(done).toEqual(['waits']);
  });

  it('is refused in its own words', async () => {
    const { perform } = await open();
    const sort = [{ field: 'created', order: 'up' }];
    expect(await perform({ sort }).catch(told)).toEqual({
      code: 'bad-value',
      detail: { context: 'search/sort', explanation: 'Expected "ascending" or "descending"', value: 'up' },
      headers: {},
    });
  });

  it('with a bug fails alone, says where, and the thread goes on', async () => {
    const { perform } = await open();
    const broken = await perform({ sort: 'no list' }).catch(told);
    expect(broken).toMatchObject({
      code: 'internal',
      detail: { explanation: expect.stringMatching(/TypeError: .*\n +at /) },
    });
    expect(await perform({})).toMatchObject({ hits: 0 });
  });

  it('that cannot cross to it is a bug, and the thread goes on', async () => {
    const { database, perform } = await open();
    const broken = await database.performFor!('anna', 'search', { options: () => undefined })!.catch(told);
    expect(broken).toMatchObject({ code: 'internal', detail: { explanation: expect.stringContaining('cloned') } });
    expect(await perform({})).toMatchObject({ hits: 0 });
  });

  it('of no name is a bug', async () => {
    const { database } = await open();
    const broken = await database.performFor!('anna', 'no such reading', {})!.catch(told);
    expect(broken).toMatchObject({ code: 'internal' });
  });

  it('is done on the serving thread while other queries of its caller take all that is theirs', async () => {
    const { database, perform } = await open({ readers: 2, milliseconds: 120_000 });
    const endless =
      'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000000) SELECT count(*) FROM n';
    let isDone = false;
    const slow = Promise.resolve(database.query('anna', endless)).then(() => {
      isDone = true;
    });
    expect(await perform({ text: [{ value: 'harbour' }] })).toMatchObject({ hits: 0 });
    expect(isDone).toBe(false);
    await slow;
  });

  it('that takes too long begins no further statement', async () => {
    const { database, perform } = await open({ milliseconds: 1 });
    expect(await perform({}).catch(told)).toMatchObject({ code: 'query-too-long' });
    for (let turn = 0; turn < 200 && database.figures.queriesLate > 0; turn++) await perform({}).catch(() => undefined);
    expect(database.figures.queriesRunning).toBeLessThanOrEqual(4);
  });
});
