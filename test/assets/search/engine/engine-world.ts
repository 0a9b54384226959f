import { onTestFinished } from 'vitest';
import type { Database } from '../../../../src/core/store/contract.ts';
import { type MemorySearchEngine, memorySearchEngine } from '../../../../src/kit/testing/index.ts';
import type { EngineQuery, SearchEngine } from '../../../../src/spi/index.ts';
import { enginePlace, realVersion } from '../../../opensearch/place.ts';
import { field, item } from '../../../support/assets.ts';
import { outliving } from '../../../support/databases.ts';
import { openWorld, type World } from '../../../support/matrix.ts';
import { migratedDatabase } from '../../../support/migrated.ts';
import { by, json, send } from '../../../support/requests.ts';
import { admin, type Credentials, type ServiceOptions } from '../../../support/service.ts';

/** An engine to be compared: in memory, or a real one. */
export async function comparedEngine(): Promise<Compared> {
  if (realVersion === undefined) return memorySearchEngine();
  const { engine: real } = await enginePlace();
  const queries: EngineQuery[] = [];
  const engine: Compared = {
    ...real,
    queries,
    answers: true,
    can: (query) => (engine.answers === true ? real.can(query) : engine.answers),
    search(query, signal) {
      queries.push(query);
      return real.search(query, signal);
    },
  };
  return engine;
}

type Compared = SearchEngine & Pick<MemorySearchEngine, 'queries' | 'answers'>;

/** Service with a search engine. */
export interface EngineWorld<E = MemorySearchEngine> extends World {
  readonly engine: E;
}

/** A database for several services of a test. */
export async function sharedDatabase(): Promise<Database> {
  const database = await migratedDatabase();
  onTestFinished(() => database.close());
  return outliving(database);
}

/** Until the engine has everything: batches, slices of older entities and the end of a build are steps. */
export async function catchUp({ service, clock }: World): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await service.tick(1000);
    await clock.advance(2000);
  }
}

export function engineWorld(options?: ServiceOptions): Promise<EngineWorld>;
export function engineWorld<E extends SearchEngine>(options: ServiceOptions, engine: E): Promise<EngineWorld<E>>;
export async function engineWorld(
  options: ServiceOptions = {},
  engine: SearchEngine = memorySearchEngine(),
): Promise<EngineWorld<SearchEngine>> {
  const world = { ...(await openWorld('fetch', { ...options, searchEngines: [engine] })), engine };
  for (const sent of [field('x_tag', 'string-exact'), field('x_count', 'integer')]) await send(world, sent);
  return world;
}

export async function add(world: World, values: Record<string, string | readonly string[]>, as?: Credentials) {
  const { body } = await send(world, { ...item(values, {}, as), headers: { accept: 'application/json' } });
  return /VX-\d+/.exec(body)![0];
}

export interface Sought {
  readonly ids: readonly string[];
  readonly hits: number;
  /** Strategy that the explanation names, and why the engine was not asked. */
  readonly strategy: string;
  readonly noEngine: string | undefined;
}

/** Searches items, and asks how. */
export async function search(
  world: World,
  document: object,
  as: Credentials = admin,
  path = '/API/item',
): Promise<Sought> {
  const answer = await send(world, by(`PUT ${path}`, document, json, as));
  const { hits, item: items = [] } = JSON.parse(answer.body) as { hits: number; item?: { id: string }[] };
  const told = await send(world, by(`PUT ${path}?explain=true`, document, json, admin));
  const plan = JSON.parse(told.body) as { strategy: string; candidate?: { name: string; refusal?: string }[] };
  return {
    ids: items.map(({ id }) => id),
    hits,
    strategy: plan.strategy,
    noEngine: plan.candidate?.find(({ name }) => name === 'engine')?.refusal,
  };
}
