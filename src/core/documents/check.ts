import { nearest } from '../lib/messages.ts';
import type { Description } from './describe.ts';
import { quoted } from './error.ts';
import type { DocumentLimits } from './limits.ts';
import type { Plan, Slot, Target } from './plan.ts';
import { nearestHint } from './scalars.ts';

/** Defect found at the end of a structure. */
export interface Complaint {
  /** Field with the defect, if it is a single one. */
  readonly key?: string;
  readonly explanation: string;
  readonly found?: string | undefined;
  readonly limit?: keyof DocumentLimits;
}

const counts = {
  exactlyOne: { words: 'exactly one', fits: (count: number) => count === 1 },
  atMostOne: { words: 'at most one', fits: (count: number) => count <= 1 },
  atLeastOne: { words: 'at least one', fits: (count: number) => count >= 1 },
} as const;

/** Names unknown elements in the error, because a misspelt one explains a missing one. */
export function complaintAbout(
  plan: Plan,
  target: Target,
  unknown: readonly string[],
  strict: boolean,
): Complaint | undefined {
  for (const slot of plan.required) {
    if (target[slot.key] !== undefined) continue;
    const { hint, found } = suspect(unknown, [slot.key]);
    return { key: slot.key, explanation: `Expected the element "${slot.key}": missing element${hint}`, found };
  }
  for (const { kind, keys } of plan.rules) {
    const present = keys.filter((key) => target[key] !== undefined);
    if (counts[kind].fits(present.length)) continue;
    const expected = `Expected ${counts[kind].words} of ${keys.map((key) => `"${key}"`).join(', ')}`;
    if (present.length > 0) {
      return { explanation: `${expected}: found ${present.map(quoted).join(' and ')}`, found: present.join(', ') };
    }
    const names = keys.flatMap((key) => spellings(plan, key));
    const { hint, found } = suspect(unknown, names);
    return { explanation: `${expected}: found ${found === undefined ? 'none' : quoted(found)}${hint}`, found };
  }
  const [first] = unknown;
  return strict && first !== undefined ? notKnown(plan, first) : undefined;
}

function notKnown(plan: Plan, name: string): Complaint {
  const names = plan.slots.map(({ key }) => `"${key}"`).join(', ');
  const hint = nearestHint(name, plan.byJsonName.keys());
  return { explanation: `Expected nothing but ${names}: found ${quoted(name)}${hint}`, found: name };
}

/** Complaint about content in an element that may only have text. */
export function notEmpty(name: string): Complaint {
  return { explanation: `Expected no elements and no attributes in it: found ${quoted(name)}`, found: name };
}

function spellings(plan: Plan, key: string): string[] {
  return [...plan.byJsonName].filter(([, slot]) => slot.key === key).map(([name]) => name);
}

/** The unknown name that most likely meant one of these; failing that, the first one. */
function suspect(unknown: readonly string[], names: readonly string[]): { hint: string; found: string | undefined } {
  for (const name of unknown) {
    const hint = nearestHint(name, names);
    if (hint !== '') return { hint: names.length === 1 ? `, found ${quoted(name)}` : hint, found: name };
  }
  return { hint: '', found: names.length === 1 ? undefined : unknown[0] };
}

/** Limit of unknown names that are remembered for a hint. */
export const remembered = 8;

export function wrongType(slot: Slot, text: string): Complaint {
  const { scalar, form } = slot;
  if (scalar === undefined || form === undefined) return { explanation: 'Expected an empty element', found: text };
  // No hint for short words: each is similar to any other.
  const hint = scalar.values && text.length > 3 ? nearestHint(text.trim(), scalar.values) : '';
  return { explanation: `Expected ${form.expected(scalar, text)}: found ${quoted(text)}${hint}`, found: text };
}

export function doubled(key: string): string {
  return `Expected the element ${quoted(key)} once: doubled element`;
}

/** Callback for unknown names in a document. */
export type TellUnknown = (name: string) => void;

/** Looks at a name that the description does not know; gives the complaint that the document is refused with. */
export type UnknownNames = (name: string, plan: Plan) => Complaint | undefined;

/** Limit of different names that are compared with known ones, because comparing takes time. */
const maxCompared = 256;
const maxComparedLength = 40;

export function unknownNames(description: Description, tell: TellUnknown | undefined): UnknownNames {
  let compared: Set<string> | undefined;
  return (name, plan) => {
    let complaint: Complaint | undefined;
    compared ??= new Set();
    if (description.careful && compared.size < maxCompared) {
      const key = `${plan.name}/${name}`;
      if (!compared.has(key) && name.length <= maxComparedLength) {
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

function nearMiss(name: string, plan: Plan): Complaint | undefined {
  const meant = nearest(name, plan.byJsonName.keys(), editsIn(name));
  if (meant === undefined) return undefined;
  return {
    explanation: `Expected "${meant}", or a name that is not nearly the same: found ${quoted(name)}`,
    found: name,
  };
}
