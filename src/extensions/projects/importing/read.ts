import { DocumentError } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { badParameter } from '../../../http/parameters/index.ts';
import {
  type IngestParts,
  type MayHave,
  openImportSource,
  plainAddress,
  sourceText,
  storedAt,
} from '../../../production/ingest/public.ts';
import { JobFails } from '../../../room/jobs/job-type.ts';
import { storageRefusal } from '../../../storage/public.ts';
import { type ImportedProject, readXmeml } from './xmeml.ts';

export interface ProjectAt {
  readonly name: string;
  readonly text: string;
  readonly project: ImportedProject;
}

/** Reads the file of an editing program at an address. What is wrong with it is told like a mistake in the request. */
export async function readProject(parts: IngestParts, mayHave: MayHave, uri: string): Promise<ProjectAt> {
  try {
    const source = await openImportSource(parts, mayHave, uri);
    const text = await sourceText(source, 'project', parts.settings.maxBodyBytes);
    return { name: source.name, text, project: await readXmeml(text, parts.limits) };
  } catch (error) {
    if (error instanceof JobFails || error instanceof DocumentError)
      throw badParameter('uri', error.message, undefined);
    if (error instanceof ServiceError) throw error;
    throw storageRefusal(error, { storage: (await storedAt(parts.store, plainAddress(uri)))?.storageId ?? '' });
  }
}
