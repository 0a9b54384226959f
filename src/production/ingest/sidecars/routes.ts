import { itemAt } from '../../../assets/items/contract/entities.ts';
import { unlockedFor } from '../../../assets/items/contract/item-locks.ts';
import { joined } from '../../../core/lib/bytes.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { Call } from '../../../http/call.ts';
import { openUpload } from '../../../http/form-body.ts';
import { raw } from '../../../http/forms.ts';
import { badParameter, text } from '../../../http/parameters/index.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { type Job, jobDocument } from '../../../room/jobs/documents.ts';
import { type JobQuery, jobParameters } from '../../../room/jobs/parameters.ts';
import { beginImport } from '../new-imports.ts';
import type { IngestParts } from '../parts.ts';
import { hasCredentials } from '../sources/source.ts';
import type { ImportRequest } from '../steps/import-job.ts';
import { insertSidecar } from '../store.ts';
import { decodeText } from './sidecar.ts';

/** Metadata and subtitles that lie in files of their own. */
export function sidecarRoutes(parts: IngestParts): readonly Route[] {
  const { store, settings, clock } = parts;
  const path = '/import/sidecar/:item';
  const importing = {
    access: role('_import'),
    acting: 'allowed',
    entities: { item: itemAt(store)('WRITE', 'METADATA') },
    answers: jobDocument,
  } as const;

  async function start(
    call: Call<JobQuery>,
    itemId: string,
    request: ImportRequest,
    more: (jobId: string) => readonly Statement[] = () => [],
  ): Promise<Job> {
    const { jobId, work, document } = await beginImport(parts, call, 'SIDECAR_IMPORT', { ...request, itemId });
    await call.commit(together(changing(unlockedFor(call, itemId, clock.now()), ...more(jobId)), work));
    return document;
  }

  return [
    route({
      method: 'POST',
      path,
      says: 'Applies a file with metadata or subtitles to an item, as a job: a MetadataDocument, or subtitles as SubRip, WebVTT, TTML or SCC.',
      query: {
        sidecar: text('The address of the file, or its id on a storage', {
          required: true,
          expected: 'Expected a file',
        }),
        ...jobParameters,
      },
      ...importing,
      async handle(call, { item: { id } }) {
        const { sidecar } = call.query;
        if (hasCredentials(sidecar)) {
          throw badParameter('sidecar', 'Expected an address without name and password: a storage method keeps them');
        }
        return start(call, id, { sidecars: [sidecar] });
      },
    }),
    route({
      method: 'POST',
      path: `${path}/raw`,
      says: 'Applies the metadata or the subtitles in the body to an item, as a job.',
      query: {
        fileExtension: text('Extension of the file: xml, json, srt, vtt, ttml, dfxp or scc'),
        ...jobParameters,
      },
      reads: raw('bytes'),
      ...importing,
      async handle(call, { item: { id } }) {
        const { fileExtension = '' } = call.query;
        if (!/^\.?\w{0,10}$/.test(fileExtension)) {
          throw badParameter('fileExtension', 'Expected an extension of letters and digits', fileExtension);
        }
        const sent = await bodyText(call, settings.maxBodyBytes);
        const name = `sidecar${fileExtension === '' ? '' : `.${fileExtension.replace(/^\./, '')}`}`;
        return start(call, id, {}, (jobId) => [insertSidecar({ jobId, name, text: sent })]);
      },
    }),
  ];
}

async function bodyText(call: Call, max: number): Promise<string> {
  const body = openUpload(call.request);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (let piece = await body.read(); piece; piece = await body.read()) {
      length += piece.byteLength;
      if (length > max) {
        throw new ServiceError('body-too-large', { context: 'body', explanation: `Expected at most ${max} bytes` });
      }
      pieces.push(piece);
    }
  } finally {
    await body.cancel();
  }
  try {
    return decodeText(joined(pieces));
  } catch {
    throw new ServiceError('bad-document', { context: 'body', explanation: 'Expected UTF-8' });
  }
}
