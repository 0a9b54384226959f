import { expect, it } from 'vitest';
import { itemListDocument } from '../../../src/assets/items/documents.ts';
import { itemsOfIds } from '../../../src/assets/search/item-list.ts';
import { writeJson, writeXml } from '../../../src/core/documents/index.ts';

it.each([0, 1, 2, 1000, 1001, 2500])('%i ids are written as the descriptions write such items', (count) => {
  const ids = Array.from({ length: count }, (_, at) => `_Site9-${at}`);
  const plain = { hits: count, item: ids.map((id) => ({ id, start: '-INF', end: '+INF' })) };
  const short = { hits: count, item: itemsOfIds(ids) };
  expect(writeJson(itemListDocument, short)).toBe(writeJson(itemListDocument, plain));
  expect(writeXml(itemListDocument, short, 'urn:x')).toBe(writeXml(itemListDocument, plain, 'urn:x'));
});
