import { yieldTurn } from '../../../core/lib/turn.ts';
import type { Committing, Participant, Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { type FieldDefinition, loadFields } from '../../definitions/public-reading.ts';
import {
  copyState,
  inheritedBy,
  longText,
  type MetadataState,
  namesIn,
  namingFields,
  stateOfText,
} from '../../metadata/public-reading.ts';
import { tellIndexes } from '../engine/feed-sql.ts';
import { type EmbeddedDoc, type EmbeddedIndex, indexDocOf } from './document.ts';
import { type IndexedKind, numberOf } from './keys.ts';

/** States of items including inherited metadata, since searches find both. */
export async function withInherited(
  reader: Reader,
  items: ReadonlyMap<string, MetadataState>,
): Promise<ReadonlyMap<string, MetadataState>> {
  const heirs = await heirsOf(reader, items);
  return heirs.size === 0 ? items : new Map([...items, ...heirs]);
}

/** States of items that inherit something, including the inherited metadata. */
async function heirsOf(
  reader: Reader,
  items: ReadonlyMap<string, MetadataState>,
): Promise<ReadonlyMap<string, MetadataState>> {
  const inherited = await inheritedBy(reader, items);
  return new Map(Array.from(inherited, ([id, theirs]) => [id, together(items.get(id)!, theirs)]));
}

/** Merges inherited metadata into a copy of the own. Hidden fields and groups are already left out. */
function together(own: MetadataState, inherited: MetadataState): MetadataState {
  const state = copyState(own);
  for (const [key, span] of inherited.spans) {
    const ownSpan = state.spans.get(key);
    if (ownSpan === undefined) {
      state.spans.set(key, span);
      continue;
    }
    for (const [name, field] of span.contents.fields) ownSpan.contents.fields.set(name, field);
    ownSpan.contents.groups.push(...span.contents.groups);
  }
  return state;
}

/** Words per generation: both together take a few megabytes. */
const maxOfOne = 25_000;
/** Maximum words learnt per group of commits. The rest is simply written again. */
const maxLearnt = 5_000;

/**
 * Cache of words in the dictionary, which never loses any. Known words are not written again: most words of a change
 * are known, and each write costs a page look-up.
 */
export class KnownWords {
  /** Recent words. Older ones are dropped unless they recur. */
  #young = new Set<string>();
  #old: ReadonlySet<string> = new Set();
  /** Words written by each commit. Commits of one group share a list, which the first of them empties. */
  readonly #written = new WeakMap<Committing, string[]>();

  /** Words that the dictionary may lack. They become known after one of the commits. */
  lacking(words: ReadonlySet<string>, commits: readonly Committing[]): readonly string[] {
    const written = [...words].filter((word) => !this.#knows(word));
    const learnt = written.slice(0, maxLearnt);
    for (const commit of commits) this.#written.set(commit, learnt);
    return written;
  }

  committed(commit: Committing): void {
    for (const word of this.#written.get(commit)?.splice(0) ?? []) if (!this.#knows(word)) this.#keep(word);
  }

  #knows(word: string): boolean {
    if (this.#young.has(word)) return true;
    if (!this.#old.has(word)) return false;
    this.#keep(word);
    return true;
  }

  #keep(word: string): void {
    if (this.#young.size >= maxOfOne) [this.#old, this.#young] = [this.#young, new Set()];
    this.#young.add(word);
  }
}

/** Characters of metadata whose documents are kept. */
const maxKeptLength = 2_000_000;

/** Fields from which documents were built: names of all values, and the definitions of those that were defined. */
export interface BuiltFrom {
  readonly names: readonly string[];
  readonly definitions: ReadonlyMap<string, FieldDefinition>;
  /** Fields that name entities. */
  readonly naming: readonly string[];
}

interface RecentDoc {
  /** State as stored, from which the document was built. */
  readonly text: string;
  readonly doc: EmbeddedDoc;
  readonly from: BuiltFrom;
}

/**
 * Documents of recent commits of this instance, which the feed of a search engine takes instead of building them once
 * more. Those of commits that failed are never taken, since the stored state is another one.
 */
export class RecentDocs {
  readonly #docs = new Map<number, RecentDoc>();
  readonly #isFed: () => boolean;
  #length = 0;

  /** `isFed`: whether there is an engine. */
  constructor(isFed: () => boolean) {
    this.#isFed = isFed;
  }

  keep(text: string, doc: EmbeddedDoc, from: BuiltFrom): void {
    if (!this.#isFed()) return;
    this.#forget(doc.id);
    this.#docs.set(doc.id, { text, doc, from });
    this.#length += text.length;
    for (const oldest of this.#docs.keys()) {
      if (this.#length <= maxKeptLength) return;
      this.#forget(oldest);
    }
  }

  /** Document of a state, and from what it was built. No later call gets it. */
  take(number: number, text: string): RecentDoc | undefined {
    const recent = this.#docs.get(number);
    this.#forget(number);
    return recent?.text === text ? recent : undefined;
  }

  #forget(number: number): void {
    this.#length -= this.#docs.get(number)?.text.length ?? 0;
    this.#docs.delete(number);
  }
}

/** Metadata of an entity after a change. */
export interface Described {
  readonly kind: IndexedKind;
  readonly id: string;
  /** Size in characters, as stored. */
  readonly size: number;
  readonly state: MetadataState;
  /** State as stored, of a commit. */
  readonly text?: string;
  /** Names of own fields with possibly changed values. Undefined: all. */
  readonly changed?: ReadonlySet<string> | undefined;
}

/**
 * Updates the index in the commit that changes metadata, so that the next request finds the change. Runs once per group
 * of commits: sorted numbers make the writes cheap.
 */
export function indexParticipant(reader: Reader, index: EmbeddedIndex, recent?: RecentDocs): Participant {
  const knownWords = new KnownWords();
  return {
    name: 'search',
    concerns: ['item.metadata', 'collection.metadata'],
    async group(commits) {
      const docs = await docsOf(reader, describedIn(commits), recent);
      return index.apply(docs, (words) => knownWords.lacking(words, commits));
    },
    committed: (commit) => knownWords.committed(commit),
  };
}

/** Queues changed entities for the search engine, where nothing else has an index. */
export const queueParticipant: Participant = {
  name: 'search',
  concerns: ['item.metadata', 'collection.metadata'],
  group: (commits) => queued(describedIn(commits).map(({ kind, id }) => numberOf(kind, id))),
};

const queued = (ids: readonly number[]): readonly Statement[] => (ids.length > 0 ? tellIndexes(ids) : []);

/** Index that has no rows in the database. */
export const queueIndex: EmbeddedIndex = { apply: (batch) => queued(batch.map(({ id }) => id)) };

/** Statements that reindex the entities. */
export const reindexed = async (
  reader: Reader,
  index: EmbeddedIndex,
  described: readonly Described[],
): Promise<readonly Statement[]> => index.apply(await docsOf(reader, described));

/** Index documents of the entities. `recent`: keeps those that nothing but the stored state decides. */
export async function docsOf(
  reader: Reader,
  described: readonly Described[],
  recent?: RecentDocs,
): Promise<readonly EmbeddedDoc[]> {
  const items = new Map(described.flatMap(({ kind, id, state }) => (kind === 'item' ? [[id, state] as const] : [])));
  const namesOf = (some: readonly Described[]) => [...new Set(some.flatMap(({ state }) => [...namesIn(state)]))];
  // Inherited values are rare: the own fields do not wait for them.
  const names = namesOf(described);
  const [heirs, own, naming] = await Promise.all([
    heirsOf(reader, items),
    loadFields(reader, names),
    namingFields(reader),
  ]);
  const states = described.map((each) => {
    const state = each.kind === 'item' ? heirs.get(each.id) : undefined;
    // An own change may show or hide inherited values in any field.
    return state === undefined ? each : { ...each, state, changed: undefined };
  });
  const inherited = heirs.size === 0 ? [] : namesOf(states).filter((name) => !own.has(name));
  const fields = new Map([...own, ...(await loadFields(reader, inherited))]);
  const docs: EmbeddedDoc[] = [];
  const from = { names, definitions: own, naming };
  for (const { kind, id, size, state, text, changed } of states) {
    const isLong = size > longText;
    if (isLong) await yieldTurn();
    const doc = await indexDocOf(numberOf(kind, id), id, state, fields, { isLong, changed, naming });
    if (text !== undefined && !heirs.has(id)) recent?.keep(text, doc, from);
    docs.push(doc);
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
      last.set(key, { kind, id, size: now.length, state, text: now, changed: names && new Set(names) });
    }
  }
  return [...last.values()];
}
