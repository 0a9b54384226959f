import { itemMustExist } from '../../assets/items/contract/store.ts';
import { systemChange } from '../../assets/metadata/public.ts';
import { metadataAhead } from '../../assets/metadata/public-reading.ts';
import {
  type ComponentKind,
  type ComponentRow,
  changeShape,
  componentStatements,
  componentsOfShapes,
  currentValues,
  filesOfShapes,
  fileUsable,
  findShape,
  itemFits,
  itemGone,
  mimeTypesOf,
  numbered,
  removeComponent,
  type Shape,
  shapeEvent,
  tagsOfShapes,
  useFile,
  withTags,
  writeComponent,
} from '../../assets/shapes/public.ts';
import { promisesMedia, soundsLikeMedia } from '../../core/lib/mime-types.ts';
import type { Statement } from '../../core/store/contract.ts';
import { keyValuesOf, setKeyValues } from '../../room/entities/key-values/store.ts';
import { JobFails, type LeasedJob, type StepResult } from '../../room/jobs/job-type.ts';
import { noSuchFile } from '../../storage/public.ts';
import { findFile } from '../../storage/public-reading.ts';
import { componentsOf, type DeducedComponent, knownParts, probeSentence } from './deducing/components.ts';
import { type FileOrigin, fieldsOfCheck, originalName, shapeAfter } from './deducing/fields.ts';
import { type Filling, fillingOf, joiningOf, mergedProperties } from './deducing/rules.ts';
import { type Embedded, metadataOfFiles } from './embedded/change.ts';
import { currentMapping } from './embedded/mapping.ts';
import type { CheckParts } from './parts.ts';
import { type ProbedFile, probeFile } from './probing/probe-file.ts';
import { stillMedia } from './still-media.ts';

interface ShapeCheck extends FileOrigin {
  readonly itemId: string;
  readonly shapeId: string;
  /** Files of the shape to be probed. */
  readonly fileIds: readonly string[];
  /** Whether the item's metadata describes this shape. */
  readonly original: boolean;
  /** Whether the tracks are added to the components of other files. Otherwise they replace all tracks. */
  readonly joins?: boolean;
  /** Whether the files describe the item where it lacks metadata. */
  readonly describes?: boolean;
}

export type FileCheck = Omit<ShapeCheck, 'fileIds'> & { readonly fileId: string };

/**
 * Probes a file for a step of a job. Returns changes of its shape and components, and for the original of the item's
 * metadata: one change set of `system`. An unused file gets new components.
 */
export const checkMedia = (parts: CheckParts, job: LeasedJob, { fileId, ...check }: FileCheck): Promise<StepResult> =>
  checkShape(parts, job, { ...check, fileIds: [fileId] });

/** Starts the reads of a check, for `Store.ahead`. */
export function checkAhead(
  { store }: Pick<CheckParts, 'store'>,
  { itemId, shapeId, fileId }: Pick<FileCheck, 'itemId' | 'shapeId' | 'fileId'>,
): readonly unknown[] {
  return [
    findFile(store, { id: fileId }),
    findShape(store, { id: shapeId }),
    tagsOfShapes(store, { ids: [shapeId] }),
    componentsOfShapes(store, { ids: [shapeId] }),
    filesOfShapes(store, { ids: [shapeId] }),
    keyValuesOf(store, 'shape', [shapeId]),
    // Once for what the item says now, and once for the change.
    metadataAhead(store, 'item', itemId),
    metadataAhead(store, 'item', itemId),
    currentMapping(store),
  ];
}

