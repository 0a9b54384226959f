import type { LimitedReader } from '../../../core/store/statement.ts';
import type { Viewer } from '../../access/public-reading.ts';
import { isText, loadFields } from '../../definitions/public-reading.ts';
import type { FoundTimespan } from '../../items/public-reading.ts';
import {
  type Contents,
  displayName,
  generic,
  type MetadataState,
  nameInStates,
  namesIn,
  namingFields,
  spanKeyOf,
} from '../../metadata/public-reading.ts';
import type { SearchHighlight } from '../documents.ts';
import type { Entry } from '../find.ts';
import { folded, tokensOf } from '../index/words.ts';
import { type Node, partsOf } from './ast.ts';
import { tokensIn } from './match.ts';
import { loadNames } from './names.ts';
import type { Search } from './search.ts';
import { statesToRead } from './states.ts';
import { matcherOf, tokenMatcher } from './terms.ts';

/** Maximum characters searched per value. */
const maxCharacters = 20_000;
/** Maximum values per entry. */
const maxShown = 100;

/** A word or value to highlight. Undefined `field`: any. */
interface HighlightCriteria {
  readonly field: string | undefined;
  matches(word: string): boolean;
}

/** Highlights for the criteria of a search in its hits. Filters are ignored. */
export async function highlightsOf(
  reader: LimitedReader,
  viewer: Viewer,
  entries: readonly Entry[],
  { criteria, names: searched }: Pick<Search, 'criteria' | 'names'>,
  { field = [], prefix = '<em>', suffix = '</em>', matchingOnly = true }: SearchHighlight,
): Promise<ReadonlyMap<Entry, readonly FoundTimespan[]>> {
  const sought = soughtIn(criteria);
  const naming = field.includes(displayName) ? await namingFields(reader) : undefined;
  const spansByEntry = new Map<Entry, readonly FoundTimespan[]>();
  for (const kind of ['item', 'collection'] as const) {
    const those = entries.filter((entry) => entry.kind === kind);
    if (those.length === 0) continue;
    const ids = [...new Set(those.map(({ id }) => id))];
    const states = await statesToRead({ reader, viewer, names: searched }, kind, ids);
    const all = [...new Set([...states.values()].flatMap((state) => [...namesIn(state)]))];
    const wanted = field.length === 0 ? all : all.filter((name) => field.includes(name));
    const names = await loadNames(reader, viewer, [...wanted, ...(naming ? [...naming, displayName] : [])]);
    const fields = await loadFields(reader, wanted);
    const isShown = (name: string): boolean => {
      const definition = fields.get(name);
      return definition !== undefined && isText(definition.base) && names.field(name) !== undefined;
    };
    for (const entry of those) {
      const state = states.get(entry.id);
      if (state === undefined) continue;
      const markedIn = (text: string, fields: readonly string[]): string | undefined => {
        const those = sought.filter((each) => each.field === undefined || fields.includes(each.field));
        return mark(text, those, prefix, suffix) ?? (matchingOnly ? undefined : text);
      };
      const spans = spansOf(state, entry, (name, text) => (isShown(name) ? markedIn(text, [name]) : undefined));
      const isOpen = (name: string) => names.displayName !== undefined || names.field(name) !== undefined;
      const name = naming && nameInStates([state], naming, isOpen);
      const marked = name === undefined ? undefined : markedIn(name, naming!);
      spansByEntry.set(entry, marked === undefined ? spans : [nameSpan(marked), ...spans]);
    }
  }
  return spansByEntry;
}

const nameSpan = (name: string): FoundTimespan => ({
  field: [{ name: displayName, value: [name] }],
  start: '-INF',
  end: '+INF',
});

type Show = (name: string, text: string) => string | undefined;

/** Highlights in the untimed span, and in the matching timespan. */
function spansOf(state: MetadataState, { start, end }: Entry, show: Show): readonly FoundTimespan[] {
  const keys = [generic, ...(start !== undefined && end !== undefined ? [spanKeyOf({ start, end })] : [])];
  return keys.flatMap((key) => {
    const span = state.spans.get(key);
    if (span === undefined) return [];
    const values = new Map<string, string[]>();
    let shown = 0;
    const collect = ({ fields, groups }: Contents): void => {
      for (const { name, values: texts } of fields.values()) {
        for (const { text } of texts) {
          const marked = shown < maxShown ? show(name, text.slice(0, maxCharacters)) : undefined;
          if (marked === undefined) continue;
          shown++;
          values.set(name, [...(values.get(name) ?? []), marked]);
        }
      }
      for (const group of groups) collect(group.contents);
    };
    collect(span.contents);
    if (values.size === 0) return [];
    return [{ field: Array.from(values, ([name, value]) => ({ name, value })), start: span.start, end: span.end }];
  });
}

function soughtIn(criteria: Node): readonly HighlightCriteria[] {
  const refused = new Set([...partsOf(criteria)].flatMap((each) => (each.is === 'not' ? [...partsOf(each.of)] : [])));
  return [...partsOf(criteria)].flatMap((node): HighlightCriteria[] => {
    if (refused.has(node)) return [];
    if (node.is === 'words') {
      return tokensIn(node.units).map((token) => ({ field: node.field?.name, matches: tokenMatcher(token) }));
    }
    if (node.is === 'near') {
      return node.tokens.map((token) => ({ field: node.field?.name, matches: tokenMatcher(token) }));
    }
    if (node.is !== 'value' || (node.test.is !== 'equals' && node.test.is !== 'like')) return [];
    const text = String(node.test.is === 'equals' ? node.test.value : node.test.pattern);
    const words = folded(text).match(/[\p{L}\p{N}*?]+/gu) ?? [];
    return words.map((word) => ({ field: node.field.name, matches: matcherOf(word) }));
  });
}

/** Undefined: no match. */
function mark(text: string, sought: readonly HighlightCriteria[], prefix: string, suffix: string): string | undefined {
  let marked = false;
  const shown = text.replace(/[\p{L}\p{N}\p{M}]+/gu, (written) => {
    const tokens = tokensOf(folded(written));
    if (!tokens.some((token) => sought.some(({ matches }) => matches(token)))) return written;
    marked = true;
    return `${prefix}${written}${suffix}`;
  });
  return marked ? shown : undefined;
}
