import type { EngineCondition, EngineFacet, EngineQuery } from '../../../spi/index.ts';
import { guarded } from '../query/access.ts';
import type { SearchKind } from '../query/ast.ts';
import { mostFrequentFirst, type WordCount, type WordSource } from '../query/autocomplete.ts';
import type { Names } from '../query/names.ts';
import { distanceOf, maxDistance } from '../query/terms.ts';
import { allOf, closedIn, engineCondition, kindIs, NotForEngine, notOf, readableBy } from './conditions.ts';
import { engineField } from './documents.ts';
import type { EngineSearch } from './query.ts';

/** Words with the first letter of another one that are compared with it. */
const maxCompared = 10_000;
/** Words that are counted, and the fields that may be looked at for all of them. */
const [maxCounted, maxLooked] = [1000, 10_000];

/** Words of the entities that the caller of a search may read. `hidden`: numbers of others. */
export function engineWords(
  asked: EngineSearch,
  { kind, names, hidden }: { readonly kind: SearchKind; readonly names: Names; readonly hidden: readonly number[] },
): WordSource {
  const scope = allOf([
    kindIs(kind),
    readableBy(asked.viewer),
    ...(hidden.length === 0 ? [] : [notOf({ is: 'number', of: 'id', among: hidden })]),
  ]);
  const input = { ...asked, kind, names, decided: new Map() };

  async function facet(one: EngineFacet) {
    const query: EngineQuery = {
      ...{ where: scope, boosts: [], sort: [{ by: 'id', descending: true }] },
      ...{ offset: 0, limit: 0, counts: false, facets: [one] },
    };
    expectAble(query);
    const [counts = []] = (await asked.ask(query)).facets;
    return counts;
  }

  function expectAble(query: EngineQuery): void {
    const able = asked.engine.can(query);
    if (able !== true) throw new NotForEngine(able);
  }

  async function words(where: EngineCondition, start: string, max: number): Promise<readonly string[]> {
    const within = allOf([scope, where]);
    expectAble({ where: within, boosts: [], sort: [], offset: 0, limit: 0, counts: false, facets: [] });
    return asked.words({ where: within, start, max });
  }

  return {
    names,
    beginning: async (start, node, max) =>
      words(await engineCondition(guarded(node, names), 'both', input), start, max),
    async near(text) {
      const [first = ''] = text;
      const near: EngineCondition = {
        ...{ is: 'phrase', in: 'words', spans: 'all' },
        tokens: [{ kind: 'near', text, distance: maxDistance, fixed: 1 }],
      };
      const among = await words(near, first, maxCompared);
      const distances = among.map((word): [string, number] => [word, distanceOf(text, word)]);
      return new Map(distances.filter(([, distance]) => distance <= maxDistance));
    },
    async hits(searches, max) {
      const fields = Math.max(names.readable?.length ?? 1, names.open?.length ?? 1, 1);
      const counted = searches.slice(0, Math.min(maxCounted, Math.ceil(maxLooked / fields)));
      const of: EngineCondition[] = [];
      for (const [, node] of counted) of.push(await engineCondition(guarded(node, names), 'both', input));
      if (of.length === 0) return [];
      const counts = await facet({ is: 'conditions', of });
      return counted
        .map(([text], at): WordCount => ({ text, count: Math.min(counts[at]?.count ?? 0, max) }))
        .filter(({ count }) => count > 0)
        .sort(mostFrequentFirst);
    },
    async values(form, node, max) {
      const where = allOf([
        scope,
        await engineCondition(guarded(node, names), 'both', input),
        ...(form.closed ? [notOf(closedIn(form.closed))] : []),
      ]);
      const counts = await facet({ is: 'values', field: engineField(form), where, least: 1, max });
      return counts.map(({ value }) => String(value));
    },
  };
}
