import type { MediaType } from './negotiation.ts';

/** What a handler answers. It becomes a `Response` in one place, with all headers at once: adding them later is slow. */
export interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body?: string | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** 200 without a body, as this API answers most changes. */
export const done: Reply = { status: 200 };

export const plain = (body: string, headers?: Record<string, string>): Reply => ({
  status: 200,
  type: 'text/plain',
  body,
  ...(headers ? { headers } : {}),
});

export const typed = (type: MediaType, body: string): Reply => ({ status: 200, type, body });

const contentTypes: Readonly<Record<string, string>> = {
  'application/xml': 'application/xml; charset=UTF-8',
  // Without a charset: what clients of this API have always seen, and JSON is UTF-8 by definition.
  'application/json': 'application/json',
  'text/plain': 'text/plain; charset=UTF-8',
};

export function toResponse(reply: Reply, shared: Readonly<Record<string, string>>): Response {
  const headers: Record<string, string> = reply.headers ? { ...shared, ...reply.headers } : { ...shared };
  if (reply.type !== undefined) headers['content-type'] = contentTypes[reply.type] ?? reply.type;
  // Without a body the length must still be said, or a proxy may wait for one.
  if (reply.body === undefined && reply.status !== 204 && reply.status !== 304) headers['content-length'] = '0';
  return new Response(reply.body ?? null, { status: reply.status, headers });
}
