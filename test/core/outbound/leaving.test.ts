import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/core/lib/clock.ts';
import { createOutbound } from '../../../src/core/outbound/outbound.ts';
import { hostWire } from '../../../src/entry/wire.ts';

/** The connection is about to be kept for the next call: for a moment nobody listens to its errors. */
it('a caller that leaves with the last byte ends no process', async () => {
  const server = createServer((_request, response) => response.end('x'.repeat(70_000)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { stream } = createOutbound({ wire: hostWire(), allow: ['127.0.0.1'], clock: systemClock });
  for (let round = 0; round < 100; round++) {
    const { body } = await stream({ url, method: 'GET', answerWithin: 5_000, idle: 5_000 });
    const reader = body.getReader();
    for (let left = 70_000; left > 0; ) left -= (await reader.read()).value!.byteLength;
    await reader.cancel();
  }
  expect((await stream({ url, method: 'HEAD', answerWithin: 5_000, idle: 5_000 })).status).toBe(200);
});
