import { itemAt } from '../../../assets/items/contract/entities.ts';
import { type AttachmentRow, attachmentAt } from '../../../assets/metadata/public.ts';
import { writeShapes as write } from '../../../assets/shapes/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { documentIn } from '../../../http/body.ts';
import type { Call } from '../../../http/call.ts';
import { flag, list, type QueryOf, text } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { type Route, route } from '../../../http/route.ts';
import { type TranscodingParts, tagsGiven } from '../../../production/transcoding/public.ts';
import { beginJob, commitJob } from '../../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../../room/jobs/documents.ts';
import { timelineKind } from '../sequence.ts';
import { conformPlan } from './conform-plan.ts';
import { type ConformRequest, conformDocument, conformRequestDocument } from './documents.ts';
import { conformJob } from './render-job.ts';
import {
  destinationNamed,
  expectNoMetadata,
  newItem,
  renderOrder,
  renderParameters,
  tagsToRender,
} from './render-order.ts';

const { destinationItem: _ofPath, ...parametersOfItem } = renderParameters;
const query = {
  ...parametersOfItem,
  sourceTag: list(text('Shape of each item: the first one with one of these tags. Default: the original')),
  createThumbnails: flag('Creates thumbnails of the result', true),
  createPosters: list(text('Creates posters at these times')),
};
const withDestination = { ...query, destinationItem: text('Item for the shape. Default: a new item') };

type Query = QueryOf<typeof query>;

/** Routes of jobs that join parts of items. */
export function conformRoutes(parts: TranscodingParts): readonly Route[] {
  const { store, limits } = parts;

  /** `destination`: name of the item that gets the shapes. Undefined: a new item. */
  async function start(
    call: Call<Query>,
    request: ConformRequest | undefined,
    destination: string | undefined,
  ): Promise<Job> {
    const { original, sourceTag: sourceTags = [], createThumbnails, createPosters } = call.query;
    const tags = await tagsToRender(parts, call.query);
    expectNoMetadata('ConformRequestDocument', request?.metadata, destination);
    const plan = await conformPlan(parts, call, request, sourceTags);
    const pictures = {
      thumbnails: createThumbnails ? ('regular' as const) : ('none' as const),
      posters: createPosters,
    };
    return commitJob(call, async () => {
      const item = await (destination === undefined
        ? newItem(parts, call, request?.metadata)
        : destinationNamed(parts, call, destination, tagsGiven(tags, original)));
      const order = { tags, plan, original, from: undefined, sourceTags, ...pictures };
      return beginJob(parts, call, ...(await renderOrder(parts, call, item, order, conformJob)));
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

  async function timelineIn({ name, content }: AttachmentRow): Promise<ConformRequest> {
    const conform = await documentIn(content, conformDocument, limits);
    if (conform) return { conform };
    throw new ServiceError('bad-value', { context: 'timeline', id: name, explanation: 'Expected a ConformDocument' });
  }

  return [
    route({
      ...shared,
      method: 'POST',
      path: '/item/:item/timeline/:format/conform',
      says: 'Concatenates the parts of items in a timeline into a shape, as a job.',
      entities: {
        item: item('READ'),
        format: attachmentAt(store, timelineKind, ({ item }) => ({ type: 'item', id: item!.id })),
      },
      query: withDestination,
      async handle(call, { item, format }) {
        const request = await timelineIn(format);
        return start(call, request, call.query.destinationItem ?? item.id);
      },
    }),
    route({ ...ofItem, method: 'PUT', handle: (call, { item }) => start(call, call.body, item.id) }),
    route({ ...ofItem, method: 'POST', handle: (call, { item }) => start(call, call.body, item.id) }),
    route({
      ...shared,
      method: 'POST',
      path: '/conform',
      says: 'Concatenates parts of items into a shape, as a job.',
      query: withDestination,
      reads: conformRequestDocument,
      handle: (call) => start(call, call.body, call.query.destinationItem),
    }),
  ];
}
