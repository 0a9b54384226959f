import { expect, it } from 'vitest';
import { type Ask, type Page, Paged } from '../../src/components/paged.ts';

const hits = 100_000;

function listOf(keep = 5, total: Partial<Page<number>> = { hits }, end = hits) {
  const requests: Ask[] = [];
  const cancelled: number[] = [];
  let fail = false;
  let changes = 0;
  const list = new Paged<number>({
    size: 100,
    keep,
    changed: () => {
      changes += 1;
    },
    load: async (ask, signal): Promise<Page<number>> => {
      requests.push(ask);
      signal.addEventListener('abort', () => cancelled.push(ask.page));
      await Promise.resolve();
      if (fail) throw new Error('no answer');
      const length = Math.max(0, Math.min(100, end - ask.first + 1));
      const entries = Array.from({ length }, (_, index) => ask.first - 1 + index);
      return { entries, ...(ask.count && total), nextCursor: `after ${ask.first + 99}` };
    },
  });
  return {
    list,
    requests,
    cancelled,
    changes: () => changes,
    failNext: (to: boolean) => {
      fail = to;
    },
  };
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

it('asks for one page first, with the number of entries', async () => {
  const { list, requests, changes } = listOf();
  list.want(0, 500);
  expect(requests).toEqual([{ page: 0, cursor: '*', first: 1, number: 100, count: true }]);
  await settled();
  expect([list.count, list.at(0), list.at(99), list.at(100), changes()]).toEqual([hits, 0, 99, undefined, 1]);
});

it('asks again for a page that scrolls out and back before its request is cancelled', async () => {
  const { list, requests, cancelled } = listOf();
  list.want(0, 50);
  await settled();
  list.want(500, 550);
  list.want(99_950, 99_999);
  list.want(500, 550);
  await settled();
  expect(list.at(500)).toBe(500);
  expect([requests.map(({ page }) => page), cancelled]).toEqual([
    [0, 5, 999, 5],
    [5, 999],
  ]);
});

it('goes on by cursors, and jumps by the number of an entry', async () => {
  const { list, requests } = listOf();
  list.want(0, 50);
  await settled();
  list.want(80, 130);
  expect(requests.at(-1)).toMatchObject({ page: 1, cursor: 'after 100', count: false });
  await settled();
  list.want(99_950, 99_999);
  expect(requests.at(-1)).toMatchObject({ page: 999, cursor: undefined, first: 99_901 });
  await settled();
  expect(list.at(99_999)).toBe(99_999);
});

it('cancels what scrolls by before it is answered', async () => {
  const { list, cancelled } = listOf();
  list.want(0, 50);
  await settled();
  list.want(5000, 5050);
  list.want(9000, 9050);
  expect(cancelled).toEqual([50]);
  await settled();
  expect([list.at(5000), list.at(9000)]).toEqual([undefined, 9000]);
  list.want(5000, 5050);
  await settled();
  expect(list.at(5000)).toBe(5000);
});

it('holds no more pages than it may', async () => {
  const { list } = listOf(5);
  for (let index = 0; index < 5000; index += 100) {
    list.want(index, index + 50);
    await settled();
  }
  expect([...list.loadedEntries()].length).toBe(500);
  expect([list.at(4900), list.at(0)]).toEqual([4900, undefined]);
});

it('tells a failure, and loads again when it is asked to', async () => {
  const { list, failNext } = listOf();
  failNext(true);
  list.want(0, 50);
  await settled();
  expect(String(list.failure)).toContain('no answer');
  failNext(false);
  list.again();
  await settled();
  expect([list.failure, list.at(0)]).toEqual([undefined, 0]);
});

it('puts a newer entry in the place of the loaded one', async () => {
  const { list } = listOf();
  list.want(0, 50);
  await settled();
  list.replace(7, -7);
  list.replace(7000, -1);
  expect([list.at(7), list.at(7000)]).toEqual([-7, undefined]);
});

it('grows while nobody has counted its end, and ends where a page is not full', async () => {
  const { list } = listOf(5, { hits: 150, moreHits: true }, 220);
  list.want(0, 50);
  await settled();
  expect([list.count, list.isOpen]).toEqual([151, true]);
  list.want(100, 151);
  await settled();
  expect([list.count, list.isOpen]).toEqual([201, true]);
  list.want(150, 201);
  await settled();
  expect([list.count, list.isOpen, list.at(219)]).toEqual([220, false, 219]);
});

it('ends at its last full page where nothing follows, and where somebody has counted', async () => {
  const { list } = listOf(5, { hits: 150, moreHits: true }, 200);
  list.want(0, 201);
  await settled();
  list.want(100, 151);
  await settled();
  list.want(150, 201);
  await settled();
  expect([list.count, list.isOpen]).toEqual([200, false]);
  const counted = listOf(5, { hits: 150, moreHits: true });
  counted.list.want(0, 50);
  await settled();
  counted.list.close(hits);
  expect([counted.list.count, counted.list.isOpen, counted.changes()]).toEqual([hits, false, 2]);
});
