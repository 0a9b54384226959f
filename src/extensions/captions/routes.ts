import { askerOf } from '../../assets/definitions/public-reading.ts';
import { itemAt } from '../../assets/items/contract/entities.ts';
import type { ItemsContext } from '../../assets/items/public.ts';
import { metadataView } from '../../assets/metadata/public.ts';
import { raw } from '../../http/forms.ts';
import { textOnly } from '../../http/negotiation.ts';
import { type Route, role, route } from '../../http/route.ts';
import { cuesOfItem, writtenCues } from './item-cues.ts';
import { subtitleField } from './read.ts';
import { writeScc } from './scc-write.ts';
import { writeTtml } from './ttml.ts';

const { interval, language } = metadataView;

const forms = [
  { name: 'ttml', called: 'TTML', answers: raw('bytes', ['application/xml']), write: writeTtml },
  { name: 'scc', called: 'SCC, for captions of CEA-608', answers: raw('text', textOnly), write: writeScc },
] as const;

/** Routes that export subtitles of items as files. */
export function captionRoutes({ store, settings }: ItemsContext): readonly Route[] {
  const entities = { item: itemAt(store)('READ', 'METADATA') };
  return forms.map(({ name, called, answers, write }) =>
    route({
      method: 'GET',
      path: `/item/:item/metadata/export/${name}`,
      says: `The subtitles of an item as ${called}: the timed values of ${subtitleField}.`,
      entities,
      query: { interval, language },
      answers,
      access: role('_metadata_read'),
      async handle(call, { item: { id } }) {
        const by = { site: settings.site, asker: await askerOf(call) };
        const cues = await cuesOfItem(call.reader, id, call.query, by);
        return { status: 200, type: call.type, body: await writtenCues(cues, write) };
      },
    }),
  );
}
