import { exactKey, existsKey, fieldKey, fieldNumber } from '../../../../src/assets/search/index/keys.ts';
import { canonical } from '../../../../src/assets/search/index/values.ts';
import { encoded } from '../../../../src/assets/search/index/words.ts';
import type { Node, Test } from '../../../../src/assets/search/query/ast.ts';
import type { SearchToken } from '../../../../src/assets/search/query/terms.ts';
import type { IndexBatch, IndexDoc, SearchIndex } from '../../../../src/spi/index.ts';

/** An index in memory that is fed like a foreign one. It finds what is not timed. */
export class MemoryIndex implements SearchIndex {
  readonly name = 'memory';
  /** Every batch that was asked for, also those that it had already. */
  readonly batches: IndexBatch[] = [];
  /** Thrown instead of the next batch, once. */
  refuses: Error | undefined;
  cleared = 0;
  #docs = new Map<number, IndexDoc>();
  #position = 0;

  async position(): Promise<number> {
    return this.#position;
  }

  async apply(batch: IndexBatch): Promise<void> {
    const { refuses } = this;
    this.refuses = undefined;
    if (refuses) throw refuses;
    this.batches.push(batch);
    if (batch.position <= this.#position) return;
    for (const doc of batch.upserts) this.#docs.set(doc.id, doc);
    for (const id of batch.deletes) this.#docs.delete(id);
    this.#position = batch.position;
  }

  async clear(): Promise<void> {
    this.cleared++;
    this.#docs.clear();
    this.#position = 0;
  }

  /** As a copy of it would be taken. */
  backup(): () => void {
    const [docs, position] = [new Map(this.#docs), this.#position];
    return () => {
      this.#docs = new Map(docs);
      this.#position = position;
    };
  }

  /** The newest first. */
  find(node: Node): readonly string[] {
    const found = [...this.#docs.values()].filter((doc) => meets(doc, node));
    return found.toSorted((one, other) => other.id - one.id).map(({ entityId }) => entityId);
  }
}

function meets(doc: IndexDoc, node: Node): boolean {
  const { generic } = doc;
  switch (node.is) {
    case 'all':
      return true;
    case 'and':
      return node.of.every((each) => meets(doc, each));
    case 'or':
      return node.of.some((each) => meets(doc, each));
    case 'not':
      return !meets(doc, node.of);
    case 'words': {
      const prefix = node.field ? fieldKey(node.field.name) : '';
      const text = node.field ? generic.fieldWords : generic.words;
      return hasPhrase(text.split(' '), node.units.flat(), prefix);
    }
    case 'value':
      return hasValue(doc, node.field.name, node.test);
    default:
      return false;
  }
}

const hasPhrase = (words: readonly string[], tokens: readonly SearchToken[], prefix: string): boolean =>
  words.some((_, at) =>
    tokens.every(({ text, kind }, index) => {
      const [word = '', wanted] = [words[at + index], prefix + encoded(text)];
      return kind === 'start' ? word.startsWith(wanted) : word === wanted;
    }),
  );

function hasValue({ generic, values }: IndexDoc, name: string, test: Test): boolean {
  const keys = generic.keys.split(' ');
  if (test.is === 'some') return keys.includes(existsKey(fieldKey(name)));
  if (test.is === 'equals') return keys.includes(exactKey(fieldKey(name), canonical(test.value)));
  if (test.is !== 'between') return false;
  const own = values.filter(({ field, spans }) => field === fieldNumber(name) && spans & 1);
  return own.some(({ json }) => {
    const value = JSON.parse(json) as number;
    const { from, to } = test;
    return (from === undefined || value >= Number(from.value)) && (to === undefined || value <= Number(to.value));
  });
}
