import { textToBase64 } from '../../core/lib/bytes.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { locationOf } from '../../http/address.ts';
import { openBody } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import { raw } from '../../http/forms.ts';
import type { Reply } from '../../http/reply.ts';
import { anybody, type Route, route } from '../../http/route.ts';
import { uploads as tusUploads, uploadMetadata } from '../../storage/public.ts';
import { outcomeOf, sharedFileListDocument } from './documents.ts';
import type { GuestUploads } from './guest-uploads.ts';
import { checkOrigin, type Guest, guestOf } from './guests.ts';
import { forGuest, some } from './maker.ts';
import type { ShareContext } from './routes.ts';
import { shareNotFound } from './rules.ts';
import { dropUpload, findUpload, outcomesOf, touchUpload } from './store.ts';
import { mustTake, nameFits, placeOf } from './upload.ts';

/** Milliseconds for which an upload has its place before the first answer of the storage. */
const beginning = 60 * 60_000;
/** Files of one answer. */
const maxFiles = 100;
const path = '/APInoauth/share/:link/upload';
const one = `${path}/:guestUpload`;
const protocol = { 'tus-resumable': '1.0.0' };
const sentHeaders = ['content-type', 'content-length', 'upload-offset', 'upload-checksum'] as const;
const toldHeaders = ['upload-offset', 'upload-length', 'upload-expires', 'cache-control'] as const;

/** Uploads of guests by tus 1.0: they go on where they broke off. Each becomes an item, as the maker would import it. */
export function uploadRoutes(parts: ShareContext, uploads: GuestUploads): readonly Route[] {
  const { store, clock } = parts;

  /** An upload of this guest. Another guest of the share has no part in it. */
  async function ownUpload(call: Call, link: string, name: string) {
    const guest = await guestOf(parts, call, link);
    const row = await findUpload(store, { id: name });
    if (!row || row.shareId !== guest.share.id || row.useId !== guest.use.id || row.transferId === '')
      throw shareNotFound();
    return { guest, row, as: commandsFor(guest, row.id), transfer: { upload: row.transferId } };
  }

  /** Commands of the maker, which name the guest, and the upload to the commit that makes the item. */
  const commandsFor = ({ share, use, maker }: Guest, upload: string) =>
    parts.as({ ...maker.caller, guest: { share: share.id, name: use.name ?? undefined, upload } });

  const endOf = (headers: Reply['headers']): number =>
    Date.parse(headers?.['upload-expires'] ?? '') || clock.now() + beginning;

  return [
    route({
      method: 'POST',
      path,
      says: 'Starts a tus upload into the collection of a share, within its bounds. Upload-Metadata has the key filename.',
      reads: raw('nothing'),
      answers: raw([]),
      status: 201,
      access: anybody,
      acting: 'allowed',
      async handle(call, { link }) {
        checkOrigin(call);
        const guest = await guestOf(parts, call, link);
        const { share } = guest;
        await mustTake(parts, guest);
        const size = Number(/^\d{1,15}$/.exec(call.request.headers.get('upload-length') ?? '')?.[0] ?? Number.NaN);
        if (Number.isNaN(size)) {
          const detail = { context: 'header Upload-Length', explanation: 'Expected a number of bytes' };
          throw new ServiceError('bad-header', detail);
        }
        const filename = uploadMetadata(call.request.headers.get('upload-metadata') ?? '').get('filename') ?? '';
        nameFits(filename);
        const { row, take } = await placeOf(parts, guest, { file: filename, size, lasts: beginning });
        const { id } = row;
        await call.commit(take);
        try {
          const values = { import: 'true', collection: share.targetId, ...(filename !== '' && { filename }) };
          const metadata = Object.entries(values).map(([key, value]) => `${key} ${textToBase64(value)}`);
          const sent = { ...protocol, 'upload-length': String(size), 'upload-metadata': metadata.join() };
          const { headers } = await forGuest(commandsFor(guest, id).run(tusUploads.begin, {}, { headers: sent }));
          const transferId = decodeURIComponent(headers?.['location']?.split('/').at(-1) ?? '');
          await call.commit(changing(touchUpload({ id, transferId, ends: endOf(headers) })));
          return {
            status: 201,
            headers: {
              ...protocol,
              ...some(headers, toldHeaders),
              location: locationOf(
                call,
                one.replace(':link', encodeURIComponent(share.id)).replace(':guestUpload', id),
              ),
            },
          };
        } catch (error) {
          await call.commit(changing(dropUpload({ id })));
          throw error;
        }
      },
    }),
    route({
      method: 'GET',
      path,
      says: 'The files that the guest has sent, and whether they can be read.',
      answers: sharedFileListDocument,
      access: anybody,
      async handle(call, { link }) {
        const { use } = await guestOf(parts, call, link);
        const rows = await outcomesOf(store, { useId: use.id, limit: maxFiles });
        return {
          file: rows.map(({ id: upload, file, status, complains }) => {
            const name = file || undefined;
            return { upload, name, state: outcomeOf(status, complains === 1) };
          }),
        };
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'The offset of a tus upload of the guest, in the headers of the answer.',
      answers: raw([]),
      access: anybody,
      async handle(call, { link, guestUpload }) {
        const { as, transfer } = await ownUpload(call, link, guestUpload);
        const { headers } = await forGuest(as.run(tusUploads.read, transfer, { method: 'HEAD', headers: protocol }));
        return { status: 200, headers: { ...protocol, ...some(headers, toldHeaders) } };
      },
    }),
    route({
      method: 'PATCH',
      path: one,
      says: 'Continues a tus upload of the guest at its offset. The last part makes an item of it.',
      reads: raw('bytes'),
      answers: raw([]),
      status: 204,
      access: anybody,
      acting: 'allowed',
      async handle(call, { link, guestUpload }) {
        checkOrigin(call);
        const { guest, row, as, transfer } = await ownUpload(call, link, guestUpload);
        await mustTake(parts, guest);
        const open = await uploads.begin(guest.use);
        try {
          const sent = { ...protocol, ...some(Object.fromEntries(call.request.headers), sentHeaders) };
          const bytes = open.streamOf(openBody(call.request));
          const { headers } = await forGuest(as.run(tusUploads.append, transfer, { headers: sent, bytes }));
          if (headers?.['upload-expires'] !== undefined)
            await call.commit(changing(touchUpload({ id: row.id, transferId: row.transferId, ends: endOf(headers) })));
          return { status: 204, headers: { ...protocol, ...some(headers, toldHeaders) } };
        } catch (error) {
          throw open.refusal ?? error;
        } finally {
          open.end();
        }
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Gives a tus upload of the guest up, and its place among the bounds. What has become an item stays.',
      answers: raw([]),
      status: 204,
      access: anybody,
      acting: 'allowed',
      async handle(call, { link, guestUpload }) {
        checkOrigin(call);
        const { row, as, transfer } = await ownUpload(call, link, guestUpload);
        await forGuest(as.run(tusUploads.end, transfer, { headers: protocol }));
        await call.commit(changing(dropUpload({ id: row.id })));
        return { status: 204, headers: protocol };
      },
    }),
  ];
}
