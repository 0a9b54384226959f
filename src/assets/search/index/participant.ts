import { nextTurn } from '../../../core/lib/turn.ts';
import type { Committing, Participant, Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { loadFields } from '../../definitions/public-reading.ts';
import { longText, type MetadataState, namesIn, stateOfText } from '../../metadata/public-reading.ts';
import { indexDocOf } from './document.ts';
import { heirsOf } from './inherited.ts';
import { KnownWords } from './known-words.ts';
import { type IndexedKind, numberOf } from './numbers.ts';
import type { EmbeddedDoc, EmbeddedIndex } from './port.ts';

/** Metadata of an entity after a change. */
export interface Described {
  readonly kind: IndexedKind;
  readonly id: string;
  /** Size in characters, as stored. */
  readonly size: number;
  readonly state: MetadataState;
  /** Names of own fields with possibly changed values. Undefined: all. */
  readonly changed?: ReadonlySet<string> | undefined;
}

/**
 * Updates the index in the commit that changes metadata, so that the next request finds the change. Runs once per group
 * of commits: sorted numbers make the writes cheap.
 */
export function indexParticipant(reader: Reader, index: EmbeddedIndex): Participant {
  const knownWords = new KnownWords();
  return {
    name: 'search',
    concerns: ['item.metadata', 'collection.metadata'],
    async group(commits) {
      return index.apply(await docsOf(reader, describedIn(commits)), (words) => knownWords.lacking(words, commits));
    },
    committed: (commit) => knownWords.committed(commit),
  };
}

/** Statements that reindex the entities. */
export const reindexed = async (
  reader: Reader,
  index: EmbeddedIndex,
  described: readonly Described[],
): Promise<readonly Statement[]> => index.apply(await docsOf(reader, described));

/** Index documents of the entities. */
export async function docsOf(reader: Reader, described: readonly Described[]): Promise<readonly EmbeddedDoc[]> {
  const items = new Map(described.flatMap(({ kind, id, state }) => (kind === 'item' ? [[id, state] as const] : [])));
  const namesOf = (some: readonly Described[]) => [...new Set(some.flatMap(({ state }) => [...namesIn(state)]))];
  // Inherited values are rare: the own fields do not wait for them.
  const [heirs, own] = await Promise.all([heirsOf(reader, items), loadFields(reader, namesOf(described))]);
  const states = described.map((each) => {
    const state = each.kind === 'item' ? heirs.get(each.id) : undefined;
    // An own change may show or hide inherited values in any field.
    return state === undefined ? each : { ...each, state, changed: undefined };
  });
  const inherited = heirs.size === 0 ? [] : namesOf(states).filter((name) => !own.has(name));
  const fields = new Map([...own, ...(await loadFields(reader, inherited))]);
  const docs: EmbeddedDoc[] = [];
  for (const { kind, id, size, state, changed } of states) {
    const isLong = size > longText;
    if (isLong) await nextTurn();
    docs.push(await indexDocOf(numberOf(kind, id), id, state, fields, { isLong, changed }));
  }
  return docs;
}

/** Last state of each entity, with all fields that the commits change. */
function describedIn(commits: readonly Committing[]): readonly Described[] {
  const last = new Map<string, Described>();
  for (const { touches } of commits) {
    for (const { kind, id, aspect, now, value, changed } of touches) {
      if (aspect !== 'metadata' || now === undefined || (kind !== 'item' && kind !== 'collection')) continue;
      const key = `${kind} ${id}`;
      const pending = last.get(key);
      const names = !pending ? changed : pending.changed && changed && [...pending.changed, ...changed];
      const state = (value as MetadataState | undefined) ?? stateOfText(now);
      last.set(key, { kind, id, size: now.length, state, changed: names && new Set(names) });
    }
  }
  return [...last.values()];
}
