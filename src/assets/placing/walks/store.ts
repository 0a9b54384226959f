import { sql } from 'drizzle-orm';
import type { Statement } from '../../../core/store/contract.ts';
import { deleteBy, updateBy } from '../../../core/store/rows.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../../core/store/statement.ts';
import { collectionMember } from '../../items/public.ts';
import { component, shape, shapeTagged } from '../../shapes/public.ts';
import { placingWalk } from '../tables.ts';

export const firstWalk = query((db) => db.select().from(placingWalk).orderBy(placingWalk.serial).limit(1)).first;

export type PlacementWalk = NonNullable<Awaited<ReturnType<typeof firstWalk>>>;

export const allComponents = query((db) =>
  db
    .select({ id: component.id })
    .from(component)
    .where(sql`${component.id} > ${value('after')}`)
    .orderBy(component.id)
    .limit(value('limit')),
);

export const shapesTagged = query((db) =>
  db
    .select({ id: shapeTagged.shapeId })
    .from(shapeTagged)
    .where(sql`${shapeTagged.tag} = ${value('tag')} AND ${shapeTagged.shapeId} > ${value('after')}`)
    .orderBy(shapeTagged.shapeId)
    .limit(value('limit')),
);

export const shapesBehind = query((db) =>
  db
    .select({ id: shape.id })
    .from(shape)
    .where(sql`${shape.itemId} = ${value('itemId')} AND ${shape.id} > ${value('after')}`)
    .orderBy(shape.id)
    .limit(value('limit')),
);

export const membersBehind = query((db) =>
  db
    .select({ type: collectionMember.memberType, id: collectionMember.memberId })
    .from(collectionMember)
    .where(
      sql`${collectionMember.collectionId} = ${value('id')}
        AND (${collectionMember.memberType}, ${collectionMember.memberId}) > (${value('type')}, ${value('after')})`,
    )
    .orderBy(collectionMember.memberType, collectionMember.memberId)
    .limit(value('limit')),
);

/** Components of shapes. `ids`: JSON array of shapes. */
export const componentsIn = query(
  sql`SELECT component.id FROM ${eachOf('ids')} AS given CROSS JOIN component ON shape_id = given.value`,
  { id: component.id },
);

/** Components of items. `ids`: JSON array of items. */
export const componentsOfItems = query(
  sql`SELECT component.id FROM ${eachOf('ids')} AS given CROSS JOIN shape ON item_id = given.value
    CROSS JOIN component ON shape_id = shape.id`,
  { id: component.id },
);

/** Replaces rows to get new serials, like the triggers. `ids`: JSON array of components. */
const makeDue = [
  sql`DELETE FROM ${writes('placing_due')} WHERE component_id IN ${valuesOf('ids')}`,
  sql`INSERT INTO ${writes('placing_due')} (component_id, due) SELECT DISTINCT value, 1 FROM ${eachOf('ids')}`,
].map((template) => statement<{ ids: readonly string[] }>(template));

const restartWalk = [
  sql`DELETE FROM ${writes('placing_walk')} WHERE kind = ${value('kind')} AND id = ${value('id')}`,
  sql`INSERT INTO ${writes('placing_walk')} (kind, id, cursor) VALUES (${value('kind')}, ${value('id')}, '')`,
].map((template) => statement<{ kind: string; id: string }>(template));

const filled = <V>(statements: readonly ((values: V) => Statement)[], values: V): readonly Statement[] =>
  statements.map((statement) => statement(values));

export const componentsDue = (ids: readonly string[]): readonly Statement[] => filled(makeDue, { ids });
export const startWalk = (kind: string, id: string): readonly Statement[] => filled(restartWalk, { kind, id });

export const moveWalk = updateBy(placingWalk, 'serial', 'cursor');
export const endWalk = deleteBy(placingWalk, 'serial');
