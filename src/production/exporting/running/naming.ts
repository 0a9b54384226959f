import { originalNameOf, shapeDocuments } from '../../../assets/shapes/public.ts';
import { endedLike, safeName, splitName } from '../../../core/lib/file-name.ts';
import { type Json, lastValue, runScript, ScriptFails } from '../../../core/scripts/run-script.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { Caller } from '../../../security/caller.ts';
import { plainFileView } from '../../../storage/public.ts';
import { splitUri } from '../destination-uri.ts';
import type { ExportParts } from '../parts.ts';
import { findLocation } from '../store.ts';
import type { ExportMemo } from './export-job.ts';
import type { ExportFile } from './files.ts';

/** `a.mov`, `a_1.mov`, `a_2.mov`: the names of one file, until one is free. */
export function numbered(name: string, number: number): string {
  if (number === 0) return name;
  const { stem, extension } = splitName(name);
  return `${stem}_${number}${extension}`;
}

/** Extensions of the files beside a file that hold its metadata. */
export const sidecarEndings = ({ metadata, xmp }: Pick<ExportMemo, 'metadata' | 'xmp'>): readonly ('xml' | 'xmp')[] => [
  ...(metadata ? (['xml'] as const) : []),
  ...(xmp === 'sidecar' ? (['xmp'] as const) : []),
];

/** The file beside a file that holds its metadata. */
export const sidecarOf = (name: string, ending: string): string => `${splitName(name).stem}.${ending}`;

/** Path below the folder, as returned by a script. Undefined: invalid. */
export function pathOf(text: string): string | undefined {
  const parts = text.split('/');
  const safe = parts.map(safeName);
  return parts.length <= 10 && safe.every((part, at) => part !== undefined && part === parts[at]) ? text : undefined;
}

/** Says how each file of an export is to be called. */
export async function namesFor(parts: ExportParts, job: LeasedJob, memo: ExportMemo, call: Caller) {
  const { name } = splitUri(memo.destinationUri);
  const location =
    memo.locationName === undefined ? undefined : await findLocation(parts.store, { name: memo.locationName });
  const script = location?.script ?? undefined;
  const ownName = async (file: ExportFile): Promise<string> => {
    const original =
      memo.useOriginalComponentFilename || memo.useOriginalFilename
        ? await originalNameOf(parts.store, call, file, memo.useOriginalComponentFilename)
        : undefined;
    return safeName(endedLike(original ?? '', file.row.path)) ?? safeName(file.row.path) ?? file.row.id;
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
  const answerText = JSON.stringify(answer ?? null).slice(0, 80);
  throw new JobFails(`Expected the script of the location to answer the name of a file below it: ${answerText}`);
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
