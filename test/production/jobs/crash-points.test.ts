import { expect, it } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { failAtPoints, patience, stopAtPoints } from '../../simulation/points.ts';
import type { Point, ProcessModel } from '../../simulation/process.ts';
import { actUntil } from '../../simulation/victim.ts';
import { testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { admin, openService, type TestService } from '../../support/service.ts';

/** A custom type, what a client asks for once it is there, and the data that the job ends with. */
interface Plot {
  readonly name: string;
  readonly task: readonly object[];
  readonly ends: string;
  readonly data: readonly string[];
}

const note = (step: number, word: string, more: object = {}) => ({
  step,
  script: `job.setData("${word}", "1")`,
  ...more,
});

const plots: readonly Plot[] = [
  {
    name: 'steps one after the other, of which one may fail',
    task: [note(1, 'one'), { step: 2, script: 'job.fatalFail("odd")', critical: false }, note(3, 'three')],
    ends: 'FINISHED_WARNING',
    data: ['one', 'errorMessage-2-1-0', 'three'],
  },
  {
    name: 'a step that fails, and steps that clean up',
    task: [
      note(1, 'one'),
      { step: 2, script: 'job.fatalFail("broken")' },
      note(3, 'three', { cleanup: true }),
      note(4, 'four', { cleanup: true }),
    ],
    ends: 'FAILED_TOTAL',
    data: ['one', 'errorMessage-2-1-0', 'three', 'four'],
  },
];

async function send({ service }: TestService, request: string, body?: object): Promise<string> {
  const headers = { accept: 'application/json', 'idempotency-key': 'the-only-one' };
  return (
    await service.fetch(requestOf('http://portico.test', { as: admin, request, headers, ...(body && { body }) }))
  ).text();
}

const jobsIn = (database: Database) => database.read('SELECT id, status, data FROM job');

async function play({ task, ends, data }: Plot, point?: Point): Promise<ProcessModel> {
  const clock = testClock();
  const database = await migratedDatabase();
  const outside: Database = { ...outliving(database) };
  const shared = { clock, settings: { logLevel: 'error' as const } };
  const act = async (opened: TestService) => {
    // A client that hears nothing asks again with the same key.
    await send(opened, 'POST /API/job?type=PLOT');
    for (let round = 0; round < 3; round++) {
      await opened.service.tick();
      await clock.advance(61_000);
    }
  };
  try {
    const before = await openService({ ...shared, database: outside });
    await send(before, 'POST /API/task-definition/jobtype/PLOT?id=20001', { task });
    await before.service.close();
    const { process, next } = await actUntil(point, { outside, shared }, act);
    const after = await next(() => openService({ ...shared, database: outside }));
    await act(after);
    const jobs = await jobsIn(database);
    expect(jobs.map(([, status]) => status)).toEqual([ends]);
    const pairs = JSON.parse(String(jobs[0]![2])) as readonly (readonly [string, string])[];
    const keys = pairs.map(([key]) => key.replace(/-\d+$/, ''));
    // An attempt that was lost with its process counts, and its step happens once.
    expect(keys).toEqual(data.map((key) => key.replace(/-\d+$/, '')));
    const events = await database.read(`SELECT name FROM event WHERE name IN ('job/create', 'job/stop')`);
    expect(events.map(([name]) => name)).toEqual(['job/create', 'job/stop']);
    await after.service.close();
    return process;
  } finally {
    await database.close();
  }
}

it.each(plots.map((plot, index) => [plot.name, plot, index] as const))(
  '%s: the process may stop at any call; the job is made once and ends once',
  async (_name, plot, index) => {
    const { calls } = await play(plot);
    await stopAtPoints(index, calls, (stop) => play(plot, stop));
  },
  patience,
);

it.each(plots.map((plot, index) => [plot.name, plot, index] as const))(
  '%s: any call may fail; the job is made once and ends once',
  async (_name, plot, index) => {
    const { calls } = await play(plot);
    await failAtPoints(index, calls, (fail) => play(plot, fail));
  },
  patience,
);
