import { inSlices, yieldTurn } from '../../core/lib/turn.ts';
import { answer } from '../../http/answers.ts';
import { raw } from '../../http/forms.ts';
import { flag, type QueryOf } from '../../http/parameters/index.ts';
import { renderLots } from '../../http/render-list.ts';
import { type Params, type Route, role, route } from '../../http/route.ts';
import type { Caller } from '../../security/caller.ts';
import { addressParameters, autoAddresses, fileAddresses, fileViewOf } from '../../storage/public.ts';
import { usesOf } from '../../storage/public-reading.ts';
import { readableAmong } from '../access/public.ts';
import { accessOf } from '../access/public-reading.ts';
import { shapeDocumentsFor, shapeLots, shapesNamed, shapesToRead, withTags } from '../shapes/public.ts';
import { type ShapeOf, shapeListDocument } from '../shapes/public-reading.ts';
import { itemListDocument } from './documents.ts';
import type { ItemsContext } from './settings.ts';

const read = role('_file_read');
const query = { ...addressParameters, includePlaceholder: flag('Adds the components that placeholders expect', false) };
type ShapeQuery = QueryOf<typeof query>;

/** Shapes per slice: few, since each contains many documents. */
const shapesAtOnce = 4;

/** Routes for shapes and items that use a file, for all addresses of files. */
export function usesOfFileRoutes(parts: ItemsContext): readonly Route[] {
  const { store } = parts;
  const { paths, fileOf } = fileAddresses(store);

  const usesAt = async (params: Params) => usesOf(store, { ids: [(await fileOf(params)).id] });

  type Use = readonly [shape: string, item: string];

  /**
   * Documents of shapes. Unreadable ones show only their id and item, so that the caller knows all uses of the file.
   */
  async function shapesIn(call: Caller, uses: readonly Use[], query: ShapeQuery): Promise<readonly ShapeOf[]> {
    const view = { includePlaceholder: query.includePlaceholder, files: fileViewOf(query, autoAddresses(parts, call)) };
    const whole = async (uses: readonly Use[]): Promise<readonly ShapeOf[]> => {
      const rows = await shapesNamed(store, { ids: uses.map(([id]) => id) });
      const readable = await shapesToRead(store, call, await withTags(store, rows));
      const shapes = await shapeDocumentsFor(store, call, readable, view);
      const documents = new Map(shapes.map((shape) => [shape.id, shape]));
      await yieldTurn();
      return uses.map(([id, item]) => ({ ...(documents.get(id) ?? { id }), item: [{ id: item }] }));
    };
    return inSlices(uses, whole, shapesAtOnce);
  }

  return paths.flatMap((path) => [
    route({
      method: 'GET',
      path: `${path}/shape`,
      says: 'The shapes that use a file, with all content if the caller may read them.',
      query,
      answers: raw(shapeListDocument),
      access: read,
      async handle(call, params) {
        const { render, type } = call;
        const itemOf = new Map((await usesAt(params)).map(({ shapeId, itemId }) => [shapeId, itemId]));
        const uses = [...itemOf].map(([id, item]) => ({ id, item }));
        const lots = await shapeLots(call.reader, uses);
        return renderLots(render, type, shapeListDocument, { hits: uses.length }, 'shape', lots, (lot) =>
          shapesIn(
            call,
            lot.map(({ id, item }) => [id, item]),
            call.query,
          ),
        );
      },
    }),
    route({
      method: 'GET',
      path: `${path}/item`,
      says: 'The items that use a file and that the caller may read.',
      answers: answer(itemListDocument, { list: 'item' }),
      access: read,
      async handle(call, params) {
        const ids = [...new Set((await usesAt(params)).map(({ itemId }) => itemId))];
        const readable = await readableAmong(store, await accessOf(store, call), 'item', ids);
        const item = ids.filter((id) => readable.has(id)).map((id) => ({ id }));
        return { hits: item.length, item };
      },
    }),
  ]);
}
