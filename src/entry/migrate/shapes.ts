import type {
  AnyComponentType,
  ExternalIdentifierListDocument,
  FileType,
  ShapeType,
  URIListDocument,
} from '../../types.ts';
import { Refused } from './calls.ts';
import type { Difference, Migration, Parts } from './carry.ts';
import { bringFile, fileFacts, pairParts, putFilePairs } from './files.ts';
import { many } from './original.ts';
import { at, type Path } from './places.ts';

type Component = AnyComponentType;

const kinds = [
  ...(['containerComponent', 'videoComponent', 'audioComponent'] as const),
  ...(['subtitleComponent', 'binaryComponent', 'descriptorComponent'] as const),
];
type ComponentKind = (typeof kinds)[number];

const componentsOf = (shape: ShapeType, kind: ComponentKind): readonly Component[] =>
  many(shape[kind] as Component | readonly Component[] | undefined);

/** Content of a shape without what the target numbers itself. `filesOf`: what a component has in place of its files. */
function bodyOf(shape: ShapeType, filesOf: (files: readonly FileType[]) => unknown): object {
  const { tag, mimeType, metadata } = shape;
  const components = kinds.flatMap((kind) => {
    const all = componentsOf(shape, kind).map(({ id: _id, file, ...properties }) => ({
      ...properties,
      file: filesOf(many(file)),
    }));
    return all.length === 0 ? [] : [[kind, kind === 'containerComponent' ? all[0] : all] as const];
  });
  return {
    tag: many(tag).toSorted(),
    mimeType: many(mimeType),
    ...(metadata && { metadata }),
    ...Object.fromEntries(components),
  };
}

/** A shape, with the kinds of components that it still expects. */
export type OldShape = ShapeType & { readonly expected?: readonly string[] };

/** Kinds of components that a placeholder expects, each as often as it does. `whole`: the shape with them. */
export const expectedIn = (shape: ShapeType, whole: ShapeType): readonly string[] =>
  kinds.flatMap((kind) => {
    const number = componentsOf(whole, kind).length - componentsOf(shape, kind).length;
    return Array.from({ length: Math.max(number, 0) }, () => kind.replace('Component', ''));
  });

/** A part for each shape: components, files, tags, essence version and metadata. */
export function shapeParts(shapes: readonly OldShape[]): Parts {
  const files = shapes.flatMap((shape) => kinds.flatMap((kind) => componentsOf(shape, kind)).map(({ file }) => file));
  const pairs: Parts = Object.assign({}, ...files.flatMap((each) => many(each)).map(pairParts));
  const own = Object.fromEntries(
    shapes.map((shape) => [
      `shape/${shape.id}`,
      {
        version: shape.essenceVersion ?? 0,
        ...bodyOf(shape, (files) => files.map(fileFacts)),
        ...(shape.expected && { expected: shape.expected }),
      },
    ]),
  );
  return { ...own, ...pairs };
}

const serialOf = ({ id = '' }: ShapeType): number => Number(/\d+$/.exec(id)?.[0] ?? 0);

/** In the order in which they were made: the first shape of an item becomes its original. */
const inOrder = (shapes: readonly OldShape[]): readonly OldShape[] =>
  shapes.toSorted((a, b) => (a.essenceVersion ?? 0) - (b.essenceVersion ?? 0) || serialOf(a) - serialOf(b));

interface Shaped {
  /** Path of the item here. */
  readonly path: Path;
  readonly old: string;
  readonly shapes: readonly OldShape[];
  readonly originalFilename: string | undefined;
}

/** Brings the shapes of an item into the state of the parts. */
export async function putShapes(migration: Migration, shaped: Shaped, difference: Difference): Promise<void> {
  await putOnlyShapes(migration, shaped, difference);
  await putFilePairs(migration, difference);
}

async function putOnlyShapes(migration: Migration, shaped: Shaped, difference: Difference): Promise<void> {
  const { target } = migration;
  const { path, shapes } = shaped;
  const { changed, gone, isKnown } = difference;
  const isShape = (key: string) => key.startsWith('shape/');
  const leaving = [...gone, ...(isKnown ? changed : [])].filter(isShape);
  for (const key of leaving) {
    const old = at`${path}/shape/${key.slice('shape/'.length)}`;
    if (await target.find(old)) await target.write('DELETE', at`${old}?keepFiles=true`);
  }
  const coming = inOrder(shapes).filter(({ id }) => changed.has(`shape/${id}`));
  if (coming.length === 0) return;
  const earlier = difference.id === undefined ? none : await shapesThere(migration, path);
  const latest = Math.max(...shapes.map(({ essenceVersion = 0 }) => essenceVersion));
  for (const shape of coming) {
    if (earlier.oldIds.has(shape.id ?? '')) continue;
    const isDescribed = many(shape.tag).includes('original') && (shape.essenceVersion ?? 0) === latest;
    if (isWaiting(shape)) {
      const id = earlier.waiting.shift() ?? (await createPlaceholder(migration, path, shape));
      await target.write('PUT', oldIdPath(path, id, shape));
      continue;
    }
    await createShape(migration, shaped, shape, earlier.byUuid, isDescribed);
    if (shape.expected)
      migration.report.remark(
        'Shapes that have some components, and wait for no further ones here',
        shaped.old,
        `shape/${shape.id}`,
      );
  }
}

