import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { type Answer, requestOf, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, openService } from '../../support/service.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/store.ts';
import { isCalm, slowness, turnOf } from '../../support/turns.ts';
import { everyRoute, nameOf } from '../roles/routes.ts';
import { ruleOf } from '../roles/rules.ts';
import { documentLoads, generalLoads, type Load } from './load.ts';
import { loads } from './loads.ts';
import { notificationLoads } from './notifications.ts';
import { fillForLoads } from './state.ts';

/** Milliseconds that one request may hold the loop: all other callers wait that long. */
const max = 50;
const runs = 5;
const maxRuns = 20;
/** For a machine that neighbours share. */
const patience = 600_000;

/**
 * All routes share what reads their parameters and bodies, so a run tries those loads with every twentieth route. The loads
 * of a route itself are always tried. `npm run test:loop` tries all of them.
 */
const stride = process.env['PORTICO_LOADS'] === 'every' ? 1 : 20;

const isShared = (number: number): boolean => number % stride === 0;

/** Prints the longest turn of each load. */
const report = process.env['PORTICO_LOOP_REPORT'] !== undefined;

/** An answer whose text is read piece by piece: to put a long one together would be a turn of the test. */
async function beginningOf({ status, headers, body: stream }: Response): Promise<Answer> {
  let body = '';
  const decoder = new TextDecoder();
  for await (const bytes of stream ?? []) if (body.length < 300) body += decoder.decode(bytes, { stream: true });
  return { status, headers, body };
}

/** A half of the loads. Each has a file, and so a core. */
export function judgeLoads(half: 0 | 1): void {
  describe('no request holds the loop for more than 50 ms', () => suite(half));
}

function suite(half: 0 | 1): void {
  const halfOf = <T>(rows: readonly T[]): T[] => rows.filter((_, at) => at % 2 === half);
  let directory: TemporaryDirectory;
  let world: World & { ask(request: Request): Promise<Answer> };

  beforeAll(async () => {
    directory = await temporaryDirectory();
    const opened = await openService({
      database: await openDatabase(`file:${join(directory.path, 'portico.db')}`),
      settings: { logLevel: 'error' },
    });
    const { fetch } = opened.service;
    world = {
      ...opened,
      ask: async (request) => beginningOf(await fetch(request)),
      async send(sent) {
        const response = await fetch(requestOf('http://portico.test', sent));
        return { status: response.status, headers: response.headers, body: await response.text() };
      },
    };
    await fillForLoads(world);
  }, patience);

  afterAll(async () => {
    await world.close();
    await directory.remove();
  });

  /**
   * The least of five runs counts, because a garbage collection or a neighbour only ever adds. A run that the machine
   * disturbed is made again.
   */
  async function judge(route: string, load: Load, ready?: (run: number) => Promise<void>): Promise<void> {
    let least = Number.POSITIVE_INFINITY;
    let status = 0;
    for (let run = 0, counted = 0; counted < runs && run < maxRuns && least > max; run++) {
      await ready?.(run);
      const sent = Array.from({ length: load.together ?? 1 }, () =>
        requestOf('http://portico.test', { as: admin, ...load.request(run) }),
      );
      const calm = isCalm();
      const { turn, result: results } = await turnOf(async () => {
        const answers = await Promise.all(sent.map(world.ask));
        if (load.works !== undefined) await world.clock.advance(load.works);
        return answers;
      });
      if (calm && isCalm()) counted++;
      least = Math.min(least, turn);
      for (const result of results) {
        status = result.status;
        const told = `${load.title}: ${result.body.slice(0, 300)}`;
        expect(status, told).toBe(load.status ?? status);
        // 501 is the declared answer of unsupported calls.
        if (status !== 501) expect(status, told).toBeLessThan(500);
        // Neither is read as far as the load goes.
        expect([413, 414], told).not.toContain(status);
      }
    }
    if (report) process.stderr.write(`turn ${least.toFixed(1)} ${status} ${route}: ${load.title}\n`);
    if (least > max) expect(least / slowness(), load.title).toBeLessThanOrEqual(max);
  }

  const loaded = [...everyRoute.entries()].filter(([number, route]) => isShared(number) || loads[nameOf(route)]);
  for (const [number, route] of halfOf(loaded)) {
    const name = nameOf(route);
    const own = loads[name] ?? [];
    it(
      name,
      async () => {
        const { given, rows, request } = ruleOf(route);
        const whoOf = (run: number, index: number) => `loop-${number}-${index}-${run}`;
        const plain = (run: number, index: number) => request(whoOf(run, index));
        const shared = isShared(number) ? [...generalLoads(plain), ...documentLoads(route, plain)] : [];
        for (const [index, load] of shared.entries()) {
          await judge(name, load, async (run) => {
            await prepare(world, given?.(whoOf(run, index)));
            await rows?.(world, whoOf(run, index));
          });
        }
        for (const load of own) await judge(name, load);
      },
      patience,
    );
  }

  for (const [route, { request, body, loads: worse }] of halfOf(Object.entries(notificationLoads))) {
    it(
      route,
      async () => {
        const plain = generalLoads((run, index) => ({ request: request(run + index * maxRuns), body }));
        for (const load of [...plain, ...worse]) await judge(route, load);
      },
      patience,
    );
  }
}
