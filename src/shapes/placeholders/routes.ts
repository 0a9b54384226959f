import { simpleMetadataDocument } from '../../documents/index.ts';
import { keyValuesFrom } from '../../entities/key-values/documents.ts';
import { type Call, optionalDocument } from '../../http/call.ts';
import { textOnly } from '../../http/negotiation.ts';
import { list, text, whole } from '../../http/parameters/index.ts';
import { done, located, plain } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { MetadataContext } from '../../metadata/public.ts';
import { createShape } from '../change.ts';
import { commitShapes } from '../commit.ts';
import { expectedKinds } from '../kinds.ts';
import { inTurnOfItem, shapeNames, shapePath, shapesPath, shapeWithParts, write } from '../places.ts';
import { mostComponents, original, shapeEvent, tagShape, takeOriginal } from '../rules.ts';
import { requireTags } from '../tags/known.ts';
import { changeExpected, countsFrom, expect, noPlaceholder, requireSome } from './rules.ts';

const count = (kind: string) => whole(`Number of expected ${kind} components`, { most: mostComponents });

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
  const { store, limits, settings } = parts;

  const sentPairs = async (call: Call) => {
    const document = await optionalDocument(call, simpleMetadataDocument, limits);
    return keyValuesFrom(document, '/SimpleMetadataDocument/field/key', settings.maxMetadataBytes).pairs;
  };

  return [
    route({
      method: 'POST',
      path: `${shapesPath}/placeholder`,
      says: 'Creates a placeholder shape that expects components. The document has its key-value metadata. Answers its id.',
      query,
      reads: [simpleMetadataDocument, 'nothing'],
      answers: 'text',
      access: write,
      acting: 'allowed',
      produces: textOnly,
      async handle(call, _type, params) {
        const { tag = [], ...counts } = call.query;
        requireSome(counts);
        const metadata = await sentPairs(call);
        const from = { tags: [...new Set(tag)], expected: counts, metadata };
        const item = params.item;
        const id = await createShape(parts, call, item, from);
        return located(plain(id), call, 'item', item, 'shape', id);
      },
    }),
    route({
      method: 'PUT',
      path: `${shapePath}/placeholder`,
      says: 'Sets the total number of components of a placeholder, by parameters or by keys of the same names.',
      query,
      reads: [simpleMetadataDocument, 'nothing'],
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { tag = [], ...given } = call.query;
        const named = expectedKinds.flatMap((kind) => (given[kind] === undefined ? [] : [[kind, given[kind]]]));
        const counts = { ...countsFrom(await sentPairs(call)), ...Object.fromEntries(named) };
        await inTurnOfItem(parts, shapeNames(params).item, async () => {
          const { shape, shapes, components } = await shapeWithParts(store, call, shapeNames(params), 'WRITE');
          if (shape.placeholder === 0) throw noPlaceholder(shape.id);
          const known = await requireTags(store, tag);
          const wanted = expect(components, counts);
          const more = tag.filter((each) => !shape.tags.includes(each));
          if (wanted.removed.length + wanted.added.length + more.length === 0) return;
          const ids: string[] = [];
          for (let at = 0; at < wanted.added.length; at++) ids.push(await store.nextId('component'));
          const changes = changeExpected(shape, wanted, ids, settings);
          const taken = more.includes(original) ? takeOriginal(shapes, shape) : { changes: [], events: [] };
          const tags = [...shape.tags, ...more];
          const work = {
            changes: [...known, ...taken.changes, ...changes, ...tagShape(shape, more)],
            events: [shapeEvent('modify', { ...shape, tags }), ...taken.events],
          };
          await commitShapes(parts, call, shape.itemId, shapes, work, { grows: wanted.added.length > 0 });
        });
        return done;
      },
    }),
  ];
}
