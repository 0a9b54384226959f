import { bucketStorage } from '../../../plugins/storages/s3/driver.ts';
import { webStorage } from '../../../plugins/storages/web.ts';
import { type Backend, secretText, type TestHost, testHost } from '../../../src/kit/testing/index.ts';
import { someBytes, streamBody, toBytes } from '../../../src/kit/testing/storage/bytes.ts';
import type { StorageAddress, StorageDriver, StorageScheme } from '../../../src/spi/index.ts';
import { type FakeS3, type FakeS3Options, fakeS3, inPieces } from '../../support/s3/fake.ts';

export const start = Date.UTC(2030, 0, 1);
export const key = {
  accessKey: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'eu-west-1',
};

export const defaultValue = {
  answerWithin: 30_000,
  completeWithin: 600_000,
  idle: 60_000,
  conditionalWrites: true,
  leastPart: 5 * 1024 * 1024,
};

const addressOf = (folder = '', more = ''): StorageAddress => ({
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
function hasty(host: TestHost, slept: number[] = []): TestHost {
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
  more: Partial<FakeS3Options> & {
    readonly properties?: Partial<typeof defaultValue>;
    readonly folder?: string;
    /** Further parameters of the address. */
    readonly more?: string;
  } = {},
): Promise<Bucket> {
  const { properties, folder = '', more: parameters, ...options } = more;
  let now = () => start;
  const fake = fakeS3({ key, bucket: 'media', host: 's3.example', now: () => now(), ...options });
  const slept: number[] = [];
  let seed = 0;
  async function made() {
    const host = hasty(testHost({ start, backend: (request) => fake.fetch(request), seed: ++seed }), slept);
    const scheme = await bucketStorage.create({ ...defaultValue, ...properties }, host);
    return { host, scheme, driver: scheme.open(addressOf(folder, parameters)) as Required<StorageDriver> };
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

export const limits = { answerWithin: 30_000, idle: 60_000 };

export const password = 'sesame/open?7#f';

/** Files of a web server, and features that it can leave out. */
interface WebServer {
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly tags?: 'strong' | 'weak' | 'none';
  readonly knowsRanges?: boolean;
  readonly knowsHead?: boolean;
  readonly login?: string;
}

/** A web server with files, which is as simple as it says. */
export function webServer({ files, tags = 'strong', knowsRanges = true, knowsHead = true, login }: WebServer): Backend {
  return (request) => {
    const { headers, method, url } = request;
    if (login !== undefined && headers.get('authorization') !== `Basic ${btoa(login)}`)
      return new Response(null, { status: 401 });
    const path = decodeURIComponent(new URL(url).pathname.replace(/^\/media\/(?:\d+\/)?/, ''));
    if (method === 'HEAD' && !knowsHead) return new Response(null, { status: 405 });
    if (path === '') return new Response(null, { status: 403 });
    const bytes = files.get(path);
    if (!bytes) return new Response('Not here', { status: 404 });
    const etag = `"${bytes.byteLength}-${bytes[0] ?? ''}"`;
    if (tags === 'strong' && ![null, etag].includes(headers.get('if-match')))
      return new Response(null, { status: 412 });
    const told: Record<string, string> = {
      'last-modified': 'Tue, 01 Jan 2030 00:00:00 GMT',
      ...(tags === 'strong' && { etag }),
      ...(tags === 'weak' && { etag: `W/${etag}` }),
    };
    const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec((knowsRanges && headers.get('range')) || '') ?? [];
    if (from !== undefined && Number(from) >= bytes.byteLength) return new Response(null, { status: 416 });
    const end = from === undefined ? bytes.byteLength : Math.min(bytes.byteLength, Number(last) + 1);
    const part = bytes.subarray(Number(from ?? 0), end);
    told['content-length'] = String(part.byteLength);
    if (from !== undefined) told['content-range'] = `bytes ${from}-${end - 1}/${bytes.byteLength}`;
    return new Response(method === 'HEAD' ? null : inPieces(part), {
      status: from === undefined ? 200 : 206,
      headers: told,
    });
  };
}

export const webAddress = (
  uri = 'https://files.example/media/',
  more: Partial<StorageAddress> = {},
): StorageAddress => ({
  uri,
  ...more,
});

export const withLogin = { user: 'somebody', password: secretText(password) };

export async function openWeb(
  backend: Backend,
  address = webAddress(),
): Promise<{ readonly driver: StorageDriver; readonly host: TestHost }> {
  const host = testHost({ backend });
  return { driver: (await webStorage.create(limits, host)).open(address), host };
}
