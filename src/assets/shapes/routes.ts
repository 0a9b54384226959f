import { baseOf } from '../../http/address.ts';
import { urisIfAny } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import { choice, flag, list, text, whole } from '../../http/parameters/index.ts';
import { optional } from '../../http/reads.ts';
import { renderLots } from '../../http/render-list.ts';
import { type Route, route } from '../../http/route.ts';
import { externalIdRoutes } from '../../room/entities/external-ids/routes.ts';
import { keyValueRoutes } from '../../room/entities/key-values/routes.ts';
import { hook } from '../../room/hook.ts';
import {
  addressParameters,
  autoAddresses,
  fileLots,
  fileViewOf,
  hasAllBytes,
  listedFiles,
  viewParameters,
  withoutAddresses,
} from '../../storage/public.ts';
import { fileListDocument } from '../../storage/public-reading.ts';
import type { MetadataContext } from '../metadata/public.ts';
import { closedByTerms, mediaOfShape } from '../usage/public.ts';
import { shapesToRead } from './allowed.ts';
import { shapeBytesRoutes } from './byte-routes.ts';
import { createShape, removeShapes } from './change.ts';
import { shapeChoiceOf, shapeChoiceParameters, shapesChosen } from './choice.ts';
import { componentKinds } from './component-kinds.ts';
import { componentRoutes } from './components/routes.ts';
import { componentTransferRoutes } from './components/transfer-routes.ts';
import { shapeDocumentsFor, shapeFrom, storedShape } from './documents/from-rows.ts';
import type { Component } from './documents/shape.ts';
import { type ShapeOf, shapeDocument } from './documents/shape.ts';
import { filenameRoutes } from './filename-routes.ts';
import { labelRoutes } from './label-routes.ts';
import { chosenShapes, idsOf, loadShapes, type Shape, versionsFrom } from './load.ts';
import { shapePlaceholderRoutes } from './placeholder-routes.ts';
import {
  componentPlace,
  readShapes,
  shapeNamed,
  shapePath,
  shapePlace,
  shapesAt,
  shapesPath,
  writeShapes,
} from './places.ts';
import { filesNamed, filesOfShapes } from './store.ts';
import { essenceFields } from './system-fields.ts';
import { maxVersion } from './version-copies.ts';
import { versionRoutes } from './version-routes.ts';

/** Updates the document of a shape with the current analysis of its files. */
type Properties = Readonly<Record<string, unknown>>;

/** Differences between the content of a shape's files and its stored components. */
export interface ShapeNow {
  readonly mimeType: string;
  /** Properties by component id. */
  readonly filled: ReadonlyMap<string, Properties>;
  /** New components, not stored yet, so without an id. `expected`: component of a placeholder that one replaces. */
  readonly added: readonly { readonly kind: string; readonly properties: Properties; readonly expected?: string }[];
  readonly removed: ReadonlySet<string>;
}

/** Current content of a shape's files, which may still grow. Undefined: the files are unreadable. */
export const shapeNowHook = hook<(shapeId: string, signal: AbortSignal) => Promise<ShapeNow | undefined>>('checking');

function withNow(document: ShapeOf, { mimeType, filled, added, removed }: ShapeNow): ShapeOf {
  const rest = Object.entries(document).filter(([name]) => !name.endsWith('Component'));
  const parts = componentKinds.flatMap((kind) => {
    const stored = [document[`${kind}Component`] ?? []].flat() as readonly Component[];
    const remaining = stored
      .filter(({ id }) => !removed.has(id!))
      .map((each) => ({ ...each, ...filled.get(each.id!) }));
    const shown = new Set(stored.map(({ id }) => id));
    const more = added.filter((each) => each.kind === kind && !shown.has(each.expected));
    const all = [...remaining, ...more.map(({ properties }) => properties)];
    return all.length === 0 ? [] : [[`${kind}Component`, kind === 'container' ? all[0] : all] as const];
  });
  return Object.fromEntries([...rest, ...parts, ['mimeType', [mimeType]]]) as ShapeOf;
}

const addresses = flag('Addresses instead of ids', false);
const keepFiles = flag('Files of the shape stay, also those that nothing else uses', false);

