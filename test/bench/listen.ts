import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';

/** Serves an app on a free port, under whatever runtime this is, and says where. */
export function listen(app: Hono): void {
  const say = (port: number) => console.log(`listening on ${port}`);
  if ('Deno' in globalThis) {
    const { Deno } = globalThis as unknown as { Deno: { serve(options: object, handler: typeof app.fetch): void } };
    Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }: { port: number }) => say(port) }, app.fetch);
  } else {
    const server = createServer(getRequestListener(app.fetch));
    server.listen(0, '127.0.0.1', () => say((server.address() as { port: number }).port));
  }
}
