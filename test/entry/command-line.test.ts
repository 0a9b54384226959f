import { afterAll, beforeAll, expect, it } from 'vitest';
import { settingTable } from '../../src/composition/settings.ts';
import { programVersion } from '../../src/core/lib/version.ts';
import { changeable } from '../../src/core/settings/kinds.ts';
import { flagOf, variableOf } from '../../src/core/settings/read.ts';
import { commands } from '../../src/entry/commands/index.ts';
import { runCli, runUnread, tryCli } from '../support/cli.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../support/store.ts';

let directory: TemporaryDirectory;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory.remove());

const portico = (line: string) => tryCli(line.split(' ').filter(Boolean), { root: directory.path });

it('settings prints the manual of every setting', async () => {
  const { code, out, err } = await portico('settings');
  expect([code, err]).toEqual([0, '']);
  for (const name of Object.keys(changeable(settingTable)))
    expect(out).toContain(`${flagOf(name)}, ${variableOf(name)}\n`);
});

it('no command at all lists the commands', async () => {
  const help = await portico('');
  for (const command of ['serve', 'user add NAME', 'backup FILE', 'restore FILE', 'migrate', 'settings']) {
    expect(help.out).toContain(`portico ${command}`);
  }
});

it.each([
  [
    'help user add',
    /^portico user add NAME .*\n\nCreates a user\..*\n\n {2}--admin +Puts the user into _administrator\./,
  ],
  ['user add bob --generate --help', /^portico user add NAME .*\n/],
  ['token -h', /^portico token new .*\nportico token revoke .*\n$/],
  ['serve --help', /^portico serve \[--port PORT\] .*\n\n.*\n\n {2}--port +Port to listen on\..* Without it: 8080\.\n/],
  ['--help', /^portico serve .*\nportico init .*\nportico check /],
])('"%s" tells about that', async (line, expected) => {
  const { code, out, err } = await portico(line);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(expected);
});

it('help has a sentence for each flag and option', () => {
  for (const { usage, flags = [], options = [], about = {} } of commands.values()) {
    for (const name of [...flags, ...options]) expect(about[name], `${usage}: ${name}`).toMatch(/^[A-Z].*\.$/);
    for (const name of Object.keys(about)) expect(usage).toContain(name);
  }
});

it.each(['--version', '-v'])('%s prints the version', async (line) => {
  expect(await portico(line)).toEqual({ code: 0, out: `${programVersion}\n`, err: '' });
});

it('--help is help: words behind it name the command', async () => {
  expect(await portico('--help user add')).toEqual(await portico('help user add'));
});

it('version prints the version', async () => {
  expect(await runCli(['version'], { root: directory.path })).toEqual({ code: 0, out: `${programVersion}\n`, err: '' });
});

const mistakes: readonly (readonly [string, string])[] = [
  ['serv', 'portico: Expected a command: "serv". The nearest is "serve". See "portico help"\n'],
  ['user', 'portico: Expected one of user list, user add, user password,'],
  ['help usr', 'portico: Expected a command: "usr"'],
  ['serve --prot 1', 'portico: Expected a known flag: "--prot". The nearest is --port. See "portico settings"\n'],
  ['serve --data x', 'portico: Expected a known flag: "--data". The nearest is --database. See "portico settings"\n'],
  ['serve --sampel', 'portico: Expected a known flag: "--sampel". The nearest is --sample. See "portico settings"\n'],
  ['version --zzzzzzzz', 'portico: Expected a known flag: "--zzzzzzzz". See "portico settings"\n'],
  ['serve --port=x', 'portico: Expected a whole number from 0 to 65535 in --port: "x"\n'],
  [
    'serve --database ws://user:secret@host',
    'portico: Cannot open a database by WebSocket ("ws:"), expected "http://…" instead\n',
  ],
  ['user add', 'portico: Expected: portico user add NAME [--admin] [--generate] [--short]\n'],
  ['backup x.db --database memory:', 'portico: Expected a database in a file'],
];

it.each(mistakes)('"%s" is told in one sentence, without a stack', async (line, said) => {
  const { code, out, err } = await portico(line);
  expect([code, out]).toEqual([1, '']);
  expect(err.slice(0, said.length)).toBe(said);
  expect(err.trim().split('\n')).toHaveLength(1);
});

it('a command whose reader has gone away ends without a stack trace', async () => {
  expect(await runUnread(['help'], { root: directory.path })).toEqual({ code: 0, out: '', err: '' });
});
