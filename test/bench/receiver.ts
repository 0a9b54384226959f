import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Somebody else's server, in a process of its own: takes what comes and says 200, or below /hang nothing at all. It tells
 * when requests came, in microseconds of the clock of the machine.
 */
let arrivals: number[] = [];
const server = createServer((request, response) => {
  if (request.url === '/arrivals') {
    response.end(JSON.stringify(arrivals));
    arrivals = [];
    return;
  }
  arrivals.push(Number(process.hrtime.bigint() / 1_000n));
  request.resume();
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return;
    response.writeHead(200, { 'content-length': 0 }).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`listening on ${(server.address() as AddressInfo).port}`));
process.on('SIGTERM', () => process.exit(0));
