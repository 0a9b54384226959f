import type { Database } from '../../src/store/contract.ts';

/** What runs on which host, as Markdown. The test beside this file holds the rows against what is declared. */

export interface Row {
  readonly what: string;
  /** Node and Deno. */
  readonly server: string;
  readonly edge: string;
  /** Tests that show it. */
  readonly shownBy: readonly string[];
}

/** Where a database of each kind can be used. */
export const databases: Readonly<
  Record<Database['kind'], Row & { readonly onEdge: boolean; readonly example: string }>
> = {
  file: {
    what: 'database in a file, with reader threads for lists and searches',
    server: 'yes',
    edge: 'no: an edge has no files. Use a remote database',
    onEdge: false,
    example: 'file:portico.db',
    shownBy: ['test/store/file.test.ts', 'test/store/reader-pool.test.ts'],
  },
  memory: {
    what: 'database in memory, for tests',
    server: 'yes; lists and searches run on the serving thread, with smaller bounds',
    edge: 'no: it needs the native binding',
    onEdge: false,
    example: 'memory:',
    shownBy: ['test/store/memory.test.ts'],
  },
  remote: {
    what: 'remote database (libSQL server)',
    server: 'yes; several instances share it',
    edge: 'yes; the only one. `portico migrate` prepares it, because an edge never migrates',
    onEdge: true,
    example: 'https://db.example.com',
    shownBy: ['test/store/remote.test.ts', 'test/runtime/workerd.test.ts'],
  },
};

/** What has no declaration to compare with, and is shown by a test of its own. */
const others: readonly Row[] = [
  {
    what: 'deliveries, replays, retention, sweeps',
    server: 'in a loop that commits wake',
    edge: 'after answers (`waitUntil`), and by schedule for what has to be tried again',
    shownBy: ['test/entry/deliver.test.ts', 'test/runtime/workerd.test.ts'],
  },
  {
    what: 'calls to other machines (receivers, bearer keys, endpoints)',
    server: 'yes; a name is resolved once, and the connection goes to the address that was checked',
    edge: "yes; addresses in the request are checked, private networks behind names are the platform's to keep out",
    shownBy: ['test/outbound/host-wire.test.ts', 'test/outbound/fetch-wire.test.ts'],
  },
  {
    what: 'security.ini and plugins',
    server: 'files of the instance root; SIGHUP or `--watch` reads them anew',
    edge: 'in the module that `portico bundle` writes; a change is a new module',
    shownBy: ['test/entry/reload.test.ts', 'test/entry/bundle.test.ts'],
  },
  {
    what: 'LDAP realm',
    server: 'yes',
    edge: 'no: it needs sockets. Use the HTTP realm',
    shownBy: ['test/realms/ldap/ldap.test.ts', 'test/package.test.ts'],
  },
  {
    what: 'metrics, rate limits and remembered passwords',
    server: 'of the process',
    edge: 'of one isolate: put a rate limit of the platform in front',
    shownBy: ['test/operations/metrics.test.ts', 'test/runtime/workerd.test.ts'],
  },
  {
    what: 'gzip of long answers to GET',
    server: 'yes, from `PORTICO_GZIP_FROM` on',
    edge: 'no: the platform compresses what its callers accept',
    shownBy: ['test/http/compress.test.ts'],
  },
  {
    what: 'commands, backup and restore',
    server: 'yes; backup and restore need a database in a file',
    edge: 'no: run the commands elsewhere, on the same remote database',
    shownBy: ['test/store/backup.test.ts', 'test/entry/command-line.test.ts'],
  },
];

const routes: Row = {
  what: 'all routes of the API',
  server: 'yes',
  edge: 'yes',
  shownBy: ['test/docs/where.test.ts'],
};

export const rows: readonly Row[] = [routes, ...Object.values(databases), ...others];

const head = `# What runs where

\`npm run docs\` writes this page. A server is Node or Deno; an edge is a runtime of the Workers type.

| what | server | edge | shown by |
|---|---|---|---|
`;

export const wherePage = (): string =>
  head +
  rows
    .map(({ what, server, edge, shownBy }) => {
      const tests = shownBy.map((path) => `\`${path}\``).join(', ');
      return `| ${what} | ${server} | ${edge} | ${tests} |\n`;
    })
    .join('');
