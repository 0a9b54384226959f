import { afterEach, expect, it, vi } from 'vitest';
import { saveOne } from '../../src/pages/item/form/save.ts';

afterEach(() => void vi.unstubAllGlobals());

const titled = (value: string) => ({
  revision: 'r',
  timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value }] }] }],
});
const text = (value: string) => ({ title: [{ text: value }] });

it('asks again when another change comes while a person decides a conflict', async () => {
  let stored = 'of Ann';
  const written: unknown[] = [];
  vi.stubGlobal('fetch', async (_address: string, { method, body }: RequestInit) => {
    if (method === 'PUT') written.push(JSON.parse(String(body)));
    return Response.json({ item: [{ id: 'VX-1', metadata: titled(stored) }] });
  });
  const item = { id: 'VX-1', metadata: titled('before') };
  const [base, mine] = [text('before'), text('mine')];
  const first = await saveOne(item, base, mine);
  expect(first.clashes?.map(({ theirs }) => theirs[0]?.text)).toEqual(['of Ann']);
  stored = 'of Bob';
  const second = await saveOne(item, base, mine, first.clashes);
  expect(second.clashes?.map(({ theirs }) => theirs[0]?.text)).toEqual(['of Bob']);
  expect(written).toEqual([]);
  await saveOne(item, base, mine, second.clashes);
  expect(written).toHaveLength(1);
});
