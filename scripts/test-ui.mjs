import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';

/** `npm run test:ui`: the tests of the web page. */
const browser = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
if (!existsSync(browser)) console.log(`There is no Chromium at ${browser}: flows of the page are left out`);
const words = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'ui', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
