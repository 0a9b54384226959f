import { relative } from 'node:path';
import { sitesIn } from './sites.ts';

/** Hook that the planted sources ask: whether the check of that name is left out. */
export interface Switch {
  porticoLeftOut?: (name: string) => boolean;
}

/** The check that is left out while a suite runs. Without it a test says at each moment which one is. */
const only = 'PORTICO_LEFT_OUT';

/**
 * A plugin of the bundler that the tests run under: each check of a right can be left out while the tests run, so that
 * one process tries all of them.
 */
export function plantSwitches(root: string) {
  return {
    name: 'plant-switches',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      const file = relative(root, id.split('?')[0]!);
      if (!file.startsWith('src/')) return undefined;
      // From the end on, so that places in front keep theirs. A place that has others in itself has grown with them.
      const grown: { readonly at: number; readonly by: number }[] = [];
      let planted = code;
      for (const { name, start, end, without, declared } of sitesIn(file, code).toSorted((a, b) => b.start - a.start)) {
        const within = grown.reduce((sum, { at, by }) => (at < end ? sum + by : sum), 0);
        const asked = planted.slice(start, end + within);
        const text = declared ? declaredText(asked, without, name) : `(${leftOut(name)} ? ${without} : ${asked})`;
        planted = planted.slice(0, start) + text + planted.slice(end + within);
        grown.push({ at: start, by: text.length - asked.length });
      }
      return planted === code ? undefined : planted;
    },
  };
}

const leftOut = (name: string): string => {
  const chosen = process.env[only];
  return chosen === undefined ? `globalThis.porticoLeftOut?.(${JSON.stringify(name)})` : String(name === chosen);
};

/** A declaration is a single entity, or several by the names of their segments. */
const declaredText = (asked: string, without: string, name: string): string =>
  `((asked, without) => {
    const either = (one, other) => ({ ...one, find: (...all) => (${leftOut(name)} ? other : one).find(...all) });
    if (typeof asked.find === 'function') return either(asked, without);
    return Object.fromEntries(Object.entries(asked).map(([key, one]) => [key, either(one, without[key])]));
  })(${asked}, ${without})`;
