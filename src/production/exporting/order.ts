import { projectionNamed } from '../../assets/metadata/public.ts';
import {
  loadShapes,
  mayLeave,
  mimeTypesOf,
  requireTags,
  shapesToRead,
  versionsFrom,
} from '../../assets/shapes/public.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import { badParameter, choice, flag, list, type QueryOf, text } from '../../http/parameters/index.ts';
import { beginJob, type JobCaller, type StartedJob } from '../../room/jobs/contract.ts';
import { jobParameters } from '../../room/jobs/parameters.ts';
import type { Caller } from '../../security/caller.ts';
import { cutFormat, timeIn } from '../transcoding/public.ts';
import { exportUri, folderUri, splitUri } from './destination-uri.ts';
import { type ExportLocation, locationOf, noSuchLocation } from './location.ts';
import type { ExportParts } from './parts.ts';
import { type ExportMemo, exportJob, isPart, xmpPlaces } from './running/export-job.ts';
import { chosenOf, exportTemplatesHook } from './running/files.ts';
import { findLocation } from './store.ts';

const common = {
  uri: text('Destination of the files. A slash at its end makes it a folder'),
  locationName: text('Name of an export location, instead of an address'),
  track: text('Only components of these tracks, such as V1,A. Asterisk: all', { defaultValue: '*' }),
  useOriginalFilename: flag('Names files as the originals of their items, with their own extensions', false),
  useOriginalComponentFilename: flag('Names files as the originals of their components', false),
  metadata: flag('Writes the metadata of the item into a file with the extension xml beside each file', false),
  bag: flag('Writes the files, their metadata and their SHA-256 into a new folder as a bag of BagIt 1.0', false),
  projection: text('Projection whose outgoing stylesheet transforms the metadata in the file'),
  xmp: choice('Writes the metadata as XMP, by the mapping of imports: beside each file, or into it', xmpPlaces, {}),
  ...jobParameters,
};
const part = {
  start: text('Start of the exported part: a time code from the start of the media. A transcoder cuts the part'),
  end: text('End of the exported part'),
  allowMissing: flag('Missing shapes are skipped. False: they fail the job', true),
};
const shapes = {
  tag: list(text('Shapes with any of these tags. Default: the tags of the location, or the originals')),
  version: text('The essence version: latest, all, latest-per-shapetag, or its number', { defaultValue: 'latest' }),
  template: text('Name of an export template, which selects shapes and names the files in a folder'),
};

export const shapeExport = { ...common, ...part };
export const itemExport = { ...shapeExport, ...shapes };
export const listExport = {
  ...common,
  ...shapes,
  all: flag('A file that cannot be exported fails the job. False: it is skipped', true),
};

/** The part of the media that a caller wants, in microseconds. */
function partOf({
  start: from,
  end: to,
}: {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}): Pick<ExportMemo, 'start' | 'end'> {
  const start = from ? timeIn('start', from).instant : undefined;
  const end = to ? timeIn('end', to).instant : undefined;
  if (end !== undefined && end <= (start ?? 0)) {
    throw badParameter('end', 'Expected a time behind the start of the part', to!.slice(0, 60));
  }
  return { start, end };
}

/** Shapes that hold no time, such as pictures, have no parts. What no media check has seen is left to the job. */
async function requireCuttable(
  { store }: ExportParts,
  caller: Caller,
  { target, id, itemId }: Pick<ExportMemo, 'target' | 'id' | 'itemId'>,
  tags: readonly string[] | undefined,
): Promise<void> {
  if (target === 'item' && tags === undefined) {
    throw badParameter('tag', 'Expected the tag of the shapes that a part is cut out of');
  }
  const shapes = await shapesToRead(store, caller, await loadShapes(store, target === 'shape' ? itemId! : id));
  const chosen = shapes.filter((shape) =>
    target === 'shape' ? shape.id === id : tags!.some((tag) => shape.tags.includes(tag)),
  );
  for (const shape of chosen) {
    const types = mimeTypesOf(shape);
    if (types.length === 0 || cutFormat('', types) !== undefined) continue;
    const name = target === 'shape' ? 'start' : 'tag';
    throw badParameter(name, `Expected shapes whose media has parts: ${shape.id} is ${types[0]!.slice(0, 80)}`);
  }
}

