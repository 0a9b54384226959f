import { openLoginProvider } from '../clients/login-provider.ts';
import { randomMoments } from '../crash/crash.ts';
import { wav } from '../production/checking/samples.ts';
import { Histories } from './history.ts';
import { House } from './house.ts';
import type { Sample, Soaked } from './judge.ts';
import { actors, clientOf, type Scene, titleOf, withPassword } from './people.ts';
import { accounts, company, makeStream, openReceivers, prepare, securityIni } from './prepare.ts';
import { countRows } from './rows.ts';
import { Traffic } from './traffic.ts';

export interface SoakOptions {
  readonly hours: number;
  readonly seed: number;
  /** Factor of the rates of all actors. */
  readonly rate: number;
  readonly isRemote: boolean;
  readonly from?: string | undefined;
  readonly mounts: boolean;
}

/** Share of the time in which things are killed, stopped and filled. Behind it one process lives to the end. */
const stormy = 0.5;
const [shortPause, longPause] = [60_000, 120_000];
/** Hours from which on the pauses between kills are the long ones. */
const longRun = 0.25;
const sampleEvery = 5_000;
const diskIsFull = 10_000;
/** Milliseconds until requests on their way have ended, and what waits for receivers is delivered. */
const patience = 120_000;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function soak(options: SoakOptions, print: (line: string) => void): Promise<Soaked> {
  const { hours, seed, rate } = options;
  const length = hours * 3_600_000;
  const complaints = new Map<string, number>();
  const complain = (says: string): void => {
    // Numbers of things aside, the same complaint is one line.
    const [known] = [...complaints.keys()].filter((each) => each.replace(/\d+/g, '') === says.replace(/\d+/g, ''));
    complaints.set(known ?? says, (complaints.get(known ?? says) ?? 0) + 1);
    if (known === undefined) print(`  ${says}`);
  };
  const histories = new Histories();
  const provider = await openLoginProvider(accounts);
  const receivers = await openReceivers(histories);
  const house = await House.open({ ...options, securityIni: securityIni(provider.issuer) });
  const ended = new AbortController();
  try {
    provider.serve({ ...company, address: house.address });
    const setUp = new Traffic(length, complain);
    const admin = withPassword({ house, traffic: setUp }, 'admin');
    const prepared = await prepare(house, admin, receivers.address, histories);
    const streamed = await makeStream(admin, prepared.storages.main);
    const traffic = new Traffic(length, complain);
    const random = randomMoments(seed);
    let count = 0;
    const scene: Scene = {
      ...{ house, traffic, histories, provider, accounts, random, complain, ...prepared, streamed },
      items: [],
      sound: await wav({ seconds: 0.2 }),
      next: () => ++count,
    };
    const left = [
      ...(house.canFillDisk ? [] : ['A full disk: this process may mount nothing']),
      ...(streamed === undefined ? ['Streams: there is no ffmpeg'] : []),
      ...(house.canRestartDatabase ? [] : ['Restarts of a database server: --remote has one']),
      ...(house.canUpgrade ? [] : ['An upgrade: --from names a checkout of an older version']),
      'A search engine beside the service: npm run test:opensearch kills one',
    ];

    const found: string[] = [];
    const samples: Sample[] = [];
    const turns: Record<string, number> = {};
    let quietPoints = 0;
    let isCalm = false;
    /** Set while nobody may begin a turn. */
    let gate: Promise<void> | undefined;
    const busy = new Set<Promise<void>>();

    async function act({ name, every, turn }: (typeof actors)[number]): Promise<void> {
      while (!ended.signal.aborted) {
        // Turns come as those of many callers: the pauses have no memory.
        await pause((-Math.log(1 - random()) * every * 1_000) / rate);
        while (gate) await gate;
        if (ended.signal.aborted) return;
        turns[name] = (turns[name] ?? 0) + 1;
        const turning = turn(scene).catch((error: Error) => {
          // Refusals are judged where they came.
          if (error.name !== 'Refusal' && !/fetch failed|aborted/.test(error.message))
            complain(`${name}: ${error.stack?.split('\n').slice(0, 3).join(' ')}`);
        });
        busy.add(turning);
        await turning;
        busy.delete(turning);
      }
    }

    /** All turns end, what waits is delivered, and the checker compares what was seen with what is there. */
    async function quietPoint(): Promise<void> {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      try {
        const end = traffic.now() + patience;
        while (busy.size > 0 && traffic.now() < end) await Promise.race([...busy, pause(1_000)]);
        if (busy.size > 0) return complain(`${busy.size} turns did not end within ${patience / 1_000} seconds`);
        let waiting = await histories.waiting(house.databaseUrl);
        for (; waiting > 0 && traffic.now() < end; waiting = await histories.waiting(house.databaseUrl))
          await pause(500);
        if (waiting > 0)
          complain(`${waiting} deliveries waited for ${patience / 1_000} seconds, and their receivers answer`);
        const reader = clientOf(scene, 'admin');
        const titles = new Map<string, string | undefined>();
        for (const { id } of scene.items) titles.set(id, await titleOf(reader, id).catch(() => undefined));
        const broken = await histories.check(house.databaseUrl, titles);
        quietPoints++;
        found.push(...broken);
        for (const line of broken.slice(0, 10)) print(`  HISTORY ${line}`);
      } finally {
        gate = undefined;
        open();
      }
    }

    async function sampling(): Promise<void> {
      while (!ended.signal.aborted) {
        await pause(sampleEvery);
        if (house.hasEnded && !traffic.disturbedSince(traffic.now())) return complain('The server ended by itself');
        if (traffic.disturbedSince(traffic.now()) || ended.signal.aborted) continue;
        const rows = await countRows(house.databaseUrl);
        if (!house.hasEnded) samples.push({ ...house.take(), at: traffic.now(), isCalm, rows });
      }
    }

    /** The others come between two kills, one after the other. */
    const kill = { name: 'kill', allows: [502, 504], act: () => house.kill() };
    const others = [
      ...(house.canUpgrade ? [{ name: 'upgrade', allows: [502], act: () => house.upgrade() }] : []),
      ...(house.canRestartDatabase
        ? [{ name: 'restart of the database', allows: [409], act: () => house.restartDatabase() }]
        : []),
      ...(house.canFillDisk ? [{ name: 'full disk', allows: [507], act: () => house.fillDisk(diskIsFull) }] : []),
      { name: 'restart', allows: [502], act: () => house.restart() },
    ];

    const acting = actors.map(act);
    const sampled = sampling();
    const between = (hours < longRun ? shortPause : longPause) / 2;
    for (let at = 0; traffic.now() + between < length * stormy; at++) {
      await pause(between);
      const event = at % 2 === 1 ? kill : others[Math.floor(at / 2) % others.length]!;
      print(`${Math.round(traffic.now() / 1_000)} s: ${event.name}`);
      await traffic.disturb(event.name, event.allows, event.act);
      await pause(3_000);
      if (event === kill) await quietPoint();
    }
    await pause(Math.max(0, length * stormy - traffic.now()));
    isCalm = true;
    print(`${Math.round(traffic.now() / 1_000)} s: one process lives from here on, ${histories.size} operations`);
    for (;;) {
      const rest = length - traffic.now();
      await pause(Math.max(0, Math.min(rest, longPause)));
      if (rest <= longPause) break;
      await quietPoint();
    }
    await quietPoint();
    ended.abort();
    await Promise.all([sampled, Promise.race([Promise.all(acting), pause(patience)])]);
    // A server whose disk is full says what it could not write.
    const isExpected = (line: string) =>
      line.includes('store-unavailable') &&
      traffic.wasDisturbedAt(Date.parse(/"time":"([^"]+)"/.exec(line)?.[1] ?? ''));
    const faults = house.faults().filter((line) => !isExpected(line));
    return {
      ...{ hours, seed, rate, samples, routes: traffic.routes, disturbances: traffic.disturbances, complaints },
      ...{ histories: found, quietPoints, faults, left, turns },
    };
  } finally {
    ended.abort();
    await house.close();
    receivers.close();
    await provider.close();
  }
}
