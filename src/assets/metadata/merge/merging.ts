import { Addresses } from './addresses.ts';
import { type Change, type Instance, instanceKey, type State } from './state.ts';
import { serialOf } from './uuid.ts';

export interface MergeOptions {
  readonly change: Change;
  /** Refuses what cannot be. A log that is played again passes over it: what it meant may be gone. */
  readonly strict: boolean;
  /** Fields that the change set must leave alone. */
  isKept(name: string): boolean;
}

/** One change set on its way into a state, which it changes. */
export class Merging {
  readonly change: Change;
  readonly strict: boolean;
  readonly isKept: (name: string) => boolean;
  /** The change sets that the writer knew. Undefined: the writer does not care. */
  readonly known: ReadonlySet<string> | undefined;
  /** The keys of all instances that the change set met or made. */
  readonly touched = new Set<string>();
  readonly state: State;
  readonly addresses: Addresses;

  constructor(state: State, { change, strict, isKept }: MergeOptions, revision: readonly string[] | undefined) {
    this.state = state;
    this.addresses = new Addresses(state);
    this.change = change;
    this.strict = strict;
    this.isKept = isKept;
    this.known = revision && new Set(revision);
  }

  make(ordinal: number): Instance {
    const made = { made: this.change, ordinal, changed: this.change };
    this.touched.add(instanceKey(made));
    return made;
  }

  /** Tells that the change set is about this instance. Gives its key, for the log. */
  meet(instance: Instance): string | undefined {
    const key = instanceKey(instance);
    this.touched.add(key);
    return this.isOwn(instance) ? undefined : key;
  }

  isOwn = ({ made }: Instance): boolean => made.id === this.change.id;

  /** Nobody overwrites what came from a change set that the writer did not know. */
  protects(values: readonly Instance[]): boolean {
    if (this.known === undefined || values.length === 0) return false;
    const newest = values.reduce((a, b) => (serialOf(b.changed.id) > serialOf(a.changed.id) ? b : a));
    return newest.changed.id !== this.change.id && !this.known.has(newest.changed.id);
  }
}