export function shapeRoutes(parts: MetadataContext): readonly Route[] {
  const { store, settings, hooks } = parts;
  const at = shapesAt(store);
  const namesOf = (call: Call, shapes: readonly Shape[], url: boolean): readonly string[] =>
    shapes.map(({ id, itemId }) => (url ? `${baseOf(call)}/item/${itemId}/shape/${id}` : id));

  return [
    route({
      method: 'GET',
      path: shapesPath,
      says: 'The shapes of an item.',
      entities: at.item('READ'),
      query: {
        version: text('The essence version: latest, all, latest-per-shapetag, or its number', {
          defaultValue: 'latest',
        }),
        ...shapeChoiceParameters,
        placeholder: choice('Placeholder shapes: without them, only them, or all shapes', ['false', 'true', 'all'], {
          defaultValue: 'false',
          also: { '0': 'false', '1': 'true', no: 'false', yes: 'true' },
        }),
        url: addresses,
      },
      answers: urisIfAny,
      access: readShapes,
      async handle(call, { item }) {
        const { version, placeholder, url } = call.query;
        const filter = { versions: versionsFrom(version), tags: undefined, placeholders: placeholder };
        const { reader } = call;
        const shapes = await shapesToRead(reader, call, await loadShapes(reader, item.id));
        const wanted = await shapeChoiceOf(reader, call.query, autoAddresses(parts, call));
        return namesOf(call, await shapesChosen(reader, chosenShapes(shapes, filter), wanted), url);
      },
    }),
    route({
      method: 'DELETE',
      path: shapesPath,
      says: 'Deletes all shapes of an item, of all versions.',
      entities: at.item('WRITE'),
      query: { keepFiles },
      access: writeShapes,
      acting: 'allowed',
      status: 204,
      async handle(call, { item }) {
        await removeShapes(parts, call, item.id, (shapes) => shapes, call.query);
      },
    }),
    route({
      method: 'POST',
      path: `${shapesPath}/create`,
      says: 'Creates a shape without a job. Its components use the files whose ids they have.',
      entities: at.item('WRITE'),
      query: {
        tag: list(text('The tags of the shape')),
        version: whole('The essence version of the shape. Default: the latest of the item', { max: maxVersion }),
        updateItemMetadata: flag('Updates the metadata of the item from the shape', false),
        externalId: list(text('External ids of the shape')),
      },
      reads: optional(shapeDocument),
      answers: shapeDocument,
      location: ({ id = '' }, { item }) => ['item', item.id, 'shape', id],
      access: writeShapes,
      acting: 'allowed',
      async handle(call, { item }) {
        const { tag = [], version, updateItemMetadata, externalId: externalIds = [] } = call.query;
        const from = shapeFrom(call.body, settings.maxMetadataBytes);
        const tags = [...new Set([...tag, ...from.tags])];
        const fields = updateItemMetadata ? essenceFields(call.body ?? {}) : {};
        const request = { version, ...from, tags, externalIds };
        return storedShape(store, await createShape(parts, call, item.id, request, fields));
      },
    }),
    route({
      method: 'GET',
      path: shapePath,
      says: 'One shape with its components and their files.',
      entities: at.shape('READ'),
      query: {
        includePlaceholder: flag('Adds the components that the shape still expects', false),
        transient: flag('Probes readable files again, because they may still be growing', false),
        ...addressParameters,
      },
      answers: shapeDocument,
      access: readShapes,
      async handle(call, { shape }) {
        const files = fileViewOf(call.query, autoAddresses(parts, call));
        const { includePlaceholder, transient } = call.query;
        const now = transient ? await hooks.need(shapeNowHook)(shape.id, call.request.signal) : undefined;
        const [document] = await shapeDocumentsFor(store, call, [shape], { includePlaceholder, files });
        return now ? withNow(document!, now) : document!;
      },
    }),
    route({
      method: 'DELETE',
      path: shapePath,
      says: 'Deletes a shape. Answers the remaining shapes.',
      entities: at.shape('WRITE'),
      query: {
        keepFiles,
        updateMetadata: flag('Removes metadata of the shape from the item', false),
        url: addresses,
      },
      answers: urisIfAny,
      access: writeShapes,
      acting: 'allowed',
      async handle(call, { shape: { id, itemId } }) {
        const remaining = await removeShapes(parts, call, itemId, (shapes) => [shapeNamed(shapes, id)], call.query);
        const filter = { versions: 'all', tags: undefined, placeholders: 'false' } as const;
        return namesOf(call, chosenShapes(remaining, filter), call.query.url);
      },
    }),
    route({
      method: 'GET',
      path: `${shapePath}/file`,
      says: 'The files of a shape.',
      entities: at.shape('READ'),
      query: { closedFiles: flag('Only files whose bytes are complete', true), ...viewParameters },
      answers: raw(fileListDocument),
      access: readShapes,
      async handle(call, { shape }) {
        const { reader } = call;
        const uses = await filesOfShapes(reader, idsOf([shape]));
        const ids = [...new Set(uses.map(({ fileId }) => fileId))];
        const rows = (await filesNamed(reader, { ids })).filter((row) => !call.query.closedFiles || hasAllBytes(row));
        const closed = await closedByTerms(reader, call, [mediaOfShape(shape)], call.came);
        const view = fileViewOf(call.query, autoAddresses(parts, call));
        const lots = await fileLots(reader, rows);
        return renderLots(call.render, call.type, fileListDocument, { hits: rows.length }, 'file', lots, (lot) =>
          listedFiles(reader, lot, closed.size > 0 ? withoutAddresses(view) : view),
        );
      },
    }),
    ...shapeBytesRoutes(parts),
    ...filenameRoutes(parts),
    ...labelRoutes(parts),
    ...shapePlaceholderRoutes(parts),
    ...componentRoutes(parts),
    ...componentTransferRoutes(parts),
    ...versionRoutes(parts),
    ...keyValueRoutes(parts, shapePlace(parts)),
    ...externalIdRoutes(parts, shapePlace(parts)),
    ...keyValueRoutes(parts, componentPlace(parts)),
  ];
}
