import { nearest } from '../lib/nearest.ts';
import { flag, type SettingsOf, type SettingTable, secretKinds } from './kinds.ts';

/** A setting that cannot be used. It stops the start, naming the setting and what was expected. */
export class SettingError extends Error {}

export const flagOf = (name: string): string => `--${dashed(name)}`;
export const variableOf = (name: string): string => `PORTICO_${dashed(name).replaceAll('-', '_').toUpperCase()}`;

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Settings that are true or false, by their flags. */
export const switchesOf = (table: SettingTable): ReadonlySet<string> =>
  new Set(
    Object.keys(table)
      .filter((name) => table[name]!.kind === flag)
      .map(flagOf),
  );

/** Flags win over the environment, which wins over the defaults. */
export function readTable<T extends SettingTable>(
  table: T,
  environment: Readonly<Record<string, string | undefined>>,
  flags: ReadonlyMap<string, string>,
): SettingsOf<T> {
  const names = Object.keys(table);
  refuseUnknown(flags.keys(), names.map(flagOf), 'flag');
  refuseMisspelt(environment, names.map(variableOf));
  const settings = Object.fromEntries(
    names.map((name) => {
      const { kind, fallback } = table[name]!;
      const onCommandLine = flags.get(flagOf(name));
      const given = onCommandLine ?? environment[variableOf(name)];
      if (given === undefined) return [name, fallback];
      const value = kind.read(given);
      if (value === undefined) {
        const source = onCommandLine === undefined ? variableOf(name) : flagOf(name);
        const found = secretKinds.has(kind) ? '[redacted]' : (kind.wrong?.(given) ?? given);
        throw new SettingError(`Expected ${kind.expected} in ${source}: "${found}"`);
      }
      return [name, value];
    }),
  );
  return settings as SettingsOf<T>;
}

function refuseUnknown(given: Iterable<string>, known: readonly string[], what: string): void {
  for (const name of given) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    throw new SettingError(`Expected a known ${what}: "${name}"${near ? `. The nearest is ${near}` : ''}`);
  }
}

const misspelt = 2;

/** Container platforms add variables of their own (PORTICO_SERVICE_PORT), so only a near miss is a mistake. */
function refuseMisspelt(environment: Readonly<Record<string, string | undefined>>, known: readonly string[]): void {
  const suspects = Object.keys(environment).filter(
    (name) => name.startsWith('PORTICO_') && !known.includes(name) && nearest(name, known, misspelt) !== undefined,
  );
  refuseUnknown(suspects, known, 'variable');
}

/** The manual: every setting with its flag, its variable, its default and its sentence. */
export const manualOf = (table: SettingTable): string =>
  Object.entries(table)
    .map(([name, { kind, fallback, says }]) => {
      const shown = Array.isArray(fallback) ? fallback.join(',') : (fallback ?? '');
      return `${flagOf(name)}, ${variableOf(name)}\n    ${says}\n    Expected ${kind.expected}. Default: ${shown === '' ? 'none' : shown}\n`;
    })
    .join('\n');
