import { projectionNamed } from '../../../assets/metadata/public.ts';
import { requireTags, versionsFrom } from '../../../assets/shapes/public.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import { badParameter, type QueryOf } from '../../../http/parameters/index.ts';
import { beginJob, type JobCaller, type StartedJob } from '../../../room/jobs/contract.ts';
import { exportUri, folderUri } from '../destinations/uri.ts';
import type { ExportLocation } from '../locations/documents.ts';
import { locationOf, noSuchLocation } from '../locations/rules.ts';
import { findLocation } from '../locations/store.ts';
import type { ExportParts } from '../parts.ts';
import { type ExportMemo, exportJob, isPart } from '../running/export-job.ts';
import { exportTemplatesHook } from '../running/templates.ts';
import type { itemExport, listExport, shapeExport } from './parameters.ts';
import { partOf, requireCuttable } from './part.ts';

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
  const uri = isList || location || template !== undefined ? folderUri(givenUri) : exportUri(givenUri);
  const part = partOf(query);
  if (isPart(part)) await requireCuttable(parts, caller, { target, id, itemId }, tags);
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
const saidByTemplate = ['tag', 'useOriginalFilename', 'useOriginalComponentFilename', 'start', 'end'] as const;

async function templateFor({ hooks }: ExportParts, query: Query): Promise<string | undefined> {
  if (!query.template) return undefined;
  await hooks.need(exportTemplatesHook).mustExist(query.template);
  const beside = [...saidByTemplate.filter((name) => query[name]), ...(query.track === '*' ? [] : ['track'])];
  if (beside[0] === undefined) return query.template;
  throw badParameter(beside[0], 'Expected it without a template, which chooses shapes and names files');
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
