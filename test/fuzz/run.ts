import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Route } from '../../src/http/route.ts';
import type { Sent } from '../support/matrix.ts';
import { bytesOf, type Input, inputOf, inputs } from './edits.ts';
import { judged, type watchdog } from './judge.ts';
import { nameOf, preparedRequest, type Twist, twisted, twists, walked } from './routes.ts';
import type { Target } from './targets.ts';
import type { FuzzWorld } from './world.ts';

const folderOf = (name: string): URL => new URL(`./corpus/${name}/`, import.meta.url);

/** Inputs that found something once, by the names of their files. */
export function keptInputs(name: string): ReadonlyMap<string, Input> {
  try {
    const folder = folderOf(name);
    return new Map(
      readdirSync(folder)
        .sort()
        .map((file) => [file, inputOf(readFileSync(new URL(file, folder)))]),
    );
  } catch {
    return new Map();
  }
}

/** Keeps an input, and tells the path of its file. */
export function keep(name: string, input: Input): string {
  const file = `${hash('sha256', input, 'hex').slice(0, 10)}`;
  mkdirSync(folderOf(name), { recursive: true });
  writeFileSync(new URL(file, folderOf(name)), bytesOf(input));
  return `test/fuzz/corpus/${name}/${file}`;
}

/** Reads one input by its target. Resolves to whether it was read, and throws a fault. */
export async function tryInput(
  { refuses, maxTurn }: Target,
  read: (input: Input) => Promise<unknown>,
  input: Input,
): Promise<boolean> {
  return judged(async () => {
    try {
      const answer = await read(input);
      return !(typeof answer === 'object' && answer !== null && 'status' in answer && Number(answer.status) >= 400);
    } catch (error) {
      if (refuses?.(error)) return false;
      throw error;
    }
  }, maxTurn);
}

export interface Found {
  readonly name: string;
  readonly input: Input;
  readonly error: unknown;
  readonly seed: number;
}

export interface Tally {
  tried: number;
  read: number;
}

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Inputs of a round, which has a seed of its own. */
const ofRound = 100;

/** Shorter inputs that are tried once one has failed. */
const maxShorter = 150;

/** Tries a target for so many seconds of processor time, or until an input breaks something: the shortest that does. */
export async function fuzzTarget(
  target: Target,
  world: FuzzWorld,
  { seconds, seed, watch }: { seconds: number; seed: number; watch: ReturnType<typeof watchdog> },
): Promise<Tally & { readonly found?: Found }> {
  const { name } = target;
  const read = await target.open(world);
  const seeds = [...(await target.seeds()), ...keptInputs(name).values()];
  const tally = { tried: 0, read: 0 };
  const end = cpuSeconds() + seconds;
  let [hasFailed, left] = [false, maxShorter];
  for (let round = 0; round === 0 || cpuSeconds() < end; round++) {
    const property = fc.asyncProperty(inputs({ ...target, seeds }), async (input) => {
      tally.tried++;
      if (hasFailed && --left < 0) return;
      const watched = (each: Input) => {
        watch.begins(each);
        return read(each);
      };
      try {
        if (await tryInput(target, watched, input)) tally.read++;
      } catch (error) {
        if (!hasFailed) console.log(`${name} fails: ${String(error).slice(0, 300)}`);
        hasFailed = true;
        throw error;
      } finally {
        watch.ends();
      }
    });
    const details = await fc.check(property, { seed: seed + round, numRuns: ofRound });
    const [input] = details.counterexample ?? [];
    if (input !== undefined)
      return { ...tally, found: { name, input, error: details.errorInstance, seed: seed + round } };
  }
  return tally;
}

/** Requests to a route between two preparations, and routes of one service: what they made must not grow for ever. */
const [ofPreparation, ofWorld] = [12, 25];

/** Walks the routes, in an order that the seed says, for so many seconds of processor time. */
export async function fuzzRoutes(
  openWorld: () => Promise<FuzzWorld>,
  {
    seconds,
    seed,
    only,
    report,
  }: { seconds: number; seed: number; only: string; report: (name: string, twist: Twist, error: unknown) => void },
): Promise<Tally> {
  const tally = { tried: 0, read: 0 };
  const routes = walked.filter((route) => `routes ${nameOf(route)}`.includes(only));
  const order = fc.sample(fc.shuffledSubarray([...routes], { minLength: routes.length }), { seed, numRuns: 1 })[0]!;
  const end = cpuSeconds() + seconds;
  const broken = new Set<Route>();
  let [world, prepared] = [await openWorld(), 0];
  for (let round = 0; cpuSeconds() < end; round++) {
    for (const route of order) {
      if (cpuSeconds() >= end) break;
      if (broken.has(route)) continue;
      if (prepared++ % ofWorld === ofWorld - 1) {
        await world.close();
        world = await openWorld();
      }
      const base = await preparedRequest(route, world);
      let [hasFailed, left] = [false, maxShorter];
      const property = fc.asyncProperty(twists(route), async (twist) => {
        tally.tried++;
        if (hasFailed && --left < 0) return;
        try {
          if (await tryTwist(route, base, twist, world)) tally.read++;
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      });
      const details = await fc.check(property, { seed: seed + round, numRuns: ofPreparation });
      const [twist] = details.counterexample ?? [];
      if (twist === undefined) continue;
      broken.add(route);
      report(nameOf(route), twist, details.errorInstance);
    }
  }
  await world.close();
  return tally;
}

/** Whether a request succeeds. Throws a fault. */
export async function tryTwist(route: Route, base: Omit<Sent, 'as'>, twist: Twist, world: FuzzWorld): Promise<boolean> {
  const sent = twisted(base, twist);
  // Another word in the place of a fixed one is the path of another route.
  const words = sent.request.split(/[ ;?]/)[1]!.split('/').slice(2);
  const isOther = route.path.split('/').some((word, at) => at > 0 && !word.includes(':') && word !== words[at - 1]);
  const { status } = await judged(() => world.ask(sent, isOther ? undefined : route));
  return status < 300;
}
