import type { Database } from '../../src/core/store/contract.ts';
import type { WorkHost, WorkKind } from '../../src/core/work/work-kind.ts';

/** Table of what runs on which host, as Markdown. The test beside this file compares it with the declarations. */

interface DatabaseRow {
  readonly what: string;
  readonly hosts: readonly WorkHost[];
  readonly server: string;
  readonly edge: string;
  /** The setting that names one. */
  readonly example: string;
  readonly shownBy: readonly string[];
}

export const databases: Readonly<Record<Database['kind'], DatabaseRow>> = {
  file: {
    what: 'in a file',
    hosts: ['loop'],
    server: 'lists run on reader threads, searches beside other requests as a whole',
    edge: 'no: an edge has no files',
    example: 'file:portico.db',
    shownBy: [
      'test/core/store/local.test.ts',
      'test/core/store/reader-pool.test.ts',
      'test/assets/search/beside.test.ts',
    ],
  },
  memory: {
    what: 'in memory, for tests',
    hosts: ['loop'],
    server: 'lists and searches run on the serving thread, with smaller bounds',
    edge: 'no: it needs the native binding',
    example: 'memory:',
    shownBy: ['test/core/store/local.test.ts'],
  },
  remote: {
    what: 'remote (libSQL server)',
    hosts: ['loop', 'edge'],
    server: 'several instances share it',
    edge: 'the same; `portico migrate` prepares it, because an edge never migrates',
    example: 'https://db.example.com',
    shownBy: ['test/core/store/remote.test.ts', 'test/runtime/workerd.test.ts'],
  },
};

/** Parts without declared hosts. The named tests show where they run. */
const others: readonly (readonly [what: string, server: string, edge: string, ...shownBy: string[]])[] = [
  [
    'calls to receivers, endpoints and keys',
    'go to the address that was checked',
    'the addresses in requests are checked; the platform keeps names out of private networks',
    'test/core/outbound/host-wire.test.ts',
    'test/core/outbound/fetch-wire.test.ts',
  ],
  [
    'security.ini and plugins',
    'files of the instance root; SIGHUP or `--watch` reads them again',
    'in the module that `portico bundle` writes; a change is a new module',
    'test/entry/reload.test.ts',
    'test/entry/bundle.test.ts',
  ],
  [
    'mail to users and of notifications',
    'by SMTP',
    'no: it needs sockets, and is refused with a sentence. An action `http` calls a provider',
    'test/administration/notifications/mail/smtp.test.ts',
    'test/administration/notifications/mail/people.test.ts',
  ],
  [
    'LDAP realm',
    'yes',
    'no: it needs sockets. Use the HTTP realm',
    'test/realms/ldap/ldap.test.ts',
    'test/package.test.ts',
  ],
  [
    'metrics, rate limits, remembered passwords',
    'of the process',
    'of one isolate: put a rate limit of the platform in front',
    'test/administration/operations/metrics.test.ts',
    'test/runtime/workerd.test.ts',
  ],
  [
    'gzip of long answers to GET',
    'yes, from `PORTICO_GZIP_FROM` on',
    'no: the platform compresses what its callers accept',
    'test/http/compress.test.ts',
  ],
  [
    'commands',
    'yes; backup and restore need a database in a file',
    'no: run them elsewhere, on the same remote database',
    'test/core/store/backup.test.ts',
    'test/entry/command-line.test.ts',
  ],
];

/** Every test that the page names. */
export const named: readonly string[] = [
  ...Object.values(databases).flatMap(({ shownBy }) => shownBy),
  ...others.flatMap(([, , , ...shownBy]) => shownBy),
];

const quoted = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

const table = (...rows: readonly (readonly string[])[]): string =>
  rows.map((row, index) => `| ${row.join(' | ')} |\n${index === 0 ? `|${'---|'.repeat(row.length)}\n` : ''}`).join('');

const workRow = ({ name, says, hosts, afterReads }: WorkKind): readonly string[] => [
  `\`${name}\``,
  says,
  hosts.includes('loop') ? 'yes' : 'no',
  hosts.includes('edge') ? (afterReads ? 'after any answer' : 'after changes') : 'no',
];

/** A driver that declares its hosts gets a section of its own, made from its declarations like that of the work. */
export const wherePage = (kinds: readonly WorkKind[]): string => `# What runs where

\`npm run docs\` writes this page, and \`test/docs/where.test.ts\` holds it against what is declared.
A server is Node or Deno; an edge is a runtime of the Workers type. Both answer all routes of the API.

## Databases

${table(
  ['database', 'server', 'edge', 'shown by'],
  ...Object.values(databases).map(({ what, server, edge, shownBy }) => [what, server, edge, quoted(shownBy)]),
)}
## Work beside requests

A server works in a loop that commits wake. An edge works on its schedule and behind answers (\`waitUntil\`). For most kinds these are the answers to requests that may change something. For others it is any answer, at most once a minute. What an edge does not do, a server on the same database does.

${table(['kind', 'what it does', 'server', 'edge'], ...kinds.map(workRow))}
## Everything else

${table(
  ['what', 'server', 'edge', 'shown by'],
  ...others.map(([what, server, edge, ...shownBy]) => [what, server, edge, quoted(shownBy)]),
)}`;
