import { bucketStorage } from '../../../plugins/storages/s3/driver.ts';
import { secretText, type TestHost, testHost } from '../../../src/kit/testing/index.ts';
import { someBytes, streamBody, toBytes } from '../../../src/kit/testing/storage/bytes.ts';
import type { StorageAddress, StorageDriver, StorageScheme } from '../../../src/spi/index.ts';
import { type FakeS3, type FakeS3Options, fakeS3 } from '../../support/s3/fake.ts';

export const start = Date.UTC(2030, 0, 1);
export const key = {
  accessKey: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'eu-west-1',
};

export const usual = {
  answerWithin: 30_000,
  completeWithin: 600_000,
  idle: 60_000,
  conditionalWrites: true,
  leastPart: 5 * 1024 * 1024,
};

export const addressOf = (folder = '', more = ''): StorageAddress => ({
  uri: `s3://media/${folder}?endpoint=https://s3.example&region=${key.region}${more}`,
  user: key.accessKey,
  password: secretText(key.secret),
});

export interface Bucket {
  readonly fake: FakeS3;
  readonly host: TestHost;
  readonly scheme: StorageScheme;
  readonly driver: Required<StorageDriver>;
  /** The same place, as another process opens it. */
  again(): Promise<Required<StorageDriver>>;
  /** Milliseconds that were slept. */
  readonly slept: number[];
}

/** A host whose sleeps are over at once: the time moves on instead. */
export function hasty(host: TestHost, slept: number[] = []): TestHost {
  return Object.assign(host, {
    async sleep(milliseconds: number, signal?: AbortSignal) {
      signal?.throwIfAborted();
      slept.push(milliseconds);
      await host.clock.advance(milliseconds);
    },
  });
}

/** A driver before a strict bucket of its own. */
export async function openBucket(
  more: Partial<FakeS3Options> & { readonly properties?: Partial<typeof usual>; readonly folder?: string } = {},
): Promise<Bucket> {
  const { properties, folder = '', ...options } = more;
  let now = () => start;
  const fake = fakeS3({ key, bucket: 'media', host: 's3.example', now: () => now(), ...options });
  const slept: number[] = [];
  let seed = 0;
  async function made() {
    const host = hasty(testHost({ start, backend: (request) => fake.fetch(request), seed: ++seed }), slept);
    const scheme = await bucketStorage.create({ ...usual, ...properties }, host);
    return { host, scheme, driver: scheme.open(addressOf(folder)) as Required<StorageDriver> };
  }
  const first = await made();
  if (!options.now) now = first.host.now;
  return { ...first, fake, slept, again: async () => (await made()).driver };
}

export const mebibyte = 1024 * 1024;

export const large = someBytes(9 * mebibyte + 3);

export const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error) => error.kind,
  );

export const put = async ({ driver }: Pick<Bucket, 'driver'>, path: string, bytes: Uint8Array | string) => {
  const { token } = await driver.stage(streamBody(toBytes(bytes)));
  return driver.publish(token, path, 'create');
};
