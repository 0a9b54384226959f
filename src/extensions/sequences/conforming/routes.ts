import { mustHave } from '../../../assets/access/public-reading.ts';
import { itemAt, itemName, itemNamed } from '../../../assets/items/contract/entities.ts';
import { type ItemRow, itemMustExist } from '../../../assets/items/contract/store.ts';
import { type AttachmentRow, attachmentAt } from '../../../assets/metadata/public.ts';
import { mustHaveTags, requireTags, writeShapes as write } from '../../../assets/shapes/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { askEach, type Maybe } from '../../../core/lib/maybe.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { documentIn } from '../../../http/body.ts';
import type { Call } from '../../../http/call.ts';
import { badParameter, flag, list, type QueryOf, text } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { type Route, route } from '../../../http/route.ts';
import { type TranscodingParts, tagsGiven } from '../../../production/transcoding/public.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { beginJob, commitJob } from '../../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../../room/jobs/documents.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';
import { timelineKind } from '../sequence.ts';
import { type ConformRequest, conformDocument, conformRequestDocument } from './documents.ts';
import { conformJob } from './job-types.ts';

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

/** Item that gets the shape, with what its commit has to guard. */
interface Destination {
  /** Undefined: a new item. */
  readonly itemId: string | undefined;
  readonly guards: readonly Statement[];
}

const newItem: Destination = { itemId: undefined, guards: [] };

/** Entity of the path: the route declares its level and its guard. */
const inPath = ({ id }: ItemRow): Destination => ({ itemId: id, guards: [] });

/** Routes of jobs that join parts of items. */
export function conformRoutes(parts: TranscodingParts): readonly Route[] {
  const { store, limits } = parts;

  /** Item of a parameter. */
  async function destinationNamed(call: Call, name: string): Promise<Destination> {
    const item = await itemNamed(store, name);
    await mustHave(store, call, itemName, item, 'WRITE', undefined, name);
    return { itemId: item.id, guards: [itemMustExist(item.id, noSuchEntity(itemName, item.id))] };
  }

  async function start(
    call: Call<Query>,
    request: ConformRequest | undefined,
    destination: () => Maybe<Destination>,
  ): Promise<Job> {
    const tags = [...new Set(call.query.tag ?? [])];
    if (tags.length === 0) throw badParameter('tag', 'Expected a shape tag');
    const { original = '' } = call.query;
    if (original !== '' && !tags.includes(original)) {
      throw badParameter('original', 'Expected one of the values of tag', original);
    }
    return commitJob(call, async () => {
      const { itemId, guards } = await destination();
      if (itemId !== undefined) await mustHaveTags(store, call, itemId, tagsGiven(tags, original));
      const segments = request?.conform.timeline.segment ?? [];
      await askEach([...new Set(segments.map(({ source }) => source.id))], async (name) =>
        mustHave(store, call, itemName, await itemNamed(store, name), 'READ', undefined, name),
      );
      const memo = { itemId, tags, segments: segments.length };
      const tagGuards = await requireTags(store, tags);
      return beginJob(parts, call, { job: conformJob, memo }, changing(...guards, ...tagGuards));
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
        return start(call, request, () => destinationNamed(call, call.query.destinationItem ?? item.id));
      },
    }),
    route({ ...ofItem, method: 'PUT', handle: (call, { item }) => start(call, call.body, () => inPath(item)) }),
    route({ ...ofItem, method: 'POST', handle: (call, { item }) => start(call, call.body, () => inPath(item)) }),
    route({
      ...shared,
      method: 'POST',
      path: '/conform',
      says: 'Concatenates parts of items into a shape, as a job.',
      query: withDestination,
      reads: conformRequestDocument,
      handle(call) {
        const { destinationItem: name } = call.query;
        return start(call, call.body, () => (name === undefined ? newItem : destinationNamed(call, name)));
      },
    }),
  ];
}
