import { describe, expect, it } from 'vitest';
import { bucketStorage } from '../../../plugins/storages/s3/driver.ts';
import { secretText, testHost } from '../../../src/kit/testing/index.ts';
import { equalBytes, someBytes, streamBody, toBytes } from '../../../src/kit/testing/storage/bytes.ts';
import { refusal } from '../../support/s3/requests.ts';
import { type Bucket, defaultValue, kindOf, large, mebibyte, openBucket, put } from './support.ts';

const shortOf = (asked: readonly string[]) => asked.map((line) => line.replace(/tmp\/[0-9a-f]{32}\//, ''));

describe('bytes come into a bucket', () => {
  it('small ones by one conditional request, which leaves nothing else', async () => {
    const bucket = await openBucket();
    await put(bucket, 'a.mov', 'abc');
    expect([...bucket.fake.objects.keys()]).toEqual(['a.mov']);
    expect(shortOf(bucket.fake.asked).filter((line) => !line.startsWith('GET '))).toEqual([
      expect.stringMatching(/^PUT \.portico\/0-3-\w+$/),
      'PUT a.mov',
      'HEAD a.mov',
      expect.stringMatching(/^DELETE \.portico\/0-3-\w+$/),
    ]);
  });

  it('large ones in pieces that the store itself puts together, in their order', async () => {
    const larger = someBytes(17 * mebibyte + 3, 2);
    const bucket = await openBucket();
    const file = await put(bucket, 'large.mov', larger);
    expect([file.size, file.version]).toEqual([larger.byteLength, expect.stringMatching(/^[0-9a-f]{32}-1$/)]);
    expect(equalBytes(bucket.fake.objects.get('large.mov')!.bytes, larger)).toBe(true);
    expect([...bucket.fake.objects.keys()]).toEqual(['large.mov']);
    expect(bucket.fake.uploads.open.size).toBe(0);
    const parts = shortOf(bucket.fake.asked).filter((line) => line.includes('partNumber'));
    // The store has them as one object of three parts, which one request copies: no byte comes back.
    expect(parts.map((line) => line.replace(/[?].*$/, ''))).toEqual([
      ...Array(3).fill(expect.stringMatching(/^PUT \.portico\/0-all-\w+$/)),
      'PUT large.mov',
    ]);
    expect(bucket.fake.asked.filter((line) => /^GET [^?]/.test(line))).toEqual([]);
  });

  it('hashes are those of the bytes, also of many pieces', async () => {
    const { driver } = await openBucket();
    const { createHash } = await import('node:crypto');
    const { hashes } = await driver.stage(streamBody(large), { hashes: ['SHA-1', 'MD5'] });
    const wanted = (name: string) => createHash(name).update(large).digest('hex');
    expect(hashes).toEqual({ 'SHA-1': wanted('sha1'), MD5: wanted('md5') });
  });

  it('never more of them in memory than a few pieces, however slow the store is', async () => {
    let [sent, kept, max] = [0, 0, 0];
    const bucket = await openBucket({
      async instead({ url, body }) {
        if (!url.searchParams.has('partNumber')) return undefined;
        await new Promise((resolve) => setTimeout(resolve, 1));
        kept += body.byteLength;
        return undefined;
      },
    });
    const chunk = new Uint8Array(mebibyte);
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (sent === 48 * mebibyte) return controller.close();
          controller.enqueue(chunk);
          sent += mebibyte;
          max = Math.max(max, sent - kept);
        },
      },
      { highWaterMark: 0 },
    );
    expect((await bucket.driver.stage(body)).size).toBe(48 * mebibyte);
    expect([kept, max <= 33 * mebibyte]).toEqual([48 * mebibyte, true]);
  });

  it('from parts of a client that are too small for the store', async () => {
    const bucket = await openBucket();
    const sink = await bucket.driver.openParts({ size: large.byteLength });
    for (let at = 0; at < large.byteLength; at += 3 * mebibyte) {
      await sink.write(at, streamBody(large.subarray(at, at + 3 * mebibyte)));
    }
    await bucket.driver.publish(sink.token, 'a.mov', 'create');
    expect(equalBytes(bucket.fake.objects.get('a.mov')!.bytes, large)).toBe(true);
  });

  it('from overlapping parts: the byte that came last stays', async () => {
    const bucket = await openBucket();
    const sink = await bucket.driver.openParts({ size: 10 });
    for (const [at, text] of [
      [0, 'aaaaaa'],
      [4, 'bbbbbb'],
      [2, 'ccc'],
    ] as const)
      await sink.write(at, streamBody(toBytes(text)));
    await bucket.driver.publish(sink.token, 'a.mov', 'create');
    expect(new TextDecoder().decode(bucket.fake.objects.get('a.mov')!.bytes)).toBe('aacccbbbbb');
  });

  it('with a hole they are not published', async () => {
    const bucket = await openBucket();
    const sink = await bucket.driver.openParts({ size: 10 });
    await sink.write(0, streamBody(toBytes('abc')));
    expect(await kindOf(bucket.driver.publish(sink.token, 'a.mov', 'create'))).toBe('not-found');
    expect(bucket.fake.objects.has('a.mov')).toBe(false);
  });

  it('a store that copies no parts gets their bytes', async () => {
    const bucket = await openBucket({
      instead: ({ headers }) => (headers.has('x-amz-copy-source') ? refusal('NotImplemented') : undefined),
    });
    await put(bucket, 'large.mov', large);
    expect(equalBytes(bucket.fake.objects.get('large.mov')!.bytes, large)).toBe(true);
  });

  it('a file that somebody else writes meanwhile is not replaced, small or large', async () => {
    for (const bytes of [toBytes('abc'), large]) {
      let foreign = true;
      const bucket = await openBucket({
        instead({ method, url }, path) {
          const decides = method === 'PUT' ? bytes !== large : method === 'POST' && url.searchParams.has('uploadId');
          if (!foreign || path !== 'a.mov' || !decides) return undefined;
          foreign = false;
          bucket.fake.objects.set('a.mov', { bytes: toBytes('theirs'), etag: 'f'.repeat(32), at: 0, metadata: {} });
          return undefined;
        },
      });
      const { token } = await bucket.driver.stage(streamBody(bytes));
      expect(await kindOf(bucket.driver.publish(token, 'a.mov', 'create'))).toBe('exists');
      expect(bucket.fake.objects.get('a.mov')!.etag).toBe('f'.repeat(32));
      expect(bucket.fake.uploads.open.size).toBe(0);
      expect((await bucket.driver.staged()).length).toBe(1);
    }
  });

  it('a store without conditions is looked at before, and says so', async () => {
    const bucket = await openBucket({ ignoresConditions: true, properties: { conditionalWrites: false } });
    expect(bucket.driver.can.createOnly).toBe(false);
    await put(bucket, 'a.mov', 'old');
    expect(await kindOf(put(bucket, 'a.mov', 'new'))).toBe('exists');
    expect(new TextDecoder().decode(bucket.fake.objects.get('a.mov')!.bytes)).toBe('old');
  });

  it('a key of more bytes than a store takes is refused here', async () => {
    const { driver, fake } = await openBucket({ folder: 'in/' });
    expect(await kindOf(driver.stat('ü'.repeat(511)))).toBe('bad-path');
    expect(await kindOf(driver.stat('.portico/tmp/x'))).toBe('bad-path');
    expect(fake.asked).toEqual([]);
  });
});

