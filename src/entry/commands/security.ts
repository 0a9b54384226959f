import { existsSync } from 'node:fs';
import process from 'node:process';
import { clockDefect, keyDefect, stateOfKey } from '../../administration/operations/public.ts';
import { checkConfiguration, namesPath } from '../../composition/service.ts';
import type { Settings } from '../../composition/settings.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { isThisMachine, readMailServer } from '../../core/lib/mail-address.ts';
import { endingSettings } from '../../core/settings/read.ts';
import { findTranscoders } from '../../production/transcoding/public.ts';
import { explanationText } from '../../security/explanation-text.ts';
import { defaultIni } from '../../security/ini/default-ini.ts';
import { formatFindings } from '../../security/ini/findings.ts';
import type { SecurityInput } from '../../security/ini/security-parts.ts';
import { databaseUrl, passwordNotices, pluginsFor, sendfileNotices, transcodersFor } from '../host.ts';
import { databaseFile, openDatabase } from '../native/open-database.ts';
import { printLine } from '../output.ts';
import { hasPage, noPage } from '../page.ts';
import { checkingHost } from '../plugins/checking-host.ts';
import { readSecurityInput } from '../plugins/read-input.ts';
import { presentSecretKey } from '../secret-key.ts';
import type { Command } from './command.ts';
import { CommandError, withService } from './command.ts';

const atTop = { severity: 'warning', line: 1, column: 1 } as const;

export const checkCommand: Command = {
  usage: 'check [FILE] [--json]',
  says: 'Prints all errors in security.ini and its plugins. Names the transcoders, the mail server and the plugins with its rights, and asks the search engine. Exits with 1 if there is an error.',
  optional: ['FILE'],
  flags: ['--json'],
  about: {
    FILE: 'Another file than the one that a start would take.',
    '--json': 'Prints the findings as a JSON list, for programs.',
  },
  async run({ words, has, settings }) {
    const [file] = words;
    const input = await readSecurityInput(settings(), file === undefined ? {} : { file });
    const {
      findings: ofFile,
      patterns,
      pageStatus,
      engines,
    } = await checkConfiguration(input, checkingHost, pluginsFor(settings()), { asksEngines: true, hints: true });
    const { file: at } = input;
    const notice = (code: string) => (message: string) => ({ ...atTop, file: at, code, message });
    const ofSettings = [
      ...passwordNotices(settings()).map(notice('short-passwords')),
      ...endingSettings(settings()).map(notice('deprecated')),
      ...(await sendfileNotices(settings())).map(notice('sendfile')),
    ];
    const ofDatabase = (await databaseDefects(settings())).map(({ code, defect }) => notice(code)(defect));
    const findings = [...ofFile, ...ofSettings, ...ofDatabase];
    const text = formatFindings(findings, has('--json') ? 'json' : 'text');
    printLine(text === '' ? `${input.file}: nothing is wrong` : text.trimEnd());
    if (!has('--json')) {
      // A file with errors opens nothing.
      if (patterns) printLine(pageLine(settings(), patterns, pageStatus));
      printLine(await transcodersLine(settings()));
      for (const line of pluginsLine(input)) printLine(line);
      for (const engine of engines) printLine(`search engine ${engine}`);
      for (const line of mailLine(settings())) printLine(line);
    }
    if (findings.some(({ severity }) => severity === 'error')) process.exitCode = 1;
  },
};

/** Defects of key and clock, as the database tells them. A database that is not there yet, or does not answer, says nothing. */
async function databaseDefects(settings: Settings): Promise<readonly { code: string; defect: string }[]> {
  const url = databaseUrl(settings);
  if (url === 'memory:' || (url.startsWith('file:') && !existsSync(databaseFile(url)))) return [];
  const { databaseToken: token, databaseTimeout: deadline } = settings;
  const database = await openDatabase(url, { ...(token && { token }), deadline });
  try {
    const [key, clock] = await Promise.all([
      stateOfKey(database, await presentSecretKey(settings)).then(keyDefect),
      clockDefect(database, systemClock),
    ]);
    return [
      ...(key === undefined ? [] : [{ code: 'other-key', defect: key }]),
      ...(clock === undefined ? [] : [{ code: 'clock-behind', defect: clock }]),
    ];
  } catch {
    return [];
  } finally {
    await database.close();
  }
}

