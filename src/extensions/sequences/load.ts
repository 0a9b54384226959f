import type { ItemsContext, Sequence } from '../../assets/items/public.ts';
import { findAttachment, missingAttachment as missing } from '../../assets/metadata/public.ts';
import { type Description, type DocumentLimits, writeJson } from '../../core/documents/index.ts';
import { documentIn } from '../../http/body.ts';
import type { Content } from '../../http/reads.ts';
import { sequenceDocument } from './documents.ts';
import { ownFormat, sequenceKind } from './rules.ts';

/** Sequence of an item in the native format. */
export async function sequenceOf(
  { store, limits }: Pick<ItemsContext, 'store' | 'limits'>,
  id: string,
): Promise<Sequence> {
  const { kind, noun } = sequenceKind;
  const row = await findAttachment(store, { type: 'item', id, kind, name: ownFormat });
  if (!row) throw missing(noun, ownFormat);
  return (await documentIn(row.content, sequenceDocument, limits)) ?? {};
}

/** Serialises a document for storage. Refuses documents that exceed the limits of later reads. */
export async function keptJson<T>(description: Description<T>, value: T, limits: DocumentLimits): Promise<Content> {
  const content = new TextEncoder().encode(writeJson(description, value));
  await documentIn(content, description, limits);
  return { mediaType: 'application/json', content };
}
