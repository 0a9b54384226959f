import type { AttachmentKind as Kind } from '../../../assets/metadata/public.ts';
import { badValue } from '../../../core/documents/error.ts';
import { type ExportRequest, itemsOf, ownFormat } from '../../sequences/public.ts';
import type { ProjectVersion } from './documents.ts';

/** Kind of attachment: all sequences of a version in one. */
export const versionKind: Kind = { kind: 'version-sequences', noun: 'sequences of a project version', most: 1 };
export { ownFormat };

const mostSequences = 50;
/** Maximum items per answer. */
const mostItems = 10_000;
const root = '/ProjectVersionDocument';

/** Items of a version by the names in the document, without duplicates. */
export const itemNamesOf = ({ item = [] }: ProjectVersion): readonly string[] => [
  ...new Set(
    item.map(({ id, externalId, uri }) => {
      const name = id ?? externalId;
      if (name !== undefined) return name;
      throw badValue(`${root}/item`, 'the id or an external id of an item', uri);
    }),
  ),
];

/** Items used in the sequences. */
export function itemsOfSequences({ sequence = [] }: ProjectVersion): readonly string[] {
  if (sequence.length > mostSequences)
    throw badValue(`${root}/sequence`, `at most ${mostSequences} sequences`, String(sequence.length));
  return [...new Set(sequence.flatMap(itemsOf))];
}

export function expectFewItems(found: number): void {
  if (found > mostItems) throw badValue('path', `a version of at most ${mostItems} items`, String(found));
}

export function expectNoSequence(request: ExportRequest | undefined): void {
  if (!request?.sequence) return;
  throw badValue('/ExportRequestDocument/sequence', 'no sequence: the version has its own', request.sequence.id);
}
