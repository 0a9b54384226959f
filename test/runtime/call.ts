import process from 'node:process';
import { systemClock } from '../../src/core/lib/clock.ts';
import { createOutbound } from '../../src/core/outbound/outbound.ts';
import { hostWire } from '../../src/entry/wire.ts';

/** A process of its own that calls the addresses it is given, and tells what came of each. */
const { call } = createOutbound({ wire: hostWire(), allow: ['127.0.0.1'], clock: systemClock });
for (const url of process.argv.filter((word) => /^https?:/.test(word))) {
  const told = await call({ url, method: 'GET', timeout: 10_000, mostBytes: 100 }).then(
    ({ text }) => text,
    (error) => `${error.kind}: ${error.message}`,
  );
  console.log(told);
}
