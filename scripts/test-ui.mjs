import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';

/** `npm run test:ui`: the tests of the web page. */
const browser = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
if (!existsSync(browser)) console.log(`There is no Chromium at ${browser}: flows of the page are left out`);
// `npm run test:visual -- --update` keeps the pictures that it takes.
const given = process.argv.slice(2).filter((word) => word !== '--update');
const words = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'ui', ...given];
const env = { ...process.env, ...(process.argv.includes('--update') && { KEEP_PICTURES: '1' }) };
process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit', env }).status ?? 1;
