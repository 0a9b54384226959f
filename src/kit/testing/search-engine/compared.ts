import type { EngineAnswer, EngineKey, EngineQuery, SearchEngine } from '../../../spi/index.ts';
import { broken, errorSentence } from '../result.ts';

/** Asks both engines, and throws where their answers differ. False: the engine does not answer the query. */
export async function compareAnswers(engine: SearchEngine, oracle: SearchEngine, query: EngineQuery): Promise<boolean> {
  const can = engine.can(query);
  if (can !== true) {
    if (typeof can !== 'string' || can.trim() === '') broken('true or a sentence of can', String(can));
    return false;
  }
  const answer = await engine
    .search(query)
    .catch((error: unknown) => broken(`an answer to ${shown(query)}`, errorSentence(error)));
  const expected = await oracle.search(query);
  const difference = differenceOf(answer, expected, query);
  if (difference !== undefined) broken(`the answer to ${shown(query)}`, difference);
  return true;
}

function differenceOf(answer: EngineAnswer, expected: EngineAnswer, query: EngineQuery): string | undefined {
  const isByRelevance = query.sort.some(({ by }) => by === 'relevance');
  const page = isByRelevance ? idsOf : pageOf;
  const parts: readonly (readonly [string, unknown, unknown])[] = [
    ['hits', answer.hits, expected.hits],
    ['page', page(answer), page(expected)],
    ['facets', answer.facets, expected.facets],
    ['position', answer.position, expected.position],
  ];
  const [part, actual, wanted] = parts.find(([, one, other]) => written(one) !== written(other)) ?? [];
  if (part !== undefined) return `its ${part} ${written(actual)}, not ${written(wanted)}`;
  return isByRelevance ? relevanceDefect(answer, query) : undefined;
}

/** Scores differ between engines: only the set of hits is defined. */
const idsOf = ({ page }: EngineAnswer) => page.map(({ id, entityId }) => `${id} ${entityId}`).toSorted();
const pageOf = ({ page }: EngineAnswer) => page.map(({ id, entityId, keys }) => [id, entityId, keys]);

function relevanceDefect({ page }: EngineAnswer, { sort }: EngineQuery): string | undefined {
  const index = sort.findIndex(({ by }) => by === 'relevance');
  if (index !== 0) return undefined;
  const scores = page.map(({ keys }) => keys[index] as EngineKey);
  if (scores.some((score) => typeof score !== 'number')) return `the scores ${written(scores)}`;
  const isDescending = sort[index]!.descending;
  const isOrdered = scores.every(
    (score, at) => at === 0 || (isDescending ? scores[at - 1]! >= score! : scores[at - 1]! <= score!),
  );
  return isOrdered ? undefined : `the scores ${written(scores)}, in another order`;
}

/** Value in one line: bigints have an "n" behind. */
export const written = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)) ?? 'undefined';

/** Value in one line, with long texts cut. */
const shown = (value: unknown): string =>
  written(value).replaceAll(/"((?:[^"\\]|\\.){60})(?:[^"\\]|\\.)+"/g, '"$1..."');
