import type { DocumentLimits } from '../../../documents/index.ts';
import { documentIn } from '../../../http/body.ts';
import type { Sequence } from '../../../items/public.ts';
import { findAttachment } from '../../../metadata/public.ts';
import type { Reader } from '../../../store/statement.ts';
import { projectVersionDocument } from './documents.ts';
import { ownFormat, versionKind } from './rules.ts';

/** Sequences of a collection that is a project version. */
export async function sequencesOf(reader: Reader, id: string, limits: DocumentLimits): Promise<readonly Sequence[]> {
  const row = await findAttachment(reader, { type: 'collection', id, kind: versionKind.kind, name: ownFormat });
  return (row && (await documentIn(row.content, projectVersionDocument, limits))?.sequence) ?? [];
}
