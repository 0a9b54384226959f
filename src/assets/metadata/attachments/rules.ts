import { badValue } from '../../../core/documents/error.ts';
import type { ServiceError } from '../../../core/lib/errors.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { Content } from '../../../http/reads.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import {
  type AttachmentOwner,
  attachmentsFit,
  attachmentThere,
  removeAttachment,
  removeAttachments,
  writeAttachment,
} from './store.ts';

/** Kind of attachment, such as `sequence`. `noun`: its word in refusals. */
export interface AttachmentKind {
  readonly kind: string;
  readonly noun: string;
  /** Limit per entity. */
  readonly max: number;
}

const fits = /^[\w][\w.@ -]{0,63}$/;

/** Checks a name that is used in a path and in a header. */
function checkName(name: string): string {
  if (fits.test(name)) return name;
  throw badValue('path', '1 to 64 letters, digits, blanks and . _ @ -', name);
}

/** `guards`: further guards of the commit. */
export function keepAttachment(
  owner: AttachmentOwner,
  { kind, noun, max }: AttachmentKind,
  name: string,
  { mediaType, content }: Content,
  now: number,
  guards: readonly Statement[],
): CommitPlan {
  checkName(name);
  const full = badValue('path', `at most ${max} of a kind (${noun})`, name);
  return changing(
    ...guards,
    writeAttachment({ ...owner, kind, name, mediaType: keptType(mediaType), content, now }),
    attachmentsFit({ ...owner, kind, max }, full),
  );
}

export const deleteAttachment = (owner: AttachmentOwner, { kind, noun }: AttachmentKind, name: string): CommitPlan =>
  changing(
    attachmentThere({ ...owner, kind, name }, missingAttachment(noun, name)),
    removeAttachment({ ...owner, kind, name }),
  );

export const removeAllAttachments = (owner: AttachmentOwner, { kind }: AttachmentKind): CommitPlan =>
  changing(removeAttachments({ ...owner, kind }));

export const missingAttachment = (noun: string, name: string): ServiceError => noSuchEntity({ noun }, name);

/** Media type for returning uploaded content. A page could run scripts for its reader, so it is sent as bytes. */
function keptType(contentType: string): string {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (type === 'text/xml' || type.endsWith('/xml') || (type.endsWith('+xml') && !type.includes('html'))) {
    return 'application/xml';
  }
  if (type === 'application/json' || type.endsWith('+json')) return 'application/json';
  return type === 'text/plain' || type === 'text/turtle' ? type : 'application/octet-stream';
}
