import type { Reader } from '../../core/store/statement.ts';
import { type Answer, answer } from '../../http/answers.ts';
import type { Call } from '../../http/call.ts';
import { badParameter, text } from '../../http/parameters/index.ts';
import { type Route, route } from '../../http/route.ts';
import { type File, fileDocument } from '../documents.ts';
import type { StorageParts } from '../parts.ts';
import { autoAddresses } from './auto-addresses.ts';
import { fileDocumentOf, fileViewOf, plainFileView, viewParameters } from './documents.ts';
import { type FileAddresses, readFiles, writeFiles } from './entity.ts';
import { withoutOuterSlashes } from './list/query.ts';
import type { FileRow } from './store.ts';

/** A file, or its id as text. */
export const fileAnswer: Answer<File> = answer(fileDocument, { text: ({ id = '' }) => id });

/** Value of `fileAnswer`: for a text the id alone. */
export const shownFile = async (
  reader: Reader,
  { type }: Pick<Call, 'type'>,
  row: FileRow,
  view = plainFileView,
): Promise<File> => (type === 'text/plain' ? { id: row.id } : fileDocumentOf(reader, row, view));

/** Routes that find one file by a parameter. */
const byUri = (parts: StorageParts, { fileOf }: FileAddresses): readonly Route[] =>
  ['/storage/file/byURI', '/storage/:storage/file/byURI'].map((path) =>
    route({
      method: 'GET',
      path,
      says: 'The file with an address, or with a path below its storage.',
      query: {
        path: text('The path below the storage. A slash at its beginning means nothing'),
        uri: text('The address, such as "file:///srv/media/a.mov"'),
        ...viewParameters,
      },
      answers: fileAnswer,
      access: readFiles,
      async handle(call, params) {
        const { path, uri } = call.query;
        if ((path === undefined) === (uri === undefined)) throw badParameter('uri', 'Expected either "uri" or "path"');
        const place = path === undefined ? { uri: uri! } : { path: withoutOuterSlashes(path) };
        return shownFile(
          parts.store,
          call,
          await fileOf({ ...params, ...place }),
          fileViewOf(call.query, autoAddresses(parts, call)),
        );
      },
    }),
  );

/** Routes that read one file. */
export function readingRoutes(parts: StorageParts, addresses: FileAddresses): readonly Route[] {
  const { store } = parts;
  const { paths, fileOf } = addresses;

  const routes = paths.flatMap((path) => [
    route({
      method: 'GET',
      path,
      says: 'One file.',
      query: viewParameters,
      answers: fileAnswer,
      access: readFiles,
      handle: async (call, params) =>
        shownFile(store, call, await fileOf(params), fileViewOf(call.query, autoAddresses(parts, call))),
    }),
    route({
      method: 'PUT',
      path: `${path}/re-index`,
      says: 'Has no effect, because the index of files is always current. Answers the id.',
      answers: 'text',
      access: writeFiles,
      acting: 'allowed',
      handle: async (_call, params) => (await fileOf(params)).id,
    }),
  ]);
  return [...byUri(parts, addresses), ...routes];
}
