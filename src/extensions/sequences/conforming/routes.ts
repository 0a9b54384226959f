import { mustHave } from '../../../access/public-reading.ts';
import { noSuchEntity } from '../../../entities/find.ts';
import { documentIn } from '../../../http/body.ts';
import { type Call, optionalDocument, requireDocument } from '../../../http/call.ts';
import { documentTypes, type MediaType } from '../../../http/negotiation.ts';
import { badParameter, flag, list, type QueryOf, text } from '../../../http/parameters/index.ts';
import type { Reply } from '../../../http/reply.ts';
import { type Route, route, segment } from '../../../http/route.ts';
import { itemName, itemNamed } from '../../../items/contract/item/kind.ts';
import { itemMustExist } from '../../../items/contract/item/store.ts';
import { startJob } from '../../../jobs/contract.ts';
import { jobDocument } from '../../../jobs/documents.ts';
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
  const { store, render, limits } = parts;

  async function start(
    call: Call<Query>,
    type: MediaType,
    destination: string | undefined,
    request: ConformRequest | undefined,
  ): Promise<Reply> {
    const tags = [...new Set(call.query.tag ?? [])];
    if (tags.length === 0) throw badParameter('tag', 'Expected a shape tag');
    const { original = '' } = call.query;
    if (original !== '' && !tags.includes(original)) {
      throw badParameter('original', 'Expected one of the values of tag', original);
    }
    const job = await retryWhenChanged(async () => {
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
    return render(type, jobDocument, job);
  }

  const shared = { answers: jobDocument, access: write, acting: 'allowed', produces: documentTypes } as const;
  const ofItem = {
    ...shared,
    path: '/item/:item/conform',
    says: 'Concatenates parts of items into a shape of an item, as a job. Scripts of the tags see an empty shape.',
    query,
    reads: [conformRequestDocument, 'nothing'],
  } as const;
  const handle = async (call: Call<Query>, type: MediaType, params: Readonly<Record<string, string>>) =>
    start(call, type, segment(params, 'item'), await optionalDocument(call, conformRequestDocument, limits));

  /** The timeline of an item as a request. It has to be a ConformDocument. */
  async function timelineOf(call: Call, item: string, name: string): Promise<ConformRequest> {
    const { id } = await itemNamed(store, item);
    await mustHave(store, call, itemName, { id }, 'READ');
    const row = await findAttachment(store, { type: 'item', id, kind: timelineKind.kind, name });
    if (!row) throw missing(timelineKind.noun, name);
    const conform = await documentIn(row.content, conformDocument, limits);
    if (conform) return { conform };
    throw new ServiceError('bad-value', { context: 'timeline', id: name, explanation: 'Expected a ConformDocument' });
  }

  return [
    route({
      ...shared,
      method: 'POST',
      path: '/item/:item/timeline/:format/conform',
      says: 'Concatenates the parts of items in a timeline into a shape, as a job.',
      query: withDestination,
      handle: async (call, type, params) => {
        const item = params.item;
        const request = await timelineOf(call, item, params.format);
        return start(call, type, call.query.destinationItem ?? item, request);
      },
    }),
    route({ ...ofItem, method: 'PUT', handle }),
    route({ ...ofItem, method: 'POST', handle }),
    route({
      ...shared,
      method: 'POST',
      path: '/conform',
      says: 'Concatenates parts of items into a shape, as a job.',
      query: withDestination,
      reads: conformRequestDocument,
      handle: async (call, type) =>
        start(call, type, call.query.destinationItem, await requireDocument(call, conformRequestDocument, limits)),
    }),
  ];
}
