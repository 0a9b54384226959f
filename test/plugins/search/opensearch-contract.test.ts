import { describe, expect, it } from 'vitest';
import { checkSearchEngine, secretText } from '../../../src/kit/testing/index.ts';
import { explained } from '../../kit/testing/failing.ts';
import { engineAt } from '../../opensearch/host.ts';
import { isLong } from '../../support/long.ts';
import { fakeOpenSearch } from '../../support/opensearch/fake.ts';

describe('the engine for OpenSearch', () => {
  it('keeps the contract of search engines before a strict stand-in', async () => {
    const authorization = `Basic ${btoa('portico:Right-pass-1')}`;
    const fake = fakeOpenSearch({ authorization });
    const login = { user: 'portico', password: secretText('Right-pass-1') };
    const results = await checkSearchEngine({
      make: (host) => engineAt('https://search.example', login, host),
      backend: (request) => fake.fetch(request),
      queries: isLong ? 5_000 : 150,
    });
    expect(explained(results)).toEqual([]);
    expect(results.map(({ name }) => name)).toContain('throws when nobody answers');
    expect(fake.indexes.size).toBe(1);
  });
});
