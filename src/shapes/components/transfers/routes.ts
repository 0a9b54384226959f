import type { Call } from '../../../http/call.ts';
import { documentTypes, type MediaType } from '../../../http/negotiation.ts';
import { flag, whole } from '../../../http/parameters/index.ts';
import type { Reply } from '../../../http/reply.ts';
import { type Params, type Route, route, segment } from '../../../http/route.ts';
import { plainFileView } from '../../../media/public.ts';
import type { MetadataContext } from '../../../metadata/public.ts';
import { commitShapes, itemChangeable } from '../../commit.ts';
import { shapeDocuments } from '../../documents/from-rows.ts';
import { shapeDocument } from '../../documents/shape.ts';
import { releaseFiles } from '../../files.ts';
import { idsOf, withTags } from '../../load.ts';
import { componentNamed, componentPath, inTurnOfItem, shapeNames, shapeWithParts, write } from '../../places.ts';
import { filesOfShapes, findShape } from '../../store.ts';
import { type ComponentTransfer, copyComponent, moveComponent, replacedBy } from './rules.ts';

const query = {
  index: whole('Index among the components of its kind, from 0. Replaces an existing component'),
  keepMetadata: flag('The key-value metadata of the replaced component stays', false),
};
type TransferCall = Call<{ readonly index: number | undefined; readonly keepMetadata: boolean }>;

/** Routes that move or copy components to another shape. */
export function componentTransferRoutes(parts: MetadataContext): readonly Route[] {
  const { store, render } = parts;

  async function transfer(call: TransferCall, type: MediaType, params: Params, isMove: boolean): Promise<Reply> {
    const { index, keepMetadata } = call.query;
    const shapeId = await inTurnOfItem(parts, segment(params, 'toItem'), async () => {
      const from = await shapeWithParts(store, call, shapeNames(params), isMove ? 'WRITE' : 'READ');
      const source = componentNamed(from.components, segment(params, 'component'));
      const names = { item: segment(params, 'toItem'), shape: segment(params, 'toShape') };
      const to = await shapeWithParts(store, call, names, 'WRITE');
      const target = { component: params['toComponent'], index };
      const replaced = replacedBy(source, to, target);
      // Source and target are the same position.
      if (replaced?.id === source.id) return to.shape.id;
      const uses = await filesOfShapes(store, idsOf([from.shape, to.shape]));
      const ofReplaced = uses.filter(({ componentId }) => componentId === replaced?.id);
      const released = await releaseFiles(parts, ofReplaced, () => false);
      const wanted: ComponentTransfer = { source, from, to, replaced, released, keepMetadata };
      if (isMove) {
        const { changes, events } = moveComponent(wanted);
        const left = itemChangeable(parts, call, from.shape.itemId);
        await commitShapes(
          parts,
          call,
          to.shape.itemId,
          to.shapes,
          { changes: [...left, ...changes], events },
          { grows: true },
        );
        return to.shape.id;
      }
      const id = await store.nextId('component');
      const files = uses.filter(({ componentId }) => componentId === source.id).map(({ fileId }) => fileId);
      await commitShapes(parts, call, to.shape.itemId, to.shapes, copyComponent(wanted, id, [...new Set(files)]), {
        grows: true,
      });
      return to.shape.id;
    });
    const shapes = await withTags(store, [(await findShape(store, { id: shapeId }))!]);
    const [document] = await shapeDocuments(store, shapes, { includePlaceholder: false, files: plainFileView });
    return render(type, shapeDocument, document!);
  }

  const kinds = [
    { word: 'copy', says: 'Copies a component to a shape. Both have its files.', isMove: false },
    { word: 'move', says: 'Moves a component to a shape, with its files.', isMove: true },
  ] as const;
  return kinds.flatMap(({ word, says, isMove }) => {
    const path = `${componentPath}/${word}/item/:toItem/shape/:toShape`;
    return [path, `${path}/component/:toComponent`].map((each) =>
      route({
        method: 'POST',
        path: each,
        says,
        query,
        answers: shapeDocument,
        access: write,
        acting: 'allowed',
        produces: documentTypes,
        handle: (call, type, params) => transfer(call, type, params, isMove),
      }),
    );
  });
}
