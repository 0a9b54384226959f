import { spawn } from 'node:child_process';
import { faults } from './faults.ts';

/**
 * `npm run faults [words of a name]`: plants each fault alone and runs the suite that has to catch it. Ends with 1 when
 * one is not caught: then the suite, not the product, is what needs work.
 */
const wanted = process.argv.slice(2).join(' ');
const longest = 180_000;
/** A fault may make a loop that keeps what it makes. */
const heap = '--max-old-space-size=1024';
let missed = 0;
for (const { name, caughtBy } of faults.filter((each) => each.name.includes(wanted))) {
  const { code, out, late } = await suite(name, caughtBy);
  // A fault that could not be planted, or does not load, says nothing about the suite.
  const planted = !/Expected the place of|SyntaxError|Transform failed|ERR_MODULE/.test(out);
  const caught = late || (code !== 0 && planted && /\d+ failed|heap out of memory/.test(out));
  if (!caught) missed++;
  console.log(`${caught ? 'caught ' : planted ? 'MISSED ' : 'BROKEN '} ${name}  (${caughtBy})`);
  if (!planted) console.log(out.slice(-2_000));
}
process.exitCode = missed > 0 ? 1 : 0;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  /** It did not end by itself: nobody would take that for a suite that passes. */
  readonly late: boolean;
}

function suite(fault: string, path: string): Promise<Ended> {
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', '--testTimeout', '10000', path];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, PORTICO_FAULT: fault, NODE_OPTIONS: heap, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what hangs can be ended with all that it has started.
    detached: true,
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    process.kill(-child.pid!, 'SIGKILL');
  }, longest);
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
