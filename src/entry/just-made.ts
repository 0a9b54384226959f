import { setTimeout } from 'node:timers';

const forgetAfter = 20;
const mostKept = 64;
const longestKept = 512;

const soon = (forget: () => void): void => void setTimeout(forget, forgetAfter).unref();

/**
 * Keeps digests that were just made. A client sends the same credentials with all its requests, and a hash costs Deno
 * an eighth of a request. The texts are forgotten in the time of a few requests, as their own buffers are.
 */
export function onceMade(digest: (text: string) => string, later = soon): (text: string) => string {
  const kept = new Map<string, string>();
  const forget = () => kept.clear();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = digest(text);
    if (kept.size >= mostKept || text.length > longestKept) return made;
    if (kept.size === 0) later(forget);
    kept.set(text, made);
    return made;
  };
}
