/** The values of items, alike in all servers: a search finds one item of 200. */
const words =
  'harbour bridge market tower station garden museum river castle square island forest valley meadow canyon desert glacier lagoon prairie volcano'.split(
    ' ',
  );
const genres = 'news sport drama comedy nature history music travel science weather'.split(' ');
const colours = 'red orange yellow green blue indigo violet'.split(' ');
const note = 'A note about what is seen and heard. '.repeat(16);

export const fieldNames = ['title', 'place', 'note', 'city', 'person', 'source', 'genre', 'colour'] as const;
export type Values = Readonly<Record<(typeof fieldNames)[number], string>>;

const at = (list: readonly string[], index: number) => list[index % list.length]!;

export const valuesOf = (serial: number): Values => ({
  title: `${at(words, serial)} number ${serial}`,
  place: `${at(words, serial + 7)} street ${serial % 100}`,
  note: `${note}${serial}`,
  city: `city ${serial % 500}`,
  person: `person ${serial % 1000}`,
  source: `source ${serial % 20}`,
  genre: at(genres, Math.floor(serial / 20)),
  colour: at(colours, serial),
});

/** Three fields with values that no other turn gives. */
export const changesOf = (serial: number): Partial<Values> => ({
  place: `turn ${serial} ${Math.random()}`,
  city: `turn ${serial}`,
  person: `turn ${serial}`,
});

export const wantedBy = (serial: number) => ({ word: at(words, serial), genre: at(genres, serial * 3) });

export const hitsAmong = (items: number): number => items / (words.length * genres.length);
