import { mayWrite } from '../../access/public.ts';
import { noSuchEntity } from '../../entities/find.ts';
import { documentTypes, textOnly } from '../../http/negotiation.ts';
import { badParameter, text, whole } from '../../http/parameters/index.ts';
import { plain } from '../../http/reply.ts';
import { type Route, role, route } from '../../http/route.ts';
import { itemKind, itemName, itemNamed } from '../../items/contract/item/kind.ts';
import { ServiceError } from '../../lib/errors.ts';
import { changedMeanwhile, retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { loadMetadata } from '../../metadata/public-reading.ts';
import { administrator } from '../../security/subject.ts';
import type { Statement } from '../../store/contract.ts';
import { type ReindexRequest, reindexRequestDocument } from '../documents/results.ts';
import { reindexed } from '../index/participant.ts';
import { embeddedIndex } from '../index/store.ts';
import type { SearchParts } from '../parts.ts';
import { allUnchanged, findReindex, finishAtOnce, queue, type ReindexRow, reindexThere, setStatus } from './store.ts';

/** Indexes that can be rebuilt. All others read the original tables, and are always correct. */
const built = ['item', 'collection'];
const indexes = [...built, 'acl', 'file', 'thumbnail', 'document', 'metadata-group'];
const usualPriority = 500;
const words = ['IN_QUEUE', 'PAUSED', 'ABORTED', 'IN_PROGRESS'] as const;

function indexNamed(name: string): string {
  const found = indexes.find((each) => each === name.toLowerCase());
  if (found === undefined) throw noSuchIndex(name);
  return found;
}

const noSuchIndex = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'Index', id: name.slice(0, 80) });

export function reindexRoutes(parts: SearchParts): readonly Route[] {
  const { store, clock, render, property } = parts;
  const path = '/reindex/:index';

  /** Clients ask for the status of each index. Without a rebuild it is FINISHED. */
  async function document(name: string): Promise<ReindexRequest> {
    const row = await findReindex(store, { name });
    return row ? documentOf(row) : { index: name, priority: usualPriority, status: 'FINISHED' };
  }

  async function wanted(name: string, status: (typeof words)[number], priority: number): Promise<readonly Statement[]> {
    const now = clock.now();
    if (status !== 'IN_QUEUE') {
      const finish = status === 'ABORTED' ? now : null;
      return [reindexThere({ name }, noSuchIndex(name)), setStatus({ name, status, priority, finish })];
    }
    if (!built.includes(name)) return [finishAtOnce({ name, priority, now })];
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
      answers: reindexRequestDocument,
      access: role(administrator),
      produces: documentTypes,
      handle: async (_call, type, params) =>
        render(type, reindexRequestDocument, await document(indexNamed(params.index))),
    }),
    route({
      method: 'PUT',
      path,
      says: 'Starts, pauses, continues or aborts a re-index.',
      query: {
        status: text('IN_QUEUE starts from the beginning. PAUSED, IN_PROGRESS (continue) or ABORTED', {
          usual: 'IN_QUEUE',
        }),
        priority: whole('Sorts in descending order', { usual: usualPriority }),
      },
      reads: ['nothing', 'text'],
      answers: reindexRequestDocument,
      access: role(administrator),
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const name = indexNamed(params.index);
        const given = call.query.status.toUpperCase().replace(/[\s-]+/g, '_');
        const status = words.find((word) => word === given);
        if (status === undefined) {
          throw badParameter('status', `Expected one of ${words.join(', ')}`, call.query.status);
        }
        await call.commit({ changes: await wanted(name, status, call.query.priority), events: [] });
        return render(type, reindexRequestDocument, await document(name));
      },
    }),
    route({
      method: 'PUT',
      path: '/item/:item/re-index',
      says: 'Builds the index of one item again.',
      reads: ['nothing', 'text'],
      answers: 'text',
      access: role('_item_write'),
      acting: 'allowed',
      produces: textOnly,
      async handle(call, _type, params) {
        await retryWhenChanged(async () => {
          const { id } = await itemNamed(store, params.item);
          await mayWrite(store, call, itemName, { id });
          const { state, size, version } = await loadMetadata(store, { kind: 'item', id });
          if (version === 0) return;
          const rows = JSON.stringify([[id, version]]);
          const index = await reindexed(store, embeddedIndex, [{ kind: 'item', id, size, state }]);
          const guards = [
            itemKind(store).mustExist(id, noSuchEntity(itemName, id)),
            allUnchanged({ kind: 'item', rows, count: 1 }, changedMeanwhile('Metadata', id)),
          ];
          await call.commit({ changes: [...guards, ...index], events: [] });
        });
        return plain('');
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
