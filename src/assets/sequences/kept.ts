import { type Description, type DocumentLimits, writeJson } from '../../documents/index.ts';
import { documentIn } from '../../http/body.ts';
import type { Content } from '../attachments/rules.ts';

/** A document as it is kept. One that no request could read again is refused, like one of a caller. */
export async function keptJson<T>(description: Description<T>, value: T, limits: DocumentLimits): Promise<Content> {
  const content = new TextEncoder().encode(writeJson(description, value));
  await documentIn(content, description, limits);
  return { mediaType: 'application/json', content };
}
