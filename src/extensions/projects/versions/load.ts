import type { Sequence } from '../../../assets/items/public.ts';
import { findAttachment } from '../../../assets/metadata/public.ts';
import type { DocumentLimits } from '../../../core/documents/index.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { documentIn } from '../../../http/body.ts';
import { projectVersionDocument } from './documents.ts';
import { ownFormat, versionKind } from './rules.ts';

/** Sequences of a collection that is a project version. */
export async function sequencesOf(reader: Reader, id: string, limits: DocumentLimits): Promise<readonly Sequence[]> {
  const row = await findAttachment(reader, { type: 'collection', id, kind: versionKind.kind, name: ownFormat });
  return (row && (await documentIn(row.content, projectVersionDocument, limits))?.sequence) ?? [];
}
