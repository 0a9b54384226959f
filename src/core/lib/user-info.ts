/** Begin of user info in an address: plain, percent-encoded, or encoded more than once. */
const opening = /(?::|%(?:25)*3a)(?:[/\\]|%(?:25)*(?:2f|5c))+/i;
const closing = /@|%(?:25)*40/gi;

/**
 * Hides name and password in all addresses of a text. Rather hides too much: a secret may contain an unencoded "/" or
 * "@".
 */
export function maskUserInfo(text: string): string {
  const opened = opening.exec(text);
  if (!opened) return text;
  const from = opened.index + opened[0].length;
  let end = -1;
  for (const closed of text.matchAll(closing)) end = closed.index;
  return end < from ? text : `${text.slice(0, from)}***${text.slice(end)}`;
}
