import { describe, expect, it } from 'vitest';
import { brokenBy, promises, type Sample, type Soaked } from './judge.ts';
import { reportPage } from './report.ts';

const mebibyte = 1024 * 1024;
const sample: Sample = {
  ...{ at: 0, isCalm: true, resident: 300, alive: 50, descriptors: 90, rows: { 'expired tokens': 200 } },
  ...{ database: mebibyte, writeAheadLog: 192 * mebibyte, log: 2 * mebibyte },
};
const samplesOf = (more: (at: number) => Partial<Sample>) =>
  Array.from({ length: 30 }, (_, at) => ({ ...sample, at, ...more(at) }));
const took = (first: number, last: number) => [Array(20).fill(first), ...Array(8).fill([]), Array(20).fill(last)];

/** A run that breaks no promise by a hair. */
const good: Soaked = {
  ...{ hours: 1, seed: 1, rate: 1, quietPoints: 1, histories: [], faults: [], left: [], turns: {}, disturbances: [] },
  // Before it is warm, and while things are killed, a process may grow.
  samples: samplesOf((at) =>
    at < 9 ? { alive: 1, resident: 10, isCalm: at > 3 } : { alive: 50 + (at > 20 ? 24 : 0) },
  ),
  routes: new Map([['GET /item', { took: took(10, 1_050), statuses: { 200: 40 } }]]),
  complaints: new Map(),
};

/** For each promise the least that breaks it, and nothing else. */
const bad: Readonly<Record<string, readonly Partial<Soaked>[]>> = {
  'nothing that was acknowledged is lost, and the history is one that the service promises': [
    { histories: ['VX-1 was made, and is not there'] },
    { quietPoints: 0 },
  ],
  'no request is answered 500, and none is refused that should not be': [
    { complaints: new Map([['GET /item was answered 500', 1]]) },
  ],
  'the log has no fault of the service': [{ faults: ['{"level":"error"}'] }],
  'what is alive in memory does not grow': [
    { samples: samplesOf((at) => ({ alive: at > 20 ? 75 : 50 })) },
    { samples: samplesOf(() => ({ alive: Number.NaN })) },
  ],
  'the process does not grow': [{ samples: samplesOf((at) => ({ resident: at > 20 ? 429 : 300 })) }],
  'descriptors do not grow': [{ samples: samplesOf((at) => ({ descriptors: at > 20 ? 107 : 90 })) }],
  'rows that sweeps remove stay few': [{ samples: samplesOf(() => ({ rows: { 'expired tokens': 201 } })) }],
  'the log of the database is written back': [
    { samples: samplesOf((at) => ({ writeAheadLog: at === 5 ? 193 * mebibyte : 0 })) },
  ],
  'the log of warnings stays short': [{ samples: samplesOf(() => ({ log: 2 * mebibyte + 1 })) }],
  'answers come as fast at the end as at the start': [
    { routes: new Map([['GET /item', { took: took(10, 1_051), statuses: { 200: 40 } }]]) },
  ],
};

describe('a soak', () => {
  it('that keeps all promises breaks none', () => {
    expect(brokenBy(good)).toEqual([]);
  });

  it.each(Object.keys(promises))('notices a broken promise: %s', (promise) => {
    for (const change of bad[promise]!)
      expect(brokenBy({ ...good, ...change }).map((broken) => broken.promise)).toEqual([promise]);
  });

  it('has a page that asks for nothing else, and shows what callers said as text', () => {
    const page = reportPage(good, [{ promise: '<script>', shows: 'x' }]);
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/<script|src=|href=|url\(|@import/);
  });
});
