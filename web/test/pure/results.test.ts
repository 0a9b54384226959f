import { afterEach, expect, it, vi } from 'vitest';
import { allItems, Results } from '../../src/pages/library/results.ts';
import { emptySearch } from '../../src/pages/library/search.ts';

afterEach(() => void vi.unstubAllGlobals());

it('asks again for items and for counts of facets after a refusal', async () => {
  let refuses = true;
  const facet = [{ name: 'user', count: [{ fieldValue: 'ann', value: 1 }] }];
  const fetchMock = vi.fn(async (_address: string) =>
    refuses ? new Response('{}', { status: 500 }) : Response.json({ hits: 1, item: [{ id: 'VX-1' }], facet }),
  );
  vi.stubGlobal('fetch', fetchMock);
  const results = new Results(allItems);
  results.run(emptySearch, [], []);
  results.count(emptySearch, []);
  await vi.waitFor(() => expect(results.failure.value).toBeDefined());
  refuses = false;
  results.again();
  await vi.waitFor(() => expect([...results.counts.value.keys()]).toEqual(['user']));
  await vi.waitFor(() => expect(results.list.value?.at(0)?.id).toBe('VX-1'));
  results.again();
  expect(fetchMock.mock.calls.filter(([address]) => address.includes('number=0'))).toHaveLength(2);
});
