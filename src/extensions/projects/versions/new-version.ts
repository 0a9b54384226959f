import type { CollectionRow } from '../../../assets/items/contract/store.ts';
import { type ItemsContext, joinNew, newCollection } from '../../../assets/items/public.ts';
import { keepAttachment as keep } from '../../../assets/metadata/public.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { Caller } from '../../../security/caller.ts';
import { expectItems, keptJson } from '../../sequences/public.ts';
import { type ProjectVersion, projectVersionDocument } from './documents.ts';
import { itemNamesOf, itemsOfSequences, ownFormat, versionKind } from './rules.ts';

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
  return newCollection(parts, call, name, [], { metadata, content }, (id) => {
    const owner = { type: 'collection', id };
    const sequences = keep(owner, versionKind, ownFormat, attached, parts.clock.now(), []);
    const joins = project ? joinNew(parts, project, owner) : changing();
    return together(sequence.length > 0 ? sequences : changing(), joins, also(id));
  });
}
