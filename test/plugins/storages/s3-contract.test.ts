import { describe, expect, it } from 'vitest';
import { bucketStorage } from '../../../plugins/storages/s3/driver.ts';
import { checkStorageScheme, secretText } from '../../../src/kit/testing/index.ts';
import { explained } from '../../kit/testing/failing.ts';
import { differences, storeOutcomes } from '../../s3/script.ts';
import type { Store } from '../../s3/store.ts';
import { isLong } from '../../support/long.ts';
import { fakeS3 } from '../../support/s3/fake.ts';
import { defaultValue, key, start } from './support.ts';

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
      make: (host) => bucketStorage.create(defaultValue, { ...host, now: () => start }),
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

/** The same script as `npm run test:s3` asks a real store: what this one lets through, a real one lets through. */
it('the store of these tests is as strict as the script for real ones asks', async () => {
  const fake = fakeS3({ key, bucket: 'media', host: 's3.example', now: () => start });
  const store: Store = {
    ...{ ...key, endpoint: 'https://s3.example', bucket: 'media' },
    fetch: (request) => fake.fetch(request),
    now: () => start,
  };
  expect((await storeOutcomes(store)).filter(({ problem }) => problem !== undefined)).toEqual([]);
  const told = await Promise.all(Object.entries(differences).map(async ([name, ask]) => [name, await ask(store)]));
  expect(Object.fromEntries(told)).toEqual({
    'If-None-Match at the end of an upload in parts': 'refused',
    'parts that are named in another order': 'refused',
    'a part that is copied from a key with "+" or "%"': '"+" 200, "%41" 200, " " 200, "ü" 200',
    'a listing by continuation token': 'a token',
  });
});
