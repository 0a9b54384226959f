import { changing, together } from '../../../core/store/commit-plan.ts';
import { answer } from '../../../http/answers.ts';
import { list, text, whole } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { metadataDocument } from '../../metadata/public-reading.ts';
import { expectedKinds, importTags, requireTags } from '../../shapes/public.ts';
import { anyItemAhead, creatorOf, prepareItem } from '../create.ts';
import { itemDocument } from '../documents.ts';
import { originFrom, originParameters } from '../origin.ts';
import type { ItemsContext } from '../settings.ts';

/** Maximum components per kind. */
const max = 1000;
const count = (kind: string) => whole(`Number of expected ${kind} components`, { defaultValue: 0, max });

/** Routes that create placeholder items, which wait for their files. */
export function itemPlaceholderRoutes(parts: ItemsContext): readonly Route[] {
  const { store } = parts;
  return [
    route({
      method: 'POST',
      path: '/import/placeholder',
      says: 'Creates a placeholder item with a shape that expects components. Without components it has no shape.',
      query: {
        container: count('container'),
        video: count('video'),
        audio: count('audio'),
        binary: count('binary'),
        subtitle: count('subtitle'),
        importTag: list(text('Tags of the shape. Default: "original"')),
        externalId: list(text('External ids of the item')),
        settings: text('The profile whose access entries the item gets'),
        ...originParameters,
      },
      reads: optional(metadataDocument),
      answers: answer(itemDocument, { text: ({ id = '' }) => id }),
      location: ({ id = '' }) => ['item', id],
      access: role('_import'),
      acting: 'allowed',
      ahead: () => Promise.all([requireTags(store, importTags), anyItemAhead(parts)]),
      async handle(call) {
        const { importTag: tags = importTags, externalId = [], settings, created, owner, ...counts } = call.query;
        const origin = await originFrom(store, call, { created, owner });
        const expected = expectedKinds.some((kind) => counts[kind] > 0) ? counts : undefined;
        const { id } = await call.change(async () => {
          const checkedTags = await requireTags(store, expected ? tags : []);
          const creator = await creatorOf(call);
          const prepared = await prepareItem(parts, creator, {
            externalIds: externalId,
            metadata: call.body,
            expected,
            tags,
            settings,
            origin,
          });
          return { id: prepared.id, ...together(changing(...checkedTags), prepared) };
        });
        return { id };
      },
    }),
  ];
}
