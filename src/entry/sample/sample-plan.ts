/** Media of the sample in `files`, with what a library knows of them. The last ones are the newest. */
export interface SampleItem {
  readonly file: string;
  readonly title: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly rating: number;
  readonly collection: 'film' | 'rushes' | 'pictures';
  /** Seconds of the thumbnails. Left out: the file needs none. */
  readonly pictures?: readonly number[];
  /** Whether `files` has a form for browsers, beside the original. */
  readonly web?: true;
  /** An earlier version, which a reviewer rejects. */
  readonly firstCut?: string;
}

export const sampleItems: readonly SampleItem[] = [
  {
    file: 'bells.wav',
    title: 'Bells of the pier',
    description: 'Atmosphere for the last scene.',
    keywords: ['sound', 'harbour'],
    rating: 3,
    collection: 'rushes',
  },
  {
    file: 'city.jpg',
    title: 'City at night',
    description: 'Background for the title.',
    keywords: ['city', 'night'],
    rating: 3,
    collection: 'pictures',
    pictures: [0],
  },
  {
    file: 'forest.jpg',
    title: 'Forest, tall',
    description: 'In portrait, for telephones.',
    keywords: ['forest', 'portrait'],
    rating: 4,
    collection: 'pictures',
    pictures: [0],
  },
  {
    file: 'lake.jpg',
    title: 'Lake with a boat',
    description: 'Still water at seven in the morning.',
    keywords: ['lake', 'boat'],
    rating: 4,
    collection: 'pictures',
    pictures: [0],
  },
  {
    file: 'call-sheet.pdf',
    title: 'Call sheet, day 2',
    description: 'Who is where, and when.',
    keywords: ['plan'],
    rating: 2,
    collection: 'film',
    pictures: [0],
  },
  {
    file: 'lighthouse.jpg',
    title: 'Lighthouse, poster',
    description: 'Poster of the film, in portrait.',
    keywords: ['lighthouse', 'portrait', 'harbour'],
    rating: 5,
    collection: 'film',
    pictures: [0],
  },
  {
    file: 'morning.mov',
    title: 'Morning over the hills',
    description: 'A balloon rises with the sun. Not used yet.',
    keywords: ['hills', 'balloon', 'morning'],
    rating: 4,
    collection: 'rushes',
    pictures: [0, 2, 4],
    web: true,
  },
  {
    file: 'harbour.mov',
    title: 'Harbour film',
    description: 'The boat leaves at dusk. The first cut was too dark, the second one is approved.',
    keywords: ['harbour', 'lighthouse', 'boat'],
    rating: 5,
    collection: 'film',
    pictures: [0, 2, 4, 6],
    web: true,
    firstCut: 'harbour-first-cut.mov',
  },
];

/** Fields that a first start makes, too. */
export const sampleFields: readonly (readonly [name: string, definition: object])[] = [
  ['asset_description', field('string', { label_en: 'Description', label_sv: 'Beskrivning', ui_long: 'true' }, 1)],
  ['asset_keywords', field('string-exact', { label_en: 'Keywords', label_sv: 'Nyckelord', facet: 'true' }, 2)],
  [
    'asset_rating',
    {
      ...field('integer', { label_en: 'Rating, 1 to 5', label_sv: 'Betyg, 1 till 5', facet: 'true' }, 3),
      integerRestriction: { minInclusive: 1, maxInclusive: 5 },
    },
  ],
];

function field(type: string, data: Readonly<Record<string, string>>, order: number): object {
  const pairs = Object.entries({ ...data, ui_order: String(order), ui_form: 'true' });
  const isSingle = type !== 'string-exact';
  return {
    type,
    ...(isSingle && { schema: { min: 0, max: 1 } }),
    data: pairs.map(([key, value]) => ({ key, value })),
  };
}

/** `groups`: the first that is there. */
export const samplePeople: readonly (Readonly<Record<'userName' | 'realName', string>> & {
  readonly groups: readonly string[];
})[] = [
  { userName: 'sample-editor', realName: 'Eddie Editor', groups: ['editor'] },
  { userName: 'sample-reviewer', realName: 'Rita Reviewer', groups: ['reviewer', 'librarian'] },
  { userName: 'sample-viewer', realName: 'Vera Viewer', groups: ['viewer'] },
];

export const sampleTree = {
  film: { name: 'Harbour film' },
  rushes: { name: 'Rushes', within: 'film' },
  pictures: { name: 'Pictures', within: 'film' },
  sent: { name: 'From outside' },
} as const;

/** A stroke below the horizon of the first cut, which tilts. */
export const strokeOfReviewer = '<svg viewBox="0 0 100 100"><path d="M 4 66 L 30 62 L 62 57 L 96 52"/></svg>';
