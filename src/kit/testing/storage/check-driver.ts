import type { StorageAbilities, StorageDriver } from '../../../spi/index.ts';
import { broken, type CheckResult, errorSentence, inspect, type Promises, quoteText, showValue } from '../result.ts';
import { collectBytes, equalBytes, streamBody, toBytes } from './bytes.ts';
import { type DriverUnderTest, type Files, filesOf, put, refuses, type Writer, within } from './driver-trial.ts';
import { partPromises } from './part-promises.ts';
import { listPromises, readPromises } from './read-promises.ts';
import { writePromises } from './write-promises.ts';

/** Paths that lead out of a place, have a second spelling, or are no UTF-8. */
const badPaths = ['', '/', '/a', 'a/', 'a//b', '.', '..', './a', 'a/.', 'a/..', 'a/../b', '../a', 'a\0b', '\ud800.mov'];

const always = ['check', 'stat', 'read'] as const;
const neededFor: Readonly<Partial<Record<keyof StorageAbilities, readonly (keyof StorageDriver)[]>>> = {
  list: ['list'],
  write: ['stage', 'publish', 'discard', 'staged', 'remove'],
  parts: ['openParts'],
  sign: ['sign'],
};
const abilities = ['list', 'write', 'parts', 'createOnly', 'sign'] as const;

/** Promises for all drivers, whatever their abilities. */
function storageFormPromises({ inPlace, subject, patience }: Files, can: StorageAbilities): Promises {
  return {
    'has the methods of what it can do': inPlace(async ({ driver }) => {
      for (const ability of abilities) {
        if (typeof can[ability] !== 'boolean') broken(`true or false as can.${ability}`, showValue(can[ability]));
      }
      const needed = Object.entries(neededFor).flatMap(([ability, names]) =>
        can[ability as keyof StorageAbilities] ? names : [],
      );
      for (const name of [...always, ...needed]) {
        if (typeof driver[name] !== 'function') broken(`a method "${name}"`, typeof driver[name]);
      }
    }),

    'tells the same of its place each time': inPlace(async ({ driver, again }) => {
      const first = await driver.check();
      for (const name of ['capacity', 'free'] as const) {
        const bytes = first[name];
        if (bytes !== undefined && !(Number.isFinite(bytes) && bytes >= 0))
          broken(`bytes as ${name}, or nothing`, showValue(bytes));
      }
      const { identity } = await (await again()).check();
      if (identity !== first.identity) broken(`the identity ${showValue(first.identity)} again`, showValue(identity));
      if (identity === '') broken('an identity, or none', '""');
    }),

    'refuses paths that lead out of the place or have a second spelling': inPlace(async ({ driver }) => {
      for (const path of badPaths) {
        await refuses('bad-path', `stat of ${quoteText(path)}`, () => driver.stat(path));
        await refuses('bad-path', `read of ${quoteText(path)}`, () => driver.read(path));
        if (can.write) await refusesToWrite(driver, path);
        checkLocalPath(driver, path);
      }
    }),

    'knows no file that is not there': inPlace(async ({ driver }) => {
      for (const path of ['nothing.mov', 'no folder/nothing.mov']) {
        const file = await driver.stat(path);
        if (file !== undefined) broken(`no file at ${quoteText(path)}`, showValue(file));
        await refuses('not-found', `read of ${quoteText(path)}`, () => driver.read(path));
        const removed = can.write && (await driver.remove(path));
        if (removed) broken(`false, because nothing is at ${quoteText(path)}`, showValue(removed));
      }
    }),

    ...(subject.unreachable && {
      async 'says of a place that cannot be reached that it cannot, instead of that it is empty'() {
        const driver = (await subject.unreachable!()) as Writer;
        const gone = ['offline', 'denied'] as const;
        const expectRefusal = async (what: string, work: () => Promise<unknown>) =>
          refuses(gone, `${what} of a place that cannot be reached`, () => within(patience, what, work()));
        try {
          await expectRefusal('check', () => driver.check());
          await expectRefusal('stat', () => driver.stat('a.mov'));
          await expectRefusal('read', () => driver.read('a.mov'));
          if (can.list) await expectRefusal('list', () => driver.list({ limit: 10 }));
          if (can.write) await expectRefusal('stage', () => driver.stage(streamBody(toBytes('x'))));
        } finally {
          await driver.close?.();
        }
      },
    }),
  };
}

async function refusesToWrite(driver: Writer, path: string): Promise<void> {
  const { token } = await driver.stage(streamBody(toBytes('x')));
  await refuses('bad-path', `publish at ${quoteText(path)}`, () => driver.publish(token, path, 'create'));
  await refuses('bad-path', `replacing ${quoteText(path)}`, () => driver.publish(token, path, 'replace'));
  await refuses('bad-path', `remove of ${quoteText(path)}`, () => driver.remove(path));
  await driver.discard(token);
}

function checkLocalPath(driver: StorageDriver, path: string): void {
  let localPath: unknown;
  try {
    localPath = driver.localPath?.(path);
  } catch {
    return;
  }
  if (localPath !== undefined) broken(`no local path of ${quoteText(path)}`, showValue(localPath));
}

/** The contract of a storage driver. What it cannot do, by its own word, is not asked for. */
export async function checkStorageDriver(subject: DriverUnderTest): Promise<CheckResult[]> {
  const name = 'can be opened';
  let can: StorageDriver['can'];
  try {
    const probe = await subject.open(0);
    can = probe.can;
    await probe.close?.();
    if (typeof can !== 'object' || can === null) throw new Error(`what it can do as "can": ${showValue(can)}`);
  } catch (error) {
    return [{ name, passed: false, explanation: `Expected ${errorSentence(error)}` }];
  }
  const files = filesOf(subject, can.write);
  const results = await inspect({
    ...storageFormPromises(files, can),
    ...readPromises(files, can),
    ...(can.list && listPromises(files, can)),
    ...(can.write && writePromises(files, can)),
    ...(can.write && can.parts && partPromises(files)),
    ...(can.sign && subject.fetch && signPromises(files, can.write)),
  });
  return [{ name, passed: true }, ...results];
}

const signPromises = ({ inPlace, withFile, subject }: Files, canWrite: boolean): Promises => ({
  'signs addresses under which anybody may read': withFile(1000, async ({ driver }, { path, bytes }) => {
    const url = await driver.sign(path, { method: 'GET', seconds: 60 });
    const answer = await subject.fetch!(new Request(url));
    const content = answer.body ? await collectBytes(answer.body) : new Uint8Array();
    if (answer.status !== 200 || !equalBytes(content, bytes))
      broken('200 and the bytes of the file', `${answer.status}`);
  }),

  ...(canWrite && {
    'signs addresses under which anybody may write that file alone': inPlace(async ({ driver }) => {
      await put(driver, 'other.mov', 'other');
      const url = await driver.sign('a.mov', { method: 'PUT', seconds: 60 });
      const sent = await subject.fetch!(new Request(url, { method: 'PUT', body: 'abc' }));
      if (!sent.ok) broken('a status from 200 to 299', String(sent.status));
      const content = await collectBytes((await driver.read('a.mov')).body);
      if (!equalBytes(content, toBytes('abc'))) broken('the bytes that were sent', 'others');
      const wrong = await subject.fetch!(new Request(url.replace('a.mov', 'other.mov'), { method: 'PUT', body: 'x' }));
      if (wrong.ok) broken('a refusal of another path', String(wrong.status));
    }),
  }),
});