describe('traps of keys and tags, each of which writes or takes the wrong bytes', () => {
  it.each(['x/../y', './dot', 'a/.', '%2e%2e/x/..', 'a/./b'])(
    '"." segments on S3: %j is refused before a request, which would go to another key',
    async (path) => {
      const bucket = await openBucket({ folder: 'in/' });
      await put(bucket, 'y', 'kept');
      const { token } = await bucket.driver.stage(streamBody(toBytes('other')));
      const asked = bucket.fake.asked.length;
      const { driver } = bucket;
      const works: readonly (() => Promise<unknown>)[] = [
        async () => driver.publish(token, path, 'replace'),
        async () => driver.stat(path),
        async () => driver.read(path),
        async () => driver.remove(path),
      ];
      for (const work of works) expect(await kindOf(work())).toBe('bad-path');
      expect(bucket.fake.asked.length).toBe(asked);
      expect(new TextDecoder().decode(bucket.fake.objects.get('in/y')!.bytes)).toBe('kept');
    },
  );

  it.each(['a b', 'a+b', 'a%41', 'a%2Fb', "it's (one)*!", 'ü/\u{1f600}', 'trailing ', 'q?x=1#y'])(
    'the name %j comes back from the list as it was written',
    async (path) => {
      for (const ignoresEncoding of [false, true]) {
        const bucket = await openBucket({ ignoresEncoding });
        await put(bucket, path, 'x');
        expect([...bucket.fake.objects.keys()]).toEqual([path]);
        const { files } = await bucket.driver.list({ limit: 10 });
        expect(files.map((file) => file.path)).toEqual([path]);
      }
    },
  );

  it('an empty file is one plain request, because an upload in parts needs a part', async () => {
    const bucket = await openBucket();
    expect(await put(bucket, 'empty.mov', '')).toMatchObject({ path: 'empty.mov', size: 0 });
    expect(bucket.fake.asked.filter((line) => /uploads?\b|uploadId/.test(line) && !line.startsWith('GET '))).toEqual(
      [],
    );
    expect(bucket.fake.objects.get('empty.mov')!.bytes.byteLength).toBe(0);
  });

  it('the tag of a file in pieces is its version, and never passes for a hash of its bytes', async () => {
    const bucket = await openBucket();
    const file = await put(bucket, 'large.mov', large);
    expect(file.version).toMatch(/-\d+$/);
    expect(Object.keys(file).filter((name) => /hash|md5/i.test(name))).toEqual([]);
  });
});

