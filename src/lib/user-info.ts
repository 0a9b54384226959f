/** As it is, percent-encoded, or encoded more than once. */
const opening = /(?::|%(?:25)*3a)(?:[/\\]|%(?:25)*(?:2f|5c))+/i;
const closing = /@|%(?:25)*40/gi;

/**
 * Hides the name and the password of an address, wherever it stands in a text. It hides rather too much: a secret may
 * hold a "/" or a "@" that somebody forgot to encode.
 */
export function maskUserInfo(text: string): string {
  const opened = opening.exec(text);
  if (!opened) return text;
  const from = opened.index + opened[0].length;
  let end = -1;
  for (const closed of text.matchAll(closing)) end = closed.index;
  return end < from ? text : `${text.slice(0, from)}***${text.slice(end)}`;
}
