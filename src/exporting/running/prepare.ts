import type { Call } from '../../http/call.ts';
import { type HeldJob, JobFails } from '../../jobs/job-type.ts';
import { nextTurn } from '../../lib/turn.ts';
import { splitUri } from '../destinations/uri.ts';
import type { ExportParts } from '../parts.ts';
import { type Asked, askedOf, isPicture } from './asked.ts';
import { type Found, filesToExport } from './files.ts';
import { itemsAsked } from './items.ts';
import { namesFor } from './naming.ts';
import { forgetFiles, insertFiles } from './store.ts';

/** Items that are read at once. */
const slice = 100;

export interface Prepared {
  readonly files: number;
  /** Items without a file to export. */
  readonly missing: number;
}

/** Writes down the files of an export with the names that they are to have. */
export async function prepareFiles(parts: ExportParts, job: HeldJob, call: Call): Promise<Prepared> {
  const { store, settings } = parts;
  const asked = askedOf(job);
  const record = (changes: Parameters<typeof store.commit>[0]['changes']) =>
    store.commit({ changes: [job.mine, ...changes], events: [] }, job.actor);
  await record([forgetFiles({ jobId: job.id })]);
  if (isPicture(asked)) {
    // No shape and no file has it.
    const rows = [[asked.id, '', '', splitUri(asked.uri).name ?? pictureName(asked)]];
    await record([insertFiles({ jobId: job.id, position: 0, files: JSON.stringify(rows) })]);
    return { files: 1, missing: 0 };
  }
  const nameOf = await namesFor(parts, job, asked);
  let position = 0;
  let missing = 0;
  for await (const ids of slicesOf(itemsAsked(parts, call, asked))) {
    job.signal.throwIfAborted();
    const found = await filesToExport(parts, call, asked, ids);
    missing += found.missing.length;
    if (!asked.lenient && found.missing[0]) throw new JobFails(missingSentence(found, asked));
    const rows: [string, string, string, string][] = [];
    for (const file of found.files) rows.push([file.itemId, file.shape.id, file.row.id, await nameOf(file)]);
    if (position + rows.length > settings.maxExportFiles) {
      throw new JobFails(`Expected at most ${settings.maxExportFiles} files (PORTICO_MAX_EXPORT_FILES)`);
    }
    await record([insertFiles({ jobId: job.id, position, files: JSON.stringify(rows) })]);
    position += rows.length;
    await nextTurn();
  }
  return { files: position, missing };
}

/** `VX-7_thumbnail_10000.jpg`: milliseconds from the start. */
const pictureName = ({ id, target, instant = 0, type }: Asked): string =>
  `${id}_${target}_${Math.floor(instant / 1000)}.${type === 'image/png' ? 'png' : 'jpg'}`;

function missingSentence({ missing: [first] }: Found, { tags }: Asked): string {
  const what = tags ? `a shape with the tag ${tags.join(' or ')}` : 'an original shape';
  return `Expected ${what} with a file that is there: ${first} has none`;
}

async function* slicesOf(ids: AsyncIterable<string>): AsyncGenerator<readonly string[], void> {
  let rest: string[] = [];
  for await (const id of ids) {
    rest.push(id);
    if (rest.length < slice) continue;
    yield rest;
    rest = [];
  }
  if (rest.length > 0) yield rest;
}
