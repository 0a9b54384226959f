import { type SimpleMetadata, simpleMetadataDocument } from '../../core/documents/index.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { list, text, whole } from '../../http/parameters/index.ts';
import { optional } from '../../http/reads.ts';
import { type Route, route } from '../../http/route.ts';
import { keyValuesFrom } from '../../room/entities/key-values/rules.ts';
import type { MetadataContext } from '../metadata/public.ts';
import { mustHaveTags } from './allowed.ts';
import { commitShapes, createShape } from './change.ts';
import { expectedKinds } from './component-kinds.ts';
import { changeExpected, countsFrom, expect, noPlaceholder, requireSome } from './placeholder-rules.ts';
import { inTurnOfItem, shapePath, shapesAt, shapesPath, shapeWithParts, writeShapes } from './places.ts';
import { losingOriginal, maxComponents, original, shapeEvent, tagShape, takeOriginal } from './rules.ts';
import { requireTags } from './tags.ts';

const count = (kind: string) => whole(`Number of expected ${kind} components`, { max: maxComponents });

const query = {
  container: count('container'),
  video: count('video'),
  audio: count('audio'),
  binary: count('binary'),
  subtitle: count('subtitle'),
  tag: list(text('The tags of the shape')),
};

/** Routes for placeholder shapes, whose components get their files later. */
export function shapePlaceholderRoutes(parts: MetadataContext): readonly Route[] {
  const { store, settings } = parts;
  const at = shapesAt(store);
  const pairsOf = (document: SimpleMetadata | undefined) =>
    keyValuesFrom(document, '/SimpleMetadataDocument/field/key', settings.maxMetadataBytes).pairs;

  return [
    route({
      method: 'POST',
      path: `${shapesPath}/placeholder`,
      says: 'Creates a placeholder shape that expects components. The document has its key-value metadata. Answers its id.',
      entities: at.item('WRITE'),
      query,
      reads: optional(simpleMetadataDocument),
      answers: 'text',
      location: (id, { item }) => ['item', item.id, 'shape', id],
      access: writeShapes,
      acting: 'allowed',
      async handle(call, { item }) {
        const { tag = [], ...counts } = call.query;
        requireSome(counts);
        const from = { tags: [...new Set(tag)], expected: counts, metadata: pairsOf(call.body) };
        return createShape(parts, call, item.id, from);
      },
    }),
    route({
      method: 'PUT',
      path: `${shapePath}/placeholder`,
      says: 'Sets the total number of components of a placeholder, by parameters or by keys of the same names.',
      entities: at.shape('WRITE'),
      query,
      reads: optional(simpleMetadataDocument),
      access: writeShapes,
      acting: 'allowed',
      async handle(call, { shape: of }) {
        const { tag = [], ...expectedCounts } = call.query;
        const named = expectedKinds.flatMap((kind) =>
          expectedCounts[kind] === undefined ? [] : [[kind, expectedCounts[kind]]],
        );
        const counts = { ...countsFrom(pairsOf(call.body)), ...Object.fromEntries(named) };
        await inTurnOfItem(parts, of.itemId, async () => {
          const { shape, shapes, components } = await shapeWithParts(store, of);
          if (shape.placeholder === 0) throw noPlaceholder(shape.id);
          const checkedTags = await requireTags(store, tag);
          const wanted = expect(components, counts);
          const more = tag.filter((each) => !shape.tags.includes(each));
          if (wanted.removed.length + wanted.added.length + more.length === 0) return;
          if (more.length > 0) await mustHaveTags(store, call, shape.itemId, more, losingOriginal(shapes, shape, more));
          const ids: string[] = [];
          for (let at = 0; at < wanted.added.length; at++) ids.push(await store.nextId('component'));
          const changes = changeExpected(shape, wanted, ids, settings);
          const taken = more.includes(original) ? takeOriginal(shapes, shape) : changing();
          const tags = [...shape.tags, ...more];
          const work = {
            changes: [...checkedTags, ...taken.changes, ...changes, ...tagShape(shape, more)],
            events: [shapeEvent('modify', { ...shape, tags }), ...taken.events],
          };
          await commitShapes(parts, call, shape.itemId, shapes, work, { grows: wanted.added.length > 0 });
        });
      },
    }),
  ];
}
