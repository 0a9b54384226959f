import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { checkSecurity } from '../../src/composition/service.ts';
import { readSettings } from '../../src/composition/settings.ts';
import { checkingHost } from '../../src/entry/plugins/checking-host.ts';
import { readSecurityInput } from '../../src/entry/plugins/read-input.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** An instance root with these files in it. It goes with the test. */
export async function instance(files: Files) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'portico-plugins-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await put(root, files);
  return root;
}

export async function put(root: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

export const settingsFor = (root: string, pluginFolders: readonly string[] = []) => ({
  ...readSettings({ PORTICO_ROOT: root }),
  pluginFolders,
});

export const readInput = (root: string, within?: number) =>
  readSecurityInput(settingsFor(root), within === undefined ? {} : { within });

/** `file:line:column code message`, with files as they are below the root. */
export async function findingsOf(root: string, within?: number): Promise<string[]> {
  const { findings = [] } = await readInput(root, within);
  return findings.map(
    ({ file, line, column, code, message }) =>
      `${file.replace(`${root}/`, '')}:${line}:${column} ${code} ${message.replaceAll(`${root}/`, '')}`,
  );
}

/** As `portico check` sees it: errors by line and code. */
export async function errorsOf(root: string): Promise<string[]> {
  const findings = await checkSecurity(await readInput(root), checkingHost);
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ line, code, message }) => `${line} ${code} ${message.replaceAll(`${root}/`, '')}`);
}

const typed = (ts: boolean, text: string): string => (ts ? text : '');

/** A plugin that brings a realm of that class, for whose users `word` is the right password. */
export const realmPlugin = (name: string, className: string, { ts = false, word = '"sesame"', imports = '' } = {}) =>
  `${imports}
${typed(ts, "import type { Plugin, Realm } from 'portico/spi';\ninterface Known { readonly word: string }\n")}
const known${typed(ts, ': Known')} = { word: ${word} };
export default {
  name: '${name}',
  version: '1.0.0',
  contract: 1,
  realms: {
    '${className}': {
      says: 'Knows one word.',
      properties: { greeting: { type: 'string', says: 'Not used' } },
      create: ()${typed(ts, ': Realm')} => ({
        supports: (credentials) => credentials.kind === 'password',
        authenticate: ({ user, password }${typed(ts, ': any')}) =>
          password.reveal() === known.word
            ? { answer: 'account', account: { name: user } }
            : { answer: 'refused', reason: 'wrong-password' },
      }),
    },
  },
}${typed(ts, ' satisfies Plugin')};
`;

/** A security.ini whose realm `mine` is of that class. Its definition is line 4. */
export const iniWith = (className: string, more = '') => `[main]
serviceRealm = com.service.security.auth.DefaultServiceRealm
tokenAuth = com.service.security.auth.TokenAuthenticationFilter
mine = ${className}
${more}
securityManager.realms = $serviceRealm, $mine
[urls]
/** = tokenAuth[permissive], authcBasic
`;
