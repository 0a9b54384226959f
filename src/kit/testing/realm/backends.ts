import type { Backend } from '../host.ts';

const page = (text: string, status = 200, type = 'text/html') =>
  new Response(text, { status, headers: { 'content-type': type } });
const json = (text: string, status = 200) => page(text, status, 'application/json');

/** Broken answers of a backend or a proxy. None of them means a successful login. */
export const junk: Readonly<Record<string, Backend>> = {
  'status 500': () => page('Internal Server Error', 500),
  'status 503 with JSON': () => json('{"error":"try again"}', 503),
  'status 404': () => page('Not Found', 404),
  'status 401': () => new Response(null, { status: 401 }),
  'a redirect to a login page': () =>
    new Response(null, { status: 302, headers: { location: 'https://login.example/' } }),
  'a page of a captive portal': () => page('<html><body>Welcome to our network</body></html>'),
  'JSON that ends in the middle': () => json('{"name": "al'),
  'the JSON null': () => json('null'),
  'the JSON true': () => json('true'),
  'a JSON list': () => json('[[], {}]'),
  'bytes that are no text': () => new Response(Uint8Array.of(0xff, 0xfe, 0, 0xc3, 0x28)),
  'names that prototypes have': () => json('{"__proto__": {"name": 4711}, "constructor": 1, "name": {"toString": 1}}'),
  'a body that breaks off': () =>
    new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })),
};

/** Never answers, or begins to and does not go on. A real `fetch` gives up with its signal, and so do these. */
export const hanging: Readonly<Record<string, Backend>> = {
  'never answers': () => new Promise(() => undefined),
  'never ends its body': ({ signal }) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"name": '));
          if (signal.aborted) return controller.error(signal.reason);
          signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
        },
      }),
    ),
};

/** Says what it was told, as a chatty error page does. */
export const echoes: Readonly<Record<string, Backend>> = {
  'an error page that quotes the request': async (request) => page(await requestText(request), 500),
  'a refusal that quotes the request': async (request) =>
    json(JSON.stringify({ error: await requestText(request) }), 403),
  'the body of the request': async (request) => json(await request.text()),
  'a page that quotes the request': async (request) => page(await requestText(request)),
};

async function requestText(request: Request): Promise<string> {
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${request.method} ${request.url}\n${headers}\n\n${await request.text()}`;
}
