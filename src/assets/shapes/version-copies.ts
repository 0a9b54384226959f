import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { Caller } from '../../security/caller.ts';
import type { MetadataContext } from '../metadata/public.ts';
import { copyTerms } from '../usage/public.ts';
import { mustHaveShapes } from './allowed.ts';
import { commitShapes } from './change.ts';
import type { ComponentKind } from './component-kinds.ts';
import { type NewShape, newShape } from './create.ts';
import { mimeTypesOf } from './documents/from-rows.ts';
import { idsOf, latestOf, loadShapes, type Shape } from './load.ts';
import { inTurnOfItem, type ShapeWithParts } from './places.ts';
import { losingTo, sameShape } from './rules.ts';
import { componentsOfShapes, filesOfShapes, versionFree } from './store.ts';
import { fieldsFollowing, originalOf } from './system-fields.ts';

export const maxVersion = 1_000_000;

/** Key-value metadata of one owner. */
type Pairs = readonly { readonly key: string; readonly value: string }[];

interface Copied extends Omit<ShapeWithParts, 'shapes'> {
  readonly files: readonly { readonly componentId: string; readonly fileId: string }[];
  /** Key-value metadata of the shape; `componentMetadata`: of its components. */
  readonly metadata: ReadonlyMap<string, Pairs>;
  readonly componentMetadata: ReadonlyMap<string, Pairs>;
}

/** Copies a shape to another version. Both use the same files. */
function versionOfShape({ shape, components, files, metadata, componentMetadata }: Copied, version: number): NewShape {
  if (shape.placeholder === 1) throw badValue('shape', 'a shape that is no placeholder', shape.id);
  return {
    itemId: shape.itemId,
    essenceVersion: version,
    tags: shape.tags,
    mimeTypes: mimeTypesOf(shape),
    metadata: pairsOf(metadata.get(shape.id)),
    components: components.map((row) => ({
      kind: row.kind as ComponentKind,
      properties: JSON.parse(row.document) as Readonly<Record<string, unknown>>,
      files: files.filter(({ componentId }) => componentId === row.id).map(({ fileId }) => fileId),
      metadata: pairsOf(componentMetadata.get(row.id)),
    })),
  };
}

const pairsOf = (pairs: Pairs = []) => pairs.map(({ key, value }) => [key, value, 'add'] as const);

/** Shape of the version that shares a tag. */
const taggedAlike = (shapes: readonly Shape[], shape: Shape, version: number): Shape | undefined =>
  shapes.find(({ essenceVersion, tags }) => essenceVersion === version && tags.some((tag) => shape.tags.includes(tag)));

export function versionNumber(text: string): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= maxVersion) return number;
  throw badValue('path', `a whole number from 0 to ${maxVersion}`, text);
}

export const noSuchVersion = (text: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'essence-version', id: text.slice(0, 80) });

const versionTaken = ({ id }: Shape, version: number): ServiceError =>
  new ServiceError('already-exists', {
    context: 'essence-version',
    id,
    explanation: `Expected a version without a shape of the same tag: version ${version} has one`,
    value: String(version),
  });

/** Selects the shapes of an item to be copied. */
export type Choose = (shapes: readonly Shape[]) => readonly Shape[];

/** Copies shapes of an item to another essence version: without a number, to the next one. */
export async function copyShapes(
  parts: MetadataContext,
  call: Caller,
  itemId: string,
  choose: Choose,
  wanted?: number,
): Promise<{ readonly version: number; readonly ids: readonly string[] }> {
  const { store } = parts;
  return inTurnOfItem(parts, itemId, async () => {
    const shapes = await loadShapes(store, itemId);
    const chosen = choose(shapes);
    const version = wanted ?? (latestOf(shapes) ?? 0) + 1;
    const losing = losingTo(shapes, { id: '', essenceVersion: version }, []);
    await mustHaveShapes(store, call, [...chosen, ...losing], 'WRITE');
    const copies = await copiesOf(parts, shapes, chosen, version);
    // Guards come first: two copied shapes may share a tag, which a guard after the first copy would refuse.
    const guards = chosen.flatMap((shape) => [...sameShape(shape), freeFor(shape, version)]);
    const work = together(changing(...guards), ...copies);
    // System fields follow a new original. Copies of the one already described change none.
    const [before, after] = [originalOf(shapes), originalOf(chosen)];
    const isOther = before && after && before.id !== after.id && version > before.essenceVersion;
    const fields = isOther ? await fieldsFollowing(parts, itemId, [before], after) : {};
    await commitShapes(parts, call, itemId, shapes, work, { grows: true, fields });
    return { version, ids: copies.map(({ id }) => id) };
  });
}

const freeFor = ({ id, itemId, tags }: Shape, version: number): Statement =>
  versionFree({ itemId, version, tags }, changedMeanwhile('Shape', id));

const namesOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

async function copiesOf(parts: MetadataContext, shapes: readonly Shape[], chosen: readonly Shape[], version: number) {
  const { store } = parts;
  const ids = idsOf(chosen);
  const components = await componentsOfShapes(store, ids);
  const files = await filesOfShapes(store, ids);
  const metadata = await keyValuesOf(store, 'shape', namesOf(chosen));
  const componentMetadata = await keyValuesOf(store, 'component', namesOf(components));
  const copies: (CommitPlan & { readonly id: string })[] = [];
  for (const shape of chosen) {
    const other = taggedAlike(shapes, shape, version);
    if (other) throw versionTaken(other, version);
    const own = components.filter(({ shapeId }) => shapeId === shape.id);
    const request = versionOfShape({ shape, components: own, files, metadata, componentMetadata }, version);
    const copy = await newShape(parts, request);
    copies.push({ id: copy.id, ...together(copy, changing(copyTerms({ from: shape.id, to: copy.id }))) });
  }
  return copies;
}
