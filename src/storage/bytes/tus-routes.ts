import { existing } from '../../core/lib/checks.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { locationOf } from '../../http/address.ts';
import { type ByteBody, openBody } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import { command } from '../../http/command.ts';
import { digested } from '../../http/digest.ts';
import { raw } from '../../http/forms.ts';
import type { Reply } from '../../http/reply.ts';
import { access, type Route, roleMissing, route } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { uploadImportsHook } from '../contract.ts';
import { usesOf } from '../files/store.ts';
import { newestJobOf } from '../jobs/store.ts';
import type { Publisher } from './publishing/publish.ts';
import { callerPublisher, newPlaceOf, type ReceivingParts } from './receiving/receive.ts';
import { beginTransfer } from './transfers/begin.ts';
import { endTransfer } from './transfers/end.ts';
import { beginningOf, readIntervals } from './transfers/intervals.ts';
import { receivePart } from './transfers/receive.ts';
import {
  alsoImports,
  badHeader,
  noSuchTransfer,
  partConflict,
  transferRest,
  transferTarget,
} from './transfers/rules.ts';
import { deleteTransfer, findTransfer, type TransferRow } from './transfers/store.ts';
import {
  abilities,
  asksForImport,
  checksumIn,
  inVersion,
  offsetType,
  requiredBytes,
  uploadMetadata,
  uploadTarget,
} from './tus-protocol.ts';

const defaultPriority = 500;
const hour = 3_600_000;

const one = '/upload/:upload';

export const uploads = {
  begin: command<Reply>()('POST', '/upload'),
  read: command<Reply>()('GET', one),
  append: command<Reply>()('PATCH', one),
  end: command<Reply>()('DELETE', one),
};

