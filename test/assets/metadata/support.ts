import type { MetadataDocumentValue, MetadataField } from '../../../src/assets/metadata/documents.ts';
import { type Merged, merge } from '../../../src/assets/metadata/merge/merge.ts';
import { metadataRequestOf } from '../../../src/assets/metadata/merge/request.ts';
import { emptyState, type MetadataState } from '../../../src/assets/metadata/merge/state.ts';
import { documentOf } from '../../../src/assets/metadata/view/document.ts';
import { storedView } from '../../../src/assets/metadata/view/parameters.ts';
import { runAtOnce } from '../../../src/core/lib/turn.ts';

/** Change sets on one entity, one after the other, without a service around it. */
export class Entity {
  state: MetadataState = emptyState();
  last: Merged | undefined;
  #serial = 0;

  /** Gives the document that the entity has then. */
  put(document: MetadataDocumentValue, user = 'ann', system = false): MetadataDocumentValue {
    const change = { id: `VX-${++this.#serial}`, user, at: this.#serial * 1000 };
    const isKept = (name: string) => !system && (name === 'created' || name.startsWith('__'));
    const request = metadataRequestOf(document, { system, isIgnored: isKept });
    this.last = runAtOnce(merge(this.state, request, { change, strict: true, isKept }));
    this.state = this.last.state;
    return this.document;
  }

  get document(): MetadataDocumentValue {
    return runAtOnce(documentOf(this.state, storedView));
  }
}

export const value = (text: string, more: object = {}) => ({ value: text, ...more });
export const field = (name: string, ...texts: readonly string[]): MetadataField => ({
  name,
  value: texts.map((text) => ({ value: text })),
});

/** In what is not timed. */
export const untimed = (...fields: readonly MetadataField[]): MetadataDocumentValue => ({
  timespan: [{ field: fields }],
});

/** The fields of what is not timed: by name, with the texts of their values. */
export const textsOf = ({ timespan = [] }: MetadataDocumentValue, start = '-INF'): Record<string, readonly string[]> =>
  Object.fromEntries(
    (timespan.find((span) => span.start === start)?.field ?? []).map(({ name, value: values = [] }) => [
      name!,
      values.map((each) => each.value!),
    ]),
  );
