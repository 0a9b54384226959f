import { serialOf } from '../../../core/lib/serial.ts';
import { Addresses } from './addresses.ts';
import { type Change, type Instance, instanceKey, type MetadataState } from './state.ts';

export interface MergeOptions {
  readonly change: Change;
  /** Throws on impossible changes. False for replays of a log, which skip them, since their targets may be gone. */
  readonly strict: boolean;
  /** Whether the change set must not change the field. */
  isKept(name: string): boolean;
}

/** Merge of one change set into a state, in place. */
export class MetadataMerge {
  readonly change: Change;
  readonly strict: boolean;
  readonly isKept: (name: string) => boolean;
  /** Change sets that the writer has seen. Undefined: no conflict detection. */
  readonly known: ReadonlySet<string> | undefined;
  /** Keys of all instances that the change set matched or created. */
  readonly touched = new Set<string>();
  readonly state: MetadataState;
  readonly addresses: Addresses;

  constructor(state: MetadataState, { change, strict, isKept }: MergeOptions, revision: readonly string[] | undefined) {
    this.state = state;
    this.addresses = new Addresses(state);
    this.change = change;
    this.strict = strict;
    this.isKept = isKept;
    this.known = revision && new Set(revision);
  }

  make(ordinal: number): Instance {
    const instance = { made: this.change, ordinal, changed: this.change };
    this.touched.add(instanceKey(instance));
    return instance;
  }

  /** Records a match. Returns the key of the instance for the log. */
  meet(instance: Instance): string | undefined {
    const key = instanceKey(instance);
    this.touched.add(key);
    return this.isOwn(instance) ? undefined : key;
  }

  isOwn = ({ made }: Instance): boolean => made.id === this.change.id;

  /** Conflict: values from a change set that the writer has not seen are not overwritten. */
  protects(values: readonly Instance[]): boolean {
    if (this.known === undefined || values.length === 0) return false;
    const newest = values.reduce((a, b) => (serialOf(b.changed.id) > serialOf(a.changed.id) ? b : a));
    return newest.changed.id !== this.change.id && !this.known.has(newest.changed.id);
  }
}
