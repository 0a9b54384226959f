import type { Statement } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import { noSuchTag } from '../rules.ts';
import { knownTags, tagMustExist } from './store.ts';

/** Refuses unknown tags. Returns guards that they still exist in the commit. */
export async function requireTags(reader: Reader, tags: readonly string[]): Promise<readonly Statement[]> {
  if (tags.length === 0) return [];
  const known = new Set((await knownTags(reader, { names: JSON.stringify(tags) })).map(({ name }) => name));
  const missing = tags.find((tag) => !known.has(tag));
  if (missing !== undefined) throw noSuchTag(missing);
  return tags.map((tag) => tagMustExist(tag, noSuchTag(tag)));
}
