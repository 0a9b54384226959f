import { itemAt } from '../../../assets/items/contract/entities.ts';
import type { Sequence } from '../../../assets/items/public.ts';
import { writeShapes as write } from '../../../assets/shapes/public.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { Call } from '../../../http/call.ts';
import { list, type QueryOf, text } from '../../../http/parameters/index.ts';
import { bothRoles, type Route, route } from '../../../http/route.ts';
import { type TranscodingParts, tagsGiven } from '../../../production/transcoding/public.ts';
import { beginJob, commitJob } from '../../../room/jobs/contract.ts';
import { type Job, jobDocument } from '../../../room/jobs/documents.ts';
import { expectItems, itemsOf, sequenceOf } from '../sequence.ts';
import { type SequenceRenderRequest, sequenceRenderRequestDocument } from './documents.ts';
import {
  destinationNamed,
  expectNoMetadata,
  newItem,
  renderOrder,
  renderParameters,
  tagsToRender,
} from './render-order.ts';
import { renderPlan } from './render-plan.ts';

const query = {
  ...renderParameters,
  sourceTag: list(
    text('Shape of each item: the first one with one of these tags, in this order. Default: the original'),
  ),
  subtitleLanguage: text('Answered 501: no transcoder of this service writes into pictures'),
};
type Query = QueryOf<typeof query>;

interface RenderRequest {
  readonly sequence: Sequence;
  /** Id of the item that stores the sequence. */
  readonly owner: string | undefined;
  readonly metadata: SequenceRenderRequest['metadata'];
}

/** Routes of jobs that render sequences. */
export function renderRoutes(parts: TranscodingParts): readonly Route[] {
  const { store } = parts;

  async function start(call: Call<Query>, { sequence, owner, metadata }: RenderRequest): Promise<Job> {
    const { original, destinationItem, subtitleLanguage, sourceTag = [] } = call.query;
    const tags = await tagsToRender(parts, call.query);
    if (subtitleLanguage !== undefined) {
      const explanation = 'Expected no subtitles: no transcoder of this service writes into pictures';
      throw new ServiceError('not-implemented', { context: 'parameter subtitleLanguage', explanation });
    }
    const plan = renderPlan(sequence);
    await expectItems(store, call, itemsOf(sequence));
    const named = destinationItem ?? owner;
    const from = owner === undefined ? undefined : `sequence of ${owner}`;
    const order = { tags, plan, original, from, sourceTags: sourceTag };
    return commitJob(call, async () => {
      const destination = await (named === undefined
        ? newItem(parts, call, metadata)
        : destinationNamed(parts, call, named, tagsGiven(tags, original)));
      return beginJob(parts, call, ...(await renderOrder(parts, call, destination, order)));
    });
  }

  const shared = {
    method: 'POST',
    query,
    answers: jobDocument,
    acting: 'allowed',
  } as const;
  return [
    route({
      ...shared,
      path: '/item/:item/sequence/render',
      access: bothRoles('_item_shape_write', '_sequence_read'),
      says: 'Renders the sequence of the item into a shape for each tag, as a TIMELINE job. The sequence has one track, or one with its sound.',
      entities: { item: itemAt(store)('READ') },
      handle: async (call, { item: { id } }) =>
        start(call, { sequence: await sequenceOf(parts, id), owner: id, metadata: undefined }),
    }),
    route({
      ...shared,
      path: '/sequence/render',
      access: write,
      says: 'Renders the sequence of the body into a shape for each tag, as a TIMELINE job. Without destinationItem it creates an item.',
      reads: sequenceRenderRequestDocument,
      handle(call) {
        const { sequence, metadata } = call.body;
        expectNoMetadata('SequenceRenderRequestDocument', metadata, call.query.destinationItem);
        return start(call, { sequence, owner: undefined, metadata });
      },
    }),
  ];
}
