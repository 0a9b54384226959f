import { rooms } from '../../src/composition/rooms.ts';
import { settingTable } from '../../src/composition/settings.ts';
import { coreSettings } from '../../src/core/settings/core.ts';
import { changeable, type SettingTable } from '../../src/core/settings/kinds.ts';
import { flagOf, saysOf, variableOf } from '../../src/core/settings/read.ts';
import { code, table } from './table.ts';

const head = `# Settings

\`npm run docs\` writes this page from the settings; \`npm run portico -- settings\` prints the same.
A flag wins over the environment, and the environment wins over the default.
The flag is the name in small letters with dashes: \`${variableOf('maxBodyBytes')}\` is \`${flagOf('maxBodyBytes')}\`.
[Configuration](../operate/configuration.md) says how to use them.
`;

/** The settings of no room, then those of each room, as Markdown. */
export function settingsPage(): string {
  const tables: readonly (readonly [string, SettingTable])[] = [
    ['the server', coreSettings],
    ...rooms.flatMap((room) => ('settings' in room ? [[room.name, room.settings] as const] : [])),
  ];
  const sections = tables.map(([name, settings]) => `## Settings of ${name}\n\n${rowsOf(settings)}\n`);
  const told = tables.flatMap(([, settings]) => Object.keys(settings)).length;
  if (told !== Object.keys(settingTable).length) throw new Error('Expected each setting on the page once');
  return [head, ...sections].join('\n');
}

const rowsOf = (settings: SettingTable): string =>
  table(
    ['variable', 'default', 'takes', 'what'],
    Object.entries(changeable(settings)).map(([name, row]) => {
      const { kind, fallback } = row;
      const shown = String(fallback ?? '');
      return [
        code(variableOf(name)),
        shown === '' ? 'none' : code(shown),
        kind.expected.replace(/,$/, ''),
        saysOf(row),
      ];
    }),
  );
