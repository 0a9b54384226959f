import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import type { Point, ProcessModel } from '../../simulation/process.ts';
import { actUntil } from '../../simulation/victim.ts';
import { join, newCollection, newItem } from '../../support/assets.ts';
import { testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf, type Sent } from '../../support/matrix.ts';
import { by } from '../../support/requests.ts';
import { openService, type TestService } from '../../support/service.ts';
import { expectWholeAssets } from './invariants.ts';

const field = (name: string, value: string) => ({ timespan: [{ field: [{ name, value: [{ value }] }] }] });

/** Requests for items and collections, each of them one commit. */
const requests: readonly Sent[] = [
  newItem('?container=1&video=1'),
  newItem('?container=1'),
  newCollection('?name=one'),
  join('VX-1', 'VX-1'),
  join('VX-1', 'VX-2'),
  by('PUT /API/item/VX-1/metadata', field('title', 'a')),
  by('PUT /API/collection/VX-1', { name: 'two', metadata: field('title', 'b'), content: [{ id: 'VX-2' }] }),
  by('POST /API/item/VX-2/shape/create', { videoComponent: [{ codec: 'h264' }] }),
  by('PUT /API/item/VX-2/shape/VX-3/tag/original'),
  by('DELETE /API/item/VX-1/metadata/changes/VX-6'),
  by('POST /API/collection', { name: 'outer', content: [{ id: 'VX-1', type: 'collection' }] }),
  by('DELETE /API/item?id=VX-1,VX-2'),
  by('DELETE /API/collection/VX-1'),
];

const settings = { logLevel: 'error' as const };

const send = (service: TestService, sent: Sent) => service.service.fetch(requestOf('http://portico.test', sent));

async function play(point?: Point): Promise<ProcessModel> {
  const database = await openDatabase('memory:');
  try {
    const first = await openService({ settings, database: outliving(database) });
    await first.service.close();
    const outside = outliving(database);
    const { process, next } = await actUntil(
      point,
      { outside, shared: { clock: testClock(), settings } },
      async (victim) => {
        for (const each of requests) expect((await send(victim, each)).status, each.request).toBe(200);
      },
    );
    await expectWholeAssets(database);
    // The next process goes on with what is there.
    const after = await next(() => openService({ settings, isOnlyServer: true, database: outside }));
    const made = await send(after, newItem('?container=1'));
    expect(made.status).toBe(200);
    const { id } = (await made.json()) as { id: string };
    expect((await send(after, by(`PUT /API/item/${id}/metadata`, field('title', 'c')))).status).toBe(200);
    await expectWholeAssets(database);
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}

it(
  'the process may stop behind any commit of items, metadata, collections and shapes: none of them is half there',
  async () => {
    const { calls } = await play();
    expect(calls.filter((kind) => kind === 'write').length).toBeGreaterThanOrEqual(requests.length);
    await stopAtPoints(0, calls, (stop) => play(stop));
  },
  patience,
);

it(
  'any call of a request for items, metadata, collections and shapes may fail: nothing is half there',
  async () => {
    const { calls } = await play();
    await failAtPoints(0, calls, play);
  },
  patience,
);
