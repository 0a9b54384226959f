import type { MetadataFieldListDocument } from 'portico/types';
import { get, send } from '../../api/client.ts';

type Row = readonly [name: string, type: string, english: string, swedish: string, more: object, data?: object];

const single = { schema: { min: 0, max: 1 } };

/** Fields that a library begins with. They are in the form of each item. */
const fields: readonly Row[] = [
  ['asset_description', 'string', 'Description', 'Beskrivning', single, { ui_long: 'true' }],
  ['asset_keywords', 'string-exact', 'Keywords', 'Nyckelord', {}, { facet: 'true' }],
  [
    'asset_rating',
    'integer',
    'Rating, 1 to 5',
    'Betyg, 1 till 5',
    { ...single, integerRestriction: { minInclusive: 1, maxInclusive: 5 } },
    { facet: 'true' },
  ],
  ['asset_comment', 'string', 'Comment', 'Kommentar', {}, { ui_long: 'true' }],
];

/** Makes those that are not there. */
export async function makeFirstFields(): Promise<void> {
  const { field = [] } = await get<MetadataFieldListDocument>('/metadata-field');
  for (const [index, [name, type, english, swedish, more, data = {}]] of fields.entries()) {
    if (field.some((each) => each.name === name)) continue;
    const all = { label_en: english, label_sv: swedish, ui_order: String(index + 1), ui_form: 'true', ...data };
    const pairs = Object.entries(all).map(([key, value]) => ({ key, value }));
    await send('PUT', `/metadata-field/${name}`, { type, ...more, data: pairs });
  }
}
