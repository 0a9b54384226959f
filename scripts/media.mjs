import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import process from 'node:process';

/**
 * `npm run test:media`: installs `@mediabunny/server` beside its tests, as an operator would beside an instance, and
 * runs them. Portico has no part of it: its FFmpeg is GPL.
 */
const folder = 'test/storage/library';
const nested = `${folder}/node_modules`;
const limit = 10 * 60_000;

/** Platforms for which the makers of its native part build. */
const builds = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64'];

/** Resolves to the exit code. The child reads nothing, so that no prompt can hold it. */
function run(command, words) {
  return new Promise((resolve) => {
    const options = { stdio: ['ignore', 'inherit', 'inherit'], timeout: limit, killSignal: 'SIGKILL' };
    const child = spawn(command, words, options);
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Undefined: there is a build for this machine. */
function lacking() {
  const platform = `${process.platform}-${process.arch}`;
  if (!builds.includes(platform)) return platform;
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return isMusl ? `${platform} with musl` : undefined;
}

/** npm leaves a lock file of its own in what it has installed. */
function isInstalled() {
  const installed = `${nested}/.package-lock.json`;
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${folder}/package-lock.json`).mtimeMs;
}

async function install() {
  if (isInstalled()) return 0;
  console.log(`Installing @mediabunny/server into ${nested}`);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-progress', '--prefix', folder]);
}

const platform = lacking();
if (platform !== undefined) {
  console.log(`Left out: @mediabunny/server has no build for ${platform}`);
} else if ((await install()) !== 0) {
  console.error('@mediabunny/server could not be installed');
  process.exitCode = 1;
} else {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', `${folder}/vitest.config.ts`];
  process.exitCode = await run(process.execPath, [...vitest, ...process.argv.slice(2)]);
}
