import { mustHave } from '../../../access/public-reading.ts';
import { noSuchEntity } from '../../../entities/find.ts';
import { documentIn } from '../../../http/body.ts';
import type { Call } from '../../../http/call.ts';
import { badParameter, flag, list, type QueryOf, text } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { optional } from '../../../http/reads.ts';
import { type Route, route } from '../../../http/route.ts';
import { itemAt, itemName, itemNamed } from '../../../items/contract/item/kind.ts';
import { type ItemRow, itemMustExist } from '../../../items/contract/item/store.ts';
import { startJob } from '../../../jobs/contract.ts';
import { type Job, jobDocument } from '../../../jobs/documents.ts';
import { jobParameters } from '../../../jobs/parameters.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { retryWhenChanged } from '../../../lib/retry-when-changed.ts';
import { findAttachment, missingAttachment as missing } from '../../../metadata/public.ts';
import { requireTags, writeShapes as write } from '../../../shapes/public.ts';
import { changing } from '../../../store/commit-plan.ts';
import type { TranscodingParts } from '../../../transcoding/public.ts';
import { timelineKind } from '../rules.ts';
import { type ConformRequest, conformDocument, conformRequestDocument } from './documents.ts';
import { conformJob } from './type.ts';

const query = {
  tag: list(text('Shape tags of the new shapes')),
  sourceTag: list(text('The shapes of the items that are put together')),
  original: text('The tag whose shape becomes the original'),
  createThumbnails: flag('Creates thumbnails of the result', true),
  createPosters: list(text('Creates posters at these times')),
  ...jobParameters,
};
const withDestination = { destinationItem: text('Item for the shape. Default: a new item'), ...query };

type Query = QueryOf<typeof query>;

/** Routes of jobs that join parts of items. */
export function conformRoutes(parts: TranscodingParts): readonly Route[] {
  const { store, limits } = parts;

  async function start(
    call: Call<Query>,
    destination: string | undefined,
    request: ConformRequest | undefined,
  ): Promise<Job> {
    const tags = [...new Set(call.query.tag ?? [])];
    if (tags.length === 0) throw badParameter('tag', 'Expected a shape tag');
    const { original = '' } = call.query;
    if (original !== '' && !tags.includes(original)) {
      throw badParameter('original', 'Expected one of the values of tag', original);
    }
    return retryWhenChanged(async () => {
      const item = destination === undefined ? undefined : await itemNamed(store, destination);
      if (item) await mustHave(store, call, itemName, item, 'WRITE');
      const segments = request?.conform.timeline.segment ?? [];
      for (const name of new Set(segments.map(({ source }) => source.id))) {
        await mustHave(store, call, itemName, await itemNamed(store, name), 'READ');
      }
      const memo = { itemId: item?.id, tags, segments: segments.length };
      const there = item ? [itemMustExist(item.id, noSuchEntity(itemName, item.id))] : [];
      const known = await requireTags(store, tags);
      return startJob(parts, call, { job: conformJob, memo }, changing(...there, ...known));
    });
  }

  const item = itemAt(store);
  const shared = { answers: jobDocument, access: write, acting: 'allowed' } as const;
  const ofItem = {
    ...shared,
    path: '/item/:item/conform',
    says: 'Concatenates parts of items into a shape of an item, as a job. Scripts of the tags see an empty shape.',
    entities: { item: item('WRITE') },
    query,
    reads: optional(conformRequestDocument),
  } as const;

  /** The timeline of an item as a request. It has to be a ConformDocument. */
  const format: PathEntity<ConformRequest, { readonly item: ItemRow }> = {
    kind: timelineKind.kind,
    async find(name, _call, { item: { id } }) {
      const row = await findAttachment(store, { type: 'item', id, kind: timelineKind.kind, name });
      if (!row) throw missing(timelineKind.noun, name);
      const conform = await documentIn(row.content, conformDocument, limits);
      if (conform) return { conform };
      throw new ServiceError('bad-value', { context: 'timeline', id: name, explanation: 'Expected a ConformDocument' });
    },
  };

  return [
    route({
      ...shared,
      method: 'POST',
      path: '/item/:item/timeline/:format/conform',
      says: 'Concatenates the parts of items in a timeline into a shape, as a job.',
      entities: { item: item('READ'), format },
      query: withDestination,
      handle: (call, { item, format: request }) => start(call, call.query.destinationItem ?? item.id, request),
    }),
    route({ ...ofItem, method: 'PUT', handle: (call, { item }) => start(call, item.id, call.body) }),
    route({ ...ofItem, method: 'POST', handle: (call, { item }) => start(call, item.id, call.body) }),
    route({
      ...shared,
      method: 'POST',
      path: '/conform',
      says: 'Concatenates parts of items into a shape, as a job.',
      query: withDestination,
      reads: conformRequestDocument,
      handle: (call) => start(call, call.query.destinationItem, call.body),
    }),
  ];
}
