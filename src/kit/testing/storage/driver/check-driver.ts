import type { StorageDriver } from '../../../../spi/index.ts';
import { broken, type CheckResult, errorSentence, inspect, type Promises, showValue } from '../../result.ts';
import { collectBytes, equalBytes, toBytes } from '../bytes.ts';
import { storageFormPromises } from './form-promises.ts';
import { listPromises } from './list-promises.ts';
import { partPromises } from './part-promises.ts';
import { readPromises } from './read-promises.ts';
import { type DriverUnderTest, type Files, filesOf, put } from './subject.ts';
import { writePromises } from './write-promises.ts';

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
