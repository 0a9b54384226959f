import { describe, expect, it } from 'vitest';
import { collectBytes, equalBytes, toBytes } from '../../../src/kit/testing/storage/bytes.ts';
import { errorBody, refusal, xml } from '../../support/s3/requests.ts';
import { kindOf, large, openBucket, put, start } from './support.ts';

describe('a store on a bad day', () => {
  it('SlowDown: it is asked again, later each time, not in step, and not for ever', async () => {
    let busy = 3;
    const bucket = await openBucket({ instead: () => (busy-- > 0 ? refusal('SlowDown') : undefined) });
    await bucket.driver.check();
    const [first = 0, second = 0, third = 0] = bucket.slept;
    expect([first >= 50 && first <= 150, second >= 100 && second <= 300, third >= 200 && third <= 600]).toEqual([
      true,
      true,
      true,
    ]);
    busy = Number.POSITIVE_INFINITY;
    expect(await kindOf(bucket.driver.check())).toBe('offline');
    expect(bucket.fake.asked.length).toBe(4 + 5);
  });

  it.each(['CopyPartResult', 'CompleteMultipartUploadResult'])(
    'refuses within a 200, instead of %s: it is asked again',
    async (instead) => {
      let left = 2;
      const bucket = await openBucket({
        instead: ({ headers, method, url }) => {
          const isMeant =
            instead === 'CopyPartResult'
              ? headers.has('x-amz-copy-source')
              : method === 'POST' && url.searchParams.has('uploadId');
          return isMeant && left-- > 0
            ? xml(errorBody(left === 0 ? 'SlowDown' : 'InternalError').replace(/^.*\n/, ''))
            : undefined;
        },
      });
      await put(bucket, 'large.mov', large);
      expect([left < 0, equalBytes(bucket.fake.objects.get('large.mov')!.bytes, large)]).toEqual([true, true]);
    },
  );

  it('a copy that is refused within a 200 for good is no file', async () => {
    const bucket = await openBucket({
      instead: ({ headers }) =>
        headers.has('x-amz-copy-source') ? xml(errorBody('AccessDenied').replace(/^.*\n/, '')) : undefined,
    });
    expect(await kindOf(put(bucket, 'large.mov', large))).toBe('denied');
    expect([bucket.fake.objects.has('large.mov'), bucket.fake.uploads.open.size]).toEqual([false, 0]);
  });

  it.each([
    ['no XML', 'Good morning'],
    ['half of it', '<ListBucketResult><Contents><Key>a'],
    ['nothing', ''],
    ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><ListBucketResult/>'],
    [
      'a page without keys that is not the last',
      '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>',
    ],
    ['a key without a size', '<ListBucketResult><Contents><Key>a</Key><ETag>1</ETag></Contents></ListBucketResult>'],
  ])('answers a list with %s: nobody takes the bucket for empty', async (_what, text) => {
    const { driver } = await openBucket({ instead: () => new Response(text) });
    expect(await kindOf(driver.list({ limit: 10 }))).toBe('offline');
  });

  it('lists only so many at a time: each key comes once', async () => {
    const bucket = await openBucket({ maxListed: 2 });
    for (const path of ['a', 'b', 'c']) await put(bucket, path, path);
    const first = await bucket.driver.list({ limit: 10 });
    const second = await bucket.driver.list({ limit: 10, after: first.next! });
    expect([...first.files, ...second.files].map(({ path }) => path)).toEqual(['a', 'b', 'c']);
  });

  it('has no such bucket: nobody takes its files for gone', async () => {
    const { driver } = await openBucket({ bucket: 'another' });
    for (const ask of [() => driver.stat('a'), () => driver.list({ limit: 1 }), () => driver.read('a')])
      expect(await kindOf(ask())).toBe('offline');
  });

  it('answers 404 to an unknown access key: nobody takes its files for gone', async () => {
    const { driver } = await openBucket({
      instead: ({ method }) =>
        new Response(method === 'HEAD' ? null : errorBody('XAdminUserNotFound'), { status: 404 }),
    });
    for (const ask of [() => driver.stat('a'), () => driver.list({ limit: 1 }), () => driver.read('a')])
      expect(await kindOf(ask())).toBe('denied');
  });

  it('has another time: its time is taken over', async () => {
    const bucket = await openBucket({ now: () => start + 3 * 3_600_000 });
    await put(bucket, 'a.mov', 'abc');
    const signed = await bucket.driver.sign('a.mov', { method: 'GET', seconds: 60 });
    expect((await bucket.fake.fetch(new Request(signed))).status).toBe(200);
    expect(bucket.fake.asked[0]).toBe(bucket.fake.asked[1]);
  });

  it('claims a time of another day: no signature is made for it', async () => {
    const bucket = await openBucket({ now: () => start + 30 * 3_600_000 });
    expect(await kindOf(bucket.driver.check())).toBe('denied');
    expect(bucket.fake.asked.length).toBe(1);
  });

  it('is in another region, and says which', async () => {
    const headers = { 'x-amz-bucket-region': 'ap-south-1' };
    const { driver } = await openBucket({ instead: ({ method }) => refusal('PermanentRedirect', method, headers) });
    await expect(driver.check()).rejects.toThrow('301 PermanentRedirect; its region is ap-south-1');
  });

  it('sends a body that ends too early: the rest is asked for, and nothing is mixed', async () => {
    let cut = true;
    const bucket = await openBucket({
      async instead(came, path) {
        if (!cut || path !== 'a.mov' || came.method !== 'GET') return undefined;
        cut = false;
        const headers = { etag: came.headers.get('if-match')!, 'content-range': 'bytes 0-9/10' };
        return new Response('0123', { status: 206, headers });
      },
    });
    await put(bucket, 'a.mov', '0123456789');
    expect(new TextDecoder().decode(await collectBytes((await bucket.driver.read('a.mov')).body))).toBe('0123456789');
  });

  it('ends a signed address when its time is over', async () => {
    const bucket = await openBucket();
    await put(bucket, 'a.mov', 'abc');
    const signed = await bucket.driver.sign('a.mov', { method: 'GET', seconds: 60 });
    const ask = async () => (await bucket.fake.fetch(new Request(signed))).status;
    expect(await ask()).toBe(200);
    await bucket.host.clock.advance(60_000);
    expect(await ask()).toBe(403);
  });
});

describe('keys that other tools have made', () => {
  it('folders are passed over, and keys that are no paths are told', async () => {
    const bucket = await openBucket({ folder: 'in/' });
    const stored = { bytes: toBytes(''), etag: '1', at: start, metadata: {} };
    for (const name of ['in/', 'in/a/', 'in/a//b', 'in/../b', 'in/x/./y', 'in/ok.mov', 'other/x.mov'])
      bucket.fake.objects.set(name, stored);
    const { files, skipped } = await bucket.driver.list({ limit: 100 });
    expect(files.map(({ path }) => path)).toEqual(['ok.mov']);
    expect(skipped?.map(({ path }) => path)).toEqual(['../b', 'a//b', 'x/./y']);
  });
});
