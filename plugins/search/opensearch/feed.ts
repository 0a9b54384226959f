import type { EngineBatch } from '../../../src/spi/index.ts';
import { type Client, patient } from './client.ts';
import { mappingsOf, positionId, sourceOf } from './fields.ts';
import type { Indexes, IndexPair } from './indexes.ts';
import { type ErrorBody, passes, refusal, typeOf } from './refusals.ts';

/** Change of a document in an index: lines of a bulk request. */
interface Change {
  readonly lines: string;
  /** Id of the document, for messages. */
  readonly id: string;
}

interface Outcome {
  readonly status: number;
  readonly error?: ErrorBody | string;
}

/** Rounds in which changes that a busy engine refused are sent again. */
const rounds = 8;
/** Requests at a time. */
const lanes = 2;
/** Indexes whose mapped fields are remembered. */
const maxIndexes = 4;

/** Applies batches to the index for searches and to the second one. */
export function createFeed(client: Client, indexes: Indexes, alias: string, batchBytes: number) {
  const mapped = new Map<string, Set<string>>();
  const aliasOf = { current: alias, next: `${alias}-next` } as const;

  /** Adds the fields that an index lacks. */
  async function map(index: string, batch: EngineBatch): Promise<void> {
    const names = mapped.get(index) ?? new Set<string>();
    const lacking = [...mappingsOf(batch.upserts)].filter(([name]) => !names.has(name));
    if (lacking.length === 0) return;
    await client.ask({
      ...{ method: 'PUT', path: `/${index}/_mapping`, attempts: patient },
      body: { properties: Object.fromEntries(lacking) },
    });
    for (const [name] of lacking) names.add(name);
    if (mapped.size >= maxIndexes) mapped.clear();
    mapped.set(index, names);
  }

  async function write(targets: readonly string[], { upserts, deletes }: EngineBatch): Promise<void> {
    const sending = new Set<Promise<void>>();
    let [chunk, bytes]: [Change[], number] = [[], 0];
    const send = async () => {
      if (chunk.length === 0) return;
      if (sending.size >= lanes) await Promise.race(sending);
      const sent: Promise<void> = bulk(chunk).finally(() => sending.delete(sent));
      sending.add(sent);
      [chunk, bytes] = [[], 0];
    };
    const add = async (change: Change) => {
      const size = change.lines.length;
      if (bytes + size > batchBytes) await send();
      chunk.push(change);
      bytes += size;
    };
    try {
      for (const document of upserts) {
        const source = sourceOf(document);
        for (const target of targets) {
          const head = headOf('index', target, document.id, document.position);
          await add({ lines: `${head}\n${source}\n`, id: String(document.id) });
        }
      }
      for (const { id, position } of deletes) {
        for (const target of targets)
          await add({ lines: `${headOf('delete', target, id, position)}\n`, id: String(id) });
      }
      await send();
    } finally {
      const results = await Promise.allSettled(sending);
      const failure = results.find(({ status }) => status === 'rejected');
      if (failure) await Promise.reject((failure as PromiseRejectedResult).reason);
    }
  }

  /** Sends changes until the engine has them all. Older versions than it has are refused, and that is well. */
  async function bulk(changes: readonly Change[], options = ''): Promise<void> {
    let left = changes;
    for (let round = 0; ; round++) {
      const outcomes = await sendOnce(left, options);
      const busy = left.filter((_, index) => isBusy(outcomes[index]!));
      for (const [index, outcome] of outcomes.entries()) check(outcome, left[index]!.id);
      if (busy.length === 0) return;
      if (round + 1 === rounds) throw refusal(429, undefined, ` for ${busy.length} documents`);
      await client.rest(round);
      left = busy;
    }
  }

  async function sendOnce(changes: readonly Change[], options: string): Promise<readonly Outcome[]> {
    const path = `/_bulk?filter_path=errors,items.*.status,items.*.error${options}`;
    const { body } = await client.ask({
      ...{ method: 'POST', path, attempts: patient },
      body: changes.map(({ lines }) => lines).join(''),
    });
    const outcomes: readonly Outcome[] = (body.items ?? []).map((item: object) => Object.values(item)[0]);
    if (outcomes.length !== changes.length)
      throw refusal(200, undefined, ` with ${changes.length} outcomes, not ${outcomes.length}`);
    return outcomes;
  }

  async function applyTo({ current, next }: IndexPair, batch: EngineBatch): Promise<void> {
    const pairs = [
      ...(current === undefined ? [] : [[current, aliasOf.current] as const]),
      ...(next === undefined ? [] : [[next, aliasOf.next] as const]),
    ];
    for (const [index] of pairs) await map(index, batch);
    const targets = pairs.map(([, name]) => name);
    await write(targets, batch);
    // First the documents, then the position: a position that is seen has its documents on every shard.
    if (current !== undefined) await refresh(aliasOf.current);
    const source = JSON.stringify({ kind: positionId });
    for (const target of targets) {
      const lines = `${headOf('index', target, positionId, batch.position)}\n${source}\n`;
      // Searches meet the second index only after its end, which makes everything visible.
      await bulk([{ lines, id: positionId }], target === aliasOf.current ? '&refresh=true' : '');
    }
  }

  const refresh = (name: string) => client.ask({ method: 'POST', path: `/${name}/_refresh`, attempts: patient });

  return {
    async apply(batch: EngineBatch): Promise<void> {
      for (;;) {
        const before = await indexes.list(patient);
        if (before.current === undefined && before.next === undefined)
          throw new Error('Expected an index, or a second one that is being built: there is none');
        await applyTo(before, batch);
        const { current, next } = await indexes.list(patient);
        // An index may have been begun or finished by another process meanwhile.
        if (current === before.current && next === before.next) return;
      }
    },
  };
}

/** Deletes have versions as well: for ten minutes no older document comes back. Batches wait for each other, so none is that late. */
const headOf = (action: 'index' | 'delete', index: string, id: number | string, version: number): string =>
  JSON.stringify({
    [action]: { _index: index, _id: String(id), version, version_type: 'external_gte', require_alias: true },
  });

const typeIn = ({ error }: Outcome) => (typeof error === 'object' ? typeOf(error) : undefined);
const isBusy = (outcome: Outcome) => outcome.error !== undefined && passes(outcome.status, typeIn(outcome));

/** Throws for a change that will never be taken. */
function check(outcome: Outcome, id: string): void {
  const { status, error } = outcome;
  if (error === undefined || status === 409 || isBusy(outcome)) return;
  throw refusal(status, typeIn(outcome), `, for the document ${id}`);
}
