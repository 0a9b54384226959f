import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import type { Service } from '../../composition/service.ts';
import { existing } from '../../core/lib/checks.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { printable } from '../../core/lib/messages.ts';
import { systemRandom } from '../../core/lib/random.ts';
import { withoutSecrets } from '../../core/lib/secret.ts';
import { findLogin, noSuchUser } from '../../identity/public.ts';
import { fingerprint, hasher } from '../crypto.ts';
import { over } from '../migrate/calls.ts';
import type { MigrationOptions } from '../migrate/carry.ts';
import type { Original } from '../migrate/original.ts';
import { makePlan, planLines, planPage } from '../migrate/plan.ts';
import { type MigrationRequest, migrate, numberAbove, openMigration, reachOriginal } from '../migrate/run.ts';
import { stateFolder } from '../migrate/state-folder.ts';
import { storagesOf } from '../migrate/storages.ts';
import { proposeTable, readTable } from '../migrate/table.ts';
import { printLine } from '../output.ts';
import { gatherSecurity } from '../plugins/read-input.ts';
import { type Command, CommandError, type CommandInput, withService } from './command.ts';
import { readPassword } from './rooms.ts';
import { addressOf, last } from './runner.ts';

/** Variables of the environment that keep secrets out of the list of processes. */
export const migrationVariables = ['PORTICO_FROM_PASSWORD', 'PORTICO_FROM_TOKEN', 'PORTICO_TO_TOKEN'];
const [passwordVariable = '', tokenVariable = '', targetVariable = ''] = migrationVariables;
const parts = ['thumbnails', 'history', 'relations', 'notifications'];
const [defaultRate, defaultLanes] = [10, 4];
/** Serials that one process takes at a time. */
const idBlock = 64;

export const migrateFromCommand: Command = {
  usage:
    'migrate-from URL [plan] [--user NAME] [--storages FILE] [--state FOLDER] [--rate N] [--lanes N] [--without PART] [--to URL] [--delete] [--final] [--links]',
  says: 'Brings over a house that runs the original, by its public API: all of it, and in later runs what has changed. "plan" counts, and changes nothing.',
  words: ['URL'],
  optional: ['plan'],
  flags: ['--delete', '--final', '--links'],
  options: ['--user', '--storages', '--state', '--rate', '--lanes', '--without', '--to'],
  about: {
    URL: 'The address of the API of the original, such as http://old.example.com:8080/API.',
    plan: 'Says what comes, what differs, what does not come, and how long it takes. Writes a table of storages.',
    '--user': `An administrator of the original. Default: admin. The password is in ${passwordVariable}, or is asked for. ${tokenVariable} has a token in its place.`,
    '--storages': 'The table of storages: where the files of each one lie here, and whether they are copied.',
    '--state':
      'The folder of journal, table and report. Default: a folder of the instance root, by the name of the original.',
    '--rate': `Requests a second to the original. Default: ${defaultRate}.`,
    '--lanes': `Items at a time. Default: ${defaultLanes}.`,
    '--without': `Leaves a part out: ${parts.join(', ')}. Repeatable.`,
    '--to': `The API of a Portico on another machine. ${targetVariable} has the token of an administrator. Default: the instance of this machine.`,
    '--delete': 'Deletes items and collections here that the original has no more. Their files stay.',
    '--final': 'The original rests: storages are written to from now on, as they were there.',
    '--links':
      'Writes links.txt: a login link for each user without a password, who chooses one. Each works once, within a week. They begin with PORTICO_PUBLIC_URL, or with the address of --to.',
  },
  async run(line) {
    const { words } = line;
    if (words[1] !== undefined && words[1] !== 'plan')
      throw new CommandError(`Expected "plan" or nothing after the address: "${words[1].slice(0, 80)}"`);
    const address = originalOf(words[0]!);
    const stop = new AbortController();
    // Each request of each lane listens.
    setMaxListeners(0, stop.signal);
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => stop.abort(new CommandError('Stopped: the same command goes on')));
    const rate = numberIn(line, '--rate', defaultRate);
    const settings = line.settings();
    const root = resolve(settings.root);
    const path = last(line, '--state') ?? join(root, `migrate-from-${new URL(address).hostname}`);
    const authorization = await credentialsOf(line);
    const from = { address, ask: over(address, authorization) };
    const shared = {
      clock: systemClock,
      random: systemRandom,
      signal: stop.signal,
      rate,
      tell: (text: string) => printLine(printable(text)),
    };
    const original = await reachOriginal({ ...shared, from });
    const folder = await stateFolder(path);
    try {
      const request: Omit<MigrationRequest, 'to'> = {
        ...shared,
        from,
        folder,
        digest: (text) => fingerprint(text).slice(0, 16),
        newHasher: () => hasher('SHA-1'),
        options: await optionsOf(line),
      };
      const work = async (to: MigrationRequest['to']) => {
        if (words[1] === 'plan') await plan({ ...request, to }, original, path);
        else await carryOver({ ...request, to }, original, path);
      };
      if (last(line, '--to') === undefined) await here(line, original, work);
      else await work(await elsewhere(line));
    } finally {
      await folder.close();
    }
  },
};

