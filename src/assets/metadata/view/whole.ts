import type { MetadataDocumentValue, MetadataField, MetadataTimespan } from '../documents/metadata.ts';
import { type Rows, type StoredFieldRow, sizeOfSpan } from '../merge/stored.ts';
import type { TransientValue } from './document.ts';
import { FieldTexts } from './field-texts.ts';

/**
 * Complete document as stored: equal to the result of `documentOf`, but with fields as text. Undefined: groups or
 * references need more than the rows. `gone`: names of deleted fields. Steps of `runInSlices`.
 */
export function* wholeDocument(
  { c: changes, m: main, t: template, s: spans }: Rows,
  computed: readonly TransientValue[],
  gone: ReadonlySet<string> = new Set(),
): Generator<number, MetadataDocumentValue | undefined> {
  const isShown: boolean[] = [];
  const shown: string[] = [];
  const show = (change: number): void => {
    if (isShown[change]) return;
    isShown[change] = true;
    shown.push(changes[change]![0]);
  };
  const own: MetadataField[] = computed.map(([name, value]) => ({ name, value: [{ value }] }));
  const timespan: MetadataTimespan[] = [];
  let hasGeneric = false;
  for (const [start, end, rows, groups] of spans) {
    yield sizeOfSpan * rows.length;
    if (groups.length > 0) return undefined;
    const fields: StoredFieldRow[] = [];
    for (const row of rows) {
      const [name, , , changed, values, , reference] = row;
      if (gone.has(name)) continue;
      if (reference !== undefined) return undefined;
      show(changed);
      for (const value of values) show(value[3]);
      if (values.length > 0) fields.push(row);
    }
    const isGeneric = start === '-INF' && end === '+INF';
    if (!isGeneric && fields.length === 0) continue;
    hasGeneric ||= isGeneric;
    const texts = fields.length > 0 ? [new FieldTexts(fields, changes) as MetadataField] : [];
    timespan.push({ field: isGeneric ? [...texts, ...own] : texts, group: [], start, end });
  }
  if (!hasGeneric) timespan.unshift({ field: own, group: [], start: '-INF', end: '+INF' });
  if (main) show(main[0]);
  if (template) show(template[0]);
  const revision = shown.join(',');
  const names = main?.slice(1) as readonly string[] | undefined;
  return {
    timespan,
    ...(revision !== '' && { revision }),
    ...(template && { template: template[1] }),
    ...(names && { group: names }),
  };
}
