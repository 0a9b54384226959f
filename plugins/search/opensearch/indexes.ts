import type { EngineState } from '../../../src/spi/index.ts';
import { type Client, patient } from './client.ts';
import { indexBody, positionId } from './fields.ts';

interface IndexOptions {
  /** Alias of the index for searches. */
  readonly alias: string;
  readonly shards: number;
  readonly replicas: number;
}

/** Names of the index for searches and of the second one. */
export interface IndexPair {
  readonly current: string | undefined;
  readonly next: string | undefined;
}

interface Listed extends IndexPair {
  /** All indexes of the service, leftovers included. */
  readonly all: readonly string[];
}

interface SearchedIndex {
  readonly index: string;
  readonly position: number;
  /** Whether a batch has been applied. */
  readonly hasPosition: boolean;
}

export type Indexes = ReturnType<typeof createIndexes>;

/** The indexes behind the alias: one for searches, and one that is being built. */
export function createIndexes(client: Client, now: () => number, { alias, shards, replicas }: IndexOptions) {
  const nextAlias = `${alias}-next`;
  const isOwn = (name: string) => name.startsWith(`${alias}-`) && /^\d{13,}$/.test(name.slice(alias.length + 1));

  async function list(attempts = 1): Promise<Listed> {
    const { body } = await client.ask({ method: 'GET', path: `/${alias}-*/_alias`, accepts: [404], attempts });
    const entries = Object.entries<{ readonly aliases?: object }>(body).filter(([name]) => isOwn(name));
    const named = (wanted: string) => entries.find(([, { aliases }]) => Object.hasOwn(aliases ?? {}, wanted))?.[0];
    return { current: named(alias), next: named(nextAlias), all: entries.map(([name]) => name).toSorted() };
  }

  async function remove(names: readonly string[]): Promise<void> {
    for (const name of names)
      await client.ask({ method: 'DELETE', path: `/${name}`, accepts: [404], attempts: patient });
  }

  /** The index for searches and its position, as searches see them. Undefined: there is none. */
  async function searched(signal?: AbortSignal): Promise<SearchedIndex | undefined> {
    const path = `/${alias}/_doc/${positionId}?realtime=false&_source=false`;
    const { status, body } = await client.ask({ method: 'GET', path, accepts: [404], signal });
    if (status === 404 && body.error !== undefined) return undefined;
    return { index: body._index, position: body.found ? Number(body._version) : 0, hasPosition: body.found === true };
  }

  return {
    list,
    searched,

    async begin(): Promise<void> {
      const { current, all } = await list(patient);
      await remove(all.filter((name) => name !== current));
      // A name that was never there: the clock may have been set back.
      const last = Math.max(0, ...all.map((name) => Number(name.slice(alias.length + 1))));
      const name = `${alias}-${Math.max(now(), last + 1, 10 ** 12)}`;
      await client.ask({
        ...{ method: 'PUT', path: `/${name}`, attempts: patient },
        body: { ...indexBody(shards, replicas), aliases: { [nextAlias]: {} } },
      });
    },

    async finish(): Promise<void> {
      const { current, next, all } = await list(patient);
      if (next === undefined) throw new Error('Expected a second index: there is none');
      await client.ask({ method: 'POST', path: `/${next}/_refresh`, attempts: patient });
      const actions = [
        ...(current === undefined ? [] : [{ remove: { index: current, alias } }]),
        { remove: { index: next, alias: nextAlias } },
        { add: { index: next, alias } },
      ];
      await client.ask({ method: 'POST', path: '/_aliases', body: { actions }, attempts: patient });
      // A failure leaves an index over, which the next build drops.
      await remove(all.filter((name) => name !== next)).catch(() => undefined);
    },

    async state(isBrief = false): Promise<EngineState> {
      if (isBrief) {
        const [{ current, next }, at] = await Promise.all([list(), searched()]);
        const position = current === undefined || at === undefined ? 0 : at.position;
        return { position, isBuilding: next !== undefined, documents: 0, says: '' };
      }
      const [{ body: about }, { current, next }, at] = await Promise.all([
        client.ask({ method: 'GET', path: '/', accepts: [403, 404] }),
        list(),
        searched(),
      ]);
      const version = /^[\w.+-]{1,30}$/.test(about.version?.number ?? '') ? ` ${about.version.number}` : '';
      const isBuilding = next !== undefined;
      if (current === undefined || at === undefined)
        return { position: 0, isBuilding, documents: 0, says: `OpenSearch${version}, without an index for searches` };
      const [{ body: counted }, { isReadOnly, says }] = await Promise.all([
        client.ask({ method: 'GET', path: `/${at.index}/_count` }),
        healthOf(at.index),
      ]);
      const documents = Number(counted.count) - Number(at.hasPosition);
      return { position: at.position, isBuilding, documents, isReadOnly, says: `OpenSearch${version}, ${says}` };
    },
  };

  async function healthOf(index: string): Promise<Required<Pick<EngineState, 'isReadOnly' | 'says'>>> {
    const path = `/_cluster/health/${index}?timeout=1s`;
    const { body } = await client.ask({ method: 'GET', path, accepts: [403, 404, 408] });
    const { status, active_shards: active, unassigned_shards: missing, number_of_nodes: nodes } = body;
    const blocks = await client.ask({ method: 'GET', path: `/${index}/_settings/index.blocks.*?flat_settings=true` });
    const isReadOnly = JSON.stringify(blocks.body).includes('"true"');
    const shards = `${Number(active)} of ${Number(active) + Number(missing)} shards on ${Number(nodes)} nodes`;
    const state = `${/^[a-z]+$/.test(status) ? status : 'unknown'}${isReadOnly ? ', read-only' : ''}`;
    return { isReadOnly, says: `${state}, ${shards}` };
  }
}
