import { collected } from '../../core/lib/streams.ts';
import type { RoomContext } from '../../room/context.ts';
import type { StoredCaller } from '../../security/kept-caller.ts';
import { type RequestRow, type Result, requestState } from './rules.ts';
import type { SchedulingSettings } from './settings.ts';

type Parts = Pick<RoomContext<SchedulingSettings>, 'carryOut' | 'services' | 'settings'>;

/** Sends a kept request through the pipeline. Whether the caller may still come in is asked there. */
export async function carryOutRequest({ carryOut, services, settings }: Parts, row: RequestRow): Promise<Result> {
  const headers = new Headers(JSON.parse(row.headers) as [string, string][]);
  headers.set('x-request-id', `scheduled-${row.id}`);
  for (const [name, value] of Object.entries(services.depthHeaders(row.depth))) headers.set(name, value);
  if (row.body) headers.set('content-length', String(row.body.byteLength));
  const body = row.body && { body: row.body };
  const request = new Request(row.uri, { method: row.method, headers, ...body });
  const response = await carryOut(request, {
    // Whole: filters and addresses in answers take the host from it.
    rawTarget: row.uri,
    address: row.address ?? undefined,
    secure: row.secure === 1,
    as: JSON.parse(row.caller) as StoredCaller,
  });
  // Answers with a credential forbid storing.
  const most = response.headers.get('cache-control') === 'no-store' ? 0 : settings.maxScheduledBytes;
  const bytes = response.body && (await collected(response.body, most));
  const { status, headers: answerHeaders } = response;
  // Null: the body is empty, or longer than what is kept.
  const result = bytes?.byteLength ? bytes : null;
  return { state: requestState(status), status, contentType: answerHeaders.get('content-type'), response: result };
}
