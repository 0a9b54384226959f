/** The names of a JSON answer in the order in which it has them. Of a list: those of the entry that has the most. */
export function outlineOf(value: unknown): string {
  if (Array.isArray(value)) return listOf(value.map(outlineOf));
  if (typeof value !== 'object' || value === null) return '';
  const fields = Object.entries(value).map(([name, each]) => {
    const inside = outlineOf(each);
    return inside === '' ? name : `${name}: ${inside}`;
  });
  return `{${fields.join(', ')}}`;
}

const listOf = (entries: readonly string[]): string => {
  const longest = entries.reduce((one, other) => (other.length > one.length ? other : one), '');
  return `[${longest}]`;
};
