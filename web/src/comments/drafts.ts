import { dropStored, store, stored } from '../browser-storage.ts';
import type { Part } from './comments.ts';
import type { Sketch } from './drawing.tsx';

/** A comment that is not sent yet. */
export interface Draft {
  readonly text: string;
  /** Comment that it replies to. */
  readonly parent?: string | undefined;
  /** Comment that it changes. */
  readonly edits?: string | undefined;
  /** Frame that it is about. Undefined: the one that is seen. Null: none. */
  readonly frame?: number | null | undefined;
  /** The first frame behind the part that it is about. */
  readonly to?: number | undefined;
  readonly part?: Part | undefined;
  readonly sketch?: Sketch | undefined;
  readonly isAssigned?: boolean | undefined;
}

/** A draft with the time at which it was typed. */
interface Kept {
  readonly at: number;
  readonly draft: Draft;
}

const prefix = 'portico.draft ';
const maxAge = 30 * 24 * 3_600_000;

const keyOf = (person: string, item: string): string =>
  `${prefix}${encodeURIComponent(person)} ${encodeURIComponent(item)}`;

/** The draft of a person about an item in this browser. Those of all that are too old end. */
export function keptDraft(person: string, item: string, now: number): Draft | undefined {
  dropStored((key, value) => key.startsWith(prefix) && !(((value as Kept | undefined)?.at ?? 0) > now - maxAge));
  return (stored(keyOf(person, item)) as Kept | undefined)?.draft;
}

/** Keeps a draft. Undefined: ends it. */
export const keepDraft = (person: string, item: string, draft: Draft | undefined, now: number): void =>
  store(keyOf(person, item), draft && ({ at: now, draft } satisfies Kept));

/** Ends the drafts of a person in this browser. */
export const forgetDrafts = (person: string): void => dropStored((key) => key.startsWith(keyOf(person, '')));