const oldIdPath = (path: Path, id: string, { id: old = '' }: ShapeType): Path =>
  at`${path}/shape/${id}/external-id/${old}`;

/** Whether a shape has nothing yet. */
const isWaiting = (shape: OldShape): boolean =>
  shape.expected !== undefined && kinds.every((kind) => componentsOf(shape, kind).length === 0);

async function createPlaceholder({ target }: Migration, path: Path, shape: OldShape): Promise<string> {
  const counts = new Map<string, number>();
  for (const kind of shape.expected ?? []) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const query = new URLSearchParams(Array.from(counts, ([kind, count]) => [kind, String(count)]));
  for (const tag of many(shape.tag)) query.append('tag', tag);
  return target.write<string>('POST', at`${path}/shape/placeholder?${query}`, shape.metadata);
}

interface ShapesThere {
  readonly oldIds: ReadonlySet<string>;
  readonly byUuid: ReadonlyMap<string, string>;
  /** Placeholders without an old id. */
  readonly waiting: string[];
}

const none: ShapesThere = { oldIds: new Set(), byUuid: new Map(), waiting: [] };

/** Shapes that a killed run may have left without their old ids. */
async function shapesThere({ target }: Migration, path: Path): Promise<ShapesThere> {
  const { uri } = await target.read<URIListDocument>(at`${path}/shape?version=all&placeholder=all`);
  const oldIds = new Set<string>();
  const byUuid = new Map<string, string>();
  const waiting: string[] = [];
  for (const id of many(uri)) {
    const ids = many((await target.read<ExternalIdentifierListDocument>(at`${path}/shape/${id}/external-id`)).id);
    for (const { externalId = '' } of ids) oldIds.add(externalId);
    if (ids.length > 0) continue;
    const { uuid } = await target.read<ShapeType>(at`${path}/shape/${id}`);
    if (uuid === undefined) waiting.push(id);
    else byUuid.set(uuid, id);
  }
  return { oldIds, byUuid, waiting };
}

/** The uuid at the original, or else one that is the same in all runs. */
function uuidFor({ newHasher, original }: Migration, { id, uuid }: ShapeType): string {
  if (uuid) return uuid.toLowerCase();
  const hasher = newHasher();
  hasher.update(new TextEncoder().encode(`${original.address} shape ${id}`));
  return hasher.hex().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

async function createShape(
  migration: Migration,
  { path, originalFilename }: Shaped,
  shape: ShapeType,
  byUuid: ShapesThere['byUuid'],
  isDescribed: boolean,
): Promise<void> {
  const { target } = migration;
  const uuid = uuidFor(migration, shape);
  const here = new Map<string, string>();
  for (const file of kinds.flatMap((kind) => componentsOf(shape, kind)).flatMap((each) => many(each.file))) {
    const { id = '' } = file;
    if (here.has(id)) continue;
    const own = await bringFile(migration, shape.id ?? '', file);
    if (own !== undefined) here.set(id, own);
  }
  const idsOf = (files: readonly FileType[]) => files.flatMap(({ id = '' }) => here.get(id) ?? []);
  const query = { version: String(shape.essenceVersion ?? 0), updateItemMetadata: String(isDescribed) };
  const create = (body: object, more: Readonly<Record<string, string>> = {}) =>
    target.write<ShapeType>('POST', at`${path}/shape/create?${new URLSearchParams({ ...query, ...more })}`, {
      ...body,
      uuid,
      ...metadataWith(shape, isDescribed ? originalFilename : undefined),
    });
  const earlier = byUuid.get(uuid);
  if (earlier === undefined)
    try {
      const body = bodyOf(shape, (files) => idsOf(files).map((id) => ({ id })));
      await create(body, { externalId: shape.id ?? '' });
      return;
    } catch (error) {
      if (!(error instanceof Refused) || error.status >= 500 || here.size === 0) throw error;
    }
  // A file belongs to another shape already: components of the new shape take their files one by one, and share them.
  const created = earlier
    ? await target.read<ShapeType>(at`${path}/shape/${earlier}`)
    : await create(bodyOf(shape, () => []));
  for (const kind of kinds) {
    const own = componentsOf(created, kind);
    for (const [index, { file }] of componentsOf(shape, kind).entries())
      for (const id of idsOf(many(file))) {
        const component = at`${path}/shape/${created.id ?? ''}/component/${own[index]!.id ?? ''}`;
        await target.write('PUT', at`${component}/file/${id}?allowReimport=true`);
      }
  }
  await target.write('PUT', oldIdPath(path, created.id!, shape));
}

/** Key-value metadata, with the name that the item had at its import. Old releases note it at the item alone. */
function metadataWith({ metadata }: ShapeType, originalFilename: string | undefined): Pick<ShapeType, 'metadata'> {
  const field = [...many(metadata?.field)];
  const isNamed = field.some(({ key }) => key === 'originalFilename');
  if (originalFilename !== undefined && !isNamed) field.push({ key: 'originalFilename', value: originalFilename });
  return field.length === 0 ? {} : { metadata: { field } };
}
