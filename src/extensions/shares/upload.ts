import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { ByteBody } from '../../http/body.ts';
import type { Call } from '../../http/call.ts';
import { happened } from './events.ts';
import type { Guest } from './guests.ts';
import { askAs, documentAs, mayFill } from './maker.ts';
import type { ShareContext } from './routes.ts';
import { eventOf, gone, longestFileName } from './rules.ts';
import { countUpload, itemOfImport, uploadFits } from './store.ts';

interface SentFile {
  readonly filename: string | undefined;
  readonly body: ByteBody;
}

/** Imports a file of a guest into the collection of the share. Its place among the bounds is taken before a byte is read. */
export async function upload(
  parts: ShareContext,
  call: Call,
  { share, use, maker }: Guest,
  { filename = '', body }: SentFile,
): Promise<void> {
  const { id, targetId } = share;
  if (share.uploadFiles === null || !(await mayFill(parts, maker, targetId))) throw gone();
  const size = body.length;
  if (size === undefined) {
    const explanation = 'Expected the number of bytes, by which the bounds of the share are checked';
    throw new ServiceError('bad-header', { context: 'header Content-Length', explanation });
  }
  if (filename.length > longestFileName) {
    const explanation = `Expected at most ${longestFileName} characters`;
    throw new ServiceError('bad-parameter', { context: 'parameter', id: 'filename', explanation });
  }
  await call.commit(changing(uploadFits({ id, size }, full), countUpload({ id, files: 1, size })));
  try {
    const itemId = await imported(parts, call, maker, filename, body);
    await askAs(parts, call, maker, `/collection/${targetId}/${itemId}`, { method: 'PUT' });
    const guest = use.name === null ? {} : { guest: use.name };
    await call.commit({ changes: [], events: [happened('share/upload', id, { ...eventOf(share), ...guest, itemId })] });
  } catch (error) {
    await call.commit(changing(countUpload({ id, files: -1, size: -size })));
    throw error;
  }
}

async function imported(
  parts: ShareContext,
  call: Call,
  maker: Guest['maker'],
  filename: string,
  body: ByteBody,
): Promise<string> {
  const query = filename === '' ? '' : `?filename=${encodeURIComponent(filename)}`;
  const { jobId } = await documentAs<{ readonly jobId: string }>(parts, call, maker, `/import/raw${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(body.length) },
    body: streamOf(body),
  });
  const [job] = await itemOfImport(parts.store, { jobId });
  if (!job) throw gone();
  return job.itemId;
}

const streamOf = (body: ByteBody): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await body.read();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
      cancel: () => body.cancel(),
    },
    { highWaterMark: 0 },
  );

const full = new ServiceError('quota-exceeded', {
  type: 'Share',
  explanation: 'Expected a file within the bounds of the share: its files or bytes are used up',
});
