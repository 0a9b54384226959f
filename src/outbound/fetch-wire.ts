import { OutboundError } from './error.ts';
import type { Wire } from './wire.ts';

/** Where there is nothing but `fetch`: names lead wherever it takes them, so the platform must keep private networks out of its reach. */
export const fetchWire = (send: typeof fetch): Wire => ({
  resolve: undefined,
  async send(_address, { url, method, headers, body }, signal) {
    try {
      const init = { method, headers, redirect: 'manual', signal, ...(body === undefined ? {} : { body }) } as const;
      const answer = await send(url, init);
      return { status: answer.status, headers: answer.headers, body: answer.body };
    } catch (error) {
      throw new OutboundError('connect', `Expected a connection with "${url.hostname}"`, error);
    }
  },
});
