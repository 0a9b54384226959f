import type { RuntimeName } from '../bench/runtimes.ts';
import type { Flood } from './flood.ts';
import { floods } from './floods.ts';

export interface Options {
  readonly runtimes: readonly RuntimeName[];
  readonly floods: readonly Flood[];
  /** Length of each flood. Absent: as long as its row says. */
  readonly seconds?: number;
}

const known: readonly RuntimeName[] = ['node', 'deno'];

/** `[node] [deno] [FLOOD ...] [--seconds N]`. There is no word for an address: the attack starts its own servers. */
export function readOptions(words: readonly string[]): Options {
  const runtimes: RuntimeName[] = [];
  const named: Flood[] = [];
  let seconds: number | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const runtime = known.find((name) => name === word);
    const flood = floods.find(({ name }) => name === word);
    if (runtime) runtimes.push(runtime);
    else if (flood) named.push(flood);
    else if (word === '--seconds') seconds = secondsOf(words[++at] ?? '');
    else {
      const names = [...known, ...floods.map(({ name }) => name), '--seconds'].join(', ');
      throw new Error(`Expected one of ${names}: "${word.slice(0, 80)}"`);
    }
  }
  return {
    runtimes: runtimes.length > 0 ? runtimes : known,
    floods: named.length > 0 ? named : floods,
    ...(seconds === undefined ? {} : { seconds }),
  };
}

function secondsOf(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 60) return Number(text);
  throw new Error(`Expected a whole number from 1 to 60 after --seconds: "${text.slice(0, 80)}"`);
}