/** No finding of the file: the web page is a part that an operator may leave out. */
function pageLine({ ui }: Settings, patterns: readonly string[], status: number | undefined): string {
  if (!ui) return 'web page: none, PORTICO_UI is false';
  if (!hasPage()) return `web page: none. ${noPage}`;
  const isNamed = namesPath(patterns, '/ui');
  const isOpen = status === undefined || status < 400;
  if (isNamed && isOpen) return 'web page: /ui/';
  const change = isNamed
    ? 'its line in [urls] refuses callers without a login: write "/ui/** = anon"'
    : 'add the line "/ui/** = anon" to [urls], above lines such as "/** = ..."';
  return `web page: none, /ui/ answers ${isOpen ? 404 : status}: ${change}`;
}

/** No finding of the file: jobs wait for a transcoder, and everything else works. */
async function transcodersLine(settings: Settings): Promise<string> {
  const { working, install } = await findTranscoders(transcodersFor(settings));
  if (working.length > 0) return `transcoders: ${working.join(', ')}`;
  return `transcoders: none, so shape tags and thumbnails wait: ${install.join('; or ')}`;
}

/** Server and sender of mail, and whether mail may leave in clear. The password stays hidden. */
function mailLine({ smtpUrl, smtpTls, mailFrom }: Settings): readonly string[] {
  const server = smtpUrl && readMailServer(smtpUrl.reveal());
  if (!server) return [];
  const line = `mail: by ${server.host}:${server.port}, from ${mailFrom}`;
  if (server.secure || isThisMachine(server.host)) return [line];
  const terms = {
    require: 'under TLS alone: mail waits if the server offers no STARTTLS (PORTICO_SMTP_TLS)',
    optional: 'in clear if the server, or somebody on the way, offers no STARTTLS (PORTICO_SMTP_TLS)',
  };
  return [`${line}, ${terms[smtpTls]}`];
}

/** No finding: permissions of Deno do not hold a plugin either, because the process may start programs. */
function pluginsLine({ plugins, direct }: SecurityInput): readonly string[] {
  const names = new Set([...plugins, ...(direct?.loaded ?? []).map(({ plugin }) => plugin)].map(({ name }) => name));
  return names.size === 0
    ? []
    : [`plugins with all rights of this process, on Node and Deno: ${[...names].join(', ')}`];
}

export const explainCommand: Command = {
  usage: 'explain [METHOD TARGET] [--user NAME]',
  says: 'Prints the filter chain for a request, and what a user lacks for it. With --user: as if that user were logged in, with its groups and where they come from.',
  optional: ['METHOD', 'TARGET'],
  options: ['--user'],
  about: {
    METHOD: 'A method of HTTP, such as GET.',
    TARGET: 'The path with its query, in quotes: "/API/user;first=2".',
    '--user':
      'Explains the request as if this user had logged in, or without a request the user alone. Needs no password.',
  },
  async run({ words, option, settings }) {
    const [method = 'GET', target] = words;
    const user = option('--user').at(-1);
    if (target === undefined && (words.length > 0 || user === undefined))
      throw new CommandError('Expected a METHOD and a TARGET, or a user by --user alone');
    const security = await readSecurityInput(settings());
    await withService(
      settings(),
      async (service) => {
        await service.store.checkSchema();
        printLine(explanationText(await service.explain({ method: method.toUpperCase(), target, user })).trimEnd());
      },
      security,
    );
  },
};

export const defaultIniCommand: Command = {
  usage: 'security',
  says: 'Prints the built-in security.ini, which is also its manual.',
  run: () => printLine(defaultIni.trimEnd()),
};
