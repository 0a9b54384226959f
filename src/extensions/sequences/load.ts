import { documentIn } from '../../http/body.ts';
import type { ItemsContext, Sequence } from '../../items/public.ts';
import { findAttachment, missingAttachment as missing } from '../../metadata/public.ts';
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
