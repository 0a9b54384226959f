import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { defaultIni } from '../../../src/security/ini/default-ini.ts';
import { tryCli } from '../../support/cli.ts';
import { temporaryDirectory } from '../../support/store.ts';

const line = '/ui/** = anon\n';

it.each<[string, string, Record<string, string>, RegExp]>([
  ['a file with the line', defaultIni, {}, /^web page: \/ui\/$/],
  [
    'a file without it',
    defaultIni.replace(line, ''),
    {},
    /^web page: none, \/ui\/ answers 401: add the line "\/ui\/\*\* = anon"/,
  ],
  [
    'a file without it that opens all else',
    defaultIni.replace(line, '').replace(/^\/\*\* = .*$/m, '/** = anon'),
    {},
    /^web page: none, \/ui\/ answers 404: add the line/,
  ],
  [
    'a line that asks for a login',
    defaultIni.replace(line, '/ui/** = authcBasic\n'),
    {},
    /^web page: none, \/ui\/ answers 401: its line in \[urls\] refuses callers without a login/,
  ],
  ['a page that is switched off', defaultIni, { PORTICO_UI: 'false' }, /^web page: none, PORTICO_UI is false$/],
  ['a file with errors, of which it tells nothing', defaultIni.replace(line, 'x = nothing-known\n'), {}, /error: /],
])('"portico check" tells of the web page: %s', async (_name, ini, environment, wanted) => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  await writeFile(join(directory.path, 'security.ini'), ini);
  const { out } = await tryCli(['check'], { root: directory.path, environment });
  const told = out.trim().split('\n').slice(-2);
  expect(told).toEqual([expect.stringMatching(wanted), expect.stringMatching(/^transcoders: /)]);
});
