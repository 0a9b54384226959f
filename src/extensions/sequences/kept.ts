import { type Description, type DocumentLimits, writeJson } from '../../documents/index.ts';
import { documentIn } from '../../http/body.ts';
import type { Content } from '../../http/reads.ts';

/** Serialises a document for storage. Refuses documents that exceed the limits of later reads. */
export async function keptJson<T>(description: Description<T>, value: T, limits: DocumentLimits): Promise<Content> {
  const content = new TextEncoder().encode(writeJson(description, value));
  await documentIn(content, description, limits);
  return { mediaType: 'application/json', content };
}
