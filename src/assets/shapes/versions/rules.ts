import { badValue } from '../../../core/documents/bad-value.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { ShapeWish } from '../create.ts';
import { mimeTypesOf } from '../documents/from-rows.ts';
import type { ComponentKind } from '../kinds.ts';
import type { Shape } from '../load.ts';
import type { ShapeWithParts } from '../places.ts';

const largest = 1_000_000;

/** Key-value metadata of one owner. */
type Pairs = readonly { readonly key: string; readonly value: string }[];

interface Copied extends Omit<ShapeWithParts, 'shapes'> {
  readonly files: readonly { readonly componentId: string; readonly fileId: string }[];
  /** Key-value metadata of the shape; `componentMetadata`: of its components. */
  readonly metadata: ReadonlyMap<string, Pairs>;
  readonly componentMetadata: ReadonlyMap<string, Pairs>;
}

/** Copies a shape to another version. Both use the same files. */
export function versionOfShape(
  { shape, components, files, metadata, componentMetadata }: Copied,
  version: number,
): ShapeWish {
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
export const taggedAlike = (shapes: readonly Shape[], shape: Shape, version: number): Shape | undefined =>
  shapes.find(({ essenceVersion, tags }) => essenceVersion === version && tags.some((tag) => shape.tags.includes(tag)));

export function versionNumber(text: string): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= largest) return number;
  throw badValue('path', `a whole number from 0 to ${largest}`, text);
}

export const noSuchVersion = (text: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'essence-version', id: text.slice(0, 80) });

export const versionTaken = ({ id }: Shape, version: number): ServiceError =>
  new ServiceError('already-exists', {
    context: 'essence-version',
    id,
    explanation: `Expected a version without a shape of the same tag: version ${version} has one`,
    value: String(version),
  });
