import { mustHaveSome } from '../../access/public-reading.ts';
import { askerOf } from '../../definitions/public-reading.ts';
import type { Call } from '../../http/call.ts';
import { openUpload } from '../../http/form-body.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { badParameter, text } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { type Params, type Route, role, route, segment } from '../../http/route.ts';
import { itemName, itemNamed } from '../../items/contract/item/kind.ts';
import { jobDocument } from '../../jobs/documents.ts';
import { type JobQuery, jobParameters } from '../../jobs/parameters.ts';
import { ServiceError } from '../../lib/errors.ts';
import { joined } from '../../lib/joined.ts';
import { itemChangeable } from '../../shapes/public.ts';
import { changing, together } from '../../store/commit-plan.ts';
import type { Statement } from '../../store/contract.ts';
import type { IngestParts } from '../parts.ts';
import { hasCredentials } from '../sources/source.ts';
import { beginImport } from '../starting/ordering.ts';
import type { ImportWish } from '../steps/import-job.ts';
import { askerMemo } from './apply.ts';
import { decodeText } from './read.ts';
import { insertSidecar } from './store.ts';

/** Metadata and subtitles that lie in files of their own. */
export function sidecarRoutes(parts: IngestParts): readonly Route[] {
  const { store, settings, render } = parts;
  const path = '/import/sidecar/:item';
  const importing = {
    access: role('_import'),
    acting: 'allowed',
    answers: jobDocument,
    produces: documentTypes,
  } as const;

  async function start(
    call: Call<JobQuery>,
    type: MediaType,
    params: Params,
    wish: ImportWish,
    more: (jobId: string) => readonly Statement[] = () => [],
  ): Promise<Reply> {
    const { id: itemId } = await itemIn(call, params);
    const asker = askerMemo(await askerOf(call));
    const { jobId, work, document } = await beginImport(parts, call, 'SIDECAR_IMPORT', { ...wish, itemId, ...asker });
    const there = changing(...itemChangeable(parts, call, itemId), ...more(jobId));
    await call.commit(together(there, work));
    return render(type, jobDocument, document);
  }

  async function itemIn(call: Call, params: Params) {
    const item = await itemNamed(store, segment(params, 'item'));
    await mustHaveSome(store, call, itemName, item, 'WRITE', 'METADATA');
    return item;
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
      async handle(call, type, params) {
        const { sidecar } = call.query;
        if (hasCredentials(sidecar)) {
          throw badParameter('sidecar', 'Expected an address without name and password: a storage method keeps them');
        }
        return start(call, type, params, { sidecars: [sidecar] });
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
      reads: 'bytes',
      ...importing,
      async handle(call, type, params) {
        await itemIn(call, params);
        const { fileExtension = '' } = call.query;
        if (!/^\.?\w{0,10}$/.test(fileExtension)) {
          throw badParameter('fileExtension', 'Expected an extension of letters and digits', fileExtension);
        }
        const sent = await bodyText(call, settings.maxBodyBytes);
        const name = `sidecar${fileExtension === '' ? '' : `.${fileExtension.replace(/^\./, '')}`}`;
        return start(call, type, params, {}, (jobId) => [insertSidecar({ jobId, name, text: sent })]);
      },
    }),
  ];
}

async function bodyText(call: Call, most: number): Promise<string> {
  const body = openUpload(call.request);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (let piece = await body.read(); piece; piece = await body.read()) {
      length += piece.byteLength;
      if (length > most) {
        throw new ServiceError('body-too-large', { context: 'body', explanation: `Expected at most ${most} bytes` });
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
