import { ServiceError } from '../../../core/lib/errors.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { raw } from '../../../http/forms.ts';
import { badParameter, text, whole } from '../../../http/parameters/index.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { administrator } from '../../../security/subject.ts';
import { itemAt } from '../../items/contract/entities.ts';
import { loadMetadata } from '../../metadata/public-reading.ts';
import { type ReindexRequest, reindexRequestDocument } from '../documents.ts';
import { feedNameOf } from '../engine/documents.ts';
import { engineIndex, findFeed } from '../engine/feed-sql.ts';
import type { SearchParts } from '../parts.ts';
import type { EmbeddedIndex } from './document.ts';
import { reindexed } from './participant.ts';
import {
  allUnchanged,
  findReindex,
  finishAtOnce,
  queue,
  type ReindexRow,
  reindexThere,
  setStatus,
} from './reindex-sql.ts';

/** Indexes that can be rebuilt. All others read the original tables, and are always correct. */
const built = ['item', 'collection'];
const indexes = [...built, engineIndex, 'acl', 'file', 'thumbnail', 'document', 'metadata-group'];
const defaultPriority = 500;
const words = ['IN_QUEUE', 'PAUSED', 'ABORTED', 'IN_PROGRESS'] as const;

/** Index in a path. */
const indexName = {
  kind: 'index',
  find(name: string): string {
    const index = indexes.find((each) => each === name.toLowerCase());
    if (index === undefined) throw noSuchIndex(name);
    return index;
  },
};

/** Body without a meaning: some clients send one. */
const ignored = raw(['nothing', 'text'] as const);

const noSuchIndex = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Index', id: name.slice(0, 80) });

export function reindexRoutes(parts: SearchParts & { readonly index: EmbeddedIndex }): readonly Route[] {
  const { store, clock, property, index, security } = parts;
  const path = '/reindex/:index';

  /** Clients ask for the status of each index. Without a rebuild it is FINISHED. */
  async function document(name: string): Promise<ReindexRequest> {
    const row = await findReindex(store, { name });
    const { status, ...defaultValue } = row
      ? documentOf(row)
      : { index: name, priority: defaultPriority, status: 'FINISHED' };
    return { ...defaultValue, status: status === 'FINISHED' && (await isUnbuilt(name)) ? 'IN_QUEUE' : status };
  }

  /** Whether the engine has no complete index: a build begins by itself. */
  async function isUnbuilt(name: string): Promise<boolean> {
    const [engine] = name === engineIndex ? security.searchEngines() : [];
    return engine !== undefined && (await findFeed(store, { name: feedNameOf(engine) }))?.isReady !== 1;
  }

  async function wanted(name: string, status: (typeof words)[number], priority: number): Promise<readonly Statement[]> {
    const now = clock.now();
    if (status !== 'IN_QUEUE') {
      const finish = status === 'ABORTED' ? now : null;
      return [reindexThere({ name }, noSuchIndex(name)), setStatus({ name, status, priority, finish })];
    }
    if (!built.includes(name) && !(name === engineIndex && security.searchEngines().length > 0))
      return [finishAtOnce({ name, priority, now })];
    const withThumbnails = name === 'item' && (await property('disableThumbnailReindexing')) === 0;
    return [
      queue({ name, priority, now }),
      ...(withThumbnails ? [finishAtOnce({ name: 'thumbnail', priority, now })] : []),
    ];
  }

  return [
    route({
      method: 'GET',
      path,
      says: 'The progress of a re-index.',
      entities: { index: indexName },
      answers: reindexRequestDocument,
      access: role(administrator),
      handle: (_call, { index: name }) => document(name),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Starts, pauses, continues or aborts a re-index.',
      entities: { index: indexName },
      query: {
        status: text('IN_QUEUE starts from the beginning. PAUSED, IN_PROGRESS (continue) or ABORTED', {
          defaultValue: 'IN_QUEUE',
        }),
        priority: whole('Sorts in descending order', { defaultValue: defaultPriority }),
      },
      reads: ignored,
      answers: reindexRequestDocument,
      access: role(administrator),
      acting: 'allowed',
      async handle(call, { index: name }) {
        const askedStatus = call.query.status.toUpperCase().replace(/[\s-]+/g, '_');
        const status = words.find((word) => word === askedStatus);
        if (status === undefined) {
          throw badParameter('status', `Expected one of ${words.join(', ')}`, call.query.status);
        }
        await call.commit({ changes: await wanted(name, status, call.query.priority), events: [] });
        return document(name);
      },
    }),
    route({
      method: 'PUT',
      path: '/item/:item/re-index',
      says: 'Builds the index of one item again.',
      entities: { item: itemAt(store)('WRITE') },
      reads: ignored,
      answers: 'text',
      access: role('_item_write'),
      acting: 'allowed',
      async handle(call, { item: { id } }) {
        await call.change(async () => {
          const { state, size, version } = await loadMetadata(store, { kind: 'item', id });
          if (version === 0) return undefined;
          const rows = [[id, version]];
          const unchanged = allUnchanged({ kind: 'item', rows, count: 1 }, changedMeanwhile('Metadata', id));
          const changes = await reindexed(store, index, [{ kind: 'item', id, size, state }]);
          return changing(unchanged, ...changes);
        });
        return '';
      },
    }),
  ];
}

const documentOf = ({ name, priority, status, start, finish, done, total }: ReindexRow): ReindexRequest => ({
  index: name,
  priority,
  status,
  ...(start !== null && { start }),
  ...(finish !== null && { finish }),
  indexesDone: done,
  indexesTotal: total,
});
