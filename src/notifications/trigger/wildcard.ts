/**
 * A name in which each asterisk stands for any text. The pieces between are looked for from left to right and never
 * again, so the time is that of reading the name.
 */
export function compileWildcard(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern;
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop() ?? '';
  return (name) => {
    if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
    const end = name.length - tail.length;
    let at = head.length;
    for (const piece of rest) {
      const found = name.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}
