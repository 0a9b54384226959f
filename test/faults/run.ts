import { spawn } from 'node:child_process';
import { elsewhere, isAbout, places } from './checks/elsewhere.ts';
import { faults } from './faults.ts';
import { noticed, untried } from './guards/guards.ts';
import type { OpenGuards } from './guards/plant.ts';

/**
 * `npm run faults [words of a name]`: plants each fault alone and runs the suite that has to catch it. Ends with 1 when
 * one is not caught: then the suite, not the product, is what needs work. `npm run faults checks of rights` leaves out
 * each check of a right instead: one run tries all that the matrix of rights has to notice. `npm run faults guards` makes
 * guards of commits always true, one for each suite of a run, and lists the untried ones; words after it choose guards
 * or suites. `npm run faults refusals PATH…` lists which untried guards refuse a commit in which suites.
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

if (wanted === '' || process.argv[2] === 'guards') {
  const words = process.argv.slice(3).join(' ');
  const tried = noticed.filter((row) => row.join(' ').includes(words));
  // A suite that fails without an open guard would seem to notice its own.
  const { out: sound } = await openGuards({}, new Set(tried.map(([, suite]) => suite)));
  // A suite, or a test of it that has a title here, tries one guard at a time: its second guard waits for the next round.
  for (let rest = tried; rest.length > 0; ) {
    const round = new Map(rest.map((row) => [row.slice(1).join(' > '), row]));
    const open = Object.fromEntries([...round.values()].map(([guard, ...place]) => [guard, place]));
    const { out } = await openGuards(open, new Set([...round.values()].map(([, path]) => path)));
    const planted = !/SyntaxError|Transform failed|ERR_MODULE/.test(out);
    for (const [guard, path, title] of round.values()) {
      const test = planted && !failureOf(path, sound, title) && failureOf(path, out, title);
      if (!test) missed++;
      console.log(
        `${test ? 'caught ' : planted ? 'MISSED ' : 'BROKEN '} always true: ${guard}  (${path})${test || ''}`,
      );
    }
    rest = rest.filter(([guard]) => open[guard] === undefined);
  }
  for (const guard of untried) console.log(`untried always true: ${guard}`);
  console.log(`${noticed.length} guards have a suite, nobody has tried ${untried.length}`);
}

if (process.argv[2] === 'refusals') {
  const { out } = await run(process.argv.slice(3), { PORTICO_REFUSALS: '1' });
  const refusals = new Set(out.match(/(?<=^refused by ).*/gm)?.map((line) => line.replace(`${process.cwd()}/`, '')));
  for (const guard of untried) for (const line of refusals) if (line.startsWith(`${guard} in `)) console.log(line);
}
process.exitCode = missed > 0 ? 1 : 0;

/** The first test of a suite that fails, in what a run says, or the one with that title. */
function failureOf(path: string, out: string, title = ''): string | undefined {
  const failures = out.split('\n').filter((line) => /^\s*FAIL\s/.test(line) && line.includes(path));
  return failures.find((line) => line.endsWith(title))?.split(path)[1];
}

function openGuards(guards: OpenGuards, suites: Iterable<string>): Promise<Ended> {
  return run([...suites], { PORTICO_OPEN_GUARDS: JSON.stringify(guards) });
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  /** True if the time limit ended the suite: nobody would take that for a suite that passes. */
  readonly late: boolean;
}

function suite(planted: Readonly<Record<string, string>>, path: string): Promise<Ended> {
  return run(['--bail', '1', '--testTimeout', '10000', path], { ...thorough, ...planted }, longest);
}

/** Several suites of one run have as long as they need: each of their tests has a limit. Guards show in short forms. */
function run(given: readonly string[], planted: Readonly<Record<string, string>>, limit = 30 * 60_000): Promise<Ended> {
  const words = ['node_modules/vitest/vitest.mjs', 'run', ...given];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...planted, NODE_OPTIONS: heap, NO_COLOR: '1' },
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
