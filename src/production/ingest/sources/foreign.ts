import { askUserOfJob, callerOfJob } from '../../../assets/search/public.ts';
import {
  filesWithIdentity,
  foreignFile,
  itemsWithFile,
  mayHaveBytes,
  mustHaveBytes,
} from '../../../assets/shapes/public.ts';
import { closedByTerms, mustBeUsable } from '../../../assets/usage/public.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { findEntity } from '../../../room/entities/find.ts';
import { JobFails, type LeasedJob } from '../../../room/jobs/job-type.ts';
import type { Caller } from '../../../security/caller.ts';
import { fileKind, placesAt, schemeOf } from '../../../storage/public.ts';
import { fileAt } from '../../../storage/public-reading.ts';
import type { IngestParts } from '../parts.ts';
import { decoded } from './source.ts';

/** Throws if the caller may not read the bytes of a known file. */
export type MayHave = (fileId: string) => Promise<void>;

export const callerMayHave =
  ({ store }: Pick<IngestParts, 'store'>, call: Caller): MayHave =>
  async (id) => {
    await mustHaveBytes(store, call, id);
    await mustBeUsable(store, call, { type: 'file', id }, call.came);
  };

/** The rights of the user of a job as they are now. Files of its own item are open to it. */
export const jobMayHave =
  (parts: Pick<IngestParts, 'store' | 'clock' | 'services'>, job: LeasedJob<{ readonly itemId: string }>): MayHave =>
  async (id) => {
    const asking = {
      job: { id: job.id, itemId: job.memo.itemId },
      callOf: () => callerOfJob(parts, job),
    };
    if (!(await mayHaveBytes(parts.store, id, asking)))
      throw new JobFails(`${foreignFile(id).detail.explanation}: ${id}`);
    const file = { type: 'file', id } as const;
    const now = parts.clock.now();
    if ((await closedByTerms(parts.store, undefined, [file], now)).size === 0) return;
    // Terms of the item of the job itself let its media in.
    if ((await itemsWithFile(parts.store, id)).includes(job.memo.itemId)) return;
    await askUserOfJob(parts, job, async (caller) => void (await mustBeUsable(parts.store, caller, file, now)));
  };

/** Some clients encode addresses twice. */
export const plainAddress = (text: string): string => (!text.includes(':') && /%3a/i.test(text) ? decoded(text) : text);

/** Whether a name is an address and not the id of a file. */
export const isAddress = (named: string): boolean => schemeOf(plainAddress(named)) !== '' || named.includes('/');

/** The files that an address means, below every method of every storage. */
export async function filesAtAddress(reader: Reader, text: string): Promise<readonly string[]> {
  const address = plainAddress(text);
  const ids = new Set<string>();
  for (const spelling of new Set([address, canonical(address)])) {
    for (const place of await placesAt(reader, spelling)) {
      const row = await fileAt(reader, place);
      if (row) ids.add(row.id);
    }
  }
  return [...ids];
}

/** Checks files with the same identity on disk as one that was found. */
export async function mayHaveAlike(reader: Reader, mayHave: MayHave, identity: string | undefined): Promise<void> {
  if (identity === undefined) return;
  for (const { id } of await filesWithIdentity(reader, { identity })) await mayHave(id);
}

/** Web servers take capitals in a host, its usual port and encoded letters for what they mean. */
function canonical(address: string): string {
  const url = /^https?:/i.test(address) ? URL.parse(address) : null;
  if (!url) return address;
  const path = url.pathname.split('/').map((part) => encodeURIComponent(decoded(part)));
  return `${url.protocol}//${url.host}${path.join('/')}`;
}

/** The files that a caller names by an address or an id, as far as the service knows them. */
export async function filesNamedBy(reader: Reader, named: string): Promise<readonly string[]> {
  if (isAddress(named)) return filesAtAddress(reader, named);
  const row = await findEntity(reader, fileKind(reader), named);
  return row ? [row.id] : [];
}
