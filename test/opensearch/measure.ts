import { performance } from 'node:perf_hooks';
import { everyDocument } from '../../src/kit/testing/search-engine/check-engine.ts';
import { chanceOf, fields, randomDocument } from '../../src/kit/testing/search-engine/random-corpus.ts';
import type { EngineCondition, EngineQuery } from '../../src/spi/index.ts';
import { engineAt } from './host.ts';

const documents = 20_000;
const batchSize = 2_000;
const tries = 20;

const phrase = (kind: 'word' | 'start' | 'pattern' | 'near', text: string): EngineCondition => ({
  is: 'phrase',
  in: 'words',
  spans: 'all',
  tokens: [{ kind, text, ...(kind === 'near' && { distance: 2 }) }],
});
const contexts: EngineCondition = { is: 'number', of: 'context', among: [0, 1, 2] };
const readable = (where: EngineCondition): EngineCondition => ({ is: 'and', of: [where, contexts] });
const id = { by: 'id', descending: true } as const;

const searches: Readonly<Record<string, Partial<EngineQuery>>> = {
  'a word': { where: readable(phrase('word', 'red')) },
  'a word by relevance': { where: readable(phrase('word', 'red')), sort: [{ by: 'relevance', descending: true }, id] },
  'a pattern': { where: readable(phrase('pattern', '*e?d')) },
  'a near word': { where: readable(phrase('near', 'rode')) },
  'all by title': { where: contexts, sort: [{ by: fields.title, descending: false }, id] },
  'four facets': {
    where: contexts,
    facets: [fields.title, fields.note, fields.size, fields.ratio].map((field) => ({
      ...{ is: 'values' as const, field, least: 1, max: 10 },
    })),
  },
};

/** Rate of a feed and times of searches, in lines. */
export async function measure(url: string): Promise<string> {
  const engine = await engineAt(url, { index: 'measured' });
  await engine.begin();
  await engine.finish();
  const chance = chanceOf(9);
  const all = Array.from({ length: documents }, (_, index) => randomDocument(chance, index + 1, index + 1));
  const began = performance.now();
  for (let from = 0; from < documents; from += batchSize)
    await engine.apply({ position: from + batchSize, upserts: all.slice(from, from + batchSize), deletes: [] });
  const seconds = (performance.now() - began) / 1000;
  const lines = [`        feed: ${Math.round(documents / seconds)} documents a second`];
  const small: number[] = [];
  for (let each = 0; each < tries; each++) {
    const start = performance.now();
    const position = documents + each + 1;
    await engine.apply({ position, upserts: [{ ...all[each]!, position }], deletes: [] });
    small.push(performance.now() - start);
  }
  lines.push(`        a batch of one document: ${middle(small)} ms`);
  for (const [name, query] of Object.entries(searches)) {
    const times: number[] = [];
    for (let each = 0; each < tries; each++) {
      const start = performance.now();
      await engine.search({ ...everyDocument, ...query, limit: 20 });
      times.push(performance.now() - start);
    }
    lines.push(`        ${name}: ${middle(times)} ms`);
  }
  return lines.join('\n');
}

const middle = (times: readonly number[]): number =>
  Math.round(times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!);
