import type { Call } from '../../../http/call.ts';
import { flag, type QueryOf, whole } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import { unlockedFor } from '../../items/contract/item-locks.ts';
import type { MetadataContext } from '../../metadata/public.ts';
import { mediaOfShape, mustBeUsable } from '../../usage/public.ts';
import { commitShapes } from '../change.ts';
import { storedShape } from '../documents/from-rows.ts';
import { type ShapeOf, shapeDocument } from '../documents/shape.ts';
import { releaseFiles } from '../files.ts';
import { idsOf, type Shape } from '../load.ts';
import { componentNamed, componentPath, inTurnOfItem, shapesAt, shapeWithParts, writeShapes } from '../places.ts';
import { filesOfShapes } from '../store.ts';
import { type ComponentTransfer, copyComponent, moveComponent, replacedBy } from './transfer-rules.ts';

const query = {
  index: whole('Index among the components of its kind, from 0. Replaces an existing component'),
  keepMetadata: flag('The key-value metadata of the replaced component stays', false),
};

/** Entities of the path of a transfer. */
interface Ends {
  readonly shape: Shape;
  /** Id of the component. */
  readonly component: string;
  readonly toShape: Shape;
  /** Id of the component to replace. */
  readonly toComponent?: string;
}

/** Routes that move or copy components to another shape. */
export function componentTransferRoutes(parts: MetadataContext): readonly Route[] {
  const { store } = parts;
  const at = shapesAt(store);

  async function transfer(call: Call<QueryOf<typeof query>>, ends: Ends, isMove: boolean): Promise<ShapeOf> {
    const { index, keepMetadata } = call.query;
    const { toShape } = ends;
    // Bytes that leave a shape with terms may come into a shape without any.
    await mustBeUsable(store, call, mediaOfShape(ends.shape), parts.clock.now());
    await inTurnOfItem(parts, toShape.itemId, async () => {
      const from = await shapeWithParts(store, ends.shape);
      const source = componentNamed(from.components, ends.component);
      const to = await shapeWithParts(store, toShape);
      const replaced = replacedBy(source, to, { component: ends.toComponent, index });
      // Source and target are the same position.
      if (replaced?.id === source.id) return;
      const uses = await filesOfShapes(store, idsOf([from.shape, to.shape]));
      const ofReplaced = uses.filter(({ componentId }) => componentId === replaced?.id);
      const released = await releaseFiles(parts, ofReplaced, () => false);
      const wanted: ComponentTransfer = { source, from, to, replaced, released, keepMetadata };
      if (isMove) {
        const { changes, events } = moveComponent(wanted);
        const left = unlockedFor(call, from.shape.itemId, parts.clock.now());
        const work = { changes: [left, ...changes], events };
        return commitShapes(parts, call, toShape.itemId, to.shapes, work, { grows: true });
      }
      const id = await store.nextId('component');
      const files = uses.filter(({ componentId }) => componentId === source.id).map(({ fileId }) => fileId);
      const work = copyComponent(wanted, id, [...new Set(files)]);
      return commitShapes(parts, call, toShape.itemId, to.shapes, work, { grows: true });
    });
    return storedShape(store, toShape.id);
  }

  const kinds = [
    { word: 'copy', says: 'Copies a component to a shape. Both have its files.', isMove: false },
    { word: 'move', says: 'Moves a component to a shape, with its files.', isMove: true },
  ] as const;
  return kinds.flatMap(({ word, says, isMove }) => {
    const path = `${componentPath}/${word}/item/:toItem/shape/:toShape` as const;
    return ([path, `${path}/component/:toComponent`] as const).map((each) =>
      route({
        method: 'POST',
        path: each,
        says,
        entities: { ...at.shape(isMove ? 'WRITE' : 'READ'), ...at.target('WRITE') },
        query,
        answers: shapeDocument,
        access: writeShapes,
        acting: 'allowed',
        handle: (call, ends) => transfer(call, ends, isMove),
      }),
    );
  });
}
