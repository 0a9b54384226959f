import { describe, expect, it } from 'vitest';
import { bucketStorage } from '../../../plugins/storages/s3/driver.ts';
import { checkStorageScheme, secretText } from '../../../src/kit/testing/index.ts';
import { explained } from '../../kit/testing/failing.ts';
import { isLong } from '../../support/long.ts';
import { fakeS3 } from '../../support/s3/fake.ts';
import { key, start, usual } from './s3-support.ts';

const mebibyte = 1024 * 1024;

const styles: readonly (readonly [what: string, style: string, largest: number])[] = isLong
  ? [
      ['in the path, with files of several pieces', '&pathStyle=true', 9 * mebibyte],
      ['in the host', '&pathStyle=false', 200_000],
    ]
  : [['in the path', '&pathStyle=true', 200_000]];

describe('the driver for s3 keeps the contract of drivers before a strict store', () => {
  it.each(styles)('with the bucket %s', async (_what, style, largest) => {
    const fake = fakeS3({ key, bucket: 'media', host: 's3.example', now: () => start });
    const results = await checkStorageScheme({
      make: (host) => bucketStorage.create(usual, { ...host, now: () => start }),
      backend: (request) => fake.fetch(request),
      places: (number) => ({
        uri: `s3://media/place%20${number}/?endpoint=https://s3.example&region=eu-west-1${style}`,
        user: key.accessKey,
        password: secretText(key.secret),
      }),
      largest,
    });
    expect(explained(results)).toEqual([]);
    expect(results.map(({ name }) => name)).toContain('signs addresses under which anybody may write that file alone');
    expect(fake.uploads.open.size).toBe(0);
  });
});
