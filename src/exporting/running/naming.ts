import { askerOf } from '../../definitions/public-reading.ts';
import { keyValuesOf } from '../../entities/key-values/store.ts';
import { JobFails, type LeasedJob } from '../../jobs/job-type.ts';
import { plainFileView } from '../../media/public.ts';
import { type MetadataView, metadataOf, storedView, terseOf } from '../../metadata/public.ts';
import { type Json, lastValue, runScript, ScriptFails } from '../../scripts/run-script.ts';
import type { Caller } from '../../security/caller.ts';
import { loadShapes, shapeDocuments, shapesToRead } from '../../shapes/public.ts';
import { splitUri } from '../destinations/uri.ts';
import { findLocation } from '../locations/store.ts';
import type { ExportParts } from '../parts.ts';
import type { ExportMemo } from './export-job.ts';
import type { ExportFile } from './files.ts';
import { endedLike, pathOf, safeName } from './names.ts';

const field = 'originalFilename';

/** Says how each file of an export is to be called. */
export async function namesFor(parts: ExportParts, job: LeasedJob, memo: ExportMemo, call: Caller) {
  const { name } = splitUri(memo.destinationUri);
  const location =
    memo.locationName === undefined ? undefined : await findLocation(parts.store, { name: memo.locationName });
  const script = location?.script ?? undefined;
  const ownName = async (file: ExportFile): Promise<string> => {
    const wished =
      memo.useOriginalComponentFilename || memo.useOriginalFilename
        ? await originalOf(parts, call, file, memo)
        : undefined;
    return safeName(endedLike(wished ?? '', file.row.path)) ?? safeName(file.row.path) ?? file.row.id;
  };
  return async (file: ExportFile): Promise<string> => {
    if (name !== undefined) return name;
    const own = await ownName(file);
    if (script === undefined) return own;
    return nameByScript(script, await variablesOf(parts, job, memo, file, own));
  };
}

async function nameByScript(script: string, variables: Readonly<Record<string, Json>>): Promise<string> {
  let answer: Json | undefined;
  try {
    answer = (await runScript(script, variables, [lastValue]))[lastValue];
  } catch (error) {
    if (error instanceof ScriptFails) throw new JobFails(`The script of the location failed: ${error.message}`);
    throw error;
  }
  const path = typeof answer === 'string' ? pathOf(answer) : undefined;
  if (path !== undefined) return path;
  const found = JSON.stringify(answer ?? null).slice(0, 80);
  throw new JobFails(`Expected the script of the location to answer the name of a file below it: ${found}`);
}

/** Variables for scripts that name a file. */
async function variablesOf(
  { store }: ExportParts,
  job: LeasedJob,
  { locationName: location, destinationUri: uri }: ExportMemo,
  { itemId, shape, row }: ExportFile,
  filename: string,
): Promise<Readonly<Record<string, Json>>> {
  const [document] = await shapeDocuments(store, [shape], { includePlaceholder: false, files: plainFileView });
  const { id, path, size, hash, storageId } = row;
  return JSON.parse(
    JSON.stringify({
      filename,
      item: { id: itemId },
      shape: document,
      file: { id, path, size, hash, storage: storageId },
      jobMetadata: Object.fromEntries(job.data),
      location: { name: location, uri },
    }),
  );
}

const onlyName: MetadataView = {
  ...storedView,
  fields: { only: new Map([[field, field]]), except: new Set(), deep: new Set() },
};

/**
 * The name that the file had when it came, as far as the caller may know it: the component knows it best, then the
 * shape, the original shape, the item.
 */
async function originalOf(
  { store }: ExportParts,
  call: Caller,
  { itemId, shape, component }: ExportFile,
  { useOriginalComponentFilename }: ExportMemo,
): Promise<string | undefined> {
  const keyOf = async (owner: string, id: string) =>
    (await keyValuesOf(store, owner, [id])).get(id)?.find(({ key }) => key === field)?.value;
  const ofComponent = useOriginalComponentFilename ? await keyOf('component', component.id) : undefined;
  const ofShape = ofComponent ?? (await keyOf('shape', shape.id));
  if (ofShape !== undefined) return ofShape;
  const original = (await shapesToRead(store, call, await loadShapes(store, itemId))).find(
    ({ essenceVersion, tags }) => essenceVersion === shape.essenceVersion && tags.includes('original'),
  );
  const ofOriginal = original && (await keyOf('shape', original.id));
  if (ofOriginal !== undefined) return ofOriginal;
  const by = { asker: await askerOf(call) };
  const metadata = (await metadataOf(store, [{ kind: 'item', id: itemId }], onlyName, by)).get(itemId);
  return metadata && terseOf(metadata).get(field)?.[0]?.value;
}
