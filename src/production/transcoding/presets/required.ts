import { findTag, noSuchTag } from '../../../assets/shapes/public.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import type { TranscodingParts } from '../parts.ts';
import { presetFrom } from './read.ts';

/** The tags are known, and each has a preset that files can be made by. */
export async function requirePresets(
  { store, limits }: Pick<TranscodingParts, 'store' | 'limits'>,
  tags: readonly string[],
): Promise<void> {
  for (const tag of tags) {
    const row = await findTag(store, { name: tag });
    if (!row) throw noSuchTag(tag);
    if (presetFrom(row.form, row.document, limits).preset.format) continue;
    throw badParameter('tag', 'Expected a shape tag whose preset has a format', tag);
  }
}
