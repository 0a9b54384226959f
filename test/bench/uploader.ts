import { request } from 'node:http';

/**
 * Sends a file to a server, with a gigabit a second at most, until it is told to stop: `uploader.ts PORT PATH`. Says first that it begins, and last how many MiB a second it has sent.
 */
const [port, path] = process.argv.slice(2);
const piece = Buffer.alloc(128 * 1024, 'portico');
const perSecond = 100 * 1024 * 1024;
/** Milliseconds from one batch of pieces to the next: a line brings bytes evenly, and no megabyte at once. */
const pause = 1;

const sending = request({
  host: '127.0.0.1',
  port: Number(port),
  method: 'POST',
  path,
  headers: {
    authorization: `Basic ${btoa('admin:bench')}`,
    accept: 'text/plain',
    // More than it comes to send.
    'content-length': String(4 * 1024 ** 3),
  },
});
// The end comes in the middle of a body.
sending.on('error', () => process.exit(0));
const began = performance.now();
let sent = 0;
let isFull = false;
sending.on('drain', () => {
  isFull = false;
});
setInterval(() => {
  const due = ((performance.now() - began) / 1000) * perSecond;
  // Pieces that could not be sent in time are not made up for later.
  for (let batch = 0; batch < 4 && sent < due && !isFull; batch++) {
    isFull = !sending.write(piece);
    sent += piece.byteLength;
  }
}, pause);
console.log('begun');
process.on('SIGTERM', () => {
  console.log(sent / 1024 / 1024 / ((performance.now() - began) / 1000));
  process.exit(0);
});
