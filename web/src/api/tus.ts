import { Refusal } from 'portico/client/refusal';
import type { Transport } from 'portico/client/tus';

/** `fetch` tells nothing of the bytes that were sent. */
export const byBrowser: Transport = ({ method, url, headers, body, signal, onSent }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.setRequestHeader('portico-ui', '1');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onSent?.(loaded);
    request.onload = () => {
      const { status } = request;
      const headers = [...request.getAllResponseHeaders().matchAll(/^(.+?): (.*?)\r?$/gm)].map(
        ([, name, value]): [string, string] => [name!, value!],
      );
      resolve(new Response(status === 204 ? null : request.responseText, { status, headers }));
    };
    request.onerror = () => reject(new Refusal(0, 'offline', {}));
    request.onabort = () => reject(signal?.reason);
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort);
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    request.send(body ?? null);
  });
