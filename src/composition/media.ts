import { probers } from '../../plugins/probers/index.ts';
import { probeWith } from '../checking/probing/probe-with.ts';
import { programVersion } from '../lib/version.ts';
import type { MediaHost, MediaSource, ProbeOptions, ProbeResult } from '../spi/index.ts';

/** Asks the shipped probers, in this process. */
export const probeWithShipped = (source: MediaSource, options: ProbeOptions): Promise<ProbeResult> =>
  probeWith(probers, source, options);

/** For hosts without processes. */
export const probingHere = (): MediaHost => ({
  probe: probeWithShipped,
  tools: async () => shippedTools,
  close: async () => undefined,
});

/** What ships and needs nothing else. */
export const shippedTools = probers.map(({ name }) => ({ name, version: programVersion }));