/** Uploads by tus 1.0, over the same table as uploads in parts: every tus client can upload. */
export function tusRoutes(parts: ReceivingParts): readonly Route[] {
  const { store, context } = parts;
  const { settings, hasher } = context;
  const shared = { access: eitherRole, answers: raw([]) } as const;

  const offered = (path: string): Route =>
    route({
      ...shared,
      method: 'OPTIONS',
      path,
      says: 'The capabilities of the tus server.',
      status: 204,
      handle: () => ({ status: 204, headers: { ...abilities(settings.maxTransferBytes), allow: allowed(path) } }),
    });

  /** Finds an upload for its owner or an administrator. 404 for all others. */
  async function uploadOf(call: Call, id: string): Promise<TransferRow> {
    const row = await findTransfer(store, { id });
    const subject = subjectOf(call);
    const isOpen = row !== undefined && row.state !== 'ABORTED' && row.state !== 'FAILED';
    if (!isOpen || (row.owner !== subject.name && !(await subject.has(administrator)))) throw noSuchTransfer(id);
    await requireRole(call, transferRest(row).wish !== undefined);
    return row;
  }

  async function create(call: Call): Promise<Reply> {
    if (call.request.headers.has('upload-defer-length')) {
      throw badHeader('Upload-Defer-Length', 'Expected the header Upload-Length', '');
    }
    const size = requiredBytes(call.request.headers, 'Upload-Length');
    const metadata = call.request.headers.get('upload-metadata') ?? '';
    const { storageId, path, fileId, wish } = await placeOf(call, uploadMetadata(metadata));
    const owner = subjectOf(call).name;
    const by = callerPublisher(call);
    const to = await newPlaceOf(parts, { storageId, path });
    const target = transferTarget({ storageId, path, file: undefined });
    const upload = {
      owner,
      target,
      storageId,
      path,
      fileId,
      size,
      for: wish === undefined ? undefined : { user: owner },
      priority: defaultPriority,
      rest: { state: 'CLOSED', metadata, wish },
    };
    const beginning = { ...parts, random: context.random, settings, hooks: context.hooks };
    const row = await beginTransfer(beginning, { ...upload, name: undefined, file: undefined, old: undefined }, to, by);
    const offset = await takeFirst(call, row);
    const headers = { location: locationOf(call, `/upload/${row.id}`), ...expiry(row), ...offset };
    return { status: 201, headers };
  }

  /** Destination of the bytes: as the caller says, or as the service chooses for an import. */
  async function placeOf(call: Call, values: ReadonlyMap<string, string>) {
    const imports = asksForImport(values);
    await requireRole(call, imports);
    if (imports) return context.hooks.need(uploadImportsHook).prepare(call, values);
    const { storage: storageId, path } = uploadTarget(values);
    return { storageId, path, fileId: undefined, wish: undefined };
  }

  /** Bytes that come with the request that begins the upload. */
  async function takeFirst(call: Call, row: TransferRow): Promise<Record<string, string>> {
    const sends = call.request.headers.get('content-type') === offsetType;
    if (!sends && row.size > 0) return {};
    const body = sends ? digestedBody(call) : noBody;
    await take(call, row, 0, body);
    return progressOf(row);
  }

  const digestedBody = ({ request }: Call): ByteBody => digested(openBody(request), request.headers, hasher, 'part');

  async function take(call: Call, row: TransferRow, index: number, body: ByteBody): Promise<void> {
    try {
      const checksum = checksumIn(call.request.headers, hasher);
      if (index + (body.length ?? 0) > row.size) throw tooMuch(row.size - index);
      await receivePart(parts, row, { index, body, checksum }, publisherOf(call, row));
    } finally {
      await body.cancel();
    }
  }

  /** Commits in the name of the caller. The last commit also begins the import of the upload. */
  function publisherOf(call: Call, row: TransferRow): Publisher {
    const by = callerPublisher(call);
    return { ...by, ...alsoImports(context.hooks.need(uploadImportsHook), row, by.actor) };
  }

  async function append(call: Call, upload: string): Promise<Reply> {
    const transfer = await uploadOf(call, upload);
    const type = call.request.headers.get('content-type');
    if (type !== offsetType) throw otherType(type ?? '');
    const offset = requiredBytes(call.request.headers, 'Upload-Offset');
    // The client comes back while its broken connection is not noticed yet.
    await parts.live.takeOver(transfer.id);
    const row = await uploadOf(call, upload);
    if (offset !== offsetOf(row)) throw partConflict(row.id, `Expected the offset ${offsetOf(row)}: ${offset}`);
    const isMore = row.state !== 'FINISHED' || Number(call.request.headers.get('content-length') ?? 1) > 0;
    if (isMore) await take(call, row, offset, digestedBody(call));
    return { status: 204, headers: await progressOf(row) };
  }

  async function progressOf({ id }: TransferRow): Promise<Record<string, string>> {
    const row = existing(await findTransfer(store, { id }), noSuchTransfer, id);
    return { 'upload-offset': String(offsetOf(row)), ...expiry(row), ...(await fileOf(row)) };
  }

  /** The file of an upload that is whole, with the item that it belongs to and the newest job about it, where there are. */
  async function fileOf({ state, fileId }: TransferRow): Promise<Record<string, string>> {
    if (state !== 'FINISHED' || fileId === null) return {};
    const [use] = await usesOf(store, { ids: [fileId] });
    const job = await newestJobOf(store, { fileId });
    // The item of an import gets the file in a later step of its job.
    const itemId = use?.itemId ?? job?.itemId;
    return {
      'portico-file': fileId,
      ...(itemId && { 'portico-item': itemId }),
      ...(job && { 'portico-job': job.id }),
    };
  }

  async function tell(call: Call, upload: string): Promise<Reply> {
    const transfer = await uploadOf(call, upload);
    await parts.live.takeOver(transfer.id);
    const row = await uploadOf(call, upload);
    const { metadata = '' } = transferRest(row);
    const headers = {
      'upload-offset': String(offsetOf(row)),
      'upload-length': String(row.size),
      ...(metadata !== '' && { 'upload-metadata': metadata }),
      ...expiry(row),
      ...(await fileOf(row)),
      'cache-control': 'no-store',
    };
    return { status: 200, headers };
  }

  async function end(call: Call, upload: string): Promise<Reply> {
    const row = await uploadOf(call, upload);
    const by = callerPublisher(call);
    if (row.state === 'FINISHED') await by.commit(changing(deleteTransfer({ id: row.id })));
    else await endTransfer(parts, row.id, by);
    return { status: 204 };
  }

  /** Expiry of an upload without further parts. */
  const expiry = ({ state, touchedAt }: TransferRow): Record<string, string> =>
    state === 'FINISHED'
      ? {}
      : { 'upload-expires': new Date(touchedAt + settings.transferIdleHours * hour).toUTCString() };

  return [
    offered('/upload'),
    offered(uploads.read.path),
    route({
      ...shared,
      ...uploads.begin,
      says: 'Starts a tus upload. Upload-Metadata has the keys storage and path, or filename. With import=true the file becomes an item: its keys are filename, tag, collection, storage, and metadata, a MetadataDocument in JSON. The last answer names file, item and job in the headers `portico-file`, `portico-item` and `portico-job`.',
      reads: raw(['nothing', 'bytes']),
      status: 201,
      acting: 'allowed',
      handle: (call) => inVersion(call.request, () => create(call)),
    }),
    route({
      ...shared,
      ...uploads.read,
      says: 'The offset of a tus upload, in the headers of the answer.',
      handle: (call, { upload }) => inVersion(call.request, () => tell(call, upload)),
    }),
    route({
      ...shared,
      ...uploads.append,
      says: 'Continues a tus upload at its offset.',
      reads: raw('bytes'),
      status: 204,
      acting: 'allowed',
      handle: (call, { upload }) => inVersion(call.request, () => append(call, upload)),
    }),
    route({
      ...shared,
      ...uploads.end,
      says: 'Aborts a tus upload. A completed file stays.',
      status: 204,
      acting: 'allowed',
      handle: (call, { upload }) => inVersion(call.request, () => end(call, upload)),
    }),
  ];
}

const [writes, imports] = ['_file_write', '_import'];

/** Each kind of upload needs one of the roles, which its handler knows. */
const eitherRole = access({ role: writes, or: { role: imports, for: 'uploads with import=true' } }, async (call) => {
  const subject = subjectOf(call);
  if (!(await subject.has(writes)) && !(await subject.has(imports))) throw roleMissing(writes);
});

async function requireRole(call: Call, isImport: boolean): Promise<void> {
  const needed = isImport ? imports : writes;
  if (!(await subjectOf(call).has(needed))) throw roleMissing(needed);
}

const allowed = (path: string): string => (path === '/upload' ? 'OPTIONS, POST' : 'DELETE, GET, HEAD, OPTIONS, PATCH');

/** The bytes without a gap at the beginning: clients go on behind them. */
const offsetOf = ({ state, size, ranges }: TransferRow): number =>
  state === 'TRANSFERRING' ? beginningOf(readIntervals(ranges)) : size;

const noBody: ByteBody = { length: 0, read: async () => undefined, cancel: async () => undefined };

const tooMuch = (max: number): ServiceError =>
  new ServiceError('body-too-large', {
    context: 'body',
    explanation: `Expected at most ${max} bytes behind the offset`,
  });

const otherType = (value: string): ServiceError =>
  new ServiceError('media-type-unsupported', {
    context: 'header Content-Type',
    explanation: `Expected ${offsetType}`,
    value: value.slice(0, 80),
  });
