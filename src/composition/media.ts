import { probers } from '../../plugins/probers/index.ts';
import { soundReader } from '../../plugins/probers/sound-reader.ts';
import { probeWith } from '../checking/probing/probe-with.ts';
import { createMeter } from '../checking/sound/meter.ts';
import { programVersion } from '../lib/version.ts';
import type { MeasuredSound, MediaHost, MediaSource, ProbeOptions, ProbeResult } from '../spi/index.ts';

/** Asks the shipped probers, in this process. */
export const probeWithShipped = (source: MediaSource, options: ProbeOptions): Promise<ProbeResult> =>
  probeWith(probers, source, options);

/** Measures sound, in this process. */
export async function measureWithShipped(
  source: MediaSource,
  options: Pick<ProbeOptions, 'signal'>,
  told?: (seconds: number) => void,
): Promise<MeasuredSound> {
  const meter = createMeter(told);
  await soundReader.read(source, meter, options);
  return meter.result();
}

/** For hosts without processes. */
export const probingHere = (): MediaHost => ({
  probe: probeWithShipped,
  sound: measureWithShipped,
  tools: async () => shippedTools,
  close: async () => undefined,
});

/** What ships and needs nothing else. */
export const shippedTools = probers.map(({ name }) => ({ name, version: programVersion }));
