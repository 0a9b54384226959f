import type { Statement } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import { beforeAll, nextItems } from '../items/public.ts';
import {
  allComponents,
  componentsDue,
  componentsIn,
  componentsOfItems,
  endWalk,
  membersBehind,
  moveWalk,
  type PlacementWalk,
  shapesBehind,
  shapesTagged,
  startWalk,
} from './store.ts';

/** Rows per page. */
const limit = 100;

interface Page {
  readonly components: readonly string[];
  /** Last row. Undefined: no rows after the cursor. */
  readonly last: string | undefined;
  readonly changes?: readonly Statement[];
}

const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);
const jsonOf = (rows: readonly { readonly id: string }[]) => ({ ids: idsOf(rows) });

const pages: Readonly<Record<string, (reader: Reader, walk: PlacementWalk) => Promise<Page>>> = {
  async ALL(reader, { cursor }) {
    const components = idsOf(await allComponents(reader, { after: cursor, limit }));
    return { components, last: components.at(-1) };
  },
  async TAG(reader, { id, cursor }) {
    return ofShapes(reader, await shapesTagged(reader, { tag: id, after: cursor, limit }));
  },
  async SHAPE(reader, { id, cursor }) {
    return ofShapes(reader, cursor === '' ? [{ id }] : []);
  },
  async ITEM(reader, { id, cursor }) {
    return ofShapes(reader, await shapesBehind(reader, { itemId: id, after: cursor, limit }));
  },
  async LIBRARY(reader, { id, cursor }) {
    const slash = cursor.indexOf('/');
    const after = cursor === '' ? beforeAll : { serial: Number(cursor.slice(0, slash)), id: cursor.slice(slash + 1) };
    const items = await nextItems(reader, id, after, limit);
    const last = items.at(-1);
    const components = idsOf(await componentsOfItems(reader, jsonOf(items)));
    return { components, last: last && `${last.serial}/${last.id}` };
  },
  /** Members that are collections get walks of their own. */
  async COLLECTION(reader, { id, cursor }) {
    const slash = cursor.indexOf('/');
    const [type, after] = [cursor.slice(0, Math.max(0, slash)), cursor.slice(slash + 1)];
    const members = await membersBehind(reader, { id, type, after, limit });
    const items = members.filter((member) => member.type === 'item');
    const collections = members.filter((member) => member.type === 'collection');
    const last = members.at(-1);
    return {
      components: idsOf(await componentsOfItems(reader, jsonOf(items))),
      last: last && `${last.type}/${last.id}`,
      changes: collections.flatMap((member) => startWalk('COLLECTION', member.id)),
    };
  },
};

async function ofShapes(reader: Reader, shapes: readonly { readonly id: string }[]): Promise<Page> {
  return { components: idsOf(await componentsIn(reader, jsonOf(shapes))), last: shapes.at(-1)?.id };
}

/** Queues the next page of a walk, in the commit of its cursor. Unknown kinds have no components. */
export async function nextPage(reader: Reader, walk: PlacementWalk): Promise<readonly Statement[]> {
  const page = await pages[walk.kind]?.(reader, walk);
  if (page?.last === undefined) return [endWalk({ serial: walk.serial })];
  return [
    ...(page.changes ?? []),
    ...componentsDue(page.components),
    moveWalk({ serial: walk.serial, cursor: page.last }),
  ];
}
