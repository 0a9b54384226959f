import process from 'node:process';
import { hostWire } from '../../src/entry/wire.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';

/** A process of its own that calls the address it is given, and tells what came of it. */
const call = createOutbound({ wire: hostWire(), allow: ['127.0.0.1'], clock: systemClock });
const told = await call({ url: process.argv.at(-1)!, method: 'GET', timeout: 10_000, mostBytes: 100 }).then(
  ({ text }) => text,
  (error) => `${error.kind}: ${error.message}`,
);
console.log(told);
