import type { Taken } from './house.ts';
import type { Disturbance, Route } from './traffic.ts';

/** State at a moment without a disturbance. */
export interface Sample extends Taken {
  /** Milliseconds since the start. */
  readonly at: number;
  /** Whether nothing is killed, stopped or filled any more: one process lives from then on. */
  readonly isCalm: boolean;
  readonly rows: Readonly<Record<string, number>>;
}

/** Everything that was measured of a run. */
export interface Soaked {
  readonly hours: number;
  readonly seed: number;
  readonly rate: number;
  readonly samples: readonly Sample[];
  readonly routes: ReadonlyMap<string, Route>;
  readonly disturbances: readonly Disturbance[];
  /** Broken checks of callers, with how often. */
  readonly complaints: ReadonlyMap<string, number>;
  /** Complaints of the checker at quiet points. */
  readonly histories: readonly string[];
  readonly quietPoints: number;
  /** Lines of the log that tell of a fault. */
  readonly faults: readonly string[];
  /** Events that this machine cannot have. */
  readonly left: readonly string[];
  /** Operations of each actor. */
  readonly turns: Readonly<Record<string, number>>;
}

export interface Broken {
  readonly promise: string;
  readonly shows: string;
}

type Rule = (soaked: Soaked) => Iterable<string>;

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
export const p99 = (took: readonly number[]): number =>
  took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN;
const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** Share of the calm time behind which a process is warm. */
const warm = 0.3;
/** MiB that stay in memory, and MiB of the process, that may come on top once it is warm. */
const [maxAlive, maxResident] = [24, 128];
const maxDescriptors = 16;
const maxWriteAheadLog = 192 * 1024 * 1024;
const maxLogAnHour = 2 * 1024 * 1024;
/** Answers without which a route has no 99th of a hundred. */
const minAnswers = 20;
const maxSlower = 5;
/** Rows that wait for the next sweep at most. */
const maxRows = 200;

/** Medians of a value in the first and in the last third of the time behind the warm-up. */
function ends(samples: readonly Sample[], of: (sample: Sample) => number): readonly [number, number] {
  const calm = samples.filter(({ isCalm }) => isCalm);
  const behind = calm
    .slice(Math.floor(calm.length * warm))
    .map(of)
    .filter(Number.isFinite);
  const third = Math.ceil(behind.length / 3);
  return [middle(behind.slice(0, third)), middle(behind.slice(-third))];
}

function* grown(soaked: Soaked, of: (sample: Sample) => number, max: number, unit: string): Iterable<string> {
  const [first, last] = ends(soaked.samples, of);
  // A run of which nothing was measured has not shown it.
  if (!(last - first <= max)) yield `from ${whole(first)} to ${whole(last)} ${unit}, ${max} more at most`;
}

/** Promises that `npm run soak` judges: `docs/security/guarantees.md` has the row. */
export const promises: Readonly<Record<string, Rule>> = {
  *'nothing that was acknowledged is lost, and the history is one that the service promises'({
    histories,
    quietPoints,
  }) {
    yield* histories;
    if (quietPoints === 0) yield 'There was no quiet point at which to compare it';
  },
  *'no request is answered 500, and none is refused that should not be'({ complaints }) {
    for (const [says, count] of complaints) yield count > 1 ? `${count} times: ${says}` : says;
  },
  *'the log has no fault of the service'({ faults }) {
    yield* faults.slice(0, 10);
    if (faults.length > 10) yield `and ${faults.length - 10} lines more`;
  },
  'what is alive in memory does not grow': (soaked) => grown(soaked, ({ alive }) => alive, maxAlive, 'MiB'),
  'the process does not grow': (soaked) => grown(soaked, ({ resident }) => resident, maxResident, 'MiB'),
  'descriptors do not grow': (soaked) => grown(soaked, ({ descriptors }) => descriptors, maxDescriptors, 'descriptors'),
  *'rows that sweeps remove stay few'({ samples }) {
    const last = samples.at(-1)?.rows ?? {};
    for (const [name, rows] of Object.entries(last)) if (rows > maxRows) yield `${rows} ${name}, ${maxRows} at most`;
  },
  *'the log of the database is written back'({ samples }) {
    const largest = Math.max(0, ...samples.map(({ writeAheadLog }) => writeAheadLog));
    if (largest > maxWriteAheadLog) yield `${whole(largest)} bytes, ${whole(maxWriteAheadLog)} at most`;
  },
  *'the log of warnings stays short'({ samples, hours }) {
    const log = samples.at(-1)?.log ?? 0;
    const max = maxLogAnHour * Math.max(1, hours);
    if (log > max) yield `${whole(log)} bytes, ${whole(max)} at most`;
  },
  *'answers come as fast at the end as at the start'({ routes }) {
    for (const [name, { took }] of routes) {
      const [first, last] = [took[0]!, took.at(-1)!];
      if (Math.min(first.length, last.length) < minAnswers) continue;
      // A second for the neighbours on the machine.
      if (p99(last) > 1_000 + maxSlower * p99(first))
        yield `${name}: 99 of 100 within ${whole(p99(last))} ms, and ${whole(p99(first))} ms at the start`;
    }
  },
};

export const brokenBy = (soaked: Soaked): readonly Broken[] =>
  Object.entries(promises).flatMap(([promise, rule]) => [...rule(soaked)].map((shows) => ({ promise, shows })));
