/** Marks in a User-Agent, and what they stand for. The first that is there counts: most browsers name others, too. */
type Marks = readonly (readonly [mark: string, name: string])[];

const browsers: Marks = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Vivaldi/', 'Vivaldi'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const systems: Marks = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
];

/** Characters of a User-Agent that are looked at. */
const maxLength = 400;
const program = /^[A-Za-z][\w.+-]{0,39}/;

const nameIn = (text: string, marks: Marks): string | undefined => marks.find(([mark]) => text.includes(mark))?.[1];

/**
 * Browser and system of a User-Agent, such as `Firefox, Windows`, or the name of a program. No versions: an update
 * makes no new device.
 */
export function deviceOf(userAgent: string | null): string | undefined {
  const text = (userAgent ?? '').slice(0, maxLength);
  if (!text.startsWith('Mozilla/')) return program.exec(text)?.[0];
  const names = [nameIn(text, browsers), nameIn(text, systems)].filter((name) => name !== undefined);
  return names.length === 0 ? undefined : names.join(', ');
}
