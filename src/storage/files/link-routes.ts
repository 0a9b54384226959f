import { existing } from '../../core/lib/checks.ts';
import { mediaTypes, typeOfMediaName } from '../../core/lib/mime-types.ts';
import { serviceOrigin } from '../../http/address.ts';
import { uris } from '../../http/answers.ts';
import { type BytesRequest, bytesRequest, forAnyOrigin } from '../../http/bytes.ts';
import type { Call } from '../../http/call.ts';
import { type SentBytes, sentBytesOf } from '../../http/form-body.ts';
import { raw } from '../../http/forms.ts';
import { flag, text, whole } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { access, anybody, type Route, roleMissing, route } from '../../http/route.ts';
import type { MediaUse } from '../../room/media.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { bytesAllowedHook, useOfFileHook } from '../contract.ts';
import { fileDocument } from '../documents.ts';
import type { StorageParts } from '../parts.ts';
import { autoName, autoPath } from './auto-addresses.ts';
import { fileDocumentOf, plainFileView } from './documents.ts';
import { type FileAddresses, readFiles } from './entity.ts';
import { addressEnd, createFileLinks, type FileLink, linkPath, linkSchemes, signedByStorage } from './links.ts';
import { noSuchFile } from './rules.ts';
import { type FileRow, findLiveFile } from './store.ts';

/** Use of the bytes of a file. `type`: under which they are answered, where browsers may show it. */
export type BytesUse = MediaUse & { readonly type?: string };

/** Byte access that links lead to, the same as for callers with credentials. */
export interface FileBytes {
  download(request: BytesRequest, row: FileRow, use: BytesUse): Promise<Reply>;
  /** Replaces the bytes by those of the request. Returns the updated file. */
  replace(caller: Caller, sent: SentBytes, row: FileRow): Promise<FileRow>;
}

const writeRole = '_file_write';
const linking = access({ ...readFiles.needs, besides: `the role ${writeRole} for a link to write` }, (call, params) =>
  readFiles(call, params),
);

const query = {
  write: flag('A link to write the file, instead of reading it', false),
  scheme: linkSchemes,
  duration: whole('Minutes until the link expires', { defaultValue: 15, least: 1, max: 720 }),
};

const signed = {
  expires: whole('Expiry of the link, in seconds since the epoch'),
  signature: text('Signature of the link'),
  above: flag('Whether the maker of the link has the role _usage_override', false),
};

/** Routes for signed links to read or write one file for a limited time, without credentials. */
export function linkRoutes(
  parts: StorageParts,
  { paths, fileOf }: FileAddresses,
  bytes: FileBytes | undefined,
): readonly Route[] {
  if (bytes === undefined) return [];
  const { store, clock, hooks } = parts;
  const links = createFileLinks(parts);

  async function linkedFile(link: FileLink, signature: string): Promise<FileRow> {
    // The signature is checked first: the existence of a file is not disclosed without a link.
    await links.check(link, signature);
    return existing(await findLiveFile(store, { id: link.fileId }), noSuchFile, link.fileId);
  }

  const fileByQuery = (
    { query: { expires = 0, signature = '', above: isAbove } }: LinkCall,
    fileId: string,
    method: FileLink['method'],
  ): Promise<FileRow> => linkedFile({ fileId, method, expires, isAbove }, signature);

  /** Terms may have come, or moved, since the link was made. */
  const useBy = async (isAbove: boolean, { id }: FileRow): Promise<MediaUse> =>
    isAbove ? {} : hooks.need(useOfFileHook)(undefined, id);

  return [
    ...paths.map((path) =>
      route({
        method: 'POST',
        path: `${path}/uri`,
        says: 'Creates a temporary link that lets anybody read or write the file.',
        query,
        answers: uris,
        noStore: true,
        access: linking,
        acting: 'allowed',
        async handle(call, params) {
          if (call.query.write && !(await subjectOf(call).has(writeRole))) throw roleMissing(writeRole);
          const row = await fileOf(params);
          const method = call.query.write ? 'PUT' : 'GET';
          if (method === 'GET') await hooks.need(bytesAllowedHook)(call, row.id);
          const use = method === 'GET' ? await hooks.need(useOfFileHook)(call, row.id) : {};
          const expires = addressEnd(clock.now(), call.query.duration, use);
          const link = { method, expires, isAbove: use.isAbove === true } as const;
          if (call.query.scheme !== 's3') return [await links.make(serviceOrigin(call), row.id, link)];
          return [await signedByStorage(parts, row, method, expires - Math.floor(clock.now() / 1000))];
        },
      }),
    ),
    route({
      method: 'GET',
      path: linkPath,
      says: 'The bytes of a file, for callers with a link to read them.',
      query: signed,
      answers: raw('bytes', ['application/octet-stream']),
      access: anybody,
      async handle(call, { file }) {
        const row = await fileByQuery(call, file, 'GET');
        return bytes.download(bytesRequest(call), row, await useBy(call.query.above, row));
      },
    }),
    route({
      method: 'GET',
      path: autoPath,
      says: 'The bytes of a file, for players and everybody else with an address by the method of type AUTO.',
      answers: raw('bytes', mediaTypes),
      access: anybody,
      async handle(call, { storage, file, key, name }) {
        const { link, signature } = links.sealed(file, key);
        const row = await linkedFile(link, signature);
        // A file that moved has other addresses.
        if (row.storageId !== storage || autoName(row) !== name) throw noSuchFile(row.id);
        const view = { ...(await useBy(link.isAbove, row)), type: typeOfMediaName(row.path) };
        return forAnyOrigin(await bytes.download(bytesRequest(call), row, view));
      },
    }),
    route({
      method: 'PUT',
      path: linkPath,
      says: 'Replaces the bytes of a file, for every caller with a link to write them.',
      query: signed,
      reads: raw('bytes'),
      answers: fileDocument,
      access: anybody,
      acting: 'allowed',
      async handle(call, { file }) {
        const row = await bytes.replace(call, sentBytesOf(call), await fileByQuery(call, file, 'PUT'));
        return fileDocumentOf(store, row, plainFileView);
      },
    }),
  ];
}

type LinkCall = Call<{
  readonly expires: number | undefined;
  readonly signature: string | undefined;
  readonly above: boolean;
}>;
