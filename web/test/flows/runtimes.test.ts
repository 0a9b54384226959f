import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { readSettings } from '../../../src/composition/settings.ts';
import { denoProgram } from '../../../test/support/programs.ts';
import { serveBucket } from '../../../test/support/s3/fake.ts';
import { sqldBinary, startSqld } from '../../../test/support/sqld.ts';
import { hasMiniflare, startWorkerd } from '../../../test/support/workerd.ts';
import { attack, itLogsIn, itPlays, itSearches, seedLibrary } from '../first-flows.ts';
import {
  addPeople,
  type ClosableSite,
  hasBrowser,
  hasFfmpeg,
  importFile,
  makeFilm,
  openSite,
  passwordOf,
  type Site,
  seedStorage,
  siteAt,
} from '../support.ts';

const hasWorkerd = hasMiniflare && sqldBinary() !== undefined;
const isAsked = process.env['RUNTIME'] === 'page';
const canRun = isAsked && hasBrowser && hasFfmpeg;
if (!isAsked) console.log('Flows on Deno and workerd are left to npm run test:runtimes -- page');
else if (!canRun) console.log('Flows on Deno and workerd are left out: they need Chromium and ffmpeg');
else if (!hasWorkerd) console.log('Flows on workerd are left out: npm run test:runtimes installs it');

interface Prepared {
  readonly site: ClosableSite;
  /** A service of the same database and files that can transcode. */
  readonly maker: Site;
}

async function onDeno(): Promise<Prepared> {
  const root = await mkdtemp(join(tmpdir(), 'portico-page-'));
  const words = ['run', '--no-prompt', '-A', '--config', resolve('deno.json'), resolve('src/entry/cli.ts'), 'serve'];
  const child = spawn(denoProgram(), words, {
    env: {
      ...{ PATH: process.env['PATH'], HOME: process.env['HOME'] },
      ...{ PORTICO_ROOT: root, PORTICO_PORT: '0', PORTICO_LOG_LEVEL: 'error' },
      PORTICO_ADMIN_PASSWORD: passwordOf('administrator'),
    },
    cwd: resolve('.'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const gone = new Promise((done) => child.once('close', done));
  const address = await new Promise<string>((resolveAddress, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes) => {
        said += bytes;
        const [, listening] = /portico listening on (\S+)\n/.exec(said) ?? [];
        if (listening) resolveAddress(listening);
      });
    }
    void gone.then((code) => reject(new Error(`Ended with ${code}: ${said}`)));
  });
  const site = {
    ...siteAt(address, root),
    async close() {
      child.kill('SIGKILL');
      await gone;
      await rm(root, { recursive: true, force: true });
    },
  };
  await addPeople(site);
  await seedLibrary(site);
  await seedStorage(site);
  return { site, maker: site };
}

/** An edge has no transcoder. Node, at the same database and bucket, brings things in. */
async function onWorkerd(): Promise<Prepared> {
  const [database, bucket] = await Promise.all([startSqld(), serveBucket()]);
  const environment = {
    PORTICO_DATABASE: database.url,
    PORTICO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORTICO_OUTBOUND_ALLOW: '127.0.0.1',
    PORTICO_LOG_LEVEL: 'error',
  };
  const { database: url, secretKey, outboundAllow } = readSettings(environment);
  const node = await openSite({ database: url, secretKey, outboundAllow });
  await seedLibrary(node);
  await seedStorage(node, `s3://KEY:SECRET@media/in/?endpoint=http://127.0.0.1:${bucket.port}`);
  const worker = await startWorkerd(node.root, environment);
  return {
    maker: node,
    site: {
      ...siteAt(worker.origin, node.root),
      async close() {
        await worker.stop();
        await node.close();
        bucket.close();
        await database.stop();
      },
    },
  };
}

describe.runIf(canRun).each([
  ['Deno', onDeno, true],
  ['workerd', onWorkerd, hasWorkerd],
] as const)('the page served by %s', (_name, open, isThere) => {
  describe.runIf(isThere)('in Chromium', () => {
    let prepared: Prepared;
    const site = () => prepared.site;
    beforeAll(async () => {
      prepared = await open();
    });
    afterAll(() => prepared?.site.close());

    itLogsIn(site);
    itSearches(site);

    describe('with a film', () => {
      let film: string;
      beforeAll(async () => {
        film = await importFile(prepared.maker, (await makeFilm(site(), { seconds: 4 }))!, { title: attack });
      });
      itPlays(site, () => film);
    });
  });
});
