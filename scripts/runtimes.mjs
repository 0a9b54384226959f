import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import process from 'node:process';

/**
 * Runs the small suite of `test/runtime` on each runtime, two at a time: `npm run test:runtimes [-- NAME ...]`.
 * With `--again` a runtime that fails is tried once more; `scripts/again.mjs --sum` names it if it passes then.
 * Node is started by path, because the one on the PATH may be any; so are the others, because there may be none.
 */
const folder = 'test/runtime';
const nested = `${folder}/node_modules`;
const limit = 8 * 60_000;
const vitest = 'node_modules/vitest/vitest.mjs';
const servers = [vitest, 'run', '--config', `${folder}/vitest.config.ts`];
const workerd = [vitest, 'run', '--config', `${folder}/vitest.workerd.config.ts`];

const runtimes = new Map([
  ['node20', [`${nested}/node20/bin/node`, ...servers]],
  ['node22', [`${nested}/node22/bin/node`, ...servers]],
  ['node24', [`${nested}/node24/bin/node`, ...servers]],
  ['deno', ['node_modules/.bin/deno', 'run', '-A', ...servers]],
  // Without --no-install it would fetch whatever it misses from the registry.
  ['bun', [`${nested}/.bin/bun`, '--no-install', '--bun', ...servers]],
  ['workerd', [process.execPath, ...workerd]],
  ['template', [process.execPath, vitest, 'run', '--project', 'all', 'test/examples/worker.test.ts']],
  // In Chromium, with the page served by Deno and by workerd.
  ['page', [process.execPath, vitest, 'run', '--project', 'ui', 'web/test/flows/runtimes.test.ts']],
]);
const browser = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Resolves to the exit code, and prints at the end. The child reads nothing, so that no prompt can hold it. */
function run([command, ...args], environment = {}) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
      timeout: limit,
      killSignal: 'SIGKILL',
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('close', (code) => {
      console.log(`\n--- ${environment.RUNTIME ?? command}\n${Buffer.concat(chunks)}`);
      resolve(code ?? 1);
    });
  });
}

async function install() {
  if (isInstalled()) return 0;
  console.log(`Installing the runtimes into ${nested}`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  return (await run([npm, 'ci', '--prefix', folder])) || prepareBun();
}

/** npm leaves a lock file of its own in what it has installed. */
function isInstalled() {
  const installed = `${nested}/.package-lock.json`;
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${folder}/package-lock.json`).mtimeMs;
}

/** The one package here whose install script is needed; npm runs none. */
function prepareBun() {
  return run([process.execPath, `${nested}/bun/install.js`]);
}

const words = process.argv.slice(2);
const asked = words.filter((word) => word !== '--again');
const isTriedAgain = words.includes('--again');
const unknown = asked.filter((name) => !runtimes.has(name));
if (unknown.length > 0) {
  console.error(`Expected one of ${[...runtimes.keys()].join(', ')}: "${unknown[0]}"`);
  process.exit(2);
}
if ((await install()) !== 0) {
  console.error('The runtimes could not be installed');
  process.exit(1);
}

const closing = [];
const waiting = [...runtimes].filter(([name]) => asked.length === 0 || asked.includes(name));

/** A lane takes the next runtime. */
async function takeTurns() {
  for (let next = waiting.shift(); next; next = waiting.shift()) closing.push(await outcomeOf(...next));
}

async function outcomeOf(name, command) {
  if (!existsSync(command[0])) {
    // The packages with Node in them exist for Linux only. There, one that is missing is a failure.
    const elsewhere = `${process.platform}-${process.arch}` !== 'linux-x64';
    if (!elsewhere) process.exitCode = 1;
    return `${name.padEnd(8)} ${elsewhere ? 'skipped' : 'FAILED'}: not installed on this machine`;
  }
  if (name === 'page' && !existsSync(browser)) return `page     skipped: there is no Chromium at ${browser}`;
  const started = Date.now();
  let code = await run(command, { RUNTIME: name });
  if (code !== 0 && isTriedAgain) {
    code = await run(command, { RUNTIME: name });
    if (code === 0) await run([process.execPath, 'scripts/again.mjs', '--note', `test:runtimes -- ${name}`]);
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (code !== 0) process.exitCode = 1;
  return `${name.padEnd(8)} ${code === 0 ? 'passed' : `FAILED with ${code}`} in ${seconds} s`;
}

await Promise.all([takeTurns(), takeTurns()]);
console.log(`\n${closing.join('\n')}`);
