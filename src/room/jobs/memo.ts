import type { Pairs } from '../../core/events/payloads.ts';

/** Thrown for a memo that does not fit its description: another version of the program wrote it. */
export class MemoMismatch extends Error {}

/** Value in the memo of a job, stored as JSON. */
export interface MemoField<T, MayMiss extends boolean = boolean> {
  /** Whether a new job may leave the value out. */
  readonly mayMiss: MayMiss;
  /** Throws `MemoMismatch` for a value of another kind. `key`: for the message. */
  read(value: unknown, key: string): T;
}

/** Memo as its row keeps it, with the state of the engine. */
export type StoredMemo = Readonly<Record<string, unknown>>;

/** Description of a memo: its keys with the kinds of their values. */
export type MemoFields = Readonly<Record<string, MemoField<unknown>>>;

export type ValueOf<F> = F extends MemoField<infer T> ? T : never;
type MayMissIn<F extends MemoFields> = { [K in keyof F]: F[K]['mayMiss'] extends true ? K : never }[keyof F];

type Undefinable<F extends MemoFields> = { [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never }[keyof F];

/** Memo as steps read it. */
export type MemoOf<F extends MemoFields> = {
  readonly [K in Exclude<keyof F, Undefinable<F>>]: ValueOf<F[K]>;
} & { readonly [K in Undefinable<F>]?: ValueOf<F[K]> };
/** Memo as the start of a job gives it. */
export type MemoInput<F extends MemoFields> = {
  readonly [K in Exclude<keyof F, MayMissIn<F>>]: ValueOf<F[K]>;
} & { readonly [K in MayMissIn<F>]?: ValueOf<F[K]> | undefined };

/** Names the kind of the value, and never the value: an address may hold a password. */
function mismatch(key: string, expected: string, value: unknown): MemoMismatch {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  return new MemoMismatch(`Expected ${expected} at ${key} in the memo of the job: found ${kind}`);
}

const scalar = <T>(says: string, accepts: (value: unknown) => boolean): MemoField<T, false> => ({
  mayMiss: false,
  read(value, key) {
    if (accepts(value)) return value as T;
    throw mismatch(key, says, value);
  },
});

export const text = scalar<string>('a text', (value) => typeof value === 'string');
export const number = scalar<number>('a number', (value) => typeof value === 'number');

export const oneOf = <T extends string>(values: readonly T[]): MemoField<T, false> =>
  scalar<T>(`one of ${values.join(', ')}`, (value) => values.includes(value as T));

/** `otherwise`: value of a memo without the key. */
export const usually = <T>(of: MemoField<T>, otherwise: T): MemoField<T, true> => ({
  mayMiss: true,
  read: (value, key) => (value === undefined ? otherwise : of.read(value, key)),
});

export const optional = <T>(of: MemoField<T>): MemoField<T | undefined, true> => usually<T | undefined>(of, undefined);

export const boolean = scalar<boolean>('true or false', (value) => typeof value === 'boolean');

/** False if it is missing. */
export const flag = usually(boolean, false);

/** Empty if it is missing. */
export const listOf = <T>(of: MemoField<T>): MemoField<readonly T[], true> =>
  usually<readonly T[]>(
    {
      mayMiss: false,
      read(value, key) {
        if (Array.isArray(value)) return value.map((each, at) => of.read(each, `${key}[${at}]`));
        throw mismatch(key, 'a list', value);
      },
    },
    [],
  );

export const recordOf = <F extends MemoFields>(fields: F): MemoField<MemoOf<F>, false> => ({
  mayMiss: false,
  read(value, key) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw mismatch(key, 'a record', value);
    return readFields(fields, value as StoredMemo, `${key}.`);
  },
});

function readFields<F extends MemoFields>(fields: F, values: StoredMemo, before: string): MemoOf<F> {
  const memo: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) memo[key] = fields[key]!.read(values[key], before + key);
  return memo as MemoOf<F>;
}

/** Throws `MemoMismatch` for a memo that does not fit, such as one of another version of the program. Ignores other keys. */
export const readMemo = <F extends MemoFields>(fields: F, values: StoredMemo): MemoOf<F> =>
  readFields(fields, values, '');

/** State of the engine, stored beside the memo of the steps. */
export const engineMemo = {
  /** Whether a part failed. */
  warned: flag,
  /** Number of the failed step that was skipped. */
  passed: optional(number),
  /** Number of the last step that has cleaned up. */
  cleaned: optional(number),
  /** Whether the caller who ended the job wants no clean-up steps. */
  leaves: flag,
  /** Number of checks since the job waits for a resource. */
  looks: optional(number),
  /** Number of failed clean-ups. */
  tries: optional(number),
};
export type EngineMemo = MemoOf<typeof engineMemo>;

/** Description of a job type, for the routes that start it and for its steps. */
export interface JobDescription<F extends MemoFields = MemoFields> {
  readonly type: string;
  readonly memo: F;
  /**
   * Keys of the data that clients see, in this order. The value of a key of the memo is told when a job starts with it,
   * or when a step writes it. Callers cannot write these keys.
   */
  readonly tells: readonly string[];
  /** Whether callers may name the item of a job that has none, to find the job by it. */
  readonly takesItem?: boolean;
}

export function describeJob<F extends MemoFields>(
  type: string,
  { memo, tells = [], ...more }: Partial<Omit<JobDescription<F>, 'type'>> & Pick<JobDescription<F>, 'memo'>,
): JobDescription<F> {
  const taken = Object.keys(memo).find((key) => Object.hasOwn(engineMemo, key));
  if (taken !== undefined) throw new Error(`Expected another key in the memo of ${type}: the engine writes ${taken}`);
  return { type, memo, tells, ...more };
}

/** Data that clients see of the values of a memo. A list becomes a pair for each of its values. */
export const toldOf = ({ tells }: Pick<JobDescription, 'tells'>, values: StoredMemo): Pairs =>
  tells.flatMap((key) => {
    const value = values[key];
    return [value ?? []].flat().map((each) => [key, String(each)] as const);
  });

/** Memo of the steps of a described job. */
export type JobMemo<D extends JobDescription> = MemoOf<D['memo']>;