async function plan(request: MigrationRequest, original: Original, path: string): Promise<void> {
  const migration = await openMigration(request, original);
  const document = await makePlan(migration, request.to.address, request.rate);
  const storages = [];
  for await (const storage of storagesOf(migration)) storages.push(storage);
  await request.folder.write('plan.json', `${JSON.stringify(document, null, 2)}\n`);
  await request.folder.write('plan.html', planPage(document));
  await request.folder.write('storages.txt', proposeTable(storages));
  printLine(`${planLines(document)}\n\nWrote plan.json, plan.html and storages.txt to ${path}`);
}

async function carryOver(request: MigrationRequest, original: Original, path: string): Promise<void> {
  const { kind, failed } = await migrate(request, original);
  const rows = kind.map((each) => {
    const counts = (['made', 'changed', 'same', 'deleted', 'failed'] as const).filter((name) => each[name] > 0);
    return `  ${each.kind}: ${counts.map((name) => `${each[name]} ${name}`).join(', ')}`;
  });
  printLine([...rows, `Wrote report.json and report.html to ${path}`].join('\n'));
  if (failed > 0)
    throw new CommandError(`Expected all to come: ${failed} failed. The report has them, and the next run tries again`);
}

function originalOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isGood = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '';
  if (!isGood)
    throw new CommandError(
      `Expected an address such as http://old.example.com:8080/API: "${withoutSecrets(text).slice(0, 80)}"`,
    );
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/API' : path}`;
}

async function credentialsOf(line: CommandInput): Promise<string> {
  const token = process.env[tokenVariable];
  if (token) return `token ${token}`;
  const password = process.env[passwordVariable] ?? (await readPassword());
  return `Basic ${Buffer.from(`${last(line, '--user') ?? 'admin'}:${password}`).toString('base64')}`;
}

async function elsewhere(line: CommandInput): Promise<MigrationRequest['to']> {
  const token = process.env[targetVariable] ?? '';
  if (token === '') throw new CommandError(`Expected the token of an administrator in ${targetVariable}`);
  const address = addressOf(line, '--to');
  return { address, ask: over(address, `token ${token}`) };
}

/** The instance of this machine, beside a running server, in the name of `admin`. */
async function here(
  line: CommandInput,
  original: Original,
  work: (to: MigrationRequest['to']) => Promise<void>,
): Promise<void> {
  const settings = line.settings();
  // Old numbers stay free for the old ids.
  const firstId = Math.max(settings.firstId, await numberAbove(original));
  const { input } = await gatherSecurity(settings);
  await withService({ ...settings, firstId }, (service) => inService(service, input, work), undefined, idBlock);
}

async function inService(
  service: Service,
  security: Awaited<ReturnType<typeof gatherSecurity>>['input'],
  work: (to: MigrationRequest['to']) => Promise<void>,
): Promise<void> {
  const { store, configure } = service;
  // A command must not migrate under a server of another version.
  await store.checkSchema();
  if (security) await configure(security);
  const { id, revocations } = existing(await findLogin(store, { name: 'admin' }), noSuchUser, 'admin');
  const as = { account: { id, revocations } };
  await work({
    address: 'the instance of this machine',
    // A signal costs more than some requests, and all of them end soon.
    ask: async (path, init) =>
      service.fetch(new Request(`http://localhost/API${path}`, { ...init, signal: null }), {
        rawTarget: `/API${path}`,
        as,
        level: 'debug',
      }),
  });
}

async function optionsOf(line: CommandInput): Promise<MigrationOptions> {
  const without = new Set(line.option('--without'));
  for (const part of without)
    if (!parts.includes(part))
      throw new CommandError(`Expected one of ${parts.join(', ')} in --without: "${part.slice(0, 80)}"`);
  const table = last(line, '--storages');
  return {
    lanes: numberIn(line, '--lanes', defaultLanes),
    without,
    isFinal: line.has('--final'),
    deletes: line.has('--delete'),
    page: line.has('--links') ? pageOf(line) : undefined,
    storages: table === undefined ? new Map() : readTable(await readFile(table, 'utf8')),
  };
}

function pageOf(line: CommandInput): string {
  const to =
    last(line, '--to') === undefined ? line.settings().publicUrl : addressOf(line, '--to').replace(/\/API$/, '');
  if (to === '')
    throw new CommandError('Expected the address of the web page in PORTICO_PUBLIC_URL: login links begin with it');
  return `${to.replace(/\/+$/, '')}/ui/`;
}

function numberIn(line: CommandInput, option: string, defaultValue: number): number {
  const text = last(line, option);
  if (text === undefined) return defaultValue;
  const number = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new CommandError(`Expected a number above 0 in ${option}: "${text.slice(0, 80)}"`);
}
