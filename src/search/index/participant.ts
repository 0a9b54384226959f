import { loadFields } from '../../assets/definitions/known.ts';
import { longText } from '../../assets/metadata/load.ts';
import { namesIn } from '../../assets/metadata/merge/changes.ts';
import type { State } from '../../assets/metadata/merge/state.ts';
import { stateOfText } from '../../assets/metadata/merge/stored.ts';
import { nextTurn } from '../../lib/turn.ts';
import type { Committing, Participant, Statement } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import { indexDocOf } from './document.ts';
import { withInherited } from './inherited.ts';
import { KnownWords } from './known-words.ts';
import { type IndexedKind, numberOf } from './numbers.ts';
import type { EmbeddedDoc, EmbeddedIndex } from './port.ts';

/** The metadata of an entity after a change. */
export interface Described {
  readonly kind: IndexedKind;
  readonly id: string;
  /** Characters of it as it is stored. */
  readonly size: number;
  readonly state: State;
}

/**
 * The index changes in the commit that changes metadata, so what was answered is found by the next request. It does so
 * once for a group of commits: the order of the numbers is what makes it cheap.
 */
export function indexParticipant(reader: Reader, index: EmbeddedIndex): Participant {
  const known = new KnownWords();
  return {
    name: 'search',
    concerns: ['item.metadata', 'collection.metadata'],
    async group(commits) {
      const docs = await docsOf(reader, describedIn(commits));
      return index.apply(docs, await index.rowsOf(reader, idsOf(docs)), (words) => known.lacking(words, commits));
    },
    committed: (commit) => known.committed(commit),
  };
}

/** The statements that make the index say what these entities say. */
export const reindexed = async (
  reader: Reader,
  index: EmbeddedIndex,
  described: readonly Described[],
): Promise<readonly Statement[]> => {
  const docs = await docsOf(reader, described);
  return index.apply(docs, await index.rowsOf(reader, idsOf(docs)));
};

const idsOf = (docs: readonly EmbeddedDoc[]): readonly number[] => docs.map(({ id }) => id);

/** What the index keeps of these entities. */
export async function docsOf(reader: Reader, described: readonly Described[]): Promise<readonly EmbeddedDoc[]> {
  const items = new Map(described.flatMap(({ kind, id, state }) => (kind === 'item' ? [[id, state] as const] : [])));
  const whole = await withInherited(reader, items);
  const states = described.map((each) => (each.kind === 'item' ? { ...each, state: whole.get(each.id)! } : each));
  const names = new Set(states.flatMap(({ state }) => [...namesIn(state)]));
  const fields = await loadFields(reader, [...names]);
  const docs: EmbeddedDoc[] = [];
  for (const { kind, id, size, state } of states) {
    if (size > longText) await nextTurn();
    docs.push(await indexDocOf(numberOf(kind, id), id, state, fields, size > longText));
  }
  return docs;
}

/** The last state of each entity. */
function describedIn(commits: readonly Committing[]): readonly Described[] {
  const last = new Map<string, Described>();
  for (const { touches } of commits) {
    for (const { kind, id, aspect, now, value } of touches) {
      if (aspect !== 'metadata' || now === undefined || (kind !== 'item' && kind !== 'collection')) continue;
      last.set(`${kind} ${id}`, {
        kind,
        id,
        size: now.length,
        state: (value as State | undefined) ?? stateOfText(now),
      });
    }
  }
  return [...last.values()];
}
