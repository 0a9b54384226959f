import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FakeEngineOptions, fakeOpenSearch } from './fake.ts';

/** The stand-in of OpenSearch behind a socket. `answering`: milliseconds that an answer takes. */
export async function serveOpenSearch({
  answering = 0,
  ...options
}: FakeEngineOptions & { readonly answering?: number } = {}) {
  const fake = fakeOpenSearch(options);
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = 'GET' } = request;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const sent = new Request(`http://127.0.0.1${request.url}`, {
      ...{ method, headers: request.headers as Record<string, string> },
      ...(hasBody && { body: Buffer.concat(parts) }),
    });
    const answer = await fake.fetch(sent);
    if (answering > 0) await new Promise((resolve) => setTimeout(resolve, answering));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    start: () => listen(port),
    async stop() {
      server.closeAllConnections();
      if (server.listening) await new Promise((done) => server.close(done));
    },
  };
}
