import { loadFields } from '../../assets/definitions/known.ts';
import { longText } from '../../assets/metadata/load.ts';
import { namesIn } from '../../assets/metadata/merge/changes.ts';
import type { State } from '../../assets/metadata/merge/state.ts';
import { stateOfText } from '../../assets/metadata/merge/stored.ts';
import { nextTurn } from '../../lib/turn.ts';
import type { Committing, Participant, Statement } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import { indexDocOf } from './document.ts';
import { heirsOf } from './inherited.ts';
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
  /** The names of the fields of its own whose values may be others than the index has. Absent: all may be. */
  readonly changed?: ReadonlySet<string> | undefined;
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
      return index.apply(await docsOf(reader, describedIn(commits)), (words) => known.lacking(words, commits));
    },
    committed: (commit) => known.committed(commit),
  };
}

/** The statements that make the index say what these entities say. */
export const reindexed = async (
  reader: Reader,
  index: EmbeddedIndex,
  described: readonly Described[],
): Promise<readonly Statement[]> => index.apply(await docsOf(reader, described));

/** What the index keeps of these entities. */
export async function docsOf(reader: Reader, described: readonly Described[]): Promise<readonly EmbeddedDoc[]> {
  const items = new Map(described.flatMap(({ kind, id, state }) => (kind === 'item' ? [[id, state] as const] : [])));
  const heirs = await heirsOf(reader, items);
  const states = described.map((each) => {
    const state = each.kind === 'item' ? heirs.get(each.id) : undefined;
    // A change of its own may show or hide what an heir inherits in any field.
    return state === undefined ? each : { ...each, state, changed: undefined };
  });
  const names = new Set(states.flatMap(({ state }) => [...namesIn(state)]));
  const fields = await loadFields(reader, [...names]);
  const docs: EmbeddedDoc[] = [];
  for (const { kind, id, size, state, changed } of states) {
    const isLong = size > longText;
    if (isLong) await nextTurn();
    docs.push(await indexDocOf(numberOf(kind, id), id, state, fields, { isLong, changed }));
  }
  return docs;
}

/** The last state of each entity, and the fields that any of the commits changes. */
function describedIn(commits: readonly Committing[]): readonly Described[] {
  const last = new Map<string, Described>();
  for (const { touches } of commits) {
    for (const { kind, id, aspect, now, value, changed } of touches) {
      if (aspect !== 'metadata' || now === undefined || (kind !== 'item' && kind !== 'collection')) continue;
      const key = `${kind} ${id}`;
      const known = last.get(key);
      const names = !known ? changed : known.changed && changed && [...known.changed, ...changed];
      const state = (value as State | undefined) ?? stateOfText(now);
      last.set(key, { kind, id, size: now.length, state, changed: names && new Set(names) });
    }
  }
  return [...last.values()];
}
