import { documentOrText, textOnly } from '../../../http/negotiation.ts';
import { text, whole } from '../../../http/parameters/index.ts';
import { plain } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { fileDocument } from '../../documents/file.ts';
import type { MediaParts } from '../../parts.ts';
import type { FileAddresses } from '../addresses.ts';
import { fileDocumentOf } from '../documents.ts';
import { read, write } from '../kinds.ts';
import { unable } from '../refusals.ts';
import { viewOf, viewParameters } from '../view.ts';

/** Routes that read one file. */
export function readingRoutes(parts: MediaParts, { paths, fileOf }: FileAddresses): readonly Route[] {
  const { store, render } = parts;

  return paths.flatMap((path) => [
    route({
      method: 'GET',
      path,
      says: 'One file.',
      query: viewParameters,
      answers: [fileDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type, params) {
        const row = await fileOf(params);
        if (type === 'text/plain') return plain(row.id);
        return render(type, fileDocument, await fileDocumentOf(store, row, viewOf(call.query)));
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/re-index`,
      says: 'Has no effect, because the index of files is always current. Answers the id.',
      answers: 'text',
      access: write,
      acting: 'allowed',
      produces: textOnly,
      handle: async (_call, _type, params) => plain((await fileOf(params)).id),
    }),
    route({
      method: 'PUT',
      path: `${path}/restore`,
      says: 'Restores a file from an archive. Refused: there are no archive storages.',
      query: {
        expirationInDays: whole('Requested lifetime of the file', { least: 1 }),
        retrievalTier: text('Requested transfer speed'),
      },
      answers: 'text',
      access: write,
      acting: 'allowed',
      produces: textOnly,
      async handle(_call, _type, params) {
        const { storageId } = await fileOf(params);
        throw unable(storageId, 'Expected a file in an archive: no storage method here restores files');
      },
    }),
  ]);
}
