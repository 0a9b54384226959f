import { openSearchEngine } from '../../plugins/search/opensearch/engine.ts';
import { systemClock } from '../../src/core/lib/clock.ts';
import { createOutbound } from '../../src/core/outbound/outbound.ts';
import { hostWire } from '../../src/entry/wire.ts';
import { testHost } from '../../src/kit/testing/index.ts';
import type { Host, SearchEngine } from '../../src/spi/index.ts';

/** A host before the real network, with the time of this machine. */
export function realHost(): Host {
  const { stream, call } = createOutbound({ wire: hostWire(), allow: [], clock: systemClock });
  return {
    ...testHost(),
    ...{ stream, call, now: systemClock.now, sleep: systemClock.sleep },
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  };
}

/** Usual properties of the component. */
const defaultValue = Object.fromEntries(
  Object.entries(openSearchEngine.properties!).map(([name, { fallback }]) => [name, fallback]),
);

export const engineAt = async (
  url: string,
  properties: Readonly<Record<string, unknown>> = {},
  host = realHost(),
): Promise<SearchEngine> => openSearchEngine.create({ ...defaultValue, url, ...properties }, host);
