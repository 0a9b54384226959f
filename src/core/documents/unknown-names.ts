import { nearest } from '../lib/nearest.ts';
import type { Complaint } from './check.ts';
import type { Description } from './describe.ts';
import { quoted } from './error.ts';
import type { Plan } from './plan.ts';

/** Callback for unknown names in a document. */
export type TellUnknown = (name: string) => void;

/** Looks at a name that the description does not know; gives the complaint that the document is refused with. */
export type UnknownNames = (name: string, plan: Plan) => Complaint | undefined;

/** Limit of different names that are compared with known ones, because comparing takes time. */
const mostCompared = 256;
const longestCompared = 40;

export function unknownNames(description: Description, tell: TellUnknown | undefined): UnknownNames {
  let compared: Set<string> | undefined;
  return (name, plan) => {
    let complaint: Complaint | undefined;
    compared ??= new Set();
    if (description.careful && compared.size < mostCompared) {
      const key = `${plan.name}/${name}`;
      if (!compared.has(key) && name.length <= longestCompared) {
        compared.add(key);
        complaint = nearMiss(name, plan);
      }
    }
    tell?.(name);
    return complaint;
  };
}

/** Allowed edits of a name. None for short names: each is similar to many others. */
const editsIn = (name: string): number => (name.length < 4 ? 0 : name.length < 5 ? 1 : 2);

function nearMiss(found: string, plan: Plan): Complaint | undefined {
  const meant = nearest(found, plan.byJsonName.keys(), editsIn(found));
  if (meant === undefined) return undefined;
  return { explanation: `Expected "${meant}", or a name that is not nearly the same: found ${quoted(found)}`, found };
}
