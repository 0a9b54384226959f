import { cookieValues } from '../kit/index.ts';

/** The one value of the cookie. Of two, another page may have set the second. */
export function cookieValue(header: string | null, name: string): string | undefined {
  const values = cookieValues(header, name);
  return values.length === 1 ? values[0] : undefined;
}
