import { joined } from '../lib/joined.ts';
import type { RoomContext } from '../room/context.ts';
import type { StoredCaller } from '../security/kept-caller.ts';
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
  const kept = await bodyOf(response, most);
  const { status } = response;
  return { state: requestState(status), status, contentType: response.headers.get('content-type'), response: kept };
}

/** Null: it is empty, or longer than what is kept. */
async function bodyOf(response: Response, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = response.body?.getReader();
  if (!reader) return null;
  const parts: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) break;
    total += value.byteLength;
    parts.push(value);
    if (total > most) {
      await reader.cancel();
      return null;
    }
  }
  return total === 0 ? null : joined(parts);
}
