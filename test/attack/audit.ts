import Database from 'libsql';
import { requestBytes } from '../bench/load.ts';
import type { Logins } from './honest.ts';
import type { AttackedServer } from './server.ts';
import { exchange } from './target.ts';

/** How complete the audit log is after a flood. */
export interface Audit {
  /** Refusals in `GET /log`: the counts of entries, and of what was counted because it was too much. */
  readonly told: number;
  /** Newcomers who came in, and those of them whom the log names. */
  readonly logins: number;
  readonly recorded: number;
  /** Milliseconds until refusals after the flood were in the database, while no administrator read the log. */
  readonly goesOn: number | undefined;
}

const refusals = new Set([401, 403, 429]);
const mark = '192.0.2.77';
const maxWait = 5_000;
const page = 1_000;
const maxPages = 120;

interface Entry {
  readonly responseCode?: number;
  readonly method?: string;
  readonly address?: string;
  readonly count?: number;
}

/** `known` are credentials of a user who may not read the log. */
export async function lookAtAudit(server: AttackedServer, since: Date, logins: Logins, known: string): Promise<Audit> {
  const goesOn = await recordsAgain(server, known);
  let told = 0;
  for (let at = 0; at < maxPages; at++) {
    const entries = await entriesOf(server, `starttime=${since.toISOString()}&rows=${page}&first=${at * page}`);
    for (const entry of entries) {
      // The entry that counts what was too much has no method of a request.
      const counts = entry.method === '*' || refusals.has(entry.responseCode ?? 0);
      if (counts && entry.address !== mark) told += entry.count ?? 1;
    }
    if (entries.length < page) break;
  }
  let recorded = 0;
  for (const { name, address } of logins.known) {
    const entries = await entriesOf(server, `username=${name}&rows=100`);
    if (entries.some((entry) => entry.address === address)) recorded++;
  }
  return { told, logins: logins.known.length, recorded, goesOn };
}

async function entriesOf(server: AttackedServer, question: string): Promise<readonly Entry[]> {
  const { status, body } = await server.admin('GET', `/API/log?${question}`);
  return status === 200 ? ((JSON.parse(body) as { entry?: Entry[] }).entry ?? []) : [];
}

/**
 * Asks the database itself, because reading the log through the API writes what waits. A flood of strangers leaves no
 * entry of its own to the next stranger, who is counted only. So a user is refused, who has an entry with the address.
 */
async function recordsAgain({ target, database }: AttackedServer, known: string): Promise<number | undefined> {
  const headers = { authorization: known, 'x-forwarded-for': mark, connection: 'close' };
  const { status } = await exchange(target, requestBytes('GET', '/API/log', headers));
  if (status !== 403) return undefined;
  const began = performance.now();
  const reader = new Database(database, { readonly: true });
  try {
    const look = reader.prepare('SELECT count(*) AS found FROM audit WHERE address = ?');
    while (performance.now() - began < maxWait) {
      if ((look.get(mark) as { found: number }).found > 0) return performance.now() - began;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return undefined;
  } finally {
    reader.close();
  }
}
