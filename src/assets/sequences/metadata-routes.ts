import { documentIn } from '../../http/body.ts';
import { badParameter, text } from '../../http/parameters/index.ts';
import { done } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import { accessOf, readableAmong } from '../access/access.ts';
import { keptForms, keptReply } from '../attachments/content.ts';
import { ofItem } from '../attachments/places.ts';
import { missing } from '../attachments/rules.ts';
import { findAttachment } from '../attachments/store.ts';
import { askerOf } from '../definitions/access/rights.ts';
import type { MetadataTimespan } from '../documents/metadata.ts';
import { isKept } from '../metadata/allowed.ts';
import { changeMetadata } from '../metadata/change.ts';
import { wishOf } from '../metadata/merge/wish-of.ts';
import { itemPlace } from '../metadata/places.ts';
import { metadataOf, storedView } from '../metadata/read.ts';
import type { AssetParts } from '../parts.ts';
import { type Sequence, sequenceDocument } from './documents.ts';
import { ownFormat, sequenceKind } from './rules.ts';
import { cutsOf, missingIn, spansIn } from './spans.ts';

/** Cuts of one sequence whose metadata is read. */
const mostCuts = 1000;
/** Items that are read at once. */
const slice = 50;

/** What follows from the sequence of an item, and the sequence itself for other programs. */
export function sequenceUseRoutes(parts: AssetParts): readonly Route[] {
  const { store, limits, settings, render } = parts;
  const place = ofItem(parts, '_sequence_read', '_sequence_write');
  const metadata = itemPlace(store);
  const { kind, noun } = sequenceKind;

  async function sequenceOf(id: string): Promise<Sequence> {
    const row = await findAttachment(store, { type: 'item', id, kind, name: ownFormat });
    if (!row) throw missing(noun, ownFormat);
    return (await documentIn(row.content, sequenceDocument, limits)) ?? {};
  }

  return [
    {
      method: 'POST',
      path: '/item/:item/sequence/conform-metadata',
      says: 'Takes over the timed metadata of the items of a sequence, at the times at which the sequence has them.',
      access: metadata.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const owner = await metadata.find(call, params, 'WRITE');
        const cuts = cutsOf(await sequenceOf(owner.id), mostCuts);
        const items = [...new Set(cuts.map(({ item }) => item))];
        const readable = [...(await readableAmong(store, await accessOf(store, call), 'item', items))];
        const by = { site: settings.site, asker: await askerOf(call), inherits: false };
        const wanted: MetadataTimespan[] = [];
        for (let at = 0; at < readable.length; at += slice) {
          const owners = readable.slice(at, at + slice).map((id) => ({ kind: 'item', id }) as const);
          const found = await metadataOf(store, owners, storedView, by);
          for (const cut of cuts) wanted.push(...spansIn(cut, found.get(cut.item) ?? {}));
        }
        const now = (await metadataOf(store, [owner], storedView, by)).get(owner.id) ?? {};
        const wish = wishOf({ timespan: missingIn(now, wanted) }, { isIgnored: isKept });
        if (wish.spans.length > 0) await changeMetadata(parts, metadata, call, params, wish);
        return done;
      },
    },
    route({
      method: 'GET',
      path: '/item/:item/sequence/export',
      says: 'The sequence of the item in a format in which it is kept. No other one is made of it.',
      query: { type: text('The format', { usual: ownFormat }) },
      answers: [sequenceDocument, 'bytes'],
      access: place.read,
      produces: keptForms,
      async handle(call, _type, params) {
        const owner = await place.find(call, params, 'READ');
        const { type: name } = call.query;
        if (name.length > 128) throw badParameter('type', 'Expected the name of a format', name);
        const row = await findAttachment(store, { ...owner, kind, name });
        if (!row) {
          const explanation = `Expected a format in which the sequence is kept: this service makes no "${name.slice(0, 80)}" of it`;
          throw new ServiceError('not-implemented', { context: 'parameter type', explanation });
        }
        if (name !== ownFormat) return keptReply(row);
        return render('application/xml', sequenceDocument, { ...(await sequenceOf(owner.id)), id: owner.id });
      },
    }),
  ];
}
