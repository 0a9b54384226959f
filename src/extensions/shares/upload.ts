import { GuestRefusal, ServiceError } from '../../core/lib/errors.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { ByteBody } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import { importRaw } from '../../production/ingest/public.ts';
import { shareEvent } from './events.ts';
import type { GuestUploads, OpenUpload } from './guest-uploads.ts';
import type { Guest } from './guests.ts';
import { forGuest, mayFill } from './maker.ts';
import type { ShareContext } from './routes.ts';
import { eventOf, maxFileNameLength, shareNotFound } from './rules.ts';
import {
  countUpload,
  dropEnded,
  dropUpload,
  fewUploads,
  findShare,
  findUpload,
  finishUpload,
  insertUpload,
  type ShareRow,
  type UploadRow,
  uploadFits,
  uploadWaits,
} from './store.ts';

/** Milliseconds for which a file that comes in one request has its place. */
const maxLength = 24 * 60 * 60_000;
/** Uploads of one guest that are not whole. */
const maxOpen = 100;

interface SentFile {
  readonly filename: string | undefined;
  readonly body: ByteBody;
}

/** Imports a file of a guest into the collection of the share. Its place among the bounds is taken before a byte is read. */
export async function upload(
  parts: ShareContext,
  call: Call,
  guest: Guest,
  { filename = '', body }: SentFile,
  uploads: GuestUploads,
): Promise<void> {
  await mustTake(parts, guest);
  const size = body.length;
  if (size === undefined) {
    const explanation = 'Expected the number of bytes, by which the bounds of the share are checked';
    throw new ServiceError('bad-header', { context: 'header Content-Length', explanation });
  }
  nameFits(filename);
  const upload = await uploads.begin(guest.use);
  try {
    const place = await placeOf(parts, guest, { file: filename, size, lasts: maxLength });
    await call.commit(place.take).catch(async (error) => {
      // The places of those that send nothing are for those that do.
      if (error !== full || !(await uploads.endIdle(guest.use))) throw error;
      await call.commit(place.take);
    });
    await importFile(parts, call, guest, { body, row: place.row }, upload);
  } finally {
    upload.end();
  }
}

/** Refuses a share that takes no files, or no longer. */
export async function mustTake(parts: ShareContext, { share, maker }: Pick<Guest, 'share' | 'maker'>): Promise<void> {
  if (share.uploadFiles === null || !(await mayFill(parts, maker, share.targetId))) throw shareNotFound();
}

export function nameFits(filename: string): void {
  if (filename.length <= maxFileNameLength) return;
  const explanation = `Expected at most ${maxFileNameLength} characters`;
  throw new ServiceError('bad-parameter', { context: 'parameter', id: 'filename', explanation });
}

interface Announced {
  readonly file: string;
  readonly size: number;
  /** Milliseconds for which the place is kept without further parts. */
  readonly lasts: number;
}

/** A place among the bounds of the share, and the commit that takes it. Places that were given up are free again. */
export async function placeOf({ store, clock }: ShareContext, { share, use }: Guest, { lasts, ...sent }: Announced) {
  const now = clock.now();
  const own = { id: await store.nextId('share_upload'), shareId: share.id, useId: use.id, guest: use.name };
  const row: UploadRow = { ...own, ...sent, transferId: '', itemId: null, title: null, ends: now + lasts };
  const take = changing(
    dropEnded({ id: share.id, now }),
    uploadFits({ id: share.id, size: sent.size, now }, full),
    fewUploads({ useId: use.id, max: maxOpen }, tooMany),
    insertUpload(row),
  );
  return { row, take };
}

/** Gives the place among the bounds back if nothing is imported. */
async function importFile(
  parts: ShareContext,
  call: Call,
  guest: Guest,
  { body, row }: { readonly body: ByteBody; readonly row: UploadRow },
  upload: OpenUpload,
): Promise<void> {
  const { share, use, maker } = guest;
  const { file: filename, size } = row;
  const as = parts.as({ ...maker.caller, guest: { share: share.id, name: use.name ?? undefined } });
  try {
    // The commit of the import has the item, its place in the collection and the event: bytes that are refused leave nothing.
    const imported = as.run(
      importRaw,
      {},
      {
        query: { collection: share.targetId, ...(filename !== '' && { filename }) },
        headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
        bytes: upload.streamOf(body),
        also: arrival(parts, share, row),
      },
    );
    await forGuest(imported.catch(ofGuest));
  } catch (error) {
    await call.commit(changing(dropUpload({ id: row.id })));
    throw upload.refusal ?? error;
  }
}

/** Tells a guest of a collection that is full. */
function ofGuest(error: unknown): never {
  throw error instanceof ServiceError && error.status === 400 && error.detail.context === 'collection' ? full : error;
}

/** Adds the event of the share to the commit that makes an item of an upload. The share counts it from then on. */
const arrival =
  ({ clock }: Pick<ShareContext, 'clock'>, share: ShareRow, { id, size, guest }: UploadRow) =>
  (work: CommitPlan): CommitPlan => {
    const itemId = work.events.find(({ name }) => name === 'item/create')?.entityId;
    if (itemId === undefined) return work;
    return together(work, {
      changes: [
        uploadWaits({ id }, shareNotFound()),
        finishUpload({ id, itemId, title: share.title, ends: clock.now() }),
        countUpload({ id: share.id, size }),
      ],
      events: [shareEvent('share/upload', share.id, { ...eventOf(share), ...(guest !== null && { guest }), itemId })],
    });
  };

/** Arrival of an upload in parts, by its id: the commit may be that of recovery, after a restart. */
export const arrivalOfParts =
  (parts: ShareContext) =>
  async (id: string, work: CommitPlan): Promise<CommitPlan> => {
    const row = await findUpload(parts.store, { id });
    const share = row && (await findShare(parts.store, { id: row.shareId }));
    // A share that was revoked meanwhile takes its uploads with it.
    if (!row || !share) throw shareNotFound();
    return arrival(parts, share, row)(work);
  };

const full = new GuestRefusal('quota-exceeded', {
  type: 'Share',
  explanation: 'Expected a file within the bounds of the share, and room in its collection: one of them is used up',
});

const tooMany = new ServiceError('too-many-transfers', {
  context: 'upload',
  explanation: `Expected at most ${maxOpen} open uploads of one guest`,
});