/** Refuses what is not approved, or closed by terms of use, before there is a job. The job asks again. */
async function requireLeave(
  parts: ExportParts,
  caller: Caller,
  {
    itemId,
    ...chosen
  }: Pick<ExportMemo, 'target' | 'id' | 'itemId' | 'version'> & { readonly tags?: readonly string[] | undefined },
): Promise<void> {
  const shapes = await shapesToRead(parts.store, caller, await loadShapes(parts.store, itemId ?? chosen.id));
  await mayLeave(parts, caller, chosenOf({ tags: undefined, ...chosen }, shapes));
}

type Query = QueryOf<typeof shapeExport> & Partial<QueryOf<typeof itemExport> & QueryOf<typeof listExport>>;

/** Entity to be exported. */
export type ExportTarget = Pick<ExportMemo, 'target' | 'id' | 'itemId'>;

/** An export as a job, with the guards of what its parameters name. */
export async function beginExport(
  parts: ExportParts,
  caller: JobCaller & { readonly query: Query },
  { target, id, itemId }: ExportTarget,
): Promise<StartedJob> {
  const { query } = caller;
  const template = await templateFor(parts, query);
  const isList = target === 'collection' || target === 'library';
  const location = await locationFor(parts, query);
  const tags = template === undefined ? (query.tag ?? (location?.tag?.length ? location.tag : undefined)) : undefined;
  const tagGuards = target === 'shape' || tags === undefined ? [] : await requireTags(parts.store, tags);
  const { version = 'latest' } = query;
  versionsFrom(version);
  const projection = query.projection ?? (query.metadata ? location?.projection : undefined);
  await projectionNamed(parts, parts.store, projection, 'outgoing');
  const givenUri = location?.uri ?? location?.uriList?.[0] ?? query.uri!;
  const isFolder = location !== undefined || (!query.bag && (isList || template !== undefined));
  const wholeUri = isFolder ? folderUri(givenUri) : exportUri(givenUri);
  const { folder, name: bag = id.replace('*', '-') } = splitUri(wholeUri);
  const uri = query.bag ? folder : wholeUri;
  const part = partOf(query);
  if (isPart(part) && query.xmp === 'embedded') throw badParameter('xmp', 'Expected whole files for XMP inside them');
  if (isPart(part)) await requireCuttable(parts, caller, { target, id, itemId }, tags);
  const isOfItem = target === 'item' || target === 'shape';
  if (isOfItem && template === undefined) await requireLeave(parts, caller, { target, id, itemId, tags, version });
  const memo = {
    target,
    id,
    itemId: target === 'item' ? id : itemId,
    destinationUri: uri,
    tags: target === 'shape' ? undefined : tags,
    version,
    track: query.track,
    useOriginalFilename: query.useOriginalFilename,
    useOriginalComponentFilename: query.useOriginalComponentFilename,
    metadata: query.metadata,
    projection,
    xmp: query.xmp,
    bag: query.bag ? bag : undefined,
    lenient: isList ? query.all === false : query.allowMissing,
    locationName: location?.name,
    template,
    ...part,
  };
  const job = await beginJob(parts, caller, {
    job: exportJob,
    memo,
    ...(target !== 'item' && { data: { [`${target}Id`]: id } }),
  });
  return { ...job, work: together(changing(...tagGuards), job.work) };
}

/** Parameters that a template replaces. */
const saidByTemplate = ['bag', 'tag', 'useOriginalFilename', 'useOriginalComponentFilename', 'start', 'end'] as const;

async function templateFor({ hooks }: ExportParts, query: Query): Promise<string | undefined> {
  if (!query.template) return undefined;
  await hooks.need(exportTemplatesHook).mustExist(query.template);
  const others = [...saidByTemplate.filter((name) => query[name]), ...(query.track === '*' ? [] : ['track'])];
  if (others[0] === undefined) return query.template;
  throw badParameter(others[0], 'Expected it without a template, which chooses shapes and names files');
}

async function locationFor({ store }: ExportParts, { uri, locationName }: Query): Promise<ExportLocation | undefined> {
  if ((uri ? 1 : 0) + (locationName ? 1 : 0) !== 1) {
    throw badParameter(uri ? 'locationName' : 'uri', 'Expected either uri or locationName');
  }
  if (!locationName) return undefined;
  const row = await findLocation(store, { name: locationName });
  if (row) return locationOf(row);
  throw noSuchLocation(locationName);
}
