import { groupBy } from '../../core/lib/group-by.ts';
import type { Reader } from '../../core/store/statement.ts';
import { type Addressed, baseOf } from '../../http/address.ts';
import type { MediaType } from '../../http/negotiation.ts';
import { choice, flag, list, type QueryOf, text } from '../../http/parameters/index.ts';
import { identifierOf, maxExternalIds } from '../../room/entities/external-ids/rules.ts';
import { externalIdsOf, externalIdWeights } from '../../room/entities/external-ids/store.ts';
import { heaviestLot } from '../../room/entities/page-weight.ts';
import { hook } from '../../room/hook.ts';
import type { PictureView } from '../../room/media.ts';
import type { Caller } from '../../security/caller.ts';
import { autoAddresses, fileDocuments, hasAllBytes } from '../../storage/public.ts';
import { mergedAccessOf, mergedView } from '../access/public.ts';
import { askingOf, levelsOn, operationTypes } from '../access/public-reading.ts';
import { askerOf } from '../definitions/public-reading.ts';
import { metadataTold, metadataView, metadataWeights, terseView, unfiltered, viewOf } from '../metadata/public.ts';
import type { KnownStates } from '../metadata/public-reading.ts';
import {
  filesNamed,
  filesOfShapes,
  idsOf,
  isTagged,
  itemShapeWeights,
  latestOf,
  loadShapesOf,
  type Shape,
  type ShapeChoice,
  shapeChoiceOf,
  shapeChoiceParameters,
  shapeDocumentsFor,
  shapesAllowed,
  shapesChosen,
} from '../shapes/public.ts';
import { closedByTerms, mediaOfItem, mediaOfShape, usagesOf } from '../usage/public.ts';
import { pathsFrom, pathView, pruned } from './content-paths.ts';
import { itemName } from './contract/entities.ts';
import type { Item } from './documents.ts';
import type { ItemsContext } from './settings.ts';

/** Query parameters that choose shapes and files of items. */
export const fileView = {
  ...shapeChoiceParameters,
  closedFiles: flag('Only addresses of closed files', true),
};

/** Addresses of the files of items, of shapes that no terms of use close to the caller now. */
export async function fileUrisOf(
  reader: Reader,
  caller: Caller,
  shapes: ReadonlyMap<string, readonly Shape[]>,
  choice: ShapeChoice,
  closedOnly: boolean,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tagged = [...shapes.values()].flat().filter((shape) => isTagged(shape, choice));
  const closed = await closedByTerms(reader, caller, tagged.map(mediaOfShape), caller.came);
  const wanted = tagged.filter(({ id }) => !closed.has(id));
  const uses = await filesOfShapes(reader, idsOf(wanted));
  if (uses.length === 0) return new Map();
  const ids = [...new Set(uses.map(({ fileId }) => fileId))];
  const rows = (await filesNamed(reader, { ids })).filter((row) => !closedOnly || hasAllBytes(row));
  const files = new Map((await fileDocuments(reader, rows, choice.files)).map((file) => [file.id, file]));
  const itemOf = new Map(wanted.map(({ id, itemId }) => [id, itemId]));
  const byItem = groupBy(uses, ({ shapeId }) => itemOf.get(shapeId)!);
  return new Map(
    [...byItem].map(([itemId, ofItem]) => {
      const fileIds = [...new Set(ofItem.map(({ fileId }) => fileId))];
      return [itemId, fileIds.flatMap((id) => files.get(id)?.uri ?? [])];
    }),
  );
}

const words = [
  ...(['metadata', 'uri', 'shape', 'poster', 'thumbnail', 'access', 'merged-access', 'external'] as const),
  'usage',
] as const;

/** Query parameters for optional content of item documents. */
export const itemView = {
  content: list(choice('Content of each item in the answer', words)),
  ...metadataView,
  ...terseView,
  ...fileView,
  ...pathView,
  ...mergedView,
  'noauth-url': flag('Addresses of pictures that work without credentials', false),
  baseURI: text('Base address of pictures, instead of the address of this service'),
};

type ItemView = QueryOf<typeof itemView>;

type Word = (typeof words)[number];