/** Probes several files of a shape, with one commit. */
export async function checkShape(parts: CheckParts, job: LeasedJob, check: ShapeCheck): Promise<StepResult> {
  const { store } = parts;
  const { itemId, shapeId } = check;
  const mapping = check.describes && check.original ? await currentMapping(store) : [];
  const wanted = mapping.map(({ property }) => property);
  const probed: ProbedFile[] = [];
  for (const fileId of check.fileIds) probed.push(await probeFile(parts, job, fileId, wanted));
  const row = await findShape(store, { id: shapeId });
  if (row?.itemId !== itemId) throw new JobFails(`Expected the shape to stay until the job ends: ${shapeId} is gone`);
  const [shape] = await withTags(store, [row]);
  const { rows, usedBy } = await knownParts(store, shapeId);
  const deduced = probed.map(({ row: file, size, probe }) => ({
    fileId: file.id,
    components: componentsOf(probe, size),
  }));
  const filling = check.joins ? joiningOf(rows, usedBy, deduced) : fillingOf(rows, usedBy, deduced);
  const mimeTypes = mimeTypesAfter(shape!, probed, check.joins);
  const changes = await changesOf(parts, shape!, rows, filling, mimeTypes);
  const storedName = await knownName(parts, shapeId);
  const named = check.joins ? (storedName ?? check.filename) : (check.filename ?? storedName);
  const filename = originalName({ filename: named, uri: check.uri }, probed[0]!.row.path);
  const after = { mimeTypes, filename, uri: check.joins ? undefined : check.uri };
  const embedded = Object.assign({}, ...probed.map(({ probe }) => probe.embedded).toReversed());
  const metadata = check.original
    ? await itemMetadata(parts, shape!, rows, filling, after, { job, mapping, embedded })
    : { changes: [], events: [], touches: [], says: [] };
  return {
    work: {
      changes: [
        itemMustExist(itemId, itemGone(itemId)),
        ...changes,
        ...nameStatements(parts, shapeId, filename),
        ...itemFits(itemId, parts.settings),
        ...metadata.changes,
      ],
      events: [shapeEvent('modify', shape!), ...metadata.events],
      ...(metadata.touches && { touches: metadata.touches }),
    },
    memo: { stillMedia: stillsAfter(rows, filling, mimeTypes) },
    says: [...probed.flatMap(({ probe }) => [probeSentence(probe), ...probe.warnings]), ...metadata.says],
    ...warningOf(probed, filename),
  };
}

/** Media that stills of the shape are made of, with the components that the check leaves. */
function stillsAfter(
  rows: readonly ComponentRow[],
  { filled, added, removed }: Filling,
  mimeTypes: readonly string[],
): string {
  const gone = new Set([...removed, ...filled.map(({ row }) => row)]);
  const components = [
    ...rows.filter((row) => row.expected === 0 && !gone.has(row)),
    ...filled.map(({ row }) => row),
    ...added.map(({ component }) => component),
  ];
  return stillMedia(new Set(components.map(({ kind }) => kind)), mimeTypes);
}

/** Filename that an earlier check has stored with the shape. */
async function knownName({ store }: CheckParts, shapeId: string): Promise<string | undefined> {
  const pairs = (await keyValuesOf(store, 'shape', [shapeId])).get(shapeId) ?? [];
  return pairs.find(({ key }) => key === 'originalFilename')?.value;
}

/** Warns of files that are not what their names or headers promise. A partial result has its own sentences. */
function warningOf(probed: readonly ProbedFile[], filename: string): Pick<StepResult, 'warns'> {
  const reasons = probed.flatMap(({ row, size, probe }) => {
    const { missingBytes, isPartial, by, mimeType } = probe;
    if (missingBytes !== undefined)
      return [`Expected a whole file: ${missingBytes} bytes at its end are missing, it is cut`];
    if (isPartial || by !== '') return [];
    const name = [filename, row.path].find(promisesMedia) ?? (soundsLikeMedia(mimeType) ? row.path : undefined);
    if (name === undefined) return [];
    const what = size === 0 ? 'the file is empty' : 'its content is of no known format';
    return [`Expected the media that the name "${name.slice(-80)}" promises: ${what}`];
  });
  if (reasons.length > 0) return { warns: reasons.join('. ') };
  return probed.some(({ probe }) => probe.isPartial) ? { warns: true } : {};
}

/** Media types after the check. The first file decides, unless it joins a shape with types. */
function mimeTypesAfter(shape: Shape, [first]: readonly ProbedFile[], joins = false): readonly string[] {
  const before = mimeTypesOf(shape);
  return first && !(joins && before.length > 0) ? [first.probe.mimeType] : before;
}

