import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { bucketStorage } from '../../plugins/storages/s3/driver.ts';
import { systemClock } from '../../src/core/lib/clock.ts';
import { createOutbound } from '../../src/core/outbound/outbound.ts';
import { hostWire } from '../../src/entry/wire.ts';
import { checkStorageDriver, secretText, testHost } from '../../src/kit/testing/index.ts';
import type { Host } from '../../src/spi/index.ts';
import { ceph } from './ceph.ts';
import { filmOnEdge, lackOfFilm } from './film.ts';
import type { Gateway, StoreProgram } from './gateway.ts';
import { differences, storeOutcomes } from './script.ts';
import { type Store, send } from './store.ts';
import { versity } from './versity.ts';

/**
 * `npm run test:s3 [-- --film] [FILE]`: the script and the contract of drivers before real stores, and a film that a
 * Worker makes playable; FILE gets the transcript.
 */

const bucket = 'portico-test';
const lines: string[] = [];
function say(line: string): void {
  lines.push(line);
  process.stdout.write(`${line}\n`);
}

/** A host before the real network, with the time of this machine. Only the store is open to it. */
function hostOf(endpoint: string): Host {
  const clock = systemClock;
  const allow = [new URL(endpoint).hostname.replace(/^\[|\]$/g, '')];
  const { stream, call } = createOutbound({ wire: hostWire(), allow, clock });
  return {
    ...testHost(),
    ...{ stream, call, now: clock.now, sleep: clock.sleep },
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  };
}

async function tried(found: Gateway): Promise<number> {
  const { endpoint, version, accessKey, secret, region, known = {} } = found;
  const own = process.env['S3_BUCKET'];
  const store: Store = {
    ...{ endpoint, accessKey, secret, region, bucket: own ?? bucket },
    fetch: (request) => fetch(request),
    now: Date.now,
  };
  if (own === undefined) await send(store, { method: 'PUT' });

  say(version);
  let failures = 0;
  const tell = (name: string, problem: string | undefined) => {
    if (problem !== undefined) failures++;
    say(problem === undefined ? `ok      ${name}` : `FAILED  ${name}. ${problem}`);
  };
  say('\nThe store');
  for (const { name, problem } of await storeOutcomes(store)) {
    const difference = known[name];
    if (difference === undefined) tell(name, problem);
    else if (problem === difference.problem) say(`differs ${name}. ${problem}. ${difference.reason}`);
    else tell(name, `Expected the known difference "${difference.problem}", found "${problem ?? 'none'}"`);
  }
  for (const [name, ask] of Object.entries(differences)) say(`        ${name}: ${await ask(store)}`);

  say('\nThe driver');
  const { answerWithin, completeWithin, idle, leastPart } = Object.fromEntries(
    Object.entries(bucketStorage.properties!).map(([name, { fallback }]) => [name, Number(fallback)]),
  );
  const scheme = await bucketStorage.create(
    { answerWithin, completeWithin, idle, leastPart, conditionalWrites: true },
    hostOf(endpoint),
  );
  const round = Date.now().toString(36);
  const results = await checkStorageDriver({
    open: (place) =>
      scheme.open({
        uri: `s3://${store.bucket}/round-${round}/${place}/?endpoint=${endpoint}&region=${region}`,
        user: accessKey,
        password: secretText(secret),
      }),
    fetch: (request) => fetch(request),
    patience: 30_000,
  });
  for (const { name, passed, explanation } of results) tell(name, passed ? undefined : (explanation ?? 'It is broken'));
  say(`\n${failures === 0 ? 'All is as expected' : `${failures} not as expected`}`);
  return failures;
}

const words = process.argv.slice(2);
const { S3_ENDPOINT, S3_ACCESS_KEY = '', S3_SECRET = '', S3_REGION = 'us-east-1', S3_BUCKET } = process.env;
/** The store of the environment alone, or those that can be started here. */
const programs: readonly StoreProgram[] = S3_ENDPOINT ? [] : [ceph, versity];
let failures = 0;
let tries = 0;

async function attempt(gateway: Gateway): Promise<void> {
  tries++;
  try {
    failures += await tried(gateway);
    if (words.includes('--film')) failures += await playsFilm(gateway);
  } finally {
    await gateway.close();
  }
}

/** Long: it needs workerd and ffmpeg, too. */
async function playsFilm(gateway: Gateway): Promise<number> {
  say('\nA film on workerd');
  const lack = await lackOfFilm();
  if (lack === undefined) return (await filmOnEdge({ ...gateway, bucket: S3_BUCKET ?? bucket }, say)).length;
  say(`        left out: it needs ${lack}`);
  return 0;
}

if (S3_ENDPOINT) {
  const key = { accessKey: S3_ACCESS_KEY, secret: S3_SECRET, region: S3_REGION };
  const { origin: endpoint, hostname: version } = new URL(S3_ENDPOINT);
  await attempt({ ...key, endpoint, version, close: async () => undefined });
}
for (const program of programs) {
  const lack = await program.lacks();
  if (lack === undefined) await attempt(await program.start());
  else say(`${program.name}: left out, it needs ${lack}`);
}
if (tries === 0)
  say('No store: set S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET, S3_BUCKET (an empty one) and, where it has one, S3_REGION');
process.exitCode = failures === 0 ? 0 : 1;
const path = words.find((word) => !word.startsWith('--'));
if (path !== undefined) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${lines.join('\n')}\n`);
}
