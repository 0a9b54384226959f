/** Whether a text is what a pattern says: `*` stands for any characters, `?` for one. It never goes back to an earlier `*`. */
export function fitsWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resumed = 0;
  while (from < text.length) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = at++;
      resumed = from;
    } else if (wanted === '?' || (wanted !== undefined && wanted === text[from])) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++resumed;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
