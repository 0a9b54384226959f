import { endOf, withEnd } from '../lib/ends.ts';
import { nearest } from '../lib/messages.ts';
import { withoutSecrets } from '../lib/secret.ts';
import { changeable, flag, type Setting, type SettingsOf, type SettingTable, secretKinds } from './kinds.ts';

/** A setting that cannot be used. It stops the start, naming the setting and what was expected. */
export class SettingError extends Error {}

export const flagOf = (name: string): string => `--${dashed(name)}`;
/** Settings of OpenTelemetry have the names of its standard. */
export const variableOf = (name: string): string =>
  `${name.startsWith('otel') ? '' : 'PORTICO_'}${dashed(name).replaceAll('-', '_').toUpperCase()}`;

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Settings that are true or false, by their flags. */
export const switchesOf = (table: SettingTable): ReadonlySet<string> =>
  new Set(
    Object.entries(changeable(table))
      .filter(([, { kind }]) => kind === flag)
      .map(([name]) => flagOf(name)),
  );

/** Where the value of a setting comes from. `program`: the program that embeds the service has changed it. */
type SettingSource = 'flag' | 'environment' | 'default' | 'program';

interface Origin extends Setting<unknown> {
  readonly source: SettingSource;
  readonly value: unknown;
}

/** Key of the origins of settings. A copy of the settings has it, too. */
const origins = Symbol('origins of settings');

interface SettingInForce {
  readonly name: string;
  readonly source: SettingSource;
  readonly says: string;
  /** Texts, without what is secret. Undefined: none. */
  readonly value: string | undefined;
  readonly fallback: string | undefined;
  readonly secret: boolean;
  readonly isSet: boolean;
}

/** Each setting with its value and where that comes from. Secrets and credentials in addresses are left out. */
export function settingsInForce(settings: object): readonly SettingInForce[] {
  const values = settings as Readonly<Record<string, unknown>>;
  const all = (settings as { readonly [origins]?: Readonly<Record<string, Origin>> })[origins] ?? {};
  return Object.entries(all).map(([name, { kind, fallback, says, source, value }]) => {
    const secret = secretKinds.has(kind);
    return {
      ...{ name, says, secret, isSet: values[name] !== undefined && values[name] !== '' },
      source: values[name] === value ? source : 'program',
      value: secret ? undefined : shownText(values[name]),
      fallback: secret ? undefined : shownText(fallback),
    };
  });
}

/** Sentences on settings that end and are set. */
export function endingSettings(settings: object): readonly string[] {
  const all = (settings as { readonly [origins]?: Readonly<Record<string, Origin>> })[origins] ?? {};
  return Object.entries(all).flatMap(([name, { ends, source }]) => {
    if (!ends || source === 'default') return [];
    const spelled = source === 'flag' ? flagOf : variableOf;
    return endOf(spelled(name), { ...ends, instead: spelled(ends.instead) });
  });
}

/** Addresses may have a user, a password, and tokens in their query. */
const shownText = (value: unknown): string | undefined =>
  String(value ?? '')
    .replace(/\/\/[^/@\s]*@/g, '//[redacted]@')
    .replace(/(:\/\/[^?\s]*\?)\S+/g, '$1[redacted]') || undefined;

/** Flags win over the environment, which wins over the defaults. */
export function readTable<T extends SettingTable>(
  table: T,
  environment: Readonly<Record<string, string | undefined>>,
  flags: ReadonlyMap<string, string>,
): SettingsOf<T> {
  const rows = changeable(table);
  const names = Object.keys(rows);
  refuseConstants(table, environment, flags);
  const unknown = [...flags.keys()].find((name) => !names.map(flagOf).includes(name));
  if (unknown !== undefined) throw unknownFlag(unknown, names.map(flagOf));
  refuseMisspelt(environment, names.map(variableOf));
  const read = Object.fromEntries(
    names.map((name): [string, Origin] => {
      const row = rows[name]!;
      const { kind, fallback } = row;
      const onCommandLine = flags.get(flagOf(name));
      const sent = onCommandLine ?? environment[variableOf(name)];
      if (sent === undefined) return [name, { ...row, source: 'default', value: fallback }];
      const value = kind.read(sent);
      if (value === undefined) {
        const source = onCommandLine === undefined ? variableOf(name) : flagOf(name);
        const actual = secretKinds.has(kind) ? '[redacted]' : withoutSecrets(kind.wrong?.(sent) ?? sent);
        throw new SettingError(`Expected ${kind.expected} in ${source}: "${actual}"`);
      }
      return [name, { ...row, source: onCommandLine === undefined ? 'environment' : 'flag', value }];
    }),
  );
  const settings = Object.fromEntries(
    Object.entries(table).map(([name, { fallback }]) => [name, (read[name] ?? { value: fallback }).value]),
  );
  return { ...settings, [origins]: read } as SettingsOf<T>;
}

/** Names of former settings. An instance that sets one would run with another value than it says. */
function refuseConstants(
  table: SettingTable,
  environment: Readonly<Record<string, string | undefined>>,
  flags: ReadonlyMap<string, string>,
): void {
  for (const [name, row] of Object.entries(table)) {
    if ('kind' in row) continue;
    const source = [flagOf(name)].find((each) => flags.has(each)) ?? variableOf(name);
    if (!flags.has(source) && environment[source] === undefined) continue;
    throw new SettingError(`${source} is no setting any more. Its value is ${row.fallback}. Remedy: remove ${source}`);
  }
}

/** A beginning is as near as a slip of the hand. */
function unknownName(what: string, name: string, allowed: readonly string[], list = ''): SettingError {
  const near = allowed.find((each) => each.startsWith(name)) ?? nearest(name, allowed);
  return new SettingError(
    `Expected a known ${what}: "${name.slice(0, 80)}"${near ? `. The nearest is ${near}` : ''}${list}`,
  );
}

export const unknownFlag = (name: string, allowed: readonly string[]): SettingError =>
  unknownName('flag', name, allowed, '. See "portico settings"');

const misspelt = 2;

/** Container platforms add variables of their own (PORTICO_SERVICE_PORT), so only a near miss is a mistake. */
function refuseMisspelt(environment: Readonly<Record<string, string | undefined>>, allowed: readonly string[]): void {
  const suspect = Object.keys(environment).find(
    (name) => name.startsWith('PORTICO_') && !allowed.includes(name) && nearest(name, allowed, misspelt) !== undefined,
  );
  if (suspect !== undefined) throw unknownName('variable', suspect, allowed);
}

export const saysOf = ({ says, ends }: Setting<unknown>): string =>
  withEnd(says, ends && { ...ends, instead: variableOf(ends.instead) });

/** The manual: every setting with its flag, its variable, its default and its sentence. */
export const manualOf = (table: SettingTable): string =>
  Object.entries(changeable(table))
    .map(([name, row]) => {
      const { kind, fallback } = row;
      const shown = Array.isArray(fallback) ? fallback.join(',') : (fallback ?? '');
      return `${flagOf(name)}, ${variableOf(name)}\n    ${saysOf(row)}\n    Expected ${kind.expected}. Default: ${shown === '' ? 'none' : shown}\n`;
    })
    .join('\n');
