import { bytesRequest } from '../../http/bytes.ts';
import type { Call } from '../../http/call.ts';
import { sentBytesOf } from '../../http/form-body.ts';
import { raw } from '../../http/forms.ts';
import { choice, text, whole } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import { useOfFileHook } from '../contract.ts';
import type { FileAddresses } from '../files/entity.ts';
import { inventPath, safeExtensionOf } from '../files/naming.ts';
import { fileAnswer, shownFile } from '../files/reading-routes.ts';
import { storageNamed } from '../storages/entity.ts';
import { download } from './download.ts';
import type { NewFileLocation } from './receiving/destination.ts';
import { type ReceivingParts, receiveBytes } from './receiving/receive.ts';

const parts = {
  transferId: text('Name of an upload in parts, equal for all parts. The headers size and index define the part'),
  transferPriority: whole('The priority of an upload in parts', { least: 1, max: 1000 }),
};

/** States that a file with all its bytes can have. */
const uploadStates = ['CLOSED', 'OPEN', 'NONE', 'UNKNOWN', 'AWAITING_SYNC', 'ARCHIVED'] as const;

const placeParameters = {
  path: text('The path of the new file below its storage'),
  uri: text('Address of the file below a method of the storage, instead of its path'),
  state: choice('State of the file after the upload', uploadStates, { defaultValue: 'CLOSED' }),
  ...parts,
};

/** The bytes of files: uploads whole and in parts, downloads with ranges. */
export function byteRoutes(receiving: ReceivingParts, addresses: FileAddresses): readonly Route[] {
  const { context, destinations, store } = receiving;
  const upload = { method: 'POST', reads: raw('bytes'), answers: fileAnswer } as const;
  const writes = { access: role('_file_write'), acting: 'allowed' } as const;

  /** Generated path for bytes without a name. */
  async function nameOf(call: Call, name: string): Promise<NewFileLocation & { readonly fileId: string }> {
    const { id: storageId } = await storageNamed(store, name);
    const { driver } = await destinations.writableOf(await destinations.storageOf(storageId));
    const fileId = await store.nextId('file');
    const extension = safeExtensionOf((await sentBytesOf(call).name()) ?? '');
    const unnamed = { storageId, fileId, extension, preferredPaths: [] };
    return {
      storageId,
      fileId,
      path: await inventPath({ ...context, destinations }, unnamed, driver, call.actor()),
    };
  }

  const newFiles = ['/storage/:storage/file/data', '/storage/file/data'].map((path) =>
    route({
      ...upload,
      ...writes,
      path,
      says: path.includes(':')
        ? 'Uploads a new file to a storage.'
        : 'Uploads a new file to the storage of its address.',
      query: placeParameters,
      async handle(call, { storage }) {
        const { path: placeParameters, uri, transferId } = call.query;
        // Parts are found by the path of their file, so each part names it.
        const isNamed =
          placeParameters !== undefined || uri !== undefined || transferId !== undefined || storage === undefined;
        const place = isNamed
          ? await destinations.newPlace({ storage, path: placeParameters, uri })
          : await nameOf(call, storage);
        const purpose = { ...place, file: undefined, state: call.query.state };
        return shownFile(store, call, await receiveBytes(receiving, call, sentBytesOf(call), purpose, call.query));
      },
    }),
  );

  const files = addresses.paths.flatMap((path) => [
    route({
      ...upload,
      ...writes,
      path: `${path}/data`,
      says: 'Replaces the bytes of a file. Readers get the old bytes until the upload is complete.',
      query: parts,
      async handle(call, params) {
        const file = await addresses.fileOf(params);
        const { storageId, path: at } = file;
        const purpose = { storageId, path: at, file, state: 'CLOSED' };
        return shownFile(store, call, await receiveBytes(receiving, call, sentBytesOf(call), purpose, call.query));
      },
    }),
    route({
      method: 'GET',
      path: `${path}/data`,
      says: 'The bytes of a file, or a part of them with the header Range.',
      answers: raw('bytes', ['application/octet-stream']),
      access: role('_file_read'),
      async handle(call, params) {
        const row = await addresses.fileOf(params);
        const use = await context.hooks.need(useOfFileHook)(call, row.id);
        return download(context, bytesRequest(call), row, { use });
      },
    }),
  ]);

  return [...newFiles, ...files];
}
