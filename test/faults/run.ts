import { spawn } from 'node:child_process';
import { elsewhere, isAbout, places } from './checks/elsewhere.ts';
import { faults } from './faults.ts';
import { noticed } from './guards/guards.ts';

/**
 * `npm run faults [words of a name]`: plants each fault alone and runs the suite that has to catch it. Ends with 1 when
 * one is not caught: then the suite, not the product, is what needs work. `npm run faults checks of rights` leaves out
 * each check of a right instead: one run tries all that the matrix of rights has to notice. `npm run faults guards` makes
 * guards of commits always true, one for each suite of a run.
 */
const wanted = process.argv.slice(2).join(' ');
const longest = 180_000;
/** A fault may make a loop that keeps what it makes. */
const heap = '--max-old-space-size=1024';
const chosen = faults.filter(({ name }) => name.includes(wanted));
let missed = 0;
/** Some faults show in the long form of a suite alone, at one point of a crash test, or in one search of a thousand. */
const thorough = {
  PORTICO_LONG: '1',
  PORTICO_CRASH_POINTS: 'every',
  PORTICO_SEARCHES: '4000',
  PORTICO_COUNTS: '60',
  PORTICO_KILLS: '9',
};

// A suite that fails without a fault would seem to notice all of them. An empty name plants nothing.
const failing = new Set<string>();
for (const path of new Set(chosen.map(({ caughtBy }) => caughtBy))) {
  const { code, out } = await suite({ PORTICO_FAULT: '' }, path);
  if (code === 0) continue;
  failing.add(path);
  console.log(`BROKEN  ${path} fails without a fault\n${out.slice(-2_000)}`);
}

for (const { name, caughtBy } of chosen) {
  if (failing.has(caughtBy)) {
    missed++;
    continue;
  }
  const { code, out, late } = await suite({ PORTICO_FAULT: name }, caughtBy);
  // A fault that could not be planted, or does not load, says nothing about the suite.
  const planted = !/Expected the place of|SyntaxError|Transform failed|ERR_MODULE/.test(out);
  const caught = late || (code !== 0 && planted && /\d+ failed|heap out of memory/.test(out));
  if (!caught) missed++;
  const test = /^\s*FAIL\s+(.*)$/m.exec(out)?.[1];
  const noticed = caught ? ` by ${late ? 'a suite that does not end' : (test ?? 'its memory')}` : '';
  console.log(`${caught ? 'caught ' : planted ? 'MISSED ' : 'BROKEN '} ${name}  (${caughtBy})${noticed}`);
  if (!planted) console.log(out.slice(-2_000));
}

if ('checks of rights'.includes(wanted)) {
  const { code, out } = await suite({ PORTICO_CHECKS: '1' }, 'test/faults/checks');
  if (code !== 0) missed++;
  console.log(`${code === 0 ? 'caught ' : 'MISSED '} checks of rights  (test/faults/checks)`);
  if (code !== 0) console.log(out.slice(-4_000));
  for (const place of places) {
    const path = elsewhere.find((row) => isAbout(row, place))?.[1];
    if (path === undefined) continue;
    const { code, out } = await suite({ PORTICO_CHECKS: '1', PORTICO_LEFT_OUT: place }, path);
    const caught = code !== 0 && /\d+ failed/.test(out) && !/SyntaxError|Transform failed/.test(out);
    if (!caught) missed++;
    console.log(`${caught ? 'caught ' : 'MISSED '} without ${place}  (${path})`);
  }
}

if ('guards'.includes(wanted)) {
  const { out: sound } = await openGuards({}, new Set(noticed.map(([, suite]) => suite)));
  // A suite tries one guard at a time, so its second guard waits for the next round.
  for (let rest = [...noticed]; rest.length > 0; ) {
    const round = new Map(rest.map(([guard, path]) => [path, guard]));
    const open = Object.fromEntries([...round].map(([path, guard]) => [guard, path]));
    const { out } = await openGuards(open, round.keys());
    const planted = !/SyntaxError|Transform failed|ERR_MODULE/.test(out);
    for (const [path, guard] of round) {
      const test = planted && !failureOf(path, sound) && failureOf(path, out);
      if (!test) missed++;
      console.log(
        `${test ? 'caught ' : planted ? 'MISSED ' : 'BROKEN '} always true: ${guard}  (${path})${test || ''}`,
      );
    }
    rest = rest.filter(([guard]) => open[guard] === undefined);
  }
}
process.exitCode = missed > 0 ? 1 : 0;

/** The first test of a suite that fails, in what a run says. */
function failureOf(path: string, out: string): string | undefined {
  return new RegExp(`^\\s*FAIL\\s.*${path}(.*)$`, 'm').exec(out)?.[1];
}

function openGuards(guards: Readonly<Record<string, string>>, suites: Iterable<string>): Promise<Ended> {
  return run([...suites], { PORTICO_OPEN_GUARDS: JSON.stringify(guards) });
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  /** True if the time limit ended the suite: nobody would take that for a suite that passes. */
  readonly late: boolean;
}

function suite(planted: Readonly<Record<string, string>>, path: string): Promise<Ended> {
  return run(['--bail', '1', '--testTimeout', '10000', path], planted, longest);
}

/** Several suites of one run have as long as they need: each of their tests has a limit. */
function run(given: readonly string[], planted: Readonly<Record<string, string>>, limit = 30 * 60_000): Promise<Ended> {
  const words = ['node_modules/vitest/vitest.mjs', 'run', ...given];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...thorough, ...planted, NODE_OPTIONS: heap, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what hangs can be ended with all that it has started.
    detached: true,
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    process.kill(-child.pid!, 'SIGKILL');
  }, limit);
  let out = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
  });
  child.stderr.on('data', (bytes) => {
    out += bytes;
  });
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out, late });
    }),
  );
}