describe('a publication that a crash cut off', () => {
  it('ends when it is asked for again, and its first upload costs nothing any more', async () => {
    let alive = true;
    const bucket = await openBucket({
      instead: ({ method, url }) =>
        !alive && (method === 'DELETE' || (method === 'POST' && url.searchParams.has('uploadId')))
          ? Promise.reject(new TypeError('terminated'))
          : undefined,
    });
    const { token } = await bucket.driver.stage(streamBody(large));
    alive = false;
    expect(await kindOf(bucket.driver.publish(token, 'a.mov', 'create'))).toBe('offline');
    expect(bucket.fake.uploads.open.size).toBe(1);
    alive = true;
    const file = await (await bucket.again()).publish(token, 'a.mov', 'create');
    expect([file.size, bucket.fake.uploads.open.size, bucket.fake.objects.size]).toEqual([large.byteLength, 0, 1]);
  });

  it.each([
    ['as one object', 2],
    ['in pieces', 4],
  ] as const)('after the last request: what is left of bytes %s never passes for the file', async (way, total) => {
    for (let removed = 0; removed < total; removed++) {
      let left = Number.POSITIVE_INFINITY;
      const bucket = await openBucket({
        instead: ({ method }, path) =>
          method === 'DELETE' && path?.startsWith('.portico/tmp/') && left-- <= 0
            ? Promise.reject(new TypeError('fetch failed'))
            : undefined,
      });
      const { token, write } =
        way === 'in pieces'
          ? await bucket.driver.openParts({ size: large.byteLength })
          : { ...(await bucket.driver.stage(streamBody(large))), write: undefined };
      await write?.(0, streamBody(large));
      left = removed;
      // Leftover objects are found by their age.
      expect(await kindOf(bucket.driver.publish(token, 'a.mov', 'replace'))).toBe('no error');
      expect([bucket.fake.objects.size > 1, await bucket.driver.staged()]).toMatchObject([true, [{ token }]]);
      left = Number.POSITIVE_INFINITY;
      const file = await (await bucket.again()).publish(token, 'a.mov', 'replace');
      const isWhole = equalBytes(bucket.fake.objects.get('a.mov')!.bytes, large);
      expect([file.size, isWhole, bucket.fake.objects.size]).toEqual([large.byteLength, true, 1]);
    }
  });

  it.each(['publication', 'staging'])('discarded instead, no upload and no piece of the %s is left', async (cut) => {
    let alive = true;
    const bucket = await openBucket({
      instead: ({ method, url }) =>
        !alive && (method === 'DELETE' || (method === 'POST' && url.searchParams.has('uploadId')))
          ? refusal('AccessDenied')
          : undefined,
    });
    alive = cut !== 'staging';
    const staged = bucket.driver.stage(streamBody(large));
    const published = cut === 'staging' ? staged : bucket.driver.publish((await staged).token, 'a.mov', 'create');
    alive = false;
    expect(await kindOf(published)).toBe('denied');
    expect(bucket.fake.uploads.open.size).toBe(1);
    alive = true;
    const tokens = (await bucket.driver.staged()).map(({ token }) => token);
    expect(tokens.length).toBe(1);
    for (const token of tokens) await bucket.driver.discard(token);
    expect([bucket.fake.uploads.open.size, bucket.fake.objects.size]).toEqual([0, 0]);
  });

  it('whose answer was lost is not taken for the file of somebody else, nor are bytes staged in vain', async () => {
    for (const [bytes, isStaged] of [
      [toBytes('abc'), false],
      [large, false],
      [large, true],
    ] as const) {
      let lost = false;
      const bucket: Bucket = await openBucket({
        async instead(came, path) {
          const decides =
            (path === 'a.mov') !== isStaged &&
            (bytes === large ? came.method === 'POST' && came.url.searchParams.has('uploadId') : came.method === 'PUT');
          if (lost || !decides) return undefined;
          lost = true;
          const answer = await bucket.fake.fetch(
            new Request(came.url, { method: came.method, headers: came.headers, body: new Uint8Array(came.body) }),
          );
          expect(answer.status).toBe(200);
          return new Response(
            new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }),
          );
        },
      });
      expect([(await put(bucket, 'a.mov', bytes)).size, lost]).toEqual([bytes.byteLength, true]);
      expect(bucket.fake.objects.size).toBe(1);
    }
  });
});