/** Allowed first segments of a content path, with the content that each needs. */
export const pathStarts: ReadonlyMap<string, readonly Word[]> = new Map([
  ['id', []],
  ['metadata', ['metadata']],
  ['shape', ['shape']],
  ['access', ['access']],
  ['merged-access', ['merged-access']],
  ['externalId', ['external']],
  ['files', ['uri']],
  ['thumbnails', ['thumbnail']],
  ['posters', ['poster']],
  ['usage', ['usage']],
]);

function askedOf({ p, content = [] }: ItemView): readonly Word[] {
  return p === undefined ? content : pathsFrom(p, pathStarts).flatMap(([{ name }]) => pathStarts.get(name)!);
}

/** Weight of each item on a page. `states` gets the metadata that was read on the way. Refuses a page with too many pictures. */
export async function itemWeights(
  { hooks }: ItemParts,
  call: Viewer,
  ids: readonly string[],
  query: ItemView,
  states?: KnownStates,
): Promise<(id: string) => number> {
  const contents = askedOf(query);
  if (ids.length <= 1 || contents.length === 0) return () => 0;
  const { reader } = call;
  const hasShapes = contents.includes('shape') || contents.includes('uri');
  const [metadata, shapes, external] = await Promise.all([
    contents.includes('metadata') ? metadataWeights(reader, 'item', ids, query, states) : undefined,
    hasShapes ? itemShapeWeights(reader, ids) : undefined,
    contents.includes('external') ? externalIdWeights(reader, itemName.type, ids) : undefined,
  ]);
  const weightOf = (id: string): number => (metadata?.(id) ?? 0) + (shapes?.(id) ?? 0) + (external?.(id) ?? 0);
  // Checks the whole page first: once a response streams, a later batch cannot be refused.
  if (ids.reduce((sum, id) => sum + weightOf(id), 0) > heaviestLot) {
    for (const kind of pictureKinds) {
      if (contents.includes(kind)) await hooks.need(pictureUrisHook)(reader, kind, ids, pictureViewOf(call, query));
    }
  }
  return weightOf;
}

const pictureKinds = ['thumbnail', 'poster'] as const;

interface ItemsMore {
  /** Metadata that was read ahead. */
  readonly states?: KnownStates;
  /** Form of the answer, in which metadata is written at once. Undefined: documents, for readers that look into them. */
  readonly type?: MediaType;
}

/** Loads documents of items, in the order of the ids. With metadata, items are left out that were deleted or closed meanwhile. */
export async function loadItems(
  parts: ItemParts,
  call: Viewer,
  ids: readonly string[],
  query: ItemView,
  { states, type }: ItemsMore = {},
): Promise<readonly Item[]> {
  if (query.p === undefined) return wholeItems(parts, call, ids, query, states, type);
  const paths = pathsFrom(query.p, pathStarts);
  const whole = await wholeItems(parts, call, ids, { ...query, ...unfiltered, content: [...askedOf(query)] }, states);
  return whole.map((item) => ({ ...pruned(item, paths), id: item.id }));
}

/** Jobs view items, too, without pictures. */
type Viewer = Caller | (Caller & Addressed);

/** Addresses of thumbnails or posters of items, of the latest version that has any. */
export const pictureUrisHook =
  hook<
    (
      reader: Reader,
      kind: 'thumbnail' | 'poster',
      ids: readonly string[],
      view: PictureView,
    ) => Promise<ReadonlyMap<string, readonly string[]>>
  >('transcoding');

type ItemParts = Pick<ItemsContext, 'store' | 'hooks' | 'clock' | 'secretKey'> & {
  readonly settings: Pick<ItemsContext['settings'], 'site'>;
};

