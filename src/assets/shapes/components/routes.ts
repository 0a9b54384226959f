import type { CommitPlan } from '../../../core/store/contract.ts';
import { answer } from '../../../http/answers.ts';
import { raw } from '../../../http/forms.ts';
import { choice, flag, whole } from '../../../http/parameters/index.ts';
import { renderList } from '../../../http/render-list.ts';
import { lines } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { pathEntity } from '../../../room/entities/find.ts';
import type { Caller } from '../../../security/caller.ts';
import {
  addressParameters,
  autoAddresses,
  fileKind,
  fileViewOf,
  noSuchFile,
  plainFileView,
} from '../../../storage/public.ts';
import { fileListDocument } from '../../../storage/public-reading.ts';
import type { MetadataContext } from '../../metadata/public.ts';
import { commitShapes } from '../change.ts';
import { expectedKinds } from '../component-kinds.ts';
import { componentOf, loadComponents } from '../documents/from-rows.ts';
import { componentDocument, componentListDocument } from '../documents/shape.ts';
import { adoptFiles, releaseFiles } from '../files.ts';
import { idsOf, type Shape } from '../load.ts';
import {
  componentNamed,
  componentPath,
  inTurnOfItem,
  noSuchComponent,
  readShapes,
  type ShapeWithParts,
  shapePath,
  shapesAt,
  shapeWithParts,
  writeShapes,
} from '../places.ts';
import { filesOfShapes } from '../store.ts';
import { addEmpty, attachFile, deleteComponent, detachFile } from './rules.ts';

/** Routes for components of shapes, and for their files. */
export function componentRoutes(parts: MetadataContext): readonly Route[] {
  const { store, settings } = parts;
  const at = shapesAt(store);
  const all = `${shapePath}/component`;
  const onFile = `${componentPath}/file/:file`;
  const onFileAt = { ...at.shape('WRITE'), file: pathEntity(store, fileKind(store)) };
  const writing = { access: writeShapes, acting: 'allowed' } as const;

  /** Changes a shape, and decides again after a conflict. Undefined: no commit. */
  const change = (
    call: Caller,
    shape: Shape,
    grows: boolean,
    decide: (withParts: ShapeWithParts) => Promise<CommitPlan | undefined>,
  ): Promise<void> =>
    inTurnOfItem(parts, shape.itemId, async () => {
      const withParts = await shapeWithParts(store, shape);
      const work = await decide(withParts);
      if (work) await commitShapes(parts, call, shape.itemId, withParts.shapes, work, { grows });
    });

  const loadOne = async (shape: Shape, id: string, view = plainFileView) => {
    const [loaded] = await loadComponents(store, [shape], view, id);
    if (loaded) return loaded;
    throw noSuchComponent(id);
  };

  const filesOf = async (shape: Pick<Shape, 'id'>, id: string) =>
    (await filesOfShapes(store, idsOf([shape]))).filter(({ componentId }) => componentId === id);

  return [
    route({
      method: 'GET',
      path: all,
      says: 'The components of a shape.',
      entities: at.shape('READ'),
      query: addressParameters,
      answers: answer(componentListDocument, { list: 'component' }),
      access: readShapes,
      async handle(call, { shape }) {
        const view = fileViewOf(call.query, autoAddresses(parts, call));
        const loaded = await loadComponents(call.reader, [shape], view);
        return { component: loaded.map(componentOf) };
      },
    }),
    route({
      method: 'POST',
      path: `${all}/placeholder`,
      says: 'Adds a component without a file. The placeholder then expects its file.',
      entities: at.shape('WRITE'),
      query: {
        type: choice('The kind of component', expectedKinds, { required: true }),
        index: whole('Index among the components of its kind, from 0. Default: the last one'),
      },
      answers: componentDocument,
      ...writing,
      async handle(call, { shape }) {
        const { type: kind, index } = call.query;
        const id = await store.nextId('component');
        await change(call, shape, true, async (withParts) => addEmpty(withParts, { id, kind, index }, settings));
        return componentOf(await loadOne(shape, id));
      },
    }),
    route({
      method: 'GET',
      path: componentPath,
      says: 'The files of a component. With full=true: the component.',
      entities: at.shape('READ'),
      query: { full: flag('Answers the component instead of its files', false), ...addressParameters },
      answers: raw([fileListDocument, componentDocument, 'text']),
      access: readShapes,
      async handle(call, { shape, component }) {
        const { render, type, query } = call;
        const loaded = await loadOne(shape, component, fileViewOf(query, autoAddresses(parts, call)));
        const { files: file } = loaded;
        if (type === 'text/plain') return lines(file.flatMap(({ uri = [] }) => uri.map((each) => [each])));
        if (query.full) return render(type, componentDocument, componentOf(loaded));
        return renderList(render, type, fileListDocument, { hits: file.length, file }, 'file');
      },
    }),
    route({
      method: 'DELETE',
      path: componentPath,
      says: 'Deletes a component. Files that nothing else uses are marked for deletion.',
      entities: at.shape('WRITE'),
      query: { keepFiles: flag('Files stay, also those that nothing else uses', false) },
      ...writing,
      handle: (call, { shape, component: id }) =>
        change(call, shape, false, async (withParts) => {
          componentNamed(withParts.components, id);
          const released = await releaseFiles(parts, await filesOf(shape, id), () => call.query.keepFiles);
          return deleteComponent(withParts, id, released);
        }),
    }),
    route({
      method: 'PUT',
      path: onFile,
      says: 'Assigns a file to a component. With the last expected component, a placeholder becomes a complete shape.',
      entities: onFileAt,
      query: { allowReimport: flag('Allows a file that a component has', false) },
      answers: componentDocument,
      ...writing,
      async handle(call, { shape, component: id, file }) {
        await change(call, shape, true, async (withParts) => {
          const component = componentNamed(withParts.components, id);
          if ((await filesOf(shape, id)).some(({ fileId }) => fileId === file.id)) return undefined;
          const { guards } = await adoptFiles(store, call, [file.id], 'path', call.query.allowReimport);
          return attachFile(withParts, component, file.id, guards);
        });
        return componentOf(await loadOne(shape, id));
      },
    }),
    route({
      method: 'DELETE',
      path: onFile,
      says: 'Removes a file from a component. The file and the component stay.',
      entities: onFileAt,
      ...writing,
      handle: (call, { shape, component: id, file }) =>
        change(call, shape, false, async (withParts) => {
          componentNamed(withParts.components, id);
          if ((await filesOf(shape, id)).every(({ fileId }) => fileId !== file.id)) throw noSuchFile(file.id);
          return detachFile(withParts.shape, id, file.id);
        }),
    }),
  ];
}
