/** The one value of the cookie. Of two, another page may have set the second. */
export function cookieValue(header: string | null, name: string): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}