const nameStatements = ({ settings }: CheckParts, id: string, filename: string): readonly Statement[] =>
  filename === ''
    ? []
    : setKeyValues(
        'shape',
        id,
        { pairs: [['originalFilename', filename]], mostBytes: settings.maxMetadataBytes },
        false,
      );

async function changesOf(
  { store, settings }: CheckParts,
  shape: Shape,
  rows: readonly ComponentRow[],
  { filled, added, removed }: Filling,
  mimeTypes: readonly string[],
): Promise<readonly Statement[]> {
  const { id: shapeId, itemId } = shape;
  const gone = new Set([...filled, ...removed.map((row) => ({ row }))].map(({ row }) => row.id));
  const placeholder = rows.some(({ id, expected }) => expected === 1 && !gone.has(id)) ? shape.placeholder : 0;
  const changes: Statement[] = [...changeShape(shape, { placeholder, mimeTypes })];
  for (const fileId of new Set([...filled, ...added].map((each) => each.fileId))) {
    changes.push(fileUsable({ id: fileId }, noSuchFile(fileId)));
  }
  for (const { row, fileId, to } of filled) {
    const document = JSON.stringify(mergedProperties(row, to));
    changes.push(
      writeComponent({ id: row.id, shapeId, position: row.position, expected: 0, document }),
      useFile({ fileId, itemId, shapeId, componentId: row.id }),
      ...setKeyValues('component', row.id, { pairs: to.metadata ?? [], mostBytes: settings.maxMetadataBytes }, false),
    );
  }
  changes.push(...removed.flatMap(({ id }) => removeComponent.map((statement) => statement({ id }))));
  const left = rows.filter((row) => !removed.includes(row));
  const taken = new Set(left.flatMap((row) => trackIn(row) ?? []));
  const places = new Map<ComponentKind, number>();
  for (const { fileId, component } of added) {
    const { kind } = component;
    const last = left.filter((row) => row.kind === kind).at(-1)?.position ?? -1;
    const position = places.get(kind) ?? last + 1;
    places.set(kind, position + 1);
    const id = await store.nextId('component');
    const { metadata = [] } = component;
    const properties = numbered(kind, component.properties, taken);
    const ofFile = { kind, properties, files: [fileId], metadata };
    changes.push(...componentStatements(ofFile, { id, shapeId, itemId, position }, settings));
  }
  return changes;
}

const propertiesOf = ({ document }: ComponentRow): Readonly<Record<string, unknown>> =>
  JSON.parse(document) as Readonly<Record<string, unknown>>;

const trackIn = (row: ComponentRow): string | undefined => propertiesOf(row)['itemTrack'] as string | undefined;

interface After {
  readonly mimeTypes: readonly string[];
  readonly filename: string;
  readonly uri: string | undefined;
}

/** Metadata of the item about its original. */
async function itemMetadata(
  parts: CheckParts,
  shape: Shape,
  rows: readonly ComponentRow[],
  { filled, added, removed }: Filling,
  { mimeTypes, filename, uri }: After,
  files: Embedded,
) {
  const { itemId } = shape;
  const component = (row: ComponentRow): DeducedComponent => ({
    kind: row.kind as ComponentKind,
    properties: propertiesOf(row),
  });
  const before = shapeAfter(mimeTypesOf(shape), rows.filter(({ expected }) => expected === 0).map(component));
  const changed = new Map(filled.map(({ row, to }) => [row.id, { ...to, properties: mergedProperties(row, to) }]));
  const components = [
    ...rows
      .filter((row) => !removed.includes(row) && (row.expected === 0 || changed.has(row.id)))
      .map((row) => changed.get(row.id) ?? component(row)),
    ...added.map((each) => each.component),
  ];
  const after = shapeAfter(mimeTypes, components, filename);
  const now = await currentValues(parts.store, itemId);
  const fields = fieldsOfCheck(after, before, now, { filename, uri });
  return metadataOfFiles(parts, itemId, systemChange(fields), files, now);
}
