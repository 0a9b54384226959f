import { existing } from '../../core/lib/checks.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import type { Secret } from '../../core/lib/secret.ts';
import { createSigner } from '../../core/lib/vault.ts';
import { baseOf } from '../../http/address.ts';
import { uris } from '../../http/answers.ts';
import { type BytesRequest, bytesRequest } from '../../http/bytes.ts';
import type { Call } from '../../http/call.ts';
import { type SentBytes, sentBytesOf } from '../../http/form-body.ts';
import { raw } from '../../http/forms.ts';
import { choice, flag, text, whole } from '../../http/parameters/index.ts';
import type { Reply } from '../../http/reply.ts';
import { access, anybody, type Route, roleMissing, route } from '../../http/route.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { fileDocument } from '../documents.ts';
import { schemeOf, storageRefusal } from '../drivers.ts';
import type { MediaParts } from '../parts.ts';
import { methodsOf } from '../storages/store.ts';
import { fileDocumentOf, plainFileView } from './documents.ts';
import { type FileAddresses, readFiles } from './entity.ts';
import { noSuchFile, unable } from './rules.ts';
import { type FileRow, findLiveFile } from './store.ts';

/** Content of a signed link: access to one file without credentials for a limited time. */
interface Link {
  readonly fileId: string;
  /** The only method that the link allows. */
  readonly method: 'GET' | 'PUT';
  /** Seconds since the epoch. */
  readonly expires: number;
}

/** Path of links, which needs no credentials. */
const linkPath = '/APInoauth/file/:file/data';

interface Links {
  /** The path and the query of a link. */
  make(link: Link): Promise<string>;
  /** Throws unless the link was made here and has not expired. */
  check(link: Link, signature: string, now: number): Promise<void>;
}

function createLinks(secretKey: Secret): Links {
  const signer = createSigner(secretKey, 'links to files');
  const textOf = ({ method, fileId, expires }: Link): string => `1\n${method}\n${fileId}\n${expires}`;
  return {
    async make(link) {
      const path = linkPath.replace(':file', encodeURIComponent(link.fileId));
      return `${path}?expires=${link.expires}&signature=${await signer.sign(textOf(link))}`;
    },
    async check(link, signature, now) {
      if (!(await signer.verify(textOf(link), signature))) {
        throw refused(`Expected a link of this service for ${link.method}, as it was made`);
      }
      if (now >= link.expires * 1000) throw refused('Expected a link that has not expired');
    },
  };
}

const refused = (explanation: string): ServiceError =>
  new ServiceError('not-allowed', { context: 'parameter', id: 'signature', explanation });

/** Byte access that links lead to, the same as for callers with credentials. */
export interface FileBytes {
  download(request: BytesRequest, row: FileRow): Promise<Reply>;
  /** Replaces the bytes by those of the request. Returns the updated file. */
  replace(caller: Caller, sent: SentBytes, row: FileRow): Promise<FileRow>;
}

const writeRole = '_file_write';
const linking = access({ ...readFiles.needs, besides: `the role ${writeRole} for a link to write` }, (call, params) =>
  readFiles(call, params),
);

const query = {
  write: flag('A link to write the file, instead of reading it', false),
  scheme: choice('"s3": a link to the storage itself. Otherwise a link to this service', ['https', 'http', 's3'], {
    usual: 'https',
  }),
  duration: whole('Minutes until the link expires', { usual: 15, least: 1, most: 720 }),
};

const signed = {
  expires: whole('Expiry of the link, in seconds since the epoch'),
  signature: text('Signature of the link'),
};

/** Routes for signed links to read or write one file for a limited time, without credentials. */
export function linkRoutes(
  parts: MediaParts,
  { paths, fileOf }: FileAddresses,
  bytes: FileBytes | undefined,
): readonly Route[] {
  if (bytes === undefined) return [];
  const { store, clock } = parts;
  const links = parts.secretKey && createLinks(parts.secretKey);

  async function linkedFile(
    { query: { expires = 0, signature = '' } }: LinkCall,
    fileId: string,
    method: Link['method'],
  ): Promise<FileRow> {
    // The signature is checked first: the existence of a file is not disclosed without a link.
    await needed(links).check({ fileId, method, expires }, signature, clock.now());
    return existing(await findLiveFile(store, { id: fileId }), noSuchFile, fileId);
  }

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
          if (method === 'GET') await parts.services.mustHaveBytes(call, row.id);
          const seconds = call.query.duration * 60;
          const expires = Math.floor(clock.now() / 1000) + seconds;
          const uri =
            call.query.scheme === 's3'
              ? await signedByStorage(parts, row, method, seconds)
              : `${originOf(call)}${await needed(links).make({ fileId: row.id, method, expires })}`;
          return [uri];
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
      handle: async (call, { file }) => bytes.download(bytesRequest(call), await linkedFile(call, file, 'GET')),
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
        const row = await bytes.replace(call, sentBytesOf(call), await linkedFile(call, file, 'PUT'));
        return fileDocumentOf(store, row, plainFileView);
      },
    }),
  ];
}

type LinkCall = Call<{ readonly expires: number | undefined; readonly signature: string | undefined }>;

/** Origin of the request, without the root of the API. */
const originOf = (call: Call): string => {
  const base = baseOf(call);
  return call.root === '' ? base : base.slice(0, -call.root.length);
};

function needed(links: Links | undefined): Links {
  if (links) return links;
  const explanation =
    'Expected a key to sign links with: set PORTICO_SECRET_KEY to 32 random bytes in base64, the same on every instance';
  throw new ServiceError('not-allowed', { context: 'setting secretKey', explanation });
}

async function signedByStorage(
  { store, places }: Pick<MediaParts, 'store' | 'places'>,
  { storageId, path }: FileRow,
  method: 'GET' | 'PUT',
  seconds: number,
): Promise<string> {
  for (const row of await methodsOf(store, { id: storageId })) {
    const isAble = method === 'GET' ? row.read === 1 : row.write === 1;
    if (!isAble || schemeOf(row.uri) !== 's3') continue;
    try {
      const driver = await places.of(row);
      if (driver.can.sign && driver.sign) return await driver.sign(path, { method, seconds });
    } catch (error) {
      throw storageRefusal(error, { storage: storageId, path });
    }
  }
  throw unable(storageId, 'Expected a storage with an s3 method whose driver makes links');
}
