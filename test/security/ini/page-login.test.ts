import { describe, expect, it } from 'vitest';
import { checkSecurity } from '../../../src/composition/shipped.ts';
import { checkingHost } from '../../../src/entry/plugins/checking-host.ts';
import { defaultIni } from '../../../src/security/ini/default-ini.ts';
import type { Filter, Plugin } from '../../../src/spi/index.ts';

/** A filter of a plugin that looks for its own header: it logs people in, or only lets requests pass. */
const gateway = (name: string, authenticates: boolean): Plugin => ({
  ...{ name, version: '1.0.0', contract: 1 },
  filters: {
    [`${name}.Filter`]: {
      says: 'A gateway of a test.',
      create: (): Filter => ({
        authenticates,
        check: () => ({ verdict: 'refuse', reason: 'gateway-bypassed', response: { status: 401, headers: {} } }),
      }),
    },
  },
});

async function findings(urls: readonly string[], caught = defaultIni): Promise<readonly string[]> {
  const [main = ''] = caught.split('\n[urls]\n');
  const text = [main, 'gate = gate.Filter', 'hours = hours.Filter', '[urls]', ...urls].join('\n');
  const plugins = [gateway('gate', true), gateway('hours', false)];
  const found = await checkSecurity({ text, file: 'security.ini', plugins }, checkingHost);
  return found.map(({ code, message }) => `${code}: ${message}`);
}

const page = '/ui/** = anon';
const whole =
  '/** = noSessionCreation, sessionAuth[permissive], tokenAuth[permissive], oauth2Auth[permissive], authcBasic';
const cookie = (pattern: string, by: string) =>
  `session-refused: Expected sessionAuth[permissive] in the chain of "${pattern}", because the web page logs in by a cookie: ${by}`;
const token = (pattern: string, by: string) =>
  `token-refused: Expected tokenAuth[permissive] in the chain of "${pattern}", because programs of its users come with tokens: ${by}`;

describe('check tries the login of the page against the chains', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['the built-in file', [page, whole], []],
    [
      'a line without the filter of the page',
      [page, '/** = tokenAuth[permissive], oauth2Auth[permissive], authcBasic'],
      [cookie('/**', 'authcBasic refuses it')],
    ],
    [
      'one chain of several',
      [page, '/storage/** = tokenAuth[permissive], authcBasic', whole],
      [cookie('/storage/**', 'authcBasic refuses it')],
    ],
    [
      'a filter of a plugin that insists on its own login',
      [page, whole.replace('sessionAuth', 'gate, sessionAuth')],
      [cookie('/**', 'gate refuses it'), token('/**', 'gate refuses it')],
    ],
    [
      'chains that let everybody pass who brings nothing',
      [page, '/** = tokenAuth[permissive], authcBasic[permissive]'],
      [cookie('/**', 'it takes none')],
    ],
    ['a filter of a plugin that logs nobody in', [page, whole.replace('sessionAuth', 'hours, sessionAuth')], []],
    ['a chain for everybody, and one for nobody', [page, '/version = anon', '/item/** = deny', whole], []],
    ['a chain that the page does not ask', [page, '/scim/** = scimAuth, authcBasic', whole], []],
    ['a file without the page', ['/** = tokenAuth[permissive], authcBasic'], []],
  ])('%s', async (_what, urls, expected) => {
    expect(await findings(urls)).toEqual(expected);
  });
});