describe('addresses of buckets', () => {
  const secret = { user: 'KEY', password: secretText('SECRET') };
  const defectOf = async (uri: string, given: object = secret) =>
    (await bucketStorage.create(defaultValue, testHost())).defect!({ uri, ...given });

  it.each([
    ['s3://media/', 'https://media.s3.us-east-1.amazonaws.com/'],
    ['s3://media/?region=eu-west-1', 'https://media.s3.eu-west-1.amazonaws.com/'],
    ['s3://with.dots/', 'https://s3.us-east-1.amazonaws.com/with.dots/'],
    ['s3://media/?pathStyle=true', 'https://s3.us-east-1.amazonaws.com/media/'],
    ['s3://media/?endpoint=http://store.example:7480', 'http://store.example:7480/media/'],
    ['s3://media/?endpoint=store.example', 'https://store.example/media/'],
    ['s3://media/?endpoint=https%3A%2F%2Fstore.example&pathStyle=false', 'https://media.store.example/'],
  ])('%s is %s', async (uri, expected) => {
    const host = testHost();
    const driver = (await bucketStorage.create(defaultValue, host)).open({ uri, ...secret });
    await driver.check().catch(() => undefined);
    expect(host.requests[0]!.url.replace(/\?.*$/, '')).toBe(expected);
    expect(await defectOf(uri)).toBeUndefined();
  });

  it.each([
    ['s3://media/', {}, 'an access key and its secret'],
    ['s3://media/', { user: 'KEY' }, 'an access key and its secret'],
    ['s3://media/', { user: 'a/b', password: secretText('x') }, 'without blanks and slashes'],
    ['s3://media/a/../b/', secret, 'a folder'],
    ['s3://media/a/%2e%2e/b/', secret, 'a folder'],
    ['s3://me..dia/', secret, 'the name of a bucket'],
    ['s3://media@evil.example/', secret, 'an address'],
    ['s3://169.254.169.254/', secret, 'no address'],
    ['s3://media/?endpoint=https://good@evil.example', secret, 'an endpoint'],
    ['s3://media/?endpoint=https://evil.example/path', secret, 'an endpoint'],
    ['s3://media/?endpoint=https://evil.example%23', secret, 'an endpoint'],
    ['s3://media/?endpoint=file:///etc', secret, 'an endpoint'],
    ['s3://media/?endpoint=a&endpoint=b', secret, 'one percent-encoded value'],
    ['s3://media/?region=x%0d%0a', secret, 'a region'],
    ['s3://media/?pathStyle=yes', secret, '"true" or "false"'],
    ['s3://media/?secret=abc', secret, 'no other parameters'],
    ['s3://media/#x', secret, 'an address'],
  ])('%s is refused (%#)', async (uri, given, told) => {
    expect(await defectOf(uri, given)).toContain(told);
  });
});
