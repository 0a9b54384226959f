import type { CollectionRow } from '../../assets/items/contract/store.ts';
import { type ItemsContext, joinNew, newCollection, type Sequence } from '../../assets/items/public.ts';
import { findAttachment, type AttachmentKind as Kind, keepAttachment as keep } from '../../assets/metadata/public.ts';
import { badValue } from '../../core/documents/error.ts';
import type { DocumentLimits } from '../../core/documents/index.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { documentIn } from '../../http/body.ts';
import type { Caller } from '../../security/caller.ts';
import { type ExportRequest, expectItems, itemsOf, keptJson, ownFormat } from '../sequences/public.ts';
import { type ProjectVersion, projectVersionDocument } from './documents.ts';

/** Kind of attachment: all sequences of a version in one. */
export const versionKind: Kind = { kind: 'version-sequences', noun: 'sequences of a project version', max: 1 };

const maxSequences = 50;
/** Maximum items per answer. */
const maxItems = 10_000;
const root = '/ProjectVersionDocument';

/** Items of a version by the names in the document, without duplicates. */
const itemNamesOf = ({ item = [] }: ProjectVersion): readonly string[] => [
  ...new Set(
    item.map(({ id, externalId, uri }) => {
      const name = id ?? externalId;
      if (name !== undefined) return name;
      throw badValue(`${root}/item`, 'the id or an external id of an item', uri);
    }),
  ),
];

/** Items used in the sequences. */
function itemsOfSequences({ sequence = [] }: ProjectVersion): readonly string[] {
  if (sequence.length > maxSequences)
    throw badValue(`${root}/sequence`, `at most ${maxSequences} sequences`, String(sequence.length));
  return [...new Set(sequence.flatMap(itemsOf))];
}

export function expectFewItems(found: number): void {
  if (found > maxItems) throw badValue('path', `a version of at most ${maxItems} items`, String(found));
}

export function expectNoSequence(request: ExportRequest | undefined): void {
  if (!request?.sequence) return;
  throw badValue('/ExportRequestDocument/sequence', 'no sequence: the version has its own', request.sequence.id);
}

/** Sequences of a collection that is a project version. */
export async function sequencesOf(reader: Reader, id: string, limits: DocumentLimits): Promise<readonly Sequence[]> {
  const row = await findAttachment(reader, { type: 'collection', id, kind: versionKind.kind, name: ownFormat });
  return (row && (await documentIn(row.content, projectVersionDocument, limits))?.sequence) ?? [];
}

interface NewVersion {
  /** Collection to which the version is added. */
  readonly project?: CollectionRow;
  readonly name?: string | undefined;
  readonly document: ProjectVersion;
  /** Further changes in the same commit. */
  also?(id: string): CommitPlan;
}

/** Creates a collection with the items, sequences and metadata of a project version. Returns its id. */
export async function newVersion(
  parts: ItemsContext,
  call: Caller,
  { project, name, document, also = () => changing() }: NewVersion,
): Promise<string> {
  const { metadata, sequence = [] } = document;
  const content = itemNamesOf(document).map((id) => ({ id, type: 'item' as const }));
  await expectItems(parts.store, call, itemsOfSequences(document));
  const attached = await keptJson(projectVersionDocument, { sequence }, parts.limits);
  const withSequences = (id: string): CommitPlan => {
    const owner = { type: 'collection', id };
    const sequences = keep(owner, versionKind, ownFormat, attached, parts.clock.now(), []);
    const joins = project ? joinNew(parts, project, owner) : changing();
    return together(sequence.length > 0 ? sequences : changing(), joins, also(id));
  };
  return newCollection(parts, call, name, [], { metadata, content }, { also: withSequences });
}
