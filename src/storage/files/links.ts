import { ServiceError } from '../../core/lib/errors.ts';
import { createSigner, requireKey, type Signer } from '../../core/lib/vault.ts';
import { choice } from '../../http/parameters/index.ts';
import type { MediaUse } from '../../room/media.ts';
import { schemeOf, storageRefusal } from '../drivers.ts';
import type { StorageParts } from '../parts.ts';
import { methodsOf } from '../storages/store.ts';
import { archivedFile, unable } from './rules.ts';
import type { FileRow } from './store.ts';

/** Content of a signed link: access to one file without credentials for a limited time. */
export interface FileLink {
  readonly fileId: string;
  /** The only method that the link allows. */
  readonly method: 'GET' | 'PUT';
  /** Whether the maker of the link is above terms of use, so that these do not close it. */
  readonly isAbove: boolean;
  /** Seconds since the epoch. */
  readonly expires: number;
}

/** Path of links, which needs no credentials. */
export const linkPath = '/APInoauth/file/:file/data';

/** Where links lead. */
export const linkSchemes = choice(
  '"s3": a link to the storage itself. Otherwise a link to this service',
  ['https', 'http', 's3'],
  { defaultValue: 'https' },
);
export type LinkScheme = 'https' | 'http' | 's3';

/** End of an address, in seconds since the epoch: after some minutes, and no later than the use of what it leads to. */
export const addressEnd = (now: number, minutes: number, { until = Number.POSITIVE_INFINITY }: MediaUse): number =>
  Math.floor(Math.min(now + minutes * 60_000, until) / 1000);

/** Signatures of links of one purpose, which end. */
interface LinkSignatures {
  sign(subject: string, expires: number): Promise<string>;
  /** Throws unless the signature was made here for the subject and has not expired. `what`: the link, for the message. */
  check(subject: string, expires: number, signature: string, what: string): Promise<void>;
}

export function createLinkSignatures(
  { secretKey, clock }: Pick<StorageParts, 'secretKey' | 'clock'>,
  purpose: string,
): LinkSignatures {
  const signer = secretKey && createSigner(secretKey, purpose);
  const textOf = (subject: string, expires: number): string => `1\n${subject}\n${expires}`;
  return {
    sign: (subject, expires) => needed(signer).sign(textOf(subject, expires)),
    async check(subject, expires, signature, what) {
      if (!(await needed(signer).verify(textOf(subject, expires), signature))) {
        throw refused(`Expected a link of this service ${what}, as it was made`);
      }
      if (clock.now() >= expires * 1000) throw refused('Expected a link that has not expired');
    },
  };
}

const refused = (explanation: string): ServiceError =>
  new ServiceError('not-allowed', { context: 'parameter', id: 'signature', explanation });

const needed = (signer: Signer | undefined): Signer => requireKey(signer, 'sign links with');

type LinkParts = Pick<StorageParts, 'store' | 'places' | 'clock' | 'secretKey'>;

/** Expiry, `-above` where terms of use do not close the link, and signature: a link in one segment of a path. */
const sealForm = /^([1-9]\d{0,11})(-above)?~([\w-]{1,100})$/;

/** Links to read or write one file. */
export function createFileLinks(parts: Pick<LinkParts, 'clock' | 'secretKey'>) {
  const signatures = createLinkSignatures(parts, 'links to files');
  const subjectOf = ({ method, fileId, isAbove }: Omit<FileLink, 'expires'>): string =>
    `${method}${isAbove ? ' above' : ''}\n${fileId}`;
  return {
    /** Address of a file for everybody who has it. `origin`: of this service. */
    async make(origin: string, fileId: string, { expires, ...link }: Omit<FileLink, 'fileId'>): Promise<string> {
      const signature = await signatures.sign(subjectOf({ ...link, fileId }), expires);
      const path = linkPath.replace(':file', encodeURIComponent(fileId));
      return `${origin}${path}?expires=${expires}&signature=${signature}${link.isAbove ? '&above=true' : ''}`;
    },
    async seal(fileId: string, { expires, ...link }: Omit<FileLink, 'fileId'>): Promise<string> {
      return `${expires}${link.isAbove ? '-above' : ''}~${await signatures.sign(subjectOf({ ...link, fileId }), expires)}`;
    },
    /** The link that was sealed, to be checked with its signature. */
    sealed(fileId: string, seal: string): { readonly link: FileLink; readonly signature: string } {
      const [, expires = '0', above, signature = ''] = sealForm.exec(seal) ?? [];
      return { link: { fileId, method: 'GET', expires: Number(expires), isAbove: above !== undefined }, signature };
    },
    /** Throws unless the link was made here and has not expired. */
    check: ({ expires, ...link }: FileLink, signature: string): Promise<void> =>
      signatures.check(subjectOf(link), expires, signature, `for ${link.method}`),
  };
}

/** Address by which everybody reads or writes a file at its storage, for so many seconds. */
export async function signedByStorage(
  { store, places }: Pick<LinkParts, 'store' | 'places'>,
  { id, storageId, path, state }: FileRow,
  method: 'GET' | 'PUT',
  seconds: number,
): Promise<string> {
  if (method === 'GET' && state === 'ARCHIVED') throw archivedFile(id);
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
