import { expect, it } from 'vitest';
import { differences, storeOutcomes } from '../../s3/script.ts';
import type { Store } from '../../s3/store.ts';
import { fakeS3 } from '../../support/s3/fake.ts';
import { key, start } from './s3-support.ts';

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
