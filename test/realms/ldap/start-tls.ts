import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export interface StartTls {
  readonly port: number;
  /** Bytes that came in the clear: the request for TLS and nothing else. */
  readonly clear: Buffer[];
  /** How many connections were encrypted. */
  encrypted: number;
  close(): Promise<void>;
}

interface Options {
  readonly tls: { readonly key: string; readonly cert: string };
  /** The port of a directory that speaks plainly. */
  readonly to: number;
  /** Sent in the clear right behind the answer, as somebody on the way would. */
  readonly injected?: Uint8Array;
  readonly refuses?: true;
  /** Says yes and then nothing. */
  readonly hangs?: true;
}

const request = Buffer.from('1.3.6.1.4.1.1466.20037');
const extendedResponse = (id: number, code: number): Buffer =>
  Buffer.from([0x30, 0x0c, 0x02, 0x01, id, 0x78, 0x07, 0x0a, 0x01, code, 0x04, 0x00, 0x04, 0x00]);

/** StartTLS in front of a directory that does not know it: answers the request, encrypts, and passes all on. */
export async function openStartTls({ tls, to, injected, refuses, hangs }: Options): Promise<StartTls> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      front.clear.push(data);
      const asked = data.includes(request);
      const answer = extendedResponse(data[4]!, asked && !refuses ? 0 : 2);
      socket.write(injected ? Buffer.concat([answer, injected]) : answer);
      if (!asked || refuses) return socket.end();
      if (hangs) return;
      const secure = new TLSSocket(socket, { isServer: true, key: tls.key, cert: tls.cert });
      secure.on('error', () => socket.destroy());
      secure.on('secure', () => front.encrypted++);
      const behind = connect(to, '127.0.0.1');
      behind.on('error', () => socket.destroy());
      secure.pipe(behind).pipe(secure);
    });
  });
  const front: StartTls = {
    port: 0,
    clear: [],
    encrypted: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(front, { port: (server.address() as AddressInfo).port });
}
