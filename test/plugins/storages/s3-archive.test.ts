import { describe, expect, it } from 'vitest';
import { bucketFolder } from '../../../plugins/storages/s3/address.ts';
import { secretText } from '../../../src/kit/testing/index.ts';
import { refusal } from '../../support/s3/requests.ts';
import { kindOf, large, openBucket, put, start } from './support.ts';

const hour = 3_600_000;
const listed = async ({ driver }: Awaited<ReturnType<typeof openBucket>>) =>
  (await driver.list({ limit: 10 })).files.map(({ archive }) => archive);

describe('a bucket with a storage class', () => {
  it('takes the class from the address, for small files and for large ones, and stages in the default class', async () => {
    const bucket = await openBucket({ more: '&storageClass=DEEP_ARCHIVE' });
    const small = await put(bucket, 'small.mov', 'abc');
    await put(bucket, 'large.mov', large);
    expect([...bucket.fake.objects.values()].map(({ storageClass }) => storageClass)).toEqual([
      'DEEP_ARCHIVE',
      'DEEP_ARCHIVE',
    ]);
    expect(small.archive).toEqual({ state: 'archived', storageClass: 'DEEP_ARCHIVE' });
  });

  it('refuses a class that is no word', () => {
    const user = { user: 'KEY', password: secretText('SECRET') };
    expect(bucketFolder({ uri: 's3://media/?storageClass=deep%20archive', ...user })).toEqual({
      defect: 'Expected a storage class such as DEEP_ARCHIVE',
    });
  });

  it('reads no archived file before it is restored, tells the same by a look and by a list, and no longer afterwards', async () => {
    const bucket = await openBucket({ more: '&storageClass=GLACIER' });
    await put(bucket, 'a.mov', 'abc');
    const look = async () => {
      const archive = (await bucket.driver.stat('a.mov'))?.archive;
      expect(await listed(bucket)).toEqual([archive]);
      return archive?.state;
    };
    const read = () => kindOf(bucket.driver.read('a.mov').then(({ body }) => new Response(body as never).text()));
    expect([await look(), await read()]).toEqual(['archived', 'archived']);
    await bucket.driver.restore('a.mov', { days: 2, tier: 'Standard' });
    await bucket.driver.restore('a.mov', { days: 2, tier: 'Standard' });
    await bucket.host.clock.advance(hour);
    expect([await look(), await read()]).toEqual(['restoring', 'archived']);
    await bucket.host.clock.advance(4 * hour);
    expect([await look(), await read()]).toEqual(['restored', 'no error']);
    expect((await bucket.driver.stat('a.mov'))?.archive?.until).toBe(start + 5 * hour + 48 * hour);
    await bucket.host.clock.advance(48 * hour);
    expect([await look(), await read()]).toEqual(['archived', 'archived']);
  });

  it('tells the times that Amazon documents, and none for classes that are read at once', async () => {
    const { driver } = await openBucket();
    expect(driver.restoreTiers('DEEP_ARCHIVE')).toEqual([
      { name: 'Standard', least: 43_200, most: 43_200 },
      { name: 'Bulk', least: 172_800, most: 172_800 },
    ]);
    expect(driver.restoreTiers('GLACIER').map(({ name }) => name)).toEqual(['Standard', 'Bulk', 'Expedited']);
    expect(driver.restoreTiers('GLACIER_IR')).toEqual([]);
  });

  it('that moves objects by itself is asked without days', async () => {
    const bodies: string[] = [];
    const bucket = await openBucket({
      instead({ method, url, body }, path) {
        if (path !== 'a.mov') return undefined;
        if (method === 'HEAD') {
          const headers = { 'x-amz-storage-class': 'INTELLIGENT_TIERING', 'x-amz-archive-status': 'ARCHIVE_ACCESS' };
          return new Response(null, { headers: { ...headers, etag: '"1"', 'content-length': '3' } });
        }
        if (!url.searchParams.has('restore')) return undefined;
        bodies.push(new TextDecoder().decode(body));
        return new Response(null, { status: 202 });
      },
    });
    expect((await bucket.driver.stat('a.mov'))?.archive).toEqual({ state: 'archived', storageClass: 'ARCHIVE_ACCESS' });
    await bucket.driver.restore('a.mov', { days: 2, tier: 'Bulk' });
    expect(bodies).toEqual([expect.not.stringContaining('Days')]);
  });

  it('that has no fast restores just now is out of reach for them', async () => {
    const bucket = await openBucket({
      more: '&storageClass=GLACIER',
      instead: ({ url }) =>
        url.searchParams.has('restore') ? refusal('GlacierExpeditedRetrievalNotAvailable') : undefined,
    });
    await put(bucket, 'a.mov', 'abc');
    expect(await kindOf(bucket.driver.restore('a.mov', { days: 1, tier: 'Expedited' }))).toBe('offline');
  });
});
