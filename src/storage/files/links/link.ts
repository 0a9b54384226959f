import { ServiceError } from '../../../core/lib/errors.ts';
import type { Secret } from '../../../core/lib/secret.ts';
import { createSigner } from '../../../core/lib/signer.ts';

/** Content of a signed link: access to one file without credentials for a limited time. */
export interface Link {
  readonly fileId: string;
  /** The only method that the link allows. */
  readonly method: 'GET' | 'PUT';
  /** Seconds since the epoch. */
  readonly expires: number;
}

/** Path of links, which needs no credentials. */
export const linkPath = '/APInoauth/file/:file/data';

export interface Links {
  /** The path and the query of a link. */
  make(link: Link): Promise<string>;
  /** Throws unless the link was made here and has not expired. */
  check(link: Link, signature: string, now: number): Promise<void>;
}

export function createLinks(secretKey: Secret): Links {
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
