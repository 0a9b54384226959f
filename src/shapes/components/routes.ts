import { entityNamed } from '../../entities/find.ts';
import type { Call } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType } from '../../http/negotiation.ts';
import { choice, flag, whole } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { done, lines, type Reply } from '../../http/reply.ts';
import { type Params, type Route, route } from '../../http/route.ts';
import { fileKind, noSuchFile, plainFileView, viewOf, viewParameters } from '../../media/public.ts';
import { fileListDocument } from '../../media/public-reading.ts';
import type { MetadataContext } from '../../metadata/public.ts';
import { accountOf } from '../../security/caller.ts';
import type { CommitPlan } from '../../store/contract.ts';
import { adoptFiles } from '../adopt.ts';
import { commitShapes } from '../commit.ts';
import { componentDocument, componentListDocument } from '../documents/component.ts';
import { componentOf, loadComponents } from '../documents/from-rows.ts';
import { releaseFiles } from '../files.ts';
import { expectedKinds } from '../kinds.ts';
import { idsOf, type Shape } from '../load.ts';
import {
  componentNamed,
  componentPath,
  inTurnOfItem,
  noSuchComponent,
  read,
  type ShapeWithParts,
  shapeFor,
  shapeNames,
  shapePath,
  shapeWithParts,
  write,
} from '../places.ts';
import { filesOfShapes } from '../store.ts';
import { addEmpty, attachFile, deleteComponent, detachFile } from './rules.ts';

const { includeItem: _items, ...fileView } = viewParameters;

/** Routes for components of shapes, and for their files. */
export function componentRoutes(parts: MetadataContext): readonly Route[] {
  const { store, render, settings } = parts;
  const all = `${shapePath}/component`;
  const onFile = `${componentPath}/file/:file`;
  const writing = { access: write, acting: 'allowed' } as const;

  /** Changes a shape, and decides again after a conflict. Undefined: no commit. */
  const change = (
    call: Call,
    params: Params,
    grows: boolean,
    decide: (found: ShapeWithParts) => Promise<CommitPlan | undefined>,
  ): Promise<Shape> =>
    inTurnOfItem(parts, shapeNames(params).item, async () => {
      const found = await shapeWithParts(store, call, shapeNames(params), 'WRITE');
      const work = await decide(found);
      if (work) await commitShapes(parts, call, found.shape.itemId, found.shapes, work, { grows });
      return found.shape;
    });

  const one = async (type: MediaType, shape: Shape, id: string): Promise<Reply> => {
    const [loaded] = await loadComponents(store, [shape], plainFileView, id);
    if (loaded) return render(type, componentDocument, componentOf(loaded));
    throw noSuchComponent(id);
  };

  const filesOf = async (shape: Pick<Shape, 'id'>, id: string) =>
    (await filesOfShapes(store, idsOf([shape]))).filter(({ componentId }) => componentId === id);

  return [
    route({
      method: 'GET',
      path: all,
      says: 'The components of a shape.',
      query: fileView,
      answers: componentListDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const reader = store.reader(accountOf(call));
        const shape = await shapeFor(reader, call, params, 'READ');
        const loaded = await loadComponents(reader, [shape], viewOf({ ...call.query, includeItem: false }));
        return renderList(render, type, componentListDocument, { component: loaded.map(componentOf) }, 'component');
      },
    }),
    route({
      method: 'POST',
      path: `${all}/placeholder`,
      says: 'Adds a component without a file. The placeholder then expects its file.',
      query: {
        type: choice('The kind of component', expectedKinds, { required: true }),
        index: whole('Index among the components of its kind, from 0. Default: the last one'),
      },
      answers: componentDocument,
      ...writing,
      produces: documentTypes,
      async handle(call, type, params) {
        const { type: kind, index } = call.query;
        const id = await store.nextId('component');
        const shape = await change(call, params, true, async (found) => addEmpty(found, { id, kind, index }, settings));
        return one(type, shape, id);
      },
    }),
    route({
      method: 'GET',
      path: componentPath,
      says: 'The files of a component. With full=true: the component.',
      query: { full: flag('Answers the component instead of its files', false), ...fileView },
      answers: [fileListDocument, componentDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const shape = await shapeFor(store, call, params, 'READ');
        const id = params.component;
        const view = viewOf({ ...call.query, includeItem: false });
        const [loaded] = await loadComponents(store, [shape], view, id);
        if (!loaded) throw noSuchComponent(id);
        if (type === 'text/plain') {
          return lines(loaded.files.flatMap(({ uri = [] }) => uri.map((each) => [each])));
        }
        if (call.query.full) return render(type, componentDocument, componentOf(loaded));
        const file = loaded.files;
        return renderList(render, type, fileListDocument, { hits: file.length, file }, 'file');
      },
    }),
    route({
      method: 'DELETE',
      path: componentPath,
      says: 'Deletes a component. Files that nothing else uses are marked for deletion.',
      query: { keepFiles: flag('Files stay, also those that nothing else uses', false) },
      ...writing,
      produces: [],
      async handle(call, _type, params) {
        await change(call, params, false, async (found) => {
          const { id } = componentNamed(found.components, params.component);
          const released = await releaseFiles(parts, await filesOf(found.shape, id), () => call.query.keepFiles);
          return deleteComponent(found, id, released);
        });
        return done;
      },
    }),
    route({
      method: 'PUT',
      path: onFile,
      says: 'Assigns a file to a component. With the last expected component, a placeholder becomes a complete shape.',
      query: { allowReimport: flag('Allows a file that a component has', false) },
      answers: componentDocument,
      ...writing,
      produces: documentTypes,
      async handle(call, type, params) {
        const { component: id = '', file = '' } = params;
        const shape = await change(call, params, true, async (found) => {
          const component = componentNamed(found.components, id);
          const { id: fileId } = await entityNamed(store, fileKind(store), file);
          if ((await filesOf(found.shape, id)).some((each) => each.fileId === fileId)) return undefined;
          const { guards } = await adoptFiles(store, call, [fileId], 'path', call.query.allowReimport);
          return attachFile(found, component, fileId, guards);
        });
        return one(type, shape, id);
      },
    }),
    {
      method: 'DELETE',
      path: onFile,
      says: 'Removes a file from a component. The file and the component stay.',
      ...writing,
      produces: [],
      async handle(call, _type, params) {
        const { component: id = '', file = '' } = params;
        await change(call, params, false, async (found) => {
          componentNamed(found.components, id);
          const { id: fileId } = await entityNamed(store, fileKind(store), file);
          if ((await filesOf(found.shape, id)).every((each) => each.fileId !== fileId)) throw noSuchFile(fileId);
          return detachFile(found.shape, id, fileId);
        });
        return done;
      },
    },
  ];
}
