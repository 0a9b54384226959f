import { parseRange, readTarget } from '../lib/address.ts';
import type { Ends } from '../lib/ends.ts';
import { type LogLevel, logLevels } from '../lib/log.ts';
import { readMailbox, readMailServer } from '../lib/mail-address.ts';
import { Secret } from '../lib/secret.ts';

/** Type of a setting, with the parser of its text. */
interface Kind<T> {
  /** Expected form, for messages and the manual. */
  readonly expected: string;
  /** Defect of a value with several parts. */
  wrong?(text: string): string;
  read(text: string): T | undefined;
}

/** A limit among the settings that no flag and no variable changes. Tests and programs that embed the service may. */
export interface Constant<T> {
  readonly fallback: T;
  readonly says: string;
}

export interface Setting<T> extends Constant<T> {
  readonly kind: Kind<T>;
  /** Set if the setting ends: `instead` names another. */
  readonly ends?: Ends | undefined;
}

/** By name. `--flag-name` on the command line and `PORTICO_FLAG_NAME` in the environment are derived from the name. */
export type SettingTable = Readonly<Record<string, Setting<unknown> | Constant<unknown>>>;

export type SettingsOf<T extends SettingTable> = {
  readonly [N in keyof T]: T[N] extends Constant<infer V> ? V : never;
};

/** Rows of a table that flags and variables change. */
export const changeable = (table: SettingTable): Readonly<Record<string, Setting<unknown>>> =>
  Object.fromEntries(Object.entries(table).filter((entry): entry is [string, Setting<unknown>] => 'kind' in entry[1]));

export const text: Kind<string> = { expected: 'a text', read: (value) => value };
/** Never empty: `PORTICO_ADMIN_PASSWORD=` would be an administrator without a password. */
export const secret: Kind<Secret | undefined> = {
  expected: 'a secret text that is not empty',
  read: (value) => (value === '' ? undefined : new Secret(value)),
};
/** A key for AES-256. */
export const keyText: Kind<Secret | undefined> = {
  expected: '32 bytes in base64',
  read: (value) => (/^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? new Secret(value) : undefined),
};
/** Secret, because it may have a password. */
export const mailServer: Kind<Secret | undefined> = {
  expected: 'an address such as smtp://user:password@host:587, smtps://host, or smtp://secret:ALIAS@host',
  read: (value) => (readMailServer(value) ? new Secret(value) : undefined),
};
export const mailbox: Kind<string> = {
  expected: 'an address of mail such as portico@example.com, or "Portico <portico@example.com>"',
  read: (value) => (value === '' || readMailbox(value) ? value : undefined),
};
export const secretKinds: ReadonlySet<Kind<unknown>> = new Set([secret, keyText, mailServer]);
export const whole = (least: number, max: number): Kind<number> => ({
  expected: `a whole number from ${least} to ${max}`,
  read: (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= least && number <= max ? number : undefined;
  },
});
/** A number, or what the machine has. */
export const wholeOrAuto = (least: number, max: number): Kind<number | 'auto'> => ({
  expected: `"auto" or a whole number from ${least} to ${max}`,
  read: (value) => (value === 'auto' ? value : whole(least, max).read(value)),
});
export const flag: Kind<boolean> = {
  expected: '"true" or "false"',
  read: (value) => {
    const word = value.toLowerCase();
    return word === 'true' || word === 'false' ? word === 'true' : undefined;
  },
};
export const oneOf = <const T extends string>(...words: readonly T[]): Kind<T> => ({
  expected: `one of ${words.join(', ')}`,
  read: (value) => words.find((word) => word === value),
});
export const matching = (pattern: RegExp, expected: string): Kind<string> => ({
  expected,
  read: (value) => (pattern.test(value) ? value : undefined),
});
export const list: Kind<readonly string[]> = {
  expected: 'a list with commas between',
  read: (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
};
const listOf = (expected: string, isGood: (entry: string) => boolean): Kind<readonly string[]> => ({
  expected: `${expected}, with commas between,`,
  wrong: (value) => list.read(value)?.find((entry) => !isGood(entry)) ?? value,
  read: (value) => (list.read(value)?.every(isGood) ? list.read(value) : undefined),
});
export const targets = listOf(
  'ranges such as 10.0.0.0/8, addresses and host names',
  (entry) => readTarget(entry) !== undefined,
);
export const ranges = listOf('ranges such as 10.0.0.0/8 and addresses', (entry) => parseRange(entry) !== undefined);
export const folderLocations = listOf(
  'entries such as /srv/media=/portico-media/, with a slash at both ends of the location',
  (entry) => /^(?:\/|[A-Za-z]:\/)[^=]*[^=/]=\/(?:[\w-]+\/)+$/.test(entry),
);
export const origins = listOf('origins such as https://bucket.example.com', (entry) =>
  /^https?:\/\/[\w.-]+(?::\d+)?$/.test(entry),
);
export const level: Kind<LogLevel> = oneOf(...logLevels);

/** A row of a table of settings: its kind, its default, one sentence for the manual, and its end. */
export const setting = <T>(kind: Kind<T>, fallback: T, says: string, ends?: Ends): Setting<T> => ({
  kind,
  fallback,
  says,
  ends,
});

/** A row that is no setting: its value, and one sentence that says what it limits. */
export const constant = <T>(fallback: T, says: string): Constant<T> => ({ fallback, says });

export const mebibyte = 1024 * 1024;