async function wholeItems(
  parts: ItemParts,
  call: Viewer,
  ids: readonly string[],
  query: ItemView,
  states: KnownStates | undefined,
  type?: MediaType,
): Promise<readonly Item[]> {
  if (query.content === undefined || query.content.length === 0) return ids.map((id) => ({ id }));
  const { settings, hooks } = parts;
  const { reader } = call;
  const has = (word: Word): boolean => query.content!.includes(word);
  const by = { site: settings.site, asker: await askerOf(call), known: states, isTerse: query.terse, type };
  const owners = ids.map((id) => ({ kind: 'item', id }) as const);
  const pictures = (kind: 'thumbnail' | 'poster') =>
    has(kind) ? hooks.need(pictureUrisHook)(reader, kind, ids, pictureViewOf(call, query)) : undefined;
  async function formsOf() {
    if (!has('shape') && !has('uri')) return [undefined, undefined];
    const [shapes, choice] = await Promise.all([
      shapesOf(reader, ids),
      shapeChoiceOf(reader, query, autoAddresses(parts, call)),
    ]);
    return Promise.all([
      has('shape')
        ? shapesAllowed(reader, call, shapes, 'SHAPE').then((some) => documentsOf(reader, call, some, choice))
        : undefined,
      has('uri')
        ? shapesAllowed(reader, call, shapes, 'URI').then((some) =>
            fileUrisOf(reader, call, some, choice, query.closedFiles),
          )
        : undefined,
    ]);
  }
  // Begun together: reads that do not wait for each other share a call.
  const [metadata, [documents, files], external, access, merged, usages, thumbnails, posters] = await Promise.all([
    has('metadata') ? metadataTold(reader, owners, viewOf(query), by) : undefined,
    formsOf(),
    has('external') ? externalIdsOf(reader, itemName.type, ids, maxExternalIds) : undefined,
    has('access') ? permissionsOf(reader, call, ids) : undefined,
    has('merged-access') ? mergedAccessOf(reader, call, 'item', ids, query) : undefined,
    has('usage') ? usagesOf(reader, ids.map(mediaOfItem), call.came) : undefined,
    pictures('thumbnail'),
    pictures('poster'),
  ]);
  const present = metadata ? ids.filter((id) => metadata.has(id)) : ids;
  return present.map((id) => ({
    shape: documents?.get(id),
    access: access?.(id),
    externalId: external?.get(id)?.map((row) => identifierOf(itemName.noun, row)),
    files: files && { uri: files.get(id) ?? [] },
    'merged-access': merged?.get(id),
    usage: usages?.get(id),
    thumbnails: thumbnails && { uri: thumbnails.get(id) ?? [] },
    posters: posters && { uri: posters.get(id) ?? [] },
    id,
    ...metadata?.get(id),
  }));
}

/** Options for picture URIs. */
function pictureViewOf(call: Viewer, query: ItemView): PictureView {
  const keyed = query['noauth-url'];
  const { baseURI } = query;
  if (baseURI !== undefined) return { base: baseURI.replace(/\/+$/, ''), keyed };
  if (!('request' in call)) throw new Error('Expected a request: addresses of pictures begin with its host');
  const base = baseOf(call);
  return { base: keyed ? `${base.slice(0, base.length - call.root.length)}/APInoauth` : base, keyed };
}

type ShapesById = ReadonlyMap<string, readonly Shape[]>;

/** Shapes of the latest essence version, by item. */
export async function shapesOf(reader: Reader, ids: readonly string[]): Promise<ShapesById> {
  const all = groupBy(await loadShapesOf(reader, ids), ({ itemId }) => itemId);
  return new Map(
    [...all].map(([id, shapes]) => {
      const latest = latestOf(shapes);
      return [id, shapes.filter(({ essenceVersion }) => essenceVersion === latest)];
    }),
  );
}

/** Documents of shapes, without placeholders. */
async function documentsOf(reader: Reader, caller: Caller, shapes: ShapesById, choice: ShapeChoice) {
  const whole = [...shapes.values()].flat().filter(({ placeholder }) => placeholder === 0);
  const shown = await shapesChosen(reader, whole, choice);
  const view = { includePlaceholder: false, files: choice.files };
  const documents = await shapeDocumentsFor(reader, caller, shown, view);
  const entries = shown.map((shape, index) => ({ itemId: shape.itemId, document: documents[index]! }));
  const byItem = groupBy(entries, ({ itemId }) => itemId);
  return new Map([...byItem].map(([id, ofItem]) => [id, ofItem.map(({ document }) => document)]));
}

/** Levels of the caller on items, by type of operation. */
async function permissionsOf(
  reader: Reader,
  call: Viewer,
  ids: readonly string[],
): Promise<(id: string) => Item['access']> {
  const places = ids.map((id) => ({ type: itemName.type, id }));
  const asking = await askingOf(call);
  const { levelOf } = await levelsOn(reader, asking, places);
  return (id) =>
    operationTypes.map((type) => ({
      type,
      permission: asking.administrator ? 'ALL' : levelOf({ type: itemName.type, id }, { type }),
    }));
}
