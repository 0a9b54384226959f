import { type TestHost, type TestHostOptions, testHost } from './host.ts';

/** Host whose delays end at once: its clock advances instead. */
export function virtualTimeHost(options: TestHostOptions): TestHost {
  const host = testHost(options);
  return Object.assign(host, {
    async sleep(milliseconds: number, signal?: AbortSignal) {
      signal?.throwIfAborted();
      await host.clock.advance(milliseconds);
    },
  });
}
